"""Ladders: their tables, the queue, results as files."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from xml.etree import ElementTree

from litestar import Request, Response, Router, get
from litestar.exceptions import NotFoundException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery
from sqlalchemy import RowMapping

from polemos.kernel.verdict import Verdict
from polemos.kernel.verdict import in_words as ended
from polemos.ladder.ladders import Ladder
from polemos.server import shelf
from polemos.server.ladder.pages import LadderPages, Written
from polemos.server.ladder.sheets import when
from polemos.server.routes.common import account
from polemos.server.routes.previews import base_of
from polemos.server.store.naming import is_number
from polemos.wire.ladder import LadderCard, LadderGame, LadderPage, PeoplePage, Queue, Trend

FEED: Final = 50  # results in a feed
EXPORTED: Final = 1000  # results in a file
_ATOM: Final = "http://www.w3.org/2005/Atom"


def ladder_pages(request: Request[Any, Any, Any]) -> LadderPages:
    found: LadderPages = request.app.state.ladder_pages
    return found


async def readable(request: Request[Any, Any, Any], id: int) -> Ladder:
    """A ladder that whoever asks may see: those of groups belong to their members."""
    found = await asyncio.to_thread(ladder_pages(request).one, id)
    if found is None:
        raise NotFoundException(f"There is no ladder {id}.")
    if found.circle:
        who = await account(request)
        pages = ladder_pages(request)
        if not await asyncio.to_thread(pages.is_member, found, None if who is None else who.id):
            raise NotFoundException(f"There is no ladder {id}.")
    return found


@get("/ladders", summary="All public ladders")
async def all_ladders(request: Request[Any, Any, Any]) -> list[LadderCard]:
    pages = ladder_pages(request)
    return await asyncio.to_thread(lambda: pages.cards([one for one in pages.all() if not one.circle]))


@get(
    "/ladders/{id:int}",
    summary="A ladder: ratings, ranks, the games that are being played",
    responses={200: ResponseSpec(LadderPage, description="The ladder")},
)
async def one_ladder(request: Request[Any, Any, Any], id: FromPath[int]) -> Response[bytes]:
    return _json(request, await asyncio.to_thread(ladder_pages(request).written, await readable(request, id)))


def _json(request: Request[Any, Any, Any], written: Written) -> Response[bytes]:
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(written.packed, media_type="application/json", headers={**headers, "Content-Encoding": "gzip"})
    return Response(written.plain, media_type="application/json", headers=headers)


@get(
    "/ladders/{id:int}/trends",
    summary="The last 30 days of every bot",
    responses={200: ResponseSpec(list[Trend], description="The trends")},
)
async def trends(request: Request[Any, Any, Any], id: FromPath[int]) -> Response[bytes]:
    return _json(request, await asyncio.to_thread(ladder_pages(request).trends, await readable(request, id)))


@get("/ladders/{id:int}/table.csv", summary="A ladder as a table", media_type="text/csv")
async def as_csv(request: Request[Any, Any, Any], id: FromPath[int]) -> Response[str]:
    ladder = await readable(request, id)
    return sheet(f"{ladder.game}-{ladder.rules}", await asyncio.to_thread(ladder_pages(request).sheet, ladder))


@get("/ladder/queue", summary="Games that are being played, and those that wait")
async def queue(request: Request[Any, Any, Any]) -> Queue:
    return await asyncio.to_thread(ladder_pages(request).queue)


@get("/ladder/{game:str}/people", summary="The people who play rated matches of a game, and their ratings")
async def people(
    request: Request[Any, Any, Any], game: FromPath[str], rules: FromQuery[str | None] = None
) -> PeoplePage:
    if game not in shelf.names():
        raise NotFoundException(f"There is no game {game[:40]!r}.")
    return await asyncio.to_thread(ladder_pages(request).people, game, rules)


# ---- results of one bot


@get("/ladder/bots/{id:int}/results.csv", summary="The last results of a bot", media_type="text/csv")
async def results_csv(
    request: Request[Any, Any, Any], id: FromPath[int], before: FromQuery[int | None] = None
) -> Response[str]:
    """The newest first, 1,000 at most. `before`, the number of the last game in a file, gives those that come next."""
    pages = ladder_pages(request)
    await _bot(request, id)
    last = before if before is not None and is_number(before) else None
    return sheet(f"bot-{id}", await asyncio.to_thread(pages.results_sheet, id, EXPORTED, last))


@get(
    "/ladder/bots/{id:int}/results.atom",
    summary="The last results of a bot as a feed",
    media_type="application/atom+xml",
)
async def feed(request: Request[Any, Any, Any], id: FromPath[int]) -> Response[bytes]:
    bot = await _bot(request, id)
    games = await asyncio.to_thread(ladder_pages(request).results_of, id, FEED)
    base = base_of(request) or ""
    ElementTree.register_namespace("", _ATOM)
    root = _element(None, "feed")
    _element(root, "id", f"{base}/bots/{id}")
    _element(root, "title", f"Results of {bot['name']}")
    # The newest game need not be the one that ended last.
    _element(root, "updated", when(max((game.done or 0.0 for game in games), default=bot["created"])))
    _element(root, "link", rel="self", href=f"{base}/api/ladder/bots/{id}/results.atom")
    _element(root, "link", rel="alternate", type="text/html", href=f"{base}/bots/{id}")
    _element(_element(root, "author"), "name", "Polemos")
    for game in games:
        entry = _element(root, "entry")
        _element(entry, "id", f"{base}/match/{game.id}")
        _element(entry, "title", in_words(game, id))
        _element(entry, "updated", when(game.done))
        _element(entry, "link", rel="alternate", type="text/html", href=f"{base}/match/{game.id}")
        _element(entry, "summary", _ending(game, id))
    data = b'<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="utf-8")
    return Response(data, media_type="application/atom+xml", headers={"Cache-Control": "public, max-age=60"})


async def _bot(request: Request[Any, Any, Any], id: int) -> RowMapping:
    found = await asyncio.to_thread(ladder_pages(request).bot, id)
    if found is None:
        raise NotFoundException(f"There is no bot {id}.")
    return found


def in_words(game: LadderGame, bot: int) -> str:
    """How a game ended for one of its bots.

    A bot that plays itself is told about its first seat.
    """
    own = next(one for one in game.bots if one.bot == bot)
    others = ", ".join(one.name for one in game.bots if one is not own)
    if len(game.bots) > 2:
        return f"{own.name} v{own.version}: place {own.rank} of {len(game.bots)} against {others}"
    shared = sum(one.rank == 1 for one in game.bots) > 1
    verb = "draws with" if shared else "beats" if own.rank == 1 else "loses to"
    return f"{own.name} v{own.version} {verb} {others}"


def _ending(game: LadderGame, bot: int) -> str:
    """Where it was played, and how it ended; a bot that dropped out is not told that the other did."""
    fault = next(one.fault for one in game.bots if one.bot == bot)
    why = game.reason if fault is None else ended(Verdict.read(fault))
    return f"{game.map}: {why}"


# ---- files


def sheet(name: str, text: str) -> Response[str]:
    """A table for a spreadsheet, as a file of this name."""
    said = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=said)


def _element(parent: ElementTree.Element | None, name: str, text: str = "", **attributes: str) -> ElementTree.Element:
    tag = f"{{{_ATOM}}}{name}"
    made = ElementTree.Element(tag, attributes) if parent is None else ElementTree.SubElement(parent, tag, attributes)
    made.text = text or None
    return made


router = Router(
    "/api",
    route_handlers=[all_ladders, one_ladder, trends, as_csv, queue, people, results_csv, feed],
    tags=["ladder"],
)
