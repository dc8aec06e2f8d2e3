"""Ratings game by game, and both kinds together."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from polemos.arena.tournament import fit
from polemos.arena.tournament.plan import Entrant, Plan, Played, Rating
from polemos.arena.tournament.ratings import Live, rate
from unit.arena.tournament.fabricated import KNOCK_OUT, SWISS, play

PLAN = Plan("any", 1, {}, 2, tuple(Entrant(f"bot {i}", "random") for i in range(4)), "round-robin", 1, 1, "s")


def game(number: int, seating: tuple[int, ...], ranks: tuple[int, ...], course: str = "") -> Played:
    points = tuple((rank == 1) / ranks.count(1) for rank in ranks)
    return Played(number, 1, 1, seating, ranks, points, "", "", 1, course or f"{number}", (0,) * len(seating), {})


def taken(plan: Plan, games: list[Played]) -> list[Rating]:
    live = Live(plan)
    for one in games:
        live.take(one)
    return live.ratings()


def test_before_the_first_game_all_are_worth_the_same() -> None:
    for rating in rate(PLAN, []):
        assert (rating.mu, rating.sigma) == pytest.approx((25, 25 / 3))
        assert rating.live == pytest.approx(0)
        assert (rating.games, rating.elo, rating.low, rating.high) == (0, None, None, None)


def test_a_win_raises_one_and_lowers_the_other_alike() -> None:
    loser, winner, *others = taken(PLAN, [game(1, (1, 0), (1, 2))])
    assert winner.mu - 25 == pytest.approx(25 - loser.mu)
    assert winner.mu > 25
    assert winner.live == pytest.approx(winner.mu - 3 * winner.sigma)
    assert (winner.games, loser.games) == (1, 1)
    assert all(other.games == 0 and other.mu == 25 for other in others)


def test_a_draw_of_equals_only_makes_surer() -> None:
    one, other, *_ = taken(PLAN, [game(1, (0, 1), (1, 1))])
    assert one.mu == other.mu == pytest.approx(25)
    assert one.sigma == other.sigma < 25 / 3


def test_places_of_three_order_three() -> None:
    first, second, third, _ = taken(PLAN, [game(1, (2, 0, 1), (3, 1, 2))])
    assert first.mu > second.mu > third.mu
    _, one, other, _ = taken(PLAN, [game(1, (2, 0, 1), (2, 1, 2))])
    assert one.mu == pytest.approx(other.mu)


def test_taking_one_after_the_other_is_the_same_as_in_one_go() -> None:
    tournament = play(SWISS)
    live = Live(tournament.plan)
    for number, one in enumerate(tournament.counted, 1):
        live.take(one)
        if number % 7 == 0:
            assert live.ratings() == taken(tournament.plan, tournament.counted[:number])
    bare = [replace(rating, elo=None, low=None, high=None) for rating in rate(tournament.plan, tournament.counted)]
    assert live.ratings() == bare


def test_games_count_in_order_of_their_numbers_whichever_comes_first() -> None:
    tournament = play(KNOCK_OUT)
    rng = Random(1)
    expected = taken(tournament.plan, tournament.counted)
    for _ in range(5):
        games = list(tournament.counted)
        rng.shuffle(games)
        assert taken(tournament.plan, games) == expected
        assert rate(tournament.plan, games) == rate(tournament.plan, tournament.counted)


def test_a_game_is_taken_once_and_repeated_games_count_once() -> None:
    first, again, other = game(1, (0, 1), (1, 2), "a"), game(2, (0, 1), (1, 2), "a"), game(3, (2, 3), (1, 2), "a")
    expected = taken(PLAN, [first, other])
    assert taken(PLAN, [first, first, again, other, again]) == expected
    assert taken(PLAN, [other, again, first]) == expected
    assert [rating.games for rating in expected] == [1, 1, 1, 1]


def test_void_games_count_nothing() -> None:
    void = Played(1, 1, 1, (0, 1), (), (), "the worker died", "", 0, "", (0, 0), {}, void=True)
    assert rate(PLAN, [void]) == rate(PLAN, [])


def test_the_fit_stands_beside() -> None:
    tournament = play(SWISS)
    found = rate(tournament.plan, tournament.counted)
    expected = fit.estimates(len(tournament.plan.entrants), tournament.counted)
    assert [rating.entrant for rating in found] == list(range(7))
    for rating, of in zip(found, expected, strict=True):
        assert of is not None
        assert (rating.elo, rating.low, rating.high) == (of.elo, of.low, of.high)
