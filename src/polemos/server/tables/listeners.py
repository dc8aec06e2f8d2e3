"""Those who listen at a table. None of them is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

MAX_WAITING: Final = 400  # messages to one listener; who does not read them is let go
MAX_BYTES: Final = 8 << 20  # of these messages together


class Listener:
    """One connection at a table, and what it has not been told yet."""

    def __init__(self, seat: str | None, member: int = 0, packed: bool = False, pictured: bool = False) -> None:
        self.seat = seat
        self.member = member  # which person of the seat
        self.packed = packed  # whether it wants frames packed,
        self.pictured = pictured  # and with pictures
        self.looks: str | None = None
        self.strange: Sequence[Any] = ()  # lines that this person wrote and others of the seat are to give
        self.gone = False
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._bytes = 0

    def tell(self, message: bytes) -> None:
        if self.gone:
            return
        self._bytes += len(message)
        self._queue.put_nowait(message)
        if self._queue.qsize() > MAX_WAITING or self._bytes > MAX_BYTES:
            self.let_go()

    def let_go(self) -> None:
        """It is told nothing more, not even what waits."""
        self.gone = True
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(None)

    async def next(self) -> bytes | None:
        """The next message; None when it was let go."""
        message = await self._queue.get()
        if message is not None:
            self._bytes -= len(message)
        return message


class Bell(Listener):
    """A connection that only wants to know that something has happened."""

    def __init__(self, seat: str | None) -> None:
        super().__init__(seat)
        self._rung = asyncio.Event()

    def tell(self, message: bytes) -> None:
        self._rung.set()

    def let_go(self) -> None:
        self.gone = True
        self._rung.set()

    async def rings(self) -> None:
        await self._rung.wait()
        self._rung.clear()
