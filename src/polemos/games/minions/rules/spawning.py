"""9 Purchase and spawning."""

from __future__ import annotations

from polemos.games.minions.rules import events
from polemos.games.minions.rules.geometry import neighbour
from polemos.games.minions.rules.pieces import has, in_zone, is_of, put, to_zone
from polemos.games.minions.rules.techline import spells_under
from polemos.games.minions.state import (
    AT_ONCE,
    CHAINS,
    FLYING,
    FRESH,
    MAX_ZONE,
    NORMAL,
    RESET2,
    SPAWN,
    WATER,
    Board,
    State,
)
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def has_spawn_phase(board: Board) -> bool:
    """9.1, 10.1"""
    return board.state in (NORMAL, RESET2)


@rule
def can_be_bought(state: State, type: int) -> bool:
    """9.2, 8.7 Basic units, and types teched before this turn; 17.2 never a special card."""
    if state.type[type].cost == 0:
        return False
    if state.type[type].basic != 0:
        return True
    for card in range(state.cards):
        if state.card[card] == type:
            return was_teched(state, card)
    return False


@rule
def was_teched(state: State, card: int) -> bool:
    """8.7 Whether the mover has teched a card before this turn, or at all (17.6)."""
    return spells_under(state, state.side, card) == 2 and (state.teched[card] == 0 or state.switches & AT_ONCE != 0)


@rule
def buy_fault(state: State, board: Board, type: int) -> int:
    if not has_spawn_phase(board):
        return 901
    if not can_be_bought(state, type):
        return 902
    if state.money[state.side] < state.type[type].cost:
        return 903
    return 1602 if in_zone(board, state.side, type) >= MAX_ZONE else 0


@rule
def buy(state: State, at: int, type: int, line: int, log: Log) -> None:
    """9.3 Paid at once, into the zone; 4.7 the attack phase is closed."""
    board = state.board[at]
    board.closed = 1
    state.money[state.side] -= state.type[type].cost
    to_zone(board, state.side, type, 1)
    events.bought(log, line, state.side, at, type, state.type[type].cost)


@rule
def spawn_fault(state: State, board: Board, type: int, hex: int) -> int:
    """9.4 to 9.8"""
    if not has_spawn_phase(board):
        return 901
    if in_zone(board, state.side, type) == 0:
        return 904
    return room_fault(state, board, type, hex)


@rule
def room_fault(state: State, board: Board, type: int, hex: int) -> int:
    """9.5 to 9.8 Why a unit of this type cannot appear there, whether or not one waits in the zone."""
    if board.hex[hex].piece != 0:
        return 905
    spawner = spawner_beside(state, board, hex)
    if spawner < 2:
        return 906 + spawner
    return 908 if board.hex[hex].ground == WATER and state.type[type].keywords & FLYING == 0 else 0


@rule
def spawner_beside(state: State, board: Board, hex: int) -> int:
    """9.6, 9.7 Whether an own unit with Spawn stands next to the hex: 0 none, 1 only fresh ones, 2 one that may."""
    found = 0
    for way in range(6):
        there = neighbour(hex, way)
        if there >= 0:
            spawner = spawner_on(state, board, there)
            if spawner == 2:
                return 2
            found = max(found, spawner)
    return found


@rule
def spawner_on(state: State, board: Board, hex: int) -> int:
    """9.6, 9.7 Whether an own unit with Spawn stands on the hex: 0 none, 1 a fresh one, 2 one that may."""
    here = board.hex[hex]
    if not is_of(here.piece, state.side) or not has(state, here.piece, SPAWN):
        return 0
    return 2 if here.marks & FRESH == 0 or state.switches & CHAINS != 0 else 1  # 17.5


@rule
def spawn(state: State, at: int, type: int, hex: int, line: int, log: Log) -> None:
    board = state.board[at]
    board.closed = 1
    to_zone(board, state.side, type, -1)
    put(board, hex, state.side, type)
    board.hex[hex].marks = FRESH  # 9.7, 9.9
    events.spawned(log, line, state.side, at, hex, type)
