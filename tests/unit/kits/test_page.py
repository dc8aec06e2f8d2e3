"""The page "A bot in any language": its code is put into the kits, and they beat `random`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from polemos import registry
from polemos.cli.new_bot import command
from polemos.hosts import specs
from polemos.kernel.match import Match
from polemos.kernel.playing import play

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "start" / "any-language.md").read_text(encoding="utf-8")


def improved(language: str, source: str) -> str:
    """The kit's program with the changes that the page asks for."""
    block = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    if language == "python":
        start, end = source.index("def choose("), source.index("def main(")
        new_turn = ("given = 0\n            fault", "given = 0\n                worked.clear()\n            fault")
    else:
        start, end = source.index("// The order to give next"), source.index("function answer(")
        new_turn = ('"view") given = 0;', '"view") given = 0, worked.clear();')
    source = source[:start] + block[1] + "\n\n" + source[end:]
    assert source.count(new_turn[0]) == 1, language
    source = source.replace(*new_turn)
    assert len(re.findall(r"MAX_ORDERS = 40", source)) == 1
    return source.replace("MAX_ORDERS = 40", "MAX_ORDERS = 200")


@pytest.mark.needs("monad")
@pytest.mark.parametrize(
    ("language", "file", "run"), [("python", "bot.py", "python3"), ("javascript", "bot.js", "node")]
)
def test_the_bot_of_the_page_beats_random(language: str, file: str, run: str, tmp_path: Path) -> None:
    folder = tmp_path / "my bot"
    made = CliRunner().invoke(command, ["monad", str(folder), "--language", language])
    assert made.exit_code == 0, made.output
    program = folder / file
    program.write_text(improved(language, program.read_text(encoding="utf-8")), encoding="utf-8")
    game = registry.load("monad")
    match = Match(game, {"map": "duel", "turns": 100}, seed=3)
    bots = {
        "red": specs.make(game, f"{run} '{program}'", match.setting, "red", 1, seats=match.seats, log=tmp_path / "log"),
        "blue": specs.make(game, "random", match.setting, "blue", 2, seats=match.seats),
    }
    outcome = None
    try:
        outcome = play(match, bots)
    finally:
        specs.close(list(bots.values()), outcome)
    assert not [step for step in match.steps if step.forfeits or step.strikes], (tmp_path / "log").read_text()
    assert outcome is not None
    assert outcome.winner == "red"
