"""Clocks as pure functions: what is left is what was given, less what was waited for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from polemos.server.tables import clocks
from polemos.server.tables.clocks import Clocks
from polemos.wire.table import ClockRule

A, B = "red", "blue"


def test_a_turn_begins_with_the_whole_time() -> None:
    clock = Clocks(ClockRule("turn", 60))
    clock.begin_step([A, B], 100)
    clock.stop(A, 110)
    assert clock.shown(130) == {A: 50, B: 30}
    assert clock.running == (B,)
    assert clock.next_end() == 160
    clock.begin_step([A, B], 150)
    assert clock.shown(150) == {A: 60, B: 60}


def test_a_bank_goes_on_and_gets_its_increment() -> None:
    clock = Clocks(ClockRule("bank", 60, 5))
    clock.begin_step([A], 0)
    clock.stop(A, 20)
    assert clock.shown(99) == {A: 45}
    clock.begin_step([A], 100)
    assert clock.shown(110) == {A: 35}
    assert clock.expired(144.9) == ()
    assert clock.expired(145) == (A,)


def test_who_takes_a_sheet_back_gives_the_increment_back() -> None:
    clock = Clocks(ClockRule("bank", 60, 5))
    clock.begin_step([A], 0)
    for _ in range(10):
        clock.stop(A, 0)
        clock.go_on(A, 0)
    assert clock.shown(0) == {A: 60}
    clock.stop(A, 50)
    assert clock.shown(90) == {A: 15}
    clock.go_on(A, 90)
    assert clock.shown(95) == {A: 5}, "while it was filed no time was taken"


def test_no_clock_never_ends() -> None:
    clock = Clocks(ClockRule())
    clock.begin_step([A], 0)
    clock.stop(A, 5)
    clock.go_on(A, 6)
    assert (clock.shown(1e9), clock.running, clock.next_end(), clock.expired(1e9)) == ({}, (), None, ())


@pytest.mark.parametrize("back", [0.0, 3600.0], ids=["forward", "set back meanwhile"])
def test_an_outage_is_nobodys_time(back: float) -> None:
    """The server was last known to be alive at 30 and comes back at 1000, or by a clock that was set back."""
    clock = Clocks(ClockRule("turn", 60))
    clock.begin_step([A, B], 10)
    clock.skip(30, 1000 - back)
    assert clock.shown(1000 - back) == {A: 40, B: 40}
    assert clock.shown(1005 - back) == {A: 35, B: 35}


def test_a_clock_that_began_after_the_last_sign_of_life_has_all_its_time() -> None:
    clock = Clocks(ClockRule("turn", 60))
    clock.begin_step([A], 30.5)
    clock.skip(30, 1000)
    assert clock.shown(1000) == {A: 60}


def test_time_never_runs_backward_for_a_seat() -> None:
    clock = Clocks(ClockRule("turn", 60))
    clock.begin_step([A], 100)
    assert clock.shown(50) == {A: 60}


def test_the_time_of_the_server_does_not_jump(monkeypatch: pytest.MonkeyPatch) -> None:
    before = clocks.now()
    monkeypatch.setattr("time.time", lambda: 0.0)
    assert 0 <= clocks.now() - before < 3600


SECONDS = st.floats(0, 200, allow_nan=False)


class Model(RuleBasedStateMachine):
    """Against the plainest bookkeeping: every second that passes is taken from those who run."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clocks(ClockRule("bank", 100, 3))
        self.at = 1000.0
        self.left: dict[str, float] = {}
        self.running: set[str] = set()
        self.held: tuple[str, ...] | None = None

    def pass_(self, seconds: float) -> None:
        self.at += seconds
        for seat in self.running:
            self.left[seat] = max(0.0, self.left[seat] - seconds)

    @rule(seconds=SECONDS)
    def wait(self, seconds: float) -> None:
        self.pass_(seconds)

    @precondition(lambda self: self.held is None)
    @rule(seats=st.sets(st.sampled_from([A, B])))
    def step(self, seats: set[str]) -> None:
        self.clock.begin_step(sorted(seats), self.at)
        self.running = set(seats)
        self.left = {**dict.fromkeys(seats, 100.0), **self.left}

    @rule(seat=st.sampled_from([A, B]))
    def stop(self, seat: str) -> None:
        self.clock.stop(seat, self.at)
        if seat in self.running:
            self.running.discard(seat)
            self.left[seat] += 3

    @precondition(lambda self: self.held is None)
    @rule()
    def pause(self) -> None:
        self.held = self.clock.hold(self.at)
        assert set(self.held) == self.running
        self.running = set()

    @precondition(lambda self: self.held is not None)
    @rule()
    def resume(self) -> None:
        assert self.held is not None
        self.clock.release(self.held, self.at)
        self.running, self.held = set(self.held), None

    @rule(outage=SECONDS)
    def outage(self, outage: float) -> None:
        """Nothing passes for anybody."""
        since = self.at
        self.at += outage
        self.clock.skip(since, self.at)

    @invariant()
    def agree(self) -> None:
        assert set(self.clock.running) == self.running
        for seat, left in self.left.items():
            assert self.clock.left(seat, self.at) == pytest.approx(left, abs=1e-6)
            assert self.clock.left(seat, self.at) >= 0
        end = self.clock.next_end()
        assert (end is None) == (not self.running)
        if end is not None:
            assert not self.clock.expired(end - 0.001) or end <= self.at + 0.001
            assert self.clock.expired(end + 0.001)


TestModel = Model.TestCase
TestModel.settings = settings(max_examples=40, stateful_step_count=20)


@given(st.lists(SECONDS, max_size=8), SECONDS)
def test_outages_of_any_number_take_nothing(outages: list[float], ran: float) -> None:
    clock = Clocks(ClockRule("turn", 300))
    at = 5000.0
    clock.begin_step([A], at)
    at += ran
    for outage in outages:
        clock.skip(at, at + outage)
        at += outage
    assert clock.left(A, at) == pytest.approx(300 - ran, abs=1e-6)
