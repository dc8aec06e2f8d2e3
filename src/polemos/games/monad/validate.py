"""1.9 Lawful positions: putting things on the board, and what must hold when all is put."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polemos.games.monad.rules.board import set_stack
from polemos.games.monad.rules.placing import occupied_core, put_things
from polemos.games.monad.state import (
    BUILDING,
    GOOD,
    MAX_UNITS,
    NO_DIRECTION,
    NO_ROOM,
    NOBODY,
    NOT_PLAYING,
    ODD_ORE,
    ODD_POINTS,
    ODD_UNITS,
    OFF_THE_MAP,
    ORE,
    SEATS,
    STACK,
    STACK_THERE,
    SURVIVAL,
    TILE_BLOCKED,
    State,
    Thing,
)
from polemos.kernel.errors import BadPosition
from polemos.kernel.record import many


def unlawful(why: str) -> BadPosition:
    return BadPosition(why, rule="1.9")


def put(state: State, rows: Sequence[tuple[int, int, int, int, int, int, int]]) -> None:
    """Puts stacks, buildings and ore on the board, each given as the fields of a `Thing`."""
    things = many(Thing, len(rows))
    if rows:
        things.numbers()[:] = np.array(rows, dtype=Thing.dtype)
    at = put_things(state, things, len(rows))
    if at >= 0:
        raise _refusal(state, things[at])


def _refusal(state: State, thing: Thing) -> BadPosition:
    here, number = f"{thing.x},{thing.y}", thing.number
    ore = max(0, state.cell[thing.y * state.width + thing.x].field) if thing.fault == ODD_ORE else 0
    return unlawful(
        {
            OFF_THE_MAP: f"{here} is not on the map: its tiles are 0,0 to {state.width - 1},{state.height - 1}.",
            NOT_PLAYING: f"{SEATS[thing.seat].capitalize()} is not playing: the match has {state.seats} players.",
            STACK_THERE: f"Two stacks stand on {here}.",
            TILE_BLOCKED: f"{here} is blocked: nobody can stand there.",
            ODD_UNITS: f"A stack has 1 to {MAX_UNITS} units, not {number}.",
            NO_ROOM: f"There is no room for the building with its core on {here}.",
            ODD_POINTS: f"A building has fewer points than a unit costs, {state.unit_cost}; this one has {number}.",
            ODD_ORE: f"{here} started with {ore} ore; it cannot have {number}.",
        }[thing.fault]
    )


def place_stack(state: State, seat: int, x: int, y: int, units: int) -> None:
    put(state, [(STACK, seat, NO_DIRECTION, GOOD, x, y, units)])


def place_building(state: State, seat: int, x: int, y: int, direction: int, points: int) -> None:
    put(state, [(BUILDING, seat, direction, GOOD, x, y, points)])


def place_ore(state: State, x: int, y: int, left: int) -> None:
    put(state, [(ORE, 0, NO_DIRECTION, GOOD, x, y, left)])


def clear(state: State) -> None:
    """Takes the first units away, so that others can be put."""
    for seat in range(state.seats):
        set_stack(state, state.start[seat], 0, 0)
        state.units[seat] = 0


def validate(state: State) -> None:
    """What must hold of a whole position."""
    tile = occupied_core(state)
    if tile >= 0:
        raise unlawful(f"{tile % state.width},{tile // state.width} is a core with another player's units on it.")
    if not (0 <= state.turn <= state.turns and (state.reason or state.turn < state.turns)):
        raise unlawful(f"Turn {state.turn} of {state.turns} cannot have been played with the game still running.")
    for seat in range(state.seats):
        _validate_seat(state, seat)
    if not 0 <= state.alone <= SURVIVAL or (state.alone and not _is_alone(state)):
        raise unlawful(f"A player can be alone only with the only units on the board, for 1 to {SURVIVAL} turn ends.")
    _validate_end(state)


def _validate_seat(state: State, seat: int) -> None:
    name = SEATS[seat].capitalize()
    if not 0 <= state.stock[seat] <= MAX_UNITS:
        raise unlawful(f"{name} has {state.stock[seat]} stock; it must be 0 to {MAX_UNITS}.")
    if not 0 <= state.forfeited[seat] <= state.turn + 1 or not 0 <= state.out[seat] <= state.turn:
        raise unlawful(f"{name} cannot be out since a turn that has not been played.")
    if state.out[seat] and (state.units[seat] or state.buildings[seat]):
        raise unlawful(f"{name} is out but still has units or buildings.")


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
