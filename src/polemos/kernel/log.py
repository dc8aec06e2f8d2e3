"""The event log: what happened in a step, as small records that rules append.

One record serves all games. A game's kinds of events are written functions (see `chronicle`), each of which is the one
place that knows which of its parameters goes into which slot. Simulation passes a log with limit 0, which every thread
may share (`SILENT`). A full log counts what it could not take, and the match stops: events are never dropped in
silence.
"""

from __future__ import annotations

import threading

from polemos.kernel.record import Array, Record, i16, i32, i64, size
from polemos.kernel.rule import entry

MAX_EVENTS = 1 << 16


class EventRecord(Record):
    kind: i16  # number of the kind in the game's chronicle
    line: i16  # of the sheet that it came from, counted from 1; 0: from no single line
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
SILENT = Log()  # takes nothing and so can be shared
_own = threading.local()


def scratch(limit: int) -> Log:
    """An empty log of this thread, for one step. All matches of a thread share it: a log is large."""
    log: Log | None = getattr(_own, "log", None)
    if log is None:
        log = _own.log = Log()
    log.limit = min(limit, MAX_EVENTS)
    log.count = log.lost = 0
    return log


@entry
def emit(log: Log, kind: int, line: int, a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> None:
    """Appends an event. `a` and `b` take 16 bits, `c` to `f` 32, `g` 64."""
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
