"""1 The board: neighbours, and the blocks that buildings take."""

from __future__ import annotations

from polemos.games.monad.state import BLOCKED, DOWN, LEFT, MAX_UNITS, PART, RIGHT, UP, State
from polemos.kernel.rule import rule


@rule
def beside(state: State, tile: int, x: int, direction: int) -> int:
    """1.1, 1.2 The tile one step away, or -1 beyond the edge. A caller who knows x saves a division."""
    across = (direction == RIGHT) - (direction == LEFT)
    there = tile + across + state.width * ((direction == DOWN) - (direction == UP))
    inside = 0 <= x + across < state.width and 0 <= there < state.width * state.height
    return there if inside else -1


@rule
def neighbour(state: State, tile: int, direction: int) -> int:
    return beside(state, tile, tile % state.width, direction)


@rule
def block_tile(state: State, core: int, direction: int, which: int) -> int:
    """5.2 One of the four tiles of a block: 0 is the core, -1 lies beyond the edge."""
    if which == 0:
        return core
    aside = LEFT if direction in (DOWN, LEFT) else RIGHT
    along = UP if direction in (LEFT, UP) else DOWN
    if which == 1:
        return neighbour(state, core, aside)
    if which == 2:
        return neighbour(state, core, along)
    across = neighbour(state, core, aside)
    return neighbour(state, across, along) if across >= 0 else -1


@rule
def is_open(state: State, tile: int) -> bool:
    """1.4 On the map and not blocked."""
    return tile >= 0 and state.cell[tile].field != BLOCKED


@rule
def core_of(building: int) -> int:
    """5.1 The owner of the building whose core this is, or -1."""
    return (building - 1) >> 2 if 0 < building < PART else -1


@rule
def put_building(state: State, seat: int, core: int, direction: int) -> None:
    for which in range(4):
        state.cell[block_tile(state, core, direction, which)].building = PART + seat
    state.cell[core].building = 1 + 4 * seat + direction
    state.cell[core].points = 0
    state.buildings[seat] += 1
    state.built[seat] = 1


@rule
def take_building(state: State, core: int) -> None:
    building = state.cell[core].building
    for which in range(4):
        state.cell[block_tile(state, core, (building - 1) & 3, which)].building = 0
    state.cell[core].points = 0
    state.buildings[core_of(building)] -= 1


@rule
def set_stack(state: State, tile: int, seat: int, units: int) -> None:
    """An empty tile belongs to nobody."""
    cell = state.cell[tile]
    cell.units = units
    cell.owner = seat if units > 0 else 0


@rule
def limited(number: int) -> int:
    """3.3 What a stack or a stock can hold of it."""
    return MAX_UNITS if number > MAX_UNITS else number
