"""Is one side better? A sequential probability ratio test on the scores of pairs or blocks of games. Pure functions.

Two hypotheses are compared after every block: the new bot is `elo0` stronger (H0), or `elo1` (H1). The log likelihood
ratio (LLR) moves between two bounds that follow from the error rates; the first one it crosses decides. This is
fishtest's generalised test in its normal approximation: whole pairs are independent, so their own variance is used,
however it is affected by seats, openings and draws.

A score is the new side's mean points in the games of a block, from 0 to 1; equal sides score 0.5.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

PSEUDO: Final = 0.5  # weight of each made-up score; see `moments`
_SPREAD: Final = (-0.5, -0.25, 0.0, 0.25, 0.5)
_NORMAL_95: Final = 1.959963984540054
_MAX_ELO: Final = 10_000.0


class Hypotheses(Struct, frozen=True):
    """The hypotheses and the error rates: alpha for accepting H1 when H0 is true, beta for the reverse."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05


class Sums(Struct, frozen=True):
    """The scores of the blocks so far, added up."""

    blocks: int = 0
    total: float = 0.0
    squares: float = 0.0

    def plus(self, score: float) -> Sums:
        return Sums(self.blocks + 1, self.total + score, self.squares + score * score)


class Moments(Struct, frozen=True):
    weight: float
    mean: float
    variance: float  # of one block


def sums(scores: Iterable[float]) -> Sums:
    found = Sums()
    for score in scores:
        found = found.plus(score)
    return found


def expected(elo: float, seats: int = 2) -> float:
    """The mean score of a side that is `elo` stronger per seat, over all seatings with both sides.

    A seat's chance of winning is its share of the total strength: 10^(elo/400) for a new seat, 1 for an old one. With
    two seats this is the usual Elo curve.

    >>> expected(0), expected(0, 4), round(expected(400), 4)
    (0.5, 0.5, 0.9091)
    """
    strength: float = 10.0 ** (max(-_MAX_ELO, min(_MAX_ELO, elo)) / 400)
    shares = (math.comb(seats, new) * new * strength / (new * strength + seats - new) for new in range(1, seats))
    return sum(shares) / ((1 << seats) - 2)


def elo_of(score: float, seats: int = 2) -> float:
    """The difference in strength implied by a mean score; infinite if every game is won or lost.

    >>> round(elo_of(expected(35))), elo_of(1.0)
    (35, inf)
    """
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    if seats == 2:
        return 400 * math.log10(score / (1 - score))
    low, high = -_MAX_ELO, _MAX_ELO
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if expected(middle, seats) < score else (low, middle)
    return (low + high) / 2


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Where the LLR decides: H0 at or below the first value, H1 at or above the second.

    >>> [round(bound, 2) for bound in bounds(0.05, 0.05)]
    [-2.94, 2.94]
    """
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def moments(found: Sums, games: int = 2) -> Moments:
    """Mean and variance, regularised: five made-up scores count half a block each.

    For pairs this adds half a pair of each result (0, 0.5, 1, 1.5 and 2 points). Fishtest adds a thousandth for each
    missing result, which suits its exact likelihoods; in the normal approximation the first pair alone would then
    decide, because its variance is almost zero. In larger blocks scores vary less, and so do the made-up ones.
    """
    narrow = math.sqrt(2 / games)
    weight = found.blocks + PSEUDO * len(_SPREAD)
    mean = (found.total + PSEUDO * 0.5 * len(_SPREAD)) / weight
    squares = found.squares + PSEUDO * sum((0.5 + narrow * spread) ** 2 for spread in _SPREAD)
    return Moments(weight, mean, squares / weight - mean * mean)


def llr(found: Sums, hypotheses: Hypotheses, seats: int = 2, games: int = 2) -> float:
    """The log likelihood ratio of H1 to H0; 0 before the first block."""
    if not found.blocks:
        return 0.0
    of = moments(found, games)
    score0, score1 = expected(hypotheses.elo0, seats), expected(hypotheses.elo1, seats)
    return of.weight * (score1 - score0) * (2 * of.mean - score0 - score1) / (2 * of.variance)


def decided(ratio: float, hypotheses: Hypotheses) -> str | None:
    """`H0` or `H1`, or None while undecided."""
    low, high = bounds(hypotheses.alpha, hypotheses.beta)
    return "H1" if ratio >= high else "H0" if ratio <= low else None


def elo_interval(found: Sums, seats: int = 2, games: int = 2) -> tuple[float, float, float]:
    """The Elo difference with its 95% confidence interval: low, most likely, high. Regularised like the test."""
    of = moments(found, games)
    margin = _NORMAL_95 * math.sqrt(of.variance / of.weight)
    low, middle, high = (elo_of(score, seats) for score in (of.mean - margin, of.mean, of.mean + margin))
    return low, middle, high
