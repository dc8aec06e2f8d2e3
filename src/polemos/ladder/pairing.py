"""Who plays whom next: a pure function of the field, so that it can be tried with made-up bots.

Bots that are being placed come first, then those with the fewest games; never those with the widest interval: a bot
that always crashes is always uncertain, and would get all games. Their opponents are those whose result would teach
most: near in rating, uncertain, and not met lately.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import exp, sqrt
from random import Random
from typing import Final

from msgspec import Struct
from openskill.models import PlackettLuce

PLACEMENT: Final = 30  # games of a new version before it waits its turn like the others,
NARROW: Final = 60.0  # or fewer, if its interval is this narrow to either side
MAX_OUT: Final = 8  # games of a bot that is being placed and that are not finished: it may be one that crashes
ORDINARY: Final = 5  # every so many meetings one goes to bots that have been placed, however many newcomers there are
_model: Final = PlackettLuce()
MU: Final = float(_model.mu)
SIGMA: Final = float(_model.sigma)
BETA: Final = float(_model.beta)
_FOR_AUTHORS: Final = (
    0.5  # of the turns of our own bots; in the others they may meet each other, for the scale they pin
)
_LEVEL: Final = 8.0  # games ahead of others that halve the chance to be chosen as an opponent

Pair = frozenset[int]


class Candidate(Struct):
    """A version that can play."""

    version: int
    bot: int
    name: str
    is_ours: bool = False
    games: int = 0  # that count
    mu: float = MU
    sigma: float = SIGMA
    margin: float | None = None  # by the last fit
    out: int = 0  # games that wait or are being played
    turns: float = 0.0  # games since it was placed, counted from the level of the others
    account: int | None = None  # of its author

    @property
    def is_placing(self) -> bool:
        return self.games < PLACEMENT and (self.margin is None or self.margin > NARROW)


class Chosen(Struct, frozen=True):
    """The bots of a meeting, and why they meet."""

    players: tuple[Candidate, ...]
    why: str
    placing: int | None = None  # the number of the first game in the placement of the first player

    def why_of(self, turn: int) -> str:
        """Why one of its games is played."""
        if self.placing is None:
            return self.why
        return f"placement, game {min(PLACEMENT, self.placing + turn)} of {PLACEMENT}"


def teaches(one: Candidate, other: Candidate) -> float:
    """How much a result between two would narrow what we know: most if both are uncertain and the chances are even."""
    spread = one.sigma**2 + other.sigma**2
    chance = 1 / (1 + exp((other.mu - one.mu) / sqrt(2 * BETA**2 + spread)))
    return chance * (1 - chance) * spread


def choose(field: Sequence[Candidate], seats: int, number: int, met: Met, random: Random) -> Chosen | None:
    """The next meeting, `number` of them all; None if there are too few bots, or all have enough games waiting."""
    focus = _focus(field, number, random)
    if focus is None or all(one.is_ours for one in field):  # our own bots do not play for themselves
        return None
    others = [one for one in field if one is not focus and not _is_busy(one)]
    theirs = [one for one in others if not one.is_ours]
    if focus.is_ours and not theirs:
        return None
    if focus.is_ours and len(theirs) >= seats - 1 and random.random() < _FOR_AUTHORS:
        others = theirs
    players = with_opponents(focus, others, seats, met, random)
    placing = focus.games + focus.out + 1 if focus.is_placing else None
    return None if players is None else Chosen(players, _why(players, field), placing)


def with_opponents(
    focus: Candidate, others: Sequence[Candidate], seats: int, met: Met, random: Random
) -> tuple[Candidate, ...] | None:
    """A bot and those whose games with it teach most; None if there are too few."""
    if len(others) < seats - 1:
        return None
    players = [focus]
    least = min(one.turns for one in others)
    while len(players) < seats:
        rest = [one for one in others if one not in players]
        players.append(max(rest, key=lambda one: _worth(players, one, least, met, random)))
    return tuple(players)


def _focus(field: Sequence[Candidate], number: int, random: Random) -> Candidate | None:
    """Whose turn it is."""
    placing = [one for one in field if one.is_placing and not _is_busy(one)]
    placed = [one for one in field if not one.is_placing]
    if placing and (number % ORDINARY or not placed):
        return min(placing, key=lambda one: (one.games + one.out, random.random()))
    return min(placed, key=lambda one: (one.turns, random.random()), default=None)


def _is_busy(one: Candidate) -> bool:
    return one.is_placing and one.out >= MAX_OUT


def _worth(players: Sequence[Candidate], other: Candidate, least: float, met: Met, random: Random) -> float:
    lately = sum(met.lately(one.version, other.version) for one in players)
    ahead = max(0.0, other.turns - least) / _LEVEL
    luck = 0.8 + 0.4 * random.random()  # so that the same two do not meet forever
    return luck * sum(teaches(one, other) for one in players) / ((1 + lately) * (1 + ahead))


def _why(players: Sequence[Candidate], field: Sequence[Candidate]) -> str:
    """In words for the pages."""
    focus = players[0]
    if focus.is_placing:
        return f"placement of {focus.name}"
    order = sorted((one for one in field if not one.is_placing), key=lambda one: -one.mu)
    leaders = {one.version for one in order[:2]}
    if len(players) == 2 and {one.version for one in players} == leaders:
        return "decides who leads"
    if any(one.is_placing for one in players):
        return f"placement of {next(one.name for one in players if one.is_placing)}"
    place = {one.version: i for i, one in enumerate(order)}
    apart = [place[one.version] for one in players]
    if max(apart) - min(apart) <= len(players):
        return "neighbours on the ladder"
    return f"{focus.name} has had the fewest games"


class Met(dict[Pair, float]):
    """How often two have met lately; older meetings fade."""

    def __init__(self, fade: float = 0.997) -> None:
        super().__init__()
        self._fade = fade
        self._weight = 1.0

    def note(self, versions: Sequence[int]) -> None:
        """Newer meetings weigh more, which is the same as older ones weighing less, but touches fewer pairs."""
        self._weight /= self._fade
        for pair in combinations(versions, 2):
            self[frozenset(pair)] = super().get(frozenset(pair), 0.0) + self._weight
        if self._weight > 1e6:
            faded = {pair: sum / self._weight for pair, sum in self.items() if sum > 1.0}
            self.clear()
            self.update(faded)
            self._weight = 1.0

    def lately(self, one: int, other: int) -> float:
        return super().get(frozenset((one, other)), 0.0) / self._weight
