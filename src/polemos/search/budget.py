"""How long a search may take: so many playouts, so many seconds of CPU time, or whichever comes first."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from typing import Any, Final

from msgspec import Struct

from polemos.kernel.playouts import Playouts
from polemos.kernel.record import Many

GLANCE: Final = 0.01  # seconds between two looks at the clock
MOST: Final = 64  # playouts between them


class Budget(Struct, frozen=True):
    """With playouts alone, a search is the same on every machine; seconds make it end in time, too."""

    playouts: int = 0  # 0: as many as there is time for
    seconds: float = inf  # of CPU time of the thread that searches


def rate_of(kit: Playouts, states: Many[Any], steps: int) -> float:
    """How many playouts of so many steps from here a second is good for, by what the game says: the same everywhere."""
    return kit.rate if kit.price is None else 1 / kit.price(states, steps)


class Meter:
    """What is left of a budget."""

    def __init__(self, budget: Budget, rate: float, told: Callable[[int], None] | None = None) -> None:
        self._began = time.thread_time()
        self._seconds = budget.seconds
        self._limit = budget.playouts
        self._rate = float(rate)  # playouts a second, until it is measured
        self._inside = 0.0
        self._told = told  # is called with the number of playouts, whenever some were made
        self.used = 0

    @property
    def seconds(self) -> float:
        """CPU time since the search began."""
        return time.thread_time() - self._began

    @property
    def left(self) -> int:
        """Playouts that can still be made."""
        if self._limit:
            return max(0, self._limit - self.used)
        return max(0, int((self._seconds - self.seconds) * self._rate))

    @property
    def chunk(self) -> int:
        """Playouts between two looks at the clock: about a hundredth of a second."""
        return max(1, min(MOST, int(self._rate * GLANCE)))

    def is_over(self) -> bool:
        return self.seconds >= self._seconds

    def note(self, playouts: int, seconds: float) -> None:
        """So many were made, in so much time."""
        self.used += playouts
        self._inside += seconds
        if self._told is not None:
            self._told(playouts)
        if self.used >= 32 and self._inside > 0:
            self._rate = self.used / self._inside
