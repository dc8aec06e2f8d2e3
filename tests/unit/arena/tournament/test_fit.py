"""The fit over all games: strengths by hand, intervals by simulation."""

from __future__ import annotations

import doctest
from itertools import combinations, count
from math import exp, log, sqrt, tanh
from random import Random

import pytest

from polemos.arena.tournament import fit
from polemos.arena.tournament.fit import ELO, Estimate, estimates
from polemos.arena.tournament.plan import Played
from unit.arena.tournament.fabricated import ranked

_numbers = count(1)


def game(seating: tuple[int, ...], ranks: tuple[int, ...], course: str = "") -> Played:
    """A game of which nothing matters but the places."""
    number = next(_numbers)
    first = ranks.count(1)
    points = tuple((rank == 1) / first for rank in ranks)
    return Played(number, 1, 1, seating, ranks, points, "", "", 1, course or f"{number}", (0,) * len(seating), {})


def won(one: int, other: int, times: int = 1) -> list[Played]:
    """Games of two that the first one wins, from either seat."""
    return [game((one, other), (1, 2)) if i % 2 else game((other, one), (2, 1)) for i in range(times)]


def known(found: list[Estimate | None]) -> list[Estimate]:
    """All of them, since all have played."""
    return [one for one in found if one is not None]


def elos(found: list[Estimate | None]) -> list[float]:
    return [one.elo for one in known(found)]


def test_examples_run() -> None:
    result = doctest.testmod(fit)
    assert result.attempted > 0
    assert result.failed == 0


# ---- by hand


def test_three_to_one_without_the_prior_is_threefold_strength() -> None:
    found = elos(estimates(2, won(0, 1, 3) + won(1, 0), prior=0.0))
    assert found == pytest.approx([ELO * log(3) / 2, -ELO * log(3) / 2])
    assert found[0] - found[1] == pytest.approx(190.85, abs=0.01)


def test_the_prior_draws_three_to_one_a_little_together() -> None:
    """The slope 3 - 4 s(d) - tanh(d / 4) / 4 must be 0: four games, and half a drawn game of each against the mean."""
    found = elos(estimates(2, won(0, 1, 3) + won(1, 0)))
    between = (found[0] - found[1]) / ELO
    assert 3 - 4 / (1 + exp(-between)) - tanh(between / 4) / 4 == pytest.approx(0, abs=1e-9)
    assert 170 < found[0] - found[1] < 190.85


def test_equals_are_equal() -> None:
    assert elos(estimates(2, won(0, 1, 5) + won(1, 0, 5))) == pytest.approx([0, 0], abs=1e-9)
    assert elos(estimates(3, [game((0, 1, 2), (1, 1, 1))])) == pytest.approx([0, 0, 0], abs=1e-9)


def test_a_draw_is_half_a_win_for_each() -> None:
    drawn = [game((0, 1), (1, 1)), game((1, 0), (1, 1)), *won(0, 1, 3)]
    assert elos(estimates(2, drawn)) == pytest.approx(elos(estimates(2, won(0, 1, 4) + won(1, 0))))


def test_three_seats_by_hand() -> None:
    """One bot against two equals, x times as strong: first in 10 games of 16, second in 2, last in 4.

    The likelihood's slope is 12/x - 16/(x + 2) - 6/(x + 1), and 0 at x = 2.
    """
    games = [game((0, 1, 2), ranks) for ranks in [(1, 2, 3), (1, 3, 2)] * 5]
    games += [game((0, 1, 2), ranks) for ranks in [(2, 1, 3), (2, 3, 1)]]
    games += [game((0, 1, 2), ranks) for ranks in [(3, 1, 2), (3, 2, 1)] * 2]
    found = elos(estimates(3, games, prior=0.0))
    assert found == pytest.approx([ELO * log(2) * 2 / 3, -ELO * log(2) / 3, -ELO * log(2) / 3])


def test_shared_places_are_split_into_both_orders() -> None:
    shared = [
        game((0, 1, 2), (1, 2, 2)),
        game((0, 1, 2), (1, 2, 2)),
        game((2, 0, 1), (1, 1, 3)),
        game((2, 0, 1), (1, 1, 3)),
    ]
    split = [
        game((0, 1, 2), (1, 2, 3)),
        game((0, 1, 2), (1, 3, 2)),
        game((2, 0, 1), (1, 2, 3)),
        game((2, 0, 1), (2, 1, 3)),
    ]
    assert elos(estimates(3, shared)) == pytest.approx(elos(estimates(3, split)))


def test_three_who_share_a_place_are_split_into_all_six_orders() -> None:
    orders = [(1, 2, 3, 4), (1, 2, 4, 3), (1, 3, 2, 4), (1, 4, 2, 3), (1, 3, 4, 2), (1, 4, 3, 2)]
    split = [game((0, 1, 2, 3), ranks) for ranks in orders]
    shared = [game((0, 1, 2, 3), (1, 2, 2, 2)) for _ in orders]
    last = [game((3, 2, 1, 0), (1, 2, 3, 4))]
    assert elos(estimates(4, shared + last)) == pytest.approx(elos(estimates(4, split + last)))


def test_the_interval_of_an_even_score_by_hand() -> None:
    """The information about the difference is a quarter a game, and each is half of it away from the mean."""
    one, other = known(estimates(2, won(0, 1, 8) + won(1, 0, 8), prior=0.0))
    margin = ELO * 1.959964 / sqrt(16)
    assert (one.low, one.high) == pytest.approx((-margin, margin))
    assert (other.low, other.high) == pytest.approx((-margin, margin))


def test_the_prior_makes_intervals_narrower_by_hand() -> None:
    """One all: the information about the difference is 2/4 from the games, and (1/2)/8 from both drawn half games."""
    one, _ = known(estimates(2, won(0, 1) + won(1, 0)))
    assert one.high == pytest.approx(ELO * 1.959964 / sqrt(0.5625) / 2)


def test_the_mean_of_the_field_is_0() -> None:
    games = won(0, 1, 4) + won(0, 2, 9) + won(1, 2, 2) + won(2, 3, 1)
    assert sum(elos(estimates(4, games))) == pytest.approx(0, abs=1e-9)


# ---- what must never matter, and never fail


def test_the_order_of_games_does_not_matter() -> None:
    rng = Random(5)
    strengths = [0.4 * i for i in range(8)]
    games = []
    for _ in range(300):
        seating = tuple(rng.sample(range(8), 3))
        games.append(game(seating, ranked(rng, [strengths[entrant] for entrant in seating], 0.2)))
    first = known(estimates(8, games))
    for _ in range(5):
        rng.shuffle(games)
        for one, other in zip(first, known(estimates(8, games)), strict=True):
            assert (one.elo, one.low, one.high) == pytest.approx((other.elo, other.low, other.high), abs=1e-9)


def test_a_game_that_repeats_another_counts_once() -> None:
    once = [game((0, 1), (1, 2), "same"), game((1, 0), (1, 2), "same"), *won(0, 1, 2)]
    twice = [*once, game((0, 1), (1, 2), "same"), game((0, 1), (1, 2), "same")]
    assert estimates(2, twice) == estimates(2, once)


def test_all_wins_stay_finite_and_grow_slowly() -> None:
    three, thirty = (known(estimates(2, won(0, 1, times)))[0] for times in (3, 30))
    assert 100 < three.elo < thirty.elo < 1000
    assert three.low < three.elo < three.high
    assert thirty.low > 0  # thirty to nothing is beyond doubt


def test_an_entrant_without_games_has_none() -> None:
    found = estimates(4, won(0, 2, 3))
    assert [one is None for one in found] == [False, True, False, True]
    assert sum(one.elo for one in found if one) == pytest.approx(0, abs=1e-9)
    assert estimates(3, []) == [None, None, None]


def test_parts_of_a_field_that_never_met_are_wide_apart_in_doubt() -> None:
    apart = known(estimates(4, won(0, 1, 20) + won(1, 0, 20) + won(2, 3, 20) + won(3, 2, 20)))
    met = known(
        estimates(4, won(0, 1, 20) + won(1, 0, 20) + won(2, 3, 20) + won(3, 2, 20) + won(0, 2, 20) + won(2, 0, 20))
    )
    assert [one.elo for one in apart] == pytest.approx([0] * 4, abs=1e-6)
    assert apart[0].high > 2 * met[0].high


def test_void_games_do_not_count() -> None:
    void = Played(99, 1, 1, (0, 1), (), (), "the worker died", "", 0, "", (0, 0), {}, void=True)
    assert estimates(2, [void]) == [None, None]


def test_somebody_who_plays_against_itself_learns_nothing() -> None:
    assert elos(estimates(1, [game((0, 0), (1, 2))])) == [0.0]


def test_great_differences_do_not_break_it() -> None:
    found = elos(estimates(30, [game for i in range(29) for game in won(i, i + 1, 50)]))
    assert found == sorted(found, reverse=True)


# ---- intervals


@pytest.mark.parametrize(
    ("bots", "seats", "games", "spread"),
    [(6, 2, 4, 400), (6, 2, 10, 800), (5, 3, 2, 300), (7, 3, 1, 600), (5, 4, 3, 400)],
)
def test_the_truth_lies_inside_about_95_percent(bots: int, seats: int, games: int, spread: float) -> None:
    """Everybody meets everybody, with known strengths; some 1,500 intervals each."""
    rng = Random(f"{bots} {seats} {games}")
    truth = [spread / ELO * (i / (bots - 1) - 0.5) for i in range(bots)]
    inside = tried = 0
    for _ in range(1500 // bots):
        played = [
            game(seating, ranked(rng, [truth[entrant] for entrant in seating], 0.0))
            for seating in combinations(range(bots), seats)
            for _ in range(games)
        ]
        for one, strength in zip(known(estimates(bots, played)), truth, strict=True):
            inside += one.low <= ELO * strength <= one.high
            tried += 1
    assert 0.935 <= inside / tried <= 0.985


def test_draws_make_intervals_wider_than_need_be_never_narrower() -> None:
    """A game with many draws scatters less than the model thinks; the truth is then inside more often."""
    rng = Random(3)
    inside = 0
    for _ in range(300):
        played = [game((0, 1), ranked(rng, [0.0, 0.0], 0.5)) for _ in range(20)]
        inside += known(estimates(2, played))[0].low <= 0 <= known(estimates(2, played))[0].high
    assert inside / 300 >= 0.97
