"""Tells those who wait for games that there are some: within the process, and with PostgreSQL across processes."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any, Final

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

CHANNEL: Final = "polemos_ladder"


class Bell:
    """Waiting for it costs nothing while nothing happens. Nobody may rely on it: it can be missed, never the games."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._rung = threading.Condition()
        self._count = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        if engine.dialect.name == "postgresql":
            self._thread = threading.Thread(target=self._listen, name="ladder bell", daemon=True)
            self._thread.start()

    def ring(self, connection: Connection) -> None:
        """Rings when the transaction is committed. With SQLite, whoever commits rings afterwards, by `rings`."""
        if self._thread is not None:
            connection.execute(text(f"NOTIFY {CHANNEL}"))

    def rings(self) -> None:
        """Wakes up those who wait in this process."""
        with self._rung:
            self._count += 1
            self._rung.notify_all()

    @property
    def count(self) -> int:
        return self._count

    def wait(self, seconds: float, since: int) -> None:
        """Returns when it has rung since that count, or after some time."""
        with self._rung:
            self._rung.wait_for(lambda: self._count != since or self._stop.is_set(), seconds)

    def close(self) -> None:
        self._stop.set()
        with self._rung:
            self._rung.notify_all()
        if self._thread is not None:
            self._thread.join(5)

    def _listen(self) -> None:
        while not self._stop.is_set():
            try:
                with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                    connection.execute(text(f"LISTEN {CHANNEL}"))
                    self._hear(connection.connection.driver_connection)
                    with suppress(DBAPIError):
                        connection.execute(text(f"UNLISTEN {CHANNEL}"))
            except DBAPIError:  # the database is gone for a while
                self._stop.wait(1.0)

    def _hear(self, driver: Any) -> None:
        import psycopg

        while not self._stop.is_set():
            try:
                for _ in driver.notifies(timeout=1.0, stop_after=1):
                    self.rings()
            except psycopg.Error:
                return
