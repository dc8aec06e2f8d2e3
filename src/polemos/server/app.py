"""The server as a whole."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

from litestar import Litestar, Request, Response
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from sqlalchemy.exc import OperationalError

from polemos.kernel.errors import NoSuchGame, PolemosError
from polemos.ladder.challenges import NoSuchChallenge
from polemos.ladder.files import NoFile
from polemos.ladder.group_rules import GroupRefusal, NoSuchGroup
from polemos.ladder.leases import Aside
from polemos.ladder.live import LIVE, Lives
from polemos.ladder.remote import Outdated
from polemos.server import analyses, refusals, shelf
from polemos.server.accounts import Accounts, BadCredentials
from polemos.server.authors.desk import Authors, NotYours
from polemos.server.authors.files import NoRoom, TooLong, TooSlow
from polemos.server.authors.queue import NoSuchBot, NoSuchUpload
from polemos.server.authors.quotas import OverQuota
from polemos.server.authors.tokens import NoToken
from polemos.server.cluster.company import Company
from polemos.server.cluster.handover import Handover
from polemos.server.cluster.membership import Event, Membership
from polemos.server.configuration import inner_address
from polemos.server.figures import Tables
from polemos.server.folder import Claim, secret_in
from polemos.server.kept import KeptFrames
from polemos.server.ladder import running as ladder_running
from polemos.server.ladder.pages import LadderPages
from polemos.server.ladder.search import Search
from polemos.server.limits import Buckets, TooMany
from polemos.server.logs import Traced, path_of
from polemos.server.metrics import REFUSALS
from polemos.server.office.bans import Banned, refuse
from polemos.server.office.duty import Office
from polemos.server.office.pulse import Monitor
from polemos.server.parties.house import House, NoSuchParty, PartyClosed
from polemos.server.parties.links import NoSuchLink
from polemos.server.previews import Drawer, NoPreview
from polemos.server.routes import (
    accounts,
    authors,
    challenges,
    games,
    groups,
    ladder,
    ladder_games,
    ladder_workers,
    operators,
    pages,
    parties,
    previews,
    search,
    tables,
    umpire,
)
from polemos.server.routes import analyses as analysis_routes
from polemos.server.routes import office as office_routes
from polemos.server.routes.authors import SignIn
from polemos.server.routes.bots import bot
from polemos.server.routes.common import Careful, Forbidden, address, limit, office, trusted, visitor
from polemos.server.routes.described import POLICY, Description
from polemos.server.routes.live import live
from polemos.server.routes.operators import Readiness
from polemos.server.settings import Settings
from polemos.server.stopping import say_goodbye
from polemos.server.store import migrate
from polemos.server.store.ledger import Ledger, Moved, Unwritten, connect
from polemos.server.tables.hall import Hall, NoSuchSeat, NoSuchTable
from polemos.server.tables.table import Refusal
from polemos.server.tables.versions import Versions
from polemos.server.thinking import make_thinkers
from polemos.server.work import Visitor, Work
from polemos.wire.records import TooLarge

PAUSE: Final = 0.5  # seconds until a request too many is refused
WARM: Final = 2.0  # seconds until bots' processes are started, unless they are needed before
_log = logging.getLogger("polemos")

# Errors and their HTTP status codes.
STATUS: Final[dict[type[PolemosError], int]] = {
    NoSuchTable: 404,
    NoSuchParty: 404,
    PartyClosed: 410,
    NoSuchGame: 404,
    NoSuchGroup: 404,
    NoSuchChallenge: 404,
    TooMany: 429,
    Forbidden: 403,
    BadCredentials: 403,
    Aside: 403,
    Outdated: 403,
    NoFile: 404,
    Banned: 403,
    NoSuchSeat: 403,
    SignIn: 401,
    NoToken: 401,
    NotYours: 403,
    NoSuchBot: 404,
    NoSuchUpload: 404,
    OverQuota: 409,
    TooLong: 413,
    TooSlow: 408,
    NoRoom: 503,
    NoSuchLink: 403,
    Refusal: 409,
    GroupRefusal: 409,
    TooLarge: 413,
    Unwritten: 503,
    Moved: 503,
    NoPreview: 503,
}


def make_app(settings: Settings, number: int | None = None) -> Litestar:
    """The server for these settings. It opens its database when it starts.

    `number`: of a process that is one of several in the same folder; whoever started it has claimed the folder.
    """
    trusted(settings.behind or "")  # refuses what is not an address at once

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        claim = Claim(settings.folder, settings.url) if number is None else None
        engine = connect(settings.url)
        migrate.upgrade(engine)
        ledger = Ledger(engine)
        app.state.buckets = Buckets(settings.limits)
        app.state.accounts = Accounts(ledger, settings.folder)
        app.state.work = work = Work(app.state.buckets)
        thinkers = make_thinkers(settings.bot_processes, settings.bot_ray)
        member = _member(settings, number, lambda event: app.state.company.hear(event))
        app.state.hall = Hall(
            ledger,
            settings.programs,
            app.state.accounts.sign,
            work,
            thinkers,
            settings.limits,
            member,
            Versions(engine, settings.ladder_home / "bots"),
        )
        app.state.kept = KeptFrames()
        app.state.drawer = Drawer(work)
        app.state.analyses = analyses.make(settings.folder / "analyses", settings.bot_processes)
        app.state.readiness = Readiness(ledger)
        app.state.house = House(ledger, app.state.accounts.sign, is_alone=settings.processes == 1)
        app.state.stop = partial(_stop, app, settings)
        app.state.office = Office(ledger, app.state.accounts, app.state.hall, settings.operators, app.state.house.end)
        app.state.authors = Authors(
            ledger,
            settings.folder / "uploads",
            settings.ladder_home,
            app.state.office.quotas_of,
            times=settings.limits,
            processes=settings.processes,
            toolchains=tuple(part for part in (settings.toolchains or "").split(":") if part),
        )
        if member is not None:
            app.state.company = company = _company(app, member)
            await company.begin(*inner_address(settings, number))
            app.state.handover = company.handover
        await app.state.hall.begin()
        await app.state.house.begin()
        await app.state.office.begin()
        app.state.ladders = ladders = ladder_running.make(settings)
        app.state.ladder_pages = LadderPages(engine, Lives(settings.ladder_home / LIVE))
        app.state.search = Search(engine, app.state.ladder_pages)
        app.state.monitor = Monitor(ledger, app.state.hall, member)
        await app.state.monitor.begin()
        app.state.authors.start(alone=number is None)
        if settings.bot_processes != 0:  # not at once: whoever waits for the server to come back needs the cores
            asyncio.get_running_loop().call_later(WARM, thinkers.warm, shelf.names())
        try:
            with Tables(app.state.hall):
                async with ladder_running.running(ladders, settings, number):
                    if settings.exhibition:
                        from polemos.server import exhibition

                        async with exhibition.running(app.state.hall):
                            yield
                    else:
                        yield
        finally:
            await app.state.authors.close()
            await app.state.analyses.close()
            await app.state.monitor.close()
            await app.state.office.close()
            await app.state.house.close()
            await app.state.hall.close()
            if member is not None:
                await app.state.company.close()
            thinkers.close()
            work.close()
            ledger.close()
            if member is not None:
                await member.leave()  # now that all is on disk
            if claim is not None:
                claim.release()

    return Traced(
        route_handlers=[
            accounts.router,
            authors.router,
            games.router,
            tables.router,
            search.router,
            umpire.router,
            previews.router,
            analysis_routes.router,
            ladder.router,
            ladder_games.router,
            ladder_workers.router,
            *office_routes.routers,
            groups.router,
            challenges.router,
            parties.router,
            live,
            parties.party_live,
            bot,
            *operators.handlers,
            pages.page,
        ],
        lifespan=[running],
        request_class=Careful,
        before_request=_ration,
        after_request=_for_nobody_else,
        exception_handlers={
            PolemosError: _refused,
            HTTPException: _http,
            OperationalError: _unreachable,
            Exception: _broken,
        },
        openapi_config=OpenAPIConfig(
            title="Polemos",
            version="1",
            description="An umpire for war games. Live tables use a WebSocket: see docs/reference/server.md.",
            path="/api/schema",
            render_plugins=[Description(path="/")],
        ),
        request_max_body_size=1 << 20,
        logging_config=None,
        state=State({"settings": settings, "company": None, "handover": None}),
    )


async def _stop(app: Litestar, settings: Settings) -> None:
    await app.state.house.close(settings.retry_seconds)
    await say_goodbye(app.state.hall, settings.stop_seconds, settings.retry_seconds)


def _member(settings: Settings, number: int | None, hear: Callable[[Event], None]) -> Membership | None:
    """This process among those that use the same database; None if only one can."""
    if not settings.url.startswith("postgresql"):
        return None
    place = f"{socket.gethostname()} {settings.folder.resolve()} {number or 0}"[-200:]
    mark = hmac.new(secret_in(settings.folder), b"same secret", hashlib.sha256).hexdigest()
    return Membership(settings.url, place, mark, hear)


def _company(app: Litestar, member: Membership) -> Company:
    assert isinstance(app, Traced)
    state = app.state

    def may_ask(scope: Any) -> bool:
        try:
            limit(ASGIConnection(scope), "requests")
        except TooMany:
            return False
        return True

    def payer(scope: Any) -> Visitor:
        scope.setdefault("litestar_app", app)  # it does not come along from another process
        return visitor(ASGIConnection(scope))

    handover = Handover(state.hall, member, secret_in(state.settings.folder), app.here, may_ask, payer)
    company = Company(member, state.hall, handover, state.accounts)
    state.accounts.also = lambda session: [company.signed_out(session)]
    state.office.also = lambda account: [company.all_signed_out(account)]
    return company


async def _ration(request: Request[Any, Any, Any]) -> None:
    """A refusal comes late, so that a client which tries again at once does not cost more than one that waits."""
    if request.url.path.startswith("/api/"):
        try:
            limit(request, "requests")
        except TooMany:
            await asyncio.sleep(PAUSE)
            raise
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
    if isinstance(error, OverQuota) and error.frees is not None:
        body["frees"] = error.frees  # type: ignore[assignment]
        headers["Retry-After"] = str(max(1, int(error.frees - time.time())))
    if isinstance(error, TooMany):
        body |= {"key": error.key, "seconds": error.seconds}  # type: ignore[dict-item]
        headers["Retry-After"] = str(int(error.seconds) + 1)
    return _for_nobody_else(Response(body, status_code=status, headers=headers, media_type="application/json"))


def _http(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    REFUSALS.labels("request/bad").inc()
    body = {"word": "request/bad", "why": refusals.in_words(request, error)[:1000]}
    return _for_nobody_else(Response(body, status_code=error.status_code, media_type="application/json"))


def _unreachable(request: Request[Any, Any, Any], error: OperationalError) -> Response[Any]:
    """The database is gone for a while, or two transactions waited for each other."""
    _log.error("The database failed: %s: %s", path_of(request.url.path), error)
    return _refused(
        request, Unwritten("Polemos can't reach its database, so nothing was changed. Try again in a few seconds.")
    )


def _broken(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Answers a bug of ours without revealing any details, which go to the log."""
    REFUSALS.labels("server/broken").inc()
    _log.exception("A request failed: %s", path_of(request.url.path), exc_info=error)
    body = {"word": "server/broken", "why": "Something went wrong inside Polemos. The error has been logged."}
    return _for_nobody_else(Response(body, status_code=500, media_type="application/json"))
