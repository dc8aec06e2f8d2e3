"""Rows of traits that are tried against `champion` itself, in whole games: `benchmarks/grow.py` uses it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from benchmarks.league import play

Row = tuple[int, ...]

FIRST: Final = 5000  # number of the first start, apart from those that rows are tried on at the end
GAMES: Final = 2  # that a row plays when it is looked at
DOUBT: Final = 2  # games that every row is taken to have played as the mean row did
KEPT: Final = 6  # rows that have children
AGAIN: Final = 0.3  # how often one of the best two plays again: lucky ones are found out


class Hunt:
    """Looks for rows that beat `champion`. In games of more than two, all others play the row."""

    def __init__(
        self,
        game: Any,
        guest: Callable[[Row], Any],
        options: Sequence[Mapping[str, Any]],
        clock: Mapping[str, float],
        worth: Mapping[Row, float],
        chance: random.Random,
    ) -> None:
        self._game, self._guest, self._options, self._clock = game, guest, options, clock
        self._worth, self._chance = worth, chance  # what rows are worth against scripts, if that is known
        self._seats = [len(game.seats(game.setup(dict(one), "hunt"))) for one in options]
        self.points: dict[Row, list[float]] = {}

    def play(self, row: Row) -> None:
        """A few more games of a row, each start from all seats before the next one."""
        found = self.points.setdefault(row, [])
        for _ in range(GAMES):
            start, seat = self._fixture(len(found))
            fixture = {"bot": "champion", "other": "grown", "seat": seat, "seed": FIRST + start, **self._clock}
            fixture["options"] = dict(self._options[start % len(self._options)])
            found.append(1 - float(play(self._game, fixture, {"grown": self._guest(row)})["points"]))

    def _fixture(self, at: int) -> tuple[int, int]:
        """The start of a row's game, and the seat of `champion`."""
        start = 0
        while at >= (seats := self._seats[start % len(self._seats)]):
            start, at = start + 1, at - seats
        return start, at

    def value(self, row: Row) -> float:
        """The share of its games that a row has won, doubted as long as they are few."""
        everything = [one for found in self.points.values() for one in found]
        mean = sum(everything) / max(1, len(everything))
        found = self.points[row]
        return (sum(found) + DOUBT * mean) / (len(found) + DOUBT) + self._worth.get(row, 0.0) / 50

    def best(self) -> list[Row]:
        return sorted(self.points, key=self.value, reverse=True)

    def go_on(self, child: Callable[[Row, list[Row]], Row | None]) -> None:
        """One more row, or one of the best once more. What wins is looked at again at once."""
        ranked = self.best()[:KEPT]
        if self._chance.random() < AGAIN:
            self.play(self._chance.choice(ranked[:2]))
            return
        row = child(self._chance.choice(ranked[: KEPT // 2]), ranked)
        if row is None or row in self.points:
            return
        self.play(row)
        if sum(self.points[row]) > 0:
            self.play(row)
