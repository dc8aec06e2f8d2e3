"""2 Orders: each list is gone through once, in order, before anything happens (2.7)."""

from __future__ import annotations

from polemos.games.monad.rules import events
from polemos.games.monad.rules.board import beside, block_tile, core_of, is_open
from polemos.games.monad.state import (
    BUILD,
    GOOD,
    MINE,
    MOVE,
    NO_CORE,
    NO_DIRECTION,
    NO_SPACE,
    NO_SUCH_BLOCK,
    NO_WAY,
    NO_WORK,
    NOBODY_FREE,
    NOT_YOURS,
    ODD_DIRECTION,
    RIGHT,
    TOO_DEAR,
    WORK,
    Order,
    State,
    Work,
)
from polemos.kernel.log import Log
from polemos.kernel.record import Many
from polemos.kernel.rule import rule


@rule
def check(state: State, orders: Many[Order], count: int, log: Log, work: Work) -> None:
    """2.7 Marks what is void; what stands takes its units, and a founding its price and its room."""
    for i in range(count):
        order = orders[i]
        order.fault = fault_of(state, order, work)
        order.taken = 0
        if order.fault == GOOD:
            take_units(state, order, log, work)
            note(state, order, i, work)


@rule
def fault_of(state: State, order: Order, work: Work) -> int:
    """2.7 Why an order is void."""
    if order.direction == ODD_DIRECTION and not works(state, order):  # 5.2
        return NO_SUCH_BLOCK
    fault = stack_fault(state, order.seat, order.tile, work)
    if fault != GOOD:
        return fault
    if order.word == MOVE:
        return GOOD if is_open(state, beside(state, order.tile, order.x, order.direction)) else NO_WAY  # 4.1
    if order.word == MINE or works(state, order):
        return GOOD
    return NO_WORK if order.word == WORK else founding_fault(state, order, work)  # 6.1


@rule
def stack_fault(state: State, seat: int, tile: int, work: Work) -> int:
    """2.3, 2.6 Why a player has nobody to order on a tile."""
    if tile < 0:
        return NOT_YOURS
    cell = state.cell[tile]
    if cell.units == 0 or cell.owner != seat:  # 2.3
        return NOT_YOURS
    return NOBODY_FREE if cell.units == work.on[tile].taken else GOOD  # 2.6


@rule
def works(state: State, order: Order) -> bool:
    """6.1 A build order on the tile of an own core is work."""
    return order.tile >= 0 and core_of(state.cell[order.tile].building) == order.seat


@rule
def founding_fault(state: State, order: Order, work: Work) -> int:
    """5.3, 5.4, 5.8 Space and stock, less what the player's own earlier orders take."""
    if state.cell[order.tile].building != 0:
        return NO_CORE
    if order.direction == NO_DIRECTION:
        order.direction = RIGHT  # 5.2
    for which in range(4):
        tile = block_tile(state, order.tile, order.direction, which)
        if not is_open(state, tile) or state.cell[tile].building != 0 or work.on[tile].claims >> order.seat & 1:
            return NO_SPACE
    return TOO_DEAR if state.stock[order.seat] - work.spent[order.seat] < state.cost else GOOD


@rule
def take_units(state: State, order: Order, log: Log, work: Work) -> None:
    """2.5, 2.6 The units of an order act once; their number is cut to what is free."""
    here = work.on[order.tile]
    free = state.cell[order.tile].units - here.taken
    order.taken = order.number
    if order.number > free:
        order.taken = free
        events.cut(log, order.line, order.seat, order.tile, order.taken, order.number, order.word)
    here.taken += order.taken


@rule
def note(state: State, order: Order, number: int, work: Work) -> None:
    """Puts an order that stands on the list of its stage; several of one kind on one tile add up."""
    here = work.on[order.tile]
    if order.word == MOVE:
        if here.column[order.direction] == 0:
            column = work.column[work.columns]
            column.tile = order.tile
            column.target = beside(state, order.tile, order.x, order.direction)
            column.seat = order.seat
            column.direction = order.direction
            work.columns += 1
        here.column[order.direction] += order.taken  # 4.3
    elif order.word == MINE:
        if here.miners == 0:
            work.mined_tile[work.mined] = order.tile
            work.mined += 1
        here.miners += order.taken
    elif works(state, order):
        if here.workers == 0:
            work.worked_tile[work.worked] = order.tile
            work.worked += 1
        here.workers += order.taken
    elif order.word == BUILD:
        work.founding[work.founded] = number
        work.founded += 1
        work.spent[order.seat] += state.cost  # 5.4
        for which in range(4):
            work.on[block_tile(state, order.tile, order.direction, which)].claims |= 1 << order.seat


@rule
def wipe(state: State, orders: Many[Order], work: Work) -> None:
    """Leaves the scratch space as it was before the check."""
    for i in range(work.columns):
        column = work.column[i]
        work.on[column.tile].column[column.direction] = 0
        work.on[column.tile].taken = 0
    for i in range(work.mined):
        work.on[work.mined_tile[i]].miners = 0
        work.on[work.mined_tile[i]].taken = 0
    for i in range(work.worked):
        work.on[work.worked_tile[i]].workers = 0
        work.on[work.worked_tile[i]].taken = 0
    for i in range(work.founded):
        order = orders[work.founding[i]]
        work.on[order.tile].taken = 0
        for which in range(4):
            work.on[block_tile(state, order.tile, order.direction, which)].claims = 0
    for seat in range(state.seats):
        work.spent[seat] = 0
    work.columns = 0
    work.mined = 0
    work.worked = 0
    work.founded = 0
