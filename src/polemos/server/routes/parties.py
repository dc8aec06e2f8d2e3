"""Parties online: opening one, personal links, acts, maps, and the socket of a phone."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any, Final

import msgspec
from litestar import Request, Response, Router, WebSocket, get, post, websocket
from litestar.connection import ASGIConnection
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, JSONBody

from polemos.kernel.decode import Unreadable, decode
from polemos.kernel.errors import PolemosError
from polemos.kernel.valid import message_complaint
from polemos.server.limits import Buckets, TooMany
from polemos.server.metrics import REFUSALS
from polemos.server.office.bans import refuse
from polemos.server.parties.house import House
from polemos.server.parties.keeper import PartyKeeper
from polemos.server.parties.links import SPARE, NoSuchLink
from polemos.server.routes.common import Forbidden, address, guard_change, is_from_here, limit, office, token
from polemos.server.routes.live import BAD, FIRST, MAX_MESSAGE, PATIENCE, PAUSE, Restarts, close
from polemos.server.tables.listeners import Listener
from polemos.server.tables.table import Refusal
from polemos.wire.party import (
    Claim,
    Claimed,
    Do,
    Doing,
    Done,
    JoinParty,
    LinkRow,
    NotDone,
    Opened,
    OpenParty,
    PartyAsks,
    SayAloud,
)

BYTES: Final = 16384  # of a message that count as one more

_log = logging.getLogger("polemos")


def house(connection: ASGIConnection[Any, Any, Any, Any]) -> House:
    found: House = connection.app.state.house
    return found


async def _known(request: Request[Any, Any, Any], id: str) -> tuple[PartyKeeper, str]:
    """The party, and the role of whoever asks."""
    keeper = await house(request).find(id)
    return keeper, keeper.role_of(token(request))


async def _led(request: Request[Any, Any, Any], id: str) -> PartyKeeper:
    """The party, if its umpire asks."""
    keeper, role = await _known(request, id)
    if role != keeper.evening.umpire:
        raise Forbidden("Only the gamerunner may do this.")
    return keeper


def _json(body: bytes) -> Response[bytes]:
    return Response(body, media_type="application/json")


@post("", summary="Hold a party around a game")
async def open_party(request: Request[Any, Any, Any], data: JSONBody[OpenParty]) -> Opened:
    guard_change(request)
    limit(request, "parties")
    keeper, secret = await house(request).open(data.game, data.wish)
    return Opened(keeper.id, keeper.evening.umpire, secret)


@post("/{id:str}/claim", summary="Use a personal link", status_code=200)
async def claim(request: Request[Any, Any, Any], id: FromPath[str], data: JSONBody[Claim]) -> Claimed:
    guard_change(request)
    limit(request, "sign-in")
    keeper = await house(request).find(id)
    return Claimed(*await keeper.claim(data.code))


@get("/{id:str}/links", summary="The personal links, for the gamerunner")
async def links(request: Request[Any, Any, Any], id: FromPath[str]) -> list[LinkRow]:
    keeper = await _led(request, id)
    evening, found = keeper.evening, keeper.links
    rows = []
    for role, name in evening.people.items():
        used, is_bot = found.links[role].is_used, role in evening.bots
        # Nobody sits down on a bot's chair: both would act. An understudy takes its place, and it goes. Of which kind
        # it is, the host is not told: they may be playing, too.
        rows.append(LinkRow(role, name, is_bot, None if used or is_bot else found.code(role), used))
    own = keeper.link_of(token(request))
    for role in (evening.umpire, SPARE):  # the other browser of the host
        if role != own:
            used = found.links[role].is_used
            rows.append(LinkRow(role, "", False, None if used else found.code(role), used, is_host=True))
    return rows + [LinkRow(role, "", False, found.screen(role), False) for role in evening.screens]


@post("/{id:str}/links/{role:str}", summary="Move a role to another phone", status_code=204)
async def move(request: Request[Any, Any, Any], id: FromPath[str], role: FromPath[str]) -> None:
    guard_change(request)
    keeper = await _led(request, id)
    if role == keeper.link_of(token(request)):
        raise Forbidden("This page has that link itself. Move it from the host's other one.")
    await keeper.move(role)


@get("/{id:str}/sight", summary="All that your role may know")
async def sight(request: Request[Any, Any, Any], id: FromPath[str]) -> Response[bytes]:
    keeper, role = await _known(request, id)
    return _json(keeper.evening.sight(role))


@get("/{id:str}/maps/{number:int}", summary="A map in your hands")
async def map_(request: Request[Any, Any, Any], id: FromPath[str], number: FromPath[int]) -> Response[bytes]:
    limit(request, "frames")
    keeper, role = await _known(request, id)
    return _json(await asyncio.to_thread(keeper.evening.map, role, number))


@post("/{id:str}/acts", summary="Do something at the party", status_code=204)
async def do(request: Request[Any, Any, Any], id: FromPath[str], data: JSONBody[Doing]) -> None:
    guard_change(request)
    keeper, role = await _known(request, id)
    _take(request, keeper, role, 1 + len(msgspec.json.encode(data.act)) / BYTES)
    await keeper.act(role, data.act)


router = Router("/api/parties", route_handlers=[open_party, claim, links, move, sight, map_, do])


# ---- the socket


@websocket("/api/parties/{id:str}/live")
async def party_live(socket: WebSocket[Any, Any, Any], id: FromPath[str]) -> None:
    """One phone, or one screen."""
    await socket.accept()
    with suppress(WebSocketDisconnect):
        found = await _join(socket, id)
        if found is None:
            return
        keeper, role, link = found
        listener = Listener(link)
        keeper.join(listener, role)
        both = {
            asyncio.create_task(_hear(socket, keeper, listener, role)),
            asyncio.create_task(_tell(socket, listener)),
        }
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            keeper.leave(listener)
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)


async def _join(socket: WebSocket[Any, Any, Any], id: str) -> tuple[PartyKeeper, str, str] | None:
    """The party, the role, and whose link it is."""
    try:
        if not is_from_here(socket):
            raise Forbidden("Requests from this site are not allowed.")
        limit(socket, "sockets")
        refuse(office(socket).bans.of_address(address(socket)))
        if house(socket).stopping:
            raise Restarts("The server is restarting. Connect again in a few seconds.")
        async with asyncio.timeout(FIRST):
            join = _read(await socket.receive_data("text"))
        if not isinstance(join, JoinParty):
            raise Refusal('The first message must be {"type": "join"}.')
        keeper = await house(socket).find(id)
        return keeper, keeper.role_of(join.token), keeper.link_of(join.token)
    except PolemosError as error:
        REFUSALS.labels(error.word).inc()
        await socket.send_data(msgspec.json.encode(_refused(0, error)), mode="text")
        await close(socket, error)
    except TimeoutError:
        await socket.close(BAD, "No message arrived in time.")
    return None


async def _tell(socket: WebSocket[Any, Any, Any], listener: Listener) -> None:
    while (message := await listener.next()) is not None:
        async with asyncio.timeout(PATIENCE):
            await socket.send_data(message, mode="text")
    async with asyncio.timeout(PATIENCE):
        await socket.close(*listener.end)


async def _hear(socket: WebSocket[Any, Any, Any], keeper: PartyKeeper, listener: Listener, role: str) -> None:
    while True:
        text = await socket.receive_data("text")
        id: int | None = None
        try:
            ask = _read(text)
            id = ask.id
            _take(socket, keeper, role, 1 + len(text) / BYTES)
            if listener.gone:
                raise NoSuchLink("This role has been moved to another phone.")
            match ask:
                case Do(act):
                    await keeper.act(role, act)
                case SayAloud(said):
                    _buckets(socket).take("talk", f"{keeper.id} {role}")
                    await keeper.say(role, said)
                case JoinParty():
                    raise Refusal("This connection has already joined.")
            listener.tell(msgspec.json.encode(Done(id)))
        except PolemosError as error:
            REFUSALS.labels(error.word).inc()
            listener.tell(msgspec.json.encode(_refused(id, error)))
            if id is None or isinstance(error, TooMany):
                await asyncio.sleep(PAUSE)  # without reading anything in the meantime
        except Exception as error:  # our fault; the party goes on
            REFUSALS.labels("server/broken").inc()
            _log.exception("A message at party %s failed", keeper.id, exc_info=error)
            why = "Something went wrong inside Polemos. The error has been logged."
            listener.tell(msgspec.json.encode(NotDone(id, "server/broken", why)))


def _buckets(connection: ASGIConnection[Any, Any, Any, Any]) -> Buckets:
    found: Buckets = connection.app.state.buckets
    return found


def _take(connection: ASGIConnection[Any, Any, Any, Any], keeper: PartyKeeper, role: str, weight: float = 1.0) -> None:
    _buckets(connection).take("messages", f"{keeper.id} {role}", weight)
    _buckets(connection).take("all messages", address(connection), weight)


def _refused(id: int | None, error: PolemosError) -> NotDone:
    return NotDone(id, error.word, error.why, error.rule)


def _read(text: str | bytes) -> PartyAsks:
    raw = text.encode(errors="replace") if isinstance(text, str) else text
    if len(raw) > MAX_MESSAGE:
        raise Refusal(f"A message can have at most {MAX_MESSAGE} bytes.")
    try:
        asked: PartyAsks = decode(raw, PartyAsks)
    except Unreadable as error:
        try:
            complaint = message_complaint(PartyAsks, decode(raw, dict[str, Any]))
        except Unreadable:
            complaint = None
        raise Refusal(f"That isn't a message for a party: {complaint or f'{error}.'}") from None
    return asked
