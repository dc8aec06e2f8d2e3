"""1.9 Lawful positions: putting things on a bare board. Not part of a turn."""

from __future__ import annotations

from polemos.games.monad.rules.board import block_tile, core_of, is_open, put_building, set_stack
from polemos.games.monad.state import (
    BLOCKED,
    BUILDING,
    GOOD,
    MAX_UNITS,
    NO_ROOM,
    NOT_PLAYING,
    ODD_ORE,
    ODD_POINTS,
    ODD_UNITS,
    OFF_THE_MAP,
    STACK,
    STACK_THERE,
    TILE_BLOCKED,
    State,
    Thing,
)
from polemos.kernel.record import Many
from polemos.kernel.rule import entry, rule


@entry
def put_things(state: State, things: Many[Thing], count: int) -> int:
    """Puts them one after the other; says which is the first that cannot be, and why in its `fault`. -1: all are."""
    for i in range(count):
        things[i].fault = put(state, things[i])
        if things[i].fault != GOOD:
            return i
    return -1


@rule
def put(state: State, thing: Thing) -> int:
    if not (0 <= thing.x < state.width and 0 <= thing.y < state.height):
        return OFF_THE_MAP
    tile = thing.y * state.width + thing.x
    if thing.kind == STACK:
        return put_stack(state, thing.seat, tile, thing.number)
    if thing.kind == BUILDING:
        return put_whole_building(state, thing.seat, tile, thing.direction, thing.number)
    return put_ore(state, tile, thing.number)


@rule
def put_stack(state: State, seat: int, tile: int, units: int) -> int:
    if state.cell[tile].units != 0:
        return STACK_THERE
    if not is_open(state, tile):
        return TILE_BLOCKED
    if not 1 <= units <= MAX_UNITS:
        return ODD_UNITS
    if seat >= state.seats:
        return NOT_PLAYING
    set_stack(state, tile, seat, units)
    state.units[seat] += units
    return GOOD


@rule
def put_whole_building(state: State, seat: int, core: int, direction: int, points: int) -> int:
    for which in range(4):
        tile = block_tile(state, core, direction, which)
        if not is_open(state, tile) or state.cell[tile].building != 0:
            return NO_ROOM
    if not 0 <= points < state.unit_cost:
        return ODD_POINTS
    if seat >= state.seats:
        return NOT_PLAYING
    put_building(state, seat, core, direction)
    state.cell[core].points = points
    return GOOD


@rule
def put_ore(state: State, tile: int, left: int) -> int:
    field = state.cell[tile].field
    if not 0 <= left <= (0 if field == BLOCKED else field):
        return ODD_ORE
    state.cell[tile].ore = left
    return GOOD


@entry
def occupied_core(state: State) -> int:
    """The first core on which foreign units stand, or -1."""
    for tile in range(state.width * state.height):
        cell = state.cell[tile]
        owner = core_of(cell.building)
        if owner >= 0 and cell.units != 0 and cell.owner != owner:
            return tile
    return -1
