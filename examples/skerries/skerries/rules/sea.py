"""1 The sea: which skerries there are, and which are next to each other."""

from __future__ import annotations

from polemos.kernel.rule import entry, rule
from skerries.state import BEACON, HARBOUR, INNER, OUTER


@rule
def skerries(seats: int) -> int:
    """1.1 How many there are: three for every seat, and the beacon."""
    return 3 * seats + 1


@rule
def ring(place: int) -> int:
    return (place - 1) % 3


@entry
def harbour(seat: int) -> int:
    return 1 + 3 * seat + HARBOUR


@entry
def is_next(seats: int, one: int, other: int) -> bool:
    """1.2 Whether two skerries are neighbours."""
    if one == other or max(one, other) >= skerries(seats):
        return False
    if one == BEACON or other == BEACON:
        return ring(one + other) == INNER
    onward = ((other - 1) // 3 - (one - 1) // 3) % seats  # sectors from one to the other
    return (
        onward == 0
        or (onward == 1 and ring(one) == OUTER and ring(other) != OUTER)
        or (onward == seats - 1 and ring(one) != OUTER and ring(other) == OUTER)
    )
