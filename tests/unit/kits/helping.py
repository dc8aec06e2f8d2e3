"""Asks the helpers of a game questions, in every language.

Each game has a table of scenes: a setting, a seat, a view, and questions with their answers. A driver is a small
program that reads a scene as an object and each question as a list, `["distance", [1, 1], [4, 7]]`, and answers each
with a line of JSON. Where there is no answer, it says null. The drivers for C, Rust, Java and Go are in the folders of
the games.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from polemos import registry
from polemos.cli.new_bot import HELPERS, LANGUAGES, LISTED, helper_of, words_of, write_kit
from polemos.kernel import dice
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playing import ask
from polemos.kernel.rooms import bots_of

HERE = Path(__file__).parent
GAMES = HERE.parent / "games"

# Helpers are compiled more strictly than a bot needs; and javac is quicker without its own optimizer.
FLAGS = {
    "c": ["-std=c99", "-Wall", "-Wextra", "-Werror"],
    "java": ["-Xlint:all", "-Werror", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"],
}

Question = tuple[Any, ...]


class Scene(NamedTuple):
    """A position as one seat sees it, and questions about it with the right answers."""

    setting: object
    seat: str
    view: object
    table: Sequence[tuple[Question, Any]]


def scene(match: Any, seat: str, table: Sequence[tuple[Question, Any]]) -> Scene:
    return Scene(match.setting, seat, match.view(seat), table)


def played(game: Any, options: dict[str, Any], turns: int) -> AnyMatch:
    """A match after some turns of random play, always the same."""
    match = Match(game, options, seed="helpers")
    bots = {seat: bots_of(game)["random"](match.setting, seat, dice.number("helpers", seat)) for seat in match.seats}
    for _ in range(turns):
        for seat in match.to_act:
            match.submit(seat, ask(bots[seat], match.view(seat)))
        match.run()
    assert match.outcome is None
    return match


def command_of(language: str, name: str, folder: Path) -> list[str]:
    """Builds the driver in a new kit, beside the helper that `new-bot` puts there. Returns the command that runs it."""
    kit, helper = LANGUAGES[language], helper_of(language, registry.load(name))
    assert helper is not None
    write_kit(language, registry.load(name), folder)
    if not kit.build:
        shutil.copy(HERE / "drivers" / f"driver{HELPERS[language]}", folder)
        command = words_of(tuple(word.replace("bot", "driver") for word in kit.run), folder)
        return [*command, helper.stem if language == "python" else str(folder / helper.name)]
    (driver,) = (GAMES / name / "drivers").glob(f"[dD]river.{'c' if language == 'c' else HELPERS[language][1:]}")
    shutil.copy(driver, folder)
    shared = list((HERE / "drivers").glob(f"[dD]riving{HELPERS[language]}"))
    for path in shared:
        shutil.copy(path, folder)
    renamed = [
        tuple(w.replace("bot", "driver").replace("Bot", "Driver") for w in words) for words in (kit.build, kit.run)
    ]
    listed = [helper, *shared] if language in LISTED else []
    build = [*words_of(renamed[0], folder), *(str(folder / path.name) for path in listed)]
    made = subprocess.run([build[0], *FLAGS.get(language, []), *build[1:]], capture_output=True, text=True, check=False)
    assert (made.returncode, made.stderr) == (0, "")
    return words_of(renamed[1], folder)


def differences(language: str, name: str, folder: Path, scenes: Sequence[Scene]) -> list[tuple[Any, Any, Any]]:
    """Questions that the helper answers differently: question, answer, right answer."""
    lines: list[object] = []
    table: list[tuple[Any, Any]] = []
    for one in scenes:
        lines.append({"setting": one.setting, "seat": one.seat, "view": one.view})
        lines.extend(list(question) for question, _ in one.table)
        table.extend(one.table)
    asked = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    command = command_of(language, name, folder)
    done = subprocess.run(command, input=asked, capture_output=True, cwd=folder, check=False)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(table)
    right = [json.loads(msgspec.json.encode(answer)) for _, answer in table]
    rows = zip(table, answers, right, strict=True)
    return [(question, answer, wanted) for (question, _), answer, wanted in rows if answer != wanted]


# ---- against the umpire


def board_of(match: Any, seat: str, name: str) -> tuple[Any, Any]:
    """The helper in Python as a module, and its board with what a seat is told."""
    path = helper_of("python", registry.load(name))
    assert path is not None
    spec = importlib.util.spec_from_file_location(f"helper_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    helper = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(helper)
    board = helper.Board(msgspec.to_builtins(match.setting), seat)
    board.update(msgspec.to_builtins(match.view(seat)))
    return helper, board


def texts(match: Any, seat: str, **fields: Any) -> set[str]:
    """The orders with these fields that the umpire offers a seat, and accepts."""
    options = match.game.options(match.setting, match.view(seat))
    found = {option.text for option in options if fields.items() <= option.order.items()}
    for text in found:
        assert match.game.check(match.state, seat, [text]).lines[-1].fault is None, text
    return found
