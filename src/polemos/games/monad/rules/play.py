"""Random play in compiled code: for measuring, for searching, for testing. No paragraph of the book."""

from __future__ import annotations

from polemos.games.monad.rules.board import core_of
from polemos.games.monad.rules.turn import turn
from polemos.games.monad.state import BUILD, MINE, MOVE, Order, State, Work
from polemos.kernel.dice import mix, scatter
from polemos.kernel.log import Log
from polemos.kernel.record import Many, u64
from polemos.kernel.rule import entry, rule


@rule
def invent(state: State, orders: Many[Order], key: u64) -> int:
    """Random orders, one or two for every stack; says how many. A core keeps its workers, the rest roams and mines."""
    count = 0
    most = len(orders) - 2
    x = -1
    for tile in range(state.width * state.height):
        x = 0 if x + 1 == state.width else x + 1
        units = state.cell[tile].units
        if units == 0 or count >= most or state.forfeited[state.cell[tile].owner] != 0:
            continue
        bits = scatter(key, tile)
        seat = state.cell[tile].owner
        if core_of(state.cell[tile].building) == seat:
            put(orders, count, seat, BUILD, bits >> 8 & 3, tile, x, 5)
            if units > 5:
                put(orders, count + 1, seat, MOVE, bits >> 8 & 3, tile, x, units - 5)
                count += 1
        elif bits & 15 == 0 and state.stock[seat] >= state.cost:
            put(orders, count, seat, BUILD, bits >> 8 & 3, tile, x, 1)
        elif bits & 3 == 1 and state.cell[tile].ore > 0:
            put(orders, count, seat, MINE, 0, tile, x, units)
        else:
            put(orders, count, seat, MOVE, bits >> 8 & 3, tile, x, 1 + ((bits >> 16 & 255) * units >> 8))
        count += 1
    return count


@rule
def put(orders: Many[Order], at: int, seat: int, word: int, direction: int, tile: int, x: int, number: int) -> None:
    order = orders[at]
    order.seat = seat
    order.word = word
    order.direction = direction
    order.tile = tile
    order.x = x
    order.number = number


@rule
def renew(state: State, start: State) -> None:
    """A new game. Only what can change is copied, and no more than the map is large."""
    state.turn = start.turn
    state.reason = start.reason
    state.winner = start.winner
    state.drawn = start.drawn
    state.alone = start.alone
    state.alone_seat = start.alone_seat
    for seat in range(4):
        state.stock[seat] = start.stock[seat]
        state.units[seat] = start.units[seat]
        state.buildings[seat] = start.buildings[seat]
        state.built[seat] = start.built[seat]
        state.out[seat] = start.out[seat]
        state.forfeited[seat] = start.forfeited[seat]
    for tile in range(state.width * state.height):
        state.cell[tile].units = start.cell[tile].units
        state.cell[tile].ore = start.cell[tile].ore
        state.cell[tile].points = start.cell[tile].points
        state.cell[tile].owner = start.cell[tile].owner
        state.cell[tile].building = start.cell[tile].building


@entry
def rollout(states: Many[State], start: State, key: u64, steps: int, orders: Many[Order], log: Log, work: Work) -> int:
    """Plays `steps` turns of random games, state by state; a finished game starts again. Counts the games."""
    count = len(states)
    games = 0
    at = 0
    for step in range(steps):
        if states[at].reason != 0:
            renew(states[at], start)
            games += 1
        listed = invent(states[at], orders, mix(key ^ step))
        turn(states[at], orders, listed, log, work)
        at += 1
        if at == count:
            at = 0
    return games


@entry
def invent_orders(state: State, orders: Many[Order], key: u64) -> int:
    """Random orders for one position, for callers from Python."""
    return invent(state, orders, key)
