"""The umpire can change the course of a match by a call, such as announcing the last turn."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

S_contra = TypeVar("S_contra", contravariant=True)


@runtime_checkable
class UmpireCalls(Protocol[S_contra]):
    def call(self, state: S_contra, text: str) -> None:
        """Carries out a call, in place; raises an OrderError listing the possible calls if it doesn't know this one."""
        ...

    def awaited(self, state: S_contra) -> str | None:
        """What the umpire must call before play goes on, in words; None: play goes on without a call."""
        return None

    def may_wait(self, state: S_contra) -> bool:
        """Whether play can come to wait for a call, so that somebody must be there to make it."""
        return False
