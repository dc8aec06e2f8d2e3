"""Several people share a seat, each with their own role."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

S_contra = TypeVar("S_contra", contravariant=True)
O_contra = TypeVar("O_contra", contravariant=True)


@runtime_checkable
class Roles(Protocol[S_contra, O_contra]):
    roles_rule: str  # the paragraph that divides the orders of a seat among its roles

    def roles(self, state: S_contra) -> tuple[str, ...]:
        """The roles within a seat of this match."""
        ...

    def role(self, order: O_contra) -> str | None:
        """The role that gives this order, or None if any role may."""
        ...
