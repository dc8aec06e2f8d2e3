"""The clocks of the seats at a table. Pure: every method is passed the current time."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final, Self

from polemos.wire.table import ClockRule

_BEGAN: Final = time.time() - time.monotonic()


def now() -> float:
    """Seconds since 1970 that never jump while the server runs, even if the machine's clock is changed."""
    return _BEGAN + time.monotonic()


class Clocks:
    """Time by seat. Clocks only run for seats whose orders are due, and only if the seat is timed."""

    def __init__(self, rule: ClockRule) -> None:
        self.rule = rule
        self._left: dict[str, float] = {}
        self._since: dict[str, float] = {}

    def copy(self) -> Self:
        fresh = type(self)(self.rule)
        fresh._left, fresh._since = self._left.copy(), self._since.copy()
        return fresh

    def begin_step(self, seats: Iterable[str], at: float) -> None:
        """Starts the clocks of these seats, whose orders are now due."""
        self.hold(at)
        if self.rule.kind == "none":
            return
        for seat in seats:
            if self.rule.kind == "turn" or seat not in self._left:
                self._left[seat] = self.rule.seconds
            self._since[seat] = at

    def stop(self, seat: str, at: float) -> None:
        """Stops the clock of a seat that has filed; a bank gets its increment."""
        if seat in self._since:
            self._left[seat] = self.left(seat, at)
            del self._since[seat]
            if self.rule.kind == "bank":
                self._left[seat] += self.rule.increment

    def go_on(self, seat: str, at: float) -> None:
        """Restarts the clock of a seat that withdrew its sheet, without the increment."""
        if self.rule.kind == "none" or seat in self._since or seat not in self._left:
            return
        if self.rule.kind == "bank":
            self._left[seat] = max(0.0, self._left[seat] - self.rule.increment)
        self._since[seat] = at

    def hold(self, at: float) -> tuple[str, ...]:
        """Stops all clocks for a pause; returns the seats whose clocks were running."""
        running = tuple(self._since)
        for seat in running:
            self._left[seat] = self.left(seat, at)
        self._since = {}
        return running

    def release(self, seats: Iterable[str], at: float) -> None:
        for seat in seats:
            if seat in self._left:
                self._since[seat] = at

    def skip(self, since: float, at: float) -> None:
        """Does not count the time in between, when the server was down. The machine's clock may have gone back."""
        for seat, began in self._since.items():
            self._since[seat] = at - max(0.0, since - began)

    def left(self, seat: str, at: float) -> float:
        ran = max(0.0, at - self._since[seat]) if seat in self._since else 0.0
        return max(0.0, self._left[seat] - ran)

    def shown(self, at: float) -> dict[str, float]:
        return {seat: round(self.left(seat, at), 2) for seat in self._left}

    @property
    def running(self) -> tuple[str, ...]:
        return tuple(self._since)

    def expired(self, at: float) -> tuple[str, ...]:
        return tuple(seat for seat in self._since if self.left(seat, at) <= 0)

    def next_end(self) -> float | None:
        """The time when the next clock runs out if nobody acts."""
        return min((began + self._left[seat] for seat, began in self._since.items()), default=None)
