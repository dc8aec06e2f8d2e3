"""5 Founding buildings."""

from __future__ import annotations

from polemos.games.monad.rules import events
from polemos.games.monad.rules.board import block_tile, put_building
from polemos.games.monad.state import Order, State, Work
from polemos.kernel.log import Log
from polemos.kernel.record import Many
from polemos.kernel.rule import rule


@rule
def foundings(state: State, orders: Many[Order], log: Log, work: Work) -> None:
    """5.6, 5.7 What clashes with another player's founding is void; the rest stands at once."""
    for i in range(work.founded):
        order = orders[work.founding[i]]
        if clashes(state, order, work):
            events.clashed(log, order.line, order.seat, order.tile, state.cost, order.direction)
        else:
            state.stock[order.seat] -= state.cost  # 5.4
            put_building(state, order.seat, order.tile, order.direction)
            events.founded(log, order.line, order.seat, order.tile, state.cost, order.direction)


@rule
def clashes(state: State, order: Order, work: Work) -> bool:
    """5.6 Whether another player's founding that passed the check takes a tile of this one."""
    for which in range(4):
        if work.on[block_tile(state, order.tile, order.direction, which)].claims != 1 << order.seat:
            return True
    return False
