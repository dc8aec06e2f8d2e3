"""Helpers beside a bot: `new-bot` puts them there, they build together, and the examples of the page play."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from languages import TESTED
from polemos import registry
from polemos.cli.new_bot import HELPERS, LANGUAGES, helper_of, write_kit
from polemos.kernel import dice
from polemos.kernel.match import Match
from polemos.kernel.playing import ask
from polemos.kernel.rooms import bots_of, helpers_of
from unit.kits.driver import Process

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "kit-helpers.md").read_text(encoding="utf-8")
NAMES = [name for name in registry.names() if helpers_of(registry.load(name)).is_dir()]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_new_bot_puts_the_helper_beside_the_bot(name: str, language: str, tmp_path: Path) -> None:
    game = registry.load(name)
    commands = write_kit(language, game, tmp_path / "bot")
    helper = helper_of(language, game)
    assert helper is not None
    assert helper.stem.lower() == name
    assert (tmp_path / "bot" / helper.name).read_text(encoding="utf-8") == helper.read_text(encoding="utf-8")
    assert f"`{helper.name}` reads views for you" in (tmp_path / "bot" / "README.md").read_text(encoding="utf-8")
    if language == "go":  # which builds only files that are named
        assert shlex.split(commands["build"])[-1] == str(tmp_path / "bot" / helper.name)


def test_a_game_without_helpers_has_no_word_about_them(tmp_path: Path) -> None:
    write_kit("python", registry.load("skerries"), tmp_path / "bot")
    assert "reads views for you" not in (tmp_path / "bot" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_game_with_helpers_has_one_in_every_language(name: str) -> None:
    endings = sorted(path.suffix for path in helpers_of(registry.load(name)).iterdir() if path.is_file())
    assert endings == sorted(HELPERS.values())


# The file that an example is put into, how its lines begin in the first lines of a helper, and what is put around them.
AROUND = {
    "c": ("bot.c", r"       (.*)", "void example(Text message) {{\n{}\n}}\n"),
    "rust": ("bot.rs", r"//!     (.*)", "#[allow(dead_code)]\nfn example(message: &str) {{\n{}\n}}\n"),
    "java": (
        "Bot.java",
        r"//   (.*)",
        "class Example extends Bot {{\nstatic void example(String message) {{\n{}\n}}\n}}\n",
    ),
    "go": ("bot.go", r"//\t(.*)", "func example(heard message, out *json.Encoder) {{\n{}\n}}\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", [language for language in TESTED if language in AROUND])
def test_the_first_lines_of_a_helper_build_together_with_the_bot(name: str, language: str, tmp_path: Path) -> None:
    """They are one program, so no name may stand for two things."""
    commands = write_kit(language, registry.load(name), tmp_path / "bot")
    helper = helper_of(language, registry.load(name))
    assert helper is not None
    file, line, around = AROUND[language]
    text = helper.read_text(encoding="utf-8")
    text = text.split("*/")[0] if language == "c" else re.split(r"^(?!//)", text, maxsplit=1, flags=re.MULTILINE)[0]
    lines = [found[1] for each in text.splitlines() if (found := re.fullmatch(line, each))]
    top = [each for each in lines if each.startswith(("#include", "mod ", "use "))]
    body = [each for each in lines if each not in top]
    assert len(body) > 3
    source = tmp_path / "bot" / file
    example = "\n".join([*top, around.format("\n".join(body))])
    source.write_text(source.read_text(encoding="utf-8") + example, encoding="utf-8")
    made = subprocess.run(commands["build"], shell=True, capture_output=True, text=True, check=False)
    assert (made.returncode, made.stderr) == (0, "")


# ---- the page

LOOPS = {
    "python": """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        board = Board(message["setting"], message["seat"])
    else:
        board.update(message["view"])
        print(json.dumps(plan(board)), flush=True)
""",
    "javascript": """
let board;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") board = new Board(message.setting, message.seat);
  else board.update(message.view), console.log(JSON.stringify(plan(board)));
});
""",
}
TURNS = 12


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LOOPS)
def test_the_examples_of_the_page_play_without_a_void_line(name: str, language: str, tmp_path: Path) -> None:
    game: Any = registry.load(name)
    section = re.search(rf"\n## {game.title}\n(.*?)(?:\n## |$)", PAGE, re.DOTALL)
    assert section is not None
    example = re.search(rf"```{language}\n(.*?)```", section[1], re.DOTALL)
    assert example is not None
    write_kit(language, game, tmp_path / "bot")
    program = tmp_path / "bot" / f"example{HELPERS[language]}"
    program.write_text(example[1] + LOOPS[language], encoding="utf-8")
    match = Match(game, game.examples[0], seed="page")
    seat, *rest = match.seats
    others = {other: bots_of(game)["random"](match.setting, other, dice.number(other)) for other in rest}
    with Process([sys.executable if language == "python" else "node", str(program)]) as bot:
        bot.tell(msgspec.json.encode({"type": "hello", "setting": match.setting, "seat": seat}))
        given = 0
        for _ in range(TURNS):
            for other in set(others) & set(match.to_act):
                match.submit(other, ask(others[other], match.view(other)))
            if seat in match.to_act:
                orders = json.loads(bot.answer(msgspec.json.encode({"type": "view", "view": match.view(seat)})))
                sheet = match.submit(seat, orders)
                assert [(fault.order, fault.why) for fault in sheet.faults] == []
                given += len(orders)
            match.run()
            if match.outcome is not None:
                break
        assert given > 3
