"""Ranks as ranges and lines as proofs, from covariances that are known."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.arena.tournament.fit import Floats
from polemos.ladder.standings import SURE, Standing, anchored, own_doubts, standings, surely_above


def apart(*spreads: float) -> Floats:
    """A covariance without any dependence, from standard deviations."""
    return np.diag(np.array(spreads) ** 2)


def said(strengths: list[float], covariance: Floats, placing: str = "", wide: str = "") -> list[Standing]:
    """The standings; a sign of `placing` and `wide` says x for each bot that is."""
    count = len(strengths)
    return standings(
        np.array(strengths),
        covariance,
        [sign == "x" for sign in placing.ljust(count)],
        [sign == "x" for sign in wide.ljust(count)],
    )


def ranges(of: list[Standing]) -> list[tuple[int | None, int | None]]:
    return [(one.rank_from, one.rank_to) for one in of]


def bands(of: list[Standing]) -> list[int]:
    return [one.band for one in of]


def test_surely_is_39_to_1() -> None:
    assert NormalDist().cdf(SURE) == pytest.approx(39 / 40)


def test_the_difference_of_two_independent_bots_decides() -> None:
    """Standard deviations of 30 and 40 make 50 for the difference: 98 points are 1.96 of them, 97 are less."""
    covariance = apart(30, 40)
    assert surely_above(np.array([98.0, 0.0]), covariance)[0, 1]
    assert not surely_above(np.array([97.0, 0.0]), covariance)[0, 1]
    assert not surely_above(np.array([98.0, 0.0]), covariance)[1, 0]


def test_overlapping_intervals_can_be_told_apart_by_their_covariance() -> None:
    """Both are uncertain by 50, but together: the difference has a variance of 2 * 2500 - 2 * 2400 = 200."""
    covariance = np.array([[2500.0, 2400.0], [2400.0, 2500.0]])
    assert ranges(said([30.0, 0.0], covariance)) == [(1, 1), (2, 2)]
    assert ranges(said([30.0, 0.0], apart(50, 50))) == [(1, 2), (1, 2)]


def test_a_range_counts_those_surely_above_and_surely_below() -> None:
    """Steps of 60 points with 25 each: neighbours cannot be told apart (35.4 * 1.96 = 69.3), others can."""
    found = said([240.0, 180.0, 120.0, 60.0, 0.0], apart(*[25] * 5))
    assert ranges(found) == [(1, 2), (1, 3), (2, 4), (3, 5), (4, 5)]
    assert bands(found) == [1, 1, 1, 1, 1]


def test_a_line_needs_everybody_above_to_be_surely_above_everybody_below() -> None:
    found = said([300.0, 290.0, 100.0, 90.0], apart(10, 10, 10, 10))
    assert bands(found) == [1, 1, 2, 2]
    assert ranges(found) == [(1, 2), (1, 2), (3, 4), (3, 4)]


def test_one_wide_interval_breaks_a_line_unless_it_is_as_wide_as_a_newcomers() -> None:
    """The second is not surely above the third, so there is no proof, although the first is."""
    strengths, covariance = [300.0, 290.0, 100.0, 90.0], apart(10, 120, 10, 10)
    assert bands(said(strengths, covariance)) == [1, 1, 1, 1]
    assert bands(said(strengths, covariance, wide=" x  ")) == [1, 1, 2, 2]


def test_what_is_proved_of_wide_intervals_has_its_line() -> None:
    """On a young ladder all intervals are wide. If ranks are settled all the same, a band must not say otherwise."""
    found = said([900.0, 400.0, 390.0], apart(80, 70, 75), wide="xxx")
    assert ranges(found) == [(1, 1), (2, 3), (2, 3)]
    assert bands(found) == [1, 2, 2]


def test_the_order_of_rows_does_not_matter() -> None:
    found = said([90.0, 300.0, 100.0, 290.0], apart(10, 10, 10, 10))
    assert bands(found) == [2, 1, 2, 1]
    assert ranges(found) == [(3, 4), (1, 2), (3, 4), (1, 2)]


def test_a_bot_that_is_being_placed_has_no_rank_and_changes_nobodys() -> None:
    with_it = said([300.0, 200.0, 100.0], apart(10, 300, 10), placing=" x ")
    assert ranges(with_it) == [(1, 1), (None, None), (2, 2)]
    assert (with_it[0].band, with_it[2].band) == (1, 2)


def test_equal_bots_without_doubt_share_all_places() -> None:
    assert ranges(said([0.0, 0.0], np.zeros((2, 2)))) == [(1, 2), (1, 2)]


def test_nobody_and_one() -> None:
    assert said([], np.zeros((0, 0))) == []
    assert said([5.0], apart(80)) == [Standing(1, 1, 1, 1, 1)]


def test_the_anchor_has_no_doubt_and_differences_stay() -> None:
    root = np.random.default_rng(3).normal(size=(4, 4))
    covariance = root @ root.T
    strengths = np.array([3.0, 1.0, 2.0, 9.0])
    moved, about = anchored(strengths, covariance, 2)
    assert moved[2] == 0
    assert np.allclose(about[2], 0)
    assert np.allclose(about[:, 2], 0)
    for i in range(4):
        for j in range(4):
            was = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
            assert about[i, i] + about[j, j] - 2 * about[i, j] == pytest.approx(was)


def test_doubts_of_ones_own_add_up_to_those_of_differences() -> None:
    """Whatever bot the scale hangs on: here on the first, about which nothing is sure."""
    own = np.array([400.0, 9.0, 4.0, 1.0])
    _, about = anchored(np.zeros(4), np.diag(own), 0)
    assert np.allclose(own_doubts(about), own)
    assert np.allclose(own_doubts(np.diag([3.0, 5.0])), [3.0, 5.0])  # with two, nobody can say whose doubt it is


def test_draws_agree() -> None:
    """Counting joint draws gives the same as the formula, wherever the count is not at the edge."""
    random = np.random.default_rng(7)
    root = random.normal(size=(8, 8)) * 30
    covariance, strengths = root @ root.T, random.normal(size=8) * 120
    drawn = random.multivariate_normal(strengths, covariance, size=40_000)
    share = (drawn[:, :, None] > drawn[:, None, :]).mean(axis=0)
    found = surely_above(strengths, covariance)
    clear = abs(share - 39 / 40) > 0.004
    assert clear.sum() > 50
    assert (found[clear] == (share >= 39 / 40)[clear]).all()


@given(st.integers(0, 10_000), st.integers(2, 12))
def test_lines_stand_exactly_where_they_are_proved(seed: int, count: int) -> None:
    random = np.random.default_rng(seed)
    root = random.normal(size=(count, count)) * random.uniform(1, 40)
    covariance, strengths = root @ root.T, random.normal(size=count) * 150
    found = said(list(strengths), covariance)
    sure = surely_above(strengths, covariance)
    order = sorted(range(count), key=lambda i: -strengths[i])
    for place in range(1, count):
        above, below = order[:place], order[place:]
        proved = all(sure[one, other] for one in above for other in below)
        assert (found[above[-1]].band != found[below[0]].band) == proved
    for i, one in enumerate(found):
        assert one.rank_from == 1 + sum(sure[j, i] for j in range(count))
        assert one.rank_to == count - sum(sure[i, j] for j in range(count))
        assert one.rank_from is not None
        assert one.rank_to is not None
        assert one.rank_from <= order.index(i) + 1 <= one.rank_to
