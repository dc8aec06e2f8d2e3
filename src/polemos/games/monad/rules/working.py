"""6 Work: points, and new units."""

from __future__ import annotations

from polemos.games.monad.rules import events
from polemos.games.monad.rules.board import core_of, limited, set_stack
from polemos.games.monad.state import State, Work
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def production(state: State, log: Log, work: Work) -> None:
    """6.2 Points for every counted worker, and for every building where buildings have points of their own."""
    for i in range(work.worked):
        tile = work.worked_tile[i]
        owner = core_of(state.cell[tile].building)
        if owner >= 0:  # otherwise it fell this turn
            produce(state, tile, owner, counted(state, tile, owner, work), log)
    if state.base > 0:
        base_points(state, log, work)


@rule
def counted(state: State, tile: int, seat: int, work: Work) -> int:
    """6.3, 6.6 The least of ordered workers, own survivors on the core, and slots."""
    cell = state.cell[tile]
    if cell.owner != seat:
        return 0
    workers = min(work.on[tile].workers, cell.units)
    return slotted(state, workers)


@rule
def slotted(state: State, workers: int) -> int:
    """6.3 How many of so many workers have a slot."""
    return workers if state.slots == 0 else min(workers, state.slots)


@rule
def produce(state: State, tile: int, seat: int, points: int, log: Log) -> None:
    """6.4, 6.5 Whole prices become units on the core; the rest is kept."""
    cell = state.cell[tile]
    whole = cell.points + points
    made = whole // state.unit_cost
    cell.points = whole % state.unit_cost
    if made > 0:
        events.produced(log, seat, tile, made)
        stack = cell.units + made
        if stack > limited(stack):  # 3.3
            events.capped(log, seat, tile, stack - limited(stack))
        state.units[seat] += limited(stack) - cell.units
        set_stack(state, tile, seat, limited(stack))


@rule
def base_points(state: State, log: Log, work: Work) -> None:
    """6.2, 6.6 Points without workers, not in the turn of the founding (there are claims) and not after a forfeit."""
    for tile in range(state.width * state.height):
        owner = core_of(state.cell[tile].building)
        if owner >= 0 and work.on[tile].claims == 0 and state.forfeited[owner] == 0:
            produce(state, tile, owner, state.base, log)
