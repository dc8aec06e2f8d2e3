"""Seats do not see everything: events and void lines are filtered for each audience."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

from polemos.kernel.chronicle import Event

S_contra = TypeVar("S_contra", contravariant=True)


@runtime_checkable
class Fog(Protocol[S_contra]):
    def witness(self, state: S_contra, event: Event, who: str) -> Event | None:
        """The event as `who` may know it, or None."""
        ...

    def tells_faults(self, state: S_contra, who: str, whose: str) -> bool:
        """Whether `who` is told the void lines of the seat `whose`. Never asked for the umpire, who sees all."""
        ...
