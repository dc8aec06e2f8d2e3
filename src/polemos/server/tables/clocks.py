"""Clocks of the seats at a table. Pure: every method is told what time it is."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

from polemos.wire.table import ClockRule

_BEGAN: Final = time.time() - time.monotonic()


def now() -> float:
    """Seconds since 1970 that never jump while the server runs, whatever is done to the clock of the machine."""
    return _BEGAN + time.monotonic()


class Clocks:
    """Time by seat. Only seats that are waited for run, and only those that time is kept for."""

    def __init__(self, rule: ClockRule) -> None:
        self.rule = rule
        self._left: dict[str, float] = {}
        self._since: dict[str, float] = {}

    def begin_step(self, seats: Iterable[str], at: float) -> None:
        """These seats are to order now."""
        self.hold(at)
        if self.rule.kind == "none":
            return
        for seat in seats:
            if self.rule.kind == "turn" or seat not in self._left:
                self._left[seat] = self.rule.seconds
            self._since[seat] = at

    def stop(self, seat: str, at: float) -> None:
        """It has ordered: a bank gets its increment."""
        if seat in self._since:
            self._left[seat] = self.left(seat, at)
            del self._since[seat]
            if self.rule.kind == "bank":
                self._left[seat] += self.rule.increment

    def go_on(self, seat: str, at: float) -> None:
        """It has taken its sheet back, and the increment with it."""
        if self.rule.kind == "none" or seat in self._since or seat not in self._left:
            return
        if self.rule.kind == "bank":
            self._left[seat] = max(0.0, self._left[seat] - self.rule.increment)
        self._since[seat] = at

    def hold(self, at: float) -> tuple[str, ...]:
        """Stops all, for a pause; gives those that ran."""
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
        """Nobody was there between these times, so they do not count. The clock of the machine may have gone back."""
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
        """When the next clock runs out if nobody acts."""
        return min((began + self._left[seat] for seat, began in self._since.items()), default=None)
