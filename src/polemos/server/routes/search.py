"""The search of the top bar."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

from litestar import Request, Router, get
from litestar.exceptions import NotFoundException
from litestar.params import QueryParameter

from polemos.server.ladder import search as found_by
from polemos.server.ladder.search import MAX_TEXT, Search
from polemos.server.routes.common import account, limit
from polemos.server.routes.ladder import ladder_pages, readable
from polemos.server.routes.tables import listed
from polemos.wire.ladder import LadderGame
from polemos.wire.search import Found

_NOTHING: Final = Found()


@get("/search", summary="Bots, people, games between bots, and tables, by name or number")
async def search(
    request: Request[Any, Any, Any], text: Annotated[str, QueryParameter(name="q", max_length=MAX_TEXT)] = ""
) -> Found:
    """Finds what you may see: public ladders, listed tables, your own bots. `#12` is a match by its number."""
    limit(request, "search")
    if not text.strip():
        return _NOTHING
    who = await account(request)
    names: Search = request.app.state.search
    bots = await asyncio.to_thread(names.bots, text, None if who is None else who.id)
    numbered = await _numbered(request, text)
    games = [numbered] if numbered is not None else await asyncio.to_thread(names.games, text, bots)
    return Found(
        bots=tuple(bots),
        people=tuple(await asyncio.to_thread(names.people, text)),
        games=tuple(games),
        tables=tuple(found_by.tables(text, await listed(request, None, None))),
    )


async def _numbered(request: Request[Any, Any, Any], text: str) -> LadderGame | None:
    """The match with the number that was written; those of groups are found by their members."""
    number = found_by.number_in(text)
    game = None if number is None else await asyncio.to_thread(ladder_pages(request).game, number)
    if game is None:
        return None
    try:
        await readable(request, game.ladder)
    except NotFoundException:
        return None
    return game


router = Router("/api", route_handlers=[search], tags=["search"])
