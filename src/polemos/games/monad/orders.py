"""Orders as the rules read them, and the scratch space on which the rules work."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from polemos.games.monad.notation import Build, Mine, Move, Order
from polemos.games.monad.state import BUILD, DIRECTIONS, MINE, MOVE, NO_DIRECTION, ODD_DIRECTION, WORK, State, Work
from polemos.games.monad.state import Order as OrderRecord
from polemos.kernel.record import Many, many

_DIRECTION: Final = {word: index for index, word in enumerate(DIRECTIONS)}
_own = threading.local()


def scratch() -> Work:
    """The scratch space of this thread, which is large and clean after every use. Rules run beside each other."""
    work: Work | None = getattr(_own, "work", None)
    if work is None:
        work = _own.work = Work()
    return work


def records_of(state: State, lists: Iterable[tuple[int, Sequence[Order | None]]]) -> Many[OrderRecord]:
    """The lists of some seats, one behind the other. Lines that are None are left out."""
    width, height = state.width, state.height
    rows = [
        _row(
            seat,
            line,
            order,
            order.y * width + order.x if 0 <= order.x < width and 0 <= order.y < height else -1,
        )
        for seat, orders in lists
        for line, order in enumerate(orders, 1)
        if order is not None
    ]
    records = many(OrderRecord, len(rows))
    if rows:
        records.numbers()[:] = np.array(rows, dtype=OrderRecord.dtype)
    return records


def _row(seat: int, line: int, order: Order, tile: int) -> tuple[int, int, int, int, int, int, int, int, int]:
    number = order.number
    if isinstance(order, Move):
        return seat, MOVE, _DIRECTION[order.direction], 0, tile, line, max(order.x, 0) & 63, number, 0
    if isinstance(order, Mine):
        return seat, MINE, NO_DIRECTION, 0, tile, line, max(order.x, 0) & 63, number, 0
    if not isinstance(order, Build):
        return seat, WORK, NO_DIRECTION, 0, tile, line, max(order.x, 0) & 63, number, 0
    direction = NO_DIRECTION if order.direction is None else _DIRECTION.get(order.direction, ODD_DIRECTION)
    return seat, BUILD, direction, 0, tile, line, max(order.x, 0) & 63, number, 0
