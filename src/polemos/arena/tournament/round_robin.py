"""Round robin: everyone meets everyone else, or, with more than two seats, every possible group meets once.

Two seats: the circle method. In every round everyone has an opponent, except one entrant if their number is odd.

More seats: the entrants form a circle. A group is a pattern of gaps between its members; rotating the pattern around
the circle, step by step, gives one round, in which everyone takes part equally often: once as the first of the group,
once as the second, and so on. So after every round everyone has played the same number of games, equally often in
every seat. A pattern that repeats before a full rotation gives a shorter round; these come last.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from polemos.arena.tournament.seats import evenly_seated
from polemos.kernel import dice

Group = tuple[int, ...]


def rounds(count: int, seats: int, seed: object) -> list[list[Group]]:
    """All rounds, with each group in the seat order of its first game. Places in the circle are drawn at random."""
    place = lots(count, seed)
    found = _circle(count) if seats == 2 else _turns(count, seats, seed)
    return [[tuple(place[i] for i in group) for group in groups] for groups in found]


def lots(count: int, seed: object) -> list[int]:
    """The entrants in an order drawn from the seed."""
    return sorted(range(count), key=lambda entrant: dice.derive(seed, "lot", entrant))


def _circle(count: int) -> list[list[Group]]:
    """One entrant stays put, the others move on by one place each round; seats alternate."""
    ring = count - 1 + count % 2
    found = []
    for turn in range(ring):
        groups: list[Group] = []
        if ring < count:
            groups.append((turn, ring) if turn % 2 else (ring, turn))
        for i in range(1, ring // 2 + 1):
            one, other = (turn + i) % ring, (turn - i) % ring
            groups.append((one, other) if i % 2 else (other, one))
        found.append(groups)
    return found


def _turns(count: int, seats: int, seed: object) -> list[list[Group]]:
    whole: list[list[Group]] = []
    short: list[list[Group]] = []
    for gaps in sorted(_patterns(count, seats), key=lambda gaps: dice.derive(seed, "round", *gaps)):
        groups = list(_turned(count, gaps))
        (whole if len(groups) == count else short).append(groups)
    even = iter(evenly_seated([group for groups in short for group in groups], seats))
    return whole + [[next(even) for _ in groups] for groups in short]


def _patterns(count: int, seats: int) -> Iterator[Group]:
    """Every pattern of gaps around the circle, counted once whichever gap comes first."""
    for cuts in combinations(range(1, count), seats - 1):
        gaps = tuple(b - a for a, b in zip((0, *cuts), (*cuts, count), strict=True))
        if all(gaps <= gaps[i:] + gaps[:i] for i in range(1, seats)):
            yield gaps


def _turned(count: int, gaps: Group) -> Iterator[Group]:
    """The groups of one pattern, rotated step by step around the circle until it repeats."""
    seats = len(gaps)
    period = next(i for i in range(1, seats + 1) if gaps[i:] + gaps[:i] == gaps)
    for turn in range(count * period // seats):
        yield tuple((turn + sum(gaps[:i])) % count for i in range(seats))
