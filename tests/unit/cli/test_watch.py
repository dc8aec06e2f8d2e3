"""Watching a replay: the viewer without a terminal, and once at a real one."""

from __future__ import annotations

import doctest
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from polemos import registry
from polemos.arena import games as arena
from polemos.cli import watch
from polemos.cli.main import polemos
from polemos.cli.watch import SPEEDS, Replayed, Viewer, clip, keys
from polemos.cli.words import told_lines
from polemos.kernel import replay as replays
from polemos.kernel.capabilities.pictures import text_of


class Course:
    """Forty turns of nothing much."""

    title = "Nothing: red against blue"
    last = 40
    result = "red wins: by default"

    def __init__(self) -> None:
        self.asked: list[int] = []

    def text(self, turn: int) -> str:
        self.asked.append(turn)
        return f"\x1b[1;31mposition {turn}\x1b[0m\n" + "\n".join(f"row {row}" for row in range(10))

    def events(self, turn: int) -> Sequence[str]:
        return [f"Something happened in turn {turn}."] if turn else []


@pytest.fixture
def viewer() -> Viewer:
    return Viewer(Course())


def press(viewer: Viewer, *pressed: str) -> Viewer:
    for key in pressed:
        viewer.key(key)
    return viewer


def plain(frame: str) -> list[str]:
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", frame).split("\n")]


def test_examples_run() -> None:
    result = doctest.testmod(watch)
    assert result.attempted > 0
    assert result.failed == 0


# ---- keys


def test_steps_and_leaps(viewer: Viewer) -> None:
    assert viewer.key("right").turn == 1
    assert viewer.key(".").turn == 2
    assert viewer.key("left").turn == 1
    assert viewer.key(",").turn == 0
    assert viewer.key(",").turn == 0, "there is nothing before the first position"
    assert viewer.key("]").turn == 10
    assert viewer.key("]").turn == 20
    assert viewer.key("[").turn == 10
    assert viewer.key("end").turn == 40
    assert viewer.key("]").turn == 40
    assert viewer.key("home").turn == 0


def test_digits_and_enter_go_to_a_turn(viewer: Viewer) -> None:
    assert press(viewer, "1", "7").state.typed == "17"
    assert "go to turn 17" in viewer.frame(80, 24)
    assert viewer.key("enter").turn == 17
    assert viewer.state.typed == ""
    assert press(viewer, *"99999999999999", "enter").state.turn == 40
    assert press(viewer, "3", "5", "backspace", "enter").state.turn == 3
    assert press(viewer, "9", "escape", "enter").state.turn == 3, "given up"
    assert viewer.key("enter").turn == 3


def test_space_plays_and_pauses(viewer: Viewer) -> None:
    assert viewer.key(" ").playing
    assert viewer.pass_time(0.4).turn == 0
    assert viewer.pass_time(0.2).turn == 1
    assert viewer.pass_time(1.0).turn == 3
    assert not viewer.key(" ").playing
    assert viewer.pass_time(100).turn == 3
    assert viewer.until_next() == float("inf")
    assert viewer.key(" ").playing
    assert viewer.until_next() == pytest.approx(0.5)
    assert not viewer.key("right").playing, "who steps wants to look"
    viewer.key(" ")
    assert viewer.key("]").playing, "who leaps wants to go on there"


def test_playing_ends_at_the_end_and_begins_anew(viewer: Viewer) -> None:
    press(viewer, "end", "left", " ")
    assert viewer.pass_time(9).turn == 40
    assert not viewer.state.playing
    assert viewer.key(" ").playing
    assert viewer.state.turn == 0


def test_speed_has_its_limits(viewer: Viewer) -> None:
    assert (SPEEDS[0], SPEEDS[-1]) == (0.5, 240)
    assert viewer.key("+").speed == 4
    assert press(viewer, *"++++++++++++").state.speed == 240
    assert press(viewer, *"-" * 20).state.speed == 0.5
    viewer = press(viewer, *"+" * 20, " ")
    assert viewer.pass_time(0.1).turn == 24, "several turns a frame"


def test_other_keys_mean_nothing(viewer: Viewer) -> None:
    before = viewer.state
    for key in ("x", "", "\x00", "²", "\x1b[99~", "Ω", "enter", "backspace", "escape"):
        assert viewer.key(key) == before


def test_q_leaves_even_the_help(viewer: Viewer) -> None:
    assert press(viewer, "?", "q").state.over


# ---- frames


def test_a_frame_fills_the_screen_exactly(viewer: Viewer) -> None:
    press(viewer, "right")
    for width, height in ((80, 24), (20, 6), (5, 3), (1, 1), (200, 60)):
        lines = plain(viewer.frame(width, height))
        assert len(lines) == height
        assert all(len(line) <= width for line in lines)
        assert all(len(re.sub(r"\x1b\[[0-9;]*m", "", row)) == width for row in viewer.frame(width, height).split("\n"))


def test_a_frame_shows_position_events_and_status(viewer: Viewer) -> None:
    lines = plain(press(viewer, "right").frame(80, 24))
    assert lines[0] == "Nothing: red against blue"
    assert lines[1] == "position 1"
    assert "Something happened in turn 1." in lines
    assert lines[-1] == " turn 1 of 40 | paused, 2 turns/s | ? help"
    assert "\x1b[1;31mposition 1" in viewer.frame(80, 24)
    assert "Something" not in press(viewer, "e").frame(80, 24)
    assert "Something" in press(viewer, "e").frame(80, 24)
    assert "playing" in plain(press(viewer, " ").frame(80, 24))[-1]
    assert "red wins: by default" in plain(press(viewer, "end").frame(80, 24))[-1]


def test_a_small_screen_scrolls(viewer: Viewer) -> None:
    lines = plain(press(viewer, "right").frame(80, 8))
    assert lines[6] == "... 8 more lines (down arrow)"
    lines = plain(press(viewer, "down").frame(80, 8))
    assert lines[1] == "row 2"
    lines = plain(press(viewer, *["down"] * 9).frame(80, 8))
    assert lines[6] == "Something happened in turn 1."
    lines = plain(press(viewer, "up", "up", "up").frame(80, 8))
    assert lines[1] == "position 1"


def test_help_tells_all_keys(viewer: Viewer) -> None:
    said = "\n".join(plain(press(viewer, "?").frame(80, 24)))
    for words in ("space", "right left", "Home End", "12 Enter", "+ -", "q "):
        assert words in said
    assert "position 0" in press(viewer, "x").frame(80, 24)


def test_only_what_is_seen_is_made_into_text() -> None:
    course = Course()
    press(Viewer(course), "end", "left").frame(80, 24)
    assert course.asked == [39]


def test_lines_are_cut_by_cells_and_keep_no_control_characters() -> None:
    assert clip("\x1b[1mabc\x1b[0mdef", 4) == "\x1b[1mabc\x1b[0md\x1b[0m"
    assert clip("\x1b[31mabcdef", 3) == "\x1b[31mabc\x1b[0m", "a colour does not run out"
    assert clip("a\x1b[2Jb\x07\tc", 9) == "a[2Jbc   "
    assert clip("漢字漢字", 5) == "漢字 "


# ---- keys as a terminal sends them


@pytest.mark.parametrize(
    ("sent", "pressed", "rest"),
    [
        ("q", ["q"], ""),
        (" [].,", [" ", "[", "]", ".", ","], ""),
        ("\x1b[C\x1b[D\x1bOC", ["right", "left", "right"], ""),
        ("\x1b[1~\x1b[4~\x1b[H\x1b[F\x1bOH\x1bOF", ["home", "end"] * 3, ""),
        ("12\r", ["1", "2", "enter"], ""),
        ("\x1b", [], "\x1b"),
        ("\x1b[", [], "\x1b["),
        ("a\x1b[1", ["a"], "\x1b[1"),
        ("\x1bq", ["\x1b", "q"], ""),
        ("\x03", ["q"], ""),
    ],
)
def test_keys_are_read_from_what_a_terminal_sends(sent: str, pressed: list[str], rest: str) -> None:
    assert keys(sent) == (pressed, rest)


# ---- a real replay


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("watched")
    work = arena.tasks(
        registry.load("skerries"), ["settler", "random", "random"], 1, 1, {"seats": 3, "turns": 4}, folder
    )
    return Path(arena.play_one(work[0]).replay or "")


def test_a_replay_is_seen_as_it_was(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every position and event is what `polemos replay` prints, in any order of asking."""
    game = registry.load("skerries")
    states, seen = [], []
    for match in replays.replayed(replays.read(file), game):
        states.append(match.state.raw())
        events = told_lines(match, len(match.steps), "red")
        seen.append((text_of(game, match.setting, match.view("red"), False), events))
    course = Replayed(match, states, "title", "won", "red", colour=False)
    assert course.last == 4
    for turn in (4, 0, 2, 1, 3, 2):
        text, events = seen[turn]
        assert course.text(turn) == text
        assert list(course.events(turn)) == events
    whole = Replayed(match, states, "title", "won", "umpire", colour=True)
    monkeypatch.setattr("skerries.draw.text", lambda setting, view, colour: f"{view.who} in colour: {colour}")
    assert whole.text(1) == "umpire in colour: True"
    assert any(event.startswith("red ") for event in whole.events(1)), "the umpire sees the sheets"


def test_without_a_terminal_everything_is_printed(file: Path) -> None:
    said = CliRunner().invoke(polemos, ["replay", str(file)], catch_exceptions=False)
    assert "After turn 4" in said.output
    assert "\x1b" not in said.output
    same = CliRunner().invoke(polemos, ["replay", str(file), "--no-watch"], catch_exceptions=False)
    assert same.output == said.output
    refused = CliRunner().invoke(polemos, ["replay", str(file), "--watch"])
    assert refused.exit_code == 2
    assert "needs a terminal" in refused.output


class Terminal:
    """A real one, without anybody in front of it."""

    def __init__(self, *command: str) -> None:
        import pty
        import termios

        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (30, 100))
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.run = subprocess.Popen(
            [sys.executable, "-m", "polemos", *command],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm"},
            start_new_session=True,
        )
        self.seen = ""

    def expect(self, text: str, seconds: float = 60) -> str:
        """Reads until the text is seen; returns what came up to it."""
        until = time.monotonic() + seconds
        while text not in self.seen:
            left = until - time.monotonic()
            assert left > 0, f"{text!r} never came: {self.seen[-2000:]!r}"
            if select.select([self.master], [], [], left)[0]:
                self.seen += os.read(self.master, 65536).decode()
        found, _, self.seen = self.seen.partition(text)
        return found

    def send(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def settings(self) -> list[object]:
        import termios

        return termios.tcgetattr(self.slave)

    def close(self) -> None:
        if self.run.poll() is None:
            self.run.kill()
        self.run.wait()
        os.close(self.master)
        os.close(self.slave)


def test_a_replay_is_watched_at_a_terminal(file: Path) -> None:
    terminal = Terminal("replay", str(file))
    try:
        terminal.expect("\x1b[?1049h")
        terminal.expect(" turn 0 of 4 | paused")
        terminal.send("\x1b[C")
        terminal.expect(" turn 1 of 4 | paused")
        terminal.send("3\r")
        terminal.expect(" turn 3 of 4 | paused")
        terminal.send("\x1b[H++++++++ ")
        terminal.expect(" turn 4 of 4 | paused, 240 turns/s | ")
        terminal.expect(" wins: ")
        terminal.send("?")
        terminal.expect("space        play, pause")
        terminal.send("q")
        terminal.expect("\x1b[?1049l")
        terminal.expect("Verified: 4 turns")
        assert terminal.run.wait(60) == 0
        assert terminal.settings() == terminal.before, "the terminal is as it was"
    finally:
        terminal.close()
