"""Who plays whom: newcomers first, everybody in turn, and nobody takes it all."""

from __future__ import annotations

from collections import Counter
from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.ladder.pairing import MAX_OUT, NARROW, PLACEMENT, Candidate, Chosen, Met, choose, teaches


def placed(version: int, mu: float = 25.0, sigma: float = 1.0, **other: float) -> Candidate:
    return Candidate(version, version, f"bot {version}", games=200, mu=mu, sigma=sigma, margin=40.0, **other)  # type: ignore[arg-type]


def newcomer(version: int, games: int = 0) -> Candidate:
    return Candidate(version, version, f"new {version}", games=games)


class Play:
    """Meetings one after the other; results come at once unless a bot is held back."""

    def __init__(self, field: list[Candidate], seats: int = 2) -> None:
        self.field = field
        self.seats = seats
        self.met = Met()
        self.games: Counter[int] = Counter()
        self.whys: list[str] = []
        self._numbers = count(1)

    def meet(self, finished: bool = True) -> Chosen | None:
        number = next(self._numbers)
        chosen = choose(self.field, self.seats, number, self.met, Random(number))
        if chosen is None:
            return None
        self.whys += [chosen.why_of(turn) for turn in range(self.seats)]
        versions = [player.version for player in chosen.players]
        assert len(set(versions)) == self.seats
        self.met.note(versions)
        for player in chosen.players:
            player.turns += self.seats
            player.games += self.seats if finished else 0
            player.out += 0 if finished else self.seats
            self.games[player.version] += self.seats
        return chosen


# ---- newcomers


def test_a_newcomer_gets_its_placement_games_first() -> None:
    play = Play([*(placed(version) for version in range(1, 21)), newcomer(99)])
    meetings = 0
    while play.field[-1].is_placing:
        play.meet()
        meetings += 1
    assert play.games[99] == PLACEMENT
    assert meetings <= PLACEMENT / 2 * 5 / 4 + 1
    assert [why for why in play.whys if why.startswith("placement, game")][:3] == [
        "placement, game 1 of 30",
        "placement, game 2 of 30",
        "placement, game 3 of 30",
    ]


def test_placement_ends_early_where_the_interval_is_narrow() -> None:
    one = newcomer(1, games=12)
    assert one.is_placing
    one.margin = NARROW
    assert not one.is_placing
    one.margin = NARROW + 1
    assert one.is_placing
    one.games = PLACEMENT
    assert not one.is_placing


def test_a_newcomer_whose_games_never_finish_cannot_take_the_capacity() -> None:
    """It may be one that crashes or hangs: until results come, it has only so many games."""
    play = Play([*(placed(version) for version in range(1, 11)), newcomer(99)])
    for _ in range(300):
        chosen = play.meet(finished=False)
        assert chosen is not None
    assert play.games[99] <= MAX_OUT
    assert sum(play.games.values()) == 300 * 2 * 2


def test_a_bot_that_is_always_uncertain_does_not_get_all_games() -> None:
    """A crasher once fell out of everybody's range, its uncertainty grew, and it played as much as the whole site."""
    field = [placed(version, mu=25 + version) for version in range(1, 31)]
    field.append(placed(99, mu=-40.0, sigma=8.0))
    play = Play(field)
    for _ in range(600):
        play.meet()
    assert play.games[99] <= 2 * 600 * 2 / len(field)


def test_placed_bots_get_games_however_many_newcomers_there_are() -> None:
    play = Play([*(placed(version) for version in range(1, 6)), *(newcomer(version) for version in range(100, 300))])
    focus = Counter[bool]()
    for _ in range(500):
        chosen = play.meet()
        assert chosen is not None
        focus[chosen.placing is None] += 1
    assert focus[True] >= 100


def test_newcomers_are_placed_side_by_side() -> None:
    play = Play([*(placed(version) for version in range(1, 11)), *(newcomer(version) for version in range(100, 105))])
    for _ in range(40):
        play.meet()
    games = [play.games[version] for version in range(100, 105)]
    assert max(games) - min(games) <= 4


# ---- everybody else


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_plays_about_as_much(seats: int) -> None:
    play = Play([placed(version, mu=20 + version / 2) for version in range(1, 25)], seats)
    for _ in range(480):
        play.meet()
    games = [play.games[version] for version in range(1, 25)]
    assert max(games) - min(games) <= 6 * seats


def test_opponents_are_near_and_change() -> None:
    field = [placed(version, mu=float(version)) for version in range(1, 41)]
    play = Play(field)
    apart, opponents = [], set()
    for _ in range(600):
        chosen = play.meet()
        assert chosen is not None
        one, other = (player.version for player in chosen.players)
        apart.append(abs(one - other))
        if 20 in (one, other):
            opponents.add(one + other - 20)
    assert sum(apart) / len(apart) < 40 / 3 / 1.4  # pairs drawn by lot would be a third of the field apart
    assert len(opponents) >= 8


def test_a_result_teaches_most_between_uncertain_equals() -> None:
    sure, far, unsure = placed(1), placed(2, mu=45.0), placed(3, sigma=4.0)
    assert teaches(sure, unsure) > teaches(sure, placed(4)) > teaches(sure, far) > 0


def test_the_two_leaders_decide_who_leads() -> None:
    play = Play([placed(1, mu=40.0, sigma=3.0), placed(2, mu=39.5, sigma=3.0), placed(3, mu=10.0)])
    for _ in range(12):
        play.meet()
    assert "decides who leads" in play.whys


def test_our_own_bots_do_not_play_for_themselves() -> None:
    field = [placed(version) for version in (1, 2, 3)]
    for one in field:
        one.is_ours = True
    assert Play(field).meet() is None


def test_our_own_bots_meet_each_other_now_and_then_so_that_the_scale_hangs_together() -> None:
    field = [placed(version) for version in (1, 2, 3)]
    for one in field:
        one.is_ours = True
    play = Play([*field, newcomer(9), placed(10), placed(11)])
    among_ours = 0
    for _ in range(90):
        chosen = play.meet()
        assert chosen is not None
        among_ours += all(player.is_ours for player in chosen.players)
    assert 3 < among_ours < 30


@given(st.integers(0, 12), st.integers(0, 6), st.integers(2, 4), st.integers(0, 1000))
def test_every_meeting_is_complete_and_says_why(many: int, new: int, seats: int, seed: int) -> None:
    random = Random(seed)
    field = [placed(version, mu=random.uniform(0, 50), sigma=random.uniform(0.5, 8)) for version in range(many)]
    field += [newcomer(100 + version, games=random.randrange(PLACEMENT)) for version in range(new)]
    play = Play(field, seats)
    for _ in range(6):
        chosen = play.meet()
        assert (chosen is None) == (len(field) < seats)
    assert all(play.whys)


def test_meetings_fade() -> None:
    met = Met(fade=0.5)
    met.note((1, 2))
    assert met.lately(2, 1) == 1
    met.note((3, 4))
    assert met.lately(1, 2) == pytest.approx(0.5)
    for _ in range(60):
        met.note((3, 4))
    assert met.lately(1, 2) == pytest.approx(0, abs=1e-9)
    assert met.lately(3, 4) == pytest.approx(2)
