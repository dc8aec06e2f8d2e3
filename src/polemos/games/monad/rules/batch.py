"""Many games side by side: the rules that a batch calls for each of them. No paragraph of the book."""

from __future__ import annotations

from typing import Final

from polemos.games.monad.rules.choices import may_order
from polemos.games.monad.rules.end import rank
from polemos.games.monad.rules.play import invent
from polemos.games.monad.rules.sight import copy_match, copy_players, look
from polemos.games.monad.rules.turn import turn
from polemos.games.monad.state import MAX_TILES, Order, Sight, State, Work
from polemos.kernel.batching import Place, begin, clear_rewards, pay, start_of, whim
from polemos.kernel.log import Log
from polemos.kernel.record import Many, Record, i32, size
from polemos.kernel.rule import entry, rule

POLICIES = ("random",)
LINES_A_TILE: Final = 6  # 2.9: four moves, build, mine are all that can matter


class Lists(Record):
    """The orders of all seats; those of one seat stand in the order of its list."""

    count: i32
    order: Many[Order] = size(LINES_A_TILE * MAX_TILES)


class Desk(Record):
    """What a thread needs beside states and orders."""

    work: Work
    invented: Many[Order] = size(2 * MAX_TILES + 2)


@rule
def margin(state: State, seat: int) -> int:
    """9.8 What the end is worth to a seat: the seats behind it, less those before it."""
    worth = 0
    for other in range(state.seats):
        worth += (rank(state, other) > rank(state, seat)) - (rank(state, other) < rank(state, seat))
    return worth


@rule
def copy_state(of: State, to: State) -> None:
    """Part by part: a state in a dense batch ends with its last tile."""
    copy_match(of, to)
    copy_players(of, to)
    for tile in range(of.width * of.height):
        to.cell[tile] = of.cell[tile]


@rule
def start_one(states: Many[State], places: Many[Place], at: int, starts: Many[State], orders: Many[Lists]) -> None:
    """A game begins."""
    begin(places[at])
    copy_state(starts[start_of(places[at], len(starts))], states[at])
    orders[at].count = 0


@rule
def settle(states: Many[State], places: Many[Place], at: int, starts: Many[State]) -> None:
    """After a turn: rewards, if it was the last, and the next game."""
    place = places[at]
    place.steps += 1
    if states[at].reason == 0:
        return
    place.over = 1
    place.games += 1
    for seat in range(states[at].seats):
        pay(place, seat, margin(states[at], seat))
    if place.restart != 0:
        begin(place)
        copy_state(starts[start_of(place, len(starts))], states[at])


@rule
def advance(
    states: Many[State],
    places: Many[Place],
    at: int,
    starts: Many[State],
    orders: Many[Order],
    count: int,
    log: Log,
    desk: Desk,
) -> None:
    """One turn with these orders, unless the game has ended."""
    clear_rewards(places[at])
    if states[at].reason == 0:
        turn(states[at], orders, count, log, desk.work)
        settle(states, places, at, starts)


@rule
def step_one(
    states: Many[State], places: Many[Place], at: int, starts: Many[State], orders: Many[Lists], log: Log, desk: Desk
) -> None:
    """One turn with the lists that were filed; they are empty then."""
    advance(states, places, at, starts, orders[at].order, orders[at].count, log, desk)
    orders[at].count = 0
    for seat in range(states[at].seats):
        places[at].filed[seat] = 0


@rule
def play_one(
    states: Many[State], places: Many[Place], at: int, starts: Many[State], steps: int, log: Log, desk: Desk
) -> None:
    """So many turns, all seats played by their policies."""
    for _ in range(steps):
        count = invent(states[at], desk.invented, whim(places[at]))
        advance(states, places, at, starts, desk.invented, count, log, desk)


@rule
def look_one(states: Many[State], at: int, sights: Many[Sight]) -> None:
    """What each seat sees."""
    seats = states[at].seats
    for seat in range(seats):
        look(states[at], seat, sights[seats * at + seat])


@rule
def waits(states: Many[State], places: Many[Place], at: int) -> bool:
    """Whether a list is still to come that is given by number."""
    place = places[at]
    for seat in range(states[at].seats):
        if may_order(states[at], seat) and place.filed[seat] == 0 and place.scripted[seat] == 0:
            return True
    return False


@rule
def reply(states: Many[State], places: Many[Place], at: int, orders: Many[Lists], desk: Desk) -> None:
    """The lists of the seats that a policy plays, behind those that were given."""
    place = places[at]
    scripted = 0
    for seat in range(states[at].seats):
        scripted += place.scripted[seat]
    if scripted == 0:
        return
    lists = orders[at]
    room = LINES_A_TILE * states[at].width * states[at].height
    invented = invent(states[at], desk.invented, whim(place))
    for i in range(invented):
        if place.scripted[desk.invented[i].seat] != 0 and lists.count < room:
            copy_order(desk.invented[i], lists.order[lists.count])
            lists.count += 1


@rule
def copy_order(of: Order, to: Order) -> None:
    to.seat = of.seat
    to.word = of.word
    to.direction = of.direction
    to.tile = of.tile
    to.x = of.x
    to.number = of.number
    to.taken = of.taken
    to.fault = of.fault
    to.line = of.line


@entry
def start_many(states: Many[State], places: Many[Place], starts: Many[State], orders: Many[Lists]) -> None:
    for at in range(len(states)):
        start_one(states, places, at, starts, orders)


@entry
def step_many(
    states: Many[State], places: Many[Place], starts: Many[State], orders: Many[Lists], log: Log, desk: Desk
) -> None:
    for at in range(len(states)):
        step_one(states, places, at, starts, orders, log, desk)


@entry
def play_many(states: Many[State], places: Many[Place], starts: Many[State], steps: int, log: Log, desk: Desk) -> None:
    for at in range(len(states)):
        play_one(states, places, at, starts, steps, log, desk)


@entry
def look_many(states: Many[State], sights: Many[Sight]) -> None:
    for at in range(len(states)):
        look_one(states, at, sights)
