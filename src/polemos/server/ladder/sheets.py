"""Tables of the ladder for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection

from polemos.arena.tournament.report_csv import Value, table
from polemos.kernel.verdict import public
from polemos.ladder import queries
from polemos.wire.ladder import LadderRow

HEADS: Final = (
    "rank from",
    "rank to",
    "band",
    "bot",
    "version",
    "author",
    "language",
    "rating",
    "low",
    "high",
    "placing",
    "state",
    "games",
    "wins",
    "draws",
    "faults",
    "strikes",
    "void lines",
    "cpu seconds",
)
RESULT_HEADS: Final = (
    "game",
    "ended",
    "map",
    "version",
    "place",
    "of",
    "points",
    "opponents",
    "fault",
    "strikes",
    "cpu seconds",
)


def when(time: float | None) -> str:
    return datetime.fromtimestamp(time or 0.0, UTC).isoformat(timespec="seconds")


# ---- a ladder


def ladder(rows: Iterable[LadderRow]) -> str:
    return table(HEADS, map(_cells, rows))


def _cells(row: LadderRow) -> list[Value]:
    low, high = (None, None)
    if row.rating is not None and row.margin is not None:
        low, high = round(row.rating - row.margin, 1), round(row.rating + row.margin, 1)
    return [
        row.rank_from,
        row.rank_to,
        row.band,
        row.name,
        row.version,
        row.author or "Polemos",
        row.language,
        row.rating,
        low,
        high,
        "yes" if row.placing else "no",
        row.state,
        row.games,
        row.wins,
        row.draws,
        row.faults,
        row.strikes,
        row.void_lines,
        row.cpu,
    ]


# ---- the results of a bot


def results(connection: Connection, bot: int, limit: int, before: int | None) -> str:
    """Its last results on public ladders, the newest first. They are read as rows: there may be thousands."""
    return table(RESULT_HEADS, _results(connection.execute(queries.results_of(bot, limit, before))))


def _results(rows: Iterable[Any]) -> Iterator[list[Value]]:
    for game, of_game in groupby(rows, key=lambda row: row.game_id):
        seats = list(of_game)
        own = seats[0]
        yield [
            game,
            when(own.done),
            own.map,
            own.number,
            own.rank,
            len(seats) + 1,
            own.points,
            "; ".join(f"{one.other} v{one.other_number}" for one in seats),
            "" if own.fault is None else public(own.fault),
            own.strikes,
            own.cpu,
        ]
