"""1.8 Sight: what somebody may know, as one record. Views, options and programs that learn to play see nothing else."""

from __future__ import annotations

from polemos.games.monad.rules.end import rank
from polemos.games.monad.state import MAX_NAME, Sight, State
from polemos.kernel.rule import entry, rule


@entry
def look(state: State, who: int, sight: Sight) -> None:
    """1.8 Everybody sees everything but the orders of this turn, which no state holds."""
    sight.who = who
    copy_match(state, sight.state)
    copy_players(state, sight.state)
    for tile in range(state.width * state.height):
        sight.state.cell[tile] = state.cell[tile]
    for seat in range(4):
        sight.rank[seat] = rank(state, seat) if state.reason != 0 and seat < state.seats else 0


@rule
def copy_match(state: State, seen: State) -> None:
    """Field by field: a state in a dense batch ends with its last tile, so it must not be copied as a whole."""
    seen.turn = state.turn
    seen.turns = state.turns
    seen.width = state.width
    seen.height = state.height
    seen.seats = state.seats
    seen.symmetry = state.symmetry
    seen.reason = state.reason
    seen.winner = state.winner
    seen.drawn = state.drawn
    seen.alone = state.alone
    seen.alone_seat = state.alone_seat
    seen.slots = state.slots
    seen.base = state.base
    seen.unit_cost = state.unit_cost
    seen.cost = state.cost
    seen.defence = state.defence
    seen.start_units = state.start_units
    seen.start_stock = state.start_stock
    for i in range(MAX_NAME):
        seen.name[i] = state.name[i]


@rule
def copy_players(state: State, seen: State) -> None:
    for seat in range(4):
        seen.stock[seat] = state.stock[seat]
        seen.units[seat] = state.units[seat]
        seen.buildings[seat] = state.buildings[seat]
        seen.built[seat] = state.built[seat]
        seen.out[seat] = state.out[seat]
        seen.forfeited[seat] = state.forfeited[seat]
        seen.start[seat] = state.start[seat]
