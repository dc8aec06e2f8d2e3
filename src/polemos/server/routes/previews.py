"""Titles and pictures of links to pages."""

from __future__ import annotations

import re
from html import escape
from typing import Any, Final

from litestar import Request, Response, Router, get
from litestar.params import FromPath

from polemos.kernel.errors import PolemosError
from polemos.server import previews, shelf
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


async def with_tags(request: Request[Any, Any, Any], page: bytes, path: str) -> bytes:
    """The page with a title and tags for links to this address."""
    found = await _preview(request, path)
    tags = previews.tags(found, _base(request), path)
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
    except PolemosError:
        pass
    return Preview()


def _base(request: Request[Any, Any, Any]) -> str | None:
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


router = Router("/api", route_handlers=[preview], tags=["tables"])
