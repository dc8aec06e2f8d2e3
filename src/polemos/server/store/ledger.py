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

from msgspec import Struct
from sqlalchemy import Connection, Engine, Executable, RowMapping, create_engine, event, make_url, select
from sqlalchemy.pool import ConnectionPoolEntry

from polemos.kernel.errors import PolemosError
from polemos.kernel.parts import part
from polemos.server.metrics import DATABASE, FAILED_WRITES
from polemos.server.store import schema

_STOP: Final = None
MAX_AT_ONCE: Final = 500
MOVED: Final = "This table has moved to another process, so nothing was changed. Connect again."
MAX_PAUSE: Final = 3000  # milliseconds that PostgreSQL waits for us within a transaction; its locks are others' too


class Closed(RuntimeError):
    """The server is shutting down, and nothing more is written."""


class Unwritten(PolemosError):
    """The database failed."""

    word = "server/unwritten"


class Moved(PolemosError):
    """Another process has taken over the table."""

    word = "server/moved"


class Fence(Struct, frozen=True):
    """The right to write about a table. It ends when another process takes the table over."""

    table: str
    owner: str
    number: int


def connect(url: str) -> Engine:
    """An engine for SQLite or PostgreSQL. SQLite uses a write-ahead log and waits for the disk."""
    if url.startswith("postgresql://"):
        url = url.replace("postgresql://", "postgresql+psycopg://", 1)
    with part("postgres", "PostgreSQL needs"):
        engine = create_engine(
            url,
            pool_pre_ping=not url.startswith("sqlite"),
            hide_parameters=True,  # errors are logged, and parameters are orders and names
            connect_args={} if url.startswith("sqlite") else {"options": _options(url)},
        )
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def _settle(connection: Any, record: object) -> None:
            for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
                connection.execute(f"PRAGMA {setting}")

    return engine


def _options(url: str) -> str:
    """Options for a session of PostgreSQL: those in the address, and an end for a process that stops halfway.

    Our statements are short. To start processes or a compiler for one takes longer than to run it.
    """
    given = make_url(url).query.get("options", "")
    own = f"-c idle_in_transaction_session_timeout={MAX_PAUSE} -c max_parallel_workers_per_gather=0 -c jit=off"
    return f"{own} {given if isinstance(given, str) else ' '.join(given)}"


class _Write:
    def __init__(
        self, statements: Sequence[Executable], loop: asyncio.AbstractEventLoop | None, fence: Fence | None = None
    ) -> None:
        self.statements, self.fence = statements, fence
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

    async def write(self, *statements: Executable, fence: Fence | None = None) -> None:
        """Writes all of the statements or none, and returns when they are on disk.

        Raises Moved, with nothing written, if there is a fence and it no longer holds.
        """
        if self._closed:
            raise Closed
        write = _Write(statements, asyncio.get_running_loop(), fence)
        assert write.done is not None
        self._queue.put(write)
        await write.done

    def write_soon(self, *statements: Executable, fence: Fence | None = None) -> None:
        """For data of which the last second may be lost, such as a draft being typed."""
        self._queue.put(_Write(statements, None, fence))

    @property
    def waiting(self) -> int:
        """How many writes are waiting for their transaction."""
        return self._queue.qsize()

    def read(self, statement: Executable, *, after: Executable | None = None) -> list[RowMapping]:
        """The rows of a query. `after` is carried out before it, to wait for a lock."""
        with DATABASE.labels("read").time(), self.engine.connect() as connection:
            if after is not None:
                connection.execute(after)
            return list(connection.execute(statement).mappings())

    async def fetch(self, statement: Executable) -> list[RowMapping]:
        """Like `read`, without blocking the tables."""
        return await asyncio.to_thread(self.read, statement)

    def close(self) -> None:
        """Writes everything that is left, and stops."""
        self._closed = True
        self._queue.put(_STOP)
        self._thread.join(10)
        event.listen(self.engine, "checkin", _end)  # of those that are still in use, when they are given back
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
                ended = _ended(connection, {write.fence for write in batch if write.fence is not None})
                for write in batch:
                    for statement in write.statements if write.fence not in ended else ():
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
            write.tell(Moved(MOVED) if write.fence in ended else None)


def _end(connection: Any, record: ConnectionPoolEntry) -> None:
    """Closes a connection that goes back to a pool which is gone: nobody else would."""
    record.invalidate()


def _ended(connection: Connection, fences: set[Fence]) -> set[Fence | None]:
    """The fences that no longer hold. The others hold until this transaction ends: their leases are locked."""
    if not fences:
        return set()
    leases, tables = schema.leases, sorted(fence.table for fence in fences)
    rows = connection.execute(select(leases).where(leases.c.table_id.in_(tables)).with_for_update(read=True))
    held = {Fence(row.table_id, row.owner or "", row.number) for row in rows}
    return {fence for fence in fences if fence not in held}
