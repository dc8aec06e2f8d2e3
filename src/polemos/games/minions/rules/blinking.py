"""17.3 Blinks, which only the rules of the public engines know: a unit goes back to its zone."""

from __future__ import annotations

from polemos.games.minions.rules import events
from polemos.games.minions.rules.pieces import has, is_of, take, to_zone, type_of
from polemos.games.minions.state import BLINK, Board, State
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def blink_fault(state: State, board: Board, hex: int) -> int:
    """17.3 Why a unit cannot blink; whether it has moved or attacked does not matter."""
    if board.closed != 0:
        return 407
    piece = board.hex[hex].piece
    if not is_of(piece, state.side):
        return 502
    return 0 if has(state, piece, BLINK) else 1703


@rule
def blink(state: State, at: int, hex: int, line: int, log: Log) -> None:
    """17.3 Into the zone of this board, from which it can be spawned in the same turn."""
    board = state.board[at]
    kind = type_of(board.hex[hex].piece)
    take(board, hex)
    to_zone(board, state.side, kind, 1)
    events.blinked(log, line, state.side, at, hex, kind)
