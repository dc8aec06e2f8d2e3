"""Boards keep to the width of the screen, or say what width they need."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from polemos import registry
from polemos.cli.main import polemos
from polemos.kernel.capabilities.pictures import text_of
from polemos.kernel.match import Match
from polemos.kernel.playing import play
from polemos.kernel.rooms import bots_of
from polemos.pictures import terminal
from polemos.pictures.screen import cut

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

BOARDS: dict[str, tuple[str, dict[str, Any]]] = {
    "monarchs": ("monarchs", {"mode": "open"}),
    "skirmish": ("demons", {"map": "skirmish"}),
    "widest of demons": ("demons", {"map": "hornets"}),
    "one board": ("minions", {"boards": 1}),
    "two boards": ("minions", {"boards": 2}),
    "three boards": ("minions", {"boards": 3}),
    "8x8": ("monad", {"map": "random", "size": "8x8"}),
    "20x20": ("monad", {"map": "random", "size": "20x20"}),
    "64x64": ("monad", {"map": "random", "size": "64x64", "seats": 4}),
    "eight crews": ("skerries", {"seats": 8}),
}


def plain(text: str) -> list[str]:
    return re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()


@pytest.fixture(scope="module", params=BOARDS)
def match(request: pytest.FixtureRequest) -> Any:
    """A position of the middle of a game, with much on the board."""
    name, options = BOARDS[request.param]
    game = registry.load(name)
    made = Match(game, {**options, "turns": 12}, seed=1)
    maker = list(bots_of(game).values())[-1]
    play(made, {seat: maker(game.setting(made.state), seat, 1) for seat in made.seats})
    return made


@pytest.mark.parametrize("columns", [60, 80, 100, 132, 200])
@pytest.mark.parametrize("colour", [False, True], ids=["plain", "painted"])
def test_every_row_fits(match: Any, columns: int, colour: bool) -> None:
    for state in match.history[:: max(1, len(match.steps) // 3)]:
        with terminal.fitted(columns):
            text = text_of(match.game, match.setting, match.game.observe(state, match.seats[0]), colour)
        assert max(map(len, plain(text))) <= columns, text
        assert cut(text, columns) == text


@pytest.mark.needs("monad")
def test_a_wide_screen_is_used() -> None:
    """The figures of a board of 30 columns are shown in full where there is room for them."""
    game = registry.load("monad")
    match = Match(game, {"map": "random", "size": "30x8"}, seed=1)
    wide, narrow = (terminal.fitted(columns) for columns in (160, 80))
    with wide:
        whole = text_of(game, match.setting, match.view("red"))
    with narrow:
        short = text_of(game, match.setting, match.view("red"))
    assert max(map(len, plain(whole))) == 4 + 5 * 30
    assert max(len(row) for row in plain(short) if re.match(r" ?\d+  ", row)) <= 4 + 2 * 30


@pytest.mark.needs("monad")
def test_a_board_in_bands_shows_every_column_once() -> None:
    game = registry.load("monad")
    match = Match(game, {"map": "random", "size": "64x64"}, seed=1)
    with terminal.fitted(80):
        rows = plain(text_of(game, match.setting, match.view("red")))
    first = [row for row in rows if row.startswith(" 7  ")]
    assert [len(row) - 4 for row in first] == [2 * 38, 2 * 26]


# ---- what cannot fit


def test_what_cannot_fit_says_what_it_needs() -> None:
    text = "\n".join(["x" * 30, "short", "\x1b[1;31m" + "y" * 40 + "\x1b[0m"])
    rows = plain(cut(text, 25))
    assert rows == ["x" * 24 + "…", "short", "y" * 24 + "…", "This board needs a screen of 40 columns; yours has 25."]
    assert cut(text, 25).count("\x1b[0m") == 1
    assert cut(text, 40) == text


@pytest.mark.needs("monad")
@pytest.mark.parametrize("columns", ["60", "80"])
def test_the_terminal_takes_the_width_it_is_told(tmp_path: Path, columns: str) -> None:
    options = ["-o", "map=random", "-o", "size=20x20", "--as", "red", "--seed", "1"]
    result = CliRunner().invoke(
        polemos, ["play", "monad", str(tmp_path), *options], input="quit\n", env={"COLUMNS": columns}
    )
    board = [row for row in result.output.splitlines() if re.match(r" ?\d+  ", row)]
    assert len(board) >= 20
    assert max(map(len, board)) <= int(columns)


def in_a_terminal(columns: int, arguments: list[str], typed: str, folder: Path) -> str:
    """What a person sees in a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    command = [sys.executable, "-m", "polemos", *arguments]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=folder)
    os.close(theirs)
    os.write(ours, typed.encode())
    seen, end = b"", time.monotonic() + 120
    while time.monotonic() < end:
        if not select.select([ours], [], [], 0.2)[0]:
            continue
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        seen += part
    process.wait(timeout=60)
    os.close(ours)
    return seen.decode(errors="replace").replace("\r\n", "\n")


@pytest.mark.needs("minions")
@pytest.mark.parametrize("columns", [60, 80, 100])
def test_two_boards_of_minions_in_a_real_terminal(columns: int, tmp_path: Path) -> None:
    arguments = ["play", "minions", "evening", "-o", "boards=2", "--seed", "1"]
    seen = in_a_terminal(columns, arguments, "show\nquit\n", tmp_path)
    rows = plain(seen)
    first = next(number for number, row in enumerate(rows) if row.startswith("Board 1"))
    last = next(number for number, row in enumerate(rows) if "Everything is saved" in row)
    assert any("Board 2" in row for row in rows[first:last])
    assert max(map(len, rows[first:last])) <= columns, "\n".join(rows[first:last])
