"""Crews: they take games from a source, play them in processes of this machine or on a cluster, and report."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError

from polemos.arena.tournament.run import BATCH
from polemos.arena.workers import Workers, at_work
from polemos.hosts.bundle import Bundle
from polemos.kernel.errors import PolemosError
from polemos.ladder.desk import Source
from polemos.ladder.jobs import Broken, Job, Lot, Report
from polemos.ladder.leases import LEASE, Aside
from polemos.ladder.lengths import longest
from polemos.ladder.live import PAUSE, Lives
from polemos.ladder.playing import NICE, play

LOOK: Final = 0.25  # seconds between looks at the clock while games are played
IDLE: Final = 5.0  # seconds between looks for games that nobody announced
MAX_LOT: Final = 16  # games
_REMEMBERED: Final = 200  # games used to estimate the length of the next ones
_LAST: Final = 5.0  # seconds for the last results to be adjudicated
_AGAIN: Final = 2.0  # seconds until the source is asked again after it failed

_log = logging.getLogger("polemos")
Reports = tuple[Report | Broken, ...]


class Finished(Struct, frozen=True):
    """A lot that came back, or None if its process died."""

    lot: Lot
    reports: Reports | None


class Executor(Protocol):
    """Plays lots. Every lot comes back once."""

    @property
    def room(self) -> int:
        """The number of further lots that can be submitted now."""

    def submit(self, lot: Lot) -> None:
        """Starts playing a lot."""

    def wait(self, seconds: float) -> list[Finished]:
        """The lots that came back; waits up to `seconds` if there are none."""

    def close(self) -> None:
        """Stops everything at once."""


class Processes:
    """Every worker is a pool of its own, so one that dies does not affect the others, and we know which one it was."""

    def __init__(self, count: int) -> None:
        self._free = [Workers(1, nice=NICE) for _ in range(count)]
        self._running: dict[Future[Reports], tuple[Workers, Lot, float]] = {}  # the last: until when

    @property
    def room(self) -> int:
        return len(self._free)

    def submit(self, lot: Lot) -> None:
        worker = self._free.pop()
        try:
            future = worker.pool.submit(at_work, play, lot)
        except BrokenProcessPool:  # it died while idle
            worker.close()
            worker = Workers(1, nice=NICE)
            future = worker.pool.submit(at_work, play, lot)
        most = sum(longest(job.budget, len(job.players)) for job in lot.jobs)
        self._running[future] = (worker, lot, time.monotonic() + most)

    def wait(self, seconds: float) -> list[Finished]:
        done, _ = wait(self._running, seconds, FIRST_COMPLETED)
        return [*(self._finished(future) for future in done), *self._hung()]

    def _hung(self) -> list[Finished]:
        """Ends the processes that should have finished long ago: others play their games by now."""
        late = [one for one, (_, _, until) in self._running.items() if time.monotonic() > until]
        found = []
        for future in late:
            worker, lot, _ = self._running.pop(future)
            _log.error("A process that plays games hangs; it is ended.")
            worker.close()
            self._free.append(Workers(1, nice=NICE))
            found.append(Finished(lot, None))
        return found

    def _finished(self, future: Future[Reports]) -> Finished:
        worker, lot, _ = self._running.pop(future)
        try:
            reports = future.result()
        except (BrokenProcessPool, KeyboardInterrupt):
            worker.close()
            self._free.append(Workers(1, nice=NICE))
            return Finished(lot, None)
        except Exception as error:
            _log.exception("A worker failed.")
            reports = tuple(Broken(job.id, job.lease, f"{type(error).__name__}: {error}") for job in lot.jobs)
        self._free.append(worker)
        return Finished(lot, reports)

    def close(self) -> None:
        with ExitStack() as all_of_them:
            for worker in [*self._free, *(worker for worker, _, _ in self._running.values())]:
                worker.stop()
                all_of_them.callback(worker.close)


class Crew:
    """Plays games from a source until it is told to stop."""

    def __init__(
        self,
        source: Source,
        executor: Executor,
        *,
        folder: str | None = None,
        live: Path | None = None,
        lease: float = LEASE,
    ) -> None:
        self._source = source
        self._executor = executor
        self._folder = folder  # with the files of bots; None: they are sent along
        self._lives = None if live is None else Lives(live)  # None: nobody sees games before they are over
        self._shown = 0.0
        self._renewal = lease / 3
        self._out: dict[int, Job] = {}
        self._seconds: deque[float] = deque(maxlen=_REMEMBERED)
        self._renewed = 0.0
        self._said = ""

    def run(self, stop: threading.Event) -> None:
        """Games that are not finished when it stops are given back."""
        said = ""  # once is enough, however long it takes
        try:
            while not stop.is_set():
                try:
                    self._turn()
                    said = ""
                except Aside as error:
                    if error.why != said:
                        _log.error("%s", error.why)
                    said = error.why
                    stop.wait(IDLE)
                except (SQLAlchemyError, OSError) as error:
                    if type(error).__name__ != said:
                        _log.error("The source of games failed; trying again. %s", error)
                    said = type(error).__name__
                    stop.wait(_AGAIN)
        finally:
            try:
                self._source.finish(_LAST)
            except (SQLAlchemyError, OSError, PolemosError):  # the last: the server does not want us any more
                _log.warning("The last results could not be written; their games are played again.")
            self._executor.close()
            try:
                self._source.give_back(list(self._out.values()))
            except (SQLAlchemyError, OSError, PolemosError):
                _log.warning("%d games could not be given back; their leases expire.", len(self._out))

    def _turn(self) -> None:
        while self._executor.room > 0 and self._begin():
            pass
        if self._out:
            done = self._executor.wait(LOOK)
            for job in (job for finished in done for job in finished.lot.jobs):
                del self._out[job.id]  # all at once: if reporting fails, nobody must renew the leases of the rest
            for finished in done:
                self._take(finished)
        else:
            self._source.wait(IDLE)
        self._source.settle()
        if self._out and time.monotonic() - self._renewed > self._renewal:
            self._source.renew(list(self._out.values()))
            self._renewed = time.monotonic()
        if self._out and self._lives is not None and time.monotonic() - self._shown > PAUSE:
            self._source.show(list(self._out.values()), self._lives)
            self._shown = time.monotonic()

    def _begin(self) -> bool:
        jobs = self._source.claim(self._size())
        if not jobs:
            return False
        self._out.update((job.id, job) for job in jobs)
        try:
            bundles = {} if self._folder is not None else self._bundles(jobs)
        except PolemosError as error:
            for job in jobs:
                self._source.report(self._out.pop(job.id), Broken(job.id, job.lease, error.why))
            return True
        live = None if self._lives is None else str(self._lives.folder)
        self._executor.submit(Lot(tuple(jobs), bundles, self._folder, live))
        return True

    def _bundles(self, jobs: Sequence[Job]) -> dict[str, Bundle]:
        players = {player.spec: player.digest for job in jobs for player in job.players if player.digest is not None}
        return {spec: self._source.bundle(digest) for spec, digest in players.items()}

    def _size(self) -> int:
        """Games for a second or two, so that the cost of sending is negligible and little is lost with a process."""
        if not self._seconds:
            return 1
        mean = max(1e-3, sum(self._seconds) / len(self._seconds))
        return max(1, min(MAX_LOT, int(BATCH / mean)))

    def _take(self, finished: Finished) -> None:
        if finished.reports is None:
            self._source.lost(finished.lot.jobs, "its process was killed")
            return
        for job, report in zip(finished.lot.jobs, finished.reports, strict=True):
            if isinstance(report, Report):
                self._seconds.append(report.seconds)
            elif report.why != self._said:  # once is enough: the next games will tell the same
                _log.error("Game %d could not be played here: %s", job.id, report.why)
                self._said = report.why
            self._source.report(job, report)
