"""Learning a judgement: from nothing in a game of a few lines, and what the shipped ones must have."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from polemos import registry
from polemos.cli.main import polemos
from polemos.cli.train import NoTraining
from polemos.kernel.dice import scatter
from polemos.kernel.judgement import MAX_FEATURES, Facts, Judgement, Net, furnish
from polemos.kernel.playouts import SCRIPTED, WHOLE, Playouts, Trial
from polemos.kernel.record import Array, Many, Record, i32, many, size, u64
from polemos.kernel.rooms import playouts_of
from polemos.search.selfplay import Ground, grounds_of
from polemos.search.training import STAGES, Effort, TooFewGames, foretold, train

LONG = 10  # steps


class Race(Record):
    """Whoever is further ahead after ten steps wins; each step adds an order and a die."""

    step: i32
    way: Array[i32] = size(2)


class Pace(Record):
    pace: i32


class Table(Record):
    nets: Array[Net] = size(1)
    state: Race


class Known:
    def __init__(self, setting: Any, seat: str, seed: int) -> None: ...
    def see(self, view: Any, seconds: float) -> None: ...
    def gave(self, orders: Sequence[Any]) -> None: ...

    def states(self, count: int, key: int) -> Many[Race]:
        return many(Race, 1)


def play(states: Any, sheets: Any, trials: Any, first: int, after: int, log: Any, desk: Table) -> None:
    for at in range(first, after):
        trial: Trial = trials[at]
        state = states[trial.start].copy()
        for played in range(trial.steps):
            for seat in range(2):
                sheet = trial.sheet[seat] if played == 0 else SCRIPTED
                state.way[seat] += trial.script[seat] if sheet == SCRIPTED else sheets[sheet].pace
                state.way[seat] += scatter(trial.key, 2 * played + seat) % 4
            state.step += 1
            trial.played = played + 1
            if state.step == LONG:
                break
        trial.over = state.step == LONG
        ahead = state.way[0] - state.way[1]
        won = WHOLE if ahead > 0 else 0 if ahead < 0 else WHOLE // 2
        trial.value[0] = won if trial.over else WHOLE // 2  # by hand, nothing is known before the end
        trial.value[1] = WHOLE - trial.value[0]
        desk.state = state


def ask(state: Any, seat: int, script: int, key: u64, sheet: Pace, desk: Any) -> None:
    sheet.pace = script


def propose(state: Any, seat: int, key: u64, sheets: Any, desk: Any) -> int:
    sheets[0].pace = 2
    return 1


def vary(state: Any, seat: int, key: u64, of: Pace, to: Pace, desk: Any) -> None:
    to.pace = of.pace + 1


def describe(state: Race, seat: int, facts: Facts, desk: Any) -> None:
    facts.of[0], facts.of[1], facts.of[2] = state.way[seat], state.way[1 - seat], LONG - state.step


RACE = Playouts(
    state=Race, sheet=Pace, desk=Table, scripts=("slow", "fast"), horizon=3, rate=1000, seats=lambda state: 2,
    steps_left=lambda state: LONG - state.step, play=play, ask=ask, propose=propose, vary=vary,
    orders=lambda state, seat, sheet: [sheet.pace], enter=lambda state, seat, orders: Pace(pace=orders[0]),
    beliefs=Known,
    judgement=Judgement(
        file=Path("nowhere.json"), features={"own": "own way", "other": "the other's", "left": "steps to come"},
        parts=("all",), part=lambda state: 0, describe=describe, nets=lambda desk: desk.nets,
        position=lambda desk: desk.state, starts=lambda: [{}, {}],
    ),
)  # fmt: skip


def test_a_game_of_a_few_lines_is_learned_from_nothing(tmp_path: Path) -> None:
    told: list[str] = []
    files = tmp_path / "judgement.json", tmp_path / "log.jsonl"
    found = train(RACE, lambda options, seed: Race(), Effort(games=240, hidden=4), *files, told.append)
    assert json.loads(files[0].read_text()) == found
    rows = [json.loads(line) for line in files[1].read_text().splitlines()]
    assert len(rows) == len(told) == 8
    assert rows[-1]["games"] == 240
    assert rows[-1]["in whole numbers"] < 0.02
    by_hand, learned = rows[-1]["winner, by hand"][-1], rows[-1]["winner, learned"][-1]
    assert by_hand == pytest.approx(rows[-1]["winner, even"], abs=0.01)
    assert learned < by_hand - 0.1
    own, other, _ = found["parts"]["all"]["direct"]
    assert own > 0 > other


def test_weights_are_kept_after_each_round_and_a_missing_folder_costs_no_games(tmp_path: Path) -> None:
    files = tmp_path / "new" / "judgement.weights", tmp_path / "other" / "log.jsonl"
    told: list[str] = []

    def say(line: str) -> None:
        told.append(line)
        if len(told) == 3:
            assert json.loads(files[0].read_text())["parts"], "those of two rounds"
            raise KeyboardInterrupt

    found = train(RACE, lambda options, seed: Race(), Effort(games=240, hidden=2), *files, say)
    assert told[-1] == "Stopped. What was learned until the last whole round is kept."
    assert json.loads(files[0].read_text()) == found
    assert [path.name for path in files[0].parent.iterdir()] == ["judgement.weights"]

    def stop(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(RACE, lambda options, seed: Race(), Effort(games=240, hidden=2), tmp_path / "none", files[1], stop)
    assert not (tmp_path / "none").exists()


def test_the_log_is_json_also_where_a_stage_has_no_positions() -> None:
    data = {name: np.array([False]) for name in ("stops", "held")} | {"stage": np.array([0]), "won": np.eye(1, 2)}
    assert foretold(np.full((1, 2), 0.5, np.float32), data) == [None] * STAGES + [0.0]


def test_too_few_games_are_refused_and_a_kind_of_match_that_has_too_few_is_left_out(tmp_path: Path) -> None:
    files = tmp_path / "judgement.json", tmp_path / "log.jsonl"
    with pytest.raises(TooFewGames, match=r"Too few games to learn from \(2\)"):
        train(RACE, lambda options, seed: Race(), Effort(games=2, hidden=2), *files, lambda line: None)
    assert not files[0].exists()
    assert RACE.judgement is not None
    started = iter(range(999))
    kinds = replace(RACE.judgement, parts=("usual", "rare"), part=lambda state: state.step, starts=lambda: [{}] * 9)
    told: list[str] = []
    found = train(
        replace(RACE, judgement=kinds),
        lambda options, seed: Race(step=int(next(started) == 8)),
        Effort(games=20, hidden=2),
        *files,
        told.append,
    )
    assert list(found["parts"]) == ["usual"]
    assert told[-1] == "rare: too few games, so there are no weights for it"


def test_the_command_trains_from_nothing_and_lists_features(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polemos.cli.train.playouts_of", lambda game: RACE)
    monkeypatch.setattr(type(registry.load("skerries")), "setup", lambda self, options, seed: Race())
    weights, log = tmp_path / "race.weights", tmp_path / "race.jsonl"
    words = ["train", "skerries", "--games", "64", "--hidden", "2", "--out", str(weights), "--log", str(log)]
    ran = CliRunner().invoke(polemos, words)
    assert ran.exit_code == 0, ran.output
    assert f"{weights}: 3 features" in ran.output
    assert json.loads(weights.read_text())["features"] == ["own", "other", "left"]
    assert [json.loads(line)["games"] for line in log.read_text().splitlines()][-1] == 64
    listed = CliRunner().invoke(polemos, ["train", "skerries", "--features"])
    assert next(line.split(maxsplit=1) for line in listed.output.splitlines()) == ["own", "own way"]


def test_a_game_without_features_says_so() -> None:
    ran = CliRunner().invoke(polemos, ["train", "skerries"])
    assert isinstance(ran.exception, NoTraining)
    assert "Skerries has no features to learn from" in str(ran.exception)


def test_the_same_games_are_played_for_the_same_seed() -> None:
    def games() -> list[Any]:
        ground = grounds_of(RACE, lambda options, seed: Race(), 3)[0]
        played = [ground.play(at, 3) for at in (1, 2)]
        return [[game.shares, [(one.step, one.facts.tolist()) for one in game.positions]] for game in played]

    first = games()
    assert first == games()
    assert first[0] != first[1]


JUDGED = [name for name in registry.names() if (kit := playouts_of(registry.load(name))) and kit.judgement]


def judged(name: str) -> tuple[Playouts, Judgement]:
    kit = playouts_of(registry.load(name))
    assert kit is not None
    assert kit.judgement is not None
    return kit, kit.judgement


@pytest.mark.parametrize("name", JUDGED)
def test_shipped_weights_are_small_and_fit_the_features(name: str) -> None:
    kit, judgement = judged(name)
    assert 0 < len(judgement.features) <= MAX_FEATURES
    desk = kit.desk()
    furnish(judgement, desk)
    nets = judgement.nets(desk)
    assert len(nets) == len(judgement.parts)
    if judgement.file.exists():  # otherwise the game judges by hand
        assert judgement.file.stat().st_size < 2_000_000
        assert {nets[part].features for part in range(len(nets))} <= {0, len(judgement.features)}
        assert any(nets[part].features for part in range(len(nets)))


@pytest.mark.parametrize("name", JUDGED)
def test_what_is_own_to_one_seat_is_another_s_to_the_others(name: str) -> None:
    """Features that say something of one side say the same of it, whoever looks."""
    kit, judgement = judged(name)
    names = list(judgement.features)
    own = [i for i, feature in enumerate(names) if feature.startswith("own ")]
    sides = {feature.split()[0] for feature in names} & {"other", "rival", "first", "second"}
    ground = Ground(kit, judgement, registry.load(name).setup(judgement.starts()[0], "mirror"))
    positions = ground.play(1, 1).positions[:20]
    assert positions
    for position in positions:
        mine = [tuple(row[own]) for row in position.facts]
        for seat, row in enumerate(position.facts):
            others = {
                tuple(row[[names.index(f"{side} {names[i].removeprefix('own ')}") for i in own]]) for side in sides
            }
            assert others <= {one for at, one in enumerate(mine) if at != seat}
