"""The page "Write your own game", followed from top to bottom: its files are written and its commands typed, in order.

The package grows in a folder of its own and is installed into an environment of its own, beside the packages that run
the tests. Rules are interpreted here; that they compile is tried elsewhere.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import urllib.request
import venv
from pathlib import Path
from typing import NamedTuple

import pytest

from house.serving import serving

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "start" / "write-your-own-game.md"
EXAMPLE = ROOT / "examples" / "skerries"
BLOCK = re.compile(r"(?:^\*\*`([^`\n]+)`(, \w+)?\*\*\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    file: str  # that it belongs to, if any
    part: str  # "", ", continued" or ", excerpt"
    language: str
    text: str


BLOCKS = [Block(*(group or "" for group in found.groups())) for found in BLOCK.finditer(PAGE.read_text("utf-8"))]


def written(blocks: list[Block]) -> dict[str, str]:
    """The files of these blocks, put together as the page says."""
    files: dict[str, str] = {}
    for file, part, _, text in blocks:
        if part == ", continued":
            files[file] += ("\n" if text.startswith(" ") else "\n\n") + text
        elif file:
            assert file not in files, f"{file} begins twice"
            files[file] = text
    return files


def tracked(folder: Path) -> set[str]:
    """The files of a folder, but for what running them leaves."""
    names = subprocess.run(["git", "ls-files"], cwd=folder, capture_output=True, text=True, check=True).stdout
    return set(names.splitlines())


def test_page_and_example_are_the_same() -> None:
    excerpts = {block.file: block.text for block in BLOCKS if block.part == ", excerpt"}
    files = written(BLOCKS)
    assert set(files) == tracked(EXAMPLE)
    for name, text in files.items():
        whole = (EXAMPLE / name).read_text("utf-8")
        if name in excerpts:
            assert set(text.strip().split("\n\n")) <= set(whole.strip().split("\n\n")), name
        else:
            assert text == whole, f"{name} reads differently on the page"


def test_every_block_is_a_file_or_is_tried() -> None:
    assert PAGE.read_text("utf-8").count("\n```") == 2 * len(BLOCKS)
    for block in BLOCKS:
        assert block.file or block.language in {"sh", "text"} or block.text.startswith(">>> "), block.text


class Reader:
    """Somebody who follows the page in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "own"
        self.folder.mkdir()
        venv.create(folder / "env", symlinks=True)
        self.python = str(folder / "env" / "bin" / "python")
        (site,) = (folder / "env").glob("lib/python*/site-packages")
        # What `pip install 'polemos[serve]'` would have brought comes from the environment that runs the tests.
        (site / "polemos.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "POLEMOS"))}
        self.env = {**kept, "POLEMOS_INTERPRET": "1", "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"}

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text, "utf-8")

    def run(self, *words: str, typed: str = "", fails: bool = False) -> str:
        result = subprocess.run(
            words,
            cwd=self.folder,
            env=self.env,
            input=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert (result.returncode != 0) == fails, f"{shlex.join(words)}\n{result.stdout}"
        return result.stdout

    def types(self, line: str, typed: str = "") -> str:
        """One command of the page, and what it answers."""
        command, _, comment = line.partition("  # ")
        program, *words = shlex.split(command)
        if program == "pip":
            offline = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check")
            return self.run(sys.executable, "-m", "pip", "--python", self.python, *words, *offline)
        if words[:1] == ["serve"]:
            return self.serves()
        if "bot.py" in command:
            words.append("--trust")  # not every machine that runs the tests has the box
        module = {"polemos": "polemos", "pytest": "pytest"}[program]
        return self.run(self.python, "-m", module, *words, typed=typed, fails=comment.startswith("fails"))

    def tries(self, session: str) -> None:
        """A session at Python's prompt, compared with what the page says."""
        (self.folder.parent / "session.txt").write_text(session, "utf-8")
        self.run(self.python, "-m", "doctest", str(self.folder.parent / "session.txt"))

    def serves(self) -> str:
        """The games that the server of `polemos serve` has, without opening a browser."""
        with (
            serving([self.python, "-m", "polemos"], self.folder, self.env) as address,
            urllib.request.urlopen(f"{address}api/games", timeout=60) as answer,
        ):
            return ", ".join(game["title"] for game in json.load(answer))


# What the reader sees after a command.
SEES = {
    "polemos games": "skerries  Crews row between islands in the mist",
    "polemos rules": "3.2 Meeting",
    "polemos match skerries random": "4 games, 4 distinct, 32 turns",
    "polemos match skerries python3": "1 game,",
    "polemos replay": "Verified: 8 turns",
    "polemos tournament": "2 of 2 games",
    "polemos play": "They can row to A2, A3, B2. Rule 2.2.",
    "pytest": "1 failed, 3 passed",
    "polemos serve": "Skerries",
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Reader, dict[str, str]]:
    """The page, followed to its end."""
    reader = Reader(tmp_path_factory.mktemp("page"))
    answers: dict[str, str] = {}
    for i, block in enumerate(BLOCKS):
        reader.write(written(BLOCKS[: i + 1]))
        if block.language == "sh":
            typed = next((later.text for later in BLOCKS[i + 1 :] if not later.file and later.language == "text"), "")
            for line in block.text.splitlines():
                answers[line.replace('"', "")] = reader.types(line, typed if " play " in line else "")
        elif block.text.startswith(">>> "):
            reader.tries(block.text)
    return reader, answers


@pytest.mark.slow
def test_each_command_does_what_the_page_says(answers: tuple[Reader, dict[str, str]]) -> None:
    for start, seen in SEES.items():
        found = [answer for command, answer in answers[1].items() if command.startswith(start)]
        assert found, f"the page has no {start}"
        assert seen in found[0], found[0]


@pytest.mark.slow
def test_what_was_played_is_the_package_of_the_page(answers: tuple[Reader, dict[str, str]]) -> None:
    reader, _ = answers
    code = "import polemos, sys; print(polemos.load('skerries').title, sys.modules['skerries'].__file__)"
    assert reader.run(reader.python, "-c", code).split() == [
        "Skerries",
        str(reader.folder / "skerries" / "__init__.py"),
    ]
    assert "Green" in (reader.folder / "maps" / "skerries-green-01.svg").read_text("utf-8").title()
    assert "polemos-record" in (reader.folder / "game.html").read_text("utf-8")


@pytest.mark.slow
def test_all_cases_of_the_example_pass(answers: tuple[Reader, dict[str, str]]) -> None:
    reader, _ = answers
    cases = {name: (EXAMPLE / name).read_text("utf-8") for name in tracked(EXAMPLE) if name.endswith(".case")}
    reader.write(cases)
    count = sum(text.count("\ncase ") for text in cases.values())
    assert f"{count + 1} passed" in reader.run(reader.python, "-m", "pytest")
