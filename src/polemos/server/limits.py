"""Limits on how often something may be asked: buckets that fill again. A full refusal says which limit and how long."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Final

from polemos.kernel.errors import PolemosError

MOST_KEYS: Final = 20_000

# name: how many at once, and how many a second after that
RATES: Final = {
    "sign-in": (8, 0.1),
    "sign-up": (5, 0.02),
    "tables": (30, 0.5),
    "requests": (300, 60.0),
    "adjudicate": (60, 20.0),
    "replays": (10, 0.5),
    "messages": (80, 25.0),
    "talk": (8, 0.7),
}


class TooMany(PolemosError):
    """Asked too often."""

    word = "limit/rate"

    def __init__(self, key: str, seconds: float) -> None:
        super().__init__(f"Too many {key}: try again in {seconds:.0f} s.")
        self.key, self.seconds = key, round(seconds, 1)


class Buckets:
    """One bucket for each kind of request and each address."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, kind: str, who: str) -> None:
        """Takes one from the bucket; raises TooMany when it is empty."""
        most, rate = RATES[kind]
        now = time.monotonic()
        left, then = self._buckets.pop((kind, who), (float(most), now))
        left = min(float(most), left + (now - then) * rate)
        if left < 1:
            self._buckets[kind, who] = (left, now)
            raise TooMany(kind, max(1.0, (1 - left) / rate))
        self._buckets[kind, who] = (left - 1, now)
        if len(self._buckets) > MOST_KEYS:
            self._buckets.popitem(last=False)
