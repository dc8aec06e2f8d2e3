"""The event log of a step: small records that rules append.

All games use the same record. Each kind of event is a function (see `chronicle`), the only place that knows which
parameter goes into which slot. Simulation passes a log with limit 0, which all threads can share (`SILENT`). When a
log is full, it counts the events it had no room for and the match stops: events are never dropped silently.
"""

from __future__ import annotations

import threading

from polemos.kernel.record import Array, Record, i16, i32, i64, size
from polemos.kernel.rule import entry

MAX_EVENTS = 1 << 16


class EventRecord(Record):
    kind: i16  # number of the kind in the game's chronicle
    line: i16  # the line of the sheet that caused it, from 1; 0: not caused by a single line
    a: i16
    b: i16
    c: i32
    d: i32
    e: i32
    f: i32
    g: i64


class Log(Record):
    limit: i32
    count: i32
    lost: i64
    events: Array[EventRecord] = size(MAX_EVENTS)

    def written(self) -> bytes:
        """The events so far, as bytes."""
        return memoryview(self).cast("B")[_FIRST : _FIRST + self.count * EventRecord.dtype.itemsize].tobytes()


_FIRST: int = Log.dtype.fields["events"][1]  # type: ignore[index]
SILENT = Log()  # stores nothing, so it can be shared
_own = threading.local()


def scratch(limit: int) -> Log:
    """An empty log for one step. Logs are large, so all matches in a thread share one."""
    log: Log | None = getattr(_own, "log", None)
    if log is None:
        log = _own.log = Log()
    log.limit = min(limit, MAX_EVENTS)
    log.count = log.lost = 0
    return log


@entry
def emit(log: Log, kind: int, line: int, a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> None:
    """Appends an event. `a` and `b` hold 16 bits, `c` to `f` 32 bits, `g` 64 bits."""
    if log.count < log.limit:
        event = log.events[log.count]
        event.kind = kind
        event.line = line
        event.a = a
        event.b = b
        event.c = c
        event.d = d
        event.e = e
        event.f = f
        event.g = g
        log.count += 1
    elif log.limit > 0:
        log.lost += 1
