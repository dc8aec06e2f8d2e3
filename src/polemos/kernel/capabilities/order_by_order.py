"""A turn is a sequence of orders, each applied at once."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

from polemos.kernel.log import Log

S_contra = TypeVar("S_contra", contravariant=True)
O_contra = TypeVar("O_contra", contravariant=True)


@runtime_checkable
class OrderByOrder(Protocol[S_contra, O_contra]):
    """`resolve` is `apply` for each order of the sheet, then the end of the turn."""

    def apply(self, state: S_contra, seat: str, order: O_contra, log: Log) -> None:
        """Carries out one order, in place; if the order is not legal, raises an OrderError and changes nothing."""
        ...
