"""4 Moving: collisions on the way, then all moves at once."""

from __future__ import annotations

from polemos.games.monad.rules import events
from polemos.games.monad.rules.board import set_stack
from polemos.games.monad.state import State, Work
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def collisions(state: State, log: Log, work: Work) -> None:
    """4.2 Enemy columns that cross one edge in opposite directions both lose the smaller number."""
    for i in range(work.columns):
        column = work.column[i]
        here = work.on[column.tile]
        there = work.on[column.target]
        back = column.direction + 2 & 3
        lost = min(here.column[column.direction], there.column[back])
        enemy = state.cell[column.target].owner
        if lost > 0 and enemy != column.seat:
            here.column[column.direction] -= lost
            there.column[back] -= lost
            leave(state, column.tile, lost)
            leave(state, column.target, lost)
            state.units[column.seat] -= lost
            state.units[enemy] -= lost
            events.collided(log, column.seat, enemy, column.tile, column.target, lost)


@rule
def leave(state: State, tile: int, number: int) -> None:
    """Units go from a tile."""
    cell = state.cell[tile]
    set_stack(state, tile, cell.owner, cell.units - number)


@rule
def moves(state: State, log: Log, work: Work) -> None:
    """4.5 All columns step at once; who arrives waits for the fights."""
    for i in range(work.columns):
        column = work.column[i]
        moving = work.on[column.tile].column[column.direction]
        if moving > 0:
            leave(state, column.tile, moving)
            arrive(work, column.target, column.seat, moving)
            events.moved(log, column.seat, column.tile, column.target, moving, column.direction)


@rule
def arrive(work: Work, tile: int, seat: int, number: int) -> None:
    """The tile is remembered: only where somebody arrives there can be a fight."""
    there = work.on[tile]
    if there.is_touched == 0:
        there.is_touched = 1
        work.touched_tile[work.touched] = tile
        work.touched += 1
    there.arrived[seat] += number
