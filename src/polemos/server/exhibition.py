"""Tables where our bots play all the time, so that there is something to watch on a new server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any, Final

import msgspec
from sqlalchemy import RowMapping, select

from polemos.kernel.rooms import bots_of
from polemos.server import shelf
from polemos.server.store import schema
from polemos.server.tables.hall import Hall
from polemos.wire.table import OpenTable, SeatSpec

PACE: Final = 2.0  # seconds per step
LOOK: Final = 5.0
KEPT: Final = 3  # finished tables of each game to keep; lists should have room for people's games
TITLE: Final = "Exhibition"

_log = logging.getLogger("polemos")


@asynccontextmanager
async def running(hall: Hall) -> AsyncIterator[None]:
    """Keeps one such table of every game running."""
    task = asyncio.create_task(_keep(hall))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _keep(hall: Hall) -> None:
    await hall.resumed.wait()
    for round in count():
        # Of several processes, the oldest does it for all.
        for name in shelf.names() if hall.member is None or hall.member.is_first else ():
            if not _is_playing(hall, name):
                try:
                    await hall.open(_wish(shelf.load(name), round))
                    await _clear_away(hall, name)
                except Exception as error:  # the next try may succeed
                    _log.warning("Cannot show an exhibition of %s: %s", name, error)
        await asyncio.sleep(LOOK)


def _is_playing(hall: Hall, game: str) -> bool:
    """Whether there is one already, even if its bots wait for somebody to watch."""
    asleep = (standing.card for standing in hall.asleep.values())
    shown = [(card.game, card.title) for card in asleep if card is not None]
    shown += [
        (keeper.table.game.name, keeper.table.wish.title)
        for keeper in hall.keepers.values()
        if keeper.table.status == "playing"
    ]
    return any(name == game and title.startswith(TITLE) for name, title in shown)


async def _clear_away(hall: Hall, game: str) -> None:
    """Deletes finished exhibitions, except the last few, which can still be watched."""
    tables = schema.game_tables
    ended = select(tables.c.id, tables.c.wish).where(tables.c.game == game, tables.c.status == "over")
    rows = await hall.ledger.fetch(ended.order_by(tables.c.created.desc()))
    usual = _wish(shelf.load(game), 0)
    # There may be thousands of them, with whole maps: nobody should have to wait while they are read.
    for id in (await asyncio.to_thread(_ours, rows, usual))[KEPT:]:
        await hall.burn(id)


def _ours(rows: Sequence[RowMapping], usual: OpenTable) -> list[str]:
    return [row["id"] for row in rows if _is_ours(msgspec.json.decode(row["wish"], type=OpenTable), usual)]


def _is_ours(wish: OpenTable, usual: OpenTable) -> bool:
    """Whether only bots can ever have sat there."""
    bots = all(spec.kind == "bot" for spec in wish.seats.values())
    return bots and wish.seats.keys() == usual.seats.keys() and wish.title == usual.title


def _wish(game: Any, round: int) -> OpenTable:
    """A table for our bots, in rotation, the best ones first."""
    bots = [name for name in reversed(list(bots_of(game))) if name != "random"] or list(bots_of(game))
    seats = game.seats(game.setup({}, 0))
    return OpenTable(
        game=game.name,
        seats={seat: SeatSpec("bot", bots[(i + round) % len(bots)]) for i, seat in enumerate(seats)},
        title=f"{TITLE} of our bots",
        pace=PACE,
    )
