"""4.4 Orders given one after the other, each on the position as it then stands."""

from __future__ import annotations

from typing import Final

from polemos.games.minions.notation import End, Order
from polemos.games.minions.orders import record_of, refusal
from polemos.games.minions.rules import turn
from polemos.games.minions.state import SIDES, State, Work
from polemos.kernel.errors import IllegalOrder, OrderError
from polemos.kernel.log import SILENT, Log

MAX_REFUSED: Final = 1000  # 13.5


class Giving:
    """The orders of a side, carried out on a state."""

    def __init__(self, state: State, seat: str, log: Log = SILENT) -> None:
        self.state = state
        self._seat, self._log, self._work = seat, log, Work()
        self._refused, self._ended = 0, False

    def bar(self) -> OrderError | None:
        """Why no order at all is taken now; None if there is no such reason."""
        if self.state.reason:
            return IllegalOrder("The game is over.", rule="12.8")
        if self._refused >= MAX_REFUSED:
            return refusal(1305)
        if self._seat != SIDES[self.state.side]:
            return IllegalOrder(f"{SIDES[self.state.side].capitalize()} is to move.", rule="4.2")
        return refusal(408) if self._ended else None

    def give(self, order: Order | None) -> OrderError | None:
        """Carries an order out; why it was refused, or None. A line that could not be read is refused."""
        error = None if order is None else self.bar() or self._try(order)
        self._refused += order is None or error is not None
        self._ended = self._ended or isinstance(order, End)
        return error

    def _try(self, order: Order) -> OrderError | None:
        try:
            record = record_of(self.state, order)
        except OrderError as error:
            return error
        fault = turn.apply(self.state, record, self._log, self._work)
        return refusal(fault) if fault else None
