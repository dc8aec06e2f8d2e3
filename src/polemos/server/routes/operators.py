"""For operators: whether the server lives, whether it can serve, and its figures."""

from __future__ import annotations

import asyncio
import hmac
import time
from typing import Any, Final

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from sqlalchemy import select

from polemos.server import metrics
from polemos.server.routes.common import hall, token
from polemos.server.settings import Settings
from polemos.server.store import schema
from polemos.server.store.ledger import Ledger

FRESH: Final = 1.0  # seconds for which an answer of the database counts, so that asking often costs nothing
PATIENCE: Final = 2.0  # seconds for the database to answer


class Readiness:
    """Whether the database answers."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._asking: asyncio.Task[bool] | None = None
        self._asked = -FRESH

    async def of_database(self) -> bool:
        """One question at a time, however many ask; a database that hangs counts as unreachable."""
        if self._asking is None or (self._asking.done() and time.monotonic() - self._asked > FRESH):
            self._asked = time.monotonic()
            self._asking = asyncio.create_task(self._ask())
        try:
            return await asyncio.wait_for(asyncio.shield(self._asking), PATIENCE)
        except TimeoutError:
            return False

    async def _ask(self) -> bool:
        try:
            await self._ledger.fetch(select(schema.beats.c.at).limit(1))
        except Exception:  # whatever it is, the database cannot be used
            return False
        return True


@get("/health", summary="Whether the process is alive", tags=["operators"])
async def health() -> dict[str, str]:
    return {"status": "alive"}


@get("/ready", summary="Whether it can serve: the database answers, and it is not stopping", tags=["operators"])
async def ready(request: Request[Any, Any, Any]) -> Response[dict[str, str]]:
    if hall(request).stopping:
        return Response({"status": "stopping"}, status_code=503)
    readiness: Readiness = request.app.state.readiness
    if not await readiness.of_database():
        return Response({"status": "no database"}, status_code=503)
    return Response({"status": "ready"}, status_code=200)


@get("/metrics", include_in_schema=False)
async def figures(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Figures for Prometheus. To anyone without the token there is nothing here."""
    settings: Settings = request.app.state.settings
    given, wanted = token(request) or "", settings.metrics_token
    if wanted is None or not hmac.compare_digest(given.encode(errors="replace"), wanted.encode()):
        raise NotFoundException("There is nothing at /metrics.")
    return Response(metrics.written(), headers={"Content-Type": metrics.TYPE})


handlers: Final = (health, ready, figures)
