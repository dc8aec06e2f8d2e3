"""This process among those that share a database: its row there, which it renews, and notices between processes.

A thread with a connection of its own does this, so that nothing that keeps the tables busy can cost the lease.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import Executable, func, select

from polemos.kernel.parts import part
from polemos.server.folder import Unusable

if TYPE_CHECKING:
    import psycopg

LEASE: Final = 5.0  # seconds for which a renewal counts
BEAT: Final = 1.0  # seconds between renewals
MARGIN: Final = 1.0  # seconds before the end of its lease when a process stops answering
LISTEN: Final = 0.25  # seconds to wait for notices at a time
AGAIN: Final = 0.3  # seconds until the next try to reach the database
CHANNEL: Final = "polemos"

_NOW: Final = "extract(epoch FROM clock_timestamp())::float8"
_log = logging.getLogger("polemos")


class Member(Struct, frozen=True):
    """Another process."""

    id: str
    address: str


class Dead(Struct, frozen=True):
    """We were declared dead: nothing belongs to us any more that we had under this name."""

    id: str


class Orphans(Struct, frozen=True):
    """There are tables whose owner is dead."""


class Deaf(Struct, frozen=True):
    """Notices may have been lost."""


class Notice(Struct, frozen=True):
    """Something that another process says to all."""

    sender: str
    kind: str
    text: str = ""


Event = Dead | Orphans | Deaf | Notice


class Membership:
    """Our row among the processes. `hear` is told of events, in the loop that it was begun in."""

    def __init__(self, url: str, place: str, mark: str, hear: Callable[[Event], None]) -> None:
        self.id = secrets.token_hex(6)
        self.address = ""
        self.others: tuple[Member, ...] = ()
        self.living: frozenset[str] = frozenset()  # all that were not declared dead
        self.is_first = False  # whether it is the oldest process
        self._url, self._place, self._mark, self._hear = url, place, mark, hear
        self._loop: asyncio.AbstractEventLoop | None = None
        self._until = 0.0  # when we stop answering, on the clock since boot
        self._steady: float | None = None  # since when every renewal has succeeded
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="membership", daemon=True)

    # ---- for the event loop

    async def begin(self, address: str) -> None:
        """Becomes a member; others reach us at this address."""
        self.address, self._loop = address, asyncio.get_running_loop()
        self._until = await asyncio.to_thread(self._enter, self.id)
        self._thread.start()

    @property
    def is_sure(self) -> bool:
        """Whether our tables are certainly still ours."""
        return since_boot() < self._until

    async def sure(self, seconds: float) -> bool:
        """Waits for that; False if it takes too long."""
        until = since_boot() + seconds
        while not self.is_sure:
            if since_boot() > until:
                return False
            await asyncio.sleep(0.05)
        return True

    def notice(self, kind: str, text: str = "") -> Executable:
        """The statement that tells all other processes something, once its transaction is on disk."""
        return select(func.pg_notify(CHANNEL, msgspec.json.encode(Notice(self.id, kind, text)).decode()))

    async def leave(self) -> None:
        """Tells the others that they can take our tables."""
        self._stopping.set()
        if self._thread.is_alive():
            await asyncio.to_thread(self._thread.join, 5)

    # ---- the thread

    def _tell(self, event: Event) -> None:
        if self._loop is not None and not self._stopping.is_set():
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._hear, event)

    def _connected(self) -> psycopg.Connection[Any]:
        with part("postgres", "PostgreSQL needs"):
            import psycopg
        # Whatever hangs, the next try must come before the lease ends.
        limits = f"-c statement_timeout={int(LEASE * 300)} -c application_name=polemos-membership"
        return psycopg.connect(
            self._url, autocommit=True, connect_timeout=2, options=limits, tcp_user_timeout=int(LEASE * 400)
        )

    def _enter(self, id: str) -> float:
        """Enters us under a name; returns until when we may answer."""
        began = since_boot()
        with self._connected() as connection, connection.transaction():
            others = connection.execute(
                f"SELECT address FROM processes WHERE alive AND expires > {_NOW} AND mark <> %s AND place <> %s",
                (self._mark, self._place),
            ).fetchall()
            if others:
                raise Unusable(
                    f"The server at {others[0][0]} uses the same database with another secret. Copy the file"
                    " 'secret' of its folder into this server's folder."
                )
            # We hold the lock of this place, so whoever had it before is gone.
            connection.execute("UPDATE processes SET alive = false WHERE alive AND place = %s", (self._place,))
            connection.execute(
                "INSERT INTO processes (id, place, address, mark, began, renewed, expires, alive)"
                f" VALUES (%s, %s, %s, %s, {_NOW}, {_NOW}, {_NOW} + %s, true)",
                (id, self._place, self.address, self._mark, LEASE),
            )
            connection.execute(
                f"DELETE FROM processes WHERE NOT alive AND expires < {_NOW} - 3600"
                " AND NOT EXISTS (SELECT 1 FROM leases WHERE owner = processes.id)"
            )
            self._say(connection, "came")
        self._steady = began
        return began + LEASE - MARGIN

    def _work(self) -> None:
        while not self._stopping.is_set():
            try:
                with self._connected() as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._tell(Deaf())
                    self._stay(connection)
            except Exception as error:
                if self._steady is not None:  # once is enough
                    _log.error("The lease of this process could not be renewed: %s", error)
                self._steady = None
                self._stopping.wait(AGAIN)

    def _stay(self, connection: psycopg.Connection[Any]) -> None:
        while not self._stopping.is_set():
            began = since_boot()
            self._renew(connection, began)
            if self._steady is not None and began - self._steady > LEASE:
                self._bury(connection)
            self._look(connection)
            while not self._stopping.is_set() and since_boot() < began + BEAT:
                for said in connection.notifies(timeout=LISTEN):
                    self._notify(said.payload)
        dead = f"UPDATE processes SET alive = false, renewed = {_NOW} WHERE id = %s AND alive"
        connection.execute(dead, (self.id,))
        self._say(connection, "left")

    def _renew(self, connection: psycopg.Connection[Any], began: float) -> None:
        renewal = f"UPDATE processes SET renewed = {_NOW}, expires = {_NOW} + %s WHERE id = %s AND alive"
        if connection.execute(renewal, (LEASE, self.id)).rowcount:
            late = began > self._until
            self._steady = began if self._steady is None or late else self._steady
            self._until = began + LEASE - MARGIN
            return
        _log.error("This process was declared dead, because its lease was not renewed in time. It starts again.")
        self._until = 0.0
        # First on disk, then used: others take whatever belongs to a name that they do not know.
        fresh = secrets.token_hex(6)
        until = self._enter(fresh)
        old, self.id = self.id, fresh
        self._tell(Dead(old))
        self._until = until

    def _bury(self, connection: psycopg.Connection[Any]) -> None:
        """Declares processes dead whose lease has ended."""
        ended = f"UPDATE processes SET alive = false WHERE alive AND expires < {_NOW} RETURNING id, address"
        for id, address in connection.execute(ended).fetchall():
            _log.warning("Process %s at %s is dead. Its tables are taken over.", id, address)
            self._say(connection, "dead")

    def _look(self, connection: psycopg.Connection[Any]) -> None:
        """Looks who else is there, and whether there are tables to take over."""
        living = f"SELECT id, address, expires > {_NOW} FROM processes WHERE alive ORDER BY began, id"
        rows = connection.execute(living).fetchall()
        members = [Member(id, address) for id, address, in_time in rows if in_time]
        self.living = frozenset(row[0] for row in rows)
        self.is_first = bool(members) and members[0].id == self.id
        self.others = tuple(member for member in members if member.id != self.id)
        orphans = (
            "SELECT 1 FROM processes JOIN leases ON owner = processes.id JOIN game_tables ON table_id = game_tables.id"
            " WHERE NOT alive AND status <> 'over' LIMIT 1"
        )
        if connection.execute(orphans).fetchone():
            self._tell(Orphans())

    def _say(self, connection: psycopg.Connection[Any], kind: str) -> None:
        said = msgspec.json.encode(Notice(self.id, kind)).decode()
        connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, said))

    def _notify(self, payload: str) -> None:
        with suppress(msgspec.MsgspecError):
            notice = msgspec.json.decode(payload, type=Notice)
            if notice.sender != self.id:
                self._tell(notice)
            if notice.kind in ("left", "dead"):
                self._tell(Orphans())


def since_boot() -> float:
    """Seconds on a clock that also runs while a process is stopped or the machine sleeps."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()
