"""Full disks, hand-edited journals, foreign files, odd bytes: what must not end an evening."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from polemos import registry
from polemos.desk.desk import Desk
from polemos.desk.journal import JournalError
from polemos.kernel.errors import BotFault

pytestmark = pytest.mark.needs("monarchs")


def game() -> Any:
    return registry.load("monarchs")


def open_desk(folder: Path, trust: bool = False, **players: str) -> Desk:
    return Desk.open(folder, game(), {"mode": "party"}, players, seed=1, trust=trust)


def polemos(*arguments: str, typed: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "polemos", *arguments],
        input=typed,
        capture_output=True,
        check=False,
        timeout=120,
        env={**os.environ, **env},
    )


def test_a_full_disk_leaves_no_half_line_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = open_desk(tmp_path)
    desk.draft("red", ["G5-H4 1"])
    real = os.write

    def full(file: int, data: bytes) -> int:
        if len(data) > 7:
            return real(file, data[:7])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        desk.draft("red", ["G5-H4 1", "bless H4"])
    monkeypatch.setattr(os, "write", real)
    desk.draft("red", ["G5-H4 1", "bless I5"])
    desk.close()
    assert open_desk(tmp_path).drafts["red"] == ["G5-H4 1", "bless I5"]


def test_a_lost_last_newline_loses_nothing(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    desk.draft("red", ["G5-H4 1"])
    desk.close()
    path = tmp_path / "journal.jsonl"
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    desk = open_desk(tmp_path)
    assert desk.drafts["red"] == ["G5-H4 1"]
    desk.draft("red", [])
    desk.close()
    assert open_desk(tmp_path).drafts["red"] == []


def test_a_journal_whose_first_line_is_cut_off_is_not_overwritten(tmp_path: Path) -> None:
    open_desk(tmp_path).close()
    path = tmp_path / "journal.jsonl"
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(JournalError, match="first line is cut off"):
        open_desk(tmp_path)
    assert len(path.read_bytes()) == 40


@pytest.mark.parametrize(
    "change",
    [
        {"key": ""},
        {"key": None},
        {"key": "0" * 34},
        {"desk": 2},
        {"players": []},
        {"players": {"red": "person"}},
        {"options": {"turns": 99}},
        {"edition": 7},
        {"game": "other\x1b[2J"},
    ],
    ids=str,
)
def test_a_changed_first_line_is_refused_in_words(tmp_path: Path, change: dict[str, Any]) -> None:
    open_desk(tmp_path).close()
    path = tmp_path / "journal.jsonl"
    head = {**json.loads(path.read_text()), **change}
    path.write_text(json.dumps(head) + "\n")
    said = polemos("play", "monarchs", str(tmp_path)).stderr.decode()
    assert "polemos: " in said
    assert "Traceback" not in said
    assert "\x1b" not in said


def test_files_of_other_people_stay(tmp_path: Path) -> None:
    for name in ("turn-02-red.txt", "turn-notes/a", "end/mine", "turn-09/sub/x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("mine")
    desk = open_desk(tmp_path)
    desk.run()
    desk.draw_maps()
    desk.back("again")
    desk.draw_maps()
    desk.close()
    for name in ("turn-02-red.txt", "turn-notes/a", "end/mine", "turn-09/sub/x"):
        assert (tmp_path / name).read_text() == "mine"


def test_taking_the_last_turn_back_removes_the_replay_with_the_key(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    desk.call("last")
    desk.run()
    path = desk.write_replay()
    desk.back("a slip")
    assert not path.exists()
    desk.close()


def test_the_replay_of_an_ended_evening_is_written_again_on_opening(tmp_path: Path) -> None:
    typed = b"call last\nrun\nquit\n"
    polemos("play", "monarchs", str(tmp_path), typed=typed)
    (tmp_path / "replay.jsonl").unlink()
    polemos("play", "monarchs", str(tmp_path), typed=b"quit\n")
    assert (tmp_path / "replay.jsonl").exists()


def test_a_drop_out_stays_when_the_turn_is_taken_back_and_can_be_undone(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    desk.drop("red")
    desk.run()
    desk.back("a slip")
    assert "red" not in desk.match.to_act
    desk.stay("red")
    assert "red" in desk.match.to_act
    desk.close()
    assert "red" in open_desk(tmp_path).match.to_act


def test_a_bot_that_crashes_at_the_desk_hands_in_an_empty_sheet(tmp_path: Path) -> None:
    bots = tmp_path / "bots.py"
    bots.write_text("class Bad:\n def __init__(self, *a): pass\n def orders(self, *a): raise SystemExit\n")
    desk = open_desk(tmp_path / "e", trust=True, red=f"{bots}:Bad", green="holder", blue="raider")
    while desk.match.outcome is None:
        desk.run()
    assert {step.orders["red"] for step in desk.match.steps} == {()}
    desk.close()


def test_a_class_in_a_file_sits_at_the_desk_only_with_trust(tmp_path: Path) -> None:
    """Also where the journal names it: the folder may come from somebody else."""
    bots, loaded = tmp_path / "bots.py", tmp_path / "loaded"
    bots.write_text(
        f"open({str(loaded)!r}, 'w').close()\n"
        "class Quiet:\n def __init__(self, *a): pass\n def orders(self, *a): return []\n"
    )
    with pytest.raises(BotFault, match="Add --trust"):
        open_desk(tmp_path / "e", red=f"{bots}:Quiet")
    assert not loaded.exists()
    assert not (tmp_path / "e").exists(), "nothing was begun"
    open_desk(tmp_path / "e", trust=True, red=f"{bots}:Quiet").close()
    loaded.unlink()
    with pytest.raises(BotFault, match="Add --trust"):
        open_desk(tmp_path / "e")
    assert not loaded.exists()
    desk = open_desk(tmp_path / "e", trust=True)
    desk.run()
    assert loaded.exists()
    desk.close()


def test_play_wants_trust_for_a_class_in_a_file_and_says_so_when_it_is_left(tmp_path: Path) -> None:
    bots, folder = tmp_path / "bots.py", str(tmp_path / "e")
    bots.write_text("class Quiet:\n def __init__(self, *a): pass\n def orders(self, *a): return []\n")
    arguments = ("play", "monarchs", folder, "--as", "blue", "--bot", f"red={bots}:Quiet")
    refused = polemos(*arguments, typed=b"quit\n")
    assert refused.returncode == 1
    assert b"Add --trust if you trust it" in refused.stderr
    begun = polemos(*arguments, "--trust", typed=b"quit\n")
    assert begun.returncode == 0, begun.stderr
    assert begun.stdout.rstrip().endswith(f"play monarchs {folder} --trust".encode())
    assert b"Add --trust" in polemos("play", "monarchs", folder, typed=b"quit\n").stderr
    assert polemos("play", "monarchs", folder, "--trust", typed=b"orders\ndone\nquit\n").returncode == 0


@pytest.mark.parametrize(
    "typed",
    [
        b"red\n\xff\xfe\ndone\nquit\n",
        b"load red ~nosuchuser/x\nquit\n",
        b"load red a\0b\nquit\n",
        b"red\nstrike " + b"9" * 5000 + b"\nleave\nquit\n",
        b"\x00\x01\x02\nred\n\x1b[A\nleave\n",
        b"red",
        b"",
    ],
    ids=lambda typed: repr(typed[:12]),
)
def test_odd_bytes_at_the_prompt_end_nothing(tmp_path: Path, typed: bytes) -> None:
    result = polemos("play", "monarchs", str(tmp_path), typed=typed)
    assert result.returncode == 0
    assert b"Traceback" not in result.stderr
    assert b"Everything is saved" in result.stdout


def test_a_bot_cannot_play_the_seat_of_the_person(tmp_path: Path) -> None:
    result = polemos("play", "monarchs", str(tmp_path / "x"), "--as", "red", "--bot", "red=steady")
    assert b"You are playing red yourself" in result.stderr
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "monarchs", "-o", "turns=--5"],
        ["play", "monarchs", "-o", "turns=" + "9" * 5000],
        ["bench", "monarchs", "--seconds", "nan"],
        ["bench", "monarchs", "--seconds", "inf"],
        ["match", "monarchs", "random", "random", "random", "--games", "9" * 20],
    ],
    ids=lambda arguments: " ".join(arguments)[:30],
)
def test_odd_arguments_are_refused_in_words(tmp_path: Path, arguments: list[str]) -> None:
    result = polemos(*arguments)
    assert result.returncode in (1, 2)
    assert b"Traceback" not in result.stderr


def test_a_poor_terminal_and_no_home_folder_do_not_matter(tmp_path: Path) -> None:
    result = polemos("play", "monarchs", str(tmp_path), "--as", "red", typed=b"map\nquit\n", PYTHONIOENCODING="latin-1")
    assert result.returncode == 0
    assert b"Traceback" not in result.stderr


def test_a_damaged_cache_is_thrown_away(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    position = b'{"setup": {}, "seed": 1}\n'
    first = polemos("adjudicate", "skerries", typed=position, POLEMOS_CACHE=str(cache))
    assert first.returncode == 0
    damaged = list(cache.rglob("*.nb[ic]"))
    assert damaged
    for path in damaged:
        path.write_bytes(b"")
    again = polemos("adjudicate", "skerries", typed=position, POLEMOS_CACHE=str(cache))
    assert again.stdout == first.stdout
    assert again.returncode == 0
