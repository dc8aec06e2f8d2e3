"""The health of a server, put together from what its processes have written down."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
from sqlalchemy import func, select

from polemos.server.metrics import TIMES
from polemos.server.office.lists import Read, count
from polemos.server.office.pulse import KEPT, Minute, Pulse
from polemos.server.store import schema
from polemos.wire.office import Figures, Health, Point, ProcessRow, Times

RECENT: Final = 5  # minutes that count for times
SILENT: Final = 30.0  # seconds after which a process that does not write any more is not there
LATE: Final = 10.0  # seconds after which it should have written
SLOW: Final = 0.3  # seconds; orders should be confirmed sooner
MANY_WRITES: Final = 100  # waiting


def health(read: Read) -> Health:
    """The processes that are alive, the longest first; what they do together, and have done for an hour."""
    kept, now = schema.pulses, time.time()
    known = {row["process"]: row for row in read(select(kept).where(kept.c.at > now - SILENT))}
    pulses = {id: msgspec.json.decode(bytes(row["body"]), type=Pulse) for id, row in known.items()}
    rows = [
        ProcessRow(id, address, round(max(0.0, now - renewed), 1), owned, figures)
        for id, address, renewed, owned in _processes(read, {id: row["at"] for id, row in known.items()})
        for figures in [of([pulses[id]], late(id, now - renewed)) if id in pulses else None]
        if renewed > now - SILENT
    ]
    rows.sort(key=lambda row: 0.0 if row.figures is None else -row.figures.up)
    here = [pulses[row.id] for row in rows if row.id in pulses]
    lateness = {part: why for row in rows for part, why in late(row.id, row.renewed).items()}
    return Health(tuple(rows), of(here, lateness) if here else None, tuple(points(here)))


def own(process: str, pulse: Pulse) -> Health:
    """What one process knows of itself when the database doesn't answer."""
    figures = of([pulse], {"database": "The database doesn't answer."})
    return Health((ProcessRow(process, "", 0.0, None, figures),), figures, tuple(points([pulse])))


def _processes(read: Read, pulses: dict[str, float]) -> Iterator[tuple[str, str, float, int]]:
    """Id, address, when it was last alive, and how many unfinished tables it owns."""
    of, leases, tables = schema.processes, schema.leases, schema.game_tables
    rows = read(select(of.c.id, of.c.address, of.c.renewed).where(of.c.alive))
    if not rows:  # with SQLite there is one process, and all tables are its own
        unfinished = count(read, tables, tables.c.status != "over")
        yield from ((id, "", at, unfinished) for id, at in pulses.items())
        return
    many = select(leases.c.owner, func.count().label("n")).join(tables, tables.c.id == leases.c.table_id)
    owned = {row["owner"]: row["n"] for row in read(many.where(tables.c.status != "over").group_by(leases.c.owner))}
    yield from ((row["id"], row["address"], row["renewed"], owned.get(row["id"], 0)) for row in rows)


# ---- figures


def of(pulses: Sequence[Pulse], more: dict[str, str] | None = None) -> Figures:
    """The figures of some processes together. `more`: what else is wrong."""
    hour = [minute for pulse in pulses for minute in pulse.minutes]
    recent = [minute for pulse in pulses for minute in pulse.minutes[-RECENT:]]
    last = [pulse.minutes[-2:] for pulse in pulses]  # the current minute may just have begun
    figures = Figures(
        version=", ".join(sorted({pulse.version for pulse in pulses})),
        up=max(pulse.up for pulse in pulses),
        memory=sum(pulse.memory for pulse in pulses),
        cpu=_cores([[(minute.counts.cpu, minute.seconds) for minute in minutes] for minutes in last]),
        bots=_cores([[(minute.counts.bots, minute.seconds) for minute in minutes] for minutes in last]),
        tables=_sum(pulse.tables for pulse in pulses),
        sockets=_sum(pulse.sockets for pulse in pulses),
        queues=_sum(pulse.queues for pulse in pulses),
        orders=times(minute.counts.orders for minute in recent),
        database=pulses[0].database,
        reads=times(minute.counts.reads for minute in recent),
        writes=times(minute.counts.writes for minute in recent),
        failed=sum(minute.counts.failed for minute in hour),
        refusals=_sum(minute.counts.refusals for minute in hour),
        alerts={},
    )
    return msgspec.structs.replace(figures, alerts={**alerts(figures), **(more or {})})


def alerts(figures: Figures) -> dict[str, str]:
    """What an operator should look at, by the part of the server concerned."""
    found: dict[str, str] = {}
    if broken := figures.refusals.get("server/broken", 0):
        found["server"] = f"Requests that failed because of a bug in the last hour: {broken}. The log says more."
    if figures.failed:
        found["database"] = f"Writes that failed in the last hour: {figures.failed}. The log says more."
    if figures.orders.p99 is not None and figures.orders.p99 > SLOW:
        found["orders"] = (
            f"One order in a hundred takes {figures.orders.p99 * 1000:.0f} ms or more."
            f" It should be less than {SLOW * 1000:.0f} ms."
        )
    if (waiting := figures.queues.get("writes", 0)) > MANY_WRITES:
        found["queues"] = f"Writes that are waiting for the database: {waiting}."
    return found


def late(process: str, seconds: float) -> dict[str, str]:
    return {"server": f"Process {process} has not told for {seconds:.0f} s that it is alive."} if seconds > LATE else {}


def points(pulses: Iterable[Pulse]) -> Iterator[Point]:
    """The last hour, minute by minute; those in which nobody was there are left out, and the one that is not over."""
    together: dict[float, list[Minute]] = {}
    for pulse in pulses:
        for minute in pulse.minutes[:-1]:
            together.setdefault(minute.at, []).append(minute)
    for at, minutes in sorted(together.items())[-KEPT:]:
        orders = times(minute.counts.orders for minute in minutes)
        yield Point(
            at=at,
            tables=sum(minute.tables for minute in minutes),
            sockets=sum(minute.sockets for minute in minutes),
            waiting=sum(minute.waiting for minute in minutes),
            p50=orders.p50,
            p99=orders.p99,
            refusals=sum(sum(minute.counts.refusals.values()) for minute in minutes),
            bots=round(sum(minute.counts.bots / minute.seconds for minute in minutes), 3),
        )


def times(buckets: Iterable[Sequence[int]]) -> Times:
    counts = [sum(of) for of in zip(*buckets, strict=True)]
    return Times(sum(counts), quantile(counts, 0.5), quantile(counts, 0.99))


def quantile(counts: Sequence[int], share: float) -> float | None:
    """As Prometheus computes it: evenly spread between two bounds; beyond the last one, that one.

    >>> quantile([0] * 17, 0.5), quantile([0, 10] + [0] * 15, 0.5)
    (None, 0.00175)
    """
    rank, below, lower = share * sum(counts), 0, 0.0
    for bound, many in zip(TIMES, counts, strict=False):
        if many and below + many >= rank:
            return round(lower + (bound - lower) * (rank - below) / many, 6)
        below, lower = below + many, bound
    return TIMES[-1] if sum(counts) else None


def _cores(spent: Iterable[Sequence[tuple[float, float]]]) -> float:
    """CPU seconds a second, of several processes: each with its CPU seconds, and the seconds in which it used them."""
    return round(sum(sum(cpu for cpu, _ in of) / sum(seconds for _, seconds in of) for of in spent), 3)


def _sum(figures: Iterable[dict[str, int]]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for one in figures:
        found.update(one)
    return dict(found)
