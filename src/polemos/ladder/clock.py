"""The time of the database: leases expire by one clock, whatever those of the workers say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, Float, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.expression import FunctionElement

Writing = Callable[[], AbstractContextManager[Connection]]  # begins a transaction that will write


class now(FunctionElement[float]):
    """Seconds since 1970, when the statement runs."""

    type = Float()
    inherit_cache = True


@compiles(now, "sqlite")
def _in_sqlite(element: now, compiler: Any, **how: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(now, "postgresql")
def _in_postgresql(element: now, compiler: Any, **how: Any) -> str:
    # A subquery is run once. By itself the function would be run for every row, so that no index could be used.
    return "(SELECT CAST(extract(epoch FROM clock_timestamp()) AS double precision))"


def time_of(connection: Connection) -> float:
    """The time of the database now."""
    return float(connection.execute(select(now())).scalar_one())


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that will write. SQLite must know at the start, or another writer may slip in between."""
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Reads without a transaction: PostgreSQL ends one that pauses, and a million rows are not read in a moment."""
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execution_options(isolation_level="AUTOCOMMIT")
        yield connection
