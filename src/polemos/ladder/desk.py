"""Where workers get their games and hand in results: the desk in front of the database.

A result is adjudicated again before it counts. Until then the game stays leased, so that nothing is lost if the server
dies in between.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from typing import Final, Protocol

from msgspec import Struct
from sqlalchemy import Engine
from sqlalchemy.exc import InterfaceError, OperationalError

from polemos.hosts.bundle import Bundle
from polemos.ladder import leases, results
from polemos.ladder.bell import Bell
from polemos.ladder.clock import writing
from polemos.ladder.files import Bundles, Replays
from polemos.ladder.jobs import Broken, Job, Report, Result
from polemos.ladder.judging import Forged, Referee
from polemos.ladder.leases import LEASE, Held
from polemos.ladder.live import Lives
from polemos.ladder.results import Answer

MAX_PENDING: Final = 300  # results that wait to be adjudicated and stored

_log = logging.getLogger("polemos")


class Source(Protocol):
    """Where a crew of workers gets its games: the database, or a server on another machine."""

    def claim(self, count: int) -> list[Job]:
        """Up to so many games to play, leased."""

    def renew(self, jobs: Sequence[Job]) -> None:
        """Makes the leases of games that are still played last longer."""

    def report(self, job: Job, report: Report | Broken) -> None:
        """Hands in a result, which may count a little later."""

    def give_back(self, jobs: Sequence[Job]) -> None:
        """Returns games that were not begun, or that were stopped on purpose."""

    def lost(self, jobs: Sequence[Job], why: str) -> None:
        """Reports games that killed their process."""

    def bundle(self, digest: str) -> Bundle:
        """The files of a bot."""

    def show(self, jobs: Sequence[Job], lives: Lives) -> None:
        """Passes on how the games that are being played get on. Called every few seconds."""

    def settle(self) -> None:
        """Finishes whatever has been handed in and is ready. Called often."""

    def finish(self, seconds: float) -> None:
        """Waits until everything that has been handed in counts, but not for long."""

    def wait(self, seconds: float) -> None:
        """Waits for new games."""


class _Pending(Struct):
    """A report that is being adjudicated."""

    job: Job
    report: Report
    worker: int
    future: Future[Result]


class Desk:
    """Leases games and counts results, for any number of workers, from any thread."""

    def __init__(
        self, engine: Engine, bundles: Bundles, replays: Replays, referee: Referee, bell: Bell, *, lease: float = LEASE
    ) -> None:
        self.engine = engine
        self.bundles = bundles
        self.lease = lease
        self.bell = bell
        self._replays = replays
        self._referee = referee
        self._pending: list[_Pending] = []
        self._lock = threading.Lock()  # of what is pending

    def worker(self, name: str) -> int:
        with writing(self.engine) as connection:
            return leases.worker_of(connection, name)

    def claim(self, worker: int, count: int, places: int | None = None) -> list[Job]:
        """Games to play; none while too many results wait here, in memory, until the disk has room for them."""
        if self.is_full:
            return []
        with writing(self.engine) as connection:
            return leases.claim(connection, worker, count, self.lease, places)

    def renew(self, held: Sequence[Held]) -> None:
        """Makes leases last longer, and those of games that are being adjudicated."""
        with self._lock:
            pending = [Held(one.job.id, one.job.lease) for one in self._pending]
        with writing(self.engine) as connection:
            leases.renew(connection, [*held, *pending], self.lease)

    def give_back(self, held: Sequence[Held]) -> None:
        with writing(self.engine) as connection:
            leases.give_back(connection, held)

    def lost(self, worker: int | None, held: Sequence[Held], why: str, *, died: bool = False) -> None:
        """`died`: the process that played them."""
        with writing(self.engine) as connection:
            results.given_up(connection, leases.lose(connection, held, why, worker=worker, died=died))

    def report(self, worker: int, job: Job, report: Report | Broken) -> None:
        if isinstance(report, Broken):
            self.lost(worker, [Held(job.id, job.lease)], report.why, died=report.died)
        else:
            pending = _Pending(job, report, worker, self._referee.submit(job, report))
            with self._lock:
                self._pending.append(pending)

    @property
    def pending(self) -> int:
        """Reports that are being adjudicated."""
        return len(self._pending)

    @property
    def is_full(self) -> bool:
        return self.pending >= MAX_PENDING

    def is_pending(self, held: Held) -> bool:
        with self._lock:
            return any((one.job.id, one.job.lease) == (held.id, held.lease) for one in self._pending)

    def settle(self) -> list[Answer]:
        """Counts the results that have been adjudicated, all in one transaction."""
        with self._lock:
            return self._settle()

    def _settle(self) -> list[Answer]:
        ready = [one for one in self._pending if one.future.done()]
        if not ready:
            return []
        answers, left = [], [ready]
        while left:
            some = left.pop()
            try:
                answers += self._count(some)
            except (OperationalError, InterfaceError, OSError):  # the database or the disk: later it may work
                raise
            except Exception as error:  # one of them can't be written, and must not hold up all others for ever
                if len(some) == 1:
                    _log.exception("The result of game %d could not be written.", some[0].job.id, exc_info=error)
                    self.lost(None, [_lease_of(some[0])], f"its result could not be written: {error!r}")
                else:
                    left += [[one] for one in some]
                    continue
            self._pending = [one for one in self._pending if one not in some]
        return answers

    def _count(self, ready: Sequence[_Pending]) -> list[Answer]:
        answers: list[Answer] = []
        stored = {one.job.id: self._stored(one) for one in ready}
        with writing(self.engine) as connection:
            results.hold(connection, [one.job.id for one in ready])
            for one in ready:
                try:
                    result = one.future.result()
                except Forged as error:
                    _log.error("Game %d by worker %d does not hold: %s", one.job.id, one.worker, error.why)
                    results.refuse(connection, one.job, one.worker, error.why)
                except (CancelledError, KeyboardInterrupt):  # the referee was told to stop
                    leases.give_back(connection, [_lease_of(one)])
                except Exception as error:  # the referee died or failed; no worker is to blame
                    _log.error("Game %d was not adjudicated again: %r", one.job.id, error)
                    why = f"not adjudicated again: {type(error).__name__}"  # the log says more
                    results.given_up(connection, leases.lose(connection, [_lease_of(one)], why))
                else:
                    answers.append(
                        results.commit(
                            connection,
                            one.job,
                            result,
                            replay=stored[one.job.id],
                            worker=one.worker,
                            seconds=one.report.seconds,
                        )
                    )
        return answers

    def _stored(self, one: _Pending) -> str | None:
        """Puts a replay into its folder, before the game that names it counts."""
        if one.future.cancelled() or one.future.exception() is not None:
            return None
        result = one.future.result()
        return self._replays.put(result.replay or one.report.replay, one.report.logs, result.board)


class AtTheDesk:
    """The source of a crew in the server's own process."""

    def __init__(self, desk: Desk, name: str, places: int | None = None) -> None:
        """`places`: games that are played at a time."""
        self._desk = desk
        self._worker = desk.worker(name)
        self._places = places
        self._heard = 0

    def claim(self, count: int) -> list[Job]:
        self._heard = self._desk.bell.count
        return self._desk.claim(self._worker, count, self._places)

    def renew(self, jobs: Sequence[Job]) -> None:
        self._desk.renew(_held(jobs))

    def report(self, job: Job, report: Report | Broken) -> None:
        self._desk.report(self._worker, job, report)

    def give_back(self, jobs: Sequence[Job]) -> None:
        self._desk.give_back(_held(jobs))

    def lost(self, jobs: Sequence[Job], why: str) -> None:
        self._desk.lost(self._worker, _held(jobs), why, died=True)

    def bundle(self, digest: str) -> Bundle:
        return self._desk.bundles.get(digest)

    def show(self, jobs: Sequence[Job], lives: Lives) -> None:
        """The pages of this server read the same folder."""

    def settle(self) -> None:
        self._desk.settle()

    def finish(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while self._desk.pending and time.monotonic() < until:
            self._desk.settle()
            time.sleep(0.02)

    def wait(self, seconds: float) -> None:
        self._desk.bell.wait(seconds, self._heard)


def _lease_of(one: _Pending) -> Held:
    return Held(one.job.id, one.job.lease)


def _held(jobs: Sequence[Job]) -> list[Held]:
    return [Held(job.id, job.lease) for job in jobs]
