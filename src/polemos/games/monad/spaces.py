"""Observations and numbered orders of Monad, for programs that learn.

**Observation.** `board` has a cell for every tile, row by row from the top, with `PLANES` for each. `figures` are the
numbers beside the board. Seats are told from the one that looks: it comes first, then the others in the order of
seats. More than 32,767 units are told as 32,767.

**Orders.** A list has a line for every group of units, so it is built line by line: the numbers of whole lists would be
beyond counting.

| number | order | amount |
| --- | --- | --- |
| 0 | the list is complete | |
| 1 + 10 * tile + direction | move up, right, down, left | units |
| 1 + 10 * tile + 4 | mine | units |
| 1 + 10 * tile + 5 | work in the core there | units |
| 1 + 10 * tile + 6 + direction | build, the block lying in this direction | units |

A tile is y * width + x, so the numbers from 1 on are a board of ten planes. The lists of all seats have room for six
lines a tile, and each seat has the same share of it.
"""

from __future__ import annotations

import ctypes as c
from typing import Final

from polemos.games.monad.rules import batch
from polemos.games.monad.rules.batch import LINES_A_TILE, Desk, Lists, play_one, reply, reply_by_chance, step_one, waits
from polemos.games.monad.rules.board import core_of
from polemos.games.monad.rules.checking import check, fault_of, stack_fault, wipe, works
from polemos.games.monad.rules.choices import choices_of_stack, may_order
from polemos.games.monad.rules.minds import Mind
from polemos.games.monad.rules.policies import POLICIES
from polemos.games.monad.rules.sight import look
from polemos.games.monad.state import (
    BLOCKED,
    BUILD,
    GOOD,
    MAX_TILES,
    MINE,
    MOVE,
    NO_DIRECTION,
    PART,
    WORK,
    Choice,
    Order,
    Sight,
    State,
    Work,
)
from polemos.kernel.batching import BLIND, FILE, Given, Kit, Nothing, Place, clear_rewards
from polemos.kernel.device import Sizes
from polemos.kernel.log import Log
from polemos.kernel.record import Array, Many, Record, i16, i32, size
from polemos.kernel.rule import entry, rule
from polemos.kernel.spaces import Layout, Part

_WHO: Final = ("mine", "the second's", "the third's", "the fourth's")
PLANES: Final = (
    *(f"units: {whose}" for whose in _WHO),
    "ore",
    "blocked",
    "core: 1 mine, 2 the second's, 3 the third's, 4 the fourth's",
    "other tile of a building, likewise",
    "points of the core",
    "my units with an order",
)
FIGURES: Final = (
    "turn",
    "turns",
    "seats",
    "price of a building",
    "points of a new unit",
    "points that a core makes by itself",
    "slots of a core, 0 for no limit",
    "what defenders count for",
    *(f"stock: {whose}" for whose in _WHO),
    *(f"units: {whose}" for whose in _WHO),
    *(f"buildings: {whose}" for whose in _WHO),
    *(f"turn in which they were out: {whose}" for whose in _WHO),
    *(f"turn in which they forfeited: {whose}" for whose in _WHO),
)

DEPTH: Final = len(PLANES)
EACH: Final = 10  # orders of a tile
NUMBERS: Final = 1 + EACH * MAX_TILES

_UNITS: Final = 0
_ORE: Final = 4
_BLOCKED: Final = 5
_CORE: Final = 6
_BUILDING: Final = 7
_POINTS: Final = 8
_ORDERED: Final = 9
_FIRST_OF_SEATS: Final = 8


class Observation(Record):
    figures: Array[i32] = size(len(FIGURES))
    board: Array[i16] = size(MAX_TILES * DEPTH)


class Limits(Record):
    most: Array[i32] = size(NUMBERS)


class Eyes(Record):
    """What a thread needs to see and to judge."""

    sight: Sight
    found: Many[Choice] = size(EACH)


# ---- observations


@rule
def seen_from(state: State, who: int, seat: int) -> int:
    """A seat as the one that looks counts: itself 0, then the next."""
    return seat - who if seat >= who else seat - who + state.seats


@rule
def observe(sight: Sight, draft: Many[Order], count: int, seen: Observation) -> None:
    """1.8 What a seat sees, in numbers, and which of its units have an order already."""
    state = sight.state
    for tile in range(state.width * state.height):
        observe_tile(state, sight.who, tile, tile * DEPTH, seen)
    for i in range(count):
        order = draft[i]
        if order.seat == sight.who:
            at = order.tile * DEPTH + _ORDERED
            seen.board[at] = min(seen.board[at] + order.number, 32767)
    observe_figures(state, sight.who, seen)


@rule
def observe_tile(state: State, who: int, tile: int, at: int, seen: Observation) -> None:
    cell = state.cell[tile]
    for plane in range(DEPTH):
        seen.board[at + plane] = 0
    if cell.units > 0:
        seen.board[at + _UNITS + seen_from(state, who, cell.owner)] = min(cell.units, 32767)
    seen.board[at + _ORE] = cell.ore
    seen.board[at + _BLOCKED] = cell.field == BLOCKED
    if cell.building >= PART:
        seen.board[at + _BUILDING] = 1 + seen_from(state, who, cell.building - PART)
    elif cell.building > 0:
        seen.board[at + _CORE] = 1 + seen_from(state, who, core_of(cell.building))
        seen.board[at + _POINTS] = cell.points


@rule
def observe_figures(state: State, who: int, seen: Observation) -> None:
    seen.figures[0] = state.turn
    seen.figures[1] = state.turns
    seen.figures[2] = state.seats
    seen.figures[3] = state.cost
    seen.figures[4] = state.unit_cost
    seen.figures[5] = state.base
    seen.figures[6] = state.slots
    seen.figures[7] = state.defence
    for i in range(_FIRST_OF_SEATS, _FIRST_OF_SEATS + 5 * 4):
        seen.figures[i] = 0
    for seat in range(state.seats):
        at = _FIRST_OF_SEATS + seen_from(state, who, seat)
        seen.figures[at] = state.stock[seat]
        seen.figures[at + 4] = min(state.units[seat], 0x7FFFFFFF)
        seen.figures[at + 8] = state.buildings[seat]
        seen.figures[at + 12] = state.out[seat]
        seen.figures[at + 16] = state.forfeited[seat]


# ---- numbered orders


@rule
def place_of(word: int, direction: int) -> int:
    """The place of an order among those of its tile."""
    if word == MOVE:
        return direction
    if word == BUILD:
        return 6 + direction
    return 4 if word == MINE else 5


@rule
def room(state: State, count: int) -> int:
    """Lines of a list beside a draft of so many: all seats have the same share of the room, so that nobody's list takes
    that of the others. None if somebody has filled all of it with records.
    """
    whole = LINES_A_TILE * state.width * state.height
    return whole // state.seats if count < whole else 0


@rule
def lines_of(seat: int, draft: Many[Order], count: int) -> int:
    """How many lines of the draft are those of this seat."""
    lines = 0
    for i in range(count):
        lines += draft[i].seat == seat
    return lines


@rule
def limit(
    sight: Sight,
    may: bool,
    draft: Many[Order],
    count: int,
    limits: Limits,
    found: Many[Choice],
    log: Log,
    work: Work,
) -> None:
    """2 With how many units each order is lawful beside the draft.

    `may` is false once the list is filed: then none is.
    """
    state = sight.state
    for number in range(1 + EACH * state.width * state.height):
        limits.most[number] = 0
    if not may or not may_order(state, sight.who):
        return
    limits.most[FILE] = 1
    if lines_of(sight.who, draft, count) >= room(state, count):
        return
    check(state, draft, count, log, work)
    work.asked.seat = sight.who
    work.asked.number = 1
    x = -1
    for tile in range(state.width * state.height):
        x = 0 if x + 1 == state.width else x + 1
        if stack_fault(state, sight.who, tile, work) == GOOD:
            work.asked.tile = tile
            work.asked.x = x
            for i in range(choices_of_stack(state, found, 0, work)):
                choice = found[i]
                limits.most[1 + EACH * tile + place_of(choice.word, choice.direction)] = choice.free
    wipe(state, draft, work)


@rule
def write(state: State, seat: int, number: int, amount: int, order: Order) -> None:
    """The order that a number means."""
    what = (number - 1) % EACH
    order.seat = seat
    order.word = MOVE if what < 4 else BUILD if what >= 6 else MINE if what == 4 else WORK
    order.direction = what if what < 4 else what - 6 if what >= 6 else NO_DIRECTION
    order.tile = (number - 1) // EACH
    order.x = order.tile % state.width
    order.number = amount
    order.taken = 0
    order.fault = 0


@rule
def enter(
    state: State, seat: int, number: int, amount: int, draft: Many[Order], count: int, log: Log, work: Work
) -> bool:
    """Puts the order of this number behind the draft; False if it is not lawful beside it with so many units."""
    lines = lines_of(seat, draft, count)
    if lines >= room(state, count) or number > EACH * state.width * state.height or amount < 1:
        return False
    order = draft[count]
    write(state, seat, number, amount, order)
    if order.word == BUILD and works(state, order):
        return False  # 6.1 that would be work, which has a number of its own
    order.line = 1
    check(state, draft, count, log, work)
    fits = fault_of(state, order, work) == GOOD
    if fits:
        fits = amount <= state.cell[order.tile].units - work.on[order.tile].taken
    wipe(state, draft, work)
    order.line += lines
    return fits


# ---- batches


@rule
def observe_one(
    states: Many[State],
    places: Many[Place],
    at: int,
    orders: Many[Lists],
    seen: Many[Observation],
    limits: Many[Limits],
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    """What each seat sees, and what it may order beside its draft; nothing once its list is filed.

    1.8 Everybody sees the same, so one look serves all.
    """
    look(states[at], 0, eyes.sight)
    for seat in range(states[at].seats):
        observe_as(seat, places, at, orders, seen, limits, log, desk, eyes)


@rule
def observe_as(
    seat: int,
    places: Many[Place],
    at: int,
    orders: Many[Lists],
    seen: Many[Observation],
    limits: Many[Limits],
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    """The same through the eyes of one seat."""
    eyes.sight.who = seat
    lists = orders[at]
    place = eyes.sight.state.seats * at + seat
    observe(eyes.sight, lists.order, lists.count, seen[place])
    may = places[at].filed[seat] == 0
    limit(eyes.sight, may, lists.order, lists.count, limits[place], eyes.found, log, desk.work)


@rule
def take(
    states: Many[State],
    places: Many[Place],
    at: int,
    orders: Many[Lists],
    given: Many[Given],
    each: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> bool:
    """Orders by number, `each` for every seat; says whether all lists are filed then."""
    lists = orders[at]
    seats = states[at].seats
    for seat in range(seats):
        for i in range(0 if places[at].scripted[seat] != 0 else each):
            order = given[(seats * at + seat) * each + i]
            if places[at].filed[seat] != 0 or order.number < 0 or not may_order(states[at], seat):
                continue
            if order.number == FILE:
                places[at].filed[seat] = 1
            elif enter(states[at], seat, order.number, order.amount, lists.order, lists.count, log, desk.work):
                lists.count += 1
            else:
                places[at].refused += 1
    clear_rewards(places[at])
    return not waits(states, places, at)


@rule
def give_one(
    states: Many[State],
    places: Many[Place],
    at: int,
    starts: Many[State],
    orders: Many[Lists],
    given: Many[Given],
    each: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    """Orders by number; when all lists are filed the turn is played. Policies are `random`."""
    if take(states, places, at, orders, given, each, log, desk, eyes):
        reply_by_chance(states, places, at, orders, desk)
        step_one(states, places, at, starts, orders, log, desk)


@rule
def oppose_one(
    states: Many[State],
    places: Many[Place],
    at: int,
    starts: Many[State],
    orders: Many[Lists],
    given: Many[Given],
    each: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
    lore: Many[Nothing],
    mind: Mind,
) -> None:
    """The same beside any policies."""
    if take(states, places, at, orders, given, each, log, desk, eyes):
        reply(states, places, at, orders, desk, mind)
        step_one(states, places, at, starts, orders, log, desk)


@entry
def observe_many(
    states: Many[State],
    places: Many[Place],
    orders: Many[Lists],
    seen: Many[Observation],
    limits: Many[Limits],
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    for at in range(len(states)):
        observe_one(states, places, at, orders, seen, limits, log, desk, eyes)


@entry
def give_many(
    states: Many[State],
    places: Many[Place],
    starts: Many[State],
    orders: Many[Lists],
    given: Many[Given],
    each: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    for at in range(len(states)):
        give_one(states, places, at, starts, orders, given, each, log, desk, eyes)


@entry
def act_many(
    states: Many[State],
    places: Many[Place],
    starts: Many[State],
    orders: Many[Lists],
    given: Many[Given],
    each: int,
    seen: Many[Observation],
    limits: Many[Limits],
    seat: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    """Orders by number, and what this seat sees then; all seats if it is -1."""
    for at in range(len(states)):
        give_one(states, places, at, starts, orders, given, each, log, desk, eyes)
        look(states[at], 0, eyes.sight)
        for one in range(states[at].seats):
            if seat < 0 or seat == one:
                observe_as(one, places, at, orders, seen, limits, log, desk, eyes)


@entry
def scripted_many(
    states: Many[State],
    places: Many[Place],
    starts: Many[State],
    orders: Many[Lists],
    given: Many[Given],
    each: int,
    steps: int,
    seen: Many[Observation],
    limits: Many[Limits],
    seat: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
    lore: Many[Nothing],
    mind: Mind,
) -> None:
    """So many steps by policies; or orders by number beside policies, and what this seat sees then."""
    for at in range(len(states)):
        if steps > 0:
            play_one(states, places, at, starts, steps, log, desk, lore, mind)
        else:
            oppose_one(states, places, at, starts, orders, given, each, log, desk, eyes, lore, mind)
            if seat != BLIND:
                look(states[at], 0, eyes.sight)
                for one in range(states[at].seats):
                    if seat < 0 or seat == one:
                        observe_as(one, places, at, orders, seen, limits, log, desk, eyes)


def _seats(start: State) -> int:
    return start.seats


def _tiles(start: State) -> int:
    return start.width * start.height


def _orders_extent(start: State) -> int:
    first: int = Lists.dtype.fields["order"][1]  # type: ignore[index]
    return first + (LINES_A_TILE * _tiles(start) + 1) * Order.dtype.itemsize


def layout(start: State) -> Layout:
    """The layout of matches on maps of this size."""
    return Layout(
        parts=(
            Part("board", (start.height, start.width, DEPTH), PLANES, "board"),
            Part("figures", (len(FIGURES),), FIGURES, "figures"),
        ),
        numbers=1 + EACH * _tiles(start),
        amounts=True,
    )


# What a mind notes of each tile, and how many numbers that are: read from the record, so that none is forgotten.
_BY_TILE: Final = {
    name: kind._length_ // MAX_TILES
    for name, kind in Mind._fields_
    if issubclass(kind, c.Array) and kind._length_ % MAX_TILES == 0
}


def _sizes(start: State) -> Sizes:
    tiles = _tiles(start)
    return {
        (State, "cell"): tiles,
        (Desk, "invented"): 2 * tiles + 2,
        (Work, "column"): 4 * tiles,
        (Work, "mined_tile"): tiles,
        (Work, "worked_tile"): tiles,
        (Work, "founding"): tiles,
        (Work, "touched_tile"): tiles,
        (Work, "on"): tiles,
        **{(Mind, name): times * tiles for name, times in _BY_TILE.items()},
    }


KIT: Final = Kit(
    state=State,
    orders=Lists,
    sight=Sight,
    observation=Observation,
    limits=Limits,
    desk=Desk,
    eyes=Eyes,
    mind=Mind,
    lore=Nothing,
    learn=None,
    packs=True,
    policies=POLICIES,
    seats=_seats,
    orders_extent=_orders_extent,
    layout=layout,
    sizes=_sizes,
    registers=0,
    called=(),
    called_by_scripts=(),
    checks=({"turns": 60}, {"seats": 4, "turns": 40, "units": 9}),
    start_one=batch.start_one,
    step_one=batch.step_one,
    play_one=batch.play_one,
    random_one=batch.random_one,
    give_one=give_one,
    oppose_one=oppose_one,
    look_one=batch.look_one,
    observe_one=observe_one,
    start_many=batch.start_many,
    step_many=batch.step_many,
    random_many=batch.random_many,
    give_many=give_many,
    look_many=batch.look_many,
    observe_many=observe_many,
    act_many=act_many,
    scripted_many=scripted_many,
)
