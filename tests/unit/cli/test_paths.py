"""Bots in folders and files with blanks and quotes in their names, however and wherever they are named."""

from __future__ import annotations

import json
import shlex
import tempfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from polemos.cli.main import polemos
from together import together

ODD = ("my bots", "it's mine", 'a "b" c')
PROGRAM = """#!/usr/bin/python3
import json, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "result": break
    print('{"type":"ready"}' if kind == "hello" else '{"type":"orders","orders":[]}', flush=True)
"""
GUEST = """#!/usr/bin/python3
import json, sys
ACTION = {"action": "nothing", "x": 0, "y": 0, "tower_type": "", "merc_direction": "", "provoke_demons": False}
named = False
for line in sys.stdin:
    if line.startswith("--END"):
        if not named: print("Team")
        named = True
        print(json.dumps(ACTION), flush=True)
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name / f"{name}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


# All ways of naming a Python program: alone, in quotes, run by another program, with words after it.
SPELLINGS = ["{path}", "{quoted}", "{double}", "python3 {quoted}", "python3 {double} --fast", "{quoted} --fast"]


def spelled(spelling: str, path: Path) -> str:
    double = '"' + str(path).replace('"', '\\"') + '"'
    return spelling.format(path=path, quoted=shlex.quote(str(path)), double=double)


def called(*arguments: str) -> dict[str, Any]:
    said = CliRunner().invoke(polemos, [*arguments, "--json"], catch_exceptions=False)
    assert said.exit_code == 0, said.output
    found: dict[str, Any] = json.loads(said.stdout)
    return found


def dropped(folder: Path, verb: str, game: str, bot: str) -> tuple[str, int]:
    """The name that the bot has in the table, and how often it dropped out."""
    arguments = [verb, game, bot, "random", "-o", "turns=2"]
    if verb == "match":
        found = called(*arguments)
        return found["names"][0], sum(found["dropped"])
    if verb == "series":
        found = called(*arguments, "--max-games", "2", "--workers", "1")
        return found["names"][0], sum(found["forfeits"])
    with tempfile.TemporaryDirectory(dir=folder) as out:
        found = called(*arguments, "--out", str(Path(out) / "t"), "--workers", "1")
    row = next(row for row in found["table"] if row["name"] != "random")
    return row["name"], row["forfeits"]


@together("spelling", SPELLINGS)
@pytest.mark.parametrize("verb", ["match", "series", "tournament"])
@pytest.mark.parametrize("odd", ODD)
def test_a_program_is_found_whatever_its_path(tmp_path: Path, verb: str, odd: str, spelling: str) -> None:
    bot = spelled(spelling, written(tmp_path, odd, PROGRAM))
    assert dropped(tmp_path, verb, "skerries", bot) == (odd, 0)


@together("spelling", SPELLINGS)
@pytest.mark.needs("demons")
@pytest.mark.parametrize("verb", ["match", "series", "tournament"])
def test_a_guest_is_found_whatever_its_path(tmp_path: Path, verb: str, spelling: str) -> None:
    bot = spelled(spelling, written(tmp_path, ODD[1], GUEST))
    assert dropped(tmp_path, verb, "demons", f"competition:{bot}") == (ODD[1], 0)
