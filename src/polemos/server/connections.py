"""Connections: how many there may be, from one address and together, and how long a request may take to arrive.

Uvicorn limits the size of a head and the time between two requests, but not the time that a head, a body or reading an
answer takes, nor connections by address; so its protocols are extended here. TLS handshakes are limited to a minute by
asyncio, and sockets of tables have limits of their own (`routes.live`).
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar, Final

import uvicorn
from litestar import Litestar
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from polemos.server import deflate
from polemos.server.cluster.handover import Handover
from polemos.server.routes.common import is_proxy, network
from polemos.server.settings import Settings

HEAD: Final = 10.0  # seconds for the head of a request to arrive,
BODY: Final = 60.0  # and for its body
UNREAD: Final = 60.0  # seconds for a client to read on in a long answer
MAX_OWN: Final = 1500  # connections of one address or network
MAX_FILES: Final = 65536  # to ask the system for
RESERVED: Final = 100  # files that are not connections: the database, programs, pages
UNLIMITED: Final = 10_000  # connections where the system does not say how many files can be open
REPEATED: Final = 60.0  # seconds until the same complaint is logged again
_TOO_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"

_log = logging.getLogger("polemos")


class Door:
    """Counts connections. A proxy has many visitors, so only the total counts for it."""

    def __init__(self, own: int, total: int, is_proxy: Callable[[str], bool] = lambda host: False) -> None:
        self._own, self._total, self._is_proxy = own, total, is_proxy
        self._inside: Counter[str] = Counter()
        self._said = -REPEATED

    def enter(self, host: str) -> bool:
        """Whether there was room for another connection from this address."""
        if not self.has_room(host):
            self._complain("the server" if self._inside.total() >= self._total else "one address")
            return False
        self._inside[network(host)] += 1
        return True

    def has_room(self, host: str) -> bool:
        """Whether another connection from this address could enter."""
        own = self._inside.get(network(host), 0)
        return self._inside.total() < self._total and (own < self._own or self._is_proxy(host))

    def leave(self, host: str) -> None:
        who = network(host)
        self._inside[who] -= 1
        if self._inside[who] <= 0:
            del self._inside[who]

    def _complain(self, whose: str) -> None:
        """Not for every connection: a flood of them must not become a flood in the log."""
        if time.monotonic() - self._said >= REPEATED:
            self._said = time.monotonic()
            _log.warning("Connections are refused: %s has as many as it can have.", whose)


def door(settings: Settings) -> Door:
    """Half of all connections, at most, can come from one address."""
    total = max(10, _files() - RESERVED)
    own = max(5, min(int(MAX_OWN * settings.limits), total // 2))
    return Door(own, total, lambda host: is_proxy(host, settings.behind))


def _files() -> int:
    """How many files can be open, after asking for as many as the system grants."""
    if sys.platform == "win32":
        return UNLIMITED
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    granted = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < granted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (granted, hard))
        soft = granted
    return MAX_FILES if soft == resource.RLIM_INFINITY else soft


class _Requests(H11Protocol):
    """A connection for requests. It ends if a head or a body does not arrive in time, or an answer is not read."""

    door: ClassVar[Door]
    polemos: ClassVar[Litestar | None]
    head = b""  # of a request that another process has read, which then gave us the connection
    _moving = False  # whether the connection is on its way to another process
    _timer: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None  # while an answer waits for whoever asked to read on
    _phase: tuple[str, int] | None = None  # what is arriving, of which request
    _inside = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._inside = self.door.enter(_host(self.client))
        if not self._inside:
            transport.abort()
        elif self.head:
            self.data_received(self.head)
        else:
            self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._inside and not self._moving:
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._go()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        self._read_on()
        super().resume_writing()

    def _read_on(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def handle_websocket_upgrade(self, event: Any) -> None:
        handover: Handover | None = None if self.polemos is None else self.polemos.state.handover
        # A connection that was passed once stays. One that is encrypted, or that we still write to, can't be passed.
        can_move = not self.head and self.scheme == "http" and not self.transport.get_write_buffer_size()
        if handover is not None and can_move and handover.can_pass_on(self.scope["path"]):
            self._moving = True
            self._set(None)
            self.flow.pause_reading()  # what comes next is for whoever serves it
            task = self.loop.create_task(self._move(handover, event))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        else:
            self._upgrade(event)

    def _upgrade(self, event: Any) -> None:
        self._go()  # it is counted again as a socket
        super().handle_websocket_upgrade(event)

    async def _move(self, handover: Handover, event: Any) -> None:
        """Passes the connection to the owner of its table, or serves it here."""
        lines = [event.method + b" " + event.target + b" HTTP/1.1", *(b": ".join(header) for header in self.headers)]
        head = b"\r\n".join([*lines, b"", b""])
        moved = False
        try:
            file = self.transport.get_extra_info("socket").dup()  # ours may be closed meanwhile
            with file:
                moved = await handover.pass_on({**self.scope, "litestar_app": self.polemos}, file.fileno(), head)
        except Exception:
            _log.exception("A connection could not be passed to another process")
        if moved:
            self.transport.abort()  # this closes our file alone; the connection goes on
        elif not self.transport.is_closing():
            self.flow.resume_reading()
            self._upgrade(event)

    def _go(self) -> None:
        self._set(None)
        self._read_on()
        if self._inside:
            self._inside = False
            self.door.leave(_host(self.client))

    def _watch(self) -> None:
        """Gives the part of a request that is arriving its time, once."""
        cycle: Any = self.cycle  # None before the first request
        if cycle is None or cycle.response_complete:
            self._set(("head", id(cycle)))
        else:
            self._set(("body", id(cycle)) if cycle.more_body else None)

    def _set(self, phase: tuple[str, int] | None) -> None:
        if phase == self._phase:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._phase = phase
        if phase is not None:
            self._timer = self.loop.call_later(HEAD if phase[0] == "head" else BODY, self._too_late)

    def _too_late(self) -> None:
        if self._phase is not None and not self.transport.is_closing():
            if self._phase[0] == "head":
                self.transport.write(_TOO_LATE)
            self.transport.close()


def guarded(door: Door, app: Litestar | None = None) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """Uvicorn's protocols for requests and for sockets, behind this door. `app` may have tables elsewhere."""
    base: Any = AutoWebSocketsProtocol
    kept = deflate.Kept()

    class Requests(_Requests):
        pass

    class Sockets(base):  # type: ignore[misc]
        """A connection at a table, or of a bot."""

        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self.conn.available_extensions = [deflate.Factory(kept)]

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            self._is_inside = door.enter(_host(self.client))

        def connection_lost(self, exc: Exception | None) -> None:
            if self._is_inside:
                self._is_inside = False
                door.leave(_host(self.client))
            super().connection_lost(exc)

    Requests.door, Requests.polemos = door, app
    return Requests, Sockets


def _host(client: tuple[str, int] | None) -> str:
    return client[0] if client else "?"


class Adopting(uvicorn.Server):
    """A server that also serves connections which another process has accepted."""

    def __init__(self, config: uvicorn.Config, app: Litestar, door: Door) -> None:
        super().__init__(config)
        self._app, self._door = app, door

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        handover: Handover | None = self._app.state.handover
        if handover is not None:
            handover.passing.adopter = self

    def has_room(self, connection: socket.socket) -> bool:
        return not self._app.state.hall.stopping and self._door.has_room(_host(connection.getpeername()))

    async def adopt(self, connection: socket.socket, head: bytes) -> None:
        """Serves a connection from the head of its next request on, which the other process has read."""

        def made() -> asyncio.Protocol:
            kind: Any = self.config.http_protocol_class
            protocol = kind(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
            protocol.head = head
            return protocol  # type: ignore[no-any-return]

        connection.setblocking(False)
        await asyncio.get_running_loop().connect_accepted_socket(made, connection)


class Quiet:
    """Handles errors of the event loop. If no more files can be opened, asyncio reports it thousands of times."""

    def __init__(self) -> None:
        self._said = -REPEATED

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if "out of system resource" not in str(context.get("message")):
            loop.default_exception_handler(context)
        elif time.monotonic() - self._said >= REPEATED:
            self._said = time.monotonic()
            _log.error("No connection can be accepted: %s", context.get("exception"))
