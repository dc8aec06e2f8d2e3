"""Runs the engine of the ladders inside a server."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from polemos.ladder.engine import Ladders
from polemos.ladder.players import Processes
from polemos.server import shelf
from polemos.server.ladder.figures import LadderFigures
from polemos.server.settings import Settings
from polemos.server.store.ledger import connect

SHARE: Final = 4  # one of so many cores plays games, unless a setting says otherwise


def places(settings: Settings) -> int:
    """How many games this machine plays at a time."""
    if settings.ladder_workers is not None:
        return settings.ladder_workers
    return max(1, (os.cpu_count() or 1) // SHARE)


def make(settings: Settings) -> Ladders | None:
    """The engine for these settings, with connections of its own; None if this server has no ladder."""
    if not settings.ladder:
        return None
    return Ladders(connect(settings.url), settings.ladder_home, games=shelf.names(), limits=settings.limits)


@asynccontextmanager
async def running(ladders: Ladders | None, settings: Settings, number: int | None) -> AsyncIterator[None]:
    """Games are played by the first process of a machine; any can be the one that pairs and rates."""
    if ladders is None:
        yield
        return
    count = places(settings) if not number else 0
    try:
        ladders.start(Processes(count) if count else None, socket.gethostname()[:80])
        with LadderFigures(ladders):
            yield
    finally:
        await asyncio.to_thread(ladders.stop)
        ladders.engine.dispose()
