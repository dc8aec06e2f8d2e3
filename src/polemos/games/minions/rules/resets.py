"""10 Board states and resets."""

from __future__ import annotations

from polemos.games.minions.rules import events
from polemos.games.minions.rules.geometry import ring_hex
from polemos.games.minions.rules.pieces import has, in_zone, owner_of, put, take, to_zone, type_of
from polemos.games.minions.state import (
    HEXES,
    KEEP_DEAREST,
    MAX_TYPES,
    NECROMANCER,
    RESETS,
    Board,
    State,
)
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def pool_place(state: State, type: int) -> int:
    """10.8 The place of an advanced necromancer in the pool, or -1."""
    for place in range(state.pools):
        if state.pool[place] == type:
            return place
    return -1


@rule
def choose_fault(state: State, board: Board, type: int, keep: int) -> int:
    """10.7 to 10.10; 17.4 always the necromancer of the start."""
    place = pool_place(state, type)
    if board.due == 0 or (type != state.first if state.switches & RESETS else place < 0):
        return 1007
    if state.switches & RESETS == 0 and state.used[state.side] >> place & 1:
        return 1008
    if keep != KEEP_DEAREST and (keep < 0 or in_zone(board, state.side, keep) == 0):
        return 1010
    return 0


@rule
def choose(state: State, at: int, type: int, keep: int, line: int, log: Log) -> None:
    """10.7, 10.10, 10.12 The necromancer on its start hex; of the zone one unit stays, and the gift is added.

    17.4 Where no unit is named, all of the zone stays.
    """
    board = state.board[at]
    kept = keep
    if keep == KEEP_DEAREST and state.switches & RESETS == 0:
        kept = dearest(state, board)
    if kept >= 0 or state.switches & RESETS == 0:
        for other in range(state.types):
            board.zone[state.side * MAX_TYPES + other] = 0
    if kept >= 0:
        to_zone(board, state.side, kept, 1)
        events.kept(log, line, state.side, at, kept)
    to_zone(board, state.side, state.gift, 1)
    put(board, start_hex(state.side), state.side, type)
    board.due = 0
    if state.switches & RESETS == 0:
        use_up(state, pool_place(state, type))
    events.chosen(log, line, state.side, at, start_hex(state.side), type)


@rule
def start_hex(side: int) -> int:
    """1.8"""
    return 22 if side == 0 else 77


@rule
def use_up(state: State, place: int) -> None:
    """10.8, 10.9 Each once; when all are used, all are free again."""
    state.used[state.side] |= 1 << place
    if state.used[state.side] == (1 << state.pools) - 1:
        state.used[state.side] = 0


@rule
def dearest(state: State, board: Board) -> int:
    """10.11 The dearest unit of the zone; among equally dear ones the type later in the table."""
    found = -1
    for type in range(state.types):
        if in_zone(board, state.side, type) > 0 and (found < 0 or state.type[type].cost >= state.type[found].cost):
            found = type
    return found


@rule
def choose_for_the_absent(state: State, log: Log) -> None:
    """10.13 Boards in order, the first free type of the pool, the dearest unit; not on resigned boards."""
    for at in range(state.boards):
        if state.board[at].due != 0 and state.board[at].resigned == 0:
            type = first_free(state)
            events.left_open(log, state.side, at, type)
            choose(state, at, type, KEEP_DEAREST, 0, log)


@rule
def first_free(state: State) -> int:
    """10.13 The first type of the pool that the mover has not used; 17.4 the necromancer of the start."""
    if state.switches & RESETS:
        return state.first
    place = 0
    while state.used[state.side] >> place & 1:
        place += 1
    return state.pool[place]


@rule
def reset(state: State, at: int) -> None:
    """10.5 All units but necromancers go to their zones; a gift for each side; new rings.

    17.4 Instead of the gift the necromancers of the start stand there at once.
    """
    board = state.board[at]
    for hex in range(HEXES):
        piece = board.hex[hex].piece
        if piece != 0 and not has(state, piece, NECROMANCER):
            to_zone(board, owner_of(piece), type_of(piece), 1)
        take(board, hex)
    for side in range(2):
        if state.switches & RESETS:
            put(board, start_hex(side), side, state.first)
        else:
            to_zone(board, side, state.gift, 1)
        lay_ring(state, at, side)


@rule
def lay_ring(state: State, at: int, side: int) -> None:
    """2.3 Six units around the start hex."""
    for way in range(6):
        put(state.board[at], ring_hex(side, way), side, state.ring)
