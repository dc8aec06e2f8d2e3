"""8 Fights on tiles, and buildings falling."""

from __future__ import annotations

from polemos.games.monad.rules import events
from polemos.games.monad.rules.board import core_of, limited, set_stack, take_building
from polemos.games.monad.state import State, Work
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def fights(state: State, log: Log, work: Work) -> None:
    """8 Wherever somebody arrived, one army at most is left."""
    for i in range(work.touched):
        tile = work.touched_tile[i]
        work.on[tile].is_touched = 0
        cell = state.cell[tile]
        work.on[tile].arrived[cell.owner] += cell.units  # those who stayed
        owner = core_of(cell.building)
        if owner >= 0 and strongest_enemy(state, tile, owner, work) >= 0:
            assault(state, tile, owner, log, work)
        else:
            fight(state, tile, log, work)
    work.touched = 0


@rule
def strongest_enemy(state: State, tile: int, owner: int, work: Work) -> int:
    """8.6 The seat of the strongest single enemy on the tile, or -1."""
    found = -1
    for seat in range(state.seats):
        if seat != owner and work.on[tile].arrived[seat] > 0:
            if found < 0 or work.on[tile].arrived[seat] > work.on[tile].arrived[found]:
                found = seat
    return found


@rule
def fight(state: State, tile: int, log: Log, work: Work) -> None:
    """8.1 The strongest keeps its number minus the second strongest; two strongest both die."""
    first = 0
    for seat in range(1, state.seats):
        if work.on[tile].arrived[seat] > work.on[tile].arrived[first]:
            first = seat
    second = 0
    for seat in range(state.seats):
        if seat != first:
            second = max(second, work.on[tile].arrived[seat])
    settle(state, tile, first, work.on[tile].arrived[first] - second, log, work)


@rule
def strength(state: State, garrison: int) -> int:
    """8.2, 8.3 What a building with such a garrison counts in a fight: an enemy who equals it destroys it."""
    return garrison + state.defence


@rule
def assault(state: State, tile: int, owner: int, log: Log, work: Work) -> None:
    """8.2 to 8.4 The owner fights as its garrison plus the defence of the building."""
    enemy = strongest_enemy(state, tile, owner, work)
    attack = work.on[tile].arrived[enemy]
    garrison = work.on[tile].arrived[owner]
    if attack >= strength(state, garrison):
        take_building(state, tile)
        events.destroyed(log, owner, enemy, tile, attack)
        second = strength(state, garrison)
        for seat in range(state.seats):
            if seat != owner and seat != enemy:
                second = max(second, work.on[tile].arrived[seat])
        settle(state, tile, enemy, attack - second, log, work)
    else:
        fallen = max(0, attack - (state.defence - 1))
        events.repelled(log, owner, enemy, tile, attack)
        settle(state, tile, owner, garrison - fallen, log, work)


@rule
def settle(state: State, tile: int, seat: int, left: int, log: Log, work: Work) -> None:
    """Who is left holds the tile; what the others brought is lost."""
    for army in range(state.seats):
        lost = work.on[tile].arrived[army]
        work.on[tile].arrived[army] = 0
        if army == seat:
            lost -= left
        if lost > 0:
            state.units[army] -= lost
            events.lost(log, army, tile, lost)
    set_stack(state, tile, seat, limited(left))
    if left > limited(left):  # 3.3
        state.units[seat] -= left - limited(left)
        events.capped(log, seat, tile, left - limited(left))
