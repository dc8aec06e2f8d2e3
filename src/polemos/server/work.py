"""Heavy work: it leaves the event loop, and everyone gets a fair share of the machine.

Work is queued by visitor. A visitor is an address (of version 6: a network) and perhaps an account; both have a budget
of CPU time over all tables, and somebody who has spent it is refused until it has filled up again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from enum import IntEnum
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from polemos.server.fair import Fair, Ticket
from polemos.server.limits import Buckets, TooMany

THREADS: Final = 2
MAX_WAITING: Final = 40  # records and pictures of one visitor
QUICK: Final = 0.002  # seconds of work that are not worth a thread
FEW: Final = 100  # lines of a sheet that may be judged without a thread

T = TypeVar("T")


class Rank(IntEnum):
    """What goes first."""

    ORDERS = 0
    DRAFTS = 1
    RECORDS = 2  # and pictures
    SHOWS = 3  # tables without people
    IDLE = 4


class Visitor(Struct, frozen=True):
    """Someone the server works for."""

    address: str = ""  # or network; as in `routes.common.network`
    account: int | None = None


OURSELVES: Final = Visitor()


class Usual:
    """How long something took lately. What was never done may take long."""

    def __init__(self, seconds: float = QUICK) -> None:
        self.seconds = seconds

    def note(self, seconds: float) -> None:
        self.seconds = max(seconds, (self.seconds + seconds) / 2)

    @property
    def is_quick(self) -> bool:
        return self.seconds < QUICK


class _Long(Usual):
    """Of work that is never done without a thread."""

    def note(self, seconds: float) -> None:
        """Takes nothing in."""


LONG: Final = _Long(1.0)


class Outcome(Struct):
    """How a piece of work ended, and the CPU seconds it took."""

    value: Any
    error: Exception | None
    seconds: float


def timed(work: Callable[..., Any], *given: Any) -> Outcome:
    """Runs in a thread, or in another process."""
    began = time.thread_time()
    try:
        value, error = work(*given), None
    except Exception as raised:
        value, error = None, raised
    return Outcome(value, error, time.thread_time() - began)


class _Job(Struct, Generic[T]):
    work: Callable[..., T]
    given: tuple[Any, ...]
    done: asyncio.Future[Outcome]


class Line:
    """One queue in front of some threads or processes: anything that `concurrent.futures` calls an executor.

    `spare` of its places are for orders alone, so that nobody who files has to wait for a draft or a record.
    """

    def __init__(self, make: Callable[[], Executor], places: int = 1, spare: int = 0) -> None:
        self._make, self._places, self._spare = make, places, spare
        self._executor: Executor | None = None
        self._queue: Fair[_Job[Any]] = Fair()
        self._running = 0
        self._closed = False

    @property
    def load(self) -> int:
        """How much is running or waiting."""
        return self._running + self._queue.waiting()

    def waiting(self, who: str) -> int:
        return self._queue.waiting(who)

    async def run(self, who: str, rank: Rank, work: Callable[..., Any], *given: Any) -> Outcome:
        """Does it when its turn comes. Errors are in the outcome; BrokenExecutor is raised if the worker died."""
        job = _Job(work, given, asyncio.get_running_loop().create_future())
        self._queue.put(rank, who, job)
        self._fill()
        return await job.done

    def tell(self, work: Callable[..., Any], *given: Any) -> None:
        """Does it some time, when there is nothing else to do; nobody waits for it."""
        job = _Job(work, given, asyncio.get_running_loop().create_future())
        job.done.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._queue.put(Rank.IDLE, "", job)
        self._fill()

    def _fill(self) -> None:
        while not self._closed and self._running < self._places:
            last = None if self._running < self._places - self._spare else Rank.ORDERS
            ticket = self._queue.take(last)
            if ticket is None:
                return
            if ticket.item.done.done():  # nobody waits for it any more
                self._queue.done(ticket, 0.0)
            else:
                self._start(ticket)

    def _start(self, ticket: Ticket[_Job[Any]]) -> None:
        job = ticket.item
        loop = job.done.get_loop()

        def finished(future: Future[Outcome]) -> None:
            with suppress(RuntimeError):  # the server has stopped in the meantime
                loop.call_soon_threadsafe(self._finished, ticket, future)

        self._running += 1
        try:
            if self._executor is None:
                self._executor = self._make()
            self._executor.submit(timed, job.work, *job.given).add_done_callback(finished)
        except (BrokenExecutor, RuntimeError) as error:  # it died while it had nothing to do
            self._running -= 1
            self._queue.done(ticket, 0.0)
            self._replace()
            job.done.set_exception(error if isinstance(error, BrokenExecutor) else BrokenExecutor(str(error)))

    def _finished(self, ticket: Ticket[_Job[Any]], future: Future[Outcome]) -> None:
        self._running -= 1
        done = ticket.item.done
        error = None if future.cancelled() else future.exception()
        if isinstance(error, BrokenExecutor):
            self._replace()
        if error is None and not future.cancelled():
            outcome = future.result()
            self._queue.done(ticket, outcome.seconds)
            if not done.done():
                done.set_result(outcome)
        else:
            self._queue.done(ticket, 0.0)
            if not done.done():
                done.set_exception(error or BrokenExecutor("The worker was stopped."))
        self._fill()

    def _replace(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = None

    def rest(self) -> None:
        """Gives the workers back if there is nothing to do; the next piece of work starts new ones."""
        if not self.load:
            self._replace()

    def close(self) -> None:
        self._closed = True
        self._replace()


class Work:
    """The heavy work of a server, except bots' thinking."""

    def __init__(self, buckets: Buckets | None = None, threads: int = THREADS) -> None:
        self._buckets = buckets or Buckets()
        self._line = Line(lambda: ThreadPoolExecutor(threads, thread_name_prefix="work"), threads, spare=threads - 1)

    @property
    def load(self) -> int:
        return self._line.load

    def check(self, visitor: Visitor, *, urgent: bool = False) -> None:
        """Raises TooMany if a budget is spent. Orders may go as deep into debt as the budget is large."""
        for kind, who in _budgets(visitor):
            self._buckets.check(kind, who, urgent)

    def charge(self, visitor: Visitor, seconds: float) -> None:
        for kind, who in _budgets(visitor):
            self._buckets.charge(kind, who, seconds)

    async def run(self, visitor: Visitor, rank: Rank, work: Callable[..., T], *given: Any) -> T:
        """Does it in a thread when its turn comes, and charges the visitor."""
        if rank is Rank.RECORDS and self._line.waiting(visitor.address) >= MAX_WAITING:
            raise TooMany("work", 1.0)
        outcome = await self._line.run(visitor.address, rank, work, *given)
        self.charge(visitor, outcome.seconds)
        if outcome.error is not None:
            raise outcome.error
        value: T = outcome.value
        return value

    async def read(self, visitor: Visitor, work: Callable[..., T], *given: Any) -> T:
        """Reads a table: like a record, but however many are waiting, because people come back after a restart."""
        outcome = await self._line.run(visitor.address, Rank.RECORDS, work, *given)
        self.charge(visitor, outcome.seconds)
        if outcome.error is not None:
            raise outcome.error
        value: T = outcome.value
        return value

    async def do(self, visitor: Visitor, rank: Rank, usual: Usual, work: Callable[..., T], *given: Any) -> T:
        """Does it at once if it is quick; otherwise like `run`."""
        if self.is_quick(visitor, usual):
            return self.here(visitor, usual, work, *given)
        return await self.run(visitor, rank, _noted, usual, work, *given)

    def is_quick(self, visitor: Visitor, usual: Usual) -> bool:
        """Whether something is done at once, because it was quick lately, and a thread would cost more.

        Many quick things of one visitor are done in threads too: there, others have their turn in between.
        """
        return usual.is_quick and (not visitor.address or self._buckets.has_left("quick work", visitor.address))

    def here(self, visitor: Visitor, usual: Usual, work: Callable[..., T], *given: Any) -> T:
        """Does something quick at once."""
        began = time.thread_time()
        try:
            return _noted(usual, work, *given)
        finally:
            took = time.thread_time() - began
            self.charge(visitor, took)
            if visitor.address:
                self._buckets.charge("quick work", visitor.address, took)

    def close(self) -> None:
        self._line.close()


def _noted(usual: Usual, work: Callable[..., T], *given: Any) -> T:
    began = time.thread_time()
    try:
        return work(*given)
    finally:
        usual.note(time.thread_time() - began)


def _budgets(visitor: Visitor) -> list[tuple[str, str]]:
    """The budgets that pay for a visitor. The server's own work is free."""
    found = [("work", visitor.address)] if visitor.address else []
    return found if visitor.account is None else [*found, ("work of this account", str(visitor.account))]
