"""Which script the others seem to play: by how well each would explain what they did."""

from __future__ import annotations

from math import exp
from typing import Any, Final

from polemos.kernel.playouts import Playouts

FADES: Final = 0.97  # of what was learned, from step to step: players change their minds
TRUST: Final = (
    1.5  # how much more likely, as a power of e, a script becomes that explains a step which another does not
)
DOUBT: Final = 0.02  # what even the least likely script keeps of its first share


class Habits:
    """What one seat has learned about the others in one match. Nothing, in games that cannot explain."""

    def __init__(self, playouts: Playouts, seat: int, seed: int) -> None:
        self._kit, self._seat, self._seed = playouts, seat, seed
        self._desk: Any = playouts.desk() if playouts.explain is not None else None
        self._before: Any = None
        self._scores: dict[int, list[float]] = {}

    def watch(self, state: Any) -> None:
        """The state at each step at which the seat is asked."""
        if self._kit.explain is None:
            return
        if self._before is not None:
            for seat in range(self._kit.seats(state)):
                if seat != self._seat:
                    self._score(seat, state)
        self._before = state.copy()

    def _score(self, seat: int, state: Any) -> None:
        assert self._kit.explain is not None
        scores = self._scores.setdefault(seat, [0.0] * len(self._kit.scripts))
        for script in range(len(scores)):
            fits = self._kit.explain(self._before, state, seat, script, self._seed, self._desk)
            scores[script] = FADES * scores[script] + TRUST * fits

    def model(self, state: Any) -> list[list[float]]:
        """How likely each script is, by seat."""
        first = self._kit.likely or (1.0,) * len(self._kit.scripts)
        found = []
        for seat in range(self._kit.seats(state)):
            scores = self._scores.get(seat, [0.0] * len(first))
            best = max(scores)
            found.append([share * max(DOUBT, exp(score - best)) for share, score in zip(first, scores, strict=True)])
        return found
