"""A match: handing in, dropping out, running, taking back, and bots at play."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from polemos import registry
from polemos.kernel import dice
from polemos.kernel.errors import BadOptions, BadPosition, IllegalOrder, NotationError, OrderError
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import STRIKES, Match, Step, play

GAME = registry.load("monarchs")


def new(**options: Any) -> Match:
    return Match(GAME, options, seed="match")


def marches(match: Match, seat: str) -> list[str]:
    """The marches of the last step that the umpire saw, in words."""
    told = match.told(UMPIRE)
    return [GAME.words(event) for event in told if event.kind == "marched" and event.nation == seat]


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
    match = new(turns=3, mode="open")
    assert match.options["turns"] == 3
    assert match.options["mode"] == "open"
    assert match.first_digest == match.state.digest()
    assert match.position is None
    text = "start; turn 2/5; mode party"
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
    match.submit("red", ["G5-H4 3", "bless H4"])
    sheet = match.submit("red", ["F4-E5 2"])
    assert match.filed["red"] == sheet
    step = match.run()
    assert step.orders["red"] == ("F4-E5 2",)
    assert marches(match, "red") == ["Red marches F4-E5 with 2 regiments."]


def test_a_refused_second_sheet_leaves_the_first() -> None:
    match = new()
    match.submit("red", ["G5-H4 3"])
    wrong: Any = 5
    with pytest.raises(NotationError):
        match.submit("red", wrong)
    assert match.run().orders["red"] == ("G5-H4 3",)


def test_a_sheet_may_be_withdrawn() -> None:
    match = new()
    match.submit("red", ["G5-H4 3"])
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
    with pytest.raises(IllegalOrder, match="To order: red, green, blue"):
        match.submit(who, [])
    assert match.filed == {}


def test_faults_are_marked_when_a_sheet_is_handed_in_and_kept_with_the_step() -> None:
    match = new(mode="online")
    sheet = match.submit("red", ["G5-H4 3", "nonsense", "G5-H4 1"])
    assert [fault.line for fault in sheet.faults] == [2, 3]
    step = match.run()
    assert step.faults == {"red": sheet.faults}
    assert match.faults_for("red") == sheet.faults
    assert match.faults_for(UMPIRE) == sheet.faults
    assert match.faults_for("green") == match.faults_for(SPECTATOR) == ()


def test_where_faults_are_not_told_only_the_umpire_knows_them() -> None:
    match = new(mode="party")
    match.submit("red", ["nonsense"])
    match.submit("blue", ["more of it"])
    match.run()
    assert match.faults_for("red") == ()
    assert [fault.order for fault in match.faults_for(UMPIRE)] == ["nonsense", "more of it"]


def test_nothing_is_told_before_the_first_step() -> None:
    match = new()
    assert match.told("red") == match.told(UMPIRE) == []
    assert match.faults_for("red") == match.faults_for(UMPIRE) == ()


# ---- dropping out


def test_a_forfeit_takes_effect_with_the_coming_step() -> None:
    match = new()
    match.submit("red", ["G5-H4 3"])
    before = match.state.raw()
    match.forfeit("red", "late")
    assert match.state.raw() == before
    assert match.to_act == ("green", "blue")
    assert "red" not in match.filed
    with pytest.raises(IllegalOrder):
        match.submit("red", [])
    step = match.run()
    assert step.forfeits == {"red": "late"}
    assert step.orders["red"] is None
    assert match.to_act == ("green", "blue")
    assert match.run().forfeits == {}


def test_a_forfeit_of_a_seat_that_is_not_to_order_is_none() -> None:
    match = new()
    with pytest.raises(NotationError, match="Seats: red, green, blue"):
        match.forfeit("purple", "who?")
    match.forfeit("red", "late")
    match.forfeit("red", "again")
    assert match.run().forfeits == {"red": "late"}


# ---- calls


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


# ---- running and taking back


def test_running_clears_what_was_handed_in() -> None:
    match = new()
    match.submit("red", ["G5-H4 3"])
    match.call("turns 5")
    match.forfeit("blue", "left")
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
    with pytest.raises(IllegalOrder, match="To order: nobody"):
        match.submit("red", [])


def test_there_is_nothing_to_take_back_before_the_first_step() -> None:
    with pytest.raises(IllegalOrder, match="No step was played yet"):
        new().take_back()


def test_taking_back_keeps_calls_and_forfeits_and_a_forfeit_can_be_undone() -> None:
    match = new(turns=8)
    match.call("turns 5")
    match.forfeit("red", "by mistake")
    first = match.run()
    assert match.take_back() == first
    assert "red" not in match.to_act
    match.stay("red")
    assert list(match.to_act) == ["red", "green", "blue"]
    assert match.view("red").turns == 5
    assert match.steps == []
    assert match.happened == []
    again = match.run()
    assert again.calls == ("turns 5",)
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


# ---- bots


class Told:
    """A bot that answers what it is told to, and the last answer for ever."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked = 0

    def orders(self, view: Any, time_left: float) -> Any:
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        if isinstance(answer, Exception):
            raise answer
        return answer


def at_play(red: Any, turns: int = 5) -> Match:
    match = new(turns=turns)
    outcome = play(match, {"red": red, "green": Told([]), "blue": Told("bless I5")})
    assert outcome == match.outcome
    return match


def test_bots_play_a_match_to_its_end() -> None:
    steps: list[Step] = []
    match = new(turns=4)
    bots = {seat: Told(["bless I5"]) for seat in match.seats}
    outcome = play(match, bots, steps.append)
    assert outcome == match.outcome is not None
    assert steps == match.steps
    assert [bot.asked for bot in bots.values()] == [4, 4, 4]
    for step in steps:
        assert set(step.cpu) == set(match.seats)
        assert all(seconds >= 0 for seconds in step.cpu.values())
        assert step.orders == dict.fromkeys(match.seats, ("bless I5",))


def test_a_bot_is_shown_its_own_view_only() -> None:
    seen: list[Any] = []

    class Peeking:
        def orders(self, view: Any, time_left: float) -> Sequence[object]:
            seen.append((view, time_left))
            return ()

    match = new(turns=2)
    first = match.view("red")
    play(match, {"red": Peeking(), "green": Told([]), "blue": Told([])})
    assert seen[0] == (first, float("inf"))
    assert {view.who for view, _ in seen} == {"red"}


def test_a_bot_that_crashes_forfeits_at_once_and_the_others_play_on() -> None:
    bot = Told(["bless I5"], ValueError("secret of the bot"))
    match = at_play(bot)
    assert bot.asked == 2
    assert [step.forfeits for step in match.steps] == [{}, {"red": "crash: ValueError: secret of the bot"}, {}, {}, {}]
    assert [step.orders.get("red") for step in match.steps] == [("bless I5",), None, None, None, None]
    assert match.outcome is not None
    assert match.outcome.places[-1] == "red"


@pytest.mark.parametrize(
    "answer", [None, 5, {"red": []}, b"bless I5", iter(["bless I5"]), object()], ids=lambda a: type(a).__name__
)
def test_an_answer_that_is_no_list_costs_the_turn_and_the_third_one_the_match(answer: Any) -> None:
    bot = Told(answer)
    match = at_play(bot)
    assert STRIKES == 3
    assert bot.asked == 3
    assert [step.forfeits for step in match.steps] == [{}, {}, {"red": "3 strikes: unreadable"}, {}, {}]
    assert all(step.orders.get("red") is None for step in match.steps)


def test_two_strikes_are_forgiven() -> None:
    bot = Told(None, ["bless I5"], None, ["bless I5"])
    match = at_play(bot)
    assert bot.asked == 5
    assert not any(step.forfeits for step in match.steps)
    assert [step.orders["red"] for step in match.steps] == [None, ("bless I5",), None, ("bless I5",), ("bless I5",)]


def test_void_lines_are_no_strikes() -> None:
    bot = Told(["nonsense", None, "bless I5"])
    match = at_play(bot)
    assert not any(step.forfeits for step in match.steps)
    assert [len(step.faults["red"]) for step in match.steps] == [2] * 5


class Trap(Sequence[object]):
    """A list that raises when it is read."""

    def __getitem__(self, index: Any) -> Any:
        raise RuntimeError("trap")

    def __iter__(self) -> Iterator[object]:
        raise RuntimeError("trap")

    def __len__(self) -> int:
        return 3


class Mute:
    """An object that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("mute")


ANSWERS: dict[str, Callable[[], Any]] = {
    "a list that raises": Trap,
    "a number too long to be written": lambda: [{"order": "bless", "hex": 10**5000}],
    "an object that cannot be shown": lambda: [{"order": "bless", "hex": Mute()}, Mute()],
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_no_answer_of_a_bot_stops_the_match(answer: Callable[[], Any]) -> None:
    match = at_play(Told(answer()), turns=2)
    assert match.outcome is not None
