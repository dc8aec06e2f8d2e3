"""A long game of four bots is recorded, read again and verified."""

from __future__ import annotations

from pathlib import Path

from polemos.games.monad.game import GAME
from polemos.kernel import replay
from polemos.kernel.match import Match
from polemos.kernel.playing import play
from polemos.kernel.rooms import bots_of


def test_two_hundred_turns_of_four_bots_on_40x40(tmp_path: Path) -> None:
    match = Match(GAME, {"map": "empire", "turns": 200}, seed=5)
    names = ("random", "waiter", "random", "streamer")
    bots = {seat: bots_of(GAME)[name](match.setting, seat, 9) for seat, name in zip(match.seats, names, strict=True)}
    outcome = play(match, bots)
    file = tmp_path / "long.jsonl.gz"
    replay.write(file, match, dict(zip(match.seats, names, strict=True)))
    again = replay.read(file)
    assert replay.verify(again, GAME) == len(match.steps) == 200
    assert again.end.end == outcome
    assert not any(step.faults for step in match.steps)
    assert sum(len(sheet or ()) for step in match.steps for sheet in step.orders.values()) > 5000
    match.take_back()
    assert match.run().digest != again.steps[-1].digest, "without orders the last turn is another one"
    assert sum(len(events) for events in match.happened[-3:]) > 0
