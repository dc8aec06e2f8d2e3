"""Who meets whom, and who sits where."""

from __future__ import annotations

import doctest
from collections import Counter
from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos.arena.tournament import knock_out, round_robin, seats, swiss, systems
from polemos.arena.tournament.engine import Tournament
from polemos.arena.tournament.opening import settled
from polemos.arena.tournament.plan import Plan
from polemos.kernel.errors import BadOptions
from together import together

from .invented import at_random, drawn, plan, through


@pytest.mark.parametrize("module", [seats, knock_out])
def test_examples(module: object) -> None:
    assert doctest.testmod(module).attempted  # type: ignore[arg-type]


# ---- round robin


@given(st.integers(2, 4).flatmap(lambda k: st.tuples(st.just(k), st.integers(k, 11))), st.text(max_size=2))
def test_every_group_meets_once(size: tuple[int, int], seed: str) -> None:
    k, count = size
    rounds = round_robin.rounds(count, k, seed)
    groups = [tuple(sorted(group)) for groups in rounds for group in groups]
    assert sorted(groups) == list(combinations(range(count), k))
    assert len(rounds) == systems.full_rounds("round-robin", count, k)


@together("count", range(2, 13))
def test_with_two_seats_everybody_plays_once_in_a_round(count: int) -> None:
    for groups in round_robin.rounds(count, 2, "s"):
        assert len({entrant for group in groups for entrant in group}) == 2 * len(groups) == count - count % 2


@together("count", range(2, 13))
def test_seats_alternate_from_round_to_round(count: int) -> None:
    """After any number of rounds nobody sat in one seat more than twice as often more than in the other."""
    sat = Counter(dict.fromkeys(range(count), 0))
    for groups in round_robin.rounds(count, 2, "s"):
        for one, other in groups:
            sat[one] += 1
            sat[other] -= 1
        assert all(abs(balance) <= 2 for balance in sat.values())
    assert all(abs(balance) == (count - 1) % 2 for balance in sat.values()), "at the end it is as even as it can be"


@pytest.mark.parametrize(("count", "k"), [(count, k) for k in (3, 4) for count in range(k, 11)])
def test_after_every_round_all_have_played_equally_often(count: int, k: int) -> None:
    played: Counter[int] = Counter()
    for groups in round_robin.rounds(count, k, "s"):
        played.update(entrant for group in groups for entrant in group)
        assert len({played[entrant] for entrant in range(count)}) == 1


@together("games", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(("count", "k"), [(count, k) for k in (2, 3, 4) for count in range(k, 11)])
def test_seats_are_even_where_they_can_be(count: int, k: int, games: int) -> None:
    rows = _sat(plan(count, seats=k, games=games))
    meetings = comb(count - 1, k - 1)
    spread = max(max(row) - min(row) for row in rows.values())
    if games % k == 0 or meetings % k == 0:
        assert spread == 0
    else:
        assert spread <= (2 if k == 4 else 1)


@given(st.integers(2, 5).flatmap(lambda k: st.lists(st.sets(st.integers(0, 8), min_size=k, max_size=k), max_size=40)))
def test_any_groups_can_be_seated_evenly(groups: list[set[int]]) -> None:
    k = len(groups[0]) if groups else 2
    found = seats.evenly_seated([sorted(group) for group in groups], k)
    assert [set(group) for group in found] == groups
    for entrant in range(9):
        sat = [sum(group[seat] == entrant for group in found) for seat in range(k)]
        assert max(sat) - min(sat) <= 1


def _sat(of: Plan) -> dict[int, list[int]]:
    rows = {entrant: [0] * of.seats for entrant in range(len(of.entrants))}
    for pairing in Tournament(of).due():
        for seat, entrant in enumerate(pairing.seating):
            rows[entrant][seat] += 1
    return rows


def test_rounds_limit_a_round_robin() -> None:
    assert through(plan(6, rounds=2), drawn).settled == 2 * 3 * 2
    assert through(plan(5, seats=3, games=1, rounds=1), drawn).settled == 5


def test_neighbours_change_from_block_to_block() -> None:
    found = [seats.seating((0, 1, 2), index) for index in range(6)]
    assert sorted(found) == sorted(permutations(range(3)))


# ---- Swiss


@given(
    st.integers(2, 4).flatmap(lambda k: st.tuples(st.just(k), st.integers(k, 20))),
    st.integers(1, 5),
    st.integers(0, 1000),
)
def test_swiss_rounds(size: tuple[int, int], rounds: int, salt: int) -> None:
    k, count = size
    of = plan(count, seats=k, system="swiss", rounds=rounds, games=1, pause_after=0)
    tournament, invent = Tournament(of), at_random(salt)
    byes = Counter(dict.fromkeys(range(count), 0))
    while not tournament.is_over:
        pairings = list(tournament.due())
        playing = [entrant for pairing in pairings for entrant in pairing.seating]
        assert len(set(playing)) == len(playing) == count - count % k
        byes.update(set(range(count)) - set(playing))
        assert max(byes.values()) - min(byes.values()) <= 1, "nobody has a second bye before all had one"
        for pairing in pairings:
            tournament.take(invent(pairing))
    assert {row.entrant: row.byes for row in tournament.rows()} == byes


@given(st.integers(1, 4).map(lambda n: 2 * n), st.data())
def test_no_meeting_again_while_it_can_be_avoided(count: int, data: st.DataObject) -> None:
    pairs = list(combinations(range(count), 2))
    had = data.draw(st.lists(st.sampled_from(pairs), max_size=20))
    met = {entrant: Counter[int]() for entrant in range(count)}
    for one, other in had:
        met[one][other] += 1
        met[other][one] += 1
    found = swiss.groups(range(count), 2, met)
    assert sorted(entrant for group in found for entrant in group) == list(range(count))
    assert sum(met[a][b] for a, b in found) == min(
        sum(met[a][b] for a, b in matching) for matching in _matchings(list(range(count)))
    )


def _matchings(left: list[int]) -> list[list[tuple[int, int]]]:
    if not left:
        return [[]]
    first, *others = left
    return [[(first, other), *rest] for other in others for rest in _matchings([e for e in others if e != other])]


def test_those_who_stand_close_together_meet() -> None:
    none = {entrant: Counter[int]() for entrant in range(9)}
    assert swiss.groups([4, 2, 0, 1, 3, 5], 2, none) == [(4, 2), (0, 1), (3, 5)]
    assert swiss.groups([8, 4, 2, 0, 1, 3, 5, 6, 7], 3, none) == [(8, 4, 2), (0, 1, 3), (5, 6, 7)]
    none[4][2] = none[2][4] = 1
    assert swiss.groups([4, 2, 0, 1, 3, 5], 2, none) == [(4, 0), (2, 1), (3, 5)]


def test_byes_come_from_the_end_of_the_table() -> None:
    assert swiss.byes([3, 1, 0, 2, 4], 2, dict.fromkeys(range(5), 0)) == [4]
    assert swiss.byes([3, 1, 0, 2, 4], 2, {0: 0, 1: 0, 2: 1, 3: 0, 4: 1}) == [0]
    assert swiss.byes([3, 1, 0, 2, 4], 3, {0: 0, 1: 0, 2: 0, 3: 0, 4: 1}) == [2, 0]


@pytest.mark.parametrize("k", [2, 3, 4])
def test_seats_are_balanced_over_a_swiss_tournament(k: int) -> None:
    of = plan(4 * k, seats=k, system="swiss", rounds=6, games=1)
    tournament = through(of, at_random(7))
    rows = {entrant: [0] * k for entrant in range(4 * k)}
    for game in tournament.counted:
        for seat, entrant in enumerate(game.seating):
            rows[entrant][seat] += 1
    assert max(max(row) - min(row) for row in rows.values()) <= 2


def test_a_large_field_is_drawn_quickly() -> None:
    tournament = through(plan(500, system="swiss", rounds=12, games=1), at_random(3))
    met = Counter(tuple(sorted(game.seating)) for game in tournament.counted)
    assert max(met.values()) == 1


# ---- knock-out


@together("count", range(2, 34))
def test_the_strongest_are_apart_in_the_bracket(count: int) -> None:
    slots = knock_out.bracket(count)
    assert sorted(slot for slot in slots if slot is not None) == list(range(count))
    while len(slots) > 1:
        pairs = list(zip(slots[::2], slots[1::2], strict=True))
        assert all(a is not None or b is not None for a, b in pairs)
        alive = [min(e for e in pair if e is not None) for pair in pairs]
        assert sorted(alive) == list(range(len(pairs))), "if the better one always wins, the best are left"
        slots = list(alive)


# ---- what makes no tournament


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"count": 1}, "2 seats need at least 2 bots"),
        ({"count": 3, "seats": 4}, "4 seats need at least 4 bots, but you named 3"),
        ({"count": 4, "seats": 3, "system": "knock-out"}, "A knock-out needs two seats"),
        ({"count": 4, "system": "knock-out", "games": 3}, "even number of games"),
        ({"count": 4, "rounds": 4}, "You asked for 4 rounds, but a round-robin of 4 bots with 2 seats has 3"),
        ({"count": 4, "system": "knock-out", "rounds": 1}, "has 2"),
        ({"count": 1000, "seats": 4}, "the maximum is"),
        ({"count": 1000, "system": "swiss", "rounds": 10_000}, "the maximum is"),
    ],
)
def test_what_makes_no_tournament(given: dict[str, int], why: str) -> None:
    with pytest.raises(BadOptions, match=why):
        plan(**given)  # type: ignore[arg-type]


def test_rounds_are_settled_before_it_begins() -> None:
    assert plan(9, system="swiss").rounds == 4
    assert plan(9, system="knock-out").rounds == 4
    assert plan(9).rounds == 9
    assert settled(plan(9), 3).rounds == 3
