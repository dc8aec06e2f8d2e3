"""How the party says no."""

from __future__ import annotations

from polemos.kernel.errors import PolemosError


class Refused(PolemosError):
    """A paragraph of the book forbids this act now."""

    word = "party/refused"
