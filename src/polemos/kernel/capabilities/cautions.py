"""A match can be played, but whoever sets it up should know something first, such as that its map is not fair."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

S_contra = TypeVar("S_contra", contravariant=True)


@runtime_checkable
class Cautions(Protocol[S_contra]):
    def cautions(self, state: S_contra) -> list[str]:
        """What to know before a match begins that starts like this, a sentence or two each."""
        ...
