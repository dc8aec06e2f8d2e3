"""Connections between processes: many requests at once on one line, each as the events of ASGI.

A frame is its length and a list in MessagePack: the kind, the number of the stream, and a body.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec import Struct

WINDOW: Final = 8  # events of a stream on their way in one direction
CHUNK: Final = 1 << 18  # bytes of an answer in one event, so that others need not wait for all of it
MAX_FRAME: Final = 1 << 27
PATIENCE: Final = 3.0  # seconds to connect, to accept a request, and to answer a question
ENDS: Final = ("websocket.disconnect", "http.disconnect")
# What routes need to know of a request.
SCOPE: Final = (
    *("type", "asgi", "http_version", "method", "scheme", "path", "raw_path", "query_string", "root_path"),
    *("headers", "client", "server", "subprotocols"),
)

Body = Any
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Accept = Callable[[Scope], Awaitable[bool]]  # whether we answer such a request
Serve = Callable[[Scope, str, Receive, Send], Awaitable[None]]
Answer = Callable[[str, Any], Awaitable[Any]]

_log = logging.getLogger("polemos")


class Lost(Exception):
    """The connection broke while the other process had a request: nobody knows whether it was carried out."""


class NotHere(Exception):
    """The other process did nothing: it does not own the table, or cannot be reached."""


class _Stream:
    """One request on a line, at either end."""

    def __init__(self) -> None:
        self.inbox: asyncio.Queue[tuple[str, Body]] = asyncio.Queue()
        self.room = asyncio.Semaphore(0)  # events that we may still send
        self.ended = False

    def allow(self, events: int) -> None:
        for _ in range(events):
            self.room.release()

    def end(self) -> None:
        self.ended = True
        self.room.release()


class Service(Struct, frozen=True):
    """What a process does for others."""

    accept: Accept
    serve: Serve
    answer: Answer


class Line:
    """One connection. The end that called asks, the other serves."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, service: Service | None = None
    ) -> None:
        self._reader, self._writer, self._service = reader, writer, service
        self._streams: dict[int, _Stream] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._next = 0
        self.broken = False

    # ---- both ends

    async def run(self) -> None:
        """Takes frames until the line breaks. Then every request on it ends."""
        try:
            while True:
                kind, number, body = await _read(self._reader)
                self._take(kind, number, body)
        except (OSError, EOFError, asyncio.IncompleteReadError, msgspec.MsgspecError, ValueError):
            pass
        finally:
            self.close()

    def close(self) -> None:
        self.broken = True
        for stream in self._streams.values():
            stream.inbox.put_nowait(("lost", None))
            stream.end()
        with suppress(OSError, RuntimeError):
            self._writer.close()

    def _take(self, kind: str, number: int, body: Body) -> None:
        stream = self._streams.get(number)
        if kind == "open" and self._service is not None:
            self._streams[number] = _Stream()
            self._start(self._served(self._service, number, *body))
        elif kind == "ask" and self._service is not None:
            self._start(self._answered(self._service, number, *body))
        elif stream is not None and kind == "took":
            stream.room.release()
        elif stream is not None:
            stream.inbox.put_nowait((kind, body))
            if kind == "end":
                stream.end()

    def _start(self, doing: Any) -> None:
        task = asyncio.create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _post(self, kind: str, number: int, body: Body = None) -> None:
        if self.broken:
            return
        raw = msgspec.msgpack.encode((kind, number, body))
        self._writer.write(len(raw).to_bytes(4, "big") + raw)
        with suppress(OSError):  # noticed where frames are read
            await self._writer.drain()

    # ---- the end that asks

    def _new(self) -> tuple[int, _Stream]:
        if self.broken:
            raise NotHere
        self._next += 1
        stream = self._streams[self._next] = _Stream()
        return self._next, stream

    async def ask(self, name: str, body: Body) -> Any:
        """A question to the other process, and its answer."""
        number, stream = self._new()
        try:
            await self._post("ask", number, (name, body))
            async with asyncio.timeout(PATIENCE):
                kind, found = await stream.inbox.get()
            if kind != "answer":
                raise Lost
            return found
        except TimeoutError:
            raise Lost from None
        finally:
            del self._streams[number]

    async def carry(self, scope: Scope, request: str, receive: Receive, send: Send) -> None:
        """Lets the other process answer a request. Raises NotHere if it has not begun to, Lost if it was lost."""
        number, stream = self._new()
        pump: asyncio.Task[None] | None = None
        try:
            await self._post("open", number, ({key: scope[key] for key in SCOPE if key in scope}, request))
            try:
                async with asyncio.timeout(PATIENCE):
                    kind, body = await stream.inbox.get()
            except TimeoutError:
                raise NotHere from None
            if kind != "go":
                raise NotHere  # it only begins with our first event
            stream.allow(WINDOW)
            pump = asyncio.create_task(self._pump(number, stream, receive))
            while True:
                kind, body = await stream.inbox.get()
                if kind == "out":
                    with suppress(OSError):  # whoever asked has left; the other end is told by an event
                        await send(body)
                    await self._post("took", number)
                elif kind == "done":
                    return
                else:
                    raise Lost
        finally:
            del self._streams[number]
            if pump is not None:
                pump.cancel()
                await asyncio.gather(pump, return_exceptions=True)
            await self._post("end", number)

    async def _pump(self, number: int, stream: _Stream, receive: Receive) -> None:
        while True:
            await stream.room.acquire()
            event = await receive()
            await self._post("in", number, event)
            if event["type"] in ENDS:
                return

    # ---- the end that serves

    async def _answered(self, service: Service, number: int, name: str, body: Body) -> None:
        try:
            found = await service.answer(name, body)
        except Exception:
            _log.exception("A question of another process failed")
            await self._post("failed", number)
        else:
            await self._post("answer", number, found)

    async def _served(self, service: Service, number: int, scope: Scope, request: str) -> None:
        """Answers one request. It begins when the other end has heard that we accept it, and sends an event.

        So if the other end hears nothing, it knows that nothing was done, and can ask elsewhere.
        """
        stream = self._streams[number]
        try:
            for key in ("client", "server"):
                scope[key] = None if scope.get(key) is None else tuple(scope[key])
            if not await service.accept(scope):
                await self._post("not here", number)
                return
            await self._post("go", number)
            first = await stream.inbox.get()
            if first[0] == "in":
                stream.allow(WINDOW)
                await service.serve(scope, request, *self._ends(number, stream, first, scope["type"]))
                await self._post("done", number)
        except Exception:
            _log.exception("A request from another process failed")
            await self._post("failed", number)
        finally:
            del self._streams[number]

    def _ends(self, number: int, stream: _Stream, first: tuple[str, Body], type: str) -> tuple[Receive, Send]:
        """A stream as ASGI sees it."""
        waiting = [first]
        end = {"type": f"{type}.disconnect", **({"code": 1006} if type == "websocket" else {})}

        async def receive() -> Any:
            nonlocal end
            if stream.ended and stream.inbox.empty() and not waiting:
                return end
            kind, event = waiting.pop() if waiting else await stream.inbox.get()
            if kind != "in":
                return end
            if event["type"] in ENDS:
                end, stream.ended = event, True  # and however often it is asked for
            await self._post("took", number)
            return event

        async def send(event: Any) -> None:
            for piece in _pieces(event):
                await stream.room.acquire()
                if stream.ended:  # nobody reads it any more
                    stream.room.release()
                    return
                await self._post("out", number, piece)

        return receive, send


def _pieces(event: Any) -> list[Any]:
    """An event as several smaller ones, if it is part of a large answer."""
    body = event.get("body", b"") if event["type"] == "http.response.body" else b""
    if len(body) <= CHUNK:
        return [event]
    parts = [body[at : at + CHUNK] for at in range(0, len(body), CHUNK)]
    more = bool(event.get("more_body", False))
    return [{**event, "body": part, "more_body": more or part is not parts[-1]} for part in parts]


async def _read(reader: asyncio.StreamReader) -> tuple[str, int, Any]:
    size = int.from_bytes(await reader.readexactly(4), "big")
    if size > MAX_FRAME:
        raise ValueError(f"a frame of {size} bytes")
    return msgspec.msgpack.decode(await reader.readexactly(size), type=tuple[str, int, Any])


# ---- connecting: both ends prove that they know the secret, without telling it


def proof_of(secret: bytes, who: str, *challenges: bytes) -> bytes:
    return hmac.new(secret, b"inner " + who.encode() + b"".join(challenges), hashlib.sha256).digest()


async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, secret: bytes) -> bool:
    """Whether whoever connected to us knows the secret."""
    ours = secrets.token_bytes(32)
    writer.write(ours)
    try:
        async with asyncio.timeout(PATIENCE):
            theirs, proof = await reader.readexactly(32), await reader.readexactly(32)
    except (TimeoutError, OSError, EOFError):
        return False
    if not hmac.compare_digest(proof, proof_of(secret, "caller", ours, theirs)):
        return False
    writer.write(proof_of(secret, "called", ours, theirs))
    return True


async def call(address: tuple[str, int], secret: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to another process. Raises NotHere if it cannot be reached, or does not know the secret."""
    writer: asyncio.StreamWriter | None = None
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(*address)
            theirs, ours = await reader.readexactly(32), secrets.token_bytes(32)
            writer.write(ours + proof_of(secret, "caller", theirs, ours))
            proof = await reader.readexactly(32)
        if hmac.compare_digest(proof, proof_of(secret, "called", theirs, ours)):
            return reader, writer
    except (TimeoutError, OSError, EOFError):
        pass
    if writer is not None:
        writer.close()
    raise NotHere
