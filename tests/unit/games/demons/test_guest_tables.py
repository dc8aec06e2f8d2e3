"""A guest that died in a game of the finals and passed: what matches, series, tournaments and reports tell of it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from polemos.cli.main import polemos

pytestmark = pytest.mark.slow

GUESTS = Path(__file__).parents[3] / "guests" / "demons"
HEIR = "competition:heir.py"
VERDICT = "crash: exit code 1: an error of its own"
OPTIONS = ["--seed", "1", "--workers", "1", "--trust", "-o", "rules=finals-2025", "-o", "turns=20", "-o", "map=serpent"]


@pytest.fixture(autouse=True)
def _among_the_guests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(GUESTS)


def run(*words: str) -> str:
    result = CliRunner().invoke(polemos, [*words, *OPTIONS])
    assert result.exit_code == 0, result.output
    return result.output


def test_a_match_tells_the_verdict_and_no_forfeit() -> None:
    said = run("match", "demons", HEIR, "random", "--games", "2")
    assert f"passed to the end: demons in game 1: {VERDICT}" in said
    assert "forfeit:" not in said
    assert "2 games, 2 distinct, 40 turns" in said


def test_a_series_tells_the_verdict_and_no_forfeit() -> None:
    said = run("series", "demons", HEIR, "random", "--max-games", "2")
    assert f"passed to the end: NEW demons in pair 1: {VERDICT}" in said
    assert "forfeit:" not in said
    found = json.loads(run("series", "demons", HEIR, "random", "--max-games", "2", "--json").splitlines()[-1])
    assert found["forfeits"] == [0, 0]
    assert found["passed_notes"] == [f"NEW demons in pair 1: {VERDICT}"] * 2


def test_a_tournament_and_its_report_tell_the_verdict_and_pause_nobody(tmp_path: Path) -> None:
    out = tmp_path / "cup"
    said = run("tournament", "demons", f"Heir={HEIR}", "random", "--games", "4", "--out", str(out))
    row = next(line for line in said.splitlines() if "Heir  " in line)
    assert "gone and passing in 4 games" in row
    assert "paused" not in row
    report = (out / "index.html").read_text()
    assert report.count(f"passed to the end</span>: {VERDICT}") == 4
    assert "dropped out</span>" not in report
    assert "crash, passed to the end" in report
    table = next(out.rglob("games.csv"))
    with table.open() as file:
        games = list(csv.DictReader(file))
    told = [game[f"dropped_out_{seat}"] for game in games for seat in (1, 2) if game[f"name_{seat}"] == "Heir"]
    assert told == [f"passed to the end: {VERDICT}"] * 4
