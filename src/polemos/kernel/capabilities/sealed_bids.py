"""Each seat names a number in secret before the match begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar, runtime_checkable

from msgspec import Struct

S_contra = TypeVar("S_contra", contravariant=True)


class Sealed(Struct, frozen=True):
    """A whole number that every seat names in secret before the match begins."""

    title: str
    text: str
    rule: str
    least: int
    most: int
    usual: int  # for bots, and for players who do not answer


@runtime_checkable
class SealedBids(Protocol[S_contra]):
    def sealed(self, options: Mapping[str, Any]) -> Sealed | None:
        """The number that seats must name before a match with these options begins, if any."""
        ...

    def unseal(self, options: Mapping[str, Any], named: Mapping[str, int]) -> dict[str, Any]:
        """The options of the match once every seat has named its number, in seat order."""
        ...

    def moved(self, state: S_contra) -> dict[str, str]:
        """After the bids: the new seat of every player who changed seats, by the old one."""
        ...
