"""7 Mining."""

from __future__ import annotations

from polemos.games.monad.rules import events
from polemos.games.monad.rules.board import limited
from polemos.games.monad.state import State, Work
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def mining(state: State, log: Log, work: Work) -> None:
    """7.1 Each unit takes 1 ore from its tile, as far as there is any."""
    for i in range(work.mined):
        tile = work.mined_tile[i]
        cell = state.cell[tile]
        mined = ore_for(state, tile, work.on[tile].miners)
        if mined > 0:
            cell.ore -= mined
            events.mined(log, cell.owner, tile, mined, cell.ore)
            earn(state, cell.owner, mined, log)


@rule
def ore_for(state: State, tile: int, miners: int) -> int:
    """7.1 What so many miners find on a tile."""
    return min(miners, state.cell[tile].ore)


@rule
def earn(state: State, seat: int, number: int, log: Log) -> None:
    """3.3 A stock has a limit."""
    whole = state.stock[seat] + number
    state.stock[seat] = limited(whole)
    if whole > limited(whole):
        events.capped(log, seat, -1, whole - limited(whole))
