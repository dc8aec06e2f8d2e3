"""How many lines a sheet may have depends on the match."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

S_contra = TypeVar("S_contra", contravariant=True)


@runtime_checkable
class SheetSize(Protocol[S_contra]):
    def most_lines(self, state: S_contra) -> int:
        """Lines of a sheet in this match; further ones are void."""
        ...
