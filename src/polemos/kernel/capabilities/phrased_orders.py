"""The text of an order follows from its fields, so long sheets can be sent without it."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

O_contra = TypeVar("O_contra", contravariant=True)


@runtime_checkable
class PhrasedOrders(Protocol[O_contra]):
    def order_phrase(self, order: O_contra) -> str:
        """The text that `write` returns, with fields in braces; see `kernel.phrases`."""
        ...
