"""The report, written while the tournament runs and at its end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from polemos.arena.tournament.engine import Tournament
from polemos.arena.tournament.plan import Rating

EVERY: Final = 30.0  # seconds
_SHARE: Final = 20  # writing takes at most 1/20 of the time, so slow reports are written less often


class Reporter:
    """Writes the report in the background, from a copy of the facts, so the games do not wait for it."""

    def __init__(self, folder: Path, every: float = EVERY) -> None:
        self._folder = folder
        self._every = every
        self._next = time.monotonic() + every
        self._thread: threading.Thread | None = None

    def look(self, tournament: Tournament) -> None:
        """Called from time to time; writes a report if one is due."""
        if time.monotonic() < self._next or (self._thread is not None and self._thread.is_alive()):
            return
        self._next = float("inf")  # until this one is done
        self._thread = threading.Thread(target=self._beside, args=(self._writer(tournament),), daemon=True)
        self._thread.start()

    def _beside(self, write: Callable[[], list[Rating]]) -> None:
        began = time.monotonic()
        try:
            write()
        except OSError:
            pass  # the next one may succeed; the last one reports any error
        finally:
            self._next = time.monotonic() + max(self._every, _SHARE * (time.monotonic() - began))

    def last(self, tournament: Tournament) -> list[Rating]:
        """Writes the final report, and returns the ratings in it."""
        if self._thread is not None:
            self._thread.join()
        return self._writer(tournament)()

    def _writer(self, tournament: Tournament) -> Callable[[], list[Rating]]:
        plan, played = tournament.plan, list(tournament.counted)
        rows, notices = tournament.rows(), list(tournament.notices)
        done, due, running = tournament.settled, tournament.expected, not tournament.is_over

        def write() -> list[Rating]:
            from polemos.arena.tournament import ratings, report  # imports numpy, so only when needed

            found = ratings.rate(plan, played)
            report.write(self._folder, plan, played, rows, notices, found, done=done, due=due, running=running)
            return found

        return write
