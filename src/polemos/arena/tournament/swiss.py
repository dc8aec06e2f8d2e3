"""Swiss: those who stand close together meet, but not again while it can be avoided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

Group = tuple[int, ...]

_MAX_WEIGHED = 300_000  # groups that are looked at before the best so far is taken
_MAX_CHOICES = 600  # of them at a time


def byes(order: Sequence[int], seats: int, had: Mapping[int, int]) -> list[int]:
    """Those who are left over, from the end of the table; who had fewer byes comes first."""
    places = sorted(range(len(order)), key=lambda place: (had[order[place]], -place))
    return [order[place] for place in places[: len(order) % seats]]


def groups(order: Sequence[int], seats: int, met: Mapping[int, Mapping[int, int]]) -> list[Group]:
    """The groups of a round for entrants in order of the table; their number is a multiple of the seats.

    Fewest repeated meetings first: that is exact for small fields and early rounds, and the best of many tries for
    others. Then closeness, from the top of the table down.
    """
    search = _Search(seats, met)
    search.split(list(order), 0, [])
    return search.best


class _Search:
    """Depth first, most wanted groups first; a branch ends where it is no better than what is known."""

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
                return  # the choices are in order of what they cost: the others are no better
            made.append(group)
            self.split([entrant for entrant in left if entrant not in group], cost + more, made)
            made.pop()

    def _choices(self, left: list[int]) -> list[tuple[int, Group]]:
        """The groups that the first of those left can be in, the cheapest first, and of these the closest."""
        first, *others = left
        found = [(first, *rest) for rest in combinations(others[: self._window], self._seats - 1)]
        self._weighed += len(found)
        return sorted(((self._repeats(group), group) for group in found), key=lambda choice: choice[0])

    def _repeats(self, group: Group) -> int:
        return sum(self._met[one].get(other, 0) for one, other in combinations(group, 2))
