"""How strong each bot is, judged by all games at once: the order of the games does not matter.

This is the Plackett-Luce model: each seat's chance of first place is proportional to its strength, then the same for
second place among the rest, and so on. With two seats it is the Bradley-Terry model. If seats share a place, every
order among them counts equally, so a draw between two is half a win for each.

Each bot also gets half a drawn game against the mean of the field. That hardly matters next to real games, but keeps
strengths finite for bots that won or lost every game or never met the others.

The intervals come from the observed information: the curvature of the likelihood at its maximum. Resampling the
meetings (the bootstrap) would assume less about the model, but has too little data if two bots met only once, and
gives no interval at all to a bot that won everything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb, inf, log, sqrt
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from polemos.arena.tournament.plan import Played

PRIOR: Final = 0.5  # drawn games of each bot against the mean of the field
ELO: Final = 400 / log(10)
NORMAL_95: Final = 1.959963984540054
_CLOSE: Final = 1e-11
_MAX_STEPS: Final = 200

Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[np.intp]


class Fitted(Struct, frozen=True):
    """Natural strengths with mean 0, and their covariance: the field's mean is known, so it has no variance."""

    strengths: Floats
    covariance: Floats


class Estimate(Struct, frozen=True):
    """Elo relative to the mean of the field, and its 95% confidence interval."""

    elo: float
    low: float
    high: float


def distinct(played: Iterable[Played]) -> list[Played]:
    """The games without repetitions: an identical game with the same seating adds no information."""
    once = {(game.fingerprint, game.seating): game for game in played if not game.void}
    return [once[key] for key in sorted(once)]


def estimates(entrants: int, played: Iterable[Played], prior: float = PRIOR) -> list[Estimate | None]:
    """The strength of every entrant, or None for those without a game."""
    games = distinct(played)
    field = sorted({entrant for game in games for entrant in game.seating})
    if not field:
        return [None] * entrants
    place = {entrant: i for i, entrant in enumerate(field)}
    choices = _Choices(len(field), prior)
    for game in games:
        choices.add([place[entrant] for entrant in game.seating], game.ranks)
    of = _solve(choices)
    found: list[Estimate | None] = [None] * entrants
    for entrant, i in place.items():
        elo, margin = ELO * float(of.strengths[i]), ELO * NORMAL_95 * sqrt(max(0.0, float(of.covariance[i, i])))
        found[entrant] = Estimate(elo, elo - margin, elo + margin)
    return found


def fitted(count: int, results: Iterable[tuple[Sequence[int], Sequence[int], int]], prior: float = PRIOR) -> Fitted:
    """The strengths of a field from its results: who played, with what ranks, and in how many distinct games."""
    choices = _Choices(count, prior)
    for seating, ranks, times in results:
        choices.add(list(seating), tuple(ranks), times)
    return _solve(choices)


# ---- games as choices


def choices_of(seating: list[int], ranks: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], float]]:
    """A game as a list of choices: who may have been chosen, from which set, and with what weight.

    >>> list(choices_of([7, 8, 9], (1, 2, 3)))
    [((7,), (7, 8, 9), 1.0), ((8,), (8, 9), 1.0)]
    >>> list(choices_of([7, 8], (1, 1)))
    [((7, 8), (7, 8), 1.0)]
    """
    for rank in sorted(set(ranks)):
        equals = [entrant for entrant, its in zip(seating, ranks, strict=True) if its == rank]
        behind = [entrant for entrant, its in zip(seating, ranks, strict=True) if its > rank]
        for left in range(len(equals), 0, -1):
            if left + len(behind) == 1:
                continue  # with only one left there is nothing to choose
            for chosen in combinations(sorted(equals), left):
                # The fraction of all orders among equals in which exactly these are still to be placed.
                yield chosen, tuple(sorted((*chosen, *behind))), 1 / comb(len(equals), left)


class _Choices:
    """All choices of a tournament; equal ones are added up."""

    def __init__(self, count: int, prior: float) -> None:
        self.count = count
        self.prior = prior
        self.wins: Floats = np.zeros(count)
        self._weights: dict[tuple[int, ...], float] = defaultdict(float)

    def add(self, seating: list[int], ranks: tuple[int, ...], times: int = 1) -> None:
        for chosen, among, share in choices_of(seating, ranks):
            weight = share * times
            self._weights[among] += weight
            for entrant in chosen:
                self.wins[entrant] += weight / len(chosen)

    def by_size(self) -> list[tuple[Numbers, Floats]]:
        """Sets of the same size as the rows of a table, with their weights."""
        sizes: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for among in sorted(self._weights):
            sizes[len(among)].append(among)
        return [
            (np.array(sets, dtype=np.intp), np.array([self._weights[among] for among in sets]))
            for _, sets in sorted(sizes.items())
        ]


# ---- the likelihood and its maximum


class _Likelihood:
    """The log likelihood of strengths with mean 0; it is concave, so it has one maximum."""

    def __init__(self, choices: _Choices) -> None:
        self.count = choices.count
        self.wins = choices.wins
        self.prior = choices.prior
        self.sets = choices.by_size()

    def value(self, strengths: Floats) -> float:
        total = float(self.wins @ strengths)
        for among, weights in self.sets:
            total -= float(weights @ np.logaddexp.reduce(strengths[among], axis=1))
        alone = strengths - strengths.mean()
        return total - self.prior / 2 * float(np.sum(np.logaddexp(0, alone) + np.logaddexp(0, -alone)))

    def slope(self, strengths: Floats) -> tuple[Floats, Floats]:
        """The first derivatives, and the negative second derivatives: the information."""
        count = self.count
        gradient = self.wins.copy()
        information = np.zeros(count * count)
        for among, weights in self.sets:
            values = strengths[among]
            chances = np.exp(values - np.logaddexp.reduce(values, axis=1)[:, None])
            gradient -= np.bincount(among.ravel(), (weights[:, None] * chances).ravel(), count)
            both = weights[:, None, None] * chances[:, :, None] * chances[:, None, :]
            pairs = among[:, :, None] * count + among[:, None, :]
            information -= np.bincount(pairs.ravel(), both.ravel(), count * count)
            information += np.bincount(among.ravel() * (count + 1), (weights[:, None] * chances).ravel(), count * count)
        alone = np.tanh((strengths - strengths.mean()) / 2)
        off_mean = np.eye(count) - 1 / count
        gradient -= off_mean @ (self.prior / 2 * alone)
        weak = off_mean * (self.prior / 4 * (1 - alone**2)) @ off_mean
        return gradient, information.reshape(count, count) + weak


def _solve(choices: _Choices) -> Fitted:
    """The most likely strengths, with mean 0, and their covariance, by Newton's method with step halving.

    The likelihood does not change if all strengths rise equally, so that direction is added to hold the mean at 0.
    """
    likelihood = _Likelihood(choices)
    count = choices.count
    mean = np.full((count, count), 1 / count)
    strengths = np.zeros(count)
    reached = -inf
    gradient, information = likelihood.slope(strengths)
    for _ in range(_MAX_STEPS):
        step = np.linalg.solve(information + mean, gradient)
        step -= step.mean()
        while (value := likelihood.value(strengths + step)) < reached - 1e-9 * (1 + abs(reached)):
            step /= 2
        strengths, reached = strengths + step, value
        gradient, information = likelihood.slope(strengths)
        if np.max(np.abs(step)) < _CLOSE:
            break
    return Fitted(strengths, np.linalg.inv(information + mean) - mean)
