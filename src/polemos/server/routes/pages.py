"""The client: built files that come with the package. Every other address is a page of it."""

from __future__ import annotations

import gzip
import mimetypes
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any, Final

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException

MISSING: Final = b"""<!doctype html><title>Polemos</title><p>The client was not built. Run <code>make set-up</code>
in the folder of Polemos; it needs Node 20. The interface for programs is at <a href="/api/schema">/api/schema</a>."""
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
    ),
    "Referrer-Policy": "no-referrer",  # an address may hold the secret of a seat
    "X-Content-Type-Options": "nosniff",
}


@get(["/", "/{path:path}"], include_in_schema=False)
async def page(request: Request[Any, Any, Any], path: str = "/") -> Response[bytes]:
    """A built file, or the one page that all addresses share."""
    if path.startswith("/api/") or path == "/api":
        raise NotFoundException(f"There is nothing at {request.url.path[:80]}.")
    name = path.strip("/")
    found = _file(name) if name else None
    lasting = found is not None and name.startswith("assets/")
    data, packed, kind = found or _file("index.html") or (MISSING, gzip.compress(MISSING), "text/html")
    headers = {
        **HEADERS,
        "Cache-Control": "max-age=31536000, immutable" if lasting else "no-cache",
        "Vary": "Accept-Encoding",
    }
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type=kind, headers={**headers, "Content-Encoding": "gzip"})
    return Response(data, media_type=kind, headers=headers)


@cache
def _file(name: str) -> tuple[bytes, bytes, str] | None:
    """A file of the client, also packed, with its kind. Only plain names: nothing leads out of the folder."""
    parts = PurePosixPath(name).parts
    if not parts or any(part in ("..", "/") or part.startswith(".") for part in parts):
        return None
    place = files("polemos.server") / "static"
    for part in parts:
        place = place / part
    if not place.is_file():
        return None
    data = place.read_bytes()
    return data, gzip.compress(data, 9), mimetypes.guess_type(name)[0] or "application/octet-stream"
