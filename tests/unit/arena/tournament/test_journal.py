"""The journal: nothing that was written is lost, nothing that was not counts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from polemos.arena.tournament import opening
from polemos.arena.tournament.engine import Tournament
from polemos.arena.tournament.journal import NAME, Journal, JournalError
from polemos.arena.tournament.plan import Played

from .invented import by_number, known, plan, through

PLAN = plan(4)
GAMES = [by_number(pairing) for pairing in Tournament(PLAN).due()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a journal of the plan and five games."""
    with Journal(tmp_path / "t") as journal:
        journal.begin(PLAN)
        journal.add(GAMES[:2])
        journal.add(GAMES[2:5])
    return tmp_path / "t"


def read(folder: Path) -> list[Played]:
    with Journal(folder) as journal:
        assert journal.plan == PLAN
        return [*journal.games.values()]


def test_what_was_written_is_read_again(folder: Path) -> None:
    assert read(folder) == GAMES[:5]
    assert (folder / NAME).stat().st_mode & 0o77 == 0, "it holds the seed"


def test_a_game_is_written_once(folder: Path) -> None:
    other = replace(GAMES[1], points=(0.5, 0.5))
    with Journal(folder) as journal:
        assert journal.add([other, GAMES[5], GAMES[5]]) == [GAMES[5]]
        assert journal.add([GAMES[5]]) == []
    assert read(folder) == GAMES[:6]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10_000))
def test_a_journal_cut_off_anywhere_goes_on(folder: Path, at: int) -> None:
    """As after a power cut: the first line as a whole, and then anything."""
    raw = (folder / NAME).read_bytes()
    first = raw.index(b"\n") + 1
    at = first + at % (len(raw) - first + 1)
    copy = folder.parent / f"cut-{at}"
    copy.mkdir(exist_ok=True)
    (copy / NAME).write_bytes(raw[:at])
    whole = raw[:at].count(b"\n") - 1 + (raw[at : at + 1] == b"\n")
    assert read(copy) == GAMES[:whole]
    with Journal(copy) as journal:
        journal.add(GAMES)
    assert [*sorted(read(copy), key=lambda game: game.number)] == GAMES
    with opening.resumed(copy) as journal:
        assert known(opening.caught_up(journal)) == known(through(PLAN, by_number))


@pytest.mark.parametrize("line", [1, 2, 4, 6])
def test_a_changed_line_is_named(folder: Path, line: int) -> None:
    lines = (folder / NAME).read_bytes().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace(b"1", b"2", 1)
    (folder / NAME).write_bytes(b"".join(lines))
    with pytest.raises(JournalError, match=f"is damaged: line {line} was changed"):
        Journal(folder)


def test_lines_cannot_be_left_out_or_exchanged(folder: Path) -> None:
    lines = (folder / NAME).read_bytes().splitlines(keepends=True)
    for other in ([*lines[:2], *lines[3:]], [*lines[:2], lines[3], lines[2], *lines[4:]], [*lines, lines[-1]]):
        (folder / NAME).write_bytes(b"".join(other))
        with pytest.raises(JournalError, match="is damaged: line"):
            Journal(folder)


def test_an_editor_may_take_the_last_newline_away(folder: Path) -> None:
    path = folder / NAME
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert read(folder) == GAMES[:5]
    assert path.read_bytes() == whole


def test_a_plan_that_was_never_written_whole_is_no_plan(folder: Path) -> None:
    path = folder / NAME
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(JournalError, match="before its plan was written"):
        opening.resumed(folder)
    with opening.begun(folder, PLAN, any_seed=False) as journal:
        assert journal.plan == PLAN


@pytest.mark.parametrize("text", [b"Dear diary", b"{}\n", b'{"tournament":2}\n', b"\n\n", b"\0" * 100])
def test_another_file_is_no_journal_and_stays_as_it_is(tmp_path: Path, text: bytes) -> None:
    (tmp_path / NAME).write_bytes(text)
    with pytest.raises(JournalError):
        Journal(tmp_path)
    assert (tmp_path / NAME).read_bytes() == text


def test_two_runs_of_one_folder_are_refused(folder: Path) -> None:
    with Journal(folder):
        with pytest.raises(JournalError, match="this tournament is already running"):
            Journal(folder)
        code = "from pathlib import Path; from polemos.arena.tournament.opening import resumed; resumed(Path('.'))"
        other = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
        assert "this tournament is already running" in other.stderr
    assert read(folder) == GAMES[:5]


def test_a_full_disk_leaves_no_half_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", _full)
    with Journal(folder) as journal:
        with pytest.raises(OSError, match="No space"):
            journal.add(GAMES[5:])
        monkeypatch.undo()
        assert journal.add(GAMES[5:6]) == GAMES[5:6]
    assert read(folder) == GAMES[:6]


def _full(file: int) -> None:
    raise OSError(28, "No space left on device")


# ---- opening


def test_the_same_plan_goes_on_and_another_is_refused(folder: Path) -> None:
    with opening.begun(folder, PLAN, any_seed=False) as journal:
        assert len(journal.games) == 5
    with opening.begun(folder, replace(PLAN, seed="other"), any_seed=True) as journal:
        assert journal.plan == PLAN
    with pytest.raises(JournalError, match=r"a different plan \(games, seed\)\. Resume that one with --resume"):
        opening.begun(folder, replace(PLAN, seed="other", games=7), any_seed=False)
    assert read(folder) == GAMES[:5]


def test_there_must_be_something_to_resume(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="There is no tournament in"):
        opening.resumed(tmp_path)
    assert not list(tmp_path.iterdir()), "asking leaves nothing behind"
