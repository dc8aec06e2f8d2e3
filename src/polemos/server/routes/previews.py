"""Titles and pictures of links to pages."""

from __future__ import annotations

import asyncio
import re
from html import escape
from typing import Any, Final

from litestar import Request, Response, Router, get
from litestar.params import FromPath

from polemos.kernel.errors import PolemosError
from polemos.server import previews, shelf
from polemos.server.authors.desk import Authors
from polemos.server.ladder.pages import LadderPages
from polemos.server.previews import Drawer, Preview
from polemos.server.routes.common import hall, is_proxy, limit, visitor
from polemos.server.settings import Settings

_HOST: Final = re.compile(r"[A-Za-z0-9.:\[\]-]{1,200}")
_TITLE: Final = "<title>Polemos</title>"


@get(
    "/tables/{id:str}/preview.png",
    summary="A picture of a table for links, as a spectator sees it",
    media_type="image/png",
)
async def preview(request: Request[Any, Any, Any], id: FromPath[str]) -> Response[bytes]:
    limit(request, "pictures")
    drawer: Drawer = request.app.state.drawer
    made = await drawer.picture((await hall(request).find(id, visitor(request))).table)
    return Response(made, media_type="image/png", headers={"Cache-Control": "public, max-age=60"})


@get(
    "/ladder-bots/{id:int}/preview.png",
    summary="A picture of a bot for links: its rating and the curve",
    media_type="image/png",
)
async def bot_preview(request: Request[Any, Any, Any], id: FromPath[int]) -> Response[bytes]:
    limit(request, "pictures")
    drawer: Drawer = request.app.state.drawer
    desk: Authors = request.app.state.authors
    made = await drawer.of_bot(id, lambda: desk.page(id, None), lambda game: shelf.load(game).title)
    return Response(made, media_type="image/png", headers={"Cache-Control": "public, max-age=600"})


async def with_tags(request: Request[Any, Any, Any], page: bytes, path: str) -> bytes:
    """The page with a title and tags for links to this address."""
    found = await _preview(request, path)
    tags = previews.tags(found, base_of(request), path)
    head = f"<title>{escape(found.title)}</title>\n{tags}"
    return page.replace(_TITLE.encode(), head.encode(), 1)


async def _preview(request: Request[Any, Any, Any], path: str) -> Preview:
    """What there is to say about an address. Whatever goes wrong, the page itself is shown."""
    kind, _, name = path.strip("/").partition("/")
    try:
        if kind in ("table", "replay") and name:
            limit(request, "requests")
            drawer: Drawer = request.app.state.drawer
            return drawer.preview((await hall(request).find(name, visitor(request))).table)
        if kind in ("games", "play") and name:
            game = shelf.load(name)
            return previews.of_game(game.title, game.facts.summary)
        if kind == "ladder" and name:
            return previews.of_ladder(shelf.load(name.partition("/")[0]).title)
        if kind in ("match", "bots") and name.isdecimal() and len(name) < 16:
            return await (_match if kind == "match" else _bot)(request, int(name))
    except PolemosError:
        pass
    return Preview()


async def _match(request: Request[Any, Any, Any], number: int) -> Preview:
    """A game between bots. Its result isn't told: whoever follows the link wants to watch."""
    pages: LadderPages = request.app.state.ladder_pages
    game = await asyncio.to_thread(pages.game, number)
    ladder = None if game is None else await asyncio.to_thread(pages.one, game.ladder)
    if game is None or ladder is None or ladder.circle:
        return Preview()
    names = " against ".join(f"{bot.name} v{bot.version}" for bot in game.bots)
    return Preview(names, f"{ladder.title}, {game.map}. A game between bots.")


async def _bot(request: Request[Any, Any, Any], number: int) -> Preview:
    pages: LadderPages = request.app.state.ladder_pages
    found = await asyncio.to_thread(pages.bot, number)
    if found is None:
        return Preview()
    return previews.of_bot(number, found["name"], shelf.load(found["game"]).title)


def base_of(request: Request[Any, Any, Any]) -> str | None:
    """The address of this server as people see it; None if the request does not give a plausible one."""
    settings: Settings = request.app.state.settings
    if settings.public is not None:
        return settings.public.rstrip("/")
    host = request.headers.get("host", "")
    if _HOST.fullmatch(host) is None:
        return None
    scheme = request.url.scheme
    if request.client and is_proxy(request.client.host, settings.behind):
        scheme = "https" if request.headers.get("x-forwarded-proto") == "https" else scheme
    return f"{scheme}://{host}"


router = Router("/api", route_handlers=[preview, bot_preview], tags=["tables"])
