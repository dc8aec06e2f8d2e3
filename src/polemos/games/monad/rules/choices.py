"""All single orders that are legal beside a list, by stack, with what a player would want to know of each."""

from __future__ import annotations

from polemos.games.monad.rules.board import beside, core_of, neighbour
from polemos.games.monad.rules.checking import check, fault_of, stack_fault, wipe, works
from polemos.games.monad.rules.end import is_in
from polemos.games.monad.rules.fights import strength
from polemos.games.monad.rules.mining import ore_for
from polemos.games.monad.rules.working import slotted
from polemos.games.monad.state import (
    BUILD,
    GOOD,
    MINE,
    MOVE,
    NO_DIRECTION,
    WORK,
    Assault,
    Choice,
    Order,
    Sight,
    State,
    Work,
)
from polemos.kernel.log import Log
from polemos.kernel.record import Many
from polemos.kernel.rule import entry, rule


@entry
def list_choices(sight: Sight, orders: Many[Order], count: int, log: Log, choices: Many[Choice], work: Work) -> int:
    """Lists what is legal beside the `count` orders of the player who looks, and says how many there are.

    Mining a tile without ore is legal and brings nothing (7.1).
    """
    state = sight.state
    if not may_order(state, sight.who):
        return 0
    check(state, orders, count, log, work)
    work.asked.seat = sight.who
    work.asked.number = 1
    listed = 0
    x = -1
    for tile in range(state.width * state.height):
        x = 0 if x + 1 == state.width else x + 1
        if stack_fault(state, sight.who, tile, work) == GOOD:
            work.asked.tile = tile
            work.asked.x = x
            listed = choices_of_stack(state, choices, listed, work)
    wipe(state, orders, work)
    return listed


@rule
def may_order(state: State, who: int) -> bool:
    """9.4, 9.7 Players order while the game runs and they have not forfeited."""
    return 0 <= who < state.seats and state.reason == 0 and is_in(state, who)


@rule
def choices_of_stack(state: State, choices: Many[Choice], listed: int, work: Work) -> int:
    """2.2 Whatever the free units of a stack may do. A build on an own core is work (6.1) and is listed as such."""
    for direction in range(4):
        listed = offer(state, MOVE, direction, choices, listed, work)
    listed = offer(state, MINE, NO_DIRECTION, choices, listed, work)
    listed = offer(state, WORK, NO_DIRECTION, choices, listed, work)
    if not works(state, work.asked):
        for direction in range(4):
            listed = offer(state, BUILD, direction, choices, listed, work)
    return listed


@rule
def offer(state: State, word: int, direction: int, choices: Many[Choice], listed: int, work: Work) -> int:
    """One more, if it is legal; a full list keeps what it has."""
    order = work.asked
    order.word = word
    order.direction = direction
    if listed == len(choices) or fault_of(state, order, work) != GOOD:
        return listed
    choice = choices[listed]
    choice.word = word
    choice.direction = direction
    choice.tile = order.tile
    choice.free = state.cell[order.tile].units - work.on[order.tile].taken
    choice.figure = needs(state, order) if word == MOVE else useful(state, order, choice.free, work)
    return listed + 1


@rule
def needs(state: State, order: Order) -> int:
    """8.3 What destroys the foreign building onto whose core a move goes, if nothing changes there; -1 for none."""
    target = beside(state, order.tile, order.x, order.direction)
    owner = core_of(state.cell[target].building)
    return -1 if owner < 0 or owner == order.seat else strength(state, state.cell[target].units)


@rule
def useful(state: State, order: Order, free: int, work: Work) -> int:
    """5.5, 6.3, 7.1 How many of the free units an order could use beside those that do the same already."""
    here = work.on[order.tile]
    if order.word == MINE:
        return ore_for(state, order.tile, here.miners + free) - ore_for(state, order.tile, here.miners)
    if order.word == WORK:
        return slotted(state, here.workers + free) - slotted(state, here.workers)
    return 1


@entry
def figure_lines(sight: Sight, orders: Many[Order], count: int, log: Log, found: Many[Assault], work: Work) -> None:
    """8.3 Of each line onto a foreign core: what destroys the building, and how many the whole list sends there."""
    state = sight.state
    if not may_order(state, sight.who):
        return
    check(state, orders, count, log, work)
    for i in range(count):
        order = orders[i]
        if order.fault == GOOD and order.word == MOVE and needs(state, order) >= 0:
            found[i].needs = needs(state, order)
            found[i].sent = arriving(state, beside(state, order.tile, order.x, order.direction), work)
    wipe(state, orders, work)


@rule
def arriving(state: State, target: int, work: Work) -> int:
    """Units that the list sends to a tile from all around it."""
    count = 0
    for direction in range(4):
        tile = neighbour(state, target, direction)
        if tile >= 0:
            count += work.on[tile].column[direction + 2 & 3]
    return count
