"""Writing and reading the database. One thread writes: everything that piled up meanwhile goes in one transaction.

A write is confirmed when its transaction is on disk. Group commits keep that cheap when many tables play at once.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from sqlalchemy import Engine, Executable, RowMapping, create_engine, event

from polemos.kernel.errors import PolemosError
from polemos.kernel.parts import part
from polemos.server.metrics import DATABASE, FAILED_WRITES

_STOP: Final = None
MAX_AT_ONCE: Final = 500


class Closed(RuntimeError):
    """The server is shutting down, and nothing more is written."""


class Unwritten(PolemosError):
    """The database failed."""

    word = "server/unwritten"


def connect(url: str) -> Engine:
    """An engine for SQLite or PostgreSQL. SQLite uses a write-ahead log and waits for the disk."""
    if url.startswith("postgresql://"):
        url = url.replace("postgresql://", "postgresql+psycopg://", 1)
    with part("postgres", "PostgreSQL needs"):
        engine = create_engine(
            url,
            pool_pre_ping=not url.startswith("sqlite"),
            hide_parameters=True,  # errors are logged, and parameters are orders and names
        )
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def _settle(connection: Any, record: object) -> None:
            for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
                connection.execute(f"PRAGMA {setting}")

    return engine


class _Write:
    def __init__(self, statements: Sequence[Executable], loop: asyncio.AbstractEventLoop | None) -> None:
        self.statements = statements
        self.loop = loop
        self.done: asyncio.Future[None] | None = None if loop is None else loop.create_future()

    def tell(self, error: BaseException | None) -> None:
        if self.loop is None or self.done is None:
            return
        with suppress(RuntimeError):  # the server has stopped in the meantime
            self.loop.call_soon_threadsafe(self._settle, error)

    def _settle(self, error: BaseException | None) -> None:
        if self.done is None or self.done.done():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


class Ledger:
    """The database of a running server."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._queue: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="ledger", daemon=True)
        self._thread.start()

    async def write(self, *statements: Executable) -> None:
        """Writes all of the statements or none, and returns when they are on disk."""
        if self._closed:
            raise Closed
        write = _Write(statements, asyncio.get_running_loop())
        assert write.done is not None
        self._queue.put(write)
        await write.done

    def write_soon(self, *statements: Executable) -> None:
        """For data of which the last second may be lost, such as a draft being typed."""
        self._queue.put(_Write(statements, None))

    @property
    def waiting(self) -> int:
        """How many writes are waiting for their transaction."""
        return self._queue.qsize()

    def read(self, statement: Executable) -> list[RowMapping]:
        with DATABASE.labels("read").time(), self.engine.connect() as connection:
            return list(connection.execute(statement).mappings())

    async def fetch(self, statement: Executable) -> list[RowMapping]:
        """Like `read`, without blocking the tables."""
        return await asyncio.to_thread(self.read, statement)

    def close(self) -> None:
        """Writes everything that is left, and stops."""
        self._closed = True
        self._queue.put(_STOP)
        self._thread.join(10)
        self.engine.dispose()

    # ---- the writing thread

    def _work(self) -> None:
        while (first := self._queue.get()) is not _STOP:
            batch, more = [first], True
            while more and len(batch) < MAX_AT_ONCE:
                try:
                    write = self._queue.get_nowait()
                except queue.Empty:
                    break
                if write is _STOP:
                    self._queue.put(_STOP)
                    more = False
                else:
                    batch.append(write)
            self._commit(batch)

    def _commit(self, batch: list[_Write]) -> None:
        try:
            with DATABASE.labels("write").time(), self.engine.begin() as connection:
                for write in batch:
                    for statement in write.statements:
                        connection.execute(statement)
        except Exception as error:
            if len(batch) == 1:
                FAILED_WRITES.inc()
                batch[0].tell(error)
                return
            for write in batch:  # one bad write must not spoil the others in the batch
                self._commit([write])
            return
        for write in batch:
            write.tell(None)
