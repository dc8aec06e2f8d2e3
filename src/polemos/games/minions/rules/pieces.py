"""3 Units: whose a piece is, what it can do, putting it on a board and taking it away."""

from __future__ import annotations

from polemos.games.minions.state import GRAVEYARD, HEXES, MAX_TYPES, MAX_ZONE, Board, State
from polemos.kernel.rule import rule


@rule
def is_of(piece: int, side: int) -> bool:
    """Whether the piece belongs to the side; nobody owns an empty hex."""
    return piece > 0 if side == 0 else piece < 0


@rule
def is_enemy(piece: int, side: int) -> bool:
    return piece < 0 if side == 0 else piece > 0


@rule
def type_of(piece: int) -> int:
    return abs(piece) - 1


@rule
def owner_of(piece: int) -> int:
    return 0 if piece > 0 else 1


@rule
def has(state: State, piece: int, keyword: int) -> bool:
    """7 Whether the type of the piece has the keyword."""
    return state.type[abs(piece) - 1].keywords & keyword != 0


@rule
def put(board: Board, hex: int, side: int, type: int) -> None:
    there = board.hex[hex]
    there.piece = type + 1 if side == 0 else -(type + 1)
    there.damage = 0
    there.used = 0
    there.marks = 0


@rule
def take(board: Board, hex: int) -> None:
    there = board.hex[hex]
    there.piece = 0
    there.damage = 0
    there.used = 0
    there.marks = 0


@rule
def to_zone(board: Board, side: int, type: int, number: int) -> None:
    """2.4 Zones know types only; 16.2 what a full one cannot hold is gone."""
    there = side * MAX_TYPES + type
    board.zone[there] = min(board.zone[there] + number, MAX_ZONE)


@rule
def in_zone(board: Board, side: int, type: int) -> int:
    return board.zone[side * MAX_TYPES + type]


@rule
def graveyards(board: Board, side: int) -> int:
    """1.6 How many graveyards the side controls."""
    count = 0
    for hex in range(HEXES):
        if board.hex[hex].ground == GRAVEYARD and is_of(board.hex[hex].piece, side):
            count += 1
    return count
