"""The connections listening at a table. The table never waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from polemos.server.work import Visitor

MAX_WAITING: Final = 400  # messages to one listener; one that does not read them is disconnected
MAX_BYTES: Final = 8 << 20  # in these messages together


# Why a connection ends: the code and the reason that are sent.
TOO_SLOW: Final = (1013, "Too slow, or the server is shutting down. Connect again.")
SIGNED_OUT: Final = (4401, "You have signed out.")
BANNED: Final = 4403
RESTART: Final = 1012  # the standard code for a server that will be back


class Listener:
    """One connection at a table, and its queue of messages."""

    wants_sheets = True

    def __init__(
        self,
        seat: str | None,
        member: int = 0,
        packed: bool = False,
        pictured: bool = False,
        session: str | None = None,
        visitor: Visitor | None = None,
        address: str = "",
    ) -> None:
        self.seat = seat
        self.member = member  # the number of the person in the seat
        self.packed = packed  # whether to send packed frames
        self.pictured = pictured  # whether to send pictures
        self.looks: str | None = None
        self.strange: Sequence[Any] = ()  # lines by this person that only others in the seat may give
        self.session = session  # of the account that it was opened with
        self.visitor = visitor or Visitor()  # who pays for its sheets
        self.address = address
        self.gone = False
        self.busy = False  # whether a message from it is being carried out
        self.end = TOO_SLOW
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._bytes = 0

    def tell(self, message: bytes) -> None:
        if self.gone:
            return
        self._bytes += len(message)
        self._queue.put_nowait(message)
        if self._queue.qsize() > MAX_WAITING or self._bytes > MAX_BYTES:
            self.let_go()

    @property
    def waiting(self) -> int:
        """How many messages are waiting to be sent."""
        return self._queue.qsize()

    def let_go(self, why: tuple[int, str] = TOO_SLOW) -> None:
        """Disconnects it, discarding queued messages."""
        self.gone, self.end = True, why
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(None)

    def dismiss(self, last: bytes, why: str, code: int = RESTART) -> None:
        """Disconnects it after all queued messages and this last one, because the server stops, say."""
        if not self.gone:
            self.gone, self.end = True, (code, why)
            self._queue.put_nowait(last)
            self._queue.put_nowait(None)

    async def next(self) -> bytes | None:
        """The next message, or None once disconnected."""
        message = await self._queue.get()
        if message is not None:
            self._bytes -= len(message)
        return message


class Bell(Listener):
    """A connection that only wants to know when something has happened."""

    wants_sheets = False

    def __init__(self, seat: str | None) -> None:
        super().__init__(seat)
        self._rung = asyncio.Event()

    def tell(self, message: bytes) -> None:
        self._rung.set()

    def let_go(self, why: tuple[int, str] = TOO_SLOW) -> None:
        self.gone = True
        self._rung.set()

    def dismiss(self, last: bytes, why: str, code: int = RESTART) -> None:
        self.let_go()

    async def rings(self) -> None:
        await self._rung.wait()
        self._rung.clear()
