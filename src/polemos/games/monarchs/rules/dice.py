"""2.3 Dice and 6.5 ties: who is strongest, who draws lowest."""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.rules.events import ROLLED
from polemos.games.monarchs.state import Work
from polemos.kernel.dice import Chance, roll
from polemos.kernel.log import Log, emit
from polemos.kernel.rule import rule

QUARTER: Final = 1 << 30  # strengths are counted in quarters; a whole die of 2^32 is worth four of them


@rule
def throw(chance: Chance, work: Work, log: Log, what: int, place: int, target: int, nation: int, again: int) -> int:
    """2.3 One die for (turn, what, place, nation, draw). `target` is the second hex of a border or a retreat."""
    where = place * 64 + target if target >= 0 else place * 64 + 63
    die = roll(chance, work.turn_key, what, where, nation, again)
    emit(log, ROLLED + what, nation, -1, place, target, again, die)
    return die
