"""Lines between processes: many requests on one connection, and what is known when it breaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from polemos.server.cluster import lines
from polemos.server.cluster.lines import CHUNK, WINDOW, Line, Lost, NotHere, Service
from unit.server.serving import run

SECRET = b"s" * 32
HTTP = {"type": "http", "method": "POST", "path": "/x", "headers": [(b"a", b"b")], "client": ("192.0.2.1", 5)}
SOCKET: dict[str, Any] = {"type": "websocket", "path": "/x", "headers": [], "client": None}

App = Callable[[Any, Any, Any], Awaitable[None]]


async def accept(scope: Any) -> bool:
    return bool(scope["path"] == "/x")


async def answer(name: str, body: Any) -> Any:
    return [name, body]


@asynccontextmanager
async def line_to(app: App, broken: list[asyncio.StreamWriter] | None = None) -> AsyncIterator[Line]:
    """A line to a process that runs an application."""

    async def serve(scope: Any, request: str, receive: Any, send: Any) -> None:
        await app({**scope, "request": request}, receive, send)

    async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if broken is not None:
            broken.append(writer)
        if await lines.called(reader, writer, SECRET):
            await Line(reader, writer, Service(accept, serve, answer)).run()
        writer.close()

    server = await asyncio.start_server(called, "127.0.0.1", 0)
    line = Line(*await lines.call(("127.0.0.1", server.sockets[0].getsockname()[1]), SECRET))
    running = asyncio.create_task(line.run())
    try:
        yield line
    finally:
        line.close()
        await running
        server.close()


class Client:
    """Someone who asks: events to send, and those received."""

    def __init__(self, *events: Any) -> None:
        self._events = list(events)
        self.got: list[Any] = []
        self.reading = asyncio.Event()
        self.reading.set()

    async def receive(self) -> Any:
        if self._events:
            return self._events.pop(0)
        return await asyncio.Future()

    async def send(self, event: Any) -> None:
        await self.reading.wait()
        self.got.append(event)


REQUEST = {"type": "http.request", "body": b"hello", "more_body": False}


def test_a_request_arrives_as_it_was_sent_and_its_answer_comes_back() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert (scope["method"], scope["request"], scope["client"]) == ("POST", "r1", ("192.0.2.1", 5))
        assert [tuple(pair) for pair in scope["headers"]] == [(b"a", b"b")]
        body = (await receive())["body"]
        await send({"type": "http.response.start", "status": 200, "headers": [(b"c", b"d")]})
        await send({"type": "http.response.body", "body": body * 2})

    async def go() -> None:
        client = Client(REQUEST)
        async with line_to(app) as line:
            await line.carry(dict(HTTP), "r1", client.receive, client.send)
        assert [event["type"] for event in client.got] == ["http.response.start", "http.response.body"]
        assert client.got[1]["body"] == b"hellohello"

    run(go())


def test_a_large_answer_comes_in_pieces() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": bytes(range(256)) * (3 * CHUNK // 256) + b"end"})

    async def go() -> None:
        client = Client(REQUEST)
        async with line_to(app) as line:
            await line.carry(dict(HTTP), "r", client.receive, client.send)
        pieces = client.got[1:]
        assert b"".join(piece["body"] for piece in pieces) == bytes(range(256)) * (3 * CHUNK // 256) + b"end"
        assert [piece["more_body"] for piece in pieces] == [True, True, True, False]

    run(go())


def test_a_table_that_is_not_there_is_looked_for_elsewhere() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("not for us")

    async def go() -> None:
        client = Client(REQUEST)
        async with line_to(app) as line:
            with pytest.raises(NotHere):
                await line.carry({**HTTP, "path": "/y"}, "r", client.receive, client.send)
        assert client._events == [REQUEST], "it can be sent to another"

    run(go())


def test_a_request_is_lost_if_the_line_breaks_after_it_was_begun() -> None:
    began = asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        began.set()
        await asyncio.Future()

    async def go() -> None:
        ends: list[asyncio.StreamWriter] = []
        client = Client(REQUEST)
        async with line_to(app, ends) as line:
            asked = asyncio.create_task(line.carry(dict(HTTP), "r", client.receive, client.send))
            await began.wait()
            ends[0].close()
            with pytest.raises(Lost):
                await asked
            with pytest.raises(NotHere):  # and nothing more is begun
                await line.carry(dict(HTTP), "r", client.receive, client.send)

    run(go())


def test_nothing_is_begun_before_the_other_end_knows_that_it_was_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it would ask somebody else as well, and the request would be carried out twice."""
    begun: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        begun.append("begun")

    async def go() -> None:
        client = Client(REQUEST)
        async with line_to(app) as line:
            take, dropped = line._take, asyncio.Event()

            def without_go(kind: str, number: int, body: Any) -> None:
                if kind == "go":
                    dropped.set()
                    line.close()  # on its way, the line breaks
                else:
                    take(kind, number, body)

            monkeypatch.setattr(line, "_take", without_go)
            with pytest.raises(NotHere):
                await line.carry(dict(HTTP), "r", client.receive, client.send)
            assert dropped.is_set()
            await asyncio.sleep(0.1)
        assert begun == []

    run(go())


def test_one_who_does_not_read_keeps_nobody_else_waiting() -> None:
    sent: list[int] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "websocket.connect"
        await send({"type": "websocket.accept"})
        for number in range(100):
            await send({"type": "websocket.send", "text": str(number)})
            sent.append(number)

    async def go() -> None:
        slow, quick = Client({"type": "websocket.connect"}), Client({"type": "websocket.connect"})
        slow.reading.clear()
        async with line_to(app) as line:
            stuck = asyncio.create_task(line.carry(dict(SOCKET), "slow", slow.receive, slow.send))
            while len(sent) < WINDOW - 1:
                await asyncio.sleep(0.01)
            await line.carry(dict(SOCKET), "quick", quick.receive, quick.send)
            assert [event.get("text") for event in quick.got] == [None, *map(str, range(100))]
            assert len(sent) == 100 + WINDOW - 1, "the rest for the other waits"
            slow.reading.set()
            await stuck
            assert len(slow.got) == 101

    run(go())


def test_one_who_leaves_is_noticed() -> None:
    left: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        left.append(await receive())
        left.append(await receive())

    async def go() -> None:
        client = Client({"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1001})
        async with line_to(app) as line:
            await line.carry(dict(SOCKET), "r", client.receive, client.send)
        assert left == [{"type": "websocket.disconnect", "code": 1001}] * 2

    run(go())


def test_questions_have_answers() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError

    async def go() -> None:
        async with line_to(app) as line:
            assert await asyncio.gather(*(line.ask("n", number) for number in range(50))) == [
                ["n", number] for number in range(50)
            ]

    run(go())


def test_whoever_does_not_know_the_secret_gets_nothing() -> None:
    async def go() -> None:
        served: list[bool] = []

        async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            served.append(await lines.called(reader, writer, SECRET))
            writer.close()

        server = await asyncio.start_server(called, "127.0.0.1", 0)
        address = ("127.0.0.1", server.sockets[0].getsockname()[1])
        with pytest.raises(NotHere):
            await lines.call(address, b"t" * 32)
        reader, writer = await asyncio.open_connection(*address)
        challenge = await reader.readexactly(32)
        writer.write(challenge * 2)  # what it has just heard
        assert await reader.read() == b""
        writer.close()
        assert served == [False, False]
        server.close()

    run(go())


def test_whoever_is_called_must_know_it_too() -> None:
    async def go() -> None:
        async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"c" * 32)
            writer.write(await reader.readexactly(64))
            writer.close()

        server = await asyncio.start_server(called, "127.0.0.1", 0)
        with pytest.raises(NotHere):
            await lines.call(("127.0.0.1", server.sockets[0].getsockname()[1]), SECRET)
        server.close()

    run(go())
