"""What frames say of a seat besides its play: time, strikes, and why it dropped out; and to whom."""

from __future__ import annotations

import pytest

from polemos import registry
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.verdict import Verdict
from polemos.wire import frames

MISTY = registry.load("skerries")
CRASH = Verdict("crash", "exit code 1: ValueError: 7 boats at M")


def played(game: str = "skerries") -> AnyMatch:
    """One step: red is late, and blue crashes."""
    match: AnyMatch = Match(registry.load(game), seed=1)
    match.forfeit("blue", CRASH)
    match.run({"red": 0.5, "blue": 0.25}, {"red": Verdict("late", "no answer in time")}, {"red": 2.5, "blue": 0.75})
    return match


def test_the_umpire_is_told_of_times_strikes_and_reasons() -> None:
    frame = frames.frame(played(), 1, UMPIRE)
    assert frame.cpu == {"red": 0.5, "blue": 0.25}
    assert frame.wall == {"red": 2.5, "blue": 0.75}
    assert frame.strikes == {"red": "was late"}
    assert frame.dropped == {"blue": "dropped out (crash)"}
    assert frame.reasons == {"red": "no answer in time", "blue": "exit code 1: ValueError: 7 boats at M"}
    first = frames.frame(played(), 0, UMPIRE)
    assert (first.cpu, first.wall, first.strikes, first.reasons) == ({}, {}, {}, {})


def test_in_the_mist_a_seat_is_told_of_itself_alone() -> None:
    """How long a bot thinks, or the last line of its log, can say where its boats are."""
    match = played()
    red = frames.frame(match, 1, "red")
    assert (red.cpu, red.wall, red.strikes) == ({"red": 0.5}, {"red": 2.5}, {"red": "was late"})
    assert red.reasons == {"red": "no answer in time"}
    watching = frames.frame(match, 1, SPECTATOR)
    assert (watching.cpu, watching.wall, watching.strikes, watching.reasons) == ({}, {}, {}, {})
    assert watching.dropped == {"blue": "dropped out (crash)"}, "that much everyone knows"


@pytest.mark.needs("demons")
def test_where_everything_is_seen_everyone_is_told() -> None:
    frame = frames.frame(played("demons"), 1, SPECTATOR)
    assert set(frame.cpu) == set(frame.wall) == {"red", "blue"}
    assert frame.reasons["blue"] == CRASH.detail


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict("other", "'/opt/bots/own' is not a program on this machine."),
        Verdict("start", "'/opt/bots/own' cannot be started: Permission denied"),
        Verdict("box", "bwrap: /opt/bots"),
        Verdict("resigned"),
    ],
)
def test_reasons_name_nothing_of_this_machine(verdict: Verdict) -> None:
    match = Match(MISTY, seed=1)
    match.forfeit("blue", verdict)
    match.run()
    assert frames.frame(match, 1, UMPIRE).reasons == {}


def test_people_have_no_times() -> None:
    match = Match(MISTY, seed=1)
    match.run({"red": 0.0, "blue": 0.125}, {}, {"blue": 0.25})
    frame = frames.frame(match, 1, UMPIRE)
    assert (frame.cpu, frame.wall) == ({"blue": 0.125}, {"blue": 0.25})
