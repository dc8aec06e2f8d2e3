"""The page "Your first bot for Monad": its bot is taken from the page and plays."""

from __future__ import annotations

import re
from pathlib import Path

from polemos.games.monad.game import GAME
from polemos.hosts import inprocess
from polemos.kernel.match import Match
from polemos.kernel.playing import play

PAGE = Path(__file__).parents[4] / "docs" / "start" / "monad-bot.md"


def test_the_bot_of_the_page_is_short_lawful_and_beats_random(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    file = tmp_path / "digger.py"
    file.write_text(code[1], encoding="utf-8")
    body = code[1].partition("    def orders")[2].splitlines()[1:]
    assert len([line for line in body if line.strip()]) <= 10
    for number, seats in enumerate((("red", "blue"), ("blue", "red"))):
        match = Match(GAME, {"map": "duel", "turns": 150}, seed=number)
        mine, other = seats
        bots = {
            mine: inprocess.make(GAME, f"{file}:Digger", match.setting, mine, 1),
            other: inprocess.make(GAME, "random", match.setting, other, 2),
        }
        outcome = play(match, bots)
        assert outcome.winner == mine
        assert not [step for step in match.steps if mine in step.faults]
