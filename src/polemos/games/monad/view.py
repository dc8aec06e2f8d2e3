"""What everybody sees of Monad (1.8), as typed messages: the map once, then only what is on it or has changed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from polemos.games.monad.ground import BadMap, Ground, sound
from polemos.games.monad.rules.end import ending, rank
from polemos.games.monad.setup import MAX_TURNS, Options, cells_of, first_state, ground_in
from polemos.games.monad.state import (
    ALL_FORFEITED,
    BLOCKED,
    BUILDING,
    BY_BUILDINGS,
    BY_COUNT,
    BY_FORFEIT,
    BY_SURVIVAL,
    DIRECTIONS,
    ENDINGS,
    GOOD,
    NO_DIRECTION,
    NOBODY,
    ORE,
    PART,
    SEATS,
    SPECTATOR_EYES,
    STACK,
    SURVIVAL,
    UMPIRE_EYES,
    Sight,
    State,
)
from polemos.games.monad.validate import clear, put, validate
from polemos.kernel.errors import BadOptions, BadPosition
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.outcome import Outcome
from polemos.kernel.record import Array, i8


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


_SEAT = {name: seat for seat, name in enumerate(SEATS)}
_DIRECTION = {name: direction for direction, name in enumerate(DIRECTIONS)}
_EYES = {**_SEAT, SPECTATOR: SPECTATOR_EYES, UMPIRE: UMPIRE_EYES}
_WHO = {eyes: name for name, eyes in _EYES.items()}


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


def eyes_of(who: str) -> int:
    """Who looks, as the rules count them."""
    return _EYES[who]


def view_of(sight: Sight) -> View:
    """1.8 Everybody sees everything but the orders of this turn."""
    state = sight.state
    cells = cells_of(state)
    seats = SEATS[: state.seats]
    return View(
        who=_WHO[sight.who],
        turn=state.turn + 1,
        turns=state.turns,
        stacks=_stacks(cells, state.width),
        buildings=_buildings(cells, state.width),
        ore=_ore(cells, state.width),
        stock=dict(zip(seats, state.stock, strict=False)),
        units=dict(zip(seats, state.units, strict=False)),
        built=tuple(name for name, built in zip(seats, state.built, strict=False) if built),
        alone=(SEATS[state.alone_seat], state.alone) if state.alone else None,
        out={name: turn for name, turn in zip(seats, state.out, strict=False) if turn},
        forfeited={name: turn for name, turn in zip(seats, state.forfeited, strict=False) if turn},
        outcome=_outcome(state, sight.rank) if state.reason else None,
    )


def _stacks(cells: np.ndarray[Any, Any], width: int) -> tuple[Stack, ...]:
    units = cells["units"]
    tiles = units.nonzero()[0]
    y, x = np.divmod(tiles, width)
    owners = [SEATS[owner] for owner in cells["owner"][tiles].tolist()]
    return tuple(map(Stack, x.tolist(), y.tolist(), owners, units[tiles].tolist()))


def _buildings(cells: np.ndarray[Any, Any], width: int) -> tuple[Building, ...]:
    there = cells["building"]
    tiles = ((there > 0) & (there < PART)).nonzero()[0]
    return tuple(
        Building(tile % width, tile // width, SEATS[code - 1 >> 2], DIRECTIONS[code - 1 & 3], points)
        for tile, code, points in zip(
            tiles.tolist(), there[tiles].tolist(), cells["points"][tiles].tolist(), strict=True
        )
    )


def _ore(cells: np.ndarray[Any, Any], width: int) -> tuple[Ore, ...]:
    left, field = cells["ore"], cells["field"]
    tiles = ((left != field) & (field != BLOCKED)).nonzero()[0]
    y, x = np.divmod(tiles, width)
    return tuple(map(Ore, x.tolist(), y.tolist(), left[tiles].tolist()))


# ---- how it ended

_PARAGRAPHS = {BY_BUILDINGS: "9.1", BY_SURVIVAL: "9.2", BY_COUNT: "9.3", BY_FORFEIT: "9.7"}


def outcome_of(state: State) -> Outcome | None:
    """9 Who won and why; None while the match runs."""
    return _outcome(state, [rank(state, seat) for seat in range(state.seats)]) if state.reason else None


def _outcome(state: State, rank: Sequence[int] | Array[i8]) -> Outcome:
    """9.8 Who came where, by the rank of every seat."""
    seats = SEATS[: state.seats]
    order = sorted(range(state.seats), key=lambda seat: rank[seat])
    first = [name for seat, name in enumerate(seats) if rank[seat] == 1]
    return Outcome(
        winner=None if state.winner == NOBODY else SEATS[state.winner],
        places=tuple(SEATS[seat] for seat in order),
        points={name: 1 / len(first) if name in first else 0.0 for name in seats},
        reason=ENDINGS[ending(state.winner, state.reason)],
        rule=_PARAGRAPHS[state.reason],
        ranks={SEATS[seat]: rank[seat] for seat in order},
    )


# ---- and back


def imagine(setting: Setting, view: View) -> State:
    """The state that a view shows: nothing is hidden, so it is exact."""
    try:
        starts = tuple(setting.starts[name] for name in setting.seats)
        ground = Ground(setting.name, setting.symmetry, starts, setting.ore)
        chosen = Options(
            turns=setting.turns,
            slots="none" if setting.slots is None else setting.slots,
            base=setting.base,
            unit_cost=setting.unit_cost,
            cost=setting.cost,
            defence=setting.defence,
            units=setting.units,
            stock=setting.stock,
        )
        state = _bare(ground, chosen).copy()
        _set(state, view)
    except BadPosition:
        raise
    except (BadMap, BadOptions) as error:
        raise BadPosition(error.why, rule=error.rule) from None
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, msgspec.ValidationError):
        raise BadPosition(
            "This is not a view of Monad: it names something that does not exist, or a number is out of range."
        ) from None
    validate(state)
    return state


@lru_cache(maxsize=16)
def _bare(ground: Ground, chosen: Options) -> State:
    """The board of a setting with nothing on it. Kept, because callers who only have views have many of one match."""
    checked = msgspec.convert(msgspec.to_builtins(chosen), Options)  # nothing else looks at the figures of a setting
    state = first_state(checked, sound(ground))
    clear(state)
    return state


def _set(state: State, view: View) -> None:
    state.turn = _small(view.turn - 1)
    put(
        state,
        [
            *((BUILDING, _SEAT[b.owner], _DIRECTION[b.direction], GOOD, b.x, b.y, b.points) for b in view.buildings),
            *((STACK, _SEAT[s.owner], NO_DIRECTION, GOOD, s.x, s.y, s.units) for s in view.stacks),
            *((ORE, 0, NO_DIRECTION, GOOD, ore.x, ore.y, ore.left) for ore in view.ore),
        ],
    )
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
    reason = ENDINGS.index(outcome.reason)
    state.reason = BY_FORFEIT if reason == ALL_FORFEITED else reason
    if outcome.winner is not None:
        state.winner = SEATS.index(outcome.winner)
        return
    state.winner = NOBODY
    for name, place in outcome.ranks.items():
        if place == 1:
            state.drawn |= 1 << SEATS.index(name)


def _small(number: int) -> int:
    if not 0 <= number <= MAX_TURNS + 1:
        raise ValueError(number)
    return number


def _fitting(number: int) -> int:
    if not 0 <= number < 1 << 31:
        raise ValueError(number)
    return number
