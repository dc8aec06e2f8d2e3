"""1.9 Lawful positions: putting things on the board, and what must hold when all is put."""

from __future__ import annotations

from polemos.games.monad.rules.board import block_tile, core_of, put_building, set_stack
from polemos.games.monad.setup import cells_of
from polemos.games.monad.state import BLOCKED, MOST_UNITS, NOBODY, PART, SEATS, SURVIVAL, State
from polemos.kernel.errors import BadPosition


def unlawful(why: str) -> BadPosition:
    return BadPosition(why, rule="1.9")


def tile_at(state: State, x: int, y: int) -> int:
    if not (0 <= x < state.width and 0 <= y < state.height):
        raise unlawful(f"{x},{y} is not on the map: its tiles are 0,0 to {state.width - 1},{state.height - 1}.")
    return y * state.width + x


def place_stack(state: State, seat: int, x: int, y: int, units: int) -> None:
    cell = state.cell[tile_at(state, x, y)]
    if cell.units:
        raise unlawful(f"Two stacks stand on {x},{y}.")
    if cell.field == BLOCKED:
        raise unlawful(f"{x},{y} is blocked: nobody can stand there.")
    if not 1 <= units <= MOST_UNITS:
        raise unlawful(f"A stack has 1 to {MOST_UNITS} units, not {units}.")
    set_stack(state, tile_at(state, x, y), _seat(state, seat), units)
    state.units[seat] += units


def place_building(state: State, seat: int, x: int, y: int, direction: int, points: int) -> None:
    core = tile_at(state, x, y)
    for which in range(4):
        tile = block_tile(state, core, direction, which)
        if tile < 0 or state.cell[tile].field == BLOCKED or state.cell[tile].building:
            raise unlawful(f"The building with its core on {x},{y} has no room.")
    if not 0 <= points < state.unit_cost:
        raise unlawful(f"A building has fewer points than a unit costs, {state.unit_cost}; this one has {points}.")
    put_building(state, _seat(state, seat), core, direction)
    state.cell[core].points = points


def place_ore(state: State, x: int, y: int, left: int) -> None:
    cell = state.cell[tile_at(state, x, y)]
    if not 0 <= left <= max(0, cell.field):
        raise unlawful(f"{x},{y} began with {max(0, cell.field)} ore; it cannot have {left}.")
    cell.ore = left


def clear(state: State) -> None:
    """Takes the first units away, so that others can be put."""
    for seat in range(state.seats):
        set_stack(state, state.start[seat], 0, 0)
        state.units[seat] = 0


def _seat(state: State, seat: int) -> int:
    if seat >= state.seats:
        raise unlawful(f"{SEATS[seat].capitalize()} does not play: the match has {state.seats} players.")
    return seat


def validate(state: State) -> None:
    """What must hold of a whole position."""
    cells = cells_of(state)
    for tile in (cells["building"] > 0).nonzero()[0].tolist():
        cell = state.cell[tile]
        if cell.building < PART and cell.units and cell.owner != core_of(cell.building):
            raise unlawful(f"{tile % state.width},{tile // state.width} is a core with foreign units on it.")
    if not (0 <= state.turn <= state.turns and (state.reason or state.turn < state.turns)):
        raise unlawful(f"Turn {state.turn} of {state.turns} cannot have been played with the game still running.")
    for seat in range(state.seats):
        _validate_seat(state, seat)
    if not 0 <= state.alone <= SURVIVAL or (state.alone and not _is_alone(state)):
        raise unlawful("Alone is a player who alone has units, for 1 to 10 turn ends.")
    _validate_end(state)


def _validate_seat(state: State, seat: int) -> None:
    name = SEATS[seat].capitalize()
    if not 0 <= state.stock[seat] <= MOST_UNITS:
        raise unlawful(f"{name} has {state.stock[seat]} stock; 0 to {MOST_UNITS} are possible.")
    if not 0 <= state.forfeited[seat] <= state.turn + 1 or not 0 <= state.out[seat] <= state.turn:
        raise unlawful(f"{name} cannot be out since a turn that was not played.")
    if state.out[seat] and (state.units[seat] or state.buildings[seat]):
        raise unlawful(f"{name} is out and yet has units or buildings.")


def _is_alone(state: State) -> bool:
    holders = [s for s in range(state.seats) if state.units[s] and not state.forfeited[s]]
    return state.alone <= state.turn and holders == [state.alone_seat]


def _validate_end(state: State) -> None:
    sharing = [seat for seat in range(8) if state.drawn >> seat & 1]
    if not state.reason:
        good = not state.winner and not state.drawn
    elif state.winner == NOBODY:
        good = len(sharing) > 1 and sharing[-1] < state.seats
    else:
        good = state.winner < state.seats and not state.drawn
    if not good:
        raise unlawful("A game that ended has one winner, or a draw between two players or more.")
