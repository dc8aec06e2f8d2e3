"""Bots that connect by themselves: the bot protocol over a socket, one match per connection.

A bot that reconnects gets all the views it saw before, and then the position again.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from msgspec import Struct

from polemos.hosts.piecemeal import Piecemeal, TooManyOrders
from polemos.kernel import dice
from polemos.kernel.decode import Unreadable, decode
from polemos.kernel.errors import PolemosError
from polemos.kernel.game import worth_offering
from polemos.kernel.orders import Fault, shown
from polemos.kernel.verdict import Verdict
from polemos.server.limits import Buckets, TooMany
from polemos.server.metrics import ORDERS, REFUSALS
from polemos.server.office.bans import refuse
from polemos.server.routes.common import (
    Forbidden,
    address,
    hall,
    is_from_here,
    limit,
    office,
    player_name,
    refuse_seat,
    visitor,
    work,
)
from polemos.server.routes.common import token as token_in
from polemos.server.routes.live import Restarts, close
from polemos.server.tables.clocks import now
from polemos.server.tables.keeper import Keeper
from polemos.server.tables.listeners import Bell
from polemos.server.tables.persons import Persons
from polemos.server.tables.players import past_views, void_lines
from polemos.server.tables.table import Refusal, Table
from polemos.server.work import QUICK, Rank, Usual
from polemos.wire.bot import PROTOCOL, Budget, End, Hello, OneOrder, Orders, Ready, Result, Said, Seen, Update
from polemos.wire.state_record import state_record_if

PATIENCE: Final = 30.0  # seconds for sending a message, and for a bot to say that it is ready
ENDLESS: Final = 3600.0  # seconds, if there is no clock


@websocket(["/api/bots/{id:str}", "/api/bots/{id:str}/{token:str}"])
async def bot(socket: WebSocket[Any, Any, Any], id: FromPath[str], token: FromPath[str | None] = None) -> None:
    """A program in a seat: hello, then a view whenever its orders are due, then the result."""
    await socket.accept()
    with suppress(WebSocketDisconnect, TimeoutError):
        try:
            await _visit(socket, id, token or token_in(socket))
        except PolemosError as error:
            REFUSALS.labels(error.word).inc()
            await close(socket, error)


async def _visit(socket: WebSocket[Any, Any, Any], id: str, token: str | None) -> None:
    if not is_from_here(socket):
        raise Forbidden("Requests from this site are not allowed.")
    limit(socket, "sockets")
    refuse(office(socket).bans.of_address(address(socket)))
    if hall(socket).stopping:
        raise Restarts("The server is restarting. Connect again in a few seconds.")
    paying = visitor(socket)
    work(socket).check(paying, urgent=True)
    seat = await hall(socket).seat_of(id, token, by=paying)
    keeper = await hall(socket).find(id)
    if seat is None:
        raise Forbidden("A bot must connect with the token of its seat.")
    refuse_seat(socket, keeper.table, seat)
    visit = _Visit(socket, keeper, seat)
    visit.bell.address = address(socket)
    keeper.join(visit.bell)
    try:
        await visit.wait()
        await visit.greet()
        await visit.play()
    finally:
        keeper.leave(visit.bell)


class _Shown(Struct, frozen=True):
    """A view that the bot has not answered yet, and its orders so far."""

    position: int
    step: int
    sheet: Piecemeal
    sent: float  # on the monotonic clock

    @property
    def wall(self) -> float:
        """Seconds since it was sent."""
        return round(time.monotonic() - self.sent, 6)


class _Visit:
    """One connection of a bot."""

    def __init__(self, socket: WebSocket[Any, Any, Any], keeper: Keeper, seat: str) -> None:
        self._visitor, self._work = visitor(socket), work(socket)
        self._usual = Usual(QUICK)  # in a thread at first: nobody knows how long it takes
        self._socket, self._keeper, self._persons = socket, keeper, Persons(keeper, self._visitor)
        self.bell = Bell(seat)
        self._ready = Ready()
        self._last = 0  # the last position sent
        self._open: deque[_Shown] = deque()  # the bot answers in order

    @property
    def _seat(self) -> str:
        """The bot's seat, which may have changed before the match began."""
        assert self.bell.seat is not None
        return self.bell.seat

    # ---- hello

    async def wait(self) -> None:
        """Waits for the match to begin: only then are the seats and the setting known."""
        hearing = asyncio.create_task(self._hear())
        try:
            while not self._keeper.table.begun:
                if await self._heard_or_rung(hearing):
                    hearing.result()
                    raise Refusal("The bot sent a message without being asked.")
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)

    async def _heard_or_rung(self, hearing: asyncio.Task[bytes]) -> bool:
        """Waits for a message or for something to happen; whether there is a message."""
        ringing = asyncio.create_task(self.bell.rings())
        await asyncio.wait({hearing, ringing}, return_when=asyncio.FIRST_COMPLETED)
        ringing.cancel()
        if self.bell.gone:
            raise Restarts("The server is restarting. Connect again in a few seconds.")
        if self.bell.seat is None:
            raise Refusal("You have left this seat.")
        return hearing.done()

    async def greet(self) -> None:
        table, seat = self._keeper.table, self._seat
        game, match = table.game, table.match
        past = await self._work.run(self._visitor, Rank.DRAFTS, past_views, table, seat)
        hello = Hello(
            protocol=PROTOCOL,
            game=game.name,
            edition=game.edition,
            seat=seat,
            seats=match.seats,
            seed=dice.number(table.key, "bot", seat),
            setting=match.setting,
            budget=_budget(table),
            resumed=tuple(past) or None,
        )
        await self._send(hello)
        try:
            async with asyncio.timeout(PATIENCE):
                self._ready = decode(await self._hear(), Ready)
        except Unreadable as error:
            raise Refusal(f'A bot must answer {{"type": "ready"}}: {error}.') from None
        if self._ready.protocol != PROTOCOL:
            raise Refusal(f"This server uses version {PROTOCOL} of the protocol.")
        with suppress(Forbidden):  # a name that could be taken for somebody else's: then it goes by its seat
            await self._persons.call(self._seat, await player_name(self._socket, self._ready.name, None))

    # ---- playing

    async def play(self) -> None:
        """Sends views and takes orders until the match is over, at least for this bot."""
        hearing: asyncio.Task[bytes] | None = None
        try:
            while not self._is_over():
                await self._show()
                hearing = hearing or asyncio.create_task(self._hear())
                if await self._heard_or_rung(hearing):
                    said, hearing = hearing.result(), None
                    await self._take(said)
        finally:
            if hearing is not None:
                hearing.cancel()
                await asyncio.gather(hearing, return_exceptions=True)
        await self._send(Result(self._keeper.table.match.outcome, self._verdict()))
        await self._socket.close()

    def _is_over(self) -> bool:
        table = self._keeper.table
        return table.status == "over" or table.is_out(self._seat)

    def _verdict(self) -> str | None:
        """Why it dropped out, if it did."""
        verdict = self._keeper.table.verdict(self._seat)
        return None if verdict is None else str(verdict)

    async def _show(self) -> None:
        """Sends the position, once, if the bot's orders are due."""
        table, seat = self._keeper.table, self._seat
        if not table.is_due(seat) or table.positions == self._last:
            return
        self._last = table.positions
        seen, sheet = await self._work.do(self._visitor, Rank.ORDERS, self._usual, _seen, table, seat, self._ready)
        self._open.append(_Shown(table.positions, len(table.match.steps), sheet, time.monotonic()))
        left = table.clocks.shown(now()).get(seat, ENDLESS)
        await self._send(msgspec.structs.replace(seen, time_left=left))

    async def _take(self, said: bytes) -> None:
        """Takes an answer, or part of one, to the first unanswered view."""
        if not self._open:
            raise Refusal("The bot sent a message without being asked.")
        first = self._open[0]
        in_time = first.position == self._keeper.table.positions and self._keeper.table.is_due(self._seat)
        try:
            message = decode(said, Said)
        except Unreadable as error:
            self._open.popleft()
            if in_time:
                why = Verdict("unreadable", shown(str(error)))
                await self._persons.strike(self._seat, first.step, why, first.wall)
            return
        if isinstance(message, OneOrder):
            await self._send(await self._update(first, message.order) if in_time else Update(_late(message.order)))
            return
        self._open.popleft()
        if in_time:
            await self._file(first, message)

    async def _update(self, first: _Shown, order: object) -> Update:
        try:
            return await self._work.do(self._visitor, Rank.DRAFTS, self._usual, first.sheet.take, order)
        except TooManyOrders:
            raise Refusal("These are more orders than fit on a sheet.") from None

    async def _file(self, first: _Shown, message: Orders | End) -> None:
        write = self._keeper.table.game.write
        lines = [*map(write, first.sheet.given), *(message.orders if isinstance(message, Orders) else ())]
        with suppress(Refusal), ORDERS.labels("program").time():  # the time may be up, or the match has moved on
            await self._persons.file(self._seat, lines, first.step, wall=first.wall)

    # ---- the line

    async def _hear(self) -> bytes:
        """The next message. A bot that sends too much, or makes us work too much, is not refused, but slowed down."""
        buckets: Buckets = self._socket.app.state.buckets
        text = await self._socket.receive_data("text")
        while True:
            try:
                self._work.check(self._visitor, urgent=True)
                buckets.take("bot messages", f"{self._visitor.address} {self._keeper.table.id} {self._seat}")
                return text.encode(errors="replace")
            except TooMany:
                await asyncio.sleep(0.1)

    async def _send(self, message: Struct) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._socket.send_data(msgspec.json.encode(message), mode="text")


def _seen(table: Table, seat: str, ready: Ready) -> tuple[Seen, Piecemeal]:
    """The position for a bot, and a sheet for its orders. The table does not change any more: a thread can do it."""
    match, game = table.match, table.game
    view, seed = match.view(seat), dice.number(table.key, "bot", seat)
    options = worth_offering(game.options(match.setting, view)) if ready.options else None
    record = state_record_if(ready.record, game, match.setting, view, seed)
    turn = len(_ordered_at(table, seat)) + 1
    seen = Seen(turn, view, 0.0, options, void_lines(table, seat), record=record)
    return seen, Piecemeal(game, match.setting, view, seat, ready, seed)


def _ordered_at(table: Table, seat: str) -> Sequence[int]:
    """The steps in which this seat's orders were due."""
    return [number for number, step in enumerate(table.match.steps) if seat in step.orders]


def _late(order: object) -> Fault:
    return Fault(1, shown(order), "", "The time for this turn is up.", "order/late")


def _budget(table: Table) -> Budget:
    """The clock of the table in terms of the protocol: all of it is wall-clock time."""
    clock = table.wish.clock
    bank = {"none": ENDLESS, "turn": 0.0, "bank": clock.seconds}[clock.kind]
    turn = {"none": 0.0, "turn": clock.seconds, "bank": clock.increment}[clock.kind]
    return Budget(start=PATIENCE, bank=bank, turn=turn, wall_factor=1.0, wall_extra=0.0)
