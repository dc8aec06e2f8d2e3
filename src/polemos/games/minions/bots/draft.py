"""A turn in the making: orders that are tried on a copy of the position, so that none is ever refused."""

from __future__ import annotations

from polemos.games.minions.maps import hex_name
from polemos.games.minions.notation import Attack, Buy, Choose, Move, Order, Spawn, Spells, Tick
from polemos.games.minions.rules import turn
from polemos.games.minions.setup import table_in
from polemos.games.minions.state import ATTACK, BUY, CHOOSE, KEEP_DEAREST, MARCH, MOVE, SPAWNING, SPELLS, State, Work
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
        """One order on a board; a choice keeps the unit `start`. False, and nothing happens, if it is not lawful."""
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
        self.orders.append(self._written(kind, at + 1, start, target, type, swap))
        return True

    def spell(self, card: int) -> bool:
        """One spell, a march or the card to be teched, if it is lawful and can be paid."""
        record = OrderRecord(kind=SPELLS, count=1)
        record.start[0] = card
        if turn.apply(self.state, record, SILENT, self.work):
            return False
        self.orders.append(Spells(("march" if card == MARCH else f"tech {card + 1}",)))
        return True

    def _written(self, kind: int, board: int, start: int, target: int, type: int, swap: int) -> Order:
        word = self._table.types[type].letter
        if kind == MOVE and swap:
            here, there = hex_name(start), hex_name(target)
            return Tick(board, (f"{here}-{there}", f"{there}-{here}"))
        if kind in (MOVE, ATTACK):
            return (Move if kind == MOVE else Attack)(board, hex_name(start), hex_name(target))
        if kind == BUY:
            return Buy(board, word)
        if kind == SPAWNING:
            return Spawn(board, word, hex_name(target))
        keep = None if start == KEEP_DEAREST else self._table.types[start].letter
        return Choose(board, self._table.types[type].name, keep)
