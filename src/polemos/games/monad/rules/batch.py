"""Many games side by side: the rules that a batch calls for each of them. No paragraph of the book."""

from __future__ import annotations

from typing import Final

from polemos.games.monad.rules.choices import may_order
from polemos.games.monad.rules.end import rank
from polemos.games.monad.rules.minds import Mind
from polemos.games.monad.rules.play import invent
from polemos.games.monad.rules.policies import RANDOM, script
from polemos.games.monad.rules.sight import copy_match, copy_players, look
from polemos.games.monad.rules.turn import turn
from polemos.games.monad.state import MAX_TILES, Order, Sight, State, Work
from polemos.kernel.batching import Nothing, Place, begin, clear_rewards, manner, pay, start_of, whim
from polemos.kernel.log import Log
from polemos.kernel.record import Many, Record, i32, size
from polemos.kernel.rule import entry, rule

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
def policy_of(place: Place, seat: int, replying: bool) -> int:
    """Who plays a seat in `play`, or in `give`; there it may be somebody who orders by number."""
    return place.scripted[seat] - 1 if replying else place.policy[seat] + 0


@rule
def lists_of(state: State, place: Place, replying: bool, desk: Desk, mind: Mind) -> int:
    """The lists of all seats that a policy plays; says how many orders they have.

    Scripted players get a share each of the room there is: nobody loses orders because another has many.
    """
    invented = invent(state, desk.invented, whim(place))
    count = 0
    for i in range(invented):
        if policy_of(place, desk.invented[i].seat, replying) == RANDOM:
            if count < i:
                copy_order(desk.invented[i], desk.invented[count])
            count += 1
    room = len(desk.invented)
    for seat in range(state.seats):
        policy = policy_of(place, seat, replying)
        if policy > RANDOM and may_order(state, seat):
            limit = min(room, count + room // state.seats)
            count = script(policy, state, seat, manner(place), count, limit, mind, desk.invented)
    return count


@rule
def play_one(
    states: Many[State],
    places: Many[Place],
    at: int,
    starts: Many[State],
    steps: int,
    log: Log,
    desk: Desk,
    lore: Many[Nothing],
    mind: Mind,
) -> None:
    """So many turns, all seats played by their policies."""
    for _ in range(steps):
        count = lists_of(states[at], places[at], False, desk, mind)
        advance(states, places, at, starts, desk.invented, count, log, desk)


@rule
def random_one(
    states: Many[State], places: Many[Place], at: int, starts: Many[State], steps: int, log: Log, desk: Desk
) -> None:
    """So many turns with invented orders. Without the scripted players a GPU has far less code to fetch."""
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
def has_scripts(state: State, place: Place) -> bool:
    """Whether a policy plays any seat in `give`."""
    for seat in range(state.seats):
        if place.scripted[seat] != 0:
            return True
    return False


@rule
def add_order(state: State, order: Order, lists: Lists) -> None:
    """Puts an order behind those that were given, if there is room."""
    if lists.count < LINES_A_TILE * state.width * state.height:
        copy_order(order, lists.order[lists.count])
        lists.count += 1


@rule
def reply_by_chance(states: Many[State], places: Many[Place], at: int, orders: Many[Lists], desk: Desk) -> None:
    """The lists of the seats that a policy plays, if that is always `random`."""
    place = places[at]
    if has_scripts(states[at], place):
        for i in range(invent(states[at], desk.invented, whim(place))):
            if place.scripted[desk.invented[i].seat] != 0:
                add_order(states[at], desk.invented[i], orders[at])


@rule
def reply(states: Many[State], places: Many[Place], at: int, orders: Many[Lists], desk: Desk, mind: Mind) -> None:
    """The lists of the seats that a policy plays, behind those that were given."""
    if has_scripts(states[at], places[at]):
        for i in range(lists_of(states[at], places[at], True, desk, mind)):
            add_order(states[at], desk.invented[i], orders[at])


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
def random_many(
    states: Many[State], places: Many[Place], starts: Many[State], steps: int, log: Log, desk: Desk
) -> None:
    for at in range(len(states)):
        random_one(states, places, at, starts, steps, log, desk)


@entry
def look_many(states: Many[State], sights: Many[Sight]) -> None:
    for at in range(len(states)):
        look_one(states, at, sights)
