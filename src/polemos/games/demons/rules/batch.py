"""Many games side by side: the rules that a batch calls for each of them. No paragraph of the book."""

from __future__ import annotations

from typing import Final

from polemos.games.demons.rules.choices import may_order
from polemos.games.demons.rules.play import clear, invent
from polemos.games.demons.rules.scouting import Survey, survey
from polemos.games.demons.rules.scripts import SCRIPTS, Purse, order_of, recall
from polemos.games.demons.rules.sight import clock, ground, look, pieces, players
from polemos.games.demons.rules.turn import turn
from polemos.games.demons.state import NOBODY, PARTS, Order, Orders, Sight, State, Work
from polemos.kernel.batching import Nothing, Place, begin, clear_rewards, manner, pay, start_of, whim
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log
from polemos.kernel.record import Many, Record, u64
from polemos.kernel.rule import entry, rule

POLICIES: Final = ("random", *SCRIPTS)
RANDOM: Final = 0


class Desk(Record):
    """What a thread needs beside states and orders."""

    chance: Chance
    orders: Orders
    work: Work


class Mind(Record):
    """What scripts know of a map, and what they reckon with."""

    survey: Survey
    purse: Purse


class Eyes(Record):
    """What it needs besides to see and to judge."""

    sight: Sight


@rule
def blank(order: Order) -> None:
    """An empty sheet, the same in every byte."""
    clear(order)
    for part in range(len(PARTS)):
        order.lines[part] = 0
        order.line[part] = 0
        order.fault[part] = 0
        order.price[part] = 0


@rule
def forget(orders: Orders) -> None:
    """Empty sheets."""
    for player in range(2):
        blank(orders.of[player])


@rule
def margin(state: State, player: int) -> int:
    """9 What the end is worth to a player: 1 for a victory, -1 for a defeat."""
    if state.winner == NOBODY:
        return 0
    return 1 if state.winner == player else -1


@rule
def copy_state(of: State, to: State) -> None:
    """Row by row: no more than is in use."""
    wipe_behind(of, to)
    clock(of, to)
    players(of, to)
    ground(of, to)
    pieces(of, to)
    for player in range(2):
        to.fallen[player] = of.fallen[player]
        to.fallen_health[player] = of.fallen_health[player]


@rule
def wipe_behind(of: State, to: State) -> None:
    """Where another map was played: its rows are wiped that this one does not have."""
    for i in range(of.lanes, to.lanes):
        lane = to.lane[i]
        lane.first = 0
        lane.length = 0
        lane.red_exit = 0
        lane.blue_exit = 0
        lane.blue_number = 0
    for i in range(of.portals, to.portals):
        portal = to.portal[i]
        portal.tile = 0
        portal.first = 0
        portal.fixed = 0
        portal.target = 0
        portal.queued = 0
        portal.released = 0
        portal.reload = 0
    for i in range(of.tiles, to.tiles):
        tile = to.tile[i]
        tile.x = 0
        tile.y = 0
        tile.kind = 0
        tile.tower = 0


@rule
def start_one(states: Many[State], places: Many[Place], at: int, starts: Many[State], orders: Many[Orders]) -> None:
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
    for player in range(2):
        pay(place, player, margin(states[at], player))
    if place.restart != 0:
        begin(place)
        copy_state(starts[start_of(place, len(starts))], states[at])


@rule
def advance(
    states: Many[State], places: Many[Place], at: int, starts: Many[State], orders: Orders, log: Log, desk: Desk
) -> None:
    """One step with these orders, unless the game has ended."""
    clear_rewards(places[at])
    if states[at].reason == 0:
        desk.chance.key = places[at].key
        turn(states[at], orders, desk.chance, log, desk.work)
        settle(states, places, at, starts)


@rule
def order_by(
    policy: int, state: State, player: int, start: int, manner: u64, key: u64, order: Order, mind: Mind
) -> None:
    """Replaces an invented sheet by that of the player's policy. `start` is the number of the starting position."""
    if policy == RANDOM:
        return
    if mind.survey.of != 1 + start:
        survey(state, 1 + start, mind.survey)
        recall(state, mind.purse)
    order_of(policy - 1, state, player, manner, key, order, mind.survey, mind.purse)


@rule
def step_one(
    states: Many[State], places: Many[Place], at: int, starts: Many[State], orders: Many[Orders], log: Log, desk: Desk
) -> None:
    """One step with the sheets that were filed; they are empty then."""
    advance(states, places, at, starts, orders[at], log, desk)
    forget(orders[at])
    for player in range(2):
        places[at].filed[player] = 0


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
        invent(states[at], desk.orders, whim(place))
        for player in range(2):
            order_by(
                place.policy[player],
                states[at],
                player,
                start_of(place, len(starts)),
                manner(place),
                whim(place),
                desk.orders.of[player],
                mind,
            )
        advance(states, places, at, starts, desk.orders, log, desk)


@rule
def random_one(
    states: Many[State], places: Many[Place], at: int, starts: Many[State], steps: int, log: Log, desk: Desk
) -> None:
    """So many steps with invented orders. Without the scripted players a GPU has half as much code to fetch."""
    for _ in range(steps):
        invent(states[at], desk.orders, whim(places[at]))
        advance(states, places, at, starts, desk.orders, log, desk)


@rule
def look_one(states: Many[State], at: int, sights: Many[Sight]) -> None:
    """What each player sees."""
    for player in range(2):
        look(states[at], player, sights[2 * at + player])


@rule
def waits(states: Many[State], places: Many[Place], at: int) -> bool:
    """Whether a sheet is still to come that is given by number."""
    place = places[at]
    for player in range(2):
        if may_order(states[at], player) and place.filed[player] == 0 and place.scripted[player] == 0:
            return True
    return False


@rule
def reply_by_chance(states: Many[State], places: Many[Place], at: int, orders: Many[Orders], desk: Desk) -> None:
    """The sheets of the players that a policy plays, if that is always `random`."""
    place = places[at]
    if place.scripted[0] == 0 and place.scripted[1] == 0:
        return
    invent(states[at], desk.orders, whim(place))
    for player in range(2):
        if place.scripted[player] != 0:
            copy_order(desk.orders.of[player], orders[at].of[player])


@rule
def reply(
    states: Many[State], places: Many[Place], at: int, starts: Many[State], orders: Many[Orders], desk: Desk, mind: Mind
) -> None:
    """The sheets of the players that a policy plays."""
    place = places[at]
    if place.scripted[0] == 0 and place.scripted[1] == 0:
        return
    invent(states[at], desk.orders, whim(place))
    for player in range(2):
        if place.scripted[player] != 0:
            order_by(
                place.scripted[player] - 1,
                states[at],
                player,
                start_of(place, len(starts)),
                manner(place),
                whim(place),
                desk.orders.of[player],
                mind,
            )
            copy_order(desk.orders.of[player], orders[at].of[player])


@rule
def copy_order(of: Order, to: Order) -> None:
    to.build = of.build
    to.build_at = of.build_at
    to.destroy_at = of.destroy_at
    to.hire = of.hire
    to.provoke = of.provoke
    for part in range(len(PARTS)):
        to.lines[part] = of.lines[part]
        to.line[part] = of.line[part]
        to.fault[part] = of.fault[part]
        to.price[part] = of.price[part]


@entry
def start_many(states: Many[State], places: Many[Place], starts: Many[State], orders: Many[Orders]) -> None:
    for at in range(len(states)):
        start_one(states, places, at, starts, orders)


@entry
def step_many(
    states: Many[State], places: Many[Place], starts: Many[State], orders: Many[Orders], log: Log, desk: Desk
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
