"""Who has answered is quiet, or is stopped."""

from __future__ import annotations

import threading

import pytest

from polemos.hosts.quiet import GRACE, SELDOM, Guard


class Program:
    """A program with a clock that the test turns."""

    def __init__(self) -> None:
        self.clock = 0.0
        self.said: list[str] = []

    def cpu(self) -> float:
        return self.clock

    def halt(self) -> None:
        self.said.append("halt")

    def resume(self) -> None:
        self.said.append("resume")


class Hall:
    """A guard whose time is ours, and without the thread."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(threading.Thread, "start", lambda thread: None)
        self.guard = Guard(lambda: self.now)

    def wait(self, seconds: float, *working: Program) -> None:
        """Looks whenever the guard would, while some programs work on."""
        until = self.now + seconds
        while self.now < until:
            nap = self.guard.look()
            step = min(until - self.now, nap if nap is not None else until)
            self.now += step
            for program in working:
                if program.said[-1:] != ["halt"]:
                    program.clock += step
        self.guard.look()


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch) -> Hall:
    return Hall(monkeypatch)


def test_who_works_on_is_stopped_until_it_is_asked(hall: Hall) -> None:
    program = Program()
    hall.guard.answered(program)
    hall.wait(4 * GRACE, program)
    assert program.said == ["halt"]
    assert program.clock < 4 * GRACE
    hall.wait(1.0, program)
    assert program.said == ["halt"], "once"
    hall.guard.asked(program)
    assert program.said == ["halt", "resume"]


def test_who_is_quiet_is_left_alone(hall: Hall) -> None:
    program = Program()
    hall.guard.answered(program)
    hall.wait(GRACE / 2, program)  # putting the answer away
    hall.wait(1.0)
    hall.guard.asked(program)
    assert program.said == []


def test_who_gets_a_core_late_may_put_its_answer_away(hall: Hall) -> None:
    program = Program()
    hall.guard.answered(program)
    for _ in range(9):  # others have the core for most of the time
        hall.wait(0.3)
        program.clock += GRACE / 10
    hall.wait(0.3)
    assert program.said == []
    program.clock += GRACE / 5
    hall.wait(SELDOM)
    assert program.said == ["halt"], "this is more than that takes"


def test_who_wakes_up_later_is_stopped_then(hall: Hall) -> None:
    program = Program()
    hall.guard.answered(program)
    hall.wait(1.0)
    began = program.clock
    hall.wait(3 * SELDOM, program)
    assert program.said == ["halt"]
    assert program.clock - began <= 2 * SELDOM


def test_who_is_asked_may_work(hall: Hall) -> None:
    program, other = Program(), Program()
    hall.guard.answered(program)
    hall.guard.answered(other)
    hall.guard.asked(program)
    hall.wait(1.0, program)
    assert program.said == other.said == []


def test_looks_become_seldom_while_all_are_quiet(hall: Hall) -> None:
    hall.guard.answered(Program())
    naps = []
    for _ in range(20):
        nap = hall.guard.look()
        assert nap is not None
        naps.append(nap)
        hall.now += nap
    assert naps[0] == pytest.approx(GRACE)
    assert naps[-1] == pytest.approx(SELDOM)


def test_nobody_needs_no_look(hall: Hall) -> None:
    program = Program()
    assert hall.guard.look() is None
    hall.guard.answered(program)
    hall.guard.asked(program)
    assert hall.guard.look() is None
