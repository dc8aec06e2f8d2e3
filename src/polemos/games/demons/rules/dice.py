"""2.6 Chance: the coin at the end (9.4), and the targets of towers in the finals (11.7)."""

from __future__ import annotations

from typing import Final

from polemos.games.demons.rules import events
from polemos.games.demons.state import State
from polemos.kernel.dice import Chance, roll, turn_key
from polemos.kernel.log import Log
from polemos.kernel.rule import entry, rule

# What a die is thrown for.
FOR_COIN: Final = 0
FOR_TARGET: Final = 1


@entry
def aim(tower: int, tile: int) -> int:
    """The place of the die that a tower throws for a unit, both given by their tiles."""
    return tower * 512 + tile


@rule
def toss(state: State, chance: Chance, player: int, again: int, log: Log) -> int:
    """9.4 A player's die for the coin."""
    die = roll(chance, turn_key(chance, state.turn), FOR_COIN, 0, player, again)
    events.rolled(log, player, -1, -1, -1, again, die)
    return die


@rule
def target_die(state: State, chance: Chance, i: int, j: int, log: Log) -> int:
    """11.7 The die of tower i for unit j."""
    tower = state.tower[i]
    unit = state.unit[j]
    die = roll(chance, turn_key(chance, state.turn), FOR_TARGET, aim(tower.tile, unit.tile), 0, 0)
    events.rolled(log, tower.owner, tower.tile, unit.tile, unit.kind, 0, die)
    return die
