"""Dice that are fixed by name, for tests and for anyone who asks what would happen (2.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from polemos.games.demons.notation import place_in, player_of
from polemos.games.demons.orders import tile_at
from polemos.games.demons.rules.dice import FOR_COIN, FOR_TARGET, aim
from polemos.games.demons.state import PLAYERS, State
from polemos.kernel.dice import MAX_FIXED, Chance, die_of
from polemos.kernel.errors import NotationError
from polemos.kernel.orders import shown

_EXAMPLE: Final = 'Write dice as an object like {"coin": {"red": ["0.3"]}, "tower 3,4": {"5,6": "0.7"}}.'


def fix_dice(state: State, chance: Chance, dice: Mapping[str, Any]) -> None:
    """Fixes the coin's dice by player, redraws following (9.4), and a tower's by the place of the target (11.7)."""
    given: object = dice
    if not isinstance(given, Mapping):
        raise NotationError(_EXAMPLE, rule="2.6")
    for name, rolls in given.items():
        if not isinstance(rolls, Mapping):
            raise NotationError(_EXAMPLE, rule="2.6")
        word, _, place = str(name).partition(" ")
        if word == "tower":
            tower = _tile(state, place)
            for target, value in rolls.items():
                _fix(chance, FOR_TARGET, aim(tower, _tile(state, str(target))), 0, value, redraws=False)
        elif name == "coin":
            for whose, values in rolls.items():
                _fix(chance, FOR_COIN, 0, PLAYERS.index(player_of(whose)), values, redraws=True)
        else:
            raise NotationError(
                f"There is no die called {shown(name)[:20]!r}. Dice are coin and tower 3,4.",
                rule="2.6",
            )


def _tile(state: State, place: str) -> int:
    tile = tile_at(state, *place_in(place))
    if tile < 0:
        raise NotationError(f"The map has no tile {place[:20]!r}.", rule="2.6")
    return tile


def _fix(chance: Chance, what: int, where: int, who: int, values: object, redraws: bool) -> None:
    listed = values if isinstance(values, list | tuple) else [values]
    if len(listed) > 1 and not redraws:
        raise NotationError("A tower throws only one die for each target.", rule="11.7")
    for again, value in enumerate(listed):
        if chance.fixed == MAX_FIXED:
            raise NotationError(f"At most {MAX_FIXED} dice can be fixed.", rule="2.6")
        fixed = chance.rolls[chance.fixed]
        fixed.what, fixed.where, fixed.who, fixed.again = what, where, who, again
        fixed.value = die_of(value, "2.6")
        chance.fixed += 1
