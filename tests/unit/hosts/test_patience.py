"""What counts as the time of an answer."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from polemos.hosts.patience import Look, Patience, kept

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
        while time.monotonic() - began < 1.0:
            time.sleep(patience.nap)
            patience.look()
        asked.kill()
        other.kill()
        took, ran = time.monotonic() - began, time.clock_gettime(clock) - ran
        assert ran < 0.8 * took, "it did have to wait"
        assert patience.used < ran + 0.35 * took, "about the time that it ran is all that counts"
