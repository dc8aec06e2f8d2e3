"""4.9 A turn in progress: one list of orders for each board and one for the techline.

The working position is the start of the turn with all lists applied. They are joined by the purse and by the pool of
necromancers alone, so the orders are kept in the sequence in which they were accepted, and taking one back plays the
rest again: what is left of the other lists stands, because taking back frees money and never costs any.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from polemos.games.minions.giving import MAX_REFUSED
from polemos.games.minions.notation import End, Order, Spells, read_order, write_order
from polemos.games.minions.orders import record_of, refusal
from polemos.games.minions.rules import turn
from polemos.games.minions.state import MAX_BOARDS, SIDES, State, Work
from polemos.kernel.errors import IllegalOrder, OrderError
from polemos.kernel.log import SILENT, Log

GENERAL: Final = "general"
ROLES: Final = (GENERAL, *(f"captain {board}" for board in range(1, MAX_BOARDS + 1)))
LINE: Final = 0  # the list of the techline; boards are 1 to 8


class Dropped(Struct, frozen=True):
    """An order that no longer fits after another was taken back, and the paragraph that says so."""

    order: Order
    rule: str


def role_of(order: Order) -> str | None:
    """2.6 The general gives the spells, the captain of a board everything else on it."""
    if isinstance(order, End):
        return None
    return GENERAL if isinstance(order, Spells) else f"captain {order.board or 1}"


def list_of(order: Order) -> int:
    return LINE if isinstance(order, Spells | End) else order.board or 1


class Turn:
    """The turn of the side to move, order by order, until it ends."""

    def __init__(self, start: State) -> None:
        self.start = start.copy()
        self.state = start.copy()  # the working position
        self.given: list[Order] = []  # in the sequence in which they were accepted
        self._undone: dict[int, list[Order]] = {}
        self.refused = 0
        self.most_refused = MAX_REFUSED  # a table may set another number (13.5)
        self._work = Work()

    @property
    def side(self) -> str:
        return SIDES[self.start.side]

    def listed(self, which: int) -> list[Order]:
        """The orders of one list: 0 the techline, 1 to 8 the boards."""
        return [order for order in self.given if list_of(order) == which]

    # ---- giving

    def give(self, line: object, side: str | None = None, roles: Collection[str] = ROLES) -> Order:
        """4.4 One order of a side by a person with these roles; raises an OrderError and changes nothing if refused."""
        try:
            order = self._accept(line, side or self.side, roles)
        except OrderError:
            self.refused += 1
            raise
        self._undone.pop(list_of(order), None)
        return order

    def _accept(self, line: object, side: str, roles: Collection[str]) -> Order:
        self._check_side(side)
        if self.refused >= self.most_refused:
            raise refusal(1305)
        order = read_order(line)
        record = record_of(self.state, order)
        self._check_role(role_of(order), roles)
        if fault := turn.apply(self.state, record, SILENT, self._work):
            raise refusal(fault)
        if not isinstance(order, End):
            self.given.append(order)
        return order

    @staticmethod
    def _check_role(role: str | None, roles: Collection[str]) -> None:
        if role is not None and role not in roles:
            raise IllegalOrder(f"Only the {role} can give this order.", rule="2.6")

    # ---- taking back

    def undo(self, which: int, side: str | None = None, roles: Collection[str] = ROLES) -> Order:
        """4.10 Takes back the last order of a list."""
        self._check_list(which, side, roles)
        mine = self.listed(which)
        if not mine:
            raise IllegalOrder("There is nothing to undo.", rule="4.10")
        at = len(self.given) - 1 - [list_of(order) for order in reversed(self.given)].index(which)
        order = self.given[at]
        self._rebuild([other for i, other in enumerate(self.given) if i != at], which)
        self._undone.setdefault(which, []).append(order)
        return order

    def redo(self, which: int, side: str | None = None, roles: Collection[str] = ROLES) -> Order:
        """4.10 Gives the order that was taken back last again; judged as a new one."""
        self._check_list(which, side, roles)
        waiting = self._undone.get(which, [])
        if not waiting:
            raise IllegalOrder("There is nothing to redo.", rule="4.10")
        order = self._accept(waiting[-1], self.side, roles)
        waiting.pop()
        return order

    def take_back(
        self, which: int, number: int, side: str | None = None, roles: Collection[str] = ROLES
    ) -> list[Dropped]:
        """4.11 Takes back one order of a list, from 1; names what no longer fits."""
        self._check_list(which, side, roles)
        mine = [i for i, order in enumerate(self.given) if list_of(order) == which]
        if not 1 <= number <= len(mine):
            raise IllegalOrder("There is no such order to take back.", rule="4.10")
        gone = mine[number - 1]
        dropped = self._rebuild([order for i, order in enumerate(self.given) if i != gone], which)
        self._undone.pop(which, None)
        return dropped

    def take_all_back(self, side: str | None = None, roles: Collection[str] = ROLES) -> None:
        """4.12 Clears the lists of the caller's own roles."""
        self._check_side(side or self.side)
        kept = [order for order in self.given if role_of(order) not in roles]
        self._rebuild(kept, None)
        for which in list(self._undone):
            if _role_of_list(which) in roles:
                del self._undone[which]

    def _check_list(self, which: int, side: str | None, roles: Collection[str]) -> None:
        self._check_side(side or self.side)
        self._check_role(_role_of_list(which), roles)

    def _check_side(self, side: str) -> None:
        if self.start.reason:
            raise IllegalOrder("The game is over.", rule="12.8")
        if side != self.side:
            raise IllegalOrder(f"{self.side.capitalize()} is to move.", rule="4.2")

    def _rebuild(self, orders: list[Order], which: int | None) -> list[Dropped]:
        """Plays the orders again from the start. Only those of the list `which` may drop out (4.12)."""
        fresh, kept, dropped = self.start.copy(), [], []
        for order in orders:
            fault = turn.apply(fresh, record_of(fresh, order), SILENT, self._work)
            if not fault:
                kept.append(order)
            elif list_of(order) == which:
                dropped.append(Dropped(order, refusal(fault).rule or ""))
            else:
                raise IllegalOrder(f"{write_order(order)!r} on another board depends on it.", rule="4.12")
        self.state, self.given = fresh, kept
        return dropped

    # ---- the end

    def end(self, log: Log) -> State:
        """4.8 The position after the end of the turn; what happened goes into the log."""
        after = self.start.copy()
        for line, order in enumerate(self.given, 1):
            turn.apply(after, record_of(after, order, line), log, self._work)
        turn.end(after, log)
        return after


def _role_of_list(which: int) -> str:
    return GENERAL if which == LINE else f"captain {which}"
