"""A series between two bots: blocks on one seed, taken in order, the same verdict every time."""

from __future__ import annotations

import doctest
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from polemos import registry
from polemos.arena import series
from polemos.arena.games import Result
from polemos.arena.series import NEW, OLD, Pace, Plan, Played, Standing
from polemos.arena.sprt import Hypotheses
from polemos.kernel import dice
from polemos.kernel.errors import BotFault
from polemos.kernel.match import Match
from polemos.kernel.outcome import Outcome
from processes import left_of, playing

BOTS = """
class Quiet:
    def __init__(self, setting, seat, seed): pass
    def orders(self, view, time_left): return []


class Crashing(Quiet):
    def orders(self, view, time_left): raise KeyError("slip")


class Ending(Quiet):
    def orders(self, view, time_left):
        import os
        os._exit(3)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    return path


def plan(new: str, old: str, **more: Any) -> Plan:
    given: dict[str, Any] = {"game": "skerries", "options": {}, "seats": 2, "seed": "s", **more}
    return Plan(new=new, old=old, **given)


def nothing(standing: Standing, pace: Pace) -> None:
    pass


def known(standing: Standing) -> tuple[object, ...]:
    return (standing.games, standing.distinct, standing.pairs, standing.llr, standing.elo, standing.sentence())


def test_examples_run() -> None:
    assert doctest.testmod(series).failed == 0


# ---- blocks


@pytest.mark.parametrize(("seats", "games"), [(2, 2), (3, 6), (4, 14)])
def test_a_block_holds_every_seating_of_both(seats: int, games: int) -> None:
    found = series.seatings(seats)
    assert len(found) == len(set(found)) == games == plan("a", "b", seats=seats).games
    assert all({NEW, OLD} == set(seating) for seating in found)
    for seat in range(seats):
        assert sum(seating[seat] == NEW for seating in found) == games / 2, "both sit everywhere equally often"


def test_a_pair_has_one_start_and_bots_with_seeds_of_their_own() -> None:
    of = plan("a", "b")
    one, other = series.tasks(of, 1)
    assert (one.seating, other.seating) == ((NEW, OLD), (OLD, NEW))
    assert one.seed == other.seed != series.tasks(of, 2)[0].seed
    game = registry.load("skerries")
    assert Match(game, seed=one.seed).first_digest == Match(game, seed=other.seed).first_digest
    bots = [(task.bot_seed, seat) for n in range(1, 20) for task in series.tasks(of, n) for seat in ("red", "blue")]
    assert len({dice.number(seed, "bot", seat) for seed, seat in bots}) == len(bots)


def test_more_games_add_blocks() -> None:
    assert series.tasks(plan("a", "b", max_games=4), 2) == series.tasks(plan("a", "b", max_games=400), 2)


# ---- counting


def played(number: int, *games: tuple[str, float], **more: Any) -> Played:
    """A pair from the courses of its games and the points of the new bot."""
    results = [
        Result(
            **{
                "number": number,
                "seating": (NEW, OLD),
                "winner": {1.0: NEW, 0.0: OLD}.get(points),
                "points": (points, 1 - points),
                "steps": 5,
                "fingerprint": course,
                "faults": (1, 2),
                "forfeits": {},
                "replay": None,
                "seats": ("red", "blue"),
                "outcome": Outcome(None, ("red", "blue"), {}, "a draw", "9.9"),
                **more,
            }
        )
        for course, points in games
    ]
    return Played(number, tuple(results), 0.1)


def test_pairs_are_counted_by_their_points() -> None:
    standing = Standing(plan("a", "b"))
    for number, points in enumerate([(1, 1), (1, 0), (0.5, 0.5), (0, 0.5), (1, 0.5), (0, 0)], 1):
        standing.take(played(number, (f"{number}a", points[0]), (f"{number}b", points[1])))
    assert standing.pairs == [1, 1, 2, 1, 1]
    assert (standing.wins, standing.draws, standing.losses) == (4, 4, 4)
    assert (standing.games, standing.distinct, standing.counted, standing.steps) == (12, 12, 6, 60)
    assert standing.faults == [12, 24]
    assert standing.verdict == "undecided"
    assert standing.elo[1] == pytest.approx(0)


def test_a_pair_that_only_repeats_is_not_counted() -> None:
    standing = Standing(plan("a", "b"))
    standing.take(played(1, ("x", 1.0), ("y", 0.0)))
    before = standing.llr
    standing.take(played(2, ("x", 1.0), ("y", 0.0)))
    assert (standing.blocks, standing.counted, standing.games, standing.distinct) == (2, 1, 4, 2)
    assert (standing.llr, standing.pairs, standing.wins) == (before, [0, 0, 1, 0, 0], 1)
    standing.take(played(3, ("x", 1.0), ("z", 1.0)))
    assert (standing.counted, standing.distinct, standing.wins) == (2, 3, 2), "half of it is new"
    assert standing.pairs == [0, 0, 1, 0, 1]


def test_a_series_of_repetitions_ends() -> None:
    standing = Standing(plan("a", "b"))
    for number in range(series.STALE + 1):
        assert not standing.is_over
        standing.take(played(number, ("x", 1.0), ("y", 1.0)))
    assert standing.is_over
    assert "the same 2 games" in standing.sentence()


def test_the_first_bound_that_is_crossed_decides() -> None:
    better, worse = (Standing(plan("a.py:New", "b", hypotheses=Hypotheses(0, 100))) for _ in range(2))
    for number in range(1, 30):
        if not better.is_over:
            better.take(played(number, (f"{number}a", 1.0), (f"{number}b", 1.0)))
        if not worse.is_over:
            worse.take(played(number, (f"{number}a", 0.0), (f"{number}b", 0.0)))
    assert (better.verdict, worse.verdict) == ("better", "not better")
    assert better.games < 20
    assert better.sentence().startswith("NEW a.py:New is better than OLD b: +")
    assert worse.sentence().startswith("NEW a.py:New is not better than OLD b: -")


def test_a_test_for_no_loss_says_so() -> None:
    standing = Standing(plan("a", "b", hypotheses=Hypotheses(-100, 0)))
    standing.decided = "H1"
    assert "NEW a is not worse than OLD b" in standing.sentence()


# ---- playing


def test_a_tiny_series_is_decided_and_repeatable() -> None:
    of = plan("settler", "random", hypotheses=Hypotheses(0, 200), max_games=100)
    one, pace = series.run(of, 1, nothing)
    assert one.verdict == "better"
    assert one.wins > one.losses
    assert sum(one.pairs) == one.counted == one.blocks
    assert one.games == one.distinct == 2 * one.blocks < 40
    assert pace.steps == one.steps
    other, _ = series.run(of, 1, nothing)
    assert known(one) == known(other)


def test_forfeits_are_told_of_the_bot_that_forfeits(file: Path) -> None:
    standing, _ = series.run(plan("random", f"{file}:Crashing", max_games=4, trust=True), 1, nothing)
    assert standing.forfeits == [0, standing.distinct]
    assert standing.wins == standing.distinct
    assert standing.notes[0] == "OLD Crashing in pair 1: crash: KeyError: 'slip'"


def test_the_verdict_does_not_depend_on_the_workers() -> None:
    of = plan("random", "random", max_games=8)
    alone, _ = series.run(of, 1, nothing)
    taken: list[int] = []
    together, pace = series.run(of, 2, lambda standing, pace: taken.append(standing.blocks))
    assert known(alone) == known(together)
    assert taken == sorted(taken)
    assert pace.steps >= together.steps


def test_results_that_come_too_early_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks are taken by number, and those beyond the end are not counted."""
    from concurrent.futures import ThreadPoolExecutor

    arrived: list[int] = []

    def late_first(of: Plan, number: int) -> Played:
        until = time.monotonic() + 60
        while number == 1 and not arrived and time.monotonic() < until:
            time.sleep(0.01)
        return played(number, (f"{number}a", 1.0), (f"{number}b", 1.0))

    monkeypatch.setattr(series, "_work", late_first)
    pool: Any = ThreadPoolExecutor(3)

    def looked(done: Played | None) -> None:
        if done is not None:
            arrived.append(done.number)

    found = series._in_order(pool, plan("a", "b", max_games=20), 3, looked)
    assert [block.number for block in found] == list(range(1, 11))
    assert arrived.index(1) > 0
    pool.shutdown()


def test_bots_without_chance_are_not_counted_twice(file: Path) -> None:
    standing, _ = series.run(plan(f"{file}:Quiet", f"{file}:Quiet", max_games=8, trust=True), 1, nothing)
    assert (standing.games, standing.distinct, standing.counted) == (8, 2, 1)
    assert standing.pairs == [0, 0, 1, 0, 0]


def test_three_seats_play_blocks(file: Path) -> None:
    crashing = f"{file}:Crashing"
    of = plan("random", crashing, options={"seats": 3, "turns": 1}, seats=3, max_games=12, trust=True)
    standing, _ = series.run(of, 1, nothing)
    assert (standing.blocks, standing.games) == (2, 12)
    assert standing.losses == 0
    assert standing.wins >= 6, "alone against two that dropped out; two new ones may share"
    assert standing.pairs == [0] * 5
    assert standing.elo[1] > 100


def test_what_is_known_survives_an_interruption() -> None:
    def interrupt(standing: Standing, pace: Pace) -> None:
        if standing.blocks == 2:
            raise KeyboardInterrupt

    standing, _ = series.run(plan("random", "random", max_games=100), 1, interrupt)
    assert standing.interrupted
    assert standing.games == 4
    assert standing.sentence().startswith("Stopped, undecided after 4 games")


def test_a_bot_that_ends_its_process_is_named_as_the_cause(file: Path) -> None:
    with pytest.raises(BotFault, match="ended the process"):
        series.run(plan(f"{file}:Ending", "random", max_games=8, trust=True), 2, nothing)


LINGERING = """
import json, sys, time
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": said["protocol"]}), flush=True)
    elif said["type"] != "result":
        print(json.dumps({"type": "orders", "orders": []}), flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("trust", [False, True], ids=["boxed", "trusted"])
def test_no_program_of_a_bot_is_left_behind(tmp_path: Path, trust: bool) -> None:
    """Whatever the workers are doing when the series ends."""
    bot = tmp_path / f"lingering-{uuid4()}.py"
    bot.write_text(LINGERING)
    started: list[int] = []

    def interrupt(standing: Standing, pace: Pace) -> None:
        started.extend(playing(bot.name))
        if standing.blocks >= 1 and started:
            raise KeyboardInterrupt

    standing, _ = series.run(plan(str(bot), "random", max_games=40, trust=trust), 2, interrupt)
    assert standing.interrupted
    assert started
    assert left_of(bot.name) == []


def test_a_plan_that_is_not_trusted_runs_no_class_of_a_file(file: Path) -> None:
    with pytest.raises(BotFault, match="Add --trust"):
        series.run(plan(f"{file}:Quiet", "random", max_games=2), 1, nothing)
    assert not any(task.trust for task in series.tasks(plan("a", "b"), 1))
    assert all(task.trust for task in series.tasks(plan("a", "b", trust=True), 1))
