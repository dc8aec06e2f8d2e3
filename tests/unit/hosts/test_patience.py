"""What counts as the time of an answer."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from polemos.hosts import patience as module
from polemos.hosts.patience import OWN, QUICK, SLICE, Look, Patience, kept

AWAKE = Look(now=10.0, ran=1.0, waited=2.0, ready=True)
ASLEEP = AWAKE._replace(ready=False)


@pytest.mark.parametrize(
    ("before", "after", "excused"),
    [
        (ASLEEP, Look(11, 1.0, 2.0, False), 0.0),  # it slept all the time
        (ASLEEP, Look(11, 1.2, 2.3, False), 0.3),  # it ran, waited and slept
        (ASLEEP, Look(11, 2.0, 2.0, False), 0.0),  # it ran all the time
        (ASLEEP, Look(11, 2.0, 61.0, False), 0.0),  # sixty threads of its own wait for one another
        (ASLEEP, Look(11, 1.4, 61.0, False), 0.6),  # never more than it did not run
        (ASLEEP, Look(11, 3.0, 61.0, False), 0.0),  # on several cores
        (AWAKE, Look(11, 1.0, 2.0, True), 1.0),  # a wait that is not over is not counted by the kernel yet
        (AWAKE, Look(11, 1.25, 2.0, True), 0.75),
        (AWAKE, Look(11, 1.0, 2.0, False), 0.0),
        (ASLEEP, Look(11, 1.0, 2.0, True), 0.0),
        (ASLEEP, Look(11, 1.0, 0.5, False), 0.0),  # threads that have ended take their count with them
    ],
)
def test_a_program_is_excused_for_what_it_was_kept_from(before: Look, after: Look, excused: float) -> None:
    assert kept(before, after) == pytest.approx(excused)


class Clocks:
    """A machine whose time is ours: the clock, the CPU clock of the umpire, and a program that sleeps or runs."""

    def __init__(self) -> None:
        self.now, self.worked, self.ran, self.waited = 100.0, 5.0, 1.0, 0.0

    def monotonic(self) -> float:
        return self.now

    def thread_time(self) -> float:
        return self.worked

    def look(self, pid: int, cpu: object) -> Look:
        return Look(self.now, self.ran, self.waited, ready=False)


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    made = Clocks()
    monkeypatch.setattr(module, "time", made)
    monkeypatch.setattr(module, "_look", made.look)
    return made


def test_what_the_umpire_overslept_before_its_first_look_is_excused(clocks: Clocks) -> None:
    """Nothing is known of the program until then, not even whether it has been let."""
    patience = Patience(1.0, os.getpid)
    clocks.now += patience.nap + 0.3  # as if others had had the core
    patience.look()
    assert patience.excused == pytest.approx(0.3)
    assert patience.used == pytest.approx(QUICK)


def test_what_the_umpire_was_kept_from_between_its_naps_is_excused(clocks: Clocks) -> None:
    """Before it could ask, and when the program that it asked took the core at once."""
    patience = Patience(1.0, os.getpid)
    clocks.now += 0.4
    assert patience.nap == SLICE
    clocks.now += 0.9  # it could write at once, and then did not get on
    clocks.now += patience.nap
    patience.look()
    assert patience.excused == pytest.approx(0.4 + 0.9 - SLICE), "all but what it might have wanted to sleep"


def test_what_the_umpire_overslept_later_is_excused(clocks: Clocks) -> None:
    """By a wait that the kernel does not count, such as for a disk or for another thread of its own."""
    patience = Patience(1.0, os.getpid)
    clocks.now += patience.nap
    patience.look()
    clocks.now += patience.nap + 0.3
    patience.look()
    assert patience.excused == pytest.approx(0.3)
    clocks.now += patience.nap + 0.3
    clocks.ran += SLICE + 0.2
    patience.look()
    assert patience.excused == pytest.approx(0.4), "never more than the program did not run"
    clocks.now += patience.nap + 0.3
    clocks.waited += 0.2
    patience.look()
    assert patience.excused == pytest.approx(0.7), "nor twice, if the kernel has counted it"


def test_what_the_umpire_wants_or_does_itself_is_not_excused(clocks: Clocks) -> None:
    patience = Patience(1.0, os.getpid)
    clocks.now += 0.2
    clocks.worked += 0.2
    for _ in range(3):
        patience.look()
        assert patience.nap == SLICE
        clocks.now += 0.01  # woken early
        clocks.now += patience.nap
    patience.look()
    assert patience.excused == pytest.approx(0.0)
    assert patience.used == pytest.approx(0.2 + 3 * (SLICE + 0.01))


@pytest.mark.parametrize("interruptions", [0, 1, 3])
def test_a_look_that_was_interrupted_is_taken_again(monkeypatch: pytest.MonkeyPatch, interruptions: int) -> None:
    """Otherwise its clock would know of a wait that its count of waits does not: the wait would be excused nowhere."""
    own = iter(
        [0.0, *(float(count) for count in range(1, interruptions + 1) for _ in "ab"), *[float(interruptions)] * 2]
    )
    monkeypatch.setattr(module, "_waited", lambda folder: next(own) if folder == OWN else 0.0)
    assert module._look(os.getpid(), lambda: 0.0).waited == interruptions


def test_looks_that_are_always_interrupted_end(monkeypatch: pytest.MonkeyPatch) -> None:
    own = iter(float(looks) for looks in range(50))
    monkeypatch.setattr(module, "_waited", lambda folder: next(own) if folder == OWN else 0.0)
    assert module._look(os.getpid(), lambda: 0.0).waited == 2 * (module.TRIES - 1)


def test_sleeping_is_not_excused() -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; print(flush=True); time.sleep(60)"], stdout=-1) as child:
        assert child.stdout is not None
        child.stdout.readline()
        patience = Patience(0.2, lambda: child.pid)
        while not patience.is_over():
            time.sleep(patience.nap)
        assert patience.used >= 0.2
        assert patience.left <= 0
        child.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="needs schedstat")
def test_who_has_to_wait_for_a_core_is_excused() -> None:
    """Two programs on one core: the one that is asked gets half of it, and half of the time does not count."""
    core = {min(os.sched_getaffinity(0))}
    burn = [sys.executable, "-c", f"import os; os.sched_setaffinity(0, {core})\nprint(flush=True)\nwhile True: pass"]
    with subprocess.Popen(burn, stdout=-1) as asked, subprocess.Popen(burn, stdout=-1) as other:
        for child in (asked, other):
            assert child.stdout is not None
            child.stdout.readline()
        clock = (~asked.pid << 3) | 2
        patience = Patience(60, lambda: asked.pid, lambda: time.clock_gettime(clock))
        began, ran = time.monotonic(), time.clock_gettime(clock)
        while patience._last is None or patience._last.now - began < 1.0:
            time.sleep(patience.nap)
            patience.look()
        asked.kill()
        other.kill()
        # All as of the last look: the machine may have stood still since.
        took, ran = patience._last.now - began, patience._last.ran - ran
        assert ran < 0.8 * took, "it did have to wait"
        assert took - patience.excused < ran + 0.35 * took, "about the time that it ran is all that counts"
