"""The operator's page as requests; reports and announcements, for everyone.

To anyone who isn't an operator there is nothing here. What operators do goes through `polemos.server.office`, as the
commands do.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any, Final, Literal

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.connection import ASGIConnection
from litestar.exceptions import NotFoundException
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, FromQuery, JSONBody
from sqlalchemy import insert
from sqlalchemy.exc import SQLAlchemyError

from polemos import __version__
from polemos.server.office import ladders, lists
from polemos.server.office.health import health as whole_health
from polemos.server.office.health import own
from polemos.server.office.pulse import Monitor
from polemos.server.routes.common import (
    account,
    address,
    guard_change,
    hall,
    limit,
    network,
    office,
    token,
)
from polemos.server.store import schema
from polemos.server.store.ledger import Unwritten
from polemos.server.tables.table import Refusal
from polemos.server.words import tidy
from polemos.wire.ladder import LadderHealth
from polemos.wire.office import (
    AuditRow,
    BanRow,
    BotRow,
    Deed,
    Health,
    Notice,
    PartyRow,
    PersonRow,
    Report,
    ReportRow,
    Summary,
    TableRow,
)

MAX_OPEN: Final = 500  # reports that nobody has dealt with
MAX_EXPORTED: Final = 10_000  # acts in one answer; the command exports all of them


async def for_operators(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Runs before the request is read. Changes must come from our page, as everywhere."""
    limit(connection, "requests")
    if not office(connection).is_operator(await account(connection)):
        raise NotFoundException(f"There is nothing at {connection.url.path[:80]}.")
    if not isinstance(connection, Request) or connection.method not in ("GET", "HEAD"):
        guard_change(connection)


# ---- lists


@get("/")
async def summary(request: Request[Any, Any, Any]) -> Summary:
    read, keepers = hall(request).ledger.read, hall(request).keepers.values()
    accounts = await asyncio.to_thread(lists.count, read, schema.accounts)
    waiting = await asyncio.to_thread(lists.count, read, schema.reports, schema.reports.c.done.is_(None))
    return Summary(
        version=__version__,
        accounts=accounts,
        here=sum(len(keeper.voice.listeners) for keeper in keepers),
        tables=dict(Counter(keeper.table.status for keeper in keepers)),
        reports=waiting,
        quotas=office(request).quotas,
    )


@get("/health")
async def health(request: Request[Any, Any, Any]) -> Health:
    """If the database doesn't answer, what this process knows of itself."""
    try:
        return await asyncio.to_thread(whole_health, hall(request).ledger.read)
    except SQLAlchemyError:
        monitor: Monitor = request.app.state.monitor
        return own(monitor.process, monitor.pulse)


@get("/ladder")
async def ladder(request: Request[Any, Any, Any]) -> LadderHealth:
    return await asyncio.to_thread(ladders.health, hall(request).ledger.read)


@get("/people")
async def people(request: Request[Any, Any, Any], text: FromQuery[str] = "") -> list[PersonRow]:
    return await asyncio.to_thread(lists.people, hall(request).ledger.read, text[:200], office(request).named)


@get("/tables")
async def tables(
    request: Request[Any, Any, Any],
    game: FromQuery[str | None] = None,
    status: FromQuery[Literal["open", "sealed", "playing", "paused", "over"] | None] = None,
    player: FromQuery[str] = "",
) -> list[TableRow]:
    """Operators watch a table as spectators do: nothing here shows more of a match."""
    return await asyncio.to_thread(lists.tables, hall(request).ledger.read, game, status, player[:200])


@get("/parties")
async def parties(request: Request[Any, Any, Any]) -> list[PartyRow]:
    return await asyncio.to_thread(lists.parties, hall(request).ledger.read)


@get("/bots")
async def bots(request: Request[Any, Any, Any]) -> list[BotRow]:
    return await asyncio.to_thread(lists.bots, hall(request).ledger.read)


@get("/reports")
async def reports(request: Request[Any, Any, Any], done: FromQuery[bool] = False) -> list[ReportRow]:
    return await asyncio.to_thread(lambda: lists.reports(hall(request).ledger.read, done=done))


@get("/bans")
async def bans(request: Request[Any, Any, Any]) -> list[BanRow]:
    return [ban for _, ban in await asyncio.to_thread(lists.bans, hall(request).ledger.read)]


@get("/audit")
async def audit(request: Request[Any, Any, Any], before: FromQuery[int | None] = None) -> list[AuditRow]:
    return await asyncio.to_thread(lists.audit, hall(request).ledger.read, before)


@get("/audit.jsonl", media_type="application/jsonl")
async def exported(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The last acts of operators as JSON lines, the oldest first."""
    rows = await asyncio.to_thread(lists.audit, hall(request).ledger.read, None, MAX_EXPORTED)
    data = b"".join(msgspec.json.encode(row) + b"\n" for row in reversed(rows))
    name = 'attachment; filename="audit.jsonl"'
    return Response(data, media_type="application/jsonl", headers={"Content-Disposition": name})


# ---- deeds


@post("/deeds", status_code=200)
async def deeds(request: Request[Any, Any, Any], data: JSONBody[Deed]) -> dict[str, bool]:
    who = await account(request)
    assert who is not None  # the guard has seen to that
    await office(request).do(who, address(request), data)
    return {"done": True}


# ---- for everyone


@get("/notices", summary="Announcements from the operators")
async def notices(request: Request[Any, Any, Any]) -> list[Notice]:
    return office(request).notices


@post("/tables/{id:str}/reports", summary="Report something to the operators", status_code=201)
async def report(request: Request[Any, Any, Any], id: FromPath[str], data: JSONBody[Report]) -> dict[str, bool]:
    """Lines of chat are named by their numbers, so nobody can make up what others said."""
    guard_change(request)
    limit(request, "reports", network(address(request)))
    who, keeper = await account(request), await hall(request).find(id)
    seat, member = await hall(request).place_of(id, token(request), None if who is None else who.id)
    text = tidy(data.text, 500)
    if not text:
        raise Refusal("Say what is wrong.")
    table = keeper.table
    if data.seat is not None and data.seat not in table.seats:
        raise Refusal(f"There is no seat {data.seat!r} here. The seats are {', '.join(table.seats)}.")
    ledger = hall(request).ledger
    if await asyncio.to_thread(lists.count, ledger.read, schema.reports, schema.reports.c.done.is_(None)) >= MAX_OPEN:
        raise Refusal("There are too many reports already. Try again later.")
    about = None if data.seat is None else table.seats[data.seat]
    by = who.name if who is not None else "a spectator" if seat is None else f"{table.name_of(seat, member)} (guest)"
    there = () if data.seat is None else keeper.voice.listeners
    row = {
        "at": time.time(),
        "table_id": table.id,
        "by": by[:60],
        "about": data.about,
        "target": "" if about is None else f"{about.player[:40]} ({data.seat})"[:60],
        "address": next((network(one.address) for one in there if one.seat == data.seat and one.address), ""),
        "text": text,
        "lines": msgspec.json.encode([line for line in keeper.papers.talk_for(seat) if line.number in data.lines]),
    }
    try:
        await ledger.write(insert(schema.reports).values(row))
    except Exception:
        raise Unwritten("Polemos could not save this, so nothing was changed. Try again later.") from None
    return {"reported": True}


routers: Final = (
    Router(
        "/api/operator",
        route_handlers=[summary, health, ladder, people, tables, parties, bots, reports, bans, audit, exported, deeds],
        guards=[for_operators],
        include_in_schema=False,
    ),
    Router("/api", route_handlers=[notices, report], tags=["tables"]),
)
