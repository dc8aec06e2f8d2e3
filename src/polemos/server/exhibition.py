"""Some tables of our bots that play all the time, so that there is something to watch when a server has just begun."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any, Final

from polemos.server import shelf
from polemos.server.tables.hall import Hall
from polemos.wire.table import OpenTable, SeatSpec

PACE: Final = 2.0  # seconds a step
LOOK: Final = 5.0
TITLE: Final = "Exhibition"

_log = logging.getLogger("polemos")


@asynccontextmanager
async def running(hall: Hall) -> AsyncIterator[None]:
    """Keeps one such table of every game going."""
    task = asyncio.create_task(_keep(hall))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _keep(hall: Hall) -> None:
    for round in count():
        for name in shelf.names():
            playing = any(
                keeper.table.game.name == name
                and keeper.table.status == "playing"
                and keeper.table.wish.title.startswith(TITLE)
                for keeper in hall.keepers.values()
            )
            if not playing:
                try:
                    await hall.open(_wish(shelf.load(name), round))
                except Exception as error:  # the next may succeed
                    _log.warning("No exhibition of %s: %s", name, error)
        await asyncio.sleep(LOOK)


def _wish(game: Any, round: int) -> OpenTable:
    """Our bots in turn, the best of them first."""
    bots = [name for name in reversed(list(game.bots)) if name != "random"] or list(game.bots)
    seats = game.seats(game.setup({}, 0))
    return OpenTable(
        game=game.name,
        seats={seat: SeatSpec("bot", bots[(i + round) % len(bots)]) for i, seat in enumerate(seats)},
        title=f"{TITLE} of our bots",
        pace=PACE,
    )
