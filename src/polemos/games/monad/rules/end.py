"""9 The end."""

from __future__ import annotations

from typing import Final

from polemos.games.monad.rules import events
from polemos.games.monad.state import (
    ALL_FORFEITED,
    BY_BUILDINGS,
    BY_COUNT,
    BY_FORFEIT,
    BY_SURVIVAL,
    NOBODY,
    SURVIVAL,
    State,
)
from polemos.kernel.log import Log
from polemos.kernel.rule import rule

GROUP: Final = 1 << 50


@rule
def is_in(state: State, seat: int) -> bool:
    """9.7 Whoever forfeited is left out."""
    return state.forfeited[seat] == 0


@rule
def ending(winner: int, reason: int) -> int:
    """9.7 The reason as people are told it."""
    return ALL_FORFEITED if winner == NOBODY and reason == BY_FORFEIT else reason


@rule
def finish(state: State, winner: int, drawn: int, reason: int, log: Log) -> None:
    state.winner = winner
    state.drawn = drawn
    state.reason = reason
    events.ended(log, winner, ending(winner, reason), drawn)


@rule
def forfeits(state: State, log: Log) -> bool:
    """9.7 When one player remains, that player wins at once; when all forfeit together it is a draw."""
    left = 0
    last = 0
    together = 0
    for seat in range(state.seats):
        if is_in(state, seat):
            left += 1
            last = seat
        elif state.forfeited[seat] == state.turn + 1:
            together |= 1 << seat
    if left == 1:
        finish(state, last, 0, BY_FORFEIT, log)
    elif left == 0:
        finish(state, NOBODY, together, BY_FORFEIT, log)
    return left < 2


@rule
def end_of_turn(state: State, log: Log) -> None:
    """9.4 The victories, in their order."""
    state.turn += 1
    who_is_out(state, log)
    count_survival(state, log)
    winner = by_buildings(state)
    if winner >= 0:
        finish(state, winner, 0, BY_BUILDINGS, log)
    elif state.alone >= SURVIVAL:
        finish(state, state.alone_seat, 0, BY_SURVIVAL, log)
    elif state.turn >= state.turns:
        by_count(state, log)


@rule
def who_is_out(state: State, log: Log) -> None:
    """9.6 A turn end without any unit and building."""
    for seat in range(state.seats):
        if is_in(state, seat) and state.out[seat] == 0 and state.units[seat] == 0 and state.buildings[seat] == 0:
            state.out[seat] = state.turn
            events.out(log, seat, state.turn)


@rule
def by_buildings(state: State) -> int:
    """9.1 The only owner of buildings, once every other player has owned one or has no units left; else -1."""
    owner = -1
    for seat in range(state.seats):
        if is_in(state, seat) and state.buildings[seat] > 0:
            if owner >= 0:
                return -1
            owner = seat
    if owner < 0:
        return -1
    for seat in range(state.seats):
        if is_in(state, seat) and seat != owner and state.built[seat] == 0 and state.units[seat] > 0:
            return -1
    return owner


@rule
def count_survival(state: State, log: Log) -> None:
    """9.2 Turn ends in a row at which one player alone has units."""
    holders = 0
    only = 0
    for seat in range(state.seats):
        if is_in(state, seat) and state.units[seat] > 0:
            holders += 1
            only = seat
    if holders != 1:
        state.alone = 0
        state.alone_seat = 0
        return
    state.alone = state.alone + 1 if state.alone > 0 and state.alone_seat == only else 1
    state.alone_seat = only
    events.alone(log, only, state.alone)


@rule
def by_count(state: State, log: Log) -> None:
    """9.3, 9.6 Strictly most units; who is out leads only when everybody is."""
    anybody = 0
    for seat in range(state.seats):
        if is_in(state, seat) and state.out[seat] == 0:
            anybody = 1
    most = -1
    leaders = 0
    leader = 0
    for seat in range(state.seats):
        if not is_in(state, seat) or (anybody == 1 and state.out[seat] != 0):
            continue
        if state.units[seat] > most:
            most = state.units[seat]
            leaders = 0
        if state.units[seat] == most:
            leaders |= 1 << seat
            leader = seat
    if leaders == 1 << leader:
        finish(state, leader, 0, BY_COUNT, log)
    else:
        finish(state, NOBODY, leaders, BY_COUNT, log)


@rule
def rank(state: State, seat: int) -> int:
    """9.8 The place of a player in a game that has ended, from 1; equal ones share it."""
    better = 0
    for other in range(state.seats):
        better += standing(state, other) < standing(state, seat)
    return 1 + better


@rule
def standing(state: State, seat: int) -> int:
    """9.8 Less is better. Within a group more units, or a later turn, are better; both are far below 2^50."""
    if seat == state.winner or state.drawn >> seat & 1:
        return 0
    if state.forfeited[seat] != 0:
        return 3 * GROUP - state.forfeited[seat]
    if state.out[seat] != 0:
        return 2 * GROUP - state.out[seat]
    return GROUP - state.units[seat]
