"""Waiting for an answer: seconds on the clock, less those in which the program wanted to run and was not let.

A program cannot help it when others use the cores, or when a control group such as a container's has used up its share.
The kernel counts how long each thread was ready to run and waited (`schedstat`), time in a throttled group included. It
counts a wait when it ends, so that one which is still going on is told by the state of the thread. The umpire may be
kept from looking too: time in which it neither worked nor wanted to sleep does not count against the program.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

SLICE: Final = 0.05  # seconds between looks
QUICK: Final = 0.005  # answers faster than this are not looked at: that would cost more than it could tell
STEADY: Final = 0.001  # seconds that the umpire may be kept waiting during a look that is worth something
OWN: Final = "/proc/thread-self"
TRIES: Final = 8  # looks, until one is


class Look(NamedTuple):
    """What the kernel says of a program at one moment, in seconds."""

    now: float
    ran: float  # on a core, all threads together
    waited: float  # ready to run and not on a core, all threads together, and the umpire's own
    ready: bool  # whether a thread is running or waiting for a core right now
    overslept: float = 0.0  # in which the umpire neither worked nor wanted to sleep, since the question


class Patience:
    """The seconds that one answer may still take."""

    def __init__(
        self, seconds: float, pid: Callable[[], int | None] = lambda: None, cpu: Callable[[], float] = lambda: 0.0
    ) -> None:
        self._seconds, self._pid, self._cpu = seconds, pid, cpu
        self._began = time.monotonic()
        # The umpire itself, as of its last nap or look: when that was, its CPU clock, how long it wanted to sleep then.
        self._then, self._worked, self._planned = self._began, time.thread_time(), 0.0
        self._overslept = 0.0
        self._last: Look | None = None
        self.excused = 0.0  # seconds in which it was not let

    @property
    def used(self) -> float:
        """Seconds that count."""
        return max(0.0, time.monotonic() - self._began - self.excused)

    @property
    def left(self) -> float:
        return self._seconds - self.used

    @property
    def nap(self) -> float:
        """How long to wait before the next look."""
        now = time.monotonic()
        self._note(now)
        first = self._began + QUICK - now
        self._planned = min(first if first > 0 else SLICE, max(0.0, self.left))
        return self._planned

    def is_over(self) -> bool:
        """Whether the time is up. Looks before it says so."""
        self.look()
        return self.left <= 0

    def look(self) -> None:
        """Takes note of what the program was kept from since the last look."""
        now = time.monotonic()
        if now - self._began < QUICK or (self._last is not None and now - self._last.now < SLICE / 2 and self.left > 0):
            return
        pid = self._pid()
        if pid is None:
            return
        found = _look(pid, self._cpu)
        self._note(found.now)
        last, self._last = self._last, found._replace(overslept=self._overslept)
        self.excused += kept(last, self._last)

    def _note(self, now: float) -> None:
        """Takes note of what the umpire itself was kept from: by others, or by its share. Costs next to nothing."""
        worked = time.thread_time()
        self._overslept += max(0.0, (now - self._then) - (worked - self._worked) - self._planned)
        self._then, self._worked, self._planned = now, worked, 0.0


def kept(before: Look | None, after: Look) -> float:
    """Seconds between two looks, or until the first, in which a program was not let.

    Never more than it did not run: a program whose threads wait for one another is not excused for that. Where it was
    ready at both looks it is taken to have been so in between, since a wait is counted only when it ends. Before the
    first look nothing is known of it but that the umpire could not have heard it any sooner.
    """
    if before is None:
        return after.overslept
    idle = max(0.0, (after.now - before.now) - (after.ran - before.ran))
    if before.ready and after.ready:
        return idle
    return min(idle, max(0.0, after.waited - before.waited, after.overslept - before.overslept))


def _look(pid: int, cpu: Callable[[], float]) -> Look:
    """Its figures must belong to one moment: if the umpire was kept waiting in the middle, it looks again."""
    tries = 0
    while True:
        tries += 1
        own, others, ready = _waited(OWN), 0.0, False
        with suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                folder = f"/proc/{pid}/task/{task}"
                others += _waited(folder)
                ready = ready or _is_ready(folder)
        found = Look(time.monotonic(), cpu(), own + others, ready)
        if tries == TRIES or _waited(OWN) - own < STEADY:
            return found


def _waited(folder: str) -> float:
    with suppress(OSError, ValueError, IndexError):  # a thread may end at any time, and not every kernel counts
        return int(Path(folder, "schedstat").read_bytes().split()[1]) / 1e9
    return 0.0


def _is_ready(folder: str) -> bool:
    with suppress(OSError, IndexError):
        return Path(folder, "stat").read_bytes().rpartition(b")")[2].split()[0] == b"R"
    return False
