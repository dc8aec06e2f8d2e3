"""A game tells how far it is while it is played. Nothing that goes wrong with that changes the game."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from polemos.ladder import live, playing
from polemos.ladder.jobs import Job, Lot, Player, Report
from polemos.ladder.live import KEPT, MAX_TAIL, Live, LiveFault, Lives, changed
from polemos.ladder.playing import play, play_one

OURS = Player(1, "random", None, "random")
JOB = Job(7, 3, "skerries", 1, {"seats": 2, "turns": 6}, False, "a", "b", (OURS, OURS))
SO_FAR = Live(
    7, 3, 2, 6, ("red", "blue"), (0, 1), (0, 0), (0.0, 0.5), (LiveFault(1, 1, "strike", "late"),), "<svg/>", {}
)


class Heard(Lives):
    """Keeps all that it is told."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.all: list[Live] = []

    def put(self, live: Live) -> None:
        self.all.append(live)
        super().put(live)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PAUSE", 0.0)
    monkeypatch.setattr(playing, "note_turns", lambda: None)  # it is for the rest of a process


@pytest.mark.usefixtures("at_once")
def test_a_game_tells_its_turns_until_it_is_over(tmp_path: Path) -> None:
    heard = Heard(tmp_path / "live")
    log = tmp_path / "game-00007-blue.log"
    log.write_bytes(b"cut off\n" + b"plan a\n" * MAX_TAIL)
    assert isinstance(play_one(JOB, tmp_path, heard), Report)
    # Six turns. After the first step the second turn is being played; the end is the result's to tell.
    assert [one.turn for one in heard.all] == [2, 3, 4, 5, 6]
    last = heard.all[-1]
    assert (last.id, last.lease, last.turns, last.seats) == (7, 3, 6, ("red", "blue"))
    assert last.picture.startswith("<svg")
    assert set(last.logs) == {1}
    assert len(last.logs[1]) <= MAX_TAIL
    assert last.logs[1].startswith(b"plan a\n")


@pytest.mark.usefixtures("at_once")
def test_what_goes_wrong_here_harms_no_game(tmp_path: Path) -> None:
    quiet = play_one(JOB, tmp_path)
    (tmp_path / "live").write_text("a file where the folder should be")
    (told,) = play(Lot((JOB,), live=str(tmp_path / "live")))
    assert isinstance(told, Report)
    assert isinstance(quiet, Report)
    assert told.claim == quiet.claim


@pytest.mark.usefixtures("at_once")
def test_nothing_is_left_of_a_game_that_is_over(tmp_path: Path) -> None:
    (told,) = play(Lot((JOB,), live=str(tmp_path / "live")))
    assert isinstance(told, Report)
    assert list((tmp_path / "live").iterdir()) == []


def test_a_file_counts_for_one_lease(tmp_path: Path) -> None:
    lives = Lives(tmp_path / "live")
    assert lives.get(7, 3) is None
    lives.put(SO_FAR)
    assert lives.get(7, 3) == SO_FAR
    assert lives.get(7, 4) is None  # somebody else plays it now
    (tmp_path / "live" / "8.live").write_bytes(b"\xc1 half a file")
    assert lives.get(8, 1) is None
    old = time.time() - KEPT - 60
    os.utime(tmp_path / "live" / "8.live", (old, old))
    lives.sweep()
    assert [path.name for path in (tmp_path / "live").iterdir()] == ["7.live"]
    Lives(tmp_path / "no such folder").sweep()


def test_only_news_is_passed_on(tmp_path: Path) -> None:
    lives, told = Lives(tmp_path), dict[int, tuple[int, int]]()
    assert changed(lives, [JOB], told) == []
    lives.put(SO_FAR)
    assert changed(lives, [JOB], told) == [SO_FAR]
    assert changed(lives, [JOB], told) == []
    lives.put(replace(SO_FAR, turn=4))
    assert [one.turn for one in changed(lives, [JOB], told)] == [4]
    assert changed(lives, [], told) == []
    assert told == {}
