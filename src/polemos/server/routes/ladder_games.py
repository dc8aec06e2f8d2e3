"""Games between bots: the page, the record for the viewer, the replay, one's own logs."""

from __future__ import annotations

import asyncio
import gzip
from functools import partial
from pathlib import Path
from typing import Any, Final

from litestar import Request, Response, Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from polemos.ladder.files import Replays
from polemos.ladder.ladders import Ladder
from polemos.server.authors.desk import Authors
from polemos.server.routes.common import Forbidden, account, limit
from polemos.server.routes.ladder import ladder_pages, readable
from polemos.server.routes.umpire import adjudicated
from polemos.wire.ladder import GamePage, LadderGame
from polemos.wire.records import record_of
from polemos.wire.table import Record

MAX_LOG: Final = 2 << 20  # bytes
# A worker drew it. As a picture it can do nothing; nor can it when somebody opens its address.
AS_PICTURE: Final = {
    "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, max-age=3",
}
FOREVER: Final = {"Cache-Control": "private, max-age=604800, immutable"}  # the last position does not change


@get("/", summary="A game between bots")
async def page(request: Request[Any, Any, Any], id: FromPath[int]) -> GamePage:
    game, ladder = await _found(request, id)
    who = await account(request)
    number = None if who is None else who.id
    return await asyncio.to_thread(ladder_pages(request).game_page, game, ladder, number)


@get("/board.svg", summary="The board of a game: as it is now, or its last position", media_type="image/svg+xml")
async def board(request: Request[Any, Any, Any], id: FromPath[int]) -> Response[str]:
    game, _ = await _found(request, id)
    if game.state == "done":
        digest = await asyncio.to_thread(ladder_pages(request).replay, id)
        path = None if digest is None else _replays(request).board(digest)
        drawn = None if path is None or not path.exists() else await asyncio.to_thread(_picture, path)
        headers = AS_PICTURE | FOREVER
    else:
        drawn, headers = await asyncio.to_thread(ladder_pages(request).board, game), AS_PICTURE
    if drawn is None:
        raise NotFoundException("There is no picture of this game: it has not begun, or is too old.")
    return Response(drawn, media_type="image/svg+xml", headers=headers)


def _picture(path: Path) -> str:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read()


@get("/record", summary="The whole game, adjudicated again, for the viewer")
async def record(
    request: Request[Any, Any, Any],
    id: FromPath[int],
    packed: FromQuery[bool] = False,
    boards: FromQuery[str | None] = None,
) -> Record:
    limit(request, "records")
    _, path = await replay_of(request, id)
    read = partial(record_of, packed=packed, boards=boards)
    return await adjudicated(request, read, await asyncio.to_thread(path.read_bytes))


@get("/replay.jsonl.gz", summary="The replay of a game", media_type="application/gzip")
async def replay(request: Request[Any, Any, Any], id: FromPath[int]) -> Response[bytes]:
    limit(request, "records")
    _, path = await replay_of(request, id)
    headers = {"Content-Disposition": f'attachment; filename="ladder-{id}.jsonl.gz"'}
    return Response(await asyncio.to_thread(path.read_bytes), media_type="application/gzip", headers=headers)


@get("/logs/{entry:int}", summary="The log of your own bot in a game", media_type="text/plain")
async def log(request: Request[Any, Any, Any], id: FromPath[int], entry: FromPath[int]) -> Response[bytes]:
    game, ladder = await _found(request, id)
    who = await account(request)
    mine = () if who is None else (await asyncio.to_thread(ladder_pages(request).game_page, game, ladder, who.id)).mine
    if entry not in mine:
        raise Forbidden("Only the author of a bot can read its log.")
    digest = await asyncio.to_thread(ladder_pages(request).replay, id)
    path = None if digest is None else _replays(request).log(digest, entry)
    text = b"" if path is None or not path.exists() else await asyncio.to_thread(_unpacked, path)
    return Response(text, media_type="text/plain; charset=utf-8")


def _unpacked(path: Path) -> bytes:
    with gzip.open(path) as file:
        return file.read(MAX_LOG).decode(errors="replace").encode()


async def _found(request: Request[Any, Any, Any], id: int) -> tuple[LadderGame, Ladder]:
    game = await asyncio.to_thread(ladder_pages(request).game, id)
    if game is None:
        raise NotFoundException(f"There is no game {id}.")
    return game, await readable(request, game.ladder)


async def replay_of(request: Request[Any, Any, Any], id: int) -> tuple[LadderGame, Path]:
    """A game, and where its replay is. Refuses whoever may not see it."""
    game, _ = await _found(request, id)
    digest = await asyncio.to_thread(ladder_pages(request).replay, id)
    path = None if digest is None else _replays(request).path(digest)
    if path is None or not path.exists():
        raise NotFoundException("The replay of this game is not here: it was not played yet, or is too old.")
    return game, path


def _replays(request: Request[Any, Any, Any]) -> Replays:
    """Also if the ladders do not run here any more."""
    desk: Authors = request.app.state.authors
    return desk.replays


router = Router("/api/ladder/games/{id:int}", route_handlers=[page, board, record, replay, log], tags=["ladder"])
