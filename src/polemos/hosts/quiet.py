"""Silence after an answer: a program that goes on using the CPU while it is not asked is stopped until it is.

Otherwise a bot could slow down the one that thinks after it. Whoever is quiet is never stopped, and pays nothing but a
look at its clock now and then. One thread does this for all programs of a process.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final, Protocol

GRACE: Final = 0.001  # seconds for putting the answer away, and as much CPU time after them: it may get a core late
SELDOM: Final = 0.05  # between looks at those that have been quiet for long


class Watched(Protocol):
    """A program as it is seen here."""

    def cpu(self) -> float:
        """Its CPU clock, in seconds."""

    def halt(self) -> None:
        """Stops it where it stands."""

    def resume(self) -> None:
        """Lets it go on."""


class _Silence:
    """One program from its answer to the next question."""

    def __init__(self, now: float) -> None:
        self.pause = GRACE
        self.due = now + GRACE
        self.first = self.seen = -1.0  # its clock at the first look, and at the last; below 0: there was none
        self.is_halted = False


class Guard:
    """Keeps those quiet that have answered."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._silent: dict[Watched, _Silence] = {}
        self._lock = threading.Lock()
        self._sooner = threading.Event()
        self._next = float("inf")  # when the next look is planned
        self._thread: threading.Thread | None = None

    def answered(self, program: Watched) -> None:
        """From now on it is not asked."""
        with self._lock:
            silence = self._silent[program] = _Silence(self._clock())
            is_sooner = silence.due < self._next - GRACE  # in a quick game there is a look every millisecond anyway
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="quiet", daemon=True)
                self._thread.start()
        if is_sooner:
            self._sooner.set()

    def asked(self, program: Watched) -> None:
        """It may work again."""
        with self._lock:
            silence = self._silent.pop(program, None)
        if silence is not None and silence.is_halted:
            program.resume()

    def look(self) -> float | None:
        """Stops whoever is not quiet. Seconds until the next look, None if nobody needs one."""
        now = self._clock()
        with self._lock:  # whoever is asked while this goes on is let go on after it
            for program, silence in self._silent.items():
                if silence.is_halted or silence.due > now:
                    continue
                before, silence.seen = silence.seen, program.cpu()
                if before < 0:
                    silence.first = silence.seen
                elif silence.seen - silence.first > GRACE:
                    program.halt()
                    silence.is_halted = True
                elif silence.seen == before:
                    silence.pause = min(SELDOM, silence.pause * 2)
                silence.due = now + silence.pause
            self._next = min((it.due for it in self._silent.values() if not it.is_halted), default=float("inf"))
            return None if self._next == float("inf") else max(GRACE / 2, self._next - now)

    def _run(self) -> None:
        while True:
            self._sooner.wait(self.look())
            self._sooner.clear()


GUARD: Final = Guard()
