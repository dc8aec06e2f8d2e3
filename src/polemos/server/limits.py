"""Rate limits: buckets that refill over time. A refusal says which limit was hit and how long to wait."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Final

from polemos.kernel.errors import PolemosError

MAX_KEYS: Final = 20_000

# name: how many at once, and how many per second after that
RATES: Final = {
    "sign-in": (30, 0.5),
    "sign-in of this name": (6, 0.1),  # from one address: nobody can lock out others
    "sign-in of a known device": (12, 0.2),
    "sign-up": (5, 0.02),
    "tables": (30, 0.5),
    "parties": (10, 0.01),  # few fit on a server, and one that nobody comes to stays open for a week
    "requests": (300, 60.0),
    "frames": (200, 20.0),
    "records": (40, 1.0),
    "pictures": (30, 0.5),
    "search": (60, 10.0),  # a letter each
    "adjudicate": (60, 20.0),
    "replays": (10, 0.5),
    "analyses": (5, 0.02),  # each costs up to half a minute of CPU time
    "sockets": (2000, 100.0),
    "messages": (80, 25.0),  # at one seat
    "all messages": (800, 200.0),
    "bot messages": (1000, 300.0),
    "talk": (8, 0.7),
    # CPU seconds that the server spends for someone, over all tables
    "work": (20.0, 0.5),
    "quick work": (0.5, 0.1),  # of it, what is done at once, while everybody else waits
    "work of this account": (20.0, 0.5),
    "reports": (5, 0.01),
    "groups": (60, 1.0),  # what people do in groups
    "challenges": (20, 0.2),
    "tokens": (120, 10.0),  # requests with a personal token
}


class TooMany(PolemosError):
    """A rate limit was exceeded."""

    word = "limit/rate"

    def __init__(self, key: str, seconds: float) -> None:
        super().__init__(f"Too many requests ({key}). Try again in {max(1, round(seconds))} s.")
        self.key, self.seconds = key, round(seconds, 1)


class Buckets:
    """One bucket for each kind of request and each address. `times` enlarges all of them."""

    def __init__(self, times: float = 1.0) -> None:
        self._times = times
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, kind: str, who: str, weight: float = 1.0) -> None:
        """Takes this much from the bucket; raises TooMany if there is not enough in it."""
        size, rate = (self._times * figure for figure in RATES[kind])
        weight, left = min(weight, size), self._left(kind, who)
        enough = left >= weight
        self._set(kind, who, left - weight if enough else left)
        if not enough:
            raise TooMany(kind, max(1.0, (weight - left) / rate))

    def charge(self, kind: str, who: str, weight: float) -> None:
        """Takes this much afterwards, when it is known what something has cost. The bucket may then be in debt."""
        size = self._times * RATES[kind][0]
        self._set(kind, who, max(-2 * size, self._left(kind, who) - weight))

    def has_left(self, kind: str, who: str) -> bool:
        """Whether there is anything in a bucket."""
        return self._left(kind, who) > 0

    def check(self, kind: str, who: str, on_credit: bool = False) -> None:
        """Raises TooMany if the bucket is in debt; `on_credit`, if the debt is larger than the bucket."""
        size, rate = (self._times * figure for figure in RATES[kind])
        missing = -self._left(kind, who) - (size if on_credit else 0.0)
        if missing > 0:
            raise TooMany(kind, max(1.0, missing / rate))

    def _left(self, kind: str, who: str) -> float:
        """What is in a bucket now."""
        size, rate = (self._times * figure for figure in RATES[kind])
        left, then = self._buckets.get((kind, who), (size, 0.0))
        return min(size, left + (time.monotonic() - then) * rate)

    def _set(self, kind: str, who: str, left: float) -> None:
        self._buckets[kind, who] = (left, time.monotonic())
        self._buckets.move_to_end((kind, who))
        if len(self._buckets) > MAX_KEYS:
            self._buckets.popitem(last=False)

    def give_back(self, kind: str, who: str) -> None:
        """Returns what was taken for something that should not count."""
        size = self._times * RATES[kind][0]
        if (kind, who) in self._buckets:
            left, then = self._buckets[kind, who]
            self._buckets[kind, who] = (min(size, left + 1.0), then)
