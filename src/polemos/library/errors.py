"""Why there is no library."""

from __future__ import annotations

from polemos.kernel.errors import PolemosError


class NoLibrary(PolemosError):
    """This game has no library, or this machine cannot build it."""

    word = "library/none"
