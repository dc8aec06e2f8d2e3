"""Sets of hexes as bits. No paragraph of the book.

Who asks about many hexes of one board looks at all of them once and asks the set from then on. A GPU gains most: there
every thread has a board of its own, and thirty-two threads that look at different hexes wait for thirty-two pieces of
memory, while a set is the same two words for all of them.
"""

from __future__ import annotations

from typing import Final

from polemos.games.minions.state import HEXES, Hexes
from polemos.kernel.rule import rule

HALF: Final = HEXES // 2


@rule
def empty(hexes: Hexes) -> None:
    hexes.low = 0
    hexes.high = 0


@rule
def holds(hexes: Hexes, hex: int) -> bool:
    return (hexes.low >> hex if hex < HALF else hexes.high >> (hex - HALF)) & 1 != 0


@rule
def include(hexes: Hexes, hex: int) -> None:
    if hex < HALF:
        hexes.low |= 1 << hex
    else:
        hexes.high |= 1 << (hex - HALF)


@rule
def exclude(hexes: Hexes, hex: int) -> None:
    if hex < HALF:
        hexes.low &= ~(1 << hex)
    else:
        hexes.high &= ~(1 << (hex - HALF))


@rule
def next_in(hexes: Hexes, hex: int) -> int:
    """The first hex of the set from this one on, or HEXES."""
    left = hexes.high >> (hex - HALF) if hex >= HALF else hexes.low >> hex
    if left == 0 and hex < HALF:
        hex = HALF
        left = hexes.high + 0
    if left == 0:
        return HEXES
    while left & 1 == 0:
        left >>= 1
        hex += 1
    return hex
