"""A match has a limited number of turns."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar, runtime_checkable

V_contra = TypeVar("V_contra", contravariant=True)


@runtime_checkable
class TurnLimit(Protocol[V_contra]):
    def turns(self, setting: Any, view: V_contra) -> int | None:
        """The number of turns in the match, or None while it is undecided."""
        ...
