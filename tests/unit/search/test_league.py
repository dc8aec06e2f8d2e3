"""The league of `benchmarks/`: who meets whom where, and that it goes on where it was stopped."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from polemos import registry
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.rooms import bots_of, champion_of
from polemos.search.player import SHARE

sys.path.append(str(Path(__file__).parents[3]))

from benchmarks import grow, hunting, league, partners, strength

OURS = [name for name in registry.names() if champion_of(registry.load(name))]


@pytest.mark.parametrize("name", OURS)
def test_every_bot_and_eight_partners_are_met_on_all_maps_from_all_seats(name: str) -> None:
    game = registry.load(name)
    rules = league.RULES.get(name, ())
    others = league.others_of(game, "champion")
    assert set(others) >= {bot for bot in bots_of(game) if bot != "random"}
    styles = {"turtle", "rush", "economy", "harasser", "late game", "copycat", "mixture", "nemesis"}
    assert styles <= set(others), "the styles that are asked for"
    assert len(set(others) & set(partners.partners_of(game))) >= 8
    options = league.settings_of(game, rules, 50)
    shipped, drawn = league.maps_of(game), league.DRAWN.get(name, [])
    assert len(options) == max(1, len(rules)) * (len(shipped) + 50 * len(drawn))
    games = list(league.fixtures(game, "champion", ["other"], None, options))
    assert {json.dumps(one["options"]) for one in games} == {json.dumps(one) for one in options}
    for seed in range(0, len(options), 7):
        seats = [one["seat"] for one in games if one["seed"] == seed]
        assert seats == list(range(len(game.seats(game.setup(options[seed], f"league {seed}")))))
    assert len({json.dumps(one, sort_keys=True) for one in games}) == len(games), "no game twice"


@pytest.mark.needs("monarchs")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["patient", "sniper"])
def test_partners_that_foresee_marches_give_lawful_orders(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.monarchs_partners.JUDGED", 8)
    monkeypatch.setattr("benchmarks.monarchs_partners.WORLDS", 8)
    game = registry.load("monarchs")
    match: AnyMatch = Match(game, {"turns": 4}, seed=1)
    bots = {seat: partners.partners_of(game)[name](match.setting, seat, 1) for seat in match.seats}
    while match.outcome is None:
        for seat in match.to_act:
            sheet = match.submit(seat, [game.write(order) for order in bots[seat].orders(match.view(seat), 1.0)])
            assert sheet.faults == ()
        match.run()
    assert max(report.total for report in match.view(UMPIRE).reports.values()) > 60, "they hold what they have"


def test_a_league_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, played = registry.load("skerries"), []

    def play(game: Any, fixture: dict[str, Any]) -> dict[str, Any]:
        played.append(fixture)
        return {"points": fixture["seat"], "ms": 1.0, "most": 2, "left": 1.0}

    monkeypatch.setattr(league, "play", play)
    file = tmp_path / "league.jsonl"
    ahead = list(league.fixtures(game, "settler", ["random"], 6, [{}]))
    league.Played(file).play_all(game, ahead[:3], 1)
    with file.open("a") as out:
        out.write('{"fixture": {"bo')  # it was killed while it wrote
    again = league.Played(file)
    again.play_all(game, ahead, 1)
    assert len(played) == len(ahead) == 6
    rows = [(fixture, again.known(fixture) or {}) for fixture in ahead]
    assert list(league.table(game, "settler", rows))[-1].startswith("| random |  | 3 of 6 | 19% to 81% |")


def test_strength_against_budget_is_measured_with_its_clocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def play(game: Any, fixture: dict[str, Any]) -> dict[str, Any]:
        asked.append((fixture["bank"], fixture["step"]))
        return {"points": 1.0, "ms": 1000 * fixture["step"]}

    monkeypatch.setattr(league, "play", play)
    played = league.Played(tmp_path / "league.jsonl")
    found = strength.measured(registry.load("skerries"), played, "random", "", 2, 0.05)
    assert [row["ms"] for row in found] == [1, 10, 50]
    assert {round(bank / step) for bank, step in asked} == {SHARE}


@pytest.mark.needs("monarchs")
def test_a_short_match_has_its_time_at_the_beginning() -> None:
    assert strength.clock_of(registry.load("monarchs"), {"turns": 4}, 0.5) == {"bank": 3.0, "step": 0.0}


def test_where_nothing_can_be_changed_growing_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["grow", "skerries", "--champion", "6"])
    with pytest.raises(SystemExit) as ended:
        grow.main()
    assert ended.value.code == 2
    assert "nothing can be grown" in capsys.readouterr().err


def test_a_hunt_finds_the_row_that_champion_loses_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """`champion` loses to a row the more often, the nearer its number is to 40. Both seats are played."""
    chance, seats = random.Random(3), set()

    def play(game: Any, fixture: dict[str, Any], guests: dict[str, Any]) -> dict[str, Any]:
        assert (fixture["bot"], fixture["other"], fixture["bank"]) == ("champion", "grown", 0.4)
        seats.add(fixture["seat"])
        return {"points": float(chance.random() > 1 - abs(guests["grown"] - 40) / 40)}

    monkeypatch.setattr(hunting, "play", play)
    clock = {"bank": 0.4, "step": 0.005}
    worth: dict[tuple[int, ...], float] = {(4,): 0.6, (8,): 0.5}
    hunt = hunting.Hunt(registry.load("skerries"), lambda row: row[0], [{"seats": 2}], clock, worth, chance)
    for row in worth:
        hunt.play(row)
    for _ in range(300):
        hunt.go_on(lambda row, others: (max(0, min(80, row[0] + chance.randrange(-6, 7))),))
    assert seats == {0, 1}
    assert 30 <= hunt.best()[0][0] <= 50
    assert len(hunt.points[hunt.best()[0]]) >= 4, "lucky rows are looked at again"
