"""A sheet that a bot gives one order at a time: each is judged together with those before it, and answered at once."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from polemos.kernel.capabilities.order_by_order import OrderByOrder
from polemos.kernel.errors import OrderError
from polemos.kernel.game import AnyGame, max_lines, worth_offering
from polemos.kernel.log import SILENT
from polemos.kernel.orders import Fault
from polemos.wire.bot import Ready, Update
from polemos.wire.state_record import state_record_if


class TooManyOrders(Exception):
    """A bot gave more orders than fit on a sheet. Void ones count, too, because each costs the umpire time."""


class Piecemeal:
    """The orders given so far for one view. Only the view is known here, so nothing else can leak."""

    def __init__(self, game: AnyGame, setting: Any, view: Any, seat: str, ready: Ready, seed: int) -> None:
        self.given: list[Any] = []
        self._taken = 0  # orders, void ones too
        self._game, self._setting, self._view, self._seat = game, setting, view, seat
        self._ready, self._seed = ready, seed
        self._state = game.imagine(setting, view, 0)

    def take(self, line: object) -> Update:
        """Adds the order to the sheet, or says why it cannot be added."""
        game = self._game
        fault = self._try(line)
        options = worth_offering(game.options(self._setting, self._view, self.given)) if self._ready.options else None
        if not isinstance(game, OrderByOrder) or fault is not None:
            return Update(fault, options)
        now = game.observe(self._state, self._seat)
        record = state_record_if(self._ready.record, game, self._setting, now, self._seed)
        return Update(fault, options, now, record)

    def _try(self, line: object) -> Fault | None:
        game = self._game
        if self._taken >= max_lines(game, self._state):
            raise TooManyOrders
        self._taken += 1
        sheet = game.check(self._state, self._seat, [line] if isinstance(game, OrderByOrder) else [*self.given, line])
        last = sheet.lines[-1]
        if last.fault is None:
            self.given.append(last.order)
            if isinstance(game, OrderByOrder):
                with suppress(OrderError):
                    game.apply(self._state, self._seat, last.order, SILENT)
        fault: Fault | None = last.fault
        return fault
