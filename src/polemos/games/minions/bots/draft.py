"""A turn in the making: orders that are tried on a copy of the position, so that none is ever refused."""

from __future__ import annotations

from polemos.games.minions.notation import Order
from polemos.games.minions.orders import order_of
from polemos.games.minions.rules import turn
from polemos.games.minions.setup import table_in
from polemos.games.minions.state import CHOOSE, KEEP_DEAREST, SPELLS, State, Work
from polemos.games.minions.state import Order as OrderRecord
from polemos.games.minions.view import Setting, View, imagine
from polemos.kernel.log import SILENT


def may_order(view: View) -> bool:
    """Whether this view is that of a side whose turn it is, in a game that goes on."""
    return view.who == view.side and view.outcome is None and not view.gave_up


class Draft:
    """The position after the orders given so far, and these orders."""

    def __init__(self, setting: Setting, view: View) -> None:
        self.state: State = imagine(setting, view)
        self.orders: list[Order] = []
        self.work = Work()
        self._table = table_in(self.state)

    def give(self, kind: int, at: int, start: int, target: int, type: int, swap: int = 0) -> bool:
        """One order on a board; a choice keeps the unit `start`. False, and nothing happens, if it is not legal."""
        record = OrderRecord(kind=kind, board=at, type=type, keep=KEEP_DEAREST, count=1)
        if kind == CHOOSE:
            record.keep = start
        else:
            record.start[0], record.target[0] = max(start, 0), max(target, 0)
        if swap:
            record.count = 2
            record.start[1], record.target[1] = target, start
        if turn.apply(self.state, record, SILENT, self.work):
            return False
        self.orders.append(order_of(self._table, at + 1, kind, start, target, type, swap))
        return True

    def spell(self, card: int) -> bool:
        """One spell, a march or the card to be teched, if it is legal and can be paid."""
        record = OrderRecord(kind=SPELLS, count=1)
        record.start[0] = card
        if turn.apply(self.state, record, SILENT, self.work):
            return False
        self.orders.append(order_of(self._table, 0, SPELLS, card, card, 0))
        return True
