"""The event log: what happened in a step, as small records that rules append.

One kind of record serves all games; each game gives the numbers their meaning. Simulation passes a log with limit 0,
which every thread may share (`SILENT`). A full log counts what it could not take, and the match stops: events are
never dropped in silence.
"""

from __future__ import annotations

import threading

from polemos.kernel.record import Array, Record, i8, i16, i32, i64, size
from polemos.kernel.rule import entry

MOST_EVENTS = 1 << 16


class EventRecord(Record):
    kind: i16  # index into the game's table of kinds, which gives the paragraph
    seat: i8
    other: i8
    place: i32
    target: i32
    number: i32
    value: i64


class Log(Record):
    limit: i32
    count: i32
    lost: i64
    events: Array[EventRecord] = size(MOST_EVENTS)


SILENT = Log()  # takes nothing and so can be shared
_own = threading.local()


def scratch(limit: int) -> Log:
    """An empty log of this thread, for one step. All matches of a thread share it: a log is large."""
    log: Log | None = getattr(_own, "log", None)
    if log is None:
        log = _own.log = Log()
    log.limit = min(limit, MOST_EVENTS)
    log.count = log.lost = 0
    return log


@entry
def emit(log: Log, kind: int, seat: int, other: int, place: int, target: int, number: int, value: int) -> None:
    if log.count < log.limit:
        event = log.events[log.count]
        event.kind = kind
        event.seat = seat
        event.other = other
        event.place = place
        event.target = target
        event.number = number
        event.value = value
        log.count += 1
    elif log.limit > 0:
        log.lost += 1
