"""Bots as they are named on a command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemos import registry
from polemos.arena.tournament import entrants
from polemos.arena.tournament.plan import Entrant
from polemos.kernel.errors import BadOptions, BotFault
from polemos.kernel.rooms import bots_of
from polemos.wire.bot import Budget

GAME = registry.load("skerries")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tmp_path = tmp_path / "folder"
    tmp_path.mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("bot.py", "my bot.py", "a=b.py", "x=y.sh"):
        (tmp_path / name).write_text("class Bot: pass\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "bot.js").write_text("")
    (tmp_path / "x=y.sh").chmod(0o755)
    return tmp_path


def read(*given: str) -> list[tuple[str, str]]:
    return [(entrant.name, entrant.spec) for entrant in entrants.read(GAME, given, trust=True)]


def test_ours_go_by_name() -> None:
    assert entrants.read(GAME, ["random", "settler"]) == (Entrant("random", "random"), Entrant("settler", "settler"))
    assert [name for name, _ in read("all")] == [*bots_of(GAME)]


def test_names_are_distinct() -> None:
    found = read("random", "random", "random 2=random", "random", "random 2=settler")
    assert [name for name, _ in found] == ["random", "random (2)", "random 2", "random (3)", "random 2 (2)"]


@pytest.mark.parametrize(
    ("text", "name", "spec"),
    [
        ("mine=random", "mine", "random"),
        ("Team Blue-2=random", "Team Blue-2", "random"),
        ("mine=bot.py", "mine", "{here}/bot.py"),
        ("mine=bot.py:Bot", "mine", "{here}/bot.py:Bot"),
        ("bot.py:Bot", "Bot", "{here}/bot.py:Bot"),
        ("sub/../bot.py", "folder", "{here}/bot.py"),
        ("my bot.py", "folder", "{here}/my bot.py"),
        ("'my bot.py'", "folder", "{here}/my bot.py"),
        ("a=b.py", "folder", "{here}/a=b.py"),
        ("a=b.py:Bot", "Bot", "{here}/a=b.py:Bot"),
        ("c=a=b.py", "c", "{here}/a=b.py"),
        ("cat sub/bot.js --depth=3", "sub", "cat {here}/sub/bot.js --depth=3"),
        ("mine=cat sub/bot.js --depth=3", "mine", "cat {here}/sub/bot.js --depth=3"),
        ("cat 'my bot.py'", "folder", "cat '{here}/my bot.py'"),
        ("./x=y.sh", "folder", "{here}/x=y.sh"),
        ("cat -", "cat", "cat -"),
    ],
)
def test_a_name_of_ones_own_and_paths_in_full(here: Path, text: str, name: str, spec: str) -> None:
    assert read(text) == [(name, spec.format(here=here))]


def test_what_a_spec_means_does_not_depend_on_the_folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = read("bot.py", "cat sub/bot.js", "my bot.py", "bot.py:Bot")
    monkeypatch.chdir("/")
    assert [spec for _, spec in read(*(spec for _, spec in found))] == [spec for _, spec in found]


def test_programs_are_asked_for_their_names_but_not_those_that_were_given_one(here: Path) -> None:
    asked: list[str] = []

    def ask(spec: str) -> str:
        asked.append(spec)
        return "Settler"

    found = entrants.read(GAME, ["settler", "cat bot.py", "mine=cat sub/bot.js", "bot.py:Bot"], trust=True, ask=ask)
    assert [entrant.name for entrant in found] == ["settler", "Settler (folder)", "mine", "Bot"]
    assert asked == [f"cat {here}/bot.py"]


NAMED = """
import sys
for line in sys.stdin: print('{"type":"ready","name":"Falcon"}', flush=True)
"""


def test_a_name_is_what_a_program_says_when_it_is_started(here: Path) -> None:
    (here / "bot.py").write_text(NAMED)
    assert entrants.asked(GAME, "bot.py", {}, Budget(), trust=True) == "Falcon"
    assert entrants.asked(GAME, "cat sub/bot.js", {}, Budget(start=1.0), trust=True) == "", "it says nothing"


def test_a_file_with_one_bot_a_line(here: Path) -> None:
    (here / "field.txt").write_text("# our field\nrandom\n\n  mine=bot.py:Bot  \nall\n")
    found = read("settler", "@field.txt")
    assert [name for name, _ in found] == ["settler", "random", "mine", "random (2)", "settler (2)"]
    with pytest.raises(OSError, match="nowhere"):
        read("@nowhere.txt")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("randm", "Did you mean random"),
        ("mine=randm", "Did you mean random"),
        ("mine=", "has no bot called 'mine='"),
        ("human", "A person can't play in a tournament"),
        ("me=human", "A person can't play in a tournament"),
        ("mine='bot.py", "is not a valid command"),
        ("nowhere.py:Bot", "There is no file"),
    ],
)
def test_what_is_no_bot_is_refused(here: Path, text: str, why: str) -> None:
    with pytest.raises(BotFault, match=why):
        read(text)


def test_a_field_has_its_limits(here: Path) -> None:
    (here / "many").write_text("random\n" * (entrants.MAX + 1))
    with pytest.raises(BadOptions, match="at most"):
        read("@many")


def test_bots_with_files_are_known_by_their_content(here: Path) -> None:
    found = entrants.read(GAME, ["random", "bot.py:Bot", "cat sub/bot.js"], trust=True)
    assert found[0].digest is None
    assert None not in {found[1].digest, found[2].digest}
    entrants.unchanged(GAME, found, trust=True, out=here)
    (here / "sub" / "bot.js").write_text("better")
    with pytest.raises(BotFault, match=r"The files of sub .* have changed since this tournament began"):
        entrants.unchanged(GAME, found, trust=True, out=here)
