"""Random play in compiled code: for measuring, for searching, for testing. No paragraph of the book."""

from __future__ import annotations

from polemos.games.demons.rules.turn import turn
from polemos.games.demons.state import Order, Orders, State, Work
from polemos.kernel.dice import Chance, mix, scatter
from polemos.kernel.log import Log
from polemos.kernel.record import Many, u64
from polemos.kernel.rule import entry, rule


@rule
def invent(state: State, orders: Orders, key: u64) -> None:
    """Random orders: every second turn a tower somewhere, now and then a mercenary, seldom a destruction."""
    for player in range(2):
        order = orders.of[player]
        bits = scatter(key, player)
        clear(order)
        land = state.path + (((bits & 0xFFFF) * (state.tiles - state.path)) >> 16)
        if bits >> 16 & 1:
            order.build = bits >> 17 & 3
            order.build_at = land
        elif bits >> 17 & 15 == 0:
            order.destroy_at = land
        if bits >> 24 & 3 == 0:
            order.hire = bits >> 26 & 3
        if state.rules == 1 and bits >> 28 & 63 == 0:
            order.provoke = 1


@rule
def clear(order: Order) -> None:
    order.build = -1
    order.build_at = -1
    order.destroy_at = -1
    order.hire = -1
    order.provoke = 0


@entry
def rollout(
    states: Many[State], start: State, key: u64, steps: int, orders: Orders, chance: Chance, log: Log, work: Work
) -> int:
    """Plays `steps` steps of random games, state by state; a finished game starts again. Counts the games."""
    count = len(states)
    games = 0
    at = 0
    for step in range(steps):
        if states[at].reason != 0:
            states[at] = start
            games += 1
        chance.key = mix(key ^ step)
        invent(states[at], orders, chance.key)
        turn(states[at], orders, chance, log, work)
        at += 1
        if at == count:
            at = 0
    return games
