"""The umpire for other programs: one request, one answer; and verifying uploaded replays."""

from __future__ import annotations

import asyncio
import gzip
import io
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
from litestar import Request, Response, Router, post
from litestar.exceptions import ClientException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery
from msgspec import UNSET, UnsetType

from polemos.server import shelf
from polemos.server.routes.common import limit, visitor, work
from polemos.server.work import timed
from polemos.wire import adjudicate
from polemos.wire.records import TooLarge, record_of
from polemos.wire.table import Record

MAX_REPLAY: Final = 16 << 20  # bytes, compressed or not
SECONDS: Final = 20.0  # for adjudicating a whole match again

# Separate from the threads that read tables, so that players do not wait for these requests.
_threads = ThreadPoolExecutor(2, thread_name_prefix="umpire")
_replays = ThreadPoolExecutor(1, thread_name_prefix="replays")

T = TypeVar("T")


class _Answer(msgspec.Struct):
    """Just enough of an answer to see whether it is an error."""

    error: msgspec.Raw | UnsetType = UNSET


@post(
    "/adjudicate/{name:str}",
    summary="Adjudicate one step: position and orders in, position and events out",
    status_code=200,
    request_max_body_size=adjudicate.MAX_BYTES + 1024,
    responses={422: ResponseSpec(adjudicate.Failure, description="What is wrong with the request")},
)
async def adjudicate_step(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """Uses the messages of `polemos adjudicate`; see docs/reference/adjudicate.md."""
    limit(request, "adjudicate")
    game = shelf.load(name)
    answer = await _in(request, _threads, adjudicate.answer, game, await request.body())
    good = msgspec.json.decode(answer, type=_Answer).error is UNSET
    return Response(answer, media_type="application/json", status_code=200 if good else 422)


@post(
    "/replays",
    summary="Verify a replay file and return it as a record for the viewer",
    status_code=200,
    request_max_body_size=MAX_REPLAY,
)
async def show_replay(
    request: Request[Any, Any, Any], packed: FromQuery[bool] = False, boards: FromQuery[str | None] = None
) -> Record:
    limit(request, "replays")
    body = await request.body()
    if not body:
        raise ClientException("Send the replay file as the body.")
    _check_size(body)
    return await _in(request, _replays, partial(record_of, packed=packed, boards=boards), body, "", SECONDS)


async def adjudicated(request: Request[Any, Any, Any], read: Callable[..., Record], data: bytes) -> Record:
    """A replay of ours as a record, at the cost of whoever asks."""
    return await _in(request, _replays, read, data, "", SECONDS)


def _check_size(data: bytes) -> None:
    """Checks the uncompressed size, which may be much larger. Broken files are reported when they are read."""
    if data[:2] == b"\x1f\x8b":
        with suppress(OSError, EOFError, zlib.error), gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacked:
            if len(unpacked.read(MAX_REPLAY + 1)) > MAX_REPLAY:
                raise TooLarge(
                    f"This replay is larger than {MAX_REPLAY >> 20} MiB when uncompressed, so Polemos did not write it."
                )


async def _in(request: Request[Any, Any, Any], threads: ThreadPoolExecutor, do: Callable[..., T], *given: Any) -> T:
    """Does it in one of these threads, at the cost of whoever asks."""
    paying = visitor(request)
    work(request).check(paying)
    outcome = await asyncio.get_running_loop().run_in_executor(threads, timed, do, *given)
    work(request).charge(paying, outcome.seconds)
    if outcome.error is not None:
        raise outcome.error
    value: T = outcome.value
    return value


router = Router("/api", route_handlers=[adjudicate_step, show_replay], tags=["umpire"])
