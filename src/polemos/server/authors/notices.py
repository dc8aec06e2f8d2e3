"""Whether there is anything new that somebody was told: of their bots and their groups."""

from __future__ import annotations

from sqlalchemy import Connection, func, select, update

from polemos.server.store import ladder as db

_of = db.notices


def unseen(connection: Connection, account: int) -> int:
    """How many notices somebody has not looked at yet."""
    new = select(func.count()).where(_of.c.account_id == account, _of.c.seen == 0)
    return int(connection.execute(new).scalar_one())


def look_at(connection: Connection, account: int, last: int) -> None:
    """Somebody has looked at their notices, up to this one."""
    connection.execute(update(_of).where(_of.c.account_id == account, _of.c.id <= last, _of.c.seen == 0).values(seen=1))
