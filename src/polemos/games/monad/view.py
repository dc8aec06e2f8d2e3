"""What everybody sees of Monad (1.8), as typed messages: the map once, then only what is on it or has changed."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from polemos.games.monad.ground import BadMap, Ground, sound
from polemos.games.monad.setup import MOST_TURNS, Options, cells_of, first_state, ground_in
from polemos.games.monad.state import (
    BLOCKED,
    BY_BUILDINGS,
    BY_COUNT,
    BY_FORFEIT,
    BY_SURVIVAL,
    DIRECTIONS,
    NOBODY,
    PART,
    REASONS,
    SEATS,
    SURVIVAL,
    State,
)
from polemos.games.monad.validate import clear, place_building, place_ore, place_stack, validate
from polemos.kernel.errors import BadOptions, BadPosition
from polemos.kernel.outcome import Outcome


class Stack(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Units of one player on one tile."""

    x: int
    y: int
    owner: str
    units: int


class Building(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A building by its core; the direction says which block of four tiles it takes (5.2)."""

    x: int
    y: int
    owner: str
    direction: str
    points: int


class Ore(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A tile whose ore is not what it was at the start."""

    x: int
    y: int
    left: int


class View(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything but the orders of this turn. Tiles that are not listed are empty, with the ore of the setting."""

    who: str
    turn: int  # to be ordered now, from 1
    turns: int
    stacks: tuple[Stack, ...]  # in reading order
    buildings: tuple[Building, ...]  # in reading order of their cores
    ore: tuple[Ore, ...]  # in reading order
    stock: dict[str, int]
    units: dict[str, int]  # of each player in all
    built: tuple[str, ...] = ()  # players who have owned a building (9.1)
    alone: tuple[str, int] | None = None  # the only player with units, and for how many turn ends (9.2)
    out: dict[str, int] = {}  # player to turn (9.6)
    forfeited: dict[str, int] = {}  # player to turn (9.7)
    outcome: Outcome | None = None


class Setting(Struct, frozen=True, forbid_unknown_fields=True):
    """What never changes in a match."""

    name: str  # of the map
    symmetry: str
    rated: bool  # False for three players (1.5)
    width: int
    height: int
    seats: tuple[str, ...]
    starts: dict[str, tuple[int, int]]
    ore: tuple[tuple[int, ...], ...]  # row by row at the start; -1 is a blocked tile
    turns: int
    slots: int | None  # None: no limit (6.3)
    base: int
    unit_cost: int
    cost: int
    defence: int
    units: int  # at the start
    stock: int
    survival: int = SURVIVAL  # turn ends alone that win (9.2)


# ---- from the state to the view


def setting_of(state: State) -> Setting:
    ground = ground_in(state)
    seats = SEATS[: state.seats]
    return Setting(
        name=ground.name,
        symmetry=ground.symmetry,
        rated=ground.rated,
        width=state.width,
        height=state.height,
        seats=seats,
        starts=dict(zip(seats, ground.starts, strict=True)),
        ore=ground.rows,
        turns=state.turns,
        slots=state.slots or None,
        base=state.base,
        unit_cost=state.unit_cost,
        cost=state.cost,
        defence=state.defence,
        units=state.start_units,
        stock=state.start_stock,
    )


def observe(state: State, who: str) -> View:
    """1.8 Everybody sees everything but the orders of this turn."""
    cells = cells_of(state)
    seats = SEATS[: state.seats]
    return View(
        who=who,
        turn=state.turn + 1,
        turns=state.turns,
        stacks=_stacks(cells, state.width),
        buildings=_buildings(cells, state.width),
        ore=_ore(cells, state.width),
        stock={name: state.stock[seat] for seat, name in enumerate(seats)},
        units={name: state.units[seat] for seat, name in enumerate(seats)},
        built=tuple(name for seat, name in enumerate(seats) if state.built[seat]),
        alone=(SEATS[state.alone_seat], state.alone) if state.alone else None,
        out={name: state.out[seat] for seat, name in enumerate(seats) if state.out[seat]},
        forfeited={name: state.forfeited[seat] for seat, name in enumerate(seats) if state.forfeited[seat]},
        outcome=outcome_of(state),
    )


def _stacks(cells: np.ndarray[Any, Any], width: int) -> tuple[Stack, ...]:
    tiles = np.flatnonzero(cells["units"])
    there = cells[tiles]
    return tuple(
        Stack(tile % width, tile // width, SEATS[owner], units)
        for tile, owner, units in zip(tiles.tolist(), there["owner"].tolist(), there["units"].tolist(), strict=True)
    )


def _buildings(cells: np.ndarray[Any, Any], width: int) -> tuple[Building, ...]:
    tiles = np.flatnonzero((cells["building"] > 0) & (cells["building"] < PART))
    there = cells[tiles]
    return tuple(
        Building(tile % width, tile // width, SEATS[code - 1 >> 2], DIRECTIONS[code - 1 & 3], points)
        for tile, code, points in zip(tiles.tolist(), there["building"].tolist(), there["points"].tolist(), strict=True)
    )


def _ore(cells: np.ndarray[Any, Any], width: int) -> tuple[Ore, ...]:
    tiles = np.flatnonzero((cells["ore"] != cells["field"]) & (cells["field"] != BLOCKED))
    return tuple(
        Ore(tile % width, tile // width, left)
        for tile, left in zip(tiles.tolist(), cells["ore"][tiles].tolist(), strict=True)
    )


# ---- how it ended

_PARAGRAPHS = {BY_BUILDINGS: "9.1", BY_SURVIVAL: "9.2", BY_COUNT: "9.3", BY_FORFEIT: "9.7"}


def outcome_of(state: State) -> Outcome | None:
    """9 Who won and why; 9.8 who came where."""
    if not state.reason:
        return None
    seats = SEATS[: state.seats]
    order = sorted(range(state.seats), key=lambda seat: _standing(state, seat))
    ranks = {
        SEATS[seat]: 1 + sum(_standing(state, other) < _standing(state, seat) for other in range(state.seats))
        for seat in order
    }
    first = [name for name in seats if ranks[name] == 1]
    return Outcome(
        winner=None if state.winner == NOBODY else SEATS[state.winner],
        places=tuple(SEATS[seat] for seat in order),
        points={name: 1 / len(first) if name in first else 0.0 for name in seats},
        reason=REASONS[state.reason] if state.winner != NOBODY or state.reason != BY_FORFEIT else "all forfeited",
        rule=_PARAGRAPHS[state.reason],
        ranks=ranks,
    )


def _standing(state: State, seat: int) -> tuple[int, int]:
    """9.8 Less is better; equal ones share a place."""
    if seat == state.winner or state.drawn >> seat & 1:
        return 0, 0
    if state.forfeited[seat]:
        return 3, -state.forfeited[seat]
    if state.out[seat]:
        return 2, -state.out[seat]
    return 1, -state.units[seat]


# ---- and back


def imagine(setting: Setting, view: View) -> State:
    """The state that a view shows: nothing is hidden, so it is exact."""
    try:
        starts = tuple(setting.starts[name] for name in setting.seats)
        ground = sound(Ground(setting.name, setting.symmetry, starts, setting.ore))
        options = msgspec.convert(
            {
                "turns": setting.turns,
                "slots": "none" if setting.slots is None else setting.slots,
                "base": setting.base,
                "unit_cost": setting.unit_cost,
                "cost": setting.cost,
                "defence": setting.defence,
                "units": setting.units,
                "stock": setting.stock,
            },
            Options,
        )
        state = first_state(options, ground)
        clear(state)
        _set(state, view)
    except BadPosition:
        raise
    except (BadMap, BadOptions) as error:
        raise BadPosition(error.why, rule=error.rule) from None
    except (ValueError, KeyError, IndexError, OverflowError, msgspec.ValidationError):
        raise BadPosition("This is no view of Monad: it names what does not exist, or a number does not fit.") from None
    validate(state)
    return state


def _set(state: State, view: View) -> None:
    state.turn = _small(view.turn - 1)
    for building in view.buildings:
        seat, direction = SEATS.index(building.owner), DIRECTIONS.index(building.direction)
        place_building(state, seat, building.x, building.y, direction, building.points)
    for stack in view.stacks:
        place_stack(state, SEATS.index(stack.owner), stack.x, stack.y, stack.units)
    for ore in view.ore:
        place_ore(state, ore.x, ore.y, ore.left)
    for name in SEATS[: state.seats]:
        state.stock[SEATS.index(name)] = _fitting(view.stock[name])
    for name in view.built:
        state.built[SEATS.index(name)] = 1
    for name, turn in view.out.items():
        state.out[SEATS.index(name)] = _small(turn)
    for name, turn in view.forfeited.items():
        state.forfeited[SEATS.index(name)] = _small(turn)
    if view.alone is not None:
        state.alone_seat, state.alone = SEATS.index(view.alone[0]), min(_small(view.alone[1]), 100)
    if view.outcome is not None:
        _set_outcome(state, view.outcome)


def _set_outcome(state: State, outcome: Outcome) -> None:
    reason = "the others forfeited" if outcome.reason == "all forfeited" else outcome.reason
    state.reason = REASONS.index(reason)
    if outcome.winner is not None:
        state.winner = SEATS.index(outcome.winner)
        return
    state.winner = NOBODY
    for name, rank in outcome.ranks.items():
        if rank == 1:
            state.drawn |= 1 << SEATS.index(name)


def _small(number: int) -> int:
    if not 0 <= number <= MOST_TURNS + 1:
        raise ValueError(number)
    return number


def _fitting(number: int) -> int:
    if not 0 <= number < 1 << 31:
        raise ValueError(number)
    return number
