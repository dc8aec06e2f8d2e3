"""A match has so many turns."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar, runtime_checkable

V_contra = TypeVar("V_contra", contravariant=True)


@runtime_checkable
class TurnLimit(Protocol[V_contra]):
    def turns(self, setting: Any, view: V_contra) -> int | None:
        """How many turns the match has; None while that is open."""
        ...
