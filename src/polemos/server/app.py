"""The server as a whole."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

from litestar import Litestar, Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig

from polemos.kernel.errors import NoSuchGame, PolemosError
from polemos.server import refusals
from polemos.server.accounts import Accounts, BadCredentials
from polemos.server.figures import Tables
from polemos.server.folder import Claim
from polemos.server.limits import Buckets, TooMany
from polemos.server.logs import Traced, path_of
from polemos.server.metrics import REFUSALS
from polemos.server.office.bans import Banned, refuse
from polemos.server.office.duty import Office
from polemos.server.previews import Drawer, NoPreview
from polemos.server.routes import accounts, games, operators, pages, previews, tables, umpire
from polemos.server.routes import office as office_routes
from polemos.server.routes.bots import bot
from polemos.server.routes.common import Careful, Forbidden, address, limit, office, trusted
from polemos.server.routes.described import POLICY, Description
from polemos.server.routes.live import live
from polemos.server.routes.operators import Readiness
from polemos.server.settings import Settings
from polemos.server.stopping import say_goodbye
from polemos.server.store import migrate
from polemos.server.store.ledger import Ledger, Unwritten, connect
from polemos.server.tables.hall import Hall, NoSuchSeat, NoSuchTable
from polemos.server.tables.table import Refusal
from polemos.wire.records import TooLarge

_log = logging.getLogger("polemos")

# Errors and their HTTP status codes.
STATUS: Final[dict[type[PolemosError], int]] = {
    NoSuchTable: 404,
    NoSuchGame: 404,
    TooMany: 429,
    Forbidden: 403,
    BadCredentials: 403,
    Banned: 403,
    NoSuchSeat: 403,
    Refusal: 409,
    TooLarge: 413,
    Unwritten: 503,
    NoPreview: 503,
}


def make_app(settings: Settings) -> Litestar:
    """The server for these settings. It opens its database when it starts."""
    trusted(settings.behind or "")  # refuses what is not an address at once

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        claim = Claim(settings.folder, settings.url)
        engine = connect(settings.url)
        migrate.upgrade(engine)
        ledger = Ledger(engine)
        app.state.buckets = Buckets(settings.limits)
        app.state.accounts = Accounts(ledger, settings.folder)
        app.state.hall = Hall(ledger, settings.programs, app.state.accounts.sign)
        app.state.drawer = Drawer()
        app.state.readiness = Readiness(ledger)
        app.state.stop = partial(say_goodbye, app.state.hall, settings.stop_seconds, settings.retry_seconds)
        app.state.office = Office(ledger, app.state.accounts, app.state.hall, settings.operators)
        await app.state.hall.begin()
        await app.state.office.begin()
        try:
            with Tables(app.state.hall):
                if settings.exhibition:
                    from polemos.server import exhibition

                    async with exhibition.running(app.state.hall):
                        yield
                else:
                    yield
        finally:
            await app.state.office.close()
            await app.state.hall.close()
            ledger.close()
            claim.release()

    return Traced(
        route_handlers=[
            accounts.router,
            games.router,
            tables.router,
            umpire.router,
            previews.router,
            *office_routes.routers,
            live,
            bot,
            *operators.handlers,
            pages.page,
        ],
        lifespan=[running],
        request_class=Careful,
        before_request=_ration,
        after_request=_for_nobody_else,
        exception_handlers={PolemosError: _refused, HTTPException: _http, Exception: _broken},
        openapi_config=OpenAPIConfig(
            title="Polemos",
            version="1",
            description="An umpire for war games. Live tables use a WebSocket: see docs/reference/server.md.",
            path="/api/schema",
            render_plugins=[Description(path="/")],
        ),
        request_max_body_size=1 << 20,
        logging_config=None,
        state=State({"settings": settings}),
    )


def _ration(request: Request[Any, Any, Any]) -> None:
    if request.url.path.startswith("/api/"):
        limit(request, "requests")
        refuse(office(request).bans.of_address(address(request)))


def _for_nobody_else(response: Response[Any]) -> Response[Any]:
    """Forbids caching, because answers may show what one seat sees, unless an answer allows it itself."""
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Content-Security-Policy", POLICY)
    return response


def _refused(request: Request[Any, Any, Any], error: PolemosError) -> Response[Any]:
    """Answers an error that Polemos raised on purpose, in its own words."""
    REFUSALS.labels(error.word).inc()
    status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 422)
    body = {"word": error.word, "why": error.why}
    if error.rule is not None:
        body["rule"] = error.rule
    headers = {}
    if isinstance(error, TooMany):
        body |= {"key": error.key, "seconds": error.seconds}  # type: ignore[dict-item]
        headers["Retry-After"] = str(int(error.seconds) + 1)
    return _for_nobody_else(Response(body, status_code=status, headers=headers, media_type="application/json"))


def _http(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    REFUSALS.labels("request/bad").inc()
    body = {"word": "request/bad", "why": refusals.in_words(request, error)[:1000]}
    return _for_nobody_else(Response(body, status_code=error.status_code, media_type="application/json"))


def _broken(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Answers a bug of ours without revealing any details, which go to the log."""
    REFUSALS.labels("server/broken").inc()
    _log.exception("A request failed: %s", path_of(request.url.path), exc_info=error)
    body = {"word": "server/broken", "why": "Something went wrong inside Polemos. The error has been logged."}
    return _for_nobody_else(Response(body, status_code=500, media_type="application/json"))
