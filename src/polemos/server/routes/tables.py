"""Tables: opening, sitting down, positions, records."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any, Literal

from litestar import Request, Response, Router, get, post
from litestar.params import Parameter

from polemos.kernel import replay
from polemos.server.routes.common import account, guard_change, hall, limit, token
from polemos.server.tables import audience
from polemos.server.tables.table import Refusal, Table
from polemos.wire.table import Frame, OpenTable, Record, Seated, TableCard, TakeSeat

MOST_FRAMES = 200  # of one answer


@get("/tables", summary="Tables that everybody may see")
async def tables(
    request: Request[Any, Any, Any],
    game: str | None = None,
    status: Literal["open", "playing", "paused", "over"] | None = None,
) -> list[TableCard]:
    return hall(request).cards(game, status)


@post("/tables", summary="Open a table", status_code=201)
async def open_table(request: Request[Any, Any, Any], data: OpenTable) -> Seated:
    """The answer holds the secret of the opener's seat. It is told once."""
    guard_change(request)
    limit(request, "tables")
    who = await account(request)
    return await hall(request).open(data, None if who is None else who.id, "" if who is None else who.name)


@get("/tables/{id:str}", summary="One table")
async def table(request: Request[Any, Any, Any], id: str) -> TableCard:
    keeper = await hall(request).find(id)
    return audience.card(keeper.table, await _seat(request, id), keeper.watching, keeper.here)


@post("/tables/{id:str}/seats", summary="Take a seat", status_code=201)
async def take(request: Request[Any, Any, Any], id: str, data: TakeSeat) -> Seated:
    guard_change(request)
    limit(request, "tables")
    who = await account(request)
    name = data.name or ("" if who is None else who.name)
    return await hall(request).take(id, data.seat, name, None if who is None else who.id)


@post("/tables/{id:str}/rematch", summary="Open the same table once more", status_code=201)
async def rematch(request: Request[Any, Any, Any], id: str) -> Seated:
    guard_change(request)
    limit(request, "tables")
    seat = await _seat(request, id)
    if seat is None:
        raise Refusal("Only those at the table ask for a rematch.")
    return await hall(request).rematch(await hall(request).find(id), seat)


@get("/tables/{id:str}/frames", summary="Positions as this seat, or a spectator, saw them")
async def frames(
    request: Request[Any, Any, Any],
    id: str,
    begin: int = Parameter(query="from", default=0, ge=0, le=10_000_000),
    end: int = Parameter(query="to", default=MOST_FRAMES, ge=0, le=10_000_000),
) -> list[Frame]:
    keeper = await hall(request).find(id)
    who = audience.eyes(keeper.table, await _seat(request, id))
    return audience.frames(keeper.table.match, who, begin, min(end, begin + MOST_FRAMES))


@get("/tables/{id:str}/record", summary="The whole match as this seat, or a spectator, saw it")
async def record(request: Request[Any, Any, Any], id: str) -> Record:
    keeper = await hall(request).find(id)
    who = audience.eyes(keeper.table, await _seat(request, id))
    return await asyncio.to_thread(
        audience.record, keeper.table.match, who, keeper.table.wish.title, _players(keeper.table)
    )


@get("/tables/{id:str}/replay.jsonl.gz", summary="The replay, after the end", media_type="application/gzip")
async def replay_file(request: Request[Any, Any, Any], id: str) -> Response[bytes]:
    keeper = await hall(request).find(id)
    if keeper.table.status != "over":
        raise Refusal("The replay holds everybody's orders and the key of the dice: it can be had after the end.")
    data = await asyncio.to_thread(_replay_bytes, keeper.table)
    return Response(
        data,
        media_type="application/gzip",
        headers={"Content-Disposition": f'attachment; filename="{keeper.table.game.name}-{id}.jsonl.gz"'},
    )


async def _seat(request: Request[Any, Any, Any], id: str) -> str | None:
    who = await account(request)
    return await hall(request).seat_of(id, token(request), None if who is None else who.id)


def _players(table: Table) -> dict[str, str]:
    return {seat: "" if sitter is None else sitter.player for seat, sitter in table.seats.items()}


def _replay_bytes(table: Table) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "replay.jsonl.gz"
        replay.write(path, table.match, _players(table))
        return path.read_bytes()


router = Router(
    "/api",
    route_handlers=[tables, open_table, table, take, rematch, frames, record, replay_file],
    tags=["tables"],
)
