"""Who owns which table. Only for PostgreSQL; see decision 16."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import Connection, Engine, Executable, Row, RowMapping, false, func, insert, select, update

from polemos.server.store import schema
from polemos.server.store.ledger import Fence, Ledger, Moved

leases, processes = schema.leases, schema.processes

FIRST: Final = 1  # the number of a new table's lease


class Taken(Struct, frozen=True):
    """A table that now belongs to us. `since`: when its owner was last alive, if it still had one."""

    fence: Fence
    since: float | None


class Elsewhere(Moved):
    """The table belongs to another process that is alive, as far as the database knows."""

    def __init__(self, owner: str, address: str) -> None:
        super().__init__("This table has moved to another process. Try again.")
        self.owner, self.address = owner, address


def take(engine: Engine, table: str, me: str) -> Taken | None:
    """Takes a table that nobody alive owns; None if there is no such table. Otherwise raises Elsewhere."""
    with engine.begin() as connection:
        row = connection.execute(select(leases).where(leases.c.table_id == table).with_for_update()).first()
        if row is None:
            return None
        # Asked after the lock, not along with it: a joined row would be as it was before waiting for the lock.
        owner = _process(connection, row.owner)
        if owner is not None and owner.alive and owner.id != me:
            raise Elsewhere(owner.id, owner.address)
        return _taken(connection, row, owner, me)


def take_orphans(engine: Engine, me: str, most: int, *, asleep: bool) -> list[Taken]:
    """Takes unfinished tables whose owner is dead: those where nothing happens until somebody asks, or all others.

    Those that someone else is just taking are left to them.
    """
    tables, kept, living = schema.game_tables, schema.standings, select(processes.c.id).where(processes.c.alive)
    orphans = (
        select(leases)
        .join(tables, tables.c.id == leases.c.table_id)
        .outerjoin(kept, kept.c.table_id == leases.c.table_id)
        .where(leases.c.owner.is_not(None), leases.c.owner.not_in(living), tables.c.status != "over")
        .where(func.coalesce(kept.c.asleep, false()) == asleep)
        .order_by(leases.c.table_id)
        .limit(most)
        .with_for_update(of=leases, skip_locked=True)
    )
    found: list[Taken] = []
    with engine.begin() as connection:
        for row in connection.execute(orphans).all():
            owner = _process(connection, row.owner)  # again, after the lock
            if row.owner is not None and (owner is None or not owner.alive):
                found.append(_taken(connection, row, owner, me))
    return found


def _process(connection: Connection, id: str | None) -> Row[Any] | None:
    return None if id is None else connection.execute(select(processes).where(processes.c.id == id)).first()


def _taken(connection: Connection, row: Row[Any], owner: Row[Any] | None, me: str) -> Taken:
    """Writes the new owner of a lease that this transaction has locked."""
    fence = Fence(row.table_id, me, row.number + 1)
    mine = update(leases).where(leases.c.table_id == fence.table).values(owner=me, number=fence.number)
    connection.execute(mine)
    if row.owner in (None, me):
        return Taken(fence, None)
    # Before there were leases, a heartbeat told when the server was last alive.
    return Taken(fence, connection.execute(select(schema.beats.c.at)).scalar() if owner is None else owner.renewed)


def owner_of(engine: Engine, table: str) -> Elsewhere | None:
    """The process that owns a table, if it is alive as far as the database knows."""
    with engine.connect() as connection:
        id = connection.execute(select(leases.c.owner).where(leases.c.table_id == table)).scalar()
        owner = _process(connection, id)
    return Elsewhere(owner.id, owner.address) if owner is not None and owner.alive else None


class Pen:
    """Writes about one table. Once the table is another's, nothing is written, and `lost` is told."""

    def __init__(self, ledger: Ledger, fence: Fence | None = None, lost: Callable[[], None] | None = None) -> None:
        self.ledger, self.fence, self._lost = ledger, fence, lost

    async def write(self, *statements: Executable) -> None:
        try:
            await self.ledger.write(*statements, **self._fenced)
        except Moved:
            if self._lost is not None:
                self._lost()
            raise

    async def write_first(self, *statements: Executable) -> None:
        """Writes the statements that make the table; its lease is one of them."""
        await self.ledger.write(*statements)

    def write_soon(self, *statements: Executable) -> None:
        self.ledger.write_soon(*statements, **self._fenced)

    @property
    def _fenced(self) -> dict[str, Fence]:
        return {} if self.fence is None else {"fence": self.fence}

    def read_settled(self, statement: Executable) -> list[RowMapping]:
        """Reads when no transaction of ours about this table is under way any more, even on a broken connection."""
        if self.fence is None:
            return self.ledger.read(statement)
        lock = select(leases).where(leases.c.table_id == self.fence.table).with_for_update()
        return self.ledger.read(statement, after=lock)

    def lease(self) -> list[Executable]:
        """The statement that writes the lease of a new table."""
        if self.fence is None:
            return []
        return [insert(leases).values(table_id=self.fence.table, owner=self.fence.owner, number=self.fence.number)]

    def give_up(self) -> None:
        """Leaves the table on disk, to whoever needs it next."""
        if self.fence is not None:
            mine = (leases.c.table_id == self.fence.table) & (leases.c.owner == self.fence.owner)
            free = update(leases).where(mine, leases.c.number == self.fence.number).values(owner=None)
            self.ledger.write_soon(free)
