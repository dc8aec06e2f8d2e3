"""The seats and dice for each game of a meeting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise, permutations
from math import factorial

from polemos.arena.tournament.plan import Meeting, Pairing, Plan
from polemos.kernel import dice

Corner = int | tuple[int, int]  # the number of a group, or a share: an entrant and the number of its share

_MAX_TRIED = 5  # with up to this many players, every order is tried


def seating(players: Sequence[int], index: int) -> tuple[int, ...]:
    """The seats of game `index` of a meeting, from 0.

    A block has as many games as there are seats, and everyone sits in every seat once. With more than two seats,
    neighbours change from block to block.

    >>> [seating((7, 8, 9), index) for index in range(4)]
    [(7, 8, 9), (8, 9, 7), (9, 7, 8), (7, 9, 8)]
    """
    first, *others = players
    block, turn = divmod(index, len(players))
    order = next(islice(permutations(others), block % factorial(len(others)), None))
    ring = (first, *order)
    return ring[turn:] + ring[:turn]


def pairing(plan: Plan, meeting: Meeting, index: int, number: int) -> Pairing:
    """Game `index` of a meeting. All games of a block have the same start and the same dice."""
    block, turn = divmod(index, plan.seats)
    seed = dice.derive(plan.seed, "meeting", meeting.number, block)
    return Pairing(
        number=number,
        meeting=meeting.number,
        round=meeting.round,
        seating=seating(meeting.players, index),
        seed=seed,
        bot_seed=dice.derive(seed, "bots", turn),
    )


def balanced(players: Sequence[int], games: int, sat: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """The players in the order that best evens out how often each has `sat` in each seat after these games."""
    rest = range(games - games % len(players), games)  # whole blocks are already even
    if not rest:
        return tuple(players)

    def unevenness(order: tuple[int, ...]) -> int:
        """The sum of squares, which is smallest when the numbers are closest together."""
        rows = {player: [*sat[player]] for player in order}
        for index in rest:
            for seat, player in enumerate(seating(order, index)):
                rows[player][seat] += 1
        return sum(number * number for row in rows.values() for number in row)

    every = permutations(players)
    return min(every if len(players) <= _MAX_TRIED else islice(every, 1000), key=unevenness)


def evenly_seated(groups: Sequence[Sequence[int]], seats: int) -> list[tuple[int, ...]]:
    """The groups, each ordered so that everyone sits in every seat equally often, give or take one.

    This is an edge colouring of a graph between groups and shares, with seats as colours. A share is as many games of
    one entrant as there are seats, and no colour may occur twice at any vertex. If a seat is taken, seats are swapped
    along a path from there, which never returns to the group (König).
    """
    at: dict[tuple[Corner, int], Corner] = {}
    sittings: Counter[int] = Counter()
    for number, group in enumerate(groups):
        for entrant in group:
            share = (entrant, sittings[entrant] // seats)
            sittings[entrant] += 1
            seat = next(seat for seat in range(seats) if (number, seat) not in at)
            other = next(seat for seat in range(seats) if (share, seat) not in at)
            _exchange(at, share, seat, other)
            at[number, seat], at[share, seat] = share, number
    return [tuple(at[number, seat][0] for seat in range(seats)) for number in range(len(groups))]  # type: ignore[index]


def _exchange(at: dict[tuple[Corner, int], Corner], corner: Corner, seat: int, other: int) -> None:
    """Frees a seat at a vertex by swapping it with the other one along a path."""
    path = [corner]
    colours = [seat, other]
    while (path[-1], colours[(len(path) - 1) % 2]) in at:
        path.append(at[path[-1], colours[(len(path) - 1) % 2]])
    edges = list(pairwise(path))
    for i, (one, two) in enumerate(edges):
        del at[one, colours[i % 2]], at[two, colours[i % 2]]
    for i, (one, two) in enumerate(edges):
        at[one, colours[1 - i % 2]], at[two, colours[1 - i % 2]] = two, one
