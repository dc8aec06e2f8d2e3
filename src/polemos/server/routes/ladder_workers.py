"""Workers on other machines: they lease games, send results, and fetch the files of bots that they play."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import FromPath

from polemos.kernel.tame import tame
from polemos.ladder import leases
from polemos.ladder.engine import Ladders
from polemos.ladder.jobs import Job
from polemos.ladder.leases import Aside, Held
from polemos.ladder.live import MAX_LIVE, Live
from polemos.ladder.remote import MAX_REPORT, TYPE, Asked, Leases, Lost, Sent, check_editions, held
from polemos.server.office.ladders import digest_of
from polemos.server.routes.common import Forbidden, token
from polemos.server.store.ledger import Unwritten

T = TypeVar("T")


@post("/claim", status_code=200)
async def claim(request: Request[Any, Any, Any]) -> Response[bytes]:
    asked = await _read(request, Asked)

    def do(engine: Ladders, worker: int) -> list[Job]:
        if asked.editions is not None:
            check_editions(asked.editions, engine.played())
        return engine.desk.claim(worker, asked.count, asked.places)

    return await _do(request, do)


@post("/renew", status_code=200)
async def renew(request: Request[Any, Any, Any]) -> Response[bytes]:
    said = await _read(request, Leases)

    def do(engine: Ladders, worker: int) -> dict[str, bool]:
        engine.desk.renew(_own(engine, worker, held(said.held)))
        return {"done": True}

    return await _do(request, do)


@post("/back", status_code=200)
async def give_back(request: Request[Any, Any, Any]) -> Response[bytes]:
    said = await _read(request, Leases)

    def do(engine: Ladders, worker: int) -> dict[str, bool]:
        engine.desk.give_back(_own(engine, worker, held(said.held)))
        return {"done": True}

    return await _do(request, do)


@post("/lost", status_code=200)
async def lost(request: Request[Any, Any, Any]) -> Response[bytes]:
    said = await _read(request, Lost)

    def do(engine: Ladders, worker: int) -> dict[str, bool]:
        engine.desk.lost(worker, _own(engine, worker, held(said.held)), tame(said.why, 300), died=said.died)
        return {"done": True}

    return await _do(request, do)


@post("/report", status_code=202, request_max_body_size=MAX_REPORT)
async def report(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The game is looked up here, whatever the worker says about it."""
    sent = await _read(request, Sent)

    def do(engine: Ladders, worker: int) -> dict[str, bool]:
        lease = Held(sent.id, sent.lease)
        if engine.desk.is_full:
            raise Unwritten("Too many results are waiting to be checked. Send this one again in a few seconds.")
        if engine.desk.is_pending(lease):
            return {"taken": True}
        with engine.engine.connect() as connection:
            jobs = leases.jobs(connection, [lease]) if leases.is_leased_to(connection, worker, lease) else []
        for job in jobs:
            engine.desk.report(worker, job, sent.report())
        return {"taken": bool(jobs)}  # false: somebody else plays it by now

    return await _do(request, do)


@post("/live", status_code=200, request_max_body_size=MAX_LIVE)
async def live(request: Request[Any, Any, Any]) -> Response[bytes]:
    """How a game gets on that this worker plays; about others it can say nothing."""
    said = await _read(request, Live)

    def do(engine: Ladders, worker: int) -> dict[str, bool]:
        with engine.engine.connect() as connection:
            mine = leases.is_leased_to(connection, worker, Held(said.id, said.lease))
        if mine:
            engine.lives.put(said)
        return {"shown": mine}

    return await _do(request, do)


@get("/bundles/{digest:str}")
async def bundle(request: Request[Any, Any, Any], digest: FromPath[str]) -> Response[bytes]:
    """Only of bots in games that this worker is playing."""

    def do(engine: Ladders, worker: int) -> Any:
        with engine.engine.connect() as connection:
            if not leases.plays(connection, worker, digest[:64]):
                raise NotFoundException("You don't play a game with this bot.")
        return engine.bundles.get(digest)

    return await _do(request, do)


# ---- who asks


async def _do(request: Request[Any, Any, Any], do: Callable[[Ladders, int], Any]) -> Response[bytes]:
    """Does it for the worker that asks, in a thread."""
    engine = _engine(request)
    worker = await _worker(request, engine)
    return Response(msgspec.msgpack.encode(await asyncio.to_thread(do, engine, worker)), media_type=TYPE)


def _engine(request: Request[Any, Any, Any]) -> Ladders:
    found: Ladders | None = request.app.state.ladders
    if found is None:
        raise NotFoundException("This server has no ladder.")
    return found


async def _worker(request: Request[Any, Any, Any], engine: Ladders) -> int:
    secret = token(request)

    def read() -> tuple[int, bool] | None:
        with engine.engine.connect() as connection:
            return leases.worker_with(connection, digest_of(secret or ""))

    found = None if secret is None else await asyncio.to_thread(read)
    if found is None:
        raise Forbidden("This token isn't one of a worker. Get one with `polemos operator add-worker NAME`.")
    if not found[1]:
        raise Aside("This worker was set aside. Ask the operator of the server.")
    return found[0]


def _own(engine: Ladders, worker: int, wanted: list[Held]) -> list[Held]:
    """Of some leases, those of this worker."""
    with engine.engine.connect() as connection:
        mine = leases.held_by(connection, worker)
    return [one for one in wanted if one in mine]


async def _read(request: Request[Any, Any, Any], kind: type[T]) -> T:
    # Whoever has no token sends nothing large: the body is read after that is known.
    await _worker(request, _engine(request))
    try:
        return msgspec.msgpack.decode(await request.body(), type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ClientException(f"That isn't a message of a worker: {str(error)[:200]}") from None


router = Router(
    "/api/ladder/worker",
    route_handlers=[claim, renew, give_back, lost, report, live, bundle],
    include_in_schema=False,
)
