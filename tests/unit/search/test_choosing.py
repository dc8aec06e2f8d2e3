"""How seats choose when all choose at once."""

from __future__ import annotations

import numpy as np
import pytest

from polemos.search.choosing import Bounds, Regrets

ROCK_PAPER_SCISSORS = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])


def test_regret_matching_comes_to_the_mixture_of_a_known_game() -> None:
    """Rock counts double when it wins: the mixture that cannot be exploited is no longer even."""
    wins = np.array([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
    seats = [Regrets(3), Regrets(3)]
    seats[0].regret[0] = 1.0  # a bad start
    live = np.ones(3)
    for _ in range(4000):
        one, other = (seat.strategy(live) for seat in seats)
        seats[0].learn(live, (wins @ other)[None, :])
        seats[1].learn(live, -(one @ wins)[None, :])
    for seat in seats:
        assert seat.average(live) == pytest.approx([0.25, 0.5, 0.25], abs=0.03)


def test_actions_that_are_not_live_are_never_chosen() -> None:
    seat = Regrets(3)
    live = np.array([1.0, 0.0, 1.0])
    seat.learn(live, np.array([[0.1, 9.0, 0.2]]))
    assert seat.strategy(live)[1] == 0
    assert seat.average(live)[1] == 0
    assert seat.strategy(live)[2] == 1


def test_more_actions_may_come() -> None:
    seat = Regrets(1)
    seat.learn(np.ones(1), np.array([[0.5]]))
    seat.grow(2)
    seat.learn(np.ones(2), np.array([[0.5, 1.0]]))
    assert seat.strategy(np.ones(2)) == pytest.approx([0, 1])


def test_bounds_try_everything_and_then_the_best() -> None:
    book = Bounds(3, 0.4)
    chosen = []
    for _ in range(300):
        action = book.choose()
        chosen.append(action)
        book.learn(action, (0.2, 0.8, 0.5)[action])
    assert chosen[:3] == [0, 1, 2]
    assert book.average()[1] > 0.7
    assert book.means == pytest.approx([0.2, 0.8, 0.5])


def test_whoever_comes_late_must_show_more() -> None:
    """Two numbers of equal means: the one that was tried more often is worth more at least; untried ones nothing."""
    book = Bounds(2, 0.4)
    for _ in range(100):
        book.choose()
    book.learn(0, 0.5 * book.tried[0])
    book.learn(1, 0.5 * book.tried[1])
    book.grow(4)
    assert [book.choose(), book.choose()] == [2, 3]
    book.learn(2, 0.5)
    assert book.floors[0] > book.floors[2]
    assert book.floors[2] == pytest.approx(0.5 - 0.4 * np.sqrt(np.log(103)))
    assert Bounds(1, 0.4).floors[0] == -np.inf
