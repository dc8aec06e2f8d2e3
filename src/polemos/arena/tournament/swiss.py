"""Swiss: entrants close together in the table meet, but avoid meeting again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

Group = tuple[int, ...]

_MAX_WEIGHED = 300_000  # groups to try before taking the best so far
_MAX_CHOICES = 600  # groups to consider at a time


def byes(order: Sequence[int], seats: int, had: Mapping[int, int]) -> list[int]:
    """The entrants left over, from the bottom of the table; those with fewer byes so far come first."""
    places = sorted(range(len(order)), key=lambda place: (had[order[place]], -place))
    return [order[place] for place in places[: len(order) % seats]]


def groups(order: Sequence[int], seats: int, met: Mapping[int, Mapping[int, int]]) -> list[Group]:
    """The groups of a round for entrants in order of the table; their number is a multiple of the seats.

    Minimises repeated meetings first: exactly for small fields and early rounds, otherwise as the best of many tries.
    Then prefers entrants close together, from the top of the table down.
    """
    search = _Search(seats, met)
    search.split(list(order), 0, [])
    return search.best


class _Search:
    """A depth-first search, best groups first; it prunes branches that cannot beat the best result so far."""

    def __init__(self, seats: int, met: Mapping[int, Mapping[int, int]]) -> None:
        self.best: list[Group] = []
        self._seats = seats
        self._met = met
        self._cost: int | None = None
        self._weighed = 0
        self._window = next((n for n in range(200, seats, -1) if comb(n, seats - 1) <= _MAX_CHOICES), seats)

    @property
    def _is_over(self) -> bool:
        return self._cost == 0 or (self._cost is not None and self._weighed > _MAX_WEIGHED)

    def split(self, left: list[int], cost: int, made: list[Group]) -> None:
        if not left:
            self._cost, self.best = cost, list(made)
            return
        for more, group in self._choices(left):
            if self._is_over or (self._cost is not None and cost + more >= self._cost):
                return  # choices are sorted by cost, so the others are no better
            made.append(group)
            self.split([entrant for entrant in left if entrant not in group], cost + more, made)
            made.pop()

    def _choices(self, left: list[int]) -> list[tuple[int, Group]]:
        """The possible groups for the first entrant left: the cheapest first, and among those the closest."""
        first, *others = left
        found = [(first, *rest) for rest in combinations(others[: self._window], self._seats - 1)]
        self._weighed += len(found)
        return sorted(((self._repeats(group), group) for group in found), key=lambda choice: choice[0])

    def _repeats(self, group: Group) -> int:
        return sum(self._met[one].get(other, 0) for one, other in combinations(group, 2))
