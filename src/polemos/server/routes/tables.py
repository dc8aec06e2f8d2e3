"""Tables: opening them, taking seats, positions, records."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.response import Stream

from polemos.kernel import replay
from polemos.server.kept import KeptFrames
from polemos.server.limits import TooMany
from polemos.server.routes.common import (
    account,
    company,
    guard_change,
    hall,
    limit,
    office,
    owner,
    player_name,
    refuse_seat,
    token,
    visitor,
    work,
)
from polemos.server.tables import audience, paper
from polemos.server.tables.hall import NoSuchTable
from polemos.server.tables.table import Refusal, Table
from polemos.server.work import Rank, Usual
from polemos.wire import frames as wire_frames
from polemos.wire.records import TooLarge
from polemos.wire.table import Frame, JoinCrew, OpenTable, Record, Seated, TableCard, TakeSeat

MAX_FRAMES: Final = 200  # in one answer
MAX_RECORD: Final = 64 << 20  # bytes
WAIT: Final = 0.2  # seconds until the next try of somebody who has too much waiting
MAX_ANSWER: Final = (
    4 << 20
)  # bytes of packed frames, after which a client must ask again: it may want to draw in between


@get("/tables", summary="Tables that everyone can see")
async def tables(
    request: Request[Any, Any, Any],
    game: FromQuery[str | None] = None,
    status: FromQuery[Literal["open", "sealed", "playing", "paused", "over"] | None] = None,
) -> list[TableCard]:
    return await listed(request, game, status)


async def listed(request: Request[Any, Any, Any], game: str | None, status: str | None) -> list[TableCard]:
    """The public list, of all processes."""
    others, paying = company(request), visitor(request)
    work(request).check(paying)
    if others is None:
        return work(request).here(paying, Usual(), hall(request).cards, game, status)
    return await others.cards(game, status)


@post("/tables", summary="Open a table", status_code=201)
async def open_table(request: Request[Any, Any, Any], data: JSONBody[OpenTable]) -> Seated:
    """The answer contains the secret of the opener's seat. It is sent only once."""
    guard_change(request)
    limit(request, "tables")
    who = await account(request)
    name = await player_name(request, data.name, who)
    own = None if who is None else who.id
    async with office(request).within_quotas(who, sum(spec.kind == "bot" for spec in data.seats.values())):
        return await hall(request).open(msgspec.structs.replace(data, name=name), own, owner(request))


@get("/tables/{id:str}", summary="One table")
async def table(request: Request[Any, Any, Any], id: FromPath[str]) -> TableCard:
    keeper = await hall(request).find(id, visitor(request))
    return audience.card(keeper.table, await _seat(request, id), keeper.voice.watching, keeper.voice.here)


@post("/tables/{id:str}/seats", summary="Take a seat", status_code=201)
async def take(request: Request[Any, Any, Any], id: FromPath[str], data: JSONBody[TakeSeat]) -> Seated:
    guard_change(request)
    limit(request, "tables")
    who = await account(request)
    name = await player_name(request, data.name, who)
    async with office(request).within_quotas(who):
        return await hall(request).take(id, data.seat, name, None if who is None else who.id)


@post("/tables/{id:str}/crew", summary="Join someone's seat through its link", status_code=201)
async def join_crew(request: Request[Any, Any, Any], id: FromPath[str], data: JSONBody[JoinCrew]) -> Seated:
    """In games with roles. The answer contains this person's own secret."""
    guard_change(request)
    limit(request, "tables")
    who = await account(request)
    name = await player_name(request, data.name, who)
    async with office(request).within_quotas(who):
        return await hall(request).join_crew(id, data.link, name, None if who is None else who.id)


@post("/tables/{id:str}/rematch", summary="Open the same table again", status_code=201)
async def rematch(request: Request[Any, Any, Any], id: FromPath[str]) -> Seated:
    guard_change(request)
    limit(request, "tables")
    who = await account(request)
    seat, member = await hall(request).place_of(id, token(request), None if who is None else who.id, visitor(request))
    if seat is None:
        raise Refusal("Only players at this table can ask for a rematch.")
    keeper = await hall(request).find(id, visitor(request))
    refuse_seat(request, keeper.table, seat, member)
    async with office(request).within_quotas(who, len(keeper.table.of_kind("bot"))):
        return await hall(request).rematch(keeper, seat, member, owner(request))


@post("/tables/{id:str}/dismissal", summary="Give up a game against bots", status_code=204)
async def dismiss(request: Request[Any, Any, Any], id: FromPath[str]) -> None:
    """It counts as resigned. Only the first person in a seat can do this, and only if all other seats have bots."""
    guard_change(request)
    limit(request, "tables")
    who = await account(request)
    seat, member = await hall(request).place_of(id, token(request), None if who is None else who.id, visitor(request))
    if seat is None or member:
        raise Refusal("Only the player at this table can dismiss it.")
    keeper = await hall(request).find(id, visitor(request))
    refuse_seat(request, keeper.table, seat, member)
    await hall(request).dismiss(keeper, seat)


@get("/tables/{id:str}/frames", summary="Positions as this seat, or a spectator, saw them")
async def frames(
    request: Request[Any, Any, Any],
    id: FromPath[str],
    begin: Annotated[int, QueryParameter(name="from", ge=0, le=10_000_000)] = 0,
    end: Annotated[int, QueryParameter(name="to", ge=0, le=10_000_000)] = MAX_FRAMES,
    packed: FromQuery[bool] = False,
    boards: FromQuery[str | None] = None,
    small: FromQuery[bool] = False,
) -> list[Frame]:
    """Packed frames of large matches take a quarter of the bytes; an answer with them ends after a few megabytes.

    With `boards=a,b`, frames of any other game include a picture of the position; with `small` of the board alone.
    """
    limit(request, "frames")
    seat = await _seat(request, id)
    table = (await hall(request).find(id, visitor(request))).table
    most = MAX_ANSWER if packed else None
    return await _frames(
        request,
        table,
        audience.eyes(table, seat),
        begin,
        min(end, begin + MAX_FRAMES),
        how=(packed, wire_frames.is_pictured(table.game, boards), small),
        enough=most,
    )


@get(
    "/tables/{id:str}/record",
    summary="The whole match as this seat, or a spectator, saw it",
    media_type="application/json",
    responses={200: ResponseSpec(Record, description="The match")},
)
async def record(
    request: Request[Any, Any, Any],
    id: FromPath[str],
    packed: FromQuery[bool] = False,
    boards: FromQuery[str | None] = None,
) -> Stream:
    """It is sent while it is being made, so that a long match takes no memory."""
    limit(request, "records")
    seat = await _seat(request, id)
    table = (await hall(request).find(id, visitor(request))).table
    match, who = table.match, audience.eyes(table, seat)
    how = packed, wire_frames.is_pictured(match.game, boards)
    work(request).check(visitor(request))
    around = wire_frames.record(match, who, table.wish.title, _players(table), ())
    made = _few_by_few(request, table, who, range(len(match.steps) + 1), how)
    return Stream(_written(around, made), media_type="application/json")


async def _written(around: Record, made: AsyncIterator[list[msgspec.Raw]]) -> AsyncIterator[bytes]:
    """A record as JSON, piece by piece: everything else first, then the frames."""
    others = {name: value for name, value in msgspec.structs.asdict(around).items() if name != "frames"}
    yield msgspec.json.encode(others)[:-1] + b',"frames":['
    comma = b""
    async for some in made:
        yield comma + b",".join(bytes(one) for one in some)
        comma = b","
    yield b"]}"


@get("/tables/{id:str}/replay.jsonl.gz", summary="The replay, after the end", media_type="application/gzip")
async def replay_file(request: Request[Any, Any, Any], id: FromPath[str]) -> Response[bytes]:
    limit(request, "records")
    keeper = await hall(request).find(id, visitor(request))
    if keeper.table.status != "over":
        raise Refusal(
            "The replay contains everyone's orders and the key of the dice. You can download it once the match is over."
        )
    paying = visitor(request)
    work(request).check(paying)
    data = await work(request).run(paying, Rank.RECORDS, replay_bytes, keeper.table)
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
    request: Request[Any, Any, Any],
    table: Table,
    who: str,
    begin: int,
    end: int,
    *,
    how: tuple[bool, ...],
    enough: int | None = None,
) -> list[Any]:
    """Frames as they will be sent, a few at a time so that nobody else has to wait. `how`: packed, pictured, small.

    Once there are `enough` bytes, the answer ends early.
    """
    found: list[msgspec.Raw] = []
    size = 0
    work(request).check(visitor(request))
    async for some in _few_by_few(request, table, who, range(begin, min(end, len(table.match.steps) + 1)), how):
        for one in some:
            found.append(one)
            size += len(bytes(one))
            if enough is not None and size > enough:
                return found
            if size > MAX_RECORD:
                raise TooLarge("This is too much for one answer. Ask for fewer frames at a time.")
    return found


async def _few_by_few(
    request: Request[Any, Any, Any], table: Table, who: str, numbers: range, how: tuple[bool, ...]
) -> AsyncIterator[list[msgspec.Raw]]:
    """Builds frames in a thread, after whatever is more urgent and in turns with others who want some."""
    paying = visitor(request)
    kept: KeptFrames = request.app.state.kept
    while numbers:
        try:
            some = await work(request).run(paying, Rank.RECORDS, kept.some, table, who, numbers, how)
        except TooMany:  # the answer has begun, so that it is too late to refuse it
            await asyncio.sleep(WAIT)
            continue
        yield some
        numbers = numbers[len(some) :]


async def _seat(request: Request[Any, Any, Any], id: str) -> str | None:
    who = await account(request)
    return await hall(request).seat_of(id, token(request), None if who is None else who.id, visitor(request))


def _players(table: Table) -> dict[str, str]:
    return {seat: "" if sitter is None else sitter.player for seat, sitter in table.seats.items()}


def replay_bytes(table: Table) -> bytes:
    """The replay of a match that is over, as a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "replay.jsonl.gz"
        replay.write(path, table.match, _players(table))
        return path.read_bytes()


router = Router(
    "/api",
    route_handlers=[tables, open_table, table, take, join_crew, rematch, dismiss, frames, record, replay_file, orders],
    tags=["tables"],
)
