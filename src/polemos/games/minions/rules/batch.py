"""Many games side by side: the rules that a batch calls for each of them. No paragraph of the book.

A sheet lists orders by their number, see `numbers.py`.
"""

from __future__ import annotations

from typing import Final

from polemos.games.minions.rules.numbers import give_number
from polemos.games.minions.rules.play import random_turn
from polemos.games.minions.rules.sight import look, see_match, see_rules, see_table
from polemos.games.minions.rules.turn import finish_turn, has_given_up
from polemos.games.minions.search.scripts import SCRIPTS, Lore, Mind, hasty_turn
from polemos.games.minions.state import NOBODY, Order, Sight, State, Work
from polemos.kernel.batching import Place, begin, clear_rewards, pay, start_of, whim
from polemos.kernel.log import Log
from polemos.kernel.record import Array, Many, Record, i16, i32, size
from polemos.kernel.rule import entry, rule

POLICIES: Final = ("random", *SCRIPTS)
RANDOM: Final = 0
MAX_ORDERS: Final = 512  # of a sheet


class Sheet(Record):
    """The turn of the side to move: orders by number, one after the other."""

    count: i16
    number: Array[i32] = size(MAX_ORDERS)


class Desk(Record):
    """What a thread needs beside states and orders."""

    order: Order
    work: Work


@rule
def margin(state: State, side: int) -> int:
    """12 What the end is worth to a side: 1 for a victory, -1 for a defeat."""
    if state.winner == NOBODY:
        return 0
    return 1 if state.winner == side else -1


@rule
def copy_state(of: State, to: State) -> None:
    """Part by part: a state in a dense batch ends with its last board."""
    see_rules(of, to)
    see_table(of, to)
    see_match(of, to)
    for at in range(of.boards):
        to.board[at] = of.board[at]


@rule
def start_one(states: Many[State], places: Many[Place], at: int, starts: Many[State], orders: Many[Sheet]) -> None:
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
    for side in range(2):
        pay(place, side, margin(states[at], side))
    if place.restart != 0:
        begin(place)
        copy_state(starts[start_of(place, len(starts))], states[at])


@rule
def end_turn(states: Many[State], places: Many[Place], at: int, starts: Many[State], log: Log) -> None:
    """4.8 The turn is over."""
    if not has_given_up(states[at], log):
        finish_turn(states[at], log)
    settle(states, places, at, starts)


@rule
def reply_by_chance(
    states: Many[State], places: Many[Place], at: int, starts: Many[State], log: Log, desk: Desk
) -> None:
    """The same as `reply` if the policy is always `random`."""
    for _ in range(2):
        state = states[at]
        if state.reason == 0 and places[at].scripted[state.side] != 0:
            random_turn(state, desk.order, whim(places[at]), log, desk.work)
            end_turn(states, places, at, starts, log)


@rule
def reply(
    states: Many[State],
    places: Many[Place],
    at: int,
    starts: Many[State],
    log: Log,
    desk: Desk,
    lore: Many[Lore],
    mind: Mind,
) -> None:
    """Plays the turn of a side that a policy plays, and if that ends the game, perhaps the first turn of the next."""
    for _ in range(2):
        side = states[at].side + 0
        if states[at].reason == 0 and places[at].scripted[side] != 0:
            turn_by(places[at].scripted[side] - 1, states, places, at, starts, log, desk, lore, mind)


@rule
def turn_by(
    policy: int,
    states: Many[State],
    places: Many[Place],
    at: int,
    starts: Many[State],
    log: Log,
    desk: Desk,
    lore: Many[Lore],
    mind: Mind,
) -> None:
    """A whole turn as a policy plays it."""
    place = places[at]
    if policy == RANDOM:
        random_turn(states[at], desk.order, whim(place), log, desk.work)
    else:
        known = lore[start_of(place, len(starts))]
        hasty_turn(states[at], policy - 1, whim(place), mind.plan, known, mind.paper, log)
    end_turn(states, places, at, starts, log)


@rule
def step_one(
    states: Many[State], places: Many[Place], at: int, starts: Many[State], orders: Many[Sheet], log: Log, desk: Desk
) -> None:
    """The orders of the sheet, then the end of the turn; the sheet is empty then."""
    clear_rewards(places[at])
    sheet = orders[at]
    if states[at].reason == 0:
        for i in range(sheet.count):
            if not give_number(states[at], sheet.number[i], desk.order, log, desk.work):
                places[at].refused += 1
        end_turn(states, places, at, starts, log)
    sheet.count = 0


@rule
def play_one(
    states: Many[State],
    places: Many[Place],
    at: int,
    starts: Many[State],
    steps: int,
    log: Log,
    desk: Desk,
    lore: Many[Lore],
    mind: Mind,
) -> None:
    """So many turns, all played by the policies of the sides."""
    for _ in range(steps):
        clear_rewards(places[at])
        if states[at].reason == 0:
            turn_by(places[at].policy[states[at].side], states, places, at, starts, log, desk, lore, mind)


@rule
def random_one(
    states: Many[State], places: Many[Place], at: int, starts: Many[State], steps: int, log: Log, desk: Desk
) -> None:
    """So many turns with random orders."""
    for _ in range(steps):
        clear_rewards(places[at])
        if states[at].reason == 0:
            random_turn(states[at], desk.order, whim(places[at]), log, desk.work)
            end_turn(states, places, at, starts, log)


@rule
def look_one(states: Many[State], at: int, sights: Many[Sight]) -> None:
    """What each side sees."""
    for side in range(2):
        look(states[at], side, sights[2 * at + side])


@entry
def start_many(states: Many[State], places: Many[Place], starts: Many[State], orders: Many[Sheet]) -> None:
    for at in range(len(states)):
        start_one(states, places, at, starts, orders)


@entry
def step_many(
    states: Many[State], places: Many[Place], starts: Many[State], orders: Many[Sheet], log: Log, desk: Desk
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
