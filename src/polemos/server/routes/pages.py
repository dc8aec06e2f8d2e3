"""The client: built files that come with the package. All other addresses lead to its page."""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from litestar import HttpMethod, Request, Response, route
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from polemos.server.routes.common import account, office
from polemos.server.routes.previews import with_tags

MISSING: Final = b"""<!doctype html><title>Polemos</title><p>The client has not been built. Run <code>make set-up</code>
in the Polemos folder; it needs Node 20. The interface for programs is at <a href="/api/schema">/api/schema</a>."""
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
    ),
    "Referrer-Policy": "no-referrer",  # an address may contain the secret of a seat
    "X-Content-Type-Options": "nosniff",
}


@route(["/", "/{path:path}"], http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False)
async def page(request: Request[Any, Any, Any], path: FromPath[str] = "/") -> Response[bytes]:
    """A built file, or the page that all other addresses share."""
    if path.startswith("/api/") or path == "/api":
        raise NotFoundException(f"There is nothing at {request.url.path[:80]}.")
    name = path.strip("/")
    found = built_files().get(name)
    lasting = found is not None and name.startswith("assets/")
    data, packed, kind = found or built_files().get("index.html") or (MISSING, gzip.compress(MISSING), "text/html")
    if (kind == "text/html" and name in ("", "index.html")) or found is None:
        data = await with_tags(request, data, path)
        packed = gzip.compress(data)
    headers = {
        **HEADERS,
        "Cache-Control": "max-age=31536000, immutable" if lasting else "no-cache",
        "Vary": "Accept-Encoding",
    }
    status = 404 if await _is_hidden(request, name) else 200
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type=kind, headers={**headers, "Content-Encoding": "gzip"}, status_code=status)
    return Response(data, media_type=kind, headers=headers, status_code=status)


async def _is_hidden(request: Request[Any, Any, Any], name: str) -> bool:
    """Whether this is the operator's page, and somebody else asks for it. The client then says that there is none."""
    return name.partition("/")[0] == "operator" and not office(request).is_operator(await account(request))


@cache
def built_files() -> dict[str, tuple[bytes, bytes, str]]:
    """All files of the client by name, plain and compressed, with their types. Nothing else is served."""
    place = files("polemos.server") / "static"
    return dict(_within(place, "")) if place.is_dir() else {}


def _within(place: Traversable, path: str) -> Iterator[tuple[str, tuple[bytes, bytes, str]]]:
    for part in place.iterdir():
        name = path + part.name
        if part.is_dir():
            yield from _within(part, f"{name}/")
        else:
            data = part.read_bytes()
            yield name, (data, gzip.compress(data, 9), mimetypes.guess_type(name)[0] or "application/octet-stream")
