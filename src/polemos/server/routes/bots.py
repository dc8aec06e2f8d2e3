"""Bots that connect by themselves: the messages of the bot protocol over a socket, one match each."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from polemos.kernel import dice
from polemos.kernel.decode import Unreadable, decode
from polemos.kernel.errors import PolemosError
from polemos.server.routes.common import hall
from polemos.server.tables.keeper import Keeper, Listener
from polemos.server.tables.table import Refusal
from polemos.wire.bot import PROTOCOL, Budget, Hello, Orders, Ready, Result, Seen


@websocket("/api/bots/{id:str}/{token:str}")
async def bot(socket: WebSocket[Any, Any, Any], id: str, token: str) -> None:
    """A program in a seat: hello, then a view whenever it is to order, then the result."""
    await socket.accept()
    listener: Listener | None = None
    keeper: Keeper | None = None
    try:
        keeper = await hall(socket).find(id)
        seat = await hall(socket).seat_of(id, token)
        assert seat is not None
        listener = Listener(seat)
        keeper.join(listener)
        ready = await _greet(socket, keeper, seat)
        await _play(socket, keeper, listener, ready)
    except PolemosError as error:
        with suppress(Exception):
            await socket.close(4404, error.why[:100])
    except (WebSocketDisconnect, TimeoutError):
        pass
    finally:
        if keeper is not None and listener is not None:
            keeper.leave(listener)


async def _greet(socket: WebSocket[Any, Any, Any], keeper: Keeper, seat: str) -> Ready:
    table = keeper.table
    game, match = table.game, table.match
    past = [game.observe(match.state_at(number), seat) for number in range(len(match.steps))]
    hello = Hello(
        protocol=PROTOCOL,
        game=game.name,
        edition=game.edition,
        seat=seat,
        seats=match.seats,
        seed=dice.number(table.key, "bot", seat),
        setting=match.setting,
        budget=Budget(),
        resumed=tuple(past) or None,
    )
    await _send(socket, hello)
    try:
        ready: Ready = decode((await socket.receive_data("text")).encode(), Ready)
    except Unreadable as error:
        raise Refusal(f'A bot answers {{"type": "ready"}}: {error}.') from None
    return ready


async def _play(socket: WebSocket[Any, Any, Any], keeper: Keeper, listener: Listener, ready: Ready) -> None:
    seat, told = listener.seat, -1
    assert seat is not None
    while keeper.table.status != "over":
        table = keeper.table
        step = len(table.match.steps)
        if table.is_due(seat) and step != told:
            told = step
            view = table.match.view(seat)
            options = table.game.options(table.match.setting, view) if ready.options else None
            left = table.clocks.shown(_now()).get(seat, 0.0)
            await _send(socket, Seen(step + 1, view, left, options, table.match.faults_for(seat)))
            await _answer(socket, keeper, seat, step)
        else:
            await _next(listener)
    await _send(socket, Result(keeper.table.match.outcome))
    await socket.close()


async def _answer(socket: WebSocket[Any, Any, Any], keeper: Keeper, seat: str, step: int) -> None:
    """Its sheet. An answer that makes no sense is an empty sheet; one that comes too late is not missed."""
    text = await socket.receive_data("text")
    try:
        orders = decode(text.encode(errors="replace"), Orders).orders
    except Unreadable:
        orders = []
    with suppress(Refusal):
        await keeper.file(seat, orders, step)


async def _next(listener: Listener) -> None:
    """Waits until something has happened at the table."""
    if await listener.queue.get() is None:
        raise Refusal("The server is going down: connect again.")
    while not listener.queue.empty():
        if listener.queue.get_nowait() is None:
            raise Refusal("The server is going down: connect again.")


def _now() -> float:
    import time

    return time.time()


async def _send(socket: WebSocket[Any, Any, Any], message: msgspec.Struct) -> None:
    await asyncio.wait_for(socket.send_data(msgspec.json.encode(message), mode="text"), 30)
