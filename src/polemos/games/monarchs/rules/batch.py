"""Many games side by side: the rules that a batch calls for each of them. No paragraph of the book."""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.board import HEXES
from polemos.games.monarchs.rules.play import invent
from polemos.games.monarchs.rules.scripts import SCRIPTS, Mind, order_of
from polemos.games.monarchs.rules.sight import look
from polemos.games.monarchs.rules.turn import turn
from polemos.games.monarchs.state import NATIONS, Sheet, Sheets, Sight, State, Work
from polemos.kernel.batching import Nothing, Place, begin, clear_rewards, pay, start_of, whim
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log
from polemos.kernel.record import Many, Record, u64
from polemos.kernel.rule import entry, rule

POLICIES: Final = ("random", *SCRIPTS)
RANDOM: Final = 0


class Desk(Record):
    """What a thread needs beside states and orders."""

    chance: Chance
    sheets: Sheets
    work: Work


class Eyes(Record):
    """What it needs besides to see and to judge."""

    sight: Sight
    board: State  # the board as somebody sees it, to judge orders by


@rule
def forget(sheets: Sheets) -> None:
    """Empty sheets."""
    for nation in range(NATIONS):
        sheets.of[nation].count = 0


@rule
def margin(state: State, nation: int) -> int:
    """10.5 What the end is worth to a nation: the nations behind it, less those before it."""
    for place in range(NATIONS):
        if state.places[place] == nation:
            return NATIONS - 1 - 2 * place
    return 0


@rule
def may_order(state: State, nation: int) -> bool:
    """10.4, 10.6 While the game runs, those who have not dropped out."""
    return state.reason == 0 and state.dropped[nation] == 0


@rule
def copy_state(of: State, to: State) -> None:
    """Field by field: on a GPU a record would be copied byte by byte."""
    to.turn = of.turn
    to.turns = of.turns
    to.rules = of.rules
    to.mode = of.mode
    to.scoring = of.scoring
    to.reason = of.reason
    for nation in range(NATIONS):
        to.places[nation] = of.places[nation]
        to.dropped[nation] = of.dropped[nation]
        to.score[nation] = of.score[nation]
        to.total[nation] = of.total[nation]
    for hex in range(HEXES):
        to.owner[hex] = of.owner[hex]
        to.battles[hex] = of.battles[hex]
        to.regiments[hex] = of.regiments[hex]


@rule
def start_one(states: Many[State], places: Many[Place], at: int, starts: Many[State], orders: Many[Sheets]) -> None:
    """A game begins."""
    begin(places[at])
    copy_state(starts[start_of(places[at], len(starts))], states[at])
    forget(orders[at])


@rule
def settle(states: Many[State], places: Many[Place], at: int, starts: Many[State]) -> None:
    """After a step: rewards, if it was the last, and the next game."""
    place = places[at]
    place.steps += 1
    if states[at].reason == 0:
        return
    place.over = 1
    place.games += 1
    for nation in range(NATIONS):
        pay(place, nation, margin(states[at], nation))
    if place.restart != 0:
        begin(place)
        copy_state(starts[start_of(place, len(starts))], states[at])


@rule
def advance(
    states: Many[State], places: Many[Place], at: int, starts: Many[State], sheets: Sheets, log: Log, desk: Desk
) -> None:
    """One step with these orders, unless the game has ended."""
    clear_rewards(places[at])
    if states[at].reason == 0:
        desk.chance.key = places[at].key
        turn(states[at], sheets, desk.chance, log, desk.work)
        settle(states, places, at, starts)


@rule
def step_one(
    states: Many[State], places: Many[Place], at: int, starts: Many[State], orders: Many[Sheets], log: Log, desk: Desk
) -> None:
    """One step with the sheets that were filed; they are empty then."""
    advance(states, places, at, starts, orders[at], log, desk)
    forget(orders[at])
    for nation in range(NATIONS):
        places[at].filed[nation] = 0


@rule
def order_by(policy: int, state: State, nation: int, key: u64, sheet: Sheet, mind: Mind) -> None:
    """Replaces an invented sheet by that of the nation's policy."""
    if policy != RANDOM:
        order_of(policy - 1, state, nation, key, sheet, mind)


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
    """So many steps, all seats played by their policies."""
    for _ in range(steps):
        place = places[at]
        invent(states[at], desk.sheets, whim(place), desk.work)
        for nation in range(NATIONS):
            order_by(place.policy[nation], states[at], nation, whim(place), desk.sheets.of[nation], mind)
        advance(states, places, at, starts, desk.sheets, log, desk)


@rule
def random_one(
    states: Many[State], places: Many[Place], at: int, starts: Many[State], steps: int, log: Log, desk: Desk
) -> None:
    """So many steps with invented orders. Without the scripted players a GPU has less code to fetch."""
    for _ in range(steps):
        invent(states[at], desk.sheets, whim(places[at]), desk.work)
        advance(states, places, at, starts, desk.sheets, log, desk)


@rule
def look_one(states: Many[State], at: int, sights: Many[Sight]) -> None:
    """What each nation sees."""
    for nation in range(NATIONS):
        look(states[at], nation, sights[NATIONS * at + nation])


@rule
def waits(states: Many[State], places: Many[Place], at: int) -> bool:
    """Whether a sheet is still to come that is given by number."""
    place = places[at]
    for nation in range(NATIONS):
        if may_order(states[at], nation) and place.filed[nation] == 0 and place.scripted[nation] == 0:
            return True
    return False


@rule
def has_scripts(place: Place) -> bool:
    """Whether a policy plays any nation in `give`."""
    for nation in range(NATIONS):
        if place.scripted[nation] != 0:
            return True
    return False


@rule
def reply_by_chance(states: Many[State], places: Many[Place], at: int, orders: Many[Sheets], desk: Desk) -> None:
    """The sheets of the nations that a policy plays, if that is always `random`."""
    place = places[at]
    if not has_scripts(place):
        return
    invent(states[at], desk.sheets, whim(place), desk.work)
    for nation in range(NATIONS):
        if place.scripted[nation] != 0:
            copy_sheet(desk.sheets.of[nation], orders[at].of[nation])


@rule
def reply(states: Many[State], places: Many[Place], at: int, orders: Many[Sheets], desk: Desk, mind: Mind) -> None:
    """The sheets of the nations that a policy plays."""
    place = places[at]
    if not has_scripts(place):
        return
    invent(states[at], desk.sheets, whim(place), desk.work)
    for nation in range(NATIONS):
        if place.scripted[nation] != 0:
            sheet = desk.sheets.of[nation]
            order_by(place.scripted[nation] - 1, states[at], nation, whim(place), sheet, mind)
            copy_sheet(sheet, orders[at].of[nation])


@rule
def copy_sheet(of: Sheet, to: Sheet) -> None:
    to.count = of.count
    for i in range(of.count):
        line = to.lines[i]
        line.kind = of.lines[i].kind
        line.fault = of.lines[i].fault
        line.origin = of.lines[i].origin
        line.target = of.lines[i].target
        line.number = of.lines[i].number


@entry
def start_many(states: Many[State], places: Many[Place], starts: Many[State], orders: Many[Sheets]) -> None:
    for at in range(len(states)):
        start_one(states, places, at, starts, orders)


@entry
def step_many(
    states: Many[State], places: Many[Place], starts: Many[State], orders: Many[Sheets], log: Log, desk: Desk
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
