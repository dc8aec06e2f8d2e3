"""2.3 Dice and 6.5 ties: who is strongest, who draws lowest."""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.state import Work
from polemos.kernel.dice import Chance, roll
from polemos.kernel.rule import rule

QUARTER: Final = 1 << 30  # strengths are counted in quarters; a whole die of 2^32 is worth four of them

# What a die is thrown for (2.3).
AT_BORDER: Final = 0
IN_HEX: Final = 1
FOR_RETREAT: Final = 2
FOR_GAME: Final = 3

ONE_HEX: Final = 63  # in place of the second hex of a border or a retreat


@rule
def throw(chance: Chance, work: Work, what: int, place: int, target: int, nation: int, again: int) -> int:
    """2.3 One die for (turn, what, two hexes, nation, draw)."""
    return roll(chance, work.turn_key, what, place * 64 + target, nation, again)


@rule
def throw_here(chance: Chance, work: Work, what: int, place: int, nation: int, again: int) -> int:
    """2.3 One die for (turn, what, one hex, nation, draw)."""
    return throw(chance, work, what, place, ONE_HEX, nation, again)
