"""Answers requests about tables: here if the table is ours, otherwise by handing them to the process that owns it."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

from polemos.kernel.errors import PolemosError
from polemos.server.cluster import lines
from polemos.server.cluster.lines import Line, Lost, NotHere, Receive, Scope, Send, Service
from polemos.server.cluster.membership import Member, Membership
from polemos.server.cluster.passing import Passing
from polemos.server.metrics import HANDED_OVER, PASSED
from polemos.server.store import leases
from polemos.server.store.leases import Elsewhere
from polemos.server.store.ledger import Unwritten
from polemos.server.tables.hall import Hall
from polemos.server.tables.table import Refusal
from polemos.server.work import OURSELVES, Visitor
from polemos.wire.table import Seated, TableCard

PATIENCE: Final = 10.0  # seconds to find an owner that answers
PAUSE: Final = 0.2  # seconds between tries
FRESH: Final = 0.5  # seconds until a process that could not be reached is called again
UNSURE: Final = 3.0  # seconds to wait for our lease to be renewed
MAX_KNOWN: Final = 20_000  # tables whose owner is remembered
RESTART: Final = 1012
LATER: Final = 1013
OUT_OF_REACH: Final = "The process that has this table can't be reached. Try again later."
LOST: Final = "The process that has this table stopped answering. Look at the table before you try again."
NO_DATABASE: Final = "Polemos can't reach its database. Try again later."

_TABLE: Final = re.compile(r"/(?:api/tables|api/bots|table|replay)/([0-9a-f]{12})(?:/|$)")
_log = logging.getLogger("polemos")

Here = Callable[[Scope, str, Receive, Send], Awaitable[None]]


class Handover:
    """Between the port and the application of one process."""

    def __init__(
        self,
        hall: Hall,
        member: Membership,
        secret: bytes,
        here: Here,
        may_ask: Callable[[Scope], bool],
        payer: Callable[[Scope], Visitor],
    ) -> None:
        """`may_ask`: whether a request may cost a look into the database; if not, the application refuses it.

        `payer`: whoever pays for reading a table that the request needs.
        """
        self._hall, self._member, self._secret, self._here, self._may_ask = hall, member, secret, here, may_ask
        self._payer = payer
        self._service = Service(self._accepts, self._serve, self._answer)
        self.passing = Passing(secret, self._is_ours)
        self._known: dict[str, Member] = {}  # owners of tables, as far as we know
        self._lines: dict[str, Line] = {}  # by the id of the other process
        self._calling: dict[str, asyncio.Lock] = {}
        self._failed: dict[str, float] = {}  # when a process could not be reached
        self._holding: dict[str, asyncio.Task[Member | None]] = {}
        self._missing: set[str] = set()  # processes that the last look did not find alive
        self._running: set[asyncio.Task[Any]] = set()
        self._server: asyncio.Server | None = None
        hall.take_elsewhere = self._take_elsewhere

    # ---- being there for others

    async def listen(self, host: str, port: int) -> str:
        """Opens our inner port; returns its address."""
        self._server = await asyncio.start_server(self._called, host, port)
        chosen = self._server.sockets[0].getsockname()[1]
        address = f"[{host}]:{chosen}" if ":" in host else f"{host}:{chosen}"
        self.passing.listen(address)
        return address

    async def close(self) -> None:
        await self.passing.close()
        if self._server is not None:
            self._server.close()
        for line in self._lines.values():
            line.close()
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _called(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        try:
            if await lines.called(reader, writer, self._secret):
                await Line(reader, writer, self._service).run()
        except asyncio.CancelledError:
            pass  # the server stops; asyncio would report it as an error
        finally:
            self._running.discard(task)
            writer.close()

    async def _accepts(self, scope: Scope) -> bool:
        """Whether the table of a request is ours."""
        id = table_in(scope["path"])
        return id is not None and await self._is_ours(id, self._payer(scope))

    async def _is_ours(self, id: str, by: Visitor = OURSELVES) -> bool:
        return await self._member.sure(0.0) and await self._hold(id, by) is None

    async def _answer(self, name: str, body: Any) -> Any:
        """Answers a question of another process."""
        match name:
            case "cards":
                return msgspec.to_builtins(self._hall.cards(*body))
            case "due":
                return msgspec.to_builtins(self._hall.due(body))
            case "take":
                id, seat, player, account = body
                try:
                    seated = await self._hall.take(id, seat, player, account, again=True)
                except PolemosError as error:
                    return {"why": error.why}
                return {"seated": msgspec.to_builtins(seated)}
        raise ValueError(name)

    # ---- asking others

    async def ask(self, other: Member, name: str, body: Any) -> Any:
        """Raises NotHere or Lost if there is no answer."""
        return await (await self._line(other)).ask(name, body)

    async def _take_elsewhere(self, owner: Elsewhere, id: str, seat: str, name: str, account: int | None) -> Seated:
        try:
            found = await self.ask(Member(owner.owner, owner.address), "take", (id, seat, name, account))
        except (NotHere, Lost):
            raise Unwritten(OUT_OF_REACH) from None
        if "why" in found:
            raise Refusal(found["why"])
        return msgspec.convert(found["seated"], Seated)

    async def cards_of(self, other: Member, name: str, body: Any) -> list[TableCard]:
        """A list of tables from another process. Raises NotHere or Lost."""
        return msgspec.convert(await self.ask(other, name, body), list[TableCard])

    async def _line(self, other: Member) -> Line:
        """The connection to another process, opened when it is first needed."""
        async with self._calling.setdefault(other.id, asyncio.Lock()):
            line = self._lines.get(other.id)
            if line is None or line.broken:
                line = self._lines[other.id] = Line(*await self._call(other))
                task = asyncio.create_task(line.run())
                self._running.add(task)
                task.add_done_callback(self._running.discard)
            return line

    async def _call(self, other: Member) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if time.monotonic() - self._failed.get(other.id, -FRESH) < FRESH:
            raise NotHere  # many may be waiting for it; one of them tries
        host, _, port = other.address.rpartition(":")
        try:
            return await lines.call((host.strip("[]"), int(port)), self._secret)
        except NotHere:
            self._failed[other.id] = time.monotonic()
            raise

    def cut_dead_lines(self, living: frozenset[str]) -> None:
        """Ends requests that wait for a process which was declared dead: it may only be paused.

        One that has just come may not be known yet, so the second look decides.
        """
        missing = self._lines.keys() - living
        for id in missing & self._missing:
            self._lines.pop(id).close()
            self._calling.pop(id, None)
        self._missing = missing
        self._failed = {id: at for id, at in self._failed.items() if id in living}

    # ---- requests

    async def answer(self, scope: Scope, request: str, receive: Receive, send: Send) -> None:
        """Answers a request, here or elsewhere."""
        id = table_in(scope["path"])
        if id is None or not (self._hall.holds(id) or id in self._known or self._may_ask(scope)):
            await self._here(scope, request, receive, send)
            return
        trip = _Trip(scope, receive, send)
        until = time.monotonic() + PATIENCE
        while True:
            try:
                owner = None if self._hall.holds(id) else self._known.get(id)
                owner = owner or await self._hold(id, self._payer(scope))
                if owner is None:
                    await self._answer_here(id, scope, request, trip)
                else:
                    self._remember(id, owner)
                    HANDED_OVER.inc()
                    await (await self._line(owner)).carry(scope, request, trip.receiving(), trip.send)
                return
            except NotHere:
                self._known.pop(id, None)
                if time.monotonic() > until:
                    await trip.refuse(503, LATER, Unwritten.word, OUT_OF_REACH)
                    return
            except Lost:
                self._known.pop(id, None)
                if not trip.can_begin_again or time.monotonic() > until:
                    await trip.refuse(502, RESTART, "server/lost", LOST)
                    return
            await asyncio.sleep(PAUSE)

    async def pass_on(self, scope: Scope, connection: int, head: bytes) -> bool:
        """Gives a connection, an open file, to the owner of its table. False if it has to be answered through us."""
        id = table_in(scope["path"])
        if id is None or not (id in self._known or self._may_ask(scope)):
            return False
        owner = self._known.get(id) or await self._hold(id, self._payer(scope))
        if owner is None:
            return False
        self._remember(id, owner)
        if not await self.passing.give(owner.address, id, connection, head):
            return False
        HANDED_OVER.inc()
        PASSED.inc()
        return True

    def can_pass_on(self, path: str) -> bool:
        """Whether it is worth trying for a request to this path."""
        id = table_in(path)
        return id is not None and id not in self._hall.keepers and bool(self._member.others)

    async def _hold(self, id: str, by: Visitor) -> Member | None:
        """Makes the table ours if nobody alive has it; otherwise its owner. Other errors are for the application."""
        if self._hall.holds(id):
            return None
        if id not in self._holding:  # many may ask at once
            self._holding[id] = asyncio.create_task(self._look_for(id, by))
            self._holding[id].add_done_callback(lambda _: self._holding.pop(id, None))
        return await asyncio.shield(self._holding[id])

    async def _look_for(self, id: str, by: Visitor) -> Member | None:
        try:
            if (other := await asyncio.to_thread(self._owner, id)) is not None:
                return other
            await self._hall.find(id, by)
        except Elsewhere as owner:
            return Member(owner.owner, owner.address)
        except PolemosError:
            pass  # the application finds it too, and says it
        return None

    def _owner(self, id: str) -> Member | None:
        """The other process that owns a table. Asked without a lock, so that many can ask."""
        try:
            found = leases.owner_of(self._hall.ledger.engine, id)
        except Exception as error:
            _log.error("The owner of table %s could not be found: %s", id, error)
            raise Unwritten(NO_DATABASE) from None
        return None if found is None or found.owner == self._member.id else Member(found.owner, found.address)

    def _remember(self, id: str, owner: Member) -> None:
        self._known[id] = owner
        if len(self._known) > MAX_KNOWN:
            del self._known[next(iter(self._known))]

    async def _answer_here(self, id: str, scope: Scope, request: str, trip: _Trip) -> None:
        """Answers if the table is certainly ours."""
        was_ours = self._hall.holds(id)
        if not await self._member.sure(UNSURE):
            await trip.refuse(503, LATER, Unwritten.word, NO_DATABASE)
        elif was_ours and not self._hall.holds(id):
            raise NotHere  # it has moved while we were not sure
        else:
            await self._serve(scope, request, trip.receiving(), trip.send)

    async def _serve(self, scope: Scope, request: str, receive: Receive, send: Send) -> None:
        """Answers here. Messages on a socket wait while the table is not certainly ours, and are then refused."""

        async def guarded() -> Any:
            event = await receive()
            while event["type"] == "websocket.receive" and not await self._member.sure(UNSURE):
                if scope["path"].endswith("/live"):
                    await send({"type": "websocket.send", "text": _refused(event)})
                    event = await receive()
            return event

        await self._here(scope, request, guarded, send)


class _Trip:
    """A request on its way: what came with it, and what whoever asked has been told."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._socket, self._receive, self._send = scope["type"] == "websocket", receive, send
        self._reads = scope.get("method") in ("GET", "HEAD")
        self._came: list[Any] = []
        self.begun = self._ended = False

    @property
    def can_begin_again(self) -> bool:
        """Whether it does no harm to ask somebody else the same."""
        return self._reads and not self.begun

    def receiving(self) -> Receive:
        """The events of the request from the first one on."""
        again = list(self._came)

        async def receive() -> Any:
            if again:
                return again.pop(0)
            event = await self._receive()
            if self._reads:
                self._came.append(event)
            return event

        return receive

    async def send(self, event: Any) -> None:
        self.begun = True
        last = event["type"] == "http.response.body" and not event.get("more_body", False)
        self._ended = last or event["type"] == "websocket.close"
        await self._send(event)

    async def refuse(self, status: int, code: int, word: str, why: str) -> None:
        """Refuses a request, or ends what has begun."""
        said = json.dumps({"word": word, "why": why})
        if self._ended:
            return
        if self._socket:
            if not self.begun:
                await self.send({"type": "websocket.accept"})
                text = json.dumps({"type": "refused", "re": 0, "word": word, "why": why})
                await self.send({"type": "websocket.send", "text": text})
            await self.send({"type": "websocket.close", "code": code, "reason": why})
        elif self.begun:
            raise ConnectionResetError(why)  # in the middle of an answer there is no other way to say it
        else:
            headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
            await self.send({"type": "http.response.start", "status": status, "headers": headers})
            await self.send({"type": "http.response.body", "body": said.encode()})


def table_in(path: str) -> str | None:
    """The table that an address is about.

    >>> table_in("/api/tables/0123456789ab/frames"), table_in("/api/tables")
    ('0123456789ab', None)
    """
    found = _TABLE.match(path)
    return None if found is None else found[1]


def _refused(event: Any) -> str:
    """The refusal of one message on the socket of a table."""
    try:
        id = json.loads(event.get("text") or event.get("bytes") or "").get("id")
    except (ValueError, AttributeError):
        id = None
    return json.dumps({"type": "refused", "re": id, "word": Unwritten.word, "why": NO_DATABASE})
