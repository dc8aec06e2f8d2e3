"""Passes whole connections between processes of one machine, so that people talk to the owner of their table directly.

A Unix socket carries the open file (SCM_RIGHTS). Its name is abstract, so there is no file to protect or to clean up,
and others can neither guess it nor take it first. That exists on Linux alone. Elsewhere, between machines, and whenever
anything fails, the events of the connection are carried on a line instead (`lines`).

The taker sends a challenge; the giver a challenge and its proof; the taker its proof; the giver the connection with the
head of its request; the taker YES, if it has room and owns the table; the giver YES. With this last word the connection
is the taker's. Until then the taker does nothing with it, and the giver can serve it.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from polemos.server.cluster.lines import proof_of

PATIENCE: Final = 3.0  # seconds for the giver to get an answer; the taker waits for twice as long
REST: Final = 5.0  # seconds until connections are offered again to a process that did not answer
PAUSE: Final = 0.5  # seconds without taking connections when no more files can be opened
WAITING: Final = 1024  # connections on offer at the same time
MAX_HEAD: Final = 1 << 17  # bytes
CHALLENGE: Final = 32  # bytes
TABLE: Final = 12  # letters of a table's id
YES: Final = b"y"
_SUPPORTED: Final = sys.platform == "linux"

_log = logging.getLogger("polemos")


class Adopter(Protocol):
    """Serves connections that were accepted by another process."""

    def has_room(self, connection: socket.socket) -> bool: ...

    async def adopt(self, connection: socket.socket, head: bytes) -> None: ...


class Passing:
    """Gives connections away and takes them. `is_ours` says whether a table belongs to this process."""

    def __init__(self, secret: bytes, is_ours: Callable[[str], Awaitable[bool]]) -> None:
        self.adopter: Adopter | None = None  # there is none until our own port is open
        self._secret, self._is_ours = secret, is_ours
        self._silent: dict[str, float] = {}  # when a process, by its address, did not answer
        self._own = b""  # our name; proofs hold for one name, so that nobody can use ours to pass for another process
        self._listening: socket.socket | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    # ---- taking

    def listen(self, address: str) -> None:
        """Takes connections from now on, as the process with this inner address."""
        if not _SUPPORTED:
            return
        self._own, self._listening = self._name(address), _unix_socket()
        try:
            self._listening.bind(self._own)
            self._listening.listen(WAITING)
        except OSError as error:
            _log.warning("Connections can't be passed to this process, so their messages are: %s", error)
            self._listening.close()
        else:
            self._start(self._take_all(self._listening))

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._listening is not None:
            self._listening.close()

    def _start(self, doing: Any) -> None:
        task = asyncio.create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _take_all(self, listening: socket.socket) -> None:
        while True:
            try:
                giver, _ = await asyncio.get_running_loop().sock_accept(listening)
            except OSError:
                await asyncio.sleep(PAUSE)
            else:
                self._start(self._take(giver))

    async def _take(self, giver: socket.socket) -> None:
        connection: socket.socket | None = None
        with giver:
            try:
                async with asyncio.timeout(2 * PATIENCE):
                    connection, head = await self._offered(giver)
                if connection is not None and self.adopter is not None:
                    await self.adopter.adopt(connection, head)
                    connection = None
            except (TimeoutError, OSError):
                pass  # the giver serves it, or the client connects again
            finally:
                if connection is not None:
                    connection.close()

    async def _offered(self, giver: socket.socket) -> tuple[socket.socket | None, bytes]:
        """A connection that is ours now, if there is one, and the head of its request."""
        loop, ours = asyncio.get_running_loop(), secrets.token_bytes(CHALLENGE)
        await loop.sock_sendall(giver, ours)
        said = await loop.sock_recv(giver, 2 * CHALLENGE)
        theirs, proven = said[:CHALLENGE], said[CHALLENGE:]
        if not hmac.compare_digest(proven, proof_of(self._secret, "giver", self._own, ours, theirs)):
            return None, b""
        await loop.sock_sendall(giver, proof_of(self._secret, "taker", self._own, ours, theirs))
        await _readable(giver)
        said, files, _, _ = socket.recv_fds(giver, MAX_HEAD, 1, socket.MSG_CMSG_CLOEXEC)
        if not files:
            return None, b""
        connection = socket.socket(fileno=files[0])
        try:
            room = self.adopter is not None and self.adopter.has_room(connection)
            if room and await self._is_ours(said[:TABLE].decode()):
                await loop.sock_sendall(giver, YES)
                if await loop.sock_recv(giver, len(YES)) == YES:
                    return connection, said[TABLE:]
        except BaseException:
            connection.close()
            raise
        connection.close()
        return None, b""

    # ---- giving

    async def give(self, address: str, table: str, connection: int, head: bytes) -> bool:
        """Gives an open file to the process with this inner address. False if it is still ours to serve."""
        if not _SUPPORTED or time.monotonic() - self._silent.get(address, -REST) < REST:
            return False
        name = self._name(address)
        with _unix_socket() as taker:
            try:
                taker.connect(name)  # at once, or not at all
                async with asyncio.timeout(PATIENCE):
                    if not await self._offer(taker, name, table, connection, head):
                        return False
                return taker.send(YES) == len(YES)  # nothing is awaited after it: it cannot be said and then forgotten
            except TimeoutError:
                now = time.monotonic()
                self._silent = {of: at for of, at in self._silent.items() if now - at < REST} | {address: now}
            except OSError:
                pass  # it is on another machine, has ended, or has too much to do
        return False

    async def _offer(self, taker: socket.socket, name: bytes, table: str, connection: int, head: bytes) -> bool:
        """Whether the other process has the connection before it, and wants it."""
        loop, ours = asyncio.get_running_loop(), secrets.token_bytes(CHALLENGE)
        theirs = await loop.sock_recv(taker, CHALLENGE)
        await loop.sock_sendall(taker, ours + proof_of(self._secret, "giver", name, theirs, ours))
        proven = await loop.sock_recv(taker, CHALLENGE)
        if not hmac.compare_digest(proven, proof_of(self._secret, "taker", name, theirs, ours)):
            return False
        socket.send_fds(taker, [table.encode() + head], [connection])
        return await loop.sock_recv(taker, len(YES)) == YES

    def _name(self, address: str) -> bytes:
        return b"\0polemos-" + proof_of(self._secret, "passing", address.encode()).hex().encode()


def _unix_socket() -> socket.socket:
    """A socket that keeps messages apart: what is sent at once is received at once, or not at all."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    made.setblocking(False)
    return made


async def _readable(of: socket.socket) -> None:
    """Waits until there is something to read; asyncio can't receive files by itself."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(of, lambda: None if ready.done() else ready.set_result(None))
    try:
        await ready
    finally:
        loop.remove_reader(of)
