"""Names of bots at the gamerunner's desk, and options that are maps."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemos import registry
from polemos.desk.desk import Desk
from polemos.kernel import replay
from polemos.kernel.rooms import book_of

GAME = registry.load("skerries")


def test_a_bot_from_a_file_goes_by_its_name(tmp_path: Path) -> None:
    """In what is said, and in the replay."""
    bots = tmp_path / "bots.py"
    bots.write_text(
        "class Quiet:\n"
        "    def __init__(self, setting, seat, seed): pass\n"
        "    def orders(self, view, time_left): return []\n"
    )
    players = {"red": f"{bots}:Quiet", "blue": "settler", "green": "settler"}
    desk = Desk.open(tmp_path / "evening", GAME, {"seats": 3, "turns": 1}, players, trust=True)
    assert desk.names == {"red": "Quiet", "blue": "settler", "green": "settler"}
    desk.run()
    assert replay.read(desk.write_replay()).header.seats == desk.names
    desk.close()


@pytest.mark.needs("demons")
def test_a_map_that_differs_is_not_read_out(tmp_path: Path) -> None:
    game = registry.load("demons")
    text = (book_of(game).parent / "data/maps/skirmish.map").read_text(encoding="utf-8")
    desk = Desk.open(tmp_path, game, {"map": text}, {}, seed=1)
    (said,) = desk.differing({"map": "hornets"}, {})
    lines = len(desk.match.options["map"].strip().splitlines())
    assert lines > 5
    assert said == f"map=hornets (this evening has map=a text of {lines} lines)"
    desk.close()
