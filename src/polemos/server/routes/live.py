"""The socket of a table: what is said there is `Asks` and `Says` of `polemos.wire.table`."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from polemos.kernel.decode import Unreadable, decode
from polemos.kernel.errors import PolemosError
from polemos.server.limits import Buckets
from polemos.server.routes.common import account, address, hall
from polemos.server.tables.keeper import Keeper, Listener
from polemos.server.tables.table import Refusal
from polemos.wire.table import Ack, Act, AnswerOffer, Asks, FileSheet, Join, Refused, Say, SetDraft, SetNote, Withdraw

MOST_MESSAGE: Final = 1 << 20
BAD: Final = 4400  # close codes of ours
UNKNOWN: Final = 4404


@websocket("/api/tables/{id:str}/live")
async def live(socket: WebSocket[Any, Any, Any], id: str) -> None:
    """One connection at a table: joins, then speaks and listens until it goes."""
    await socket.accept()
    if not is_from_here(socket):
        await socket.close(BAD, "This page may not speak to this server.")
        return
    try:
        keeper = await hall(socket).find(id)
        first = await asyncio.wait_for(socket.receive_data("text"), 10)
        join: Any = _read(first)
        if not isinstance(join, Join):
            raise Refusal('The first message is {"type": "join"}.')
        who = await account(socket)
        seat = await hall(socket).seat_of(id, join.token, None if who is None else who.id)
    except PolemosError as error:
        await _send(socket, Refused(0, error.word, error.why))
        await socket.close(UNKNOWN, error.why[:100])
        return
    except (TimeoutError, WebSocketDisconnect):
        return
    listener = Listener(seat)
    _greet(keeper, listener)
    keeper.join(listener)
    teller = asyncio.create_task(_tell(socket, listener))
    try:
        await _hear(socket, keeper, listener)
    except WebSocketDisconnect:
        pass
    finally:
        keeper.leave(listener)
        teller.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await teller


def is_from_here(socket: WebSocket[Any, Any, Any]) -> bool:
    """A browser says which page opened the socket; it must be one of ours. Programs say nothing."""
    origin = socket.headers.get("origin")
    return origin is None or origin.partition("://")[2] == socket.headers.get("host")


def _greet(keeper: Keeper, listener: Listener) -> None:
    listener.tell(keeper.state_for(listener.seat))
    listener.tell(keeper.clock_for(listener.seat))
    if listener.seat is not None:
        listener.tell(keeper.sheet_for(listener.seat))
    for line in keeper.talk_for(listener.seat)[-100:]:
        listener.tell(msgspec.json.encode(line))


async def _tell(socket: WebSocket[Any, Any, Any], listener: Listener) -> None:
    while (message := await listener.queue.get()) is not None:
        await socket.send_data(message, mode="text")
    await socket.close(1013, "Too slow, or the server is going down: connect again.")


async def _hear(socket: WebSocket[Any, Any, Any], keeper: Keeper, listener: Listener) -> None:
    buckets: Buckets = socket.app.state.buckets
    while True:
        text = await socket.receive_data("text")
        id: int | None = None
        try:
            buckets.take("messages", f"{address(socket)} {keeper.table.id} {listener.seat}")
            ask: Any = _read(text)
            id = ask.id
            await _do(keeper, listener, ask, buckets, address(socket))
        except PolemosError as error:
            listener.tell(msgspec.json.encode(Refused(id, error.word, error.why, error.rule)))
        except Exception as error:  # ours; the table goes on
            listener.tell(msgspec.json.encode(Refused(id, "server/broken", f"Polemos failed: {type(error).__name__}.")))


def _read(text: str | bytes) -> Asks:
    raw = text.encode(errors="replace") if isinstance(text, str) else text
    if len(raw) > MOST_MESSAGE:
        raise Refusal(f"A message has at most {MOST_MESSAGE} bytes.")
    try:
        asked: Asks = decode(raw, Asks)
    except Unreadable as error:
        raise Refusal(f"This is no message of a table: {error}.") from None
    return asked


async def _do(keeper: Keeper, listener: Listener, ask: Asks, buckets: Buckets, where: str) -> None:
    seat = listener.seat
    if isinstance(ask, Join):
        raise Refusal("This connection has joined already.")
    if seat is None:
        raise Refusal("Those who watch do not act. Take a seat first.")
    match ask:
        case SetDraft():
            keeper.draft(seat, ask.lines)
            listener.tell(keeper.sheet_for(seat, ask.id))
            return
        case FileSheet():
            await keeper.file(seat, ask.lines, ask.step)
        case Withdraw():
            await keeper.withdraw(seat)
        case Act():
            await keeper.do_word(seat, ask.what)
        case AnswerOffer():
            await keeper.answer_offer(seat, ask.what, ask.yes)
        case Say():
            buckets.take("talk", f"{where} {keeper.table.id} {seat}")
            sitter = keeper.table.seats[seat]
            await keeper.say(seat, seat if sitter is None else sitter.player, ask.text, ask.to)
        case SetNote():
            await keeper.note(seat, ask.place, ask.text)
    listener.tell(msgspec.json.encode(Ack(ask.id)))


async def _send(socket: WebSocket[Any, Any, Any], message: msgspec.Struct) -> None:
    await socket.send_data(msgspec.json.encode(message), mode="text")
