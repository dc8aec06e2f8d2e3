"""A match: handing in, dropping out, running, taking back."""

from __future__ import annotations

import re
from typing import Any

import pytest

from polemos import registry
from polemos.kernel import dice
from polemos.kernel.errors import BadOptions, BadPosition, IllegalOrder, NotationError
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.verdict import Verdict

GAME = registry.load("skerries")


def new(**options: Any) -> AnyMatch:
    return Match(GAME, {"seats": 3, **options}, seed="match")


def rowing(match: AnyMatch, seat: str) -> list[str]:
    """Who rowed in the last step, as the umpire saw it, in words."""
    told: list[Any] = list(match.told(UMPIRE))
    return [GAME.chronicle.words(event) for event in told if event.kind == "rowed" and event.seat == seat]


# ---- beginning


def test_a_match_without_a_seed_has_a_fresh_secret_key() -> None:
    keys = {Match(GAME).key for _ in range(10)}
    assert len(keys) == 10
    assert all(re.fullmatch("[0-9a-f]{32}", key) for key in keys)


def test_a_seed_gives_the_key_of_its_stream_and_a_key_is_taken_as_it_is() -> None:
    assert Match(GAME, seed=5).key == dice.derive(5, "chance")
    assert Match(GAME, seed=0).key == dice.derive(0, "chance")
    assert Match(GAME, seed=5, key="ab" * 16).key == "ab" * 16
    assert Match(GAME, key="ab" * 16).chance == dice.chance_of("ab" * 16)


def test_the_key_is_in_no_state_and_no_view() -> None:
    match = new()
    match.run()
    raw = match.state.raw()
    for half in (match.key[:16], match.key[16:]):
        assert bytes.fromhex(half) not in raw
        assert bytes.fromhex(half)[::-1] not in raw
        for who in (*match.seats, SPECTATOR, UMPIRE):
            assert half not in repr(match.view(who))


def test_a_match_begins_from_its_options_or_from_a_position() -> None:
    match = new(turns=3, seats=4)
    assert match.options == {"seats": 4, "turns": 3}
    assert match.first_digest == match.state.digest()
    assert match.position is None
    text = "turn 2/5; red 0: A1 5; blue 0: B1 5"
    other = Match(GAME, position=text)
    assert other.position == text
    assert other.options["turns"] == 5
    with pytest.raises(BadOptions):
        new(turns="three")
    with pytest.raises(BadPosition):
        Match(GAME, position="nowhere")


# ---- handing in


def test_a_second_sheet_replaces_the_first_as_a_whole() -> None:
    match = new()
    match.submit("red", ["A1-A2 3", "A1-A3 1"])
    sheet = match.submit("red", ["A1-A3 2"])
    assert match.filed["red"] == sheet
    step = match.run()
    assert step.orders["red"] == ("A1-A3 2",)
    assert rowing(match, "red") == ["Red rows 2 boats from A1 to A3."]


def test_a_refused_second_sheet_leaves_the_first() -> None:
    match = new()
    match.submit("red", ["A1-A2 3"])
    wrong: Any = 5
    with pytest.raises(NotationError):
        match.submit("red", wrong)
    assert match.run().orders["red"] == ("A1-A2 3",)


def test_a_sheet_may_be_withdrawn() -> None:
    match = new()
    match.submit("red", ["A1-A2 3"])
    match.withdraw("red")
    match.withdraw("green")
    assert match.run().orders == {"red": None, "green": None, "blue": None}


def test_an_empty_sheet_is_not_the_same_as_none() -> None:
    match, silent = new(), new()
    match.submit("red", [])
    step, other = match.run(), silent.run()
    assert step.orders == {"red": (), "green": None, "blue": None}
    assert step.digest == other.digest


@pytest.mark.parametrize("who", ["purple", "", "RED", "r", SPECTATOR, UMPIRE])
def test_whoever_is_not_to_order_is_told_who_is(who: str) -> None:
    match = new()
    with pytest.raises(IllegalOrder, match="Orders are due from red, blue, green"):
        match.submit(who, [])
    assert match.filed == {}


def test_faults_are_marked_when_a_sheet_is_handed_in_and_kept_with_the_step() -> None:
    match = new()
    sheet = match.submit("red", ["A1-A2 3", "nonsense", "A1-M 1"])
    assert [fault.line for fault in sheet.faults] == [2, 3]
    step = match.run()
    assert step.faults == {"red": sheet.faults}
    assert match.faults_for("red") == sheet.faults
    assert match.faults_for(UMPIRE) == sheet.faults
    assert match.faults_for("green") == match.faults_for(SPECTATOR) == ()


def test_nothing_is_told_before_the_first_step() -> None:
    match = new()
    assert match.told("red") == match.told(UMPIRE) == []
    assert match.faults_for("red") == match.faults_for(UMPIRE) == ()


# ---- dropping out


def test_a_forfeit_takes_effect_with_the_coming_step() -> None:
    match = new()
    match.submit("red", ["A1-A2 3"])
    before = match.state.raw()
    match.forfeit("red", Verdict("late"))
    assert match.state.raw() == before
    assert match.to_act == ("blue", "green")
    assert "red" not in match.filed
    with pytest.raises(IllegalOrder):
        match.submit("red", [])
    step = match.run()
    assert step.forfeits == {"red": Verdict("late")}
    assert step.orders["red"] is None
    assert match.to_act == ("blue", "green")
    assert match.run().forfeits == {}


def test_a_forfeit_of_a_seat_that_is_not_to_order_is_none() -> None:
    match = new()
    with pytest.raises(NotationError, match="The seats are red, blue, green"):
        match.forfeit("purple", Verdict("late"))
    match.forfeit("red", Verdict("late"))
    match.forfeit("red", Verdict("crash"))
    assert match.run().forfeits == {"red": Verdict("late")}


# ---- running and taking back


def test_running_clears_what_was_handed_in() -> None:
    match = new()
    match.submit("red", ["A1-A2 3"])
    match.forfeit("blue", Verdict("resigned"))
    assert match.run({"red": 0.25}).cpu == {"red": 0.25}
    step = match.run()
    assert (step.step, step.calls, step.forfeits, step.cpu) == (2, (), {}, {})
    assert step.orders == {"red": None, "green": None}


def test_a_match_that_ended_runs_no_more() -> None:
    match = new(turns=1)
    assert match.outcome is None
    match.run()
    assert match.outcome is not None
    assert match.to_act == ()
    with pytest.raises(IllegalOrder, match="The game has ended"):
        match.run()
    with pytest.raises(IllegalOrder, match="Orders are due from nobody"):
        match.submit("red", [])


def test_there_is_nothing_to_take_back_before_the_first_step() -> None:
    with pytest.raises(IllegalOrder, match="No step has been played yet"):
        new().take_back()


def test_taking_back_keeps_forfeits_and_a_forfeit_can_be_undone() -> None:
    match = new()
    match.forfeit("red", Verdict("dropped out"))
    first = match.run()
    assert match.take_back() == first
    assert "red" not in match.to_act
    match.stay("red")
    assert list(match.to_act) == ["red", "blue", "green"]
    assert match.steps == []
    assert match.happened == []
    again = match.run()
    assert again.forfeits == {}


def test_taking_back_the_end_lets_the_match_go_on() -> None:
    match = new(turns=1)
    end = match.run()
    match.take_back()
    assert match.outcome is None
    assert match.run() == end


def test_the_history_holds_every_state_and_none_of_them_changes() -> None:
    match = new()
    digests = [match.state.digest()]
    for _ in range(3):
        match.run()
        digests.append(match.state.digest())
    assert [state.digest() for state in match.history] == digests
    assert [step.digest for step in match.steps] == digests[1:]
    assert [step.step for step in match.steps] == [1, 2, 3]
