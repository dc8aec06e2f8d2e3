"""Bots at play: answers, faults and what they cost, and what is told to bots that live elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from polemos import registry
from polemos.kernel.errors import BotFault, BotStrike
from polemos.kernel.hosted import Hosted
from polemos.kernel.match import AnyMatch, Match, Step
from polemos.kernel.orders import Fault
from polemos.kernel.outcome import Outcome
from polemos.kernel.playing import ask, play
from polemos.kernel.strikes import STRIKES, Strikes
from polemos.kernel.verdict import Verdict

GAME = registry.load("skerries")
CRASH = Verdict("crash", "ValueError: secret of the bot")
LATE = Verdict("late", "no answer in time")


def new(**options: Any) -> AnyMatch:
    return Match(GAME, {"seats": 3, **options}, seed="match")


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


def at_play(red: Any, turns: int = 5) -> AnyMatch:
    match = new(turns=turns)
    outcome = play(match, {"red": red, "green": Told([]), "blue": Told("A1-A2 1")})
    assert outcome == match.outcome
    return match


def test_bots_play_a_match_to_its_end() -> None:
    steps: list[Step] = []
    match = new(turns=4)
    bots = {seat: Told(["A1-A2 1"]) for seat in match.seats}
    outcome = play(match, bots, steps.append)
    assert outcome == match.outcome is not None
    assert steps == match.steps
    assert [bot.asked for bot in bots.values()] == [4, 4, 4]
    for step in steps:
        assert set(step.cpu) == set(match.seats)
        assert all(seconds >= 0 for seconds in step.cpu.values())
        assert set(step.wall) == set(match.seats)
        assert all(seconds > 0 for seconds in step.wall.values())
        assert step.orders == dict.fromkeys(match.seats, ("A1-A2 1",))


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
    bot = Told(["A1-A2 1"], ValueError("secret of the bot"))
    match = at_play(bot)
    assert bot.asked == 2
    assert [step.forfeits for step in match.steps] == [{}, {"red": CRASH}, {}, {}, {}]
    assert [step.orders.get("red") for step in match.steps] == [("A1-A2 1",), None, None, None, None]
    assert match.outcome is not None
    assert match.outcome.places[-1] == "red"


@pytest.mark.parametrize(
    "answer", [None, 5, {"red": []}, b"A1-A2 1", iter(["A1-A2 1"]), object()], ids=lambda a: type(a).__name__
)
def test_an_answer_that_is_no_list_costs_the_turn_and_the_third_one_the_match(answer: Any) -> None:
    bot = Told(answer)
    match = at_play(bot)
    assert STRIKES == 3
    assert bot.asked == 3
    assert [step.forfeits for step in match.steps] == [{}, {}, {"red": Verdict("unreadable", strikes=3)}, {}, {}]
    assert all(step.orders.get("red") is None for step in match.steps)


def test_two_strikes_are_forgiven() -> None:
    bot = Told(None, ["A1-A2 1"], None, ["A1-A2 1"])
    match = at_play(bot)
    assert bot.asked == 5
    assert not any(step.forfeits for step in match.steps)
    assert [step.orders["red"] for step in match.steps] == [None, ("A1-A2 1",), None, ("A1-A2 1",), ("A1-A2 1",)]


def test_void_lines_are_no_strikes() -> None:
    bot = Told(["nonsense", None, "A1-A2 1"])
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
    "a number too long to be written": lambda: [{"order": "row", "from": 10**5000}],
    "an object that cannot be shown": lambda: [{"order": "row", "from": Mute()}, Mute()],
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_no_answer_of_a_bot_stops_the_match(answer: Callable[[], Any]) -> None:
    match = at_play(Told(answer()), turns=2)
    assert match.outcome is not None


# ---- bots that live elsewhere


class Elsewhere(Hosted):
    """Answers as it is told to, and keeps what is said to it."""

    def __init__(self, *answers: Any) -> None:
        self.bot = Told(*answers)
        self.heard: list[tuple[Fault, ...]] = []
        self.dropped: list[Verdict] = []
        self.closed = False

    def orders(self, view: Any, time_left: float, /) -> Sequence[object]:
        answer: Sequence[object] = self.bot.orders(view, time_left)
        return answer

    @property
    def spent(self) -> float:
        return 0.125 * self.bot.asked

    @property
    def took(self) -> float | None:
        return 0.5 * self.bot.asked

    def told(self, faults: Sequence[Fault]) -> None:
        self.heard.append(tuple(faults))

    def drop(self, verdict: Verdict) -> None:
        self.dropped.append(verdict)

    def close(self, outcome: Outcome | None) -> None:
        self.closed = True


def test_a_hosted_bot_measures_its_own_time_and_hears_of_its_void_lines() -> None:
    bot = Elsewhere(["nonsense"], ["A1-A2 1"])
    match = at_play(bot, turns=2)
    assert [step.cpu["red"] for step in match.steps] == [0.125, 0.25]
    assert [step.wall["red"] for step in match.steps] == [0.5, 1.0]
    assert [[fault.order for fault in faults] for faults in bot.heard] == [["nonsense"], []]
    assert (bot.dropped, bot.closed) == ([], False)


@pytest.mark.parametrize(
    ("answers", "verdict"),
    [
        ([ValueError("secret of the bot")], CRASH),
        ([BotFault(Verdict("time", "the bank is empty"))], Verdict("time", "the bank is empty")),
        ([BotStrike(LATE)], Verdict("late", "no answer in time", strikes=3)),
        ([None, BotStrike(LATE), None], Verdict("unreadable", strikes=3)),
        ([BotFault("a text of no kind")], Verdict("other", "a text of no kind")),
    ],
)
def test_a_hosted_bot_is_told_the_verdict_that_the_match_keeps(answers: list[Any], verdict: Verdict) -> None:
    bot = Elsewhere(*answers)
    match = at_play(bot)
    assert bot.dropped == [verdict]
    assert [step.forfeits["red"] for step in match.steps if step.forfeits] == [verdict]


def test_a_method_of_such_a_name_is_not_an_ability() -> None:
    class Lookalike(Told):
        spent = "a long time"

        def told(self, faults: object) -> None:
            raise AssertionError("it was told")

        def drop(self, verdict: object) -> None:
            raise AssertionError("it was dropped")

    match = at_play(Lookalike(["A1-A2 1"], ValueError("secret of the bot")))
    assert [step.forfeits for step in match.steps if step.forfeits] == [{"red": CRASH}]


# ---- strikes


def test_the_third_strike_drops_out_with_the_reason_of_the_last() -> None:
    strikes = Strikes()
    assert strikes.strike("red", Verdict("unreadable")) is None
    assert strikes.strike("red", Verdict("unreadable")) is None
    assert strikes.strike("blue", LATE) is None
    assert strikes.strike("red", LATE) == Verdict("late", "no answer in time", strikes=3)


def test_strikes_belong_to_the_step_in_which_they_were_and_count_for_the_match() -> None:
    strikes = Strikes()
    strikes.strike("red", LATE)
    assert strikes.next_step() == {"red": LATE}
    assert strikes.next_step() == {}
    strikes.strike("red", LATE)
    assert strikes.strike("red", Verdict("unreadable")) is not None
    assert strikes.next_step() == {"red": Verdict("unreadable")}


def test_strikes_stand_in_the_record_of_their_step() -> None:
    match = at_play(Told(BotStrike(LATE), ["A1-A2 1"], None, ["A1-A2 1"]))
    assert [step.strikes for step in match.steps] == [{"red": LATE}, {}, {"red": Verdict("unreadable")}, {}, {}]


# ---- asking


@pytest.mark.parametrize(
    ("error", "verdict"),
    [
        (ValueError("7 archers"), Verdict("crash", "ValueError: 7 archers")),
        (RuntimeError(), Verdict("crash", "RuntimeError")),
        (BotFault(Verdict("memory", "more than it may have")), Verdict("memory", "more than it may have")),
    ],
)
def test_whatever_a_bot_raises_is_a_fault_with_a_verdict(error: Exception, verdict: Verdict) -> None:
    with pytest.raises(BotFault) as fault:
        ask(Told(error), new().view("red"))
    assert fault.value.verdict == verdict
    assert fault.value.why == str(verdict)
