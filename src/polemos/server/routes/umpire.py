"""The umpire for other programs: one request, one answer; and replays of anybody's, verified."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response, Router, post
from litestar.exceptions import ClientException
from litestar.openapi.datastructures import ResponseSpec

from polemos import registry
from polemos.kernel.errors import PolemosError
from polemos.server.records import record_of
from polemos.server.routes.common import limit
from polemos.wire import adjudicate
from polemos.wire.table import Record

MOST_REPLAY = 16 << 20


class TooLarge(PolemosError):
    word = "request/large"


@post(
    "/adjudicate/{name:str}",
    summary="One step adjudicated: position and orders in, position and events out",
    status_code=200,
    request_max_body_size=adjudicate.MOST_BYTES + 1024,
    responses={422: ResponseSpec(adjudicate.Failure, description="What is wrong with the request")},
)
async def adjudicate_step(request: Request[Any, Any, Any], name: str) -> Response[bytes]:
    """The messages of `polemos adjudicate`, see docs/reference/adjudicate.md."""
    limit(request, "adjudicate")
    game = registry.load(name)
    answer = await asyncio.to_thread(adjudicate.answer, game, await request.body())
    bad = answer.startswith((b'{"error"', b'{"id"')) and b'"error":{' in answer[:200]
    return Response(answer, media_type="application/json", status_code=422 if bad else 200)


@post(
    "/replays",
    summary="A replay file, adjudicated again, as a record for the viewer",
    status_code=200,
    request_max_body_size=MOST_REPLAY,
)
async def show_replay(request: Request[Any, Any, Any]) -> Record:
    limit(request, "replays")
    body = await request.body()
    if not body:
        raise ClientException("The body is the replay file.")
    return await asyncio.to_thread(record_of, body)


router = Router("/api", route_handlers=[adjudicate_step, show_replay], tags=["umpire"])
