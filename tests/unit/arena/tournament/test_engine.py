"""The course of a tournament, with invented results."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from polemos.arena.tournament.batch import void
from polemos.arena.tournament.engine import OtherCourse, Tournament
from polemos.arena.tournament.plan import Pairing, Plan, Played, System
from polemos.arena.tournament.systems import MAX_EXTRA, bye_points

from .invented import at_random, by_number, drawn, ended, known, plan, through


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    system: System = draw(st.sampled_from(["round-robin", "swiss", "knock-out"]))
    seats = 2 if system == "knock-out" else draw(st.integers(2, 4))
    games = draw(st.integers(1, 4))
    return plan(
        draw(st.integers(seats, 9)),
        seats=seats,
        system=system,
        rounds=draw(st.integers(1, 6)) if system == "swiss" else None,
        games=2 * games if system == "knock-out" else games,
        pause_after=draw(st.integers(0, 3)),
        seed=draw(st.text(max_size=3)),
    )


SALTS = st.integers(0, 10_000)
BAD = st.frozensets(st.integers(0, 8), max_size=3)


# ---- what is always true


@given(plans(), SALTS, BAD)
def test_the_order_of_arrival_does_not_matter(of: Plan, salt: int, bad: frozenset[int]) -> None:
    invent, chance = at_random(salt, bad=bad), Random(salt)
    straight = through(of, invent)
    shuffled = Tournament(of)
    while not shuffled.is_over:
        some = [invent(pairing) for pairing in islice(shuffled.due(), chance.randint(1, 20))]
        chance.shuffle(some)
        for played in [*some, *some]:  # twice is once
            shuffled.take(played)
    assert known(shuffled) == known(straight)


@given(plans(), SALTS, BAD, st.floats(0, 1))
def test_a_cut_anywhere_and_a_new_start_give_the_same(of: Plan, salt: int, bad: frozenset[int], cut: float) -> None:
    """A journal holds games in order of arrival; also such that turned out to count for nothing."""
    invent, chance = at_random(salt, bad=bad), Random(salt)
    straight = through(of, invent)
    first, journal = Tournament(of), []
    while not first.is_over:
        some = [invent(pairing) for pairing in islice(first.due(), chance.randint(1, 20))]
        chance.shuffle(some)
        journal += some
        for played in some:
            first.take(played)
    kept = journal[: int(cut * len(journal))]
    chance.shuffle(kept)
    again = Tournament(of)
    for played in kept:
        again.take(played)
    had = {played.number for played in kept}
    while not again.is_over:
        due = list(islice(again.due(), 3))
        assert not had & {pairing.number for pairing in due}, "nothing is played twice"
        for pairing in due:
            again.take(invent(pairing))
    assert known(again) == known(straight)


@given(plans(), SALTS, BAD)
def test_points_are_conserved(of: Plan, salt: int, bad: frozenset[int]) -> None:
    tournament = through(of, at_random(salt, bad=bad))
    rows = tournament.rows()
    byes = sum(row.byes for row in rows) * (bye_points(of) if of.system == "swiss" else 0)
    walked = tournament.settled - len(tournament.counted) - sum("is void" in n.text for n in tournament.notices)
    total = sum(row.points for row in rows) - byes
    assert len(tournament.counted) - 1e-4 <= total <= len(tournament.counted) + walked + 1e-4
    assert sum(row.played for row in rows) == of.seats * len(tournament.counted)
    assert all(row.wins + row.draws + row.losses == row.played for row in rows)
    assert {row.entrant for row in rows} == set(range(len(of.entrants)))
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    assert rows[0].place == 1


@given(plans(), SALTS)
def test_nobody_meets_itself_and_all_numbers_are_used_once(of: Plan, salt: int) -> None:
    seen: dict[int, Pairing] = {}
    tournament, invent = Tournament(of), at_random(salt)
    while not tournament.is_over:
        for pairing in list(tournament.due()):
            assert pairing.number not in seen
            seen[pairing.number] = pairing
            tournament.take(invent(pairing))
    for pairing in seen.values():
        assert len(set(pairing.seating)) == of.seats
        assert all(0 <= entrant < len(of.entrants) for entrant in pairing.seating)
    assert max(seen) <= tournament.settled
    assert tournament.expected == tournament.settled == tournament.arrived


@given(plans())
def test_seat_exchanged_games_share_the_dice(of: Plan) -> None:
    first = list(Tournament(of).due())
    seeds: dict[tuple[int, str], list[Pairing]] = {}
    for pairing in first:
        seeds.setdefault((pairing.meeting, pairing.seed), []).append(pairing)
    for block in seeds.values():
        assert len(block) <= of.seats
        for seat in range(of.seats):
            assert len({pairing.seating[seat] for pairing in block}) == len(block), "everybody sits elsewhere each time"
    assert len({pairing.bot_seed for pairing in first}) == len(first)
    assert len({seed for _, seed in seeds}) == len(seeds)


def test_the_seed_decides_everything() -> None:
    of = plan(7, system="swiss", rounds=3)
    assert list(Tournament(of).due()) == list(Tournament(of).due())
    assert list(Tournament(of).due()) != list(Tournament(replace(of, seed="t")).due())


def test_a_game_that_the_plan_does_not_know_is_refused() -> None:
    tournament = Tournament(plan(4))
    pairing = next(tournament.due())
    with pytest.raises(OtherCourse, match="Game 1 was played by"):
        tournament.take(by_number(replace(pairing, seating=pairing.seating[::-1])))


# ---- tables


def test_the_better_one_is_first() -> None:
    for system in ("round-robin", "swiss", "knock-out"):
        rows = through(plan(8, system=system), by_number).rows()
        assert rows[0].entrant == 0
        assert (rows[0].wins, rows[0].losses) == (rows[0].played, 0)
    rows = through(plan(8), by_number).rows()
    assert [(row.entrant, row.place, row.points) for row in rows] == [(e, e + 1, 2.0 * (7 - e)) for e in range(8)]


def test_equals_share_a_place() -> None:
    rows = through(plan(5), drawn).rows()
    assert [row.place for row in rows] == [1] * 5
    assert {(row.draws, row.points) for row in rows} == {(8, 4.0)}


def test_points_over_stronger_opponents_break_a_tie() -> None:
    """Four bots, one game each: 0 beats 3, 3 beats 2, 2 beats 1, 1 beats 0, and 0 beats 2, 1 beats 3."""
    wins = {(0, 3), (3, 2), (2, 1), (1, 0), (0, 2), (1, 3)}

    def invent(pairing: Pairing) -> Played:
        one, other = pairing.seating
        return ended(pairing, (1, 2) if (one, other) in wins else (2, 1))

    rows = through(plan(4, games=1), invent).rows()
    assert [(row.entrant, row.points) for row in rows] == [(1, 2), (0, 2), (2, 1), (3, 1)]
    assert rows[0].tie_break == pytest.approx((2 + 1) / 3), "it took its points from 0 (2 of 3) and 3 (1 of 3)"
    assert [row.place for row in rows] == [1, 2, 3, 4] or rows[2].tie_break == rows[3].tie_break


# ---- pauses


def test_a_bot_that_keeps_dropping_out_is_paused() -> None:
    of = plan(4, games=2)
    bad = frozenset({2})

    def invent(pairing: Pairing) -> Played:
        seats = [seat for seat, entrant in enumerate(pairing.seating) if entrant in bad]
        if not seats:
            return by_number(pairing)
        return ended(pairing, (2, 1) if seats == [0] else (1, 2), {seats[0]: "crash: \x1b[31moops"})

    tournament = through(of, invent)
    (notice,) = tournament.notices
    games = [game.number for game in tournament.counted if 2 in game.seating]
    assert len(games) == 3
    assert (notice.entrant, notice.after) == (2, games[-1])
    assert notice.text.startswith("bot 2 is paused: it dropped out of 3 games in a row")
    assert all(f"game {number}: crash: [31moops" in notice.text for number in games)
    rows = {row.entrant: row for row in tournament.rows()}
    assert (rows[2].paused, rows[2].played, rows[2].forfeits, rows[2].points) == (True, 3, 3, 0)
    assert sum(row.walkovers for row in rows.values()) == 3, "three of its six games were not played"
    assert sum(row.points for row in rows.values()) == tournament.settled == 12
    assert all(set(game.seating).isdisjoint(bad) for game in tournament.counted if game.number > notice.after)


def test_dropping_out_now_and_then_is_forgiven() -> None:
    def every_second(pairing: Pairing) -> Played:
        return ended(pairing, (2, 1), {0: "late"}) if pairing.number % 2 else by_number(pairing)

    assert not through(plan(2, games=20), every_second).notices


def test_without_a_limit_nobody_is_paused() -> None:
    tournament = through(plan(3, pause_after=0), at_random(1, bad=frozenset({0, 1, 2})))
    assert not any(row.paused for row in tournament.rows())


def test_a_pause_does_not_wait_for_games_that_were_played_ahead() -> None:
    of = plan(2, games=10)
    straight = through(of, lambda pairing: _crash_of_zero(pairing))
    ahead = Tournament(of)
    for pairing in reversed(list(ahead.due())):
        ahead.take(_crash_of_zero(pairing))
    assert known(ahead) == known(straight)
    assert [game.number for game in ahead.counted] == [1, 2, 3]
    assert ahead.settled == 10


def _crash_of_zero(pairing: Pairing) -> Played:
    seat = pairing.seating.index(0)
    return ended(pairing, (2, 1) if seat == 0 else (1, 2), {seat: "crash"})


def test_in_larger_groups_the_others_share_the_point() -> None:
    def invent(pairing: Pairing) -> Played:
        if 0 not in pairing.seating:
            return by_number(pairing)
        seat = pairing.seating.index(0)
        return ended(pairing, tuple(3 if s == seat else 1 for s in range(3)), {seat: "crash"})

    tournament = through(plan(4, seats=3, games=3), invent)
    rows = {row.entrant: row for row in tournament.rows()}
    assert rows[0].paused
    assert sum(row.walkovers for row in rows.values()) == 2 * (9 - 3), "nine games with it, three of them played"
    assert sum(row.points for row in rows.values()) == pytest.approx(tournament.settled)


def test_where_all_are_paused_nothing_is_left_to_play() -> None:
    def all_crash(pairing: Pairing) -> Played:
        return ended(pairing, (1, 1), {0: "crash", 1: "crash"})

    tournament = through(plan(4, games=20), all_crash)
    assert all(row.paused for row in tournament.rows())
    assert len(tournament.counted) == 6
    assert tournament.settled == 120
    swiss = through(plan(4, games=20, system="swiss", rounds=3), all_crash)
    assert swiss.notices[-1].text == "The tournament ended before round 2, because no bot is left to play."


# ---- void games


def test_a_void_game_counts_for_nobody_and_is_told() -> None:
    def invent(pairing: Pairing) -> Played:
        return void(pairing, "it ended its process") if pairing.number == 2 else by_number(pairing)

    tournament = through(plan(3), invent)
    assert [notice.text for notice in tournament.notices] == ["Game 2 is void: it ended its process"]
    assert sum(row.points for row in tournament.rows()) == 5
    assert 2 not in {game.number for game in tournament.counted}


def test_who_is_in_every_void_game_is_paused_and_not_who_met_it() -> None:
    """One bot ends the process of all its games; the first it meets has as many void games in a row."""

    def invent(pairing: Pairing) -> Played:
        return void(pairing, "ended") if 1 in pairing.seating else by_number(pairing)

    tournament = through(plan(5, games=6), invent)
    assert [row.entrant for row in tournament.rows() if row.paused] == [1]
    assert not any(row.paused for row in through(plan(2, games=9), invent).rows()), "it might be the other"


# ---- knock-out


def test_places_follow_from_the_round_of_leaving() -> None:
    rows = through(plan(11, system="knock-out"), by_number).rows()
    assert [row.place for row in rows] == [1, 2, 3, 3, 5, 5, 5, 5, 9, 9, 9]
    assert [row.entrant for row in rows[:2]] == [0, 1]
    assert {row.entrant for row in rows[2:4]} == {2, 3}
    assert sum(row.byes for row in rows) == 5
    assert rows[0].tie_break == 3, "a bye is no meeting won"


def test_a_tied_meeting_gets_more_games_and_then_the_higher_seed_goes_on() -> None:
    tournament = through(plan(2, system="knock-out", games=4), drawn)
    assert tournament.settled == 4 + 2 * MAX_EXTRA
    assert tournament.notices[0].text == "bot 0 goes through as the higher seed: tied after 20 games with bot 1."
    assert [row.entrant for row in tournament.rows()] == [0, 1]

    def decided_late(pairing: Pairing) -> Played:
        return drawn(pairing) if pairing.number <= 7 else ended(pairing, tuple(2 - e for e in pairing.seating))

    late = through(plan(2, system="knock-out", games=4), decided_late)
    assert late.settled == 8
    assert not late.notices
    assert [row.entrant for row in late.rows()] == [1, 0]


def test_extra_pairs_have_dice_of_their_own() -> None:
    tournament = through(plan(2, system="knock-out", games=2), drawn)
    seeds = [game.fingerprint for game in tournament.counted]
    assert seeds[0::2] == seeds[1::2]
    assert len(set(seeds)) == 1 + MAX_EXTRA


def test_a_paused_bot_is_out_of_a_knock_out() -> None:
    tournament = through(plan(4, system="knock-out", games=8), _crash_of_zero_or_draw)
    rows = tournament.rows()
    assert next(row for row in rows if row.entrant == 0).place == 3
    assert rows[0].entrant != 0


def _crash_of_zero_or_draw(pairing: Pairing) -> Played:
    return _crash_of_zero(pairing) if 0 in pairing.seating else by_number(pairing)
