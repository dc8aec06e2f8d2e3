"""What only Monarchs asks of a match: calls of the umpire, and faults that nobody is told of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from polemos import registry
from polemos.kernel import replay
from polemos.kernel.errors import OrderError
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.verdict import Verdict

GAME = registry.load("monarchs")


def new(**options: Any) -> AnyMatch:
    return Match(GAME, options, seed="match")


def test_where_faults_are_not_told_only_the_umpire_knows_them() -> None:
    match = new(mode="party")
    match.submit("red", ["nonsense"])
    match.submit("blue", ["more of it"])
    match.run()
    assert match.faults_for("red") == ()
    assert [fault.order for fault in match.faults_for(UMPIRE)] == ["nonsense", "more of it"]


def test_a_call_is_effective_at_once_and_kept_with_the_step() -> None:
    match = new(turns=8)
    match.call("last")
    assert match.view("red").turns == 1
    step = match.run()
    assert step.calls == ("last",)
    assert match.outcome is not None


def test_a_refused_call_is_not_kept() -> None:
    match = new(turns=8)
    with pytest.raises(OrderError):
        match.call("nonsense")
    assert match.run().calls == ()


@pytest.mark.parametrize("text", ["turns 0000003", "turns 03", "turns 3"])
def test_a_call_of_three_turns_means_three_turns_or_is_refused(text: str) -> None:
    match = new(turns=8)
    try:
        match.call(text)
    except OrderError:
        assert match.view("red").turns == 8
    else:
        assert match.view("red").turns == 3


def test_running_clears_the_calls_and_taking_back_keeps_them() -> None:
    match = new(turns=8)
    match.call("turns 5")
    first = match.run()
    assert match.take_back() == first
    assert match.view("red").turns == 5
    assert match.run().calls == ("turns 5",)
    assert match.run().calls == ()


def test_calls_forfeits_absence_and_a_position_are_played_again(tmp_path: Path) -> None:
    match = Match(GAME, seed=3, position="start; turn 3/9; mode open")
    match.submit("green", ["K5-I5 3"])
    match.call("turns 4")
    match.forfeit("blue", Verdict("other", "left"))
    match.run({"green": 0.5})
    match.call("last")
    match.run()
    path = tmp_path / "match.jsonl"
    replay.write(path, match, {})
    read = replay.read(path)
    assert read.header.position == "start; turn 3/9; mode open"
    assert read.steps[0].cpu == {"green": 0.5}
    assert replay.verify(read, GAME) == 2
