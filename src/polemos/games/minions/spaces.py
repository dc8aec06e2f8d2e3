"""Observations and numbered orders of Minions, for programs that learn.

**Observation.** `boards` has a cell for each of the 100 hexes of every board (rank by rank, a0 first) with `PLANES`
for each; the figures of a unit stand where it stands, so that no table has to be learnt. `zones` counts the units that
wait, by board, side and type; `line` has the techline, card by card; `figures` are the numbers beside the boards. Sides
are told from the one that looks: it comes first.

**Orders.** A turn is a sequence of orders, each of which changes the position. So they are given one by one, and each
is carried out at once; `rules/numbers.py` has the numbers. Moves of three or more units at once have none: the rules
that list lawful orders leave them out as well.
"""

from __future__ import annotations

from typing import Final

from polemos.games.minions.lore import learn
from polemos.games.minions.rules import batch
from polemos.games.minions.rules.batch import Desk, Sheet, end_turn, play_one, reply, reply_by_chance
from polemos.games.minions.rules.choices import board_choices
from polemos.games.minions.rules.numbers import (
    BOARD,
    FIRST_BOARD,
    FIRST_CARD,
    MARCHING,
    NUMBERS,
    RESIGNING,
    give_number,
    number_of,
)
from polemos.games.minions.rules.pieces import is_of, type_of
from polemos.games.minions.rules.sight import look
from polemos.games.minions.rules.techline import spell_fault
from polemos.games.minions.rules.turn import board_fault
from polemos.games.minions.search.scripts import Lore, Mind
from polemos.games.minions.state import (
    FRESH,
    GRAVEYARD,
    HEXES,
    MARCH,
    MAX_BOARDS,
    MAX_CARDS,
    MAX_TYPES,
    MOVED,
    RESIGN,
    SIDE,
    WATER,
    Choice,
    Sight,
    State,
    Work,
)
from polemos.kernel.batching import BLIND, FILE, Given, Kit, Place, clear_rewards
from polemos.kernel.device import Sizes
from polemos.kernel.log import Log
from polemos.kernel.record import Array, Many, Record, i8, i16, i32, size
from polemos.kernel.rule import entry, rule
from polemos.kernel.spaces import Layout, Part

PLANES: Final = (
    "graveyard",
    "water",
    "unit: 1 mine, -1 theirs",
    "1 + type of the unit",
    "attack: 0 normal, 1 flurry, 2 unsummon, 3 deathtouch",
    "number of its attack",
    "defence left",
    "speed",
    "range",
    "cost",
    "keywords as bits: Flying, Lumbering, Spawn, Persistent, Necromancer, Soul",
    "attacks made this turn",
    "moved this turn",
    "spawned this turn",
)
CARD: Final = ("1 + type", "my spells", "their spells", "teched this turn")
_BOARD: Final = ("state", "a necromancer is due", "attack phase over", "resigned", "my income", "their income")
FIGURES: Final = (
    "turn",
    "turns",
    "1 if it is my turn",
    "my money",
    "their money",
    "my points",
    "their points",
    "points to win",
    "price of a spell after the first, for each board",
    "spells placed this turn",
    *(f"board {board + 1}: {what}" for board in range(MAX_BOARDS) for what in _BOARD),
)

DEPTH: Final = len(PLANES)
MAX_FOUND: Final = 8192  # orders of a board

_FIRST_FIGURE: Final = 10
_EACH_FIGURE: Final = len(_BOARD)
_EACH_CARD: Final = len(CARD)


class Observation(Record):
    figures: Array[i32] = size(len(FIGURES))
    line: Array[i8] = size(MAX_CARDS * _EACH_CARD)
    zones: Array[i16] = size(MAX_BOARDS * 2 * MAX_TYPES)
    boards: Array[i8] = size(MAX_BOARDS * HEXES * DEPTH)


class Limits(Record):
    most: Array[i8] = size(NUMBERS)


class Eyes(Record):
    """What a thread needs to see and to judge."""

    sight: Sight
    found: Many[Choice] = size(MAX_FOUND)


# ---- observations


@rule
def observe(sight: Sight, seen: Observation) -> None:
    """2.7 What a side sees, in numbers."""
    state = sight.state
    for at in range(state.boards):
        for hex in range(HEXES):
            observe_hex(state, sight.who, at, hex, (at * HEXES + hex) * DEPTH, seen)
        for type in range(MAX_TYPES):
            for side in range(2):
                waiting = state.board[at].zone[side * MAX_TYPES + type]
                mine = 0 if side == sight.who else 1
                seen.zones[(2 * at + mine) * MAX_TYPES + type] = min(waiting, 32767)
    observe_line(state, sight.who, seen)
    observe_figures(sight, seen)


@rule
def observe_hex(state: State, who: int, board: int, hex: int, at: int, seen: Observation) -> None:
    here = state.board[board].hex[hex]
    for plane in range(DEPTH):
        seen.boards[at + plane] = 0
    seen.boards[at] = here.ground == GRAVEYARD
    seen.boards[at + 1] = here.ground == WATER
    if here.piece == 0:
        return
    type = state.type[type_of(here.piece)]
    seen.boards[at + 2] = 1 if is_of(here.piece, who) else -1
    seen.boards[at + 3] = 1 + type_of(here.piece)
    seen.boards[at + 4] = type.attack
    seen.boards[at + 5] = type.number
    seen.boards[at + 6] = type.defence - here.damage
    seen.boards[at + 7] = type.speed
    seen.boards[at + 8] = type.range
    seen.boards[at + 9] = type.cost
    seen.boards[at + 10] = type.keywords
    seen.boards[at + 11] = here.used
    seen.boards[at + 12] = here.marks & MOVED != 0
    seen.boards[at + 13] = here.marks & FRESH != 0


@rule
def observe_line(state: State, who: int, seen: Observation) -> None:
    for card in range(MAX_CARDS):
        at = card * _EACH_CARD
        there = card < state.cards
        seen.line[at] = 1 + state.card[card] if there else 0
        seen.line[at + 1] = state.spells[who * MAX_CARDS + card] if there else 0
        seen.line[at + 2] = state.spells[(1 - who) * MAX_CARDS + card] if there else 0
        seen.line[at + 3] = state.teched[card] if there else 0


@rule
def observe_figures(sight: Sight, seen: Observation) -> None:
    state = sight.state
    who = sight.who
    seen.figures[0] = state.turn
    seen.figures[1] = state.turns
    seen.figures[2] = state.side == who
    seen.figures[3] = state.money[who]
    seen.figures[4] = state.money[1 - who]
    seen.figures[5] = state.points[who]
    seen.figures[6] = state.points[1 - who]
    seen.figures[7] = state.to_win
    seen.figures[8] = state.spell_price
    seen.figures[9] = state.placed
    for at in range(MAX_BOARDS):
        first = _FIRST_FIGURE + at * _EACH_FIGURE
        for i in range(_EACH_FIGURE):
            seen.figures[first + i] = 0
        if at < state.boards:
            board = state.board[at]
            seen.figures[first] = board.state
            seen.figures[first + 1] = board.due
            seen.figures[first + 2] = board.closed
            seen.figures[first + 3] = board.resigned
            seen.figures[first + 4] = sight.income[2 * at + who]
            seen.figures[first + 5] = sight.income[2 * at + 1 - who]


# ---- numbered orders


@rule
def limit(sight: Sight, limits: Limits, found: Many[Choice], work: Work) -> None:
    """4 Which single orders are lawful now."""
    state = sight.state
    for number in range(FIRST_BOARD + state.boards * BOARD):
        limits.most[number] = 0
    if sight.who != state.side or state.reason != 0 or state.gave_up[sight.who]:
        return
    limits.most[FILE] = 1
    limits.most[MARCHING] = spell_fault(state, MARCH) == 0
    for card in range(state.cards):
        limits.most[FIRST_CARD + card] = spell_fault(state, card) == 0
    for at in range(state.boards):
        for i in range(board_choices(state, at, found, work)):
            limits.most[number_of(state, at, found[i])] = 1
        limits.most[FIRST_BOARD + at * BOARD + RESIGNING] = board_fault(state.board[at], RESIGN) == 0


# ---- batches


@rule
def observe_one(
    states: Many[State],
    places: Many[Place],
    at: int,
    orders: Many[Sheet],
    seen: Many[Observation],
    limits: Many[Limits],
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    """What each side sees, and what it may order.

    2.7 Both see the same, so one look serves both.
    """
    look(states[at], 0, eyes.sight)
    for side in range(2):
        observe_as(side, at, seen, limits, desk, eyes)


@rule
def observe_as(side: int, at: int, seen: Many[Observation], limits: Many[Limits], desk: Desk, eyes: Eyes) -> None:
    """The same through the eyes of one side."""
    eyes.sight.who = side
    observe(eyes.sight, seen[2 * at + side])
    limit(eyes.sight, limits[2 * at + side], eyes.found, desk.work)


@rule
def take(
    states: Many[State],
    places: Many[Place],
    at: int,
    starts: Many[State],
    given: Many[Given],
    each: int,
    log: Log,
    desk: Desk,
) -> bool:
    """Orders by number, `each` for the side to move, each carried out at once; number 0 ends the turn.

    Says whether the next turn may be that of a policy.
    """
    clear_rewards(places[at])
    if states[at].reason != 0:
        return False
    if places[at].scripted[states[at].side] != 0:
        return True
    first = (2 * at + states[at].side) * each
    for i in range(each):
        number = given[first + i].number
        if number == FILE:
            end_turn(states, places, at, starts, log)
            return True
        if number > 0 and not give_number(states[at], number, desk.order, log, desk.work):
            places[at].refused += 1
    return False


@rule
def give_one(
    states: Many[State],
    places: Many[Place],
    at: int,
    starts: Many[State],
    orders: Many[Sheet],
    given: Many[Given],
    each: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
) -> None:
    """Orders by number, then the turn of a policy, which is `random`."""
    if take(states, places, at, starts, given, each, log, desk):
        reply_by_chance(states, places, at, starts, log, desk)


@rule
def oppose_one(
    states: Many[State],
    places: Many[Place],
    at: int,
    starts: Many[State],
    orders: Many[Sheet],
    given: Many[Given],
    each: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
    lore: Many[Lore],
    mind: Mind,
) -> None:
    """The same beside any policies."""
    if take(states, places, at, starts, given, each, log, desk):
        reply(states, places, at, starts, log, desk, lore, mind)


@entry
def observe_many(
    states: Many[State],
    places: Many[Place],
    orders: Many[Sheet],
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
    orders: Many[Sheet],
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
    orders: Many[Sheet],
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
        for side in range(2):
            if seat < 0 or seat == side:
                observe_as(side, at, seen, limits, desk, eyes)


@entry
def scripted_many(
    states: Many[State],
    places: Many[Place],
    starts: Many[State],
    orders: Many[Sheet],
    given: Many[Given],
    each: int,
    steps: int,
    seen: Many[Observation],
    limits: Many[Limits],
    seat: int,
    log: Log,
    desk: Desk,
    eyes: Eyes,
    lore: Many[Lore],
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
                for side in range(2):
                    if seat < 0 or seat == side:
                        observe_as(side, at, seen, limits, desk, eyes)


def _seats(start: State) -> int:
    return 2


def _orders_extent(start: State) -> int:
    return Sheet.dtype.itemsize


def layout(start: State) -> Layout:
    """The layout of matches with so many boards."""
    return Layout(
        parts=(
            Part("boards", (start.boards, SIDE, SIDE, DEPTH), PLANES, "boards"),
            Part("zones", (start.boards, 2, MAX_TYPES), (), "zones"),
            Part("line", (MAX_CARDS, _EACH_CARD), CARD, "line"),
            Part("figures", (len(FIGURES),), FIGURES, "figures"),
        ),
        numbers=FIRST_BOARD + start.boards * BOARD,
        amounts=False,
    )


def _sizes(start: State) -> Sizes:
    return {}


KIT: Final = Kit(
    state=State,
    orders=Sheet,
    sight=Sight,
    observation=Observation,
    limits=Limits,
    desk=Desk,
    eyes=Eyes,
    mind=Mind,
    lore=Lore,
    learn=learn,
    packs=True,
    policies=batch.POLICIES,
    seats=_seats,
    orders_extent=_orders_extent,
    layout=layout,
    sizes=_sizes,
    registers=64,
    called=(),
    called_by_scripts=None,
    checks=({"boards": 3, "turns": 15}, {"boards": 8, "turns": 10}, {"boards": 2, "turns": 15, "rules": "umi-2025"}),
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
