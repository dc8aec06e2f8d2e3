"""Tables: opening them, taking seats, positions, records."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from polemos.kernel import replay
from polemos.kernel.match import AnyMatch
from polemos.server.routes.common import account, guard_change, hall, limit, office, player_name, refuse_seat, token
from polemos.server.tables import audience, paper
from polemos.server.tables.hall import NoSuchTable
from polemos.server.tables.table import Refusal, Table
from polemos.wire import frames as wire_frames
from polemos.wire.records import TooLarge
from polemos.wire.table import Frame, JoinCrew, OpenTable, Record, Seated, TableCard, TakeSeat

MAX_FRAMES: Final = 200  # in one answer
MAX_RECORD: Final = 64 << 20  # bytes
MAX_ANSWER: Final = (
    4 << 20
)  # bytes of packed frames, after which a client must ask again: it may want to draw in between


@get("/tables", summary="Tables that everyone can see")
async def tables(
    request: Request[Any, Any, Any],
    game: FromQuery[str | None] = None,
    status: FromQuery[Literal["open", "sealed", "playing", "paused", "over"] | None] = None,
) -> list[TableCard]:
    return hall(request).cards(game, status)


@post("/tables", summary="Open a table", status_code=201)
async def open_table(request: Request[Any, Any, Any], data: JSONBody[OpenTable]) -> Seated:
    """The answer contains the secret of the opener's seat. It is sent only once."""
    guard_change(request)
    limit(request, "tables")
    who = await account(request)
    office(request).check_quotas(who, sum(spec.kind == "bot" for spec in data.seats.values()))
    name = await player_name(request, data.name, who)
    return await hall(request).open(msgspec.structs.replace(data, name=name), None if who is None else who.id)


@get("/tables/{id:str}", summary="One table")
async def table(request: Request[Any, Any, Any], id: FromPath[str]) -> TableCard:
    keeper = await hall(request).find(id)
    return audience.card(keeper.table, await _seat(request, id), keeper.voice.watching, keeper.voice.here)


@post("/tables/{id:str}/seats", summary="Take a seat", status_code=201)
async def take(request: Request[Any, Any, Any], id: FromPath[str], data: JSONBody[TakeSeat]) -> Seated:
    guard_change(request)
    limit(request, "tables")
    who = await account(request)
    office(request).check_quotas(who)
    name = await player_name(request, data.name, who)
    return await hall(request).take(id, data.seat, name, None if who is None else who.id)


@post("/tables/{id:str}/crew", summary="Join someone's seat through its link", status_code=201)
async def join_crew(request: Request[Any, Any, Any], id: FromPath[str], data: JSONBody[JoinCrew]) -> Seated:
    """In games with roles. The answer contains this person's own secret."""
    guard_change(request)
    limit(request, "tables")
    who = await account(request)
    office(request).check_quotas(who)
    name = await player_name(request, data.name, who)
    return await hall(request).join_crew(id, data.link, name, None if who is None else who.id)


@post("/tables/{id:str}/rematch", summary="Open the same table again", status_code=201)
async def rematch(request: Request[Any, Any, Any], id: FromPath[str]) -> Seated:
    guard_change(request)
    limit(request, "tables")
    who = await account(request)
    seat, member = await hall(request).place_of(id, token(request), None if who is None else who.id)
    if seat is None:
        raise Refusal("Only players at this table can ask for a rematch.")
    keeper = await hall(request).find(id)
    refuse_seat(request, keeper.table, seat, member)
    office(request).check_quotas(who, len(keeper.table.of_kind("bot")))
    return await hall(request).rematch(keeper, seat, member)


@get("/tables/{id:str}/frames", summary="Positions as this seat, or a spectator, saw them")
async def frames(
    request: Request[Any, Any, Any],
    id: FromPath[str],
    begin: Annotated[int, QueryParameter(name="from", ge=0, le=10_000_000)] = 0,
    end: Annotated[int, QueryParameter(name="to", ge=0, le=10_000_000)] = MAX_FRAMES,
    packed: FromQuery[bool] = False,
    boards: FromQuery[str | None] = None,
) -> list[Frame]:
    """Packed frames of large matches take a quarter of the bytes; an answer with them ends after a few megabytes.

    With `boards=a,b`, frames of any other game include a picture of the position.
    """
    limit(request, "frames")
    seat = await _seat(request, id)
    table = (await hall(request).find(id)).table
    most = MAX_ANSWER if packed else None
    return await _frames(
        table.match,
        audience.eyes(table, seat),
        begin,
        min(end, begin + MAX_FRAMES),
        how=(packed, wire_frames.is_pictured(table.game, boards)),
        enough=most,
    )


@get("/tables/{id:str}/record", summary="The whole match as this seat, or a spectator, saw it")
async def record(
    request: Request[Any, Any, Any],
    id: FromPath[str],
    packed: FromQuery[bool] = False,
    boards: FromQuery[str | None] = None,
) -> Record:
    limit(request, "records")
    seat = await _seat(request, id)
    table = (await hall(request).find(id)).table
    match, who = table.match, audience.eyes(table, seat)
    how = packed, wire_frames.is_pictured(match.game, boards)
    made = await _frames(match, who, 0, len(match.steps) + 1, how=how)
    return wire_frames.record(match, who, table.wish.title, _players(table), made)


@get("/tables/{id:str}/replay.jsonl.gz", summary="The replay, after the end", media_type="application/gzip")
async def replay_file(request: Request[Any, Any, Any], id: FromPath[str]) -> Response[bytes]:
    limit(request, "records")
    keeper = await hall(request).find(id)
    if keeper.table.status != "over":
        raise Refusal(
            "The replay contains everyone's orders and the key of the dice. You can download it once the match is over."
        )
    data = await asyncio.to_thread(_replay_bytes, keeper.table)
    return Response(
        data,
        media_type="application/gzip",
        headers={"Content-Disposition": f'attachment; filename="{keeper.table.game.name}-{id}.jsonl.gz"'},
    )


@get("/tables/{id:str}/orders.txt", summary="All orders as text, after the end", media_type="text/plain")
async def orders(request: Request[Any, Any, Any], id: FromPath[str]) -> Response[str]:
    """Needs no rules: it can also be read if the match was played under an older edition of the game."""
    limit(request, "records")
    text = await asyncio.to_thread(paper.written, hall(request).ledger, id[:24])
    if text is None:
        raise NoSuchTable(f"There is no table {id[:24]!r}.")
    return Response(text, media_type="text/plain; charset=utf-8")


async def _frames(
    match: AnyMatch, who: str, begin: int, end: int, *, how: tuple[bool, bool], enough: int | None = None
) -> list[Any]:
    """Frames as they will be sent, built one at a time so that nobody else has to wait. `how`: packed, pictured.

    Meanwhile the match may go on, or a turn may be taken back. Once there are `enough` bytes, the answer ends early.
    """
    found: list[msgspec.Raw] = []
    size = 0
    for number in range(begin, end):
        if number > len(match.steps):
            break
        found.append(wire_frames.written_frame(match, number, who, *how))
        size += len(bytes(found[-1]))
        if enough is not None and size > enough:
            break
        if size > MAX_RECORD:
            raise TooLarge("This is too much for one answer. Ask for fewer frames at a time.")
        await asyncio.sleep(0)
    return found


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
    route_handlers=[tables, open_table, table, take, join_crew, rematch, frames, record, replay_file, orders],
    tags=["tables"],
)
