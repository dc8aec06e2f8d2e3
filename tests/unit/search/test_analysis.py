"""The analysis of matches: values that add up, mistakes that are found, the same result for the same seed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from polemos import registry
from polemos.cli.main import polemos
from polemos.kernel import replay
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.rooms import built_in
from polemos.kernel.verdict import Verdict
from polemos.search import analysis
from polemos.search.analysis import COSTLY, Analysis, Depth, NoAnalysis, analyse
from polemos.search.budget import Budget
from polemos.search.search import Found, Search

pytestmark = [pytest.mark.slow, pytest.mark.needs("demons")]

SMALL = Depth(positions=6, worlds=16, turns=2, playouts=200, checks=60)


def demons(orders: dict[int, dict[str, list[str]]], steps: int) -> AnyMatch:
    """A match on a small map in which everybody passes, except where it is said otherwise."""
    match: AnyMatch = Match(registry.load("demons"), {"map": "skirmish", "turns": steps}, seed=3)
    for step in range(1, steps + 1):
        if match.outcome is not None:
            break
        for seat in match.to_act:
            sheet = match.submit(seat, orders.get(step, {}).get(seat, []))
            assert not sheet.faults
        match.run()
    return match


def played(name: str, options: dict[str, Any], bots: Sequence[str], steps: int = 99) -> AnyMatch:
    """A match between our bots, or the first steps of one."""
    game = registry.load(name)
    match: AnyMatch = Match(game, options, seed=3)
    makers = built_in(game)
    players = {seat: makers[bot](match.setting, seat, 7) for seat, bot in zip(match.seats, bots, strict=True)}
    while match.outcome is None and len(match.steps) < steps:
        for seat in match.to_act:
            match.submit(seat, [game.write(order) for order in players[seat].orders(match.view(seat), inf)])
        match.run()
    return match


def test_values_are_shares_of_one_game_and_the_end_is_certain() -> None:
    match = demons({}, 12)
    found = analyse(match, SMALL)
    assert [one.step for one in found.standings] == sorted({one.step for one in found.standings})
    assert {0, 12} <= {one.step for one in found.standings}
    for one in found.standings:
        assert sum(one.values.values()) == pytest.approx(1.0, abs=0.001)
    end = found.standings[-1]
    assert match.outcome is not None
    assert end.values == match.outcome.points
    assert set(end.margins.values()) == {0.0}
    assert all(margin > 0 for margin in found.standings[0].margins.values())
    assert {look.step for look in found.looks} <= set(range(12))
    assert analyse(match, SMALL) == found
    assert analyse(match, msgspec.structs.replace(SMALL, seed=1)) != found
    assert msgspec.json.decode(msgspec.json.encode(found), type=Analysis) == found


def test_a_blunder_is_found_with_something_better() -> None:
    """Red spends all its gold on a mercenary that leads nowhere; a house would have paid."""
    match = demons({1: {"red": ["hire E"]}}, 60)
    found = analyse(match, msgspec.structs.replace(SMALL, playouts=400, checks=120), step=1)
    assert [look.seat for look in found.looks] == ["red", "blue"]
    red = found.looks[0]
    assert (red.step, red.given) == (0, ("hire E",))
    assert red.cost > red.margin > 0
    assert red.plans[0].orders != red.given
    assert red.share + sum(plan.share for plan in red.plans) == pytest.approx(1, abs=0.003)
    assert [plan.ahead for plan in red.plans] == sorted((plan.ahead for plan in red.plans), reverse=True)
    assert red.cost == red.plans[0].ahead
    point = next(point for point in found.points if point.seat == "red")
    assert (point.step, point.change) == (0, -red.cost)
    assert point.kind in ("mistake", "blunder")
    assert "Red's orders cost" in point.words


def test_when_the_time_is_up_both_ends_are_known_and_it_says_so() -> None:
    told: list[tuple[int, int]] = []
    found = analyse(
        demons({}, 12),
        msgspec.structs.replace(SMALL, seconds=0.0),
        progress=lambda done, of: told.append((done, of)),
    )
    assert not found.whole
    assert [one.step for one in found.standings] == [0, 12]
    assert found.looks == ()
    assert told[-1][0] == told[-1][1] > 0


@pytest.mark.needs("monarchs")
def test_in_fog_each_nation_is_judged_by_what_it_saw() -> None:
    match: AnyMatch = Match(registry.load("monarchs"), {"turns": 3}, seed=7)
    while match.outcome is None:
        for seat in match.to_act:
            match.submit(seat, [])
        match.run()
    found = analyse(match, msgspec.structs.replace(SMALL, turns=1))
    assert {look.seat for look in found.looks} == set(match.seats)
    assert all(sum(one.values.values()) == pytest.approx(1.0, abs=0.001) for one in found.standings)


@pytest.mark.needs("monarchs")
def test_a_board_that_can_be_turned_favours_nobody() -> None:
    """Scripts do better in one seat than in another, which is no merit of a position."""
    match: AnyMatch = Match(registry.load("monarchs"), {"turns": 4}, seed=7)
    for seat in match.to_act:
        match.submit(seat, [])
    match.run()
    first, last = analyse(match, Depth(positions=2, worlds=9, turns=0)).standings
    assert first.values == dict.fromkeys(match.seats, pytest.approx(1 / 3, abs=0.001))
    assert last.values == first.values  # nobody has moved, so it looks the same to all of them again
    assert all(margin < 0.01 for margin in last.margins.values())


@pytest.mark.needs("monad")
def test_values_are_forecast_as_was_learned_also_where_bots_judge_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    match = played("monad", {"map": "veins"}, ["waiter", "overlord"], steps=30)
    depth = Depth(positions=2, worlds=8, turns=0)
    learned = analyse(match, depth)
    monkeypatch.setattr(analysis, "furnish", lambda judgement, desk: None)
    by_hand = analyse(match, depth)
    assert [one.step for one in learned.standings] == [one.step for one in by_hand.standings]
    assert learned.standings[-1].values != by_hand.standings[-1].values


def test_a_game_without_playouts_says_so(tmp_path: Path) -> None:
    match: AnyMatch = Match(registry.load("skerries"), {}, seed=1)
    while match.outcome is None:
        match.run()
    with pytest.raises(NoAnalysis, match="no playouts"):
        analyse(match)
    path = tmp_path / "game.jsonl"
    replay.write(path, match, dict.fromkeys(match.seats, "nobody"))
    ran = CliRunner().invoke(polemos, ["analyse", str(path)])
    assert isinstance(ran.exception, NoAnalysis)


def test_the_command_shows_values_and_one_turn_and_json(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl.gz"
    replay.write(path, demons({1: {"red": ["hire E"]}}, 12), {"red": "ann", "blue": "bob"})
    assert replay.read(str(path)).header.seats == {"red": "ann", "blue": "bob"}, "a path as text will do"

    def run(*words: str) -> str:
        ran = CliRunner().invoke(polemos, ["analyse", str(path), "--playouts", "100", *words])
        assert ran.exit_code == 0, ran.output
        return ran.output

    shown = run("--turns", "1")
    assert "red ann, blue bob" in shown
    assert "end" in shown
    assert "Turning points" in shown or "No turning points" in shown
    looked = run("--turn", "1")
    assert looked.count("as played") == 2, "one for each side"
    assert ("how often to choose each" in looked) == (" %  " in looked), "explained where it is told, and only there"
    found = msgspec.json.decode(run("--turns", "0", "--json"), type=Analysis)
    assert (found.game, found.steps, found.looks) == ("demons", 12, ())


def test_only_what_was_played_can_be_looked_at() -> None:
    fresh: AnyMatch = Match(registry.load("demons"), {"map": "skirmish"}, seed=3)
    with pytest.raises(NoAnalysis, match="Nothing was played"):
        analyse(fresh)
    with pytest.raises(NoAnalysis, match="There is no step 13"):
        analyse(demons({}, 12), step=13)
    with pytest.raises(NoAnalysis, match="step=3 or turn=2, not both"):
        analyse(demons({}, 12), step=3, turn=2)


@pytest.mark.needs("minions")
def test_where_seats_take_turns_only_positions_with_the_same_side_to_move_are_compared(tmp_path: Path) -> None:
    match = played("minions", {"boards": 2, "turns": 4}, ["greedy", "greedy"])
    assert match.outcome is not None
    steps = len(match.steps)
    found = analyse(match, msgspec.structs.replace(SMALL, turns=1))
    *before, end = found.standings
    assert {match.game.to_act(match.state_at(one.step)) for one in before} == {("yellow",)}
    assert (end.step, end.values) == (steps, match.outcome.points)
    assert [one.turn for one in before] == sorted({one.turn for one in before})  # one for each round
    # A round is looked at as a whole, and no turn is called a swing and a mistake of the same side.
    assert [(look.step + 1, look.seat) for look in found.looks[1:]] == [(found.looks[0].step + 2, "blue")]
    mistakes = {(look.turn, look.seat) for look in found.looks if look.cost >= COSTLY}
    assert mistakes.isdisjoint((point.turn, point.seat) for point in found.points if point.kind == "swing")

    path = tmp_path / "game.jsonl.gz"
    replay.write(path, match, {"yellow": "ann", "blue": "bob"})
    ran = CliRunner().invoke(polemos, ["analyse", str(path), "--turn", "2", "--playouts", "100"])
    assert ran.exit_code == 0, ran.output
    assert "Turn 2, yellow" in ran.output
    assert "Turn 2, blue" in ran.output


@pytest.mark.needs("monad")
def test_a_short_game_of_monad_is_analysed_to_its_end() -> None:
    match = played("monad", {"map": "duel", "turns": 4}, ["overlord", "random"])
    found = analyse(match, msgspec.structs.replace(SMALL, turns=1))
    assert [one.step for one in found.standings] == [0, 1, 2, 3, 4]
    assert [look.seat for look in found.looks] == list(match.seats)
    assert match.outcome is not None
    assert found.standings[-1].values == match.outcome.points


def test_whoever_resigns_is_said_to_have_resigned() -> None:
    match: AnyMatch = Match(registry.load("demons"), {"map": "skirmish"}, seed=3)
    for _ in range(4):
        match.run()
    match.forfeit("blue", Verdict("resigned"))
    match.run()
    found = analyse(match, msgspec.structs.replace(SMALL, worlds=48, turns=5))
    point = found.points[-1]
    assert (point.step, point.seat, point.kind) == (4, "blue", "swing")
    assert point.words.startswith("Blue resigned. Blue falls from ")
    assert "No better orders" not in point.words
    assert 4 not in {look.step for look in found.looks}  # nothing that Red did there could cost anything


def test_a_draw_that_was_agreed_is_said_to_be_one() -> None:
    match = played("demons", {"map": "hourglass"}, ["keeper", "rusher"], 8)
    match.agree_on_draw()
    found = analyse(match, SMALL)
    point = found.points[-1]
    assert (point.step, point.seat, point.kind) == (7, "red", "swing")
    assert point.words.startswith("A draw was agreed. Red falls from ")
    assert point.words.endswith(" to 50.")


def test_no_better_orders_were_found_only_where_somebody_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "SWING", 0.0)
    monkeypatch.setattr(analysis._Analyst, "_is_sure", lambda *_: True)
    monkeypatch.setattr(analysis, "MAX_POINTS", 99)
    match = demons({}, 8)
    assert not any(
        "No better orders" in point.words for point in analyse(match, msgspec.structs.replace(SMALL, turns=0)).points
    )
    found = analyse(match, SMALL)
    looked = {(look.step, look.seat) for look in found.looks if not look.cost}
    said = {(point.step, point.seat) for point in found.points if "No better orders" in point.words}
    assert said <= looked


def test_the_time_that_is_left_limits_each_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that takes longer than all of it: the other seat is not looked at any more."""
    asked: list[Budget] = []
    clock = SimpleNamespace(late=0.0)

    class Slow(Search):
        def decide(self, states: Any, budget: Budget, *args: Any, **more: Any) -> Found:
            asked.append(budget)
            clock.late += 100.0
            return super().decide(states, Budget(50), *args, **more)

    monkeypatch.setattr(analysis, "Search", Slow)
    monkeypatch.setattr(analysis, "time", SimpleNamespace(thread_time=lambda: time.thread_time() + clock.late))
    found = analyse(demons({}, 8), msgspec.structs.replace(SMALL, seconds=90.0))
    assert [0 < budget.seconds <= 90 for budget in asked] == [True]
    assert (found.whole, found.looks) == (False, ())


def test_turns_are_those_of_the_rule_book() -> None:
    match = demons({}, 12)
    with pytest.raises(NoAnalysis, match="There is no turn 12: the match has turns 0 to 11"):
        analyse(match, SMALL, turn=12)
    found = analyse(match, msgspec.structs.replace(SMALL, playouts=100, checks=10), turn=0)
    assert {(look.step, look.turn) for look in found.looks} == {(0, 0)}
