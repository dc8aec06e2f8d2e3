"""9.4 A real coin: the game waits until the organiser says how it fell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from polemos.desk.desk import Desk
from polemos.games.demons.game import GAME
from polemos.kernel import replay
from polemos.kernel.errors import BadOptions, BadPosition, IllegalOrder, NotationError, OrderError
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.positions import load_position, position_of
from polemos.kernel.record import many
from polemos.wire.adjudicate import answer

LAST_TURN = "map twin-gates; coin call; turn 999/1000"  # nothing differs between red and blue, and nobody orders
BOTH_FALL = "map twin-gates; coin call; health red 7 blue 7; merc red 10,4 20; merc blue 4,4 20"  # 5.4, at one check


def waiting(position: str = LAST_TURN) -> AnyMatch:
    match = Match(GAME, seed=1, position=position)
    match.run()
    return match


@pytest.mark.parametrize("decisions", ["", "; step mercenaries"])
@pytest.mark.parametrize("position", [LAST_TURN, BOTH_FALL])
@pytest.mark.parametrize("side", ["red", "blue"])
def test_the_toss_that_is_called_decides(position: str, decisions: str, side: str) -> None:
    match = waiting(position + decisions)
    assert match.outcome is None
    assert match.to_act == ()
    assert match.awaited is not None
    match.call(f"coin {side}")
    assert match.awaited is None
    match.run()
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.reason, match.outcome.rule) == (side, "the coin", "9.4")
    assert match.steps[-1].calls == (f"coin {side}",)


def test_until_then_nothing_goes_on() -> None:
    match = waiting()
    before = match.state.raw()
    with pytest.raises(IllegalOrder, match=r"coin red or coin blue"):
        match.run()
    with pytest.raises(OrderError):
        match.submit("red", [])
    assert match.state.raw() == before


@pytest.mark.parametrize("text", ["", "coin", "coin green", "red", "coin red blue", "tails", "last"])
def test_what_is_not_a_toss_is_refused_with_what_would_be(text: str) -> None:
    match = waiting()
    with pytest.raises(NotationError, match=r"coin red or coin blue"):
        match.call(text)
    assert match.awaited is not None


@pytest.mark.parametrize("text", ["COIN Red", " coin  r "])
def test_case_blanks_and_letters_do_not_matter(text: str) -> None:
    match = waiting()
    match.call(text)
    match.run()
    assert match.outcome is not None
    assert match.outcome.winner == "red"


def test_a_slip_can_be_corrected_before_the_step_is_run() -> None:
    match = waiting()
    match.call("coin red")
    match.call("coin blue")
    match.run()
    assert match.outcome is not None
    assert match.outcome.winner == "blue"
    match.take_back()
    assert match.outcome is None
    match.call("coin red")
    match.run()
    assert match.outcome is not None
    assert match.outcome.winner == "red"


@pytest.mark.parametrize("coin", ["off", "on", "call"])
def test_there_is_no_toss_before_its_time(coin: str) -> None:
    match = Match(GAME, {"coin": coin}, seed=1)
    assert match.awaited is None
    with pytest.raises(IllegalOrder):
        match.call("coin red")


def test_where_something_differs_nobody_tosses() -> None:
    """9.3 Gold comes first."""
    match = waiting(LAST_TURN + "; gold red 21 blue 20")
    assert match.awaited is None
    assert match.outcome is not None
    assert match.outcome.reason == "more gold"


@pytest.mark.parametrize("calls", [[], ["coin red"]])
def test_positions_and_views_keep_what_is_waited_for(calls: list[str]) -> None:
    match = waiting()
    for text in calls:
        match.call(text)
    state = match.state
    assert GAME.read_position(GAME.write_position(state)) == state
    assert load_position(GAME, position_of(GAME, state)) == state
    assert GAME.options_of(state)["coin"] == "call"
    assert GAME.setup(GAME.options_of(state), 5) == GAME.setup({"coin": "call", "turns": 1000}, 5)
    assert GAME.options(match.setting, match.view("red")) == []


@pytest.mark.parametrize(
    "clause", ["toss", "toss red", "step toss", "coin on; turn 999/1000; toss", "coin call; turn 999/1000; toss"]
)
def test_nobody_waits_for_a_coin_that_was_not_agreed(clause: str) -> None:
    with pytest.raises(BadPosition):
        GAME.read_position(f"map twin-gates; {clause}")


def test_a_replay_keeps_the_toss(tmp_path: Path) -> None:
    match = waiting()
    match.call("coin blue")
    match.run()
    path = tmp_path / "toss.jsonl.gz"
    replay.write(path, match, {"red": "anna", "blue": "ben"})
    again = replay.read(path)
    assert again.end.end.winner == "blue"
    assert replay.verify(again, GAME) == 2


def request(**fields: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer(GAME, json.dumps(fields).encode()))
    return found


def test_adjudicate_waits_for_the_toss_and_takes_it() -> None:
    last = request(position=LAST_TURN, seed=1, fields=["position", "text", "to_act", "outcome"])
    assert (last["to_act"], last["outcome"]) == ([], None)
    for position in (last["position"], last["text"]):
        refused = request(position=position, seed=1)
        assert "coin red or coin blue" in refused["error"]["why"]
        done = request(position=position, seed=1, calls=["coin red"])
        assert done["outcome"]["winner"] == "red"
        assert done["events"][-1]["kind"] == "ended"


def test_mass_play_throws_a_die_instead_of_waiting() -> None:
    start = GAME.read_position(LAST_TURN)
    states = many(type(start), 1)
    states[0] = waiting().state
    GAME.rollout(states, start, 7, 1)
    assert states[0].reason == 8


def test_a_desk_waits_for_the_toss_and_finds_it_again(tmp_path: Path) -> None:
    desk = Desk.open(tmp_path, GAME, {"coin": "call", "turns": 1}, {}, seed=1)
    desk.run()
    desk.release()
    with pytest.raises(IllegalOrder, match=r"coin red or coin blue"):
        desk.run()
    desk.close()
    desk = Desk.open(tmp_path, GAME, {}, {})
    assert desk.match.awaited is not None
    desk.call("coin red")  # the maps are out, but this is what everybody waits for: it wants no reason
    desk.run()
    assert desk.match.outcome is not None
    assert desk.match.outcome.winner == "red"
    desk.close()


def test_options_name_the_three_ways() -> None:
    with pytest.raises(BadOptions, match=r"call, off, on|off, on, call"):
        GAME.setup({"coin": "heads"})
