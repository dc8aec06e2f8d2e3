"""The desk's own server: one party, no accounts, no database. It works without a network beyond the house."""

from __future__ import annotations

import logging
import mimetypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from litestar import HttpMethod, Litestar, Request, Response, route
from litestar.datastructures import State
from litestar.exceptions import HTTPException, NotFoundException
from litestar.params import FromPath

from polemos.kernel.errors import PolemosError
from polemos.server import refusals
from polemos.server.desk.room import Closed, Held, NotOpen, Room
from polemos.server.desk.routes import handlers
from polemos.server.routes.common import Careful, Forbidden
from polemos.server.routes.pages import HEADERS, MISSING, built_files

STATUS: Final[dict[type[PolemosError], int]] = {Closed: 403, Forbidden: 403, NotOpen: 404, Held: 409}
PAGES: Final = ("desk", "clock", "screen")
_log = logging.getLogger("polemos")


def make_desk(room: Room) -> Litestar:
    """The server of a party."""

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        try:
            yield
        finally:
            room.close()

    return Litestar(
        route_handlers=[*handlers, page],
        lifespan=[running],
        request_class=Careful,
        after_request=_for_nobody_else,
        exception_handlers={PolemosError: _refused, HTTPException: _http, Exception: _broken},
        openapi_config=None,
        request_max_body_size=1 << 20,
        logging_config=None,
        state=State({"room": room}),
    )


@route(["/", "/{path:path}"], http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False)
async def page(request: Request[Any, Any, Any], path: FromPath[str] = "/") -> Response[bytes]:
    """A built file of the client, or one of the pages of the desk."""
    name = path.strip("/")
    if name.partition("/")[0] == "api":
        raise NotFoundException("There is nothing at this address.")
    if not name:
        return Response(b"", status_code=302, headers={"Location": "/desk", **HEADERS})
    found = built_files().get(name)
    is_page = name.partition("/")[0] in PAGES
    if found is None and not is_page:
        raise NotFoundException("There is nothing at this address.")
    data, _, kind = found or built_files().get("index.html") or (MISSING, b"", "text/html")
    headers = {**HEADERS, "Cache-Control": "no-cache"}
    return Response(data, media_type=kind or mimetypes.guess_type(name)[0], headers=headers)


def _for_nobody_else(response: Response[Any]) -> Response[Any]:
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    return response


def _refused(request: Request[Any, Any, Any], error: PolemosError) -> Response[Any]:
    status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 422)
    body = {"word": error.word, "why": error.why}
    if error.rule is not None:
        body["rule"] = error.rule
    return _for_nobody_else(Response(body, status_code=status, media_type="application/json"))


def _http(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    body = {"word": "request/bad", "why": refusals.in_words(request, error)[:1000]}
    return _for_nobody_else(Response(body, status_code=error.status_code, media_type="application/json"))


def _broken(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    _log.exception("A request failed: %s", request.url.path, exc_info=error)
    body = {"word": "server/broken", "why": "Something went wrong inside Polemos. The error has been logged."}
    return _for_nobody_else(Response(body, status_code=500, media_type="application/json"))
