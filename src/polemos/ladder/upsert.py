"""Rows that may or may not be there yet, in both databases."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def put(
    connection: Connection,
    table: Table,
    key: dict[str, Any],
    values: dict[str, Any],
    first: dict[str, Any] | None = None,
) -> None:
    """Sets the values of a row. `first` are those of a new one, where it says nothing else."""
    make = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    statement = make(table).values({**(first or {}), **key, **values})
    given = {name: statement.excluded[name] for name in values}
    connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=given))


def add(connection: Connection, table: Table, key: dict[str, Any], added: dict[str, float]) -> None:
    """Adds to the figures of a row."""
    make = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    statement = make(table).values({**key, **added})
    sums = {name: table.c[name] + statement.excluded[name] for name in added}
    connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=sums))
