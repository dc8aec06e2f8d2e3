"""11 The end of the turn, 12 winning, 13 leaving."""

from __future__ import annotations

from polemos.games.minions.rules import events
from polemos.games.minions.rules.pieces import graveyards, has, in_zone, is_of, type_of
from polemos.games.minions.rules.resets import choose_for_the_absent, reset
from polemos.games.minions.state import (
    BLUE,
    BY_GIVING_UP,
    BY_LIMIT,
    BY_LOSSES,
    BY_WINS,
    GRAVEYARDS,
    HEXES,
    MAX_MONEY,
    NOBODY,
    NORMAL,
    RESET0,
    RESET1,
    RESET2,
    RESETS,
    SOUL,
    YELLOW,
    Board,
    State,
)
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def finish(state: State, winner: int, reason: int, log: Log) -> None:
    state.winner = winner
    state.reason = reason
    events.ended(log, winner, reason)


@rule
def end_of_turn(state: State, log: Log) -> None:
    """11.1 The steps in their order; 12.8 after the deciding one nothing more."""
    choose_for_the_absent(state, log)
    income(state, log)
    lost = boards_lost(state, 0, log) if state.switches & RESETS else 0  # 17.4
    won = boards_won(state, log)
    if state.points[state.side] >= state.to_win:  # 12.6
        finish(state, state.side, BY_WINS, log)
        return
    if state.switches & RESETS == 0:
        lost = boards_lost(state, won, log)
    if state.points[1 - state.side] >= state.to_win:  # 12.7
        finish(state, 1 - state.side, BY_LOSSES, log)
        return
    if state.side == BLUE and state.turn >= state.turns:  # 12.9
        finish(state, who_is_ahead(state), BY_LIMIT, log)
        return
    hand_over(state, won, lost)


@rule
def income(state: State, log: Log) -> None:
    """11.2, 11.3 Every board pays the mover, as it stands before any reset."""
    for at in range(state.boards):
        board = state.board[at]
        held = graveyards(board, state.side)
        pay = income_of(state, board, state.side, held)
        state.money[state.side] = min(state.money[state.side] + pay, MAX_MONEY - 1)
        events.income(log, state.side, at, pay)


@rule
def income_of(state: State, board: Board, side: int, held: int) -> int:
    """11.2 What a board pays a side that holds so many of its graveyards."""
    return held + soul(state, board, side) + 2


@rule
def soul(state: State, board: Board, side: int) -> int:
    """7.6 One more with a soul on the board."""
    for hex in range(HEXES):
        piece = board.hex[hex].piece
        if is_of(piece, side) and has(state, piece, SOUL):
            return 1
    return 0


@rule
def boards_won(state: State, log: Log) -> int:
    """12.1 Boards whose enemy necromancer was destroyed this turn, as bits."""
    won = 0
    for at in range(state.boards):
        if state.board[at].killed != 0:
            won |= 1 << at
            state.points[state.side] += 1
            events.won(log, state.side, at, state.points[state.side])
            begin_anew(state, at, log)
    return won


@rule
def boards_lost(state: State, won: int, log: Log) -> int:
    """12.3, 12.4, 13.1 Boards resigned, or with eight graveyards in enemy hands, as bits; not those just won."""
    lost = 0
    for at in range(state.boards):
        board = state.board[at]
        taken = graveyards(board, 1 - state.side) >= GRAVEYARDS
        if won >> at & 1 == 0 and (board.resigned != 0 or taken):
            lost |= 1 << at
            state.points[1 - state.side] += 1
            events.lost(log, state.side, at, state.points[1 - state.side], board.resigned)
            begin_anew(state, at, log)
    return lost


@rule
def begin_anew(state: State, at: int, log: Log) -> None:
    """10.5 The board is reset, and what was true of it this turn is forgotten."""
    board = state.board[at]
    reset(state, at)
    board.killed = 0
    board.resigned = 0
    board.closed = 0
    board.due = 0
    events.reset(log, state.side, at)


@rule
def hand_over(state: State, won: int, lost: int) -> None:
    """11.4, 10.2, 10.4 Damage and used actions are wiped, states change, the other side moves."""
    for at in range(state.boards):
        board = state.board[at]
        board.state = next_state(state, board.state, won >> at & 1, lost >> at & 1)
        board.due = 1 if board.state in (RESET1, RESET2) else 0
        board.closed = 0
        board.resigned = 0
        board.killed = 0
        for hex in range(HEXES):
            there = board.hex[hex]
            there.damage = 0
            there.used = 0
            there.marks = 0
    for card in range(state.cards):
        state.teched[card] = 0
    state.placed = 0
    if state.side == BLUE:
        state.turn += 1
    state.side = 1 - state.side


@rule
def next_state(state: State, now: int, won: int, lost: int) -> int:
    """10.2, 10.4 The winner of a board opens it; 17.4 whoever moves next does."""
    if won and state.switches & RESETS == 0:
        return RESET0
    if won or lost or now == RESET0:
        return RESET1
    return RESET2 if now == RESET1 else NORMAL


@rule
def worth(state: State, side: int) -> int:
    """12.9 Money, and the cost of all own units on boards and in zones."""
    total = state.money[side] + 0
    for at in range(state.boards):
        board = state.board[at]
        for hex in range(HEXES):
            if is_of(board.hex[hex].piece, side):
                total += state.type[type_of(board.hex[hex].piece)].cost
        for type in range(state.types):
            total += in_zone(board, side, type) * state.type[type].cost
    return total


@rule
def who_is_ahead(state: State) -> int:
    """12.9 More points, then more worth, then nobody."""
    if state.points[YELLOW] != state.points[BLUE]:
        return YELLOW if state.points[YELLOW] > state.points[BLUE] else BLUE
    yellow = worth(state, YELLOW)
    blue = worth(state, BLUE)
    if yellow == blue:
        return NOBODY
    return YELLOW if yellow > blue else BLUE


@rule
def gave_up(state: State, log: Log) -> bool:
    """13.6 Who gives up loses at once; if both do, 12.9 decides."""
    if state.gave_up[YELLOW] != 0 and state.gave_up[BLUE] != 0:
        finish(state, who_is_ahead(state), BY_LIMIT, log)
    elif state.gave_up[YELLOW] != 0 or state.gave_up[BLUE] != 0:
        finish(state, BLUE if state.gave_up[YELLOW] != 0 else YELLOW, BY_GIVING_UP, log)
    return state.reason != 0
