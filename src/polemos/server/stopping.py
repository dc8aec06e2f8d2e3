"""A stop that nobody loses anything by: acts are finished and confirmed, then everyone is told when to come back."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from typing import Final

import msgspec

from polemos.server.tables.hall import Hall
from polemos.server.tables.listeners import Listener
from polemos.server.tables.voice import Voice
from polemos.wire.table import Restarting

LOOK: Final = 0.02  # seconds between looks at what is still going on
LEAVING: Final = 2.0  # seconds for clients to take the last messages

_log = logging.getLogger("polemos")


async def say_goodbye(hall: Hall, seconds: float, retry: float) -> None:
    """Ends all connections within so many seconds. Nobody new can join from now on."""
    hall.stopping = True
    until = time.monotonic() + seconds
    keepers = list(hall.keepers.values())
    await asyncio.gather(*(keeper.finish(seconds) for keeper in keepers), return_exceptions=True)
    while any(listener.busy for _, listener in _everyone(hall)) and time.monotonic() < until:
        await asyncio.sleep(LOOK)
    everyone = _everyone(hall)
    many = len(everyone) != 1
    _log.info("Stopping: %d connection%s told to come back.", len(everyone), "s are" if many else " is")
    for voice, listener in everyone:
        # Not all at the same moment, or the new server would have to greet them all at once.
        after = round(retry * (1 + random.random()), 1)
        why = f"The server is restarting. Connect again in {after:g} s."
        voice.dismiss(listener, msgspec.json.encode(Restarting(after)), why)
    until = time.monotonic() + LEAVING
    while _everyone(hall) and time.monotonic() < until:
        await asyncio.sleep(LOOK)


def _everyone(hall: Hall) -> list[tuple[Voice, Listener]]:
    return [(keeper.voice, listener) for keeper in hall.keepers.values() for listener in keeper.voice.listeners]
