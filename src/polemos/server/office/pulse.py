"""How a process is: figures of the last hour, from the same counters that Prometheus reads.

Each process keeps its hour in memory. Every few seconds it writes a copy to the database, where the operator's page and
the command `polemos operator health` find the figures of all processes, on whatever machine they run.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter, deque
from collections.abc import Iterable
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final

import msgspec
from msgspec import Struct
from prometheus_client.registry import Collector
from sqlalchemy import delete, insert, or_

from polemos import __version__
from polemos.server import metrics
from polemos.server.cluster.membership import Membership
from polemos.server.figures import Tables
from polemos.server.store import schema
from polemos.server.store.ledger import Ledger
from polemos.server.tables.hall import Hall

EVERY: Final = 5.0  # seconds between two looks
MINUTE: Final = 60.0
KEPT: Final = 60  # minutes
GONE: Final = 60.0  # seconds after which the row of a process that no longer writes is deleted
KINDS: Final = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


class Counts(Struct, frozen=True):
    """How often things have happened. Times are counted by the bounds of `metrics.TIMES`."""

    orders: tuple[int, ...]
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    failed: int  # writes
    refusals: dict[str, int]
    bots: float  # CPU seconds
    cpu: float  # CPU seconds of this process

    def since(self, before: Counts) -> Counts:
        return Counts(
            _less(self.orders, before.orders),
            _less(self.reads, before.reads),
            _less(self.writes, before.writes),
            self.failed - before.failed,
            dict(Counter(self.refusals) - Counter(before.refusals)),
            round(self.bots - before.bots, 3),
            round(self.cpu - before.cpu, 3),
        )


class Minute(Struct, frozen=True):
    """What happened in a minute, and how much was there at its end."""

    at: float  # its beginning, a whole minute
    seconds: float  # how much of it was seen
    tables: int  # unfinished, in memory
    sockets: int
    waiting: int  # the most at any look
    counts: Counts


class Pulse(Struct, frozen=True):
    """A process, as it tells the others."""

    version: str
    database: str
    up: float  # seconds
    memory: int  # bytes
    tables: dict[str, int]
    sockets: dict[str, int]
    queues: dict[str, int]
    minutes: tuple[Minute, ...]  # the last is not over yet


class Recorder:
    """Keeps the figures of this process for an hour."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._tables = hall, Tables(hall)
        self._began = self._since = time.time()
        self._before = counted()
        self._most = 0  # waiting in this minute
        self._past: deque[Minute] = deque(maxlen=KEPT)

    def look(self) -> Pulse:
        """Reads all figures. To be called every few seconds."""
        now, counts = time.time(), counted()
        tables, sockets, queues = (_labelled(family.samples) for family in self._tables.collect())
        self._most = max(self._most, sum(queues.values()))

        def minute() -> Minute:
            unfinished = sum(number for status, number in tables.items() if status != "over")
            at, seconds = self._since // MINUTE * MINUTE, max(0.1, now - self._since)
            return Minute(at, seconds, unfinished, sum(sockets.values()), self._most, counts.since(self._before))

        if now // MINUTE > self._since // MINUTE:
            self._past.append(minute())
            self._since, self._before, self._most = now, counts, sum(queues.values())
        return Pulse(
            __version__,
            KINDS[self._hall.ledger.engine.dialect.name],
            now - self._began,
            int(_process("process_resident_memory_bytes")),
            tables,
            sockets,
            queues,
            (*self._past, minute()),
        )


class Monitor:
    """Writes down every few seconds how this process is."""

    def __init__(self, ledger: Ledger, hall: Hall, member: Membership | None) -> None:
        self._ledger, self._member = ledger, member
        self._name = secrets.token_hex(6)  # if there is only one process
        self._recorder = Recorder(hall)
        self._task: asyncio.Task[None] | None = None
        self.pulse = self._recorder.look()

    @property
    def process(self) -> str:
        return self._name if self._member is None else self._member.id

    async def begin(self) -> None:
        if self._member is None:
            await self._ledger.write(delete(schema.pulses))  # of a server that was killed
        await self._look()
        self._task = asyncio.create_task(self._go_on_looking())

    async def _go_on_looking(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            await self._look()

    async def _look(self) -> None:
        self.pulse = self._recorder.look()
        of, now = schema.pulses, time.time()
        row = {"process": self.process, "at": now, "body": msgspec.json.encode(self.pulse)}
        old = delete(of).where(or_(of.c.process == self.process, of.c.at < now - GONE))
        with suppress(Exception):  # counted as a failed write; the next one may succeed
            await self._ledger.write(old, insert(of).values(row))

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            with suppress(Exception):
                await self._ledger.write(delete(schema.pulses).where(schema.pulses.c.process == self.process))


# ---- reading counters


def counted() -> Counts:
    """All that this process has counted since it started."""
    refusals = [
        (sample.labels["word"], int(sample.value))
        for family in metrics.REFUSALS.collect()
        for sample in family.samples
        if sample.name.endswith("_total")
    ]
    return Counts(
        _buckets(metrics.ORDERS),
        _buckets(metrics.DATABASE, kind="read"),
        _buckets(metrics.DATABASE, kind="write"),
        int(_total(metrics.FAILED_WRITES)),
        dict(refusals),
        _total(metrics.BOT_CPU),
        _process("process_cpu_seconds_total"),
    )


def _buckets(histogram: Collector, **labels: str) -> tuple[int, ...]:
    """How many observations lie between each bound and the one before."""
    up_to: Counter[float] = Counter()
    for family in histogram.collect():
        for sample in family.samples:
            if sample.name.endswith("_bucket") and labels.items() <= sample.labels.items():
                up_to[float(sample.labels["le"])] += int(sample.value)
    return tuple(more - less for less, more in pairwise([0, *(up_to[bound] for bound in sorted(up_to))]))


def _total(counter: Collector) -> float:
    found = [sample for family in counter.collect() for sample in family.samples]
    return sum(sample.value for sample in found if sample.name.endswith("_total"))


def _process(name: str) -> float:
    """A figure about this process; 0 if the system does not tell."""
    found = [sample for family in metrics.PROCESS.collect() for sample in family.samples]
    return next((sample.value for sample in found if sample.name == name), 0.0)


def _labelled(samples: Iterable[Any]) -> dict[str, int]:
    """Figures by their only label."""
    return {next(iter(sample.labels.values())): int(sample.value) for sample in samples}


def _less(counts: tuple[int, ...], before: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(more - less for less, more in zip(before, counts, strict=True))
