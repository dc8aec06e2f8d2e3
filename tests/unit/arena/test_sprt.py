"""The sequential test: figures by hand, error rates by simulation."""

from __future__ import annotations

import doctest
import math
import random
from fractions import Fraction
from itertools import pairwise

import pytest

from polemos.arena import sprt
from polemos.arena.sprt import Hypotheses, Sums

STRENGTH = 400 * math.log10(1.5)  # one and a half times as strong: three points of five


def test_examples_run() -> None:
    result = doctest.testmod(sprt)
    assert result.attempted > 0
    assert result.failed == 0


# ---- by hand


def test_bounds_follow_from_the_error_rates() -> None:
    low, high = sprt.bounds(0.05, 0.05)
    assert (low, high) == pytest.approx((-math.log(19), math.log(19)))
    assert sprt.bounds(0.01, 0.2) == pytest.approx((math.log(20 / 99), math.log(80)))


def test_scores_of_two_seats_are_those_of_elo() -> None:
    assert sprt.expected(STRENGTH) == pytest.approx(0.6)
    assert sprt.expected(-STRENGTH) == pytest.approx(0.4)
    assert sprt.expected(400) == pytest.approx(10 / 11)


def test_scores_of_more_seats_are_shares_of_strength() -> None:
    double = 400 * math.log10(2)
    # Three seats. One new: 2 of 4 parts; two new: 4 of 5 parts; three seatings of each.
    assert sprt.expected(double, 3) == pytest.approx((3 * 2 / 4 + 3 * 4 / 5) / 6)
    # Four seats. One, two, three new: 2 of 5, 4 of 6, 6 of 7 parts; 4, 6 and 4 seatings.
    assert sprt.expected(double, 4) == pytest.approx((4 * 2 / 5 + 6 * 4 / 6 + 4 * 6 / 7) / 14)


def test_moments_count_half_a_pair_more_of_each_result() -> None:
    of = sprt.moments(sprt.sums([1.0] * 4))
    mean = (Fraction(4) + Fraction(1, 2) * Fraction(5, 2)) / Fraction(13, 2)
    squares = (4 + Fraction(1, 2) * (Fraction(1, 16) + Fraction(1, 4) + Fraction(9, 16) + 1)) / Fraction(13, 2)
    assert (of.weight, of.mean, of.variance) == pytest.approx((6.5, float(mean), float(squares - mean**2)))


def test_one_pair_of_each_result_speaks_a_little_for_equality() -> None:
    """Weight 7.5, mean 1/2, variance 1/8: 7.5 * 0.1 * (1 - 1.1) / (2 / 8) = -0.3."""
    found = sprt.sums([0, 0.25, 0.5, 0.75, 1])
    assert sprt.llr(found, Hypotheses(0, STRENGTH)) == pytest.approx(-0.3)
    assert sprt.llr(found, Hypotheses(-STRENGTH, STRENGTH)) == pytest.approx(0)


def test_pairs_that_are_all_won_speak_for_the_new_side() -> None:
    """Four pairs: mean 21/26, squares 79/104, so 6.5 * 0.1 * (42/26 - 1.1) / (2 * variance)."""
    variance = Fraction(79, 104) - Fraction(21, 26) ** 2
    by_hand = Fraction(13, 20) * (Fraction(42, 26) - Fraction(11, 10)) / (2 * variance)
    assert sprt.llr(sprt.sums([1.0] * 4), Hypotheses(0, STRENGTH)) == pytest.approx(float(by_hand))


def test_invented_scores_of_larger_blocks_are_narrower() -> None:
    """Eight games scatter half as much as two: the variance of 0, 1/4, 1/2, 3/4, 1 is 1/8, of a half of that 1/32."""
    assert sprt.moments(Sums(), 2).variance == pytest.approx(1 / 8)
    assert sprt.moments(Sums(), 8).variance == pytest.approx(1 / 32)


def test_nothing_is_known_before_the_first_block() -> None:
    assert sprt.llr(Sums(), Hypotheses()) == 0
    assert sprt.decided(0, Hypotheses()) is None


@pytest.mark.parametrize("score", [0, 0.25, 0.5, 0.75, 1])
@pytest.mark.parametrize("elo1", [10, 50, 100, 200])
def test_one_pair_never_decides(score: float, elo1: float) -> None:
    test = Hypotheses(0, elo1)
    assert sprt.decided(sprt.llr(sprt.sums([score]), test), test) is None


def test_the_bounds_themselves_decide() -> None:
    test = Hypotheses()
    low, high = sprt.bounds(test.alpha, test.beta)
    assert [sprt.decided(ratio, test) for ratio in (low, low + 0.01, high - 0.01, high)] == ["H0", None, None, "H1"]


# ---- monotonicity


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_more_strength_is_more_score_and_back(seats: int) -> None:
    elos = [-800, -200, -10, 0, 10, 200, 800]
    scores = [sprt.expected(elo, seats) for elo in elos]
    assert all(one < other for one, other in pairwise(scores))
    assert [sprt.elo_of(score, seats) for score in scores] == pytest.approx(elos, abs=1e-6)
    assert sprt.expected(-200, seats) + sprt.expected(200, seats) == pytest.approx(1), "both sides share all points"
    assert sprt.elo_of(1, seats) == math.inf
    assert sprt.elo_of(0, seats) == -math.inf


def test_every_better_result_raises_the_ratio() -> None:
    others = [0.5, 0.25, 0.75, 0.5, 1, 0, 0.5, 0.75] * 5
    ratios = [sprt.llr(sprt.sums([*others, score]), Hypotheses()) for score in (0, 0.25, 0.5, 0.75, 1)]
    assert all(one < other for one, other in pairwise(ratios))


def test_more_of_the_same_makes_it_surer_and_the_interval_narrower() -> None:
    few, many = (sprt.sums([0.25, 0.5, 0.75, 0.75] * n) for n in (5, 50))
    assert 0 < sprt.llr(few, Hypotheses()) < sprt.llr(many, Hypotheses())
    (low, middle, high), (lower, central, upper) = sprt.elo_interval(few), sprt.elo_interval(many)
    assert low < lower < central < upper < high
    assert middle == pytest.approx(central, abs=10)


# ---- error rates


def _pair(dice: random.Random, score: float, draws: float) -> float:
    """A pair of games of a side that scores so much on average."""
    points = 0.0
    for _ in range(2):
        die = dice.random()
        points += 1.0 if die < score - draws / 2 else 0.5 if die < score + draws / 2 else 0.0
    return points / 2


def _share_of_h1(test: Hypotheses, elo: float, draws: float, series: int, dice: random.Random) -> float:
    taken = 0
    for _ in range(series):
        found, answer = Sums(), None
        while answer is None:
            found = found.plus(_pair(dice, sprt.expected(elo), draws))
            answer = sprt.decided(sprt.llr(found, test), test)
        taken += answer == "H1"
    return taken / series


@pytest.mark.parametrize(("elo1", "draws"), [(50, 0.0), (50, 0.5), (100, 0.3)])
def test_errors_are_as_rare_as_promised(elo1: float, draws: float) -> None:
    """400 series each: 0.05 with a standard error of 0.011."""
    dice = random.Random(f"{elo1} {draws}")
    test = Hypotheses(0, elo1)
    assert _share_of_h1(test, 0, draws, 400, dice) <= 0.09
    assert _share_of_h1(test, elo1, draws, 400, dice) >= 0.91


def test_what_lies_in_the_middle_goes_either_way() -> None:
    assert 0.3 < _share_of_h1(Hypotheses(-50, 50), 0, 0.2, 200, random.Random(1)) < 0.7


def test_errors_are_rare_with_three_seats() -> None:
    dice, test = random.Random(3), Hypotheses(0, 60)
    for elo, answer in ((0, "H0"), (60, "H1")):
        strength = 10 ** (elo / 400)
        wrong = 0
        for _ in range(300):
            found, decided = Sums(), None
            while decided is None:
                chances = [new * strength / (new * strength + 3 - new) for new in (1, 1, 1, 2, 2, 2)]
                found = found.plus(sum(dice.random() < chance for chance in chances) / 6)
                decided = sprt.decided(sprt.llr(found, test, 3, 6), test)
            wrong += decided != answer
        assert wrong / 300 <= 0.09, answer
