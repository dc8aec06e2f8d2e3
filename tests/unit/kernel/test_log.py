"""The event log: what fits is kept, what does not is counted, and a match never drops an event in silence."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from polemos import registry
from polemos.kernel.errors import BrokenGame
from polemos.kernel.log import MAX_EVENTS, Log, emit
from polemos.kernel.match import Match
from polemos.kernel.verdict import Verdict

GAME = registry.load("skerries")


def test_an_event_is_kept_with_all_its_numbers() -> None:
    log = Log(limit=5)
    emit(log, 3, 12, 1, -1, 60, 59, -7, 5, 2**40)
    assert (log.count, log.lost) == (1, 0)
    assert log.events[0].to_dict() == {
        "kind": 3,
        "line": 12,
        "a": 1,
        "b": -1,
        "c": 60,
        "d": 59,
        "e": -7,
        "f": 5,
        "g": 2**40,
    }


def test_a_full_log_counts_what_it_could_not_take() -> None:
    log = Log(limit=2)
    for kind in range(5):
        emit(log, kind, 0, 0, 0, 0, 0, 0, 0, 0)
    assert (log.count, log.lost) == (2, 3)
    assert [log.events[i].kind for i in range(3)] == [0, 1, 0]


def test_the_log_of_mass_play_takes_and_counts_nothing() -> None:
    log = Log()
    before = log.raw()
    emit(log, 1, 1, 1, 1, 1, 1, 1, 1, 1)
    assert log.raw() == before


def test_a_log_can_be_filled_to_its_last_place() -> None:
    log = Log(limit=MAX_EVENTS)
    for number in range(MAX_EVENTS + 1):
        emit(log, 1, 0, 0, 0, number, 0, 0, 0, 0)
    assert (log.count, log.lost) == (MAX_EVENTS, 1)
    assert log.events[MAX_EVENTS - 1].c == MAX_EVENTS - 1


def talkative(most: int) -> Any:
    """The game with room for so many events only."""

    class Talkative(type(GAME)):  # type: ignore[misc]
        facts = msgspec.structs.replace(GAME.facts, max_events=most)

    return Talkative()


def test_a_match_whose_log_is_full_raises_and_stays_where_it_was() -> None:
    match = Match(talkative(2), seed=1)
    before = match.state.raw()
    match.submit("red", ["A1-A2 2", "A1-A3 3"])
    match.forfeit("blue", Verdict("resigned"))
    with pytest.raises(BrokenGame, match=r"The log of this step is full: it holds 2 events and \d+ did not fit"):
        match.run()
    assert match.state.raw() == before
    assert match.steps == []
    assert match.happened == []
    assert match.history == [match.state]
    assert "red" in match.filed, "nothing that was handed in is lost"


def test_the_same_step_goes_well_where_there_is_room() -> None:
    few, enough = Match(talkative(1), seed=1), Match(talkative(400), seed=1)
    with pytest.raises(BrokenGame):
        few.run()
    assert enough.run() == Match(GAME, seed=1).run()


def test_an_event_of_one_step_does_not_turn_up_in_the_next() -> None:
    match = Match(GAME, seed=1)
    match.submit("red", ["A1-A2 2"])
    match.run()
    first = match.told("umpire")
    match.run()
    assert any(event.kind == "rowed" for event in first)
    assert not any(event.kind == "rowed" for event in match.told("umpire"))
