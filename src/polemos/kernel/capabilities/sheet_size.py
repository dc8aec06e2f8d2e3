"""The maximum number of lines on a sheet depends on the match."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

S_contra = TypeVar("S_contra", contravariant=True)


@runtime_checkable
class SheetSize(Protocol[S_contra]):
    def max_lines(self, state: S_contra) -> int:
        """The maximum number of lines on a sheet in this match; any further lines are void."""
        ...
