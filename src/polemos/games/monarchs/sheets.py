"""Sheets as the rules read them."""

from __future__ import annotations

from collections.abc import Sequence

from polemos.games.monarchs.board import INDEX
from polemos.games.monarchs.notation import March, Order
from polemos.games.monarchs.state import BLESS, GOOD, MARCH, MAX_LINES, UNREADABLE, Sheet


def enter(sheet: Sheet, orders: Sequence[Order | None]) -> None:
    """Writes orders into the record that the rules read."""
    sheet.count = min(len(orders), MAX_LINES)
    for i, order in enumerate(orders[:MAX_LINES]):
        line = sheet.lines[i]
        if order is None:
            line.fault = UNREADABLE
        elif isinstance(order, March):
            line.kind, line.fault = MARCH, GOOD
            line.origin, line.target = INDEX[order.origin], INDEX[order.target]
            line.number = min(order.number, 30_000)
        else:
            line.kind, line.fault = BLESS, GOOD
            line.target = INDEX[order.hex]
