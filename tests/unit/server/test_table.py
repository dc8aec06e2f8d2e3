"""A table without files and sockets: what can be done when, and that the same acts always make the same table."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from polemos import registry
from polemos.kernel.errors import PolemosError
from polemos.kernel.rooms import bots_of
from polemos.kernel.verdict import Verdict, in_words
from polemos.server.tables import audience, players
from polemos.server.tables.acts import (
    Act,
    Answered,
    Away,
    Dropped,
    Filed,
    Missed,
    Offered,
    Paused,
    Ran,
    Resumed,
    Sat,
    Stood,
    Withdrew,
)
from polemos.server.tables.keeper import carried_out, late_seats
from polemos.server.tables.table import Refusal, Table, check_wish
from polemos.wire import frames as wire_frames
from polemos.wire.table import ClockRule, OpenTable, SeatSpec

KEY = "0" * 32
TURN = ClockRule("turn", 60)
NOBODY: dict[str, Any] = {"watching": 0, "here": frozenset(), "notes": {}}


def table_of(game: str, kinds: str, **wish: Any) -> Table:
    """A table with all seats taken: one letter each, `p`erson, `b`ot, remote `r`."""
    loaded = registry.load(game)
    options = {"seats": len(kinds)} if game == "skerries" else {}
    made = Table("t", loaded, OpenTable(game=game, **{"clock": TURN, "options": options, **wish}), KEY, 0.0)
    for seat, letter in zip(made.seats, kinds, strict=True):
        kind = {"p": "person", "b": "bot", "r": "program"}[letter]
        carried_out(made, [Sat(seat, kind, seat)], 0.0)  # type: ignore[arg-type]
    return made


def status(table: Table) -> str:
    return table.status


def do(table: Table, *acts: Act, at: float = 1.0) -> list[Act]:
    return carried_out(table, acts, at)


def test_a_table_begins_when_all_seats_are_taken() -> None:
    table = Table("t", registry.load("skerries"), OpenTable(game="skerries"), KEY, 0.0)
    assert status(table) == "open"
    do(table, Sat("red", "person", "Ann"))
    assert (table.status, table.may("red"), table.may("blue")) == ("open", ("leave",), ())
    do(table, Stood("red"), Sat("blue", "bot", "random"))
    assert status(table) == "open"
    do(table, Sat("red", "person", "Bob"))
    assert status(table) == "playing"


def test_a_step_is_run_when_all_have_filed() -> None:
    table = table_of("skerries", "pp")
    do(table, Filed("red", []))
    assert not table.is_due("red")
    assert table.is_due("blue")
    assert [type(act) for act in do(table, Filed("blue", []))] == [Filed, Ran]
    assert len(table.match.steps) == 1


def test_a_sheet_for_another_turn_is_refused() -> None:
    table = table_of("skerries", "pp")
    table.check_filing("red", 0)
    with pytest.raises(Refusal, match="another turn"):
        table.check_filing("red", 1)
    do(table, Missed("red", "late"))
    with pytest.raises(Refusal, match="time for this turn"):
        table.check_filing("red", 0)
    assert "file" not in table.may("red")
    assert audience.sheet(table, "red", None).state == "locked"


def test_nothing_is_filed_or_withdrawn_in_a_pause() -> None:
    table = table_of("skerries", "pb")
    do(table, Filed("red", []), Paused("red"))
    with pytest.raises(Refusal, match="paused"):
        table.check_filing("red", 0)
    with pytest.raises(Refusal, match="paused"):
        table.check_withdrawal("red")


def test_a_pause_stops_the_clocks() -> None:
    table = table_of("skerries", "pb")
    do(table, Paused("red"), at=10)
    assert table.clocks.shown(1000) == {"red": 50}
    do(table, Resumed("red"), at=1000)
    assert table.clocks.shown(1010) == {"red": 40}


def test_who_resigns_in_a_pause_leaves_nobody_stuck() -> None:
    table = table_of("skerries", "pbb")
    do(table, Paused("red"))
    do(table, Dropped("red", "resigned"))
    assert status(table) == "playing"
    assert "red" not in table.clocks.running
    do(table, Filed("green", []), Filed("blue", []))
    assert len(table.match.steps) == 1


@pytest.mark.needs("minions")
def test_resigning_when_it_is_not_ones_turn() -> None:
    """In games of turns it takes effect as soon as it is."""
    table = table_of("minions", "pp")
    mine, other = table.match.to_act[0], next(seat for seat in table.seats if seat not in table.match.to_act)
    assert "resign" in table.may(other)
    do(table, Dropped(other, "resigned"))
    assert table.is_out(other)
    assert not {"resign", "offer draw"} & set(table.may(other))
    assert status(table) == "playing"
    do(table, Filed(mine, []))
    assert status(table) == "over"
    assert table.match.outcome is not None
    assert table.match.outcome.winner == mine
    assert table.verdict(other) == Verdict("resigned")


@pytest.mark.needs("minions")
def test_resigning_when_it_is_ones_turn() -> None:
    table = table_of("minions", "pp")
    mine = table.match.to_act[0]
    do(table, Dropped(mine, "resigned"))
    assert status(table) == "over"


def test_a_draw_takes_all_people_and_no_bots() -> None:
    table = table_of("skerries", "pp")
    do(table, Offered("red", "draw"))
    assert table.offers == {"draw": "red"}
    do(table, Answered("blue", "draw", True))
    assert status(table) == "over"
    assert table.match.outcome is not None
    assert table.match.outcome.reason == "draw agreed"
    assert "offer draw" not in table_of("skerries", "pb").may("red"), "bots do not agree to a draw"
    assert "offer draw" not in table_of("skerries", "ppb").may("red"), "nor over their heads"
    assert "offer draw" not in table_of("skerries", "ppr").may("red")
    assert "offer draw" in table_of("skerries", "ppp").may("red")


def test_a_draw_that_is_declined_or_slept_over_is_gone() -> None:
    table = table_of("skerries", "pp")
    do(table, Offered("red", "draw"), Answered("blue", "draw", False))
    assert table.offers == {}
    do(table, Offered("red", "draw"))
    do(table, Filed("red", []), Filed("blue", []))
    assert table.offers == {}
    do(table, Answered("blue", "draw", True))
    assert status(table) == "playing"


def test_three_must_agree_where_three_play() -> None:
    table = table_of("skerries", "ppp")
    do(table, Offered("red", "draw"))
    for seat in ("red", "blue"):
        assert audience.table_state(table, seat, **NOBODY).unanswered == {"draw": ("blue", "green")}
    do(table, Answered("green", "draw", True))
    assert status(table) == "playing"
    state = audience.table_state(table, "green", **NOBODY)
    assert (state.offers, state.unanswered) == ({"draw": "red"}, {"draw": ("blue",)})
    do(table, Answered("blue", "draw", True))
    assert status(table) == "over"


def test_a_draw_is_of_those_who_still_play() -> None:
    table = table_of("skerries", "ppp")
    do(table, Dropped("green", "resigned"), Filed("red", []), Filed("blue", []))
    do(table, Offered("red", "draw"), Answered("blue", "draw", True))
    outcome = table.match.outcome
    assert outcome is not None
    assert outcome.points == {"red": 0.5, "green": 0.0, "blue": 0.5}
    assert outcome.places == ("red", "blue", "green")
    assert outcome.ranks == {"red": 1, "green": 3, "blue": 1}


def test_a_program_is_told_the_latest_of_a_long_past(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of("skerries", "pb")
    for _ in range(5):
        do(table, Filed("red", []), Filed("blue", []))
    views = [msgspec.json.decode(view)["turn"] for view in players.past_views(table, "blue")]
    assert views == [1, 2, 3, 4, 5]
    longest = max(len(bytes(view)) for view in players.past_views(table, "blue"))
    monkeypatch.setattr(players, "MAX_PAST", 2 * longest)
    views = [msgspec.json.decode(view)["turn"] for view in players.past_views(table, "blue")]
    assert views[-1] == 5
    assert 1 not in views


@pytest.mark.needs("minions")
def test_taking_back_with_a_bot_gives_the_turn_back() -> None:
    table = table_of("minions", "pb", take_back=True)
    person = next(seat for seat in table.seats if table.seats[seat].kind == "person")  # type: ignore[union-attr]
    while table.match.to_act != (person,):
        do(table, Filed(table.match.to_act[0], []))
    before, position = table.match.state.digest(), table.positions
    do(table, Filed(person, []))
    do(table, Filed(table.match.to_act[0], []))
    assert table.match.to_act == (person,)
    do(table, Offered(person, "take back"))
    assert table.match.state.digest() == before
    assert table.match.to_act == (person,)
    assert table.positions > position, "it is another occasion, though the same position"


def test_taking_back_with_two_people_takes_both() -> None:
    table = table_of("skerries", "pp", take_back=True)
    do(table, Filed("red", []), Filed("blue", []))
    do(table, Offered("red", "take back"))
    assert len(table.match.steps) == 1
    do(table, Answered("blue", "take back", True))
    assert len(table.match.steps) == 0
    assert table.clocks.shown(1) == {"red": 60, "blue": 60}
    assert "offer take back" not in table.may("red"), "there is nothing to take back"
    assert "offer take back" not in table_of("skerries", "pp").may("red")


def test_an_offer_to_take_back_ends_with_the_turn() -> None:
    table = table_of("skerries", "pp", take_back=True)
    do(table, Filed("red", []), Filed("blue", []))
    do(table, Offered("red", "take back"))
    do(table, Filed("red", []), Filed("blue", []))
    do(table, Answered("blue", "take back", True))
    assert len(table.match.steps) == 2
    assert "offer take back" in table.may("red")


def test_who_has_dropped_out_stays_out_when_turns_are_taken_back() -> None:
    table = table_of("skerries", "ppp", take_back=True)
    do(table, *(Filed(seat, []) for seat in table.seats))
    do(table, Dropped("red", "resigned"), Filed("green", []), Filed("blue", []))
    assert table.out == {"red"}
    do(table, Offered("green", "take back"), Answered("blue", "take back", True))
    assert len(table.match.steps) == 1
    assert table.is_out("red")
    assert table.match.to_act == ("blue", "green")
    do(table, Filed("green", []), Filed("blue", []))
    assert table.out == {"red"}


def test_taking_back_in_a_pause_leaves_the_pause() -> None:
    table = table_of("skerries", "pb", take_back=True)
    do(table, Filed("red", []), Filed("blue", []))
    do(table, Paused("red"))
    do(table, Offered("red", "take back"))
    assert status(table) == "paused"
    assert not table.clocks.running
    do(table, Resumed("red"))
    assert table.clocks.running == ("red",)


def test_three_strikes_drop_a_bot_out() -> None:
    table = table_of("skerries", "pbb")
    for turn in range(3):
        assert not table.is_out("green")
        do(table, Missed("green", f"unreadable: {turn}", strike=True), Filed("red", []), Filed("blue", []))
    assert table.out == {"green"}
    assert table.verdict("green") == Verdict("unreadable", "2", strikes=3)
    assert table.match.steps[0].strikes == {"green": Verdict("unreadable", "0")}


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (Verdict("time", "the bank is empty"), "ran out of time"),
        (Verdict("resigned"), "resigned"),
        (Verdict("dropped out"), "dropped out"),
        (Verdict("crash", "ValueError: 7 archers at H4"), "dropped out (crash)"),
        (Verdict("late", "no answer in time", strikes=3), "dropped out (3 strikes)"),
        (Verdict("start", "'/opt/bots/own' cannot be started"), "dropped out (start)"),
        (Verdict("other", "secrets of a file"), "dropped out"),
        (Verdict.read("secrets: of a file"), "dropped out"),
        (None, "dropped out"),
    ],
)
def test_others_at_a_table_hear_how_and_never_the_detail(verdict: Verdict | None, words: str) -> None:
    assert in_words(verdict) == words


def test_time_ups_act_by_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polemos.server.tables.keeper.now", lambda: 61.0)
    turn = table_of("skerries", "pp")
    do(turn, Filed("red", []), at=5)
    do(turn, *late_seats(turn, {}), at=61)
    assert turn.match.steps[0].orders == {"red": (), "blue": None}
    assert status(turn) == "playing"
    bank = table_of("skerries", "pp", clock=ClockRule("bank", 60))
    do(bank, Filed("red", []), at=5)
    do(bank, *late_seats(bank, {}), at=61)
    assert status(bank) == "over"
    assert bank.verdict("blue") == Verdict("time", "the bank is empty")
    none = table_of("skerries", "pb", clock=ClockRule())
    assert late_seats(none, {}) == []


def test_bots_have_no_clock() -> None:
    table = table_of("skerries", "pbr")
    assert table.clocks.running == ("red", "green"), "those that come from outside have one"


@pytest.mark.parametrize("kinds", ["ppp", "ppb", "ppr"])
def test_in_the_fog_nobody_learns_of_a_drop_before_the_step(kinds: str) -> None:
    table, same = table_of("skerries", kinds), table_of("skerries", kinds)
    do(table, Dropped("red", "resigned"))
    for who in ("green", "blue", None):
        assert told(table, who) == told(same, who)
    assert told(table, "red") != told(same, "red")
    do(table, Filed("green", []), Filed("blue", []))
    assert [seat.why for seat in audience.card(table, None).seats] == ["resigned", "", ""]


def told(table: Table, who: str | None) -> bytes:
    state = audience.table_state(table, who, **NOBODY)
    sheet = None if who is None else audience.sheet(table, who, None)
    return msgspec.json.encode([state, sheet, audience.clock(table, who, 2.0)])


# ---- wishes


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"seats": {"purple": SeatSpec()}}, "no seat 'purple'"),
        ({"seats": {"red": SeatSpec("bot", "nobody")}}, "no bot called 'nobody'"),
        ({"clock": ClockRule("turn", 0.5)}, "between 1 second"),
        ({"clock": ClockRule("bank", 1e9)}, "and 30 days"),
        ({"clock": ClockRule("bank", 60, -1)}, "increment"),
        ({"clock": ClockRule()}, "needs a clock"),
        ({"pace": -1.0, "clock": TURN}, "pace"),
    ],
)
def test_a_wish_that_cannot_be(wish: dict[str, Any], why: str) -> None:
    game = registry.load("skerries")
    with pytest.raises(Refusal, match=why):
        check_wish(game, bots_of(game), OpenTable(game="skerries", **wish), ("red", "blue"))


# ---- the same acts, the same table


class Wild:
    """Does whatever may be done, at random."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table, self.random = table, random.Random(seed)
        self.at = 10.0
        self.done: list[tuple[Act, float]] = []

    def go(self, times: int) -> None:
        for _ in range(times):
            if self.table.status == "over":
                return
            self.at += self.random.choice([0.0, 0.1, 5.0, 25.0])
            acts = self._some()
            self.done += [(act, self.at) for act in carried_out(self.table, acts, self.at)]

    def _some(self) -> list[Act]:
        table, choose = self.table, self.random.choice
        seat = choose(list(table.seats))
        acts: dict[str, Act] = {
            "resign": Dropped(seat, "resigned"),
            "pause": Paused(seat),
            "resume": Resumed(seat),
            "offer draw": Offered(seat, "draw"),
            "offer take back": Offered(seat, "take back"),
        }
        found: list[Act] = [
            acts[word] for word in table.may(seat) if word in acts and (word != "resign" or not self._rarely())
        ]
        found += [Answered(seat, what, not self._rarely()) for what in table.offers if seat in table.needs(what)]
        if table.is_due(seat):
            found += 4 * [Filed(seat, self._lines(seat))]
            found += [Missed(seat, "late", strike=self._rarely())]
        if seat in table.match.filed and table.status == "playing":
            found += [Withdrew(seat), Filed(seat, [])]
        late = [Missed(of, "late") for of in table.clocks.expired(self.at) if table.status == "playing"]
        if late:
            return list(late)
        if table.status == "playing" and self._rarely():
            found.append(Away(self.at - self.random.random() * 20))
        return [choose(found)] if found else []

    def _rarely(self) -> bool:
        return self.random.random() < 0.1

    def _lines(self, seat: str) -> list[Any]:
        view = self.table.match.view(seat)
        options = self.table.game.options(self.table.match.setting, view)
        orders = [option.order | ({} if option.least is None else {"number": option.least}) for option in options]
        return [*self.random.sample(orders, min(3, len(orders))), "nonsense", {"order": "nonsense"}]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("game", "kinds"),
    [
        ("skerries", "pp"),
        ("skerries", "ppb"),
        pytest.param("demons", "pp", marks=pytest.mark.needs("demons")),
        pytest.param("minions", "pp", marks=pytest.mark.needs("minions")),
        pytest.param("minions", "pb", marks=pytest.mark.needs("minions")),
        pytest.param("monad", "pr", marks=pytest.mark.needs("monad")),
    ],
)
def test_a_table_is_its_acts(game: str, kinds: str, seed: int) -> None:
    """As they come from disk, they make the same table in everything that anybody is told."""
    table = table_of(game, kinds, take_back=True)
    wild = Wild(table, seed)
    for _ in range(6):
        wild.go(25)
        again = table_of(game, kinds, take_back=True)
        for act, at in wild.done:
            again.carry_out(msgspec.json.decode(msgspec.json.encode(act), type=Act), at)
        assert again.match.state.digest() == table.match.state.digest()
        assert again.acts == table.acts
        assert again.positions == table.positions
        for who in (*table.seats, None):
            assert told_all(again, who, wild.at) == told_all(table, who, wild.at)


def told_all(table: Table, who: str | None, at: float) -> bytes:
    state = audience.table_state(table, who, **NOBODY)
    sheet = None if who is None else audience.sheet(table, who, None)
    frames = [wire_frames.frame(table.match, i, audience.eyes(table, who)) for i in range(len(table.match.steps) + 1)]
    return msgspec.json.encode([state, sheet, audience.clock(table, who, at), frames[-3:]])


def test_a_table_never_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was done before: where somebody is waited for, either a clock runs, or it is a bot, or it is a pause."""
    for seed in range(12):
        table = table_of("skerries", "ppb", take_back=True)
        wild = Wild(table, seed)
        for _ in range(60):
            wild.go(1)
            if table.status != "playing":
                continue
            due = [seat for seat in table.seats if table.is_due(seat)]
            assert due
            for seat in due:
                sitter = table.seats[seat]
                assert sitter is not None
                assert sitter.kind == "bot" or seat in table.clocks.running


def test_what_cannot_be_read_as_options_is_no_table() -> None:
    with pytest.raises(PolemosError):
        Table("t", registry.load("skerries"), OpenTable(game="skerries", options={"no": 1}), KEY, 0.0)


def test_the_time_of_bots_is_kept_with_the_step_whatever_they_did() -> None:
    table = table_of("skerries", "bbb")
    late = Missed("green", "late: no answer in time", strike=True, cpu=0.25, wall=2.0)
    do(table, Filed("red", [], 0.5, 0.75), Dropped("blue", "crash: no", cpu=0.125, wall=0.375), late)
    (step,) = table.match.steps
    assert step.cpu == {"red": 0.5, "blue": 0.125, "green": 0.25}
    assert step.wall == {"red": 0.75, "blue": 0.375, "green": 2.0}
    do(table, *(Filed(seat, []) for seat in table.match.to_act))
    assert table.match.steps[1].wall == {}, "nobody was measured"


def test_acts_written_before_times_were_kept_are_read() -> None:
    for written in (b'{"act":"filed","seat":"red","lines":[]}', b'{"act":"dropped","seat":"red","why":"resigned"}'):
        act = msgspec.json.decode(written, type=Act)
        assert msgspec.json.encode(act) == written
