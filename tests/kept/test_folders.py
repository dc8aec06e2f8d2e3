"""A backup, a tournament that was killed and an evening that was left under an earlier version are taken up again."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kept.seen import BACKUP, EVENING, TOURNAMENT
from polemos import registry
from polemos.cli.main import polemos
from polemos.kernel import replay
from unit.server.serving import Server, Web

# Sentences that the desk words differently now.
RETOLD = {
    "going on with the evening": "resuming the evening",
    "Orders of turn": "Orders for turn",
    "orders when the turn is run": "gives its orders when you run the turn",
    "Type help for the words.": "Type help for a list of commands.",
}


def call(*words: str, typed: str = "") -> Result:
    result = CliRunner().invoke(polemos, words, input=typed, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


# ---- a backup


def test_a_kept_backup_is_restored(tmp_path: Path) -> None:
    said = call("restore", str(BACKUP), "--folder", str(tmp_path / "there")).output
    with Server(tmp_path / "there") as server, Web(server.address, browser=True) as web:
        assert web.sign_in("Ada", "correct horse 9 battery", new=False)["name"] == "Ada", said
        assert web.get("/api/tables/1fce6a5930e1").json()["game"] == "skerries"


# ---- the tournament


@pytest.mark.needs("demons")
def test_a_kept_tournament_goes_on_to_its_report(tmp_path: Path) -> None:
    folder = shutil.copytree(TOURNAMENT, tmp_path / "t")
    *whole, torn = (folder / "journal.jsonl").read_bytes().split(b"\n")
    before = [json.loads(line) for line in whole[1:]]
    assert torn, "it was killed while a line was written"

    found = json.loads(call("tournament", "--resume", str(folder), "--workers", "1", "--json").stdout)
    assert (found["finished"], found["settled"], found["expected"]) == (True, 60, 60)
    assert found["counted"] == 3 * 6 + 5 + 5, "three bots that stay, and what counts of the two until they are paused"
    assert found["games_now"] > 0
    by_name = {row["name"]: row for row in found["table"]}
    assert set(by_name) == {"random", "rusher", "mute", "mumbler", "quitter"}
    paused = {name for name, row in by_name.items() if row["paused"]}
    assert paused == {"mumbler", "quitter"}
    verdicts = [notice["text"] for notice in found["notices"]]
    assert any("3 strikes: unreadable: JSON is malformed" in text for text in verdicts)
    assert any("crash: exit code 1" in text for text in verdicts)

    after = (folder / "journal.jsonl").read_bytes().split(b"\n")
    assert after[: len(whole)] == whole, "what was written stands"
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert all(name in page for name in by_name)
    with (folder / "games.csv").open(encoding="utf-8") as file:
        rows = {int(row["game"]): row for row in csv.DictReader(file)}
    assert len(rows) == found["counted"]
    counted = [game for game in before if game["number"] in rows]
    assert len(counted) > 10
    for game in counted:
        assert rows[game["number"]]["reason"] == game["reason"]
        for verdict in game["forfeits"].values():
            assert verdict in str(rows[game["number"]])


@pytest.mark.needs("demons")
def test_the_games_of_a_kept_tournament_are_verified(tmp_path: Path) -> None:
    files = sorted((TOURNAMENT / "replays").iterdir())
    assert len(files) > 10
    for path in files:
        replay.verify(replay.read(path), registry.load("demons"))


# ---- the evening


@pytest.mark.needs("monarchs")
def test_a_kept_evening_stands_where_it_was_left(tmp_path: Path) -> None:
    folder = tmp_path / "e"
    folder.mkdir()
    shutil.copy(EVENING / "journal.jsonl", folder)
    said = call("play", "monarchs", str(folder), typed="status\nsheet red\nshow red\nshow umpire\n").stdout
    then = (EVENING / "said.txt").read_text(encoding="utf-8")
    for old, new in RETOLD.items():
        then = then.replace(old, new)
    for line in then.replace("FOLDER", str(folder)).splitlines():
        if ">" not in line:  # a prompt is followed by what was typed, where it is shown
            assert line in said
    assert (folder / "turn-03" / "red.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.needs("monarchs")
def test_a_kept_evening_is_played_to_its_end(tmp_path: Path) -> None:
    folder = tmp_path / "e"
    folder.mkdir()
    shutil.copy(EVENING / "journal.jsonl", folder)
    before = (folder / "journal.jsonl").read_bytes()
    typed = "red\ndone\nback the maps were wrong\ncall last\nit is late\nrun\nrelease\n"
    said = call("play", "monarchs", str(folder), typed=typed).stdout
    assert "The maps of this turn have been handed out, so the result stands. Rule 11.2." in said
    assert "The game has ended." in said
    assert (folder / "journal.jsonl").read_bytes().startswith(before)
    played = replay.read(folder / "replay.jsonl")
    assert replay.verify(played, registry.load("monarchs")) == 3
    assert [list(step.calls) for step in played.steps] == [["turns 4"], [], ["last"]]
    forfeits = [{seat: str(why) for seat, why in step.forfeits.items()} for step in played.steps]
    assert forfeits == [{}, {"blue": "dropped out"}, {}]
