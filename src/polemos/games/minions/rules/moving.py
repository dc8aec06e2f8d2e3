"""5 Ticks and movement."""

from __future__ import annotations

from polemos.games.minions.rules import events
from polemos.games.minions.rules.geometry import distance, neighbour
from polemos.games.minions.rules.pieces import has, is_enemy, is_of, take, type_of
from polemos.games.minions.state import FLYING, MOVED, WATER, Board, Order, State, Work
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def tick_fault(state: State, order: Order, count: int, work: Work) -> int:
    """5.2 to 5.9 Each check is made for all moves, so many, before the next check."""
    board = state.board[order.board]
    if board.closed != 0:
        return 407
    for i in range(count):
        if not is_of(board.hex[order.start[i]].piece, state.side):
            return 502
    if marked_badly(order, count, work):
        return 503
    for i in range(count):
        if rest_fault(board, order.start[i]) == 504:
            return 504
    for i in range(count):
        if rest_fault(board, order.start[i]) != 0:
            return 505
    for i in range(count):
        if not is_free(state, board, order.target[i], work):
            return 506
    for i in range(count):
        if work.entering[order.target[i]] == work.stamp:
            return 507
        work.entering[order.target[i]] = work.stamp
    for i in range(count):
        if is_too_far(state, board, order.start[i], order.target[i]):
            return 508
    for i in range(count):
        if not has_path(state, board, order.start[i], order.target[i], work):
            return 509
    return 0


@rule
def rest_fault(board: Board, hex: int) -> int:
    """5.4, 5.5 Why a unit stays where it is for the rest of the turn."""
    if board.hex[hex].marks & MOVED:
        return 504
    return 505 if board.hex[hex].used != 0 else 0


@rule
def is_too_far(state: State, board: Board, start: int, target: int) -> bool:
    """5.8"""
    return distance(start, target) > state.type[type_of(board.hex[start].piece)].speed


@rule
def marked_badly(order: Order, count: int, work: Work) -> bool:
    """5.3 Marks the hexes that are left; a unit named twice, or staying where it is, is not a move."""
    work.stamp += 1
    for i in range(count):
        if order.start[i] == order.target[i] or work.leaving[order.start[i]] == work.stamp:
            return True
        work.leaving[order.start[i]] = work.stamp
    return False


@rule
def is_free(state: State, board: Board, hex: int, work: Work) -> bool:
    """5.6 Empty, or held by a friend that moves away in this tick."""
    piece = board.hex[hex].piece
    return piece == 0 or (is_of(piece, state.side) and work.leaving[hex] == work.stamp)


@rule
def has_path(state: State, board: Board, start: int, target: int, work: Work) -> bool:
    """5.9 Some path of land without enemies, no longer than the speed; 7.1 Flying units pass everything."""
    piece = board.hex[start].piece
    if has(state, piece, FLYING):
        return True
    if board.hex[target].ground == WATER:
        return False
    speed = state.type[type_of(piece)].speed
    if speed == 1 or distance(start, target) == 1:
        return True
    return flood(state, board, start, target, speed, work) != 0


@rule
def flood(state: State, board: Board, start: int, target: int, speed: int, work: Work) -> int:
    """Walks from the start as far as the speed allows; stops at the target. Counts the hexes met, or 0: no way there.

    With a target of -1 all hexes in reach are met; they stand in `work.queue`, the start first.
    """
    work.stamp += 1
    work.seen[start] = work.stamp
    work.depth[start] = 0
    work.queue[0] = start
    count = 1
    at = 0
    while at < count:
        here = work.queue[at]
        at += 1
        if work.depth[here] == speed:
            break
        for way in range(6):
            there = neighbour(here, way)
            if there >= 0 and work.seen[there] != work.stamp and is_passable(state, board, there):
                if there == target:
                    return count
                work.seen[there] = work.stamp
                work.depth[there] = work.depth[here] + 1
                work.queue[count] = there
                count += 1
    return count if target < 0 else 0


@rule
def is_passable(state: State, board: Board, hex: int) -> bool:
    """5.9 Land without an enemy; friends never block."""
    return board.hex[hex].ground != WATER and not is_enemy(board.hex[hex].piece, state.side)


@rule
def tick(state: State, order: Order, count: int, log: Log, work: Work) -> None:
    """5.10 All units of the tick step at once."""
    board = state.board[order.board]
    number = events.next_tick(log, order.board)
    for i in range(count):
        here = board.hex[order.start[i]]
        moving = work.moving[i]
        moving.piece = here.piece
        moving.damage = here.damage
        take(board, order.start[i])
    for i in range(count):
        there = board.hex[order.target[i]]
        there.piece = work.moving[i].piece
        there.damage = work.moving[i].damage
        there.marks = MOVED
        type = type_of(there.piece)
        events.moved(log, order.line, state.side, order.board, order.start[i], order.target[i], type, number)
