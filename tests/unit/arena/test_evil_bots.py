"""Bots that mean harm, or just fail: they hurt themselves, never the others or the match."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from polemos.cli.main import polemos

BOTS = """
from __future__ import annotations
import dataclasses
from collections.abc import Sequence

@dataclasses.dataclass
class Data:  # needs its module to be known
    x: int

class Base:
    def __init__(self, setting, seat, seed):
        self.setting = setting
    def orders(self, view, time_left):
        return self.answer()

class Saboteur(Base):
    def answer(self):
        self.setting.places.clear()
        self.setting.harbours.clear()
        return []
class Exits(Base):
    def answer(self): raise SystemExit(0)
class Generates(Base):
    def answer(self): raise GeneratorExit
class Unmade(Base):
    def __init__(self, *a): raise RuntimeError("no")
class Quits(Base):
    def __init__(self, *a): raise SystemExit
class Odd:
    pass
class Big(Base):
    def answer(self): return [{"order": "row", "from": "A1", "to": "A2", "number": -10**5000}]
class Many(Base):
    def answer(self): return ["x"] * 3_000_000
class Endless(Base):
    class S(Sequence):
        def __len__(self): return 3
        def __getitem__(self, i): return "x"
    def answer(self): return self.S()
class EvilText(Base):
    class T(str):
        def strip(self, *a): raise SystemExit
        def split(self, *a): raise SystemExit
    def answer(self): return [self.T("A1-A2 1")]
"""


@pytest.mark.parametrize(
    "name",
    ["Saboteur", "Exits", "Generates", "Unmade", "Quits", "Odd", "Big", "Many", "Endless", "EvilText"],
)
def test_an_evil_bot_hurts_only_itself(tmp_path: Path, name: str) -> None:
    file = tmp_path / "evil.py"
    file.write_text(BOTS)
    bots = [f"{file}:{name}", "settler", "settler"]
    arguments = ["match", "skerries", *bots, "--trust", "--json", "-o", "turns=4", "--seed", "1"]
    result = CliRunner().invoke(polemos, arguments, catch_exceptions=False)
    table = json.loads(result.stdout)
    assert table["games"] == 1
    assert table["wins"][0] == 0
    assert all(who.startswith(f"{name} in game") for who in table["forfeits"])
    assert table["void_lines"][1:] == [0, 0]


@pytest.mark.needs("monarchs")
def test_a_match_without_a_number_of_turns_ends() -> None:
    arguments = ["match", "monarchs", "random", "random", "random", "--json", "-o", "turns=0", "--seed", "1"]
    table = json.loads(CliRunner().invoke(polemos, arguments, catch_exceptions=False).stdout)
    assert table["steps"] == 50
