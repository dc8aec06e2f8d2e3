"""Rows for operators as text for the terminal. Nothing in them can steer it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from polemos.kernel.tame import tame

if TYPE_CHECKING:
    from polemos.wire.ladder import WorkerRow
    from polemos.wire.office import ProcessRow, Times

TIMES = ("at", "created", "began", "begun", "until", "done", "fitted")
LABELLED = ("cpu", "wall", "answers", "banned", "quotas")


def of_row(row: Any) -> str:
    """A row in one line. Nothing in it can steer a terminal."""
    values = msgspec.structs.asdict(row)
    return "  ".join(filter(None, (_cell(name, value) for name, value in values.items())))


def of_process(row: ProcessRow) -> str:
    """A process in a few lines."""
    at = f" at {tame(row.address, 80)}" if row.address else ""
    head = f"{row.id}{at}, renewed {row.renewed:.1f} s ago, owns {_count(row.owned or 0, 'table')}"
    of = row.figures
    if of is None:
        return f"{head}, has just begun"
    lines = {
        "server": f"up {_up(of.up)}, version {of.version}, {of.memory / 1e6:.0f} MB, {of.cpu:.2f} cores",
        "tables": f"in memory: {_counts(of.tables)}",
        "sockets": _counts(of.sockets),
        "queues": _counts(of.queues),
        "orders": _times(of.orders),
        "bots": f"{of.bots:.2f} cores",
        "database": f"{of.database}; reads: {_times(of.reads)}; writes: {_times(of.writes)}",
        "refusals": f"in the last hour: {_counts(of.refusals)}",
    }
    told = [f"  {name:<9} {line}" for name, line in lines.items()]
    return "\n".join([head, *told, *(f"  ALERT     {why}" for why in of.alerts.values())])


def of_worker(row: WorkerRow) -> str:
    """A machine that plays games of ladders, in a few lines."""
    seen = datetime.fromtimestamp(row.seen, UTC)
    last = f"last seen {seen:%Y-%m-%d %H:%M}" if row.seen else "never seen"
    head = f"{row.id}  {tame(row.name, 80)}  {row.state}, {last}, {_count(row.places, 'place')}, {row.playing} playing"
    rest = f"  {_count(row.games, 'game')}, {row.failures} of {row.seats} bots dropped out, {row.broken} broken"
    lines = [head, f"{rest}, {row.refused} refused"]
    if row.why:
        lines.append(f"  {tame(row.why, 300)}")
    if row.suspect:
        lines.append("  ALERT     Bots drop out here, or games can't be played, far oftener than elsewhere.")
    return "\n".join(lines)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _counts(of: dict[str, int]) -> str:
    return ", ".join(f"{number} {tame(name, 40)}" for name, number in of.items() if number) or "none"


def _times(of: Times) -> str:
    if of.p50 is None or of.p99 is None:
        return "none in 5 minutes"
    return f"{of.count} in 5 minutes, p50 {of.p50 * 1000:.1f} ms, p99 {of.p99 * 1000:.1f} ms"


def _up(seconds: float) -> str:
    """A time in its two largest units."""
    minutes = int(seconds) // 60
    days, hours = minutes // 1440, minutes // 60 % 24
    return f"{days} d {hours} h" if days else f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"


def _cell(name: str, value: Any) -> str:
    if value is None or value == "" or value == () or value == {}:
        return ""
    if name in TIMES:
        return f"{'' if name in ('at', 'created') else f'{name} '}{datetime.fromtimestamp(value, UTC):%Y-%m-%d %H:%M}"
    if isinstance(value, bool):
        return name if value else ""
    if isinstance(value, tuple):
        return ", ".join(_cell("", part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {part}" for key, part in value.items())
    if isinstance(value, msgspec.Struct):
        cells = (_cell(key, part) for key, part in msgspec.structs.asdict(value).items())
        return f"[{' '.join(filter(None, cells))}]"
    return tame(f"{name} {value}" if name in LABELLED else str(value), 600)
