"""The socket of a table; its messages are `Asks` and `Says` of `polemos.wire.table`."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any, Final

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from polemos.kernel.decode import Unreadable, decode
from polemos.kernel.errors import PolemosError
from polemos.kernel.valid import message_complaint
from polemos.server.accounts import session_of
from polemos.server.limits import Buckets, TooMany
from polemos.server.metrics import ORDERS, REFUSALS
from polemos.server.office.bans import Banned, refuse
from polemos.server.routes.common import (
    COOKIE,
    Forbidden,
    account,
    accounts,
    address,
    hall,
    is_from_here,
    limit,
    office,
    refuse_seat,
    visitor,
    work,
)
from polemos.server.store.ledger import Unwritten
from polemos.server.tables.keeper import Keeper
from polemos.server.tables.listeners import BANNED, RESTART, SIGNED_OUT, Listener
from polemos.server.tables.persons import Persons
from polemos.server.tables.table import Refusal
from polemos.wire.frames import is_pictured
from polemos.wire.table import (
    Ack,
    Act,
    AnswerOffer,
    Asks,
    FileSheet,
    Join,
    Looking,
    Refused,
    Say,
    SetBid,
    SetDone,
    SetDraft,
    SetNote,
    TakeRole,
    Withdraw,
)

MAX_MESSAGE: Final = 1 << 20
FIRST: Final = 10.0  # seconds to send the first message
PATIENCE: Final = 20.0  # seconds for sending a message
PAUSE: Final = 0.5  # seconds to ignore a client that sends nonsense, or too much
LINES: Final = 200  # lines of a sheet that count as one message,
BYTES: Final = 16384  # and bytes that do
BAD: Final = 4400  # our own close codes
UNKNOWN: Final = 4404
LIMIT: Final = 4429
LATER: Final = 1013

_log = logging.getLogger("polemos")


class Restarts(Refusal):
    """The server stops, and will be back."""

    word = "server/restarting"


@websocket("/api/tables/{id:str}/live")
async def live(socket: WebSocket[Any, Any, Any], id: FromPath[str]) -> None:
    """One connection at a table: joins, then sends and receives until it leaves."""
    await socket.accept()
    with suppress(WebSocketDisconnect):
        found = await _join(socket, id)
        if found is None:
            return
        keeper, listener = found
        keeper.join(listener)
        if listener.session is not None and not accounts(socket).is_open(listener.session):
            listener.let_go(SIGNED_OUT)  # while it was joining
        _greet(keeper, listener)
        try:
            await _converse(socket, keeper, listener)
        finally:
            keeper.leave(listener)


async def _join(socket: WebSocket[Any, Any, Any], id: str) -> tuple[Keeper, Listener] | None:
    """The table and the seat that the first message asks for; None if they do not exist."""
    try:
        if not is_from_here(socket):
            raise Forbidden("Requests from this site are not allowed.")
        limit(socket, "sockets")
        refuse(office(socket).bans.of_address(address(socket)))
        if hall(socket).stopping:
            raise Restarts("The server is restarting. Connect again in a few seconds.")
        await hall(socket).find(id, visitor(socket))
        async with asyncio.timeout(FIRST):
            join = _read(await socket.receive_data("text"))
        if not isinstance(join, Join):
            raise Refusal('The first message must be {"type": "join"}.')
        who = await account(socket)
        seat, member = await hall(socket).place_of(id, join.token, None if who is None else who.id, visitor(socket))
        keeper = await hall(socket).find(id)  # only now: it may have left memory, or moved, since the first look
        refuse_seat(socket, keeper.table, seat, member)
    except PolemosError as error:
        REFUSALS.labels(error.word).inc()
        await _send(socket, refused(0, error))
        await close(socket, error)
        return None
    except TimeoutError:
        await socket.close(BAD, "No message arrived in time.")
        return None
    session = None if who is None else session_of(socket.cookies[COOKIE])
    pictured = is_pictured(keeper.table.game, join.boards)
    return keeper, Listener(seat, member, join.packed, pictured, session, visitor(socket, who), address(socket))


async def _converse(socket: WebSocket[Any, Any, Any], keeper: Keeper, listener: Listener) -> None:
    """Sends and receives at the same time, until one of them ends."""
    both = {asyncio.create_task(_hear(socket, keeper, listener)), asyncio.create_task(_tell(socket, listener))}
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in both:
            task.cancel()
        await asyncio.gather(*both, return_exceptions=True)


def _greet(keeper: Keeper, listener: Listener) -> None:
    listener.tell(keeper.voice.state_for(listener.seat, listener.member))
    listener.tell(keeper.voice.clock_for(listener.seat))
    if listener.seat is not None:
        keeper.voice.judging.give({listener: None})
    for line in keeper.papers.talk_for(listener.seat)[-100:]:
        keeper.voice.judging.after_sheet(listener, msgspec.json.encode(line))


async def _tell(socket: WebSocket[Any, Any, Any], listener: Listener) -> None:
    """Sends what a listener is told, one message at a time: a new position comes first, and nobody has to wait for
    it until all others have got everything else too."""
    while (message := await listener.next()) is not None:
        async with asyncio.timeout(PATIENCE):
            await socket.send_data(message, mode="text")
        await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE):
        await socket.close(*listener.end)


async def _hear(socket: WebSocket[Any, Any, Any], keeper: Keeper, listener: Listener) -> None:
    while True:
        text = await socket.receive_data("text")
        id: int | None = None
        listener.busy = True
        try:
            ask = _read(text)
            id = ask.id
            _ration(socket, keeper, listener, ask, len(text))
            await _do(keeper, listener, ask)
        except PolemosError as error:
            REFUSALS.labels(error.word).inc()
            listener.tell(msgspec.json.encode(refused(id, error)))
            if id is None or isinstance(error, TooMany):
                await asyncio.sleep(PAUSE)  # without reading anything in the meantime
        except Exception as error:  # our fault; the table goes on
            REFUSALS.labels("server/broken").inc()
            _log.exception("A message at table %s failed", keeper.table.id, exc_info=error)
            listener.tell(
                msgspec.json.encode(
                    Refused(id, "server/broken", "Something went wrong inside Polemos. The error has been logged.")
                )
            )
        finally:
            listener.busy = False


def refused(id: int | None, error: PolemosError) -> Refused:
    said = Refused(id, error.word, error.why, error.rule)
    return msgspec.structs.replace(said, key=error.key, seconds=error.seconds) if isinstance(error, TooMany) else said


async def close(socket: WebSocket[Any, Any, Any], error: PolemosError) -> None:
    """Closes a connection with the reason, of at most 123 bytes."""
    codes: dict[type[PolemosError], int] = {
        TooMany: LIMIT,
        Forbidden: BAD,
        Unwritten: LATER,
        Restarts: RESTART,
        Banned: BANNED,
    }
    await socket.close(codes.get(type(error), UNKNOWN), error.why.encode()[:120].decode(errors="ignore"))


def _ration(socket: WebSocket[Any, Any, Any], keeper: Keeper, listener: Listener, ask: Asks, size: int) -> None:
    """Limits messages per visitor, at one seat and over all tables, and the work they cause.

    A long sheet counts as several messages.
    """
    buckets: Buckets = socket.app.state.buckets
    paying = listener.visitor
    who = f"{paying.address} {keeper.table.id} {listener.seat}"
    long = len(ask.lines) / LINES if isinstance(ask, SetDraft | FileSheet) else 0.0
    weight = 1 + long + size / BYTES
    buckets.take("messages", who, weight)
    buckets.take("all messages", paying.address, weight)
    work(socket).check(paying, urgent=not isinstance(ask, SetDraft))
    if isinstance(ask, Say):
        buckets.take("talk", who)


def _read(text: str | bytes) -> Asks:
    raw = text.encode(errors="replace") if isinstance(text, str) else text
    if len(raw) > MAX_MESSAGE:
        raise Refusal(f"A message can have at most {MAX_MESSAGE} bytes.")
    try:
        asked: Asks = decode(raw, Asks)
    except Unreadable as error:
        raise Refusal(f"That isn't a message for a table: {_complaint(raw) or f'{error}.'}") from None
    return asked


def _complaint(raw: bytes) -> str | None:
    try:
        return message_complaint(Asks, decode(raw, dict[str, Any]))
    except Unreadable:
        return None


async def _do(keeper: Keeper, listener: Listener, ask: Asks) -> None:
    seat, persons = listener.seat, Persons(keeper, listener.visitor)
    if isinstance(ask, Join):
        raise Refusal("This connection has already joined.")
    if seat is None:
        raise Refusal("You are only watching. Take a seat first.")
    match ask:
        case SetDraft():
            listener.strange = persons.draft(seat, ask.lines, listener.member)
            keeper.voice.give_draft(listener, ask.id)
            return
        case FileSheet():
            with ORDERS.labels("person").time():
                await persons.file(seat, ask.lines, ask.step, listener.member)
        case Withdraw():
            await persons.withdraw(seat)
        case Act():
            await persons.do_word(seat, ask.what, listener.member)
        case AnswerOffer():
            await persons.answer_offer(seat, ask.what, ask.yes)
        case Say():
            await persons.say(seat, keeper.table.name_of(seat, listener.member), ask.text, ask.to)
        case SetNote():
            await persons.note(seat, ask.place, ask.text)
        case SetBid():
            await persons.bid(seat, ask.bid)
        case TakeRole():
            await persons.take_role(seat, listener.member, ask.role, ask.take)
        case SetDone():
            await persons.finish(seat, listener.member, ask.role, ask.done, ask.step)
        case Looking():
            persons.look(listener, ask.at)
    keeper.voice.judging.after_sheet(listener, msgspec.json.encode(Ack(ask.id)))


async def _send(socket: WebSocket[Any, Any, Any], message: msgspec.Struct) -> None:
    await socket.send_data(msgspec.json.encode(message), mode="text")
