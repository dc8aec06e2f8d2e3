"""How a seat chooses among its actions when all choose at once: regret matching, or upper confidence bounds.

Both are decoupled: every seat keeps its own books and learns only what its own actions brought.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Numbers = np.ndarray[Any, np.dtype[np.float64]]


class Regrets:
    """Regret matching, in the variant that forgets negative regrets and trusts late rounds more."""

    def __init__(self, count: int) -> None:
        self.regret: Numbers = np.zeros(count)
        self._sum: Numbers = np.zeros(count)
        self._rounds = 0

    def grow(self, count: int) -> None:
        """There are more actions now."""
        more = np.zeros(count - len(self.regret))
        self.regret = np.concatenate([self.regret, more])
        self._sum = np.concatenate([self._sum, more])

    def strategy(self, live: Numbers) -> Numbers:
        """How to choose now among the live actions: in proportion to what one regrets not to have done."""
        wish = np.where(live > 0, np.maximum(self.regret, 0.0), 0.0)
        if wish.sum() <= 0:
            wish = live.astype(float)
        found: Numbers = wish / wish.sum()
        return found

    def learn(self, live: Numbers, values: Numbers) -> None:
        """`values` has a row for each world, with a column for each action; those that are not live are ignored."""
        for row in values:
            now = self.strategy(live)
            seen = np.where(live > 0, row, 0.0)
            self._rounds += 1
            self._sum += self._rounds * now
            self.regret = np.maximum(0.0, self.regret + np.where(live > 0, seen - now @ seen, 0.0))

    def average(self, live: Numbers) -> Numbers:
        """The mixture that the search has come to."""
        found = np.where(live > 0, self._sum, 0.0)
        return self.strategy(live) if found.sum() <= 0 else found / found.sum()


class Bounds:
    """Upper confidence bounds: the action that may be best, by its mean and by how seldom it was tried."""

    def __init__(self, count: int, width: float) -> None:
        self.tried: Numbers = np.zeros(count)
        self.total: Numbers = np.zeros(count)
        self._width = width

    def grow(self, count: int) -> None:
        more = np.zeros(count - len(self.tried))
        self.tried = np.concatenate([self.tried, more])
        self.total = np.concatenate([self.total, more])

    def choose(self) -> int:
        """The next action, which counts as tried from now on, so that a batch does not choose it every time."""
        fresh = np.flatnonzero(self.tried == 0)
        if len(fresh):
            best = int(fresh[0])
        else:
            best = int(np.argmax(self.means + self._margins))
        self.tried[best] += 1
        return best

    def learn(self, action: int, value: float) -> None:
        self.total[action] += value

    @property
    def means(self) -> Numbers:
        found: Numbers = self.total / np.maximum(1, self.tried)
        return found

    @property
    def _margins(self) -> Numbers:
        """How far off the means may be, both ways."""
        found: Numbers = self._width * np.sqrt(np.log(self.tried.sum() + 1) / np.maximum(1, self.tried))
        return found

    @property
    def floors(self) -> Numbers:
        """Lower bounds: what each is worth at least. Whoever came late has been tried less often, and must show it."""
        found: Numbers = np.where(self.tried > 0, self.means - self._margins, -np.inf)
        return found

    def average(self) -> Numbers:
        """How often each was tried, as a mixture."""
        found: Numbers = self.tried / max(1.0, float(self.tried.sum()))
        return found
