"""From a view back to the state that it shows."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from polemos.games.demons.ground import BadMap, read_map
from polemos.games.demons.rules.phases import keep_towers
from polemos.games.demons.setup import Options, first_state
from polemos.games.demons.state import (
    ACTS,
    COMPASS,
    DEMON,
    KINDS,
    NOBODY,
    PLAYERS,
    REASONS,
    STEP_NAMES,
    TOWERS,
    State,
)
from polemos.games.demons.validate import validate
from polemos.games.demons.view import Setting, View, numbers_of
from polemos.kernel.errors import BadOptions, BadPosition

_PLAYERS: Final = {name: number for number, name in enumerate(PLAYERS)}
_TOWERS: Final = {name: number for number, name in enumerate(TOWERS)}
_ACTS: Final = {name: number for number, name in enumerate(ACTS)}


def imagine(setting: Setting, view: View) -> State:
    """The state that a view shows: nothing is hidden, so it is exact."""
    state = restored(setting, view)
    validate(state)
    return state


def restored(setting: Setting, view: View) -> State:
    """The same without asking whether play can reach it."""
    header = f"name: {setting.name}\nsymmetry: {setting.symmetry}\nfacing: {'yes' if setting.facing else 'no'}\n"
    # The order of the portals is told by the views, which always list them all.
    header += f"portals: {' '.join(f'{portal.x},{portal.y}' for portal in view.portals)}\n"
    text = (header if setting.name else header.split("\n", 1)[1]) + "\n".join(setting.rows) + "\n"
    try:
        empty, tiles = _empty(text, tuple(setting.options.items()))
        state = empty.copy()
        _set(state, view, tiles)
    except (BadMap, BadOptions) as error:
        raise BadPosition(error.why, rule=error.rule) from None
    except (ValueError, KeyError, IndexError, OverflowError, msgspec.ValidationError):
        raise BadPosition(
            "This is not a view of Demons: it names something that does not exist, or a number is out of range."
        ) from None
    return state


@lru_cache(maxsize=64)
def _empty(map: str, options: tuple[tuple[str, str | int], ...]) -> tuple[State, dict[tuple[int, int], int]]:
    """The board without towers, and the numbers of its tiles. Kept, because the same match is asked for again."""
    read_map(map)
    state = first_state(msgspec.convert({**dict(options), "map": map}, Options), 0)
    for i in range(state.towers):
        state.tile[state.tower[i].tile].tower = 0
    keep_towers(state, 0)
    return state, {(state.tile[i].x, state.tile[i].y): i for i in range(state.tiles)}


def _set(state: State, view: View, tiles: dict[tuple[int, int], int]) -> None:
    numbers = numbers_of(state)
    state.turn, state.step = view.turn, STEP_NAMES.index(view.step)
    for name, base in view.bases.items():
        player = _PLAYERS[name]
        state.gold[player], state.health[player] = base.gold, base.health
        for letter, queued in base.queued.items():
            state.queue[player * 4 + COMPASS.index(letter)] = queued
        for tower_kind, price in view.prices[name].items():
            state.price[player * KINDS + _TOWERS[tower_kind]] = price
    towers = [(tiles[t.x, t.y], _TOWERS[t.kind], _PLAYERS[t.owner], t.cooldown) for t in view.towers]
    state.towers = len(towers)
    placed = numbers["tower"][: len(towers)]
    placed[:] = towers
    numbers["tile"]["tower"][placed["tile"]] = placed["kind"] + 1
    units = sorted(
        (
            tiles[unit.x, unit.y],
            _PLAYERS[unit.side] + (DEMON if unit.kind == "demon" else 0),
            _ACTS[unit.state],
            unit.health,
            unit.damage,
        )
        for unit in view.units
    )
    state.units = len(units)
    numbers["unit"][: len(units)] = units
    for i, portal in enumerate(view.portals):
        entry = state.portal[i]
        entry.queued, entry.target, entry.released = portal.queued, _PLAYERS[portal.target], portal.released
        entry.reload = portal.next_in if state.rules else 0
    for name in view.dropped:
        state.dropped[_PLAYERS[name]] = 1
    for name, (fallen, health) in view.fallen.items():
        state.fallen[_PLAYERS[name]], state.fallen_health[_PLAYERS[name]] = fallen, health
    if view.outcome is not None:
        state.reason = REASONS.index(view.outcome.reason)
        state.winner = NOBODY if view.outcome.winner is None else _PLAYERS[view.outcome.winner]
