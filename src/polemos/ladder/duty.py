"""Who pairs, rates and fits: one process of all that use the database, by a lease with a number.

Whoever lost the lease without noticing can't write: every transaction that matters checks the lease first.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, Engine, case, literal, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from polemos.kernel.errors import PolemosError
from polemos.ladder.clock import now, writing
from polemos.server.store import ladder as db

SECONDS: Final = 15.0  # for which a renewal counts
_ROW: Final = 1


class OffDuty(PolemosError):
    """Another process pairs and rates now."""

    word = "ladder/off-duty"


class Duty:
    """The lease of this process, if it has it."""

    def __init__(self, engine: Engine, seconds: float = SECONDS, *, alone: bool = False) -> None:
        """`alone`: no other process uses the database, so whoever had the lease before is dead."""
        self._first = alone
        self.holder = secrets.token_hex(6)
        self.is_held = False
        self._engine = engine
        self._seconds = seconds

    def hold(self) -> bool:
        """Takes the lease if nobody has it, or renews it."""
        of = db.duty
        with writing(self._engine) as connection:
            make = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
            first = make(of).values(id=_ROW, holder="", number=0, expires=0.0)
            connection.execute(first.on_conflict_do_nothing())
            taken = connection.execute(
                update(of)
                .where(of.c.id == _ROW, or_(of.c.holder == self.holder, of.c.expires < now(), literal(self._first)))
                .values(
                    holder=self.holder,
                    number=case((of.c.holder == self.holder, of.c.number), else_=of.c.number + 1),
                    expires=now() + self._seconds,
                )
                .returning(of.c.number)
            ).scalar()
        self._first = False
        self.is_held = taken is not None
        return self.is_held

    def leave(self) -> None:
        """Lets somebody else have it at once."""
        of = db.duty
        with writing(self._engine) as connection:
            connection.execute(update(of).where(of.c.holder == self.holder).values(expires=0.0, holder=""))
        self.is_held = False

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that ends before somebody else can take over; raises OffDuty if somebody has."""
        of = db.duty
        with writing(self._engine) as connection:
            mine = select(of.c.number).where(of.c.id == _ROW, of.c.holder == self.holder).with_for_update(read=True)
            if connection.execute(mine).scalar() is None:
                self.is_held = False
                raise OffDuty("Another process looks after the ladders now.")
            yield connection
