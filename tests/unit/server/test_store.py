"""What is on disk: tables by migration alone, and writes that are whole, in order, and there when acknowledged."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, delete, event, func, insert, inspect, select, text
from sqlalchemy.exc import IntegrityError

from polemos.server.store import migrate, schema
from polemos.server.store.ledger import Closed, Ledger, connect
from unit.server.serving import run


@pytest.fixture
def engine(tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Empty, without tables."""
    database = request.getfixturevalue("cluster").new() if kind == "postgresql" else None
    made = connect(database or f"sqlite:///{tmp_path / 'polemos.db'}")
    yield made
    made.dispose()


@pytest.fixture
def ledger(engine: Engine) -> Iterator[Ledger]:
    migrate.upgrade(engine)
    opened = Ledger(engine)
    yield opened
    opened.close()


# ---- migrations


def test_an_empty_database_is_brought_to_the_tables_of_this_version(engine: Engine) -> None:
    migrate.upgrade(engine)
    assert set(inspect(engine).get_table_names()) == {*schema.metadata.tables, "alembic_version"}
    migrate.upgrade(engine)  # nothing more to do


def test_the_migrations_make_what_the_schema_says(engine: Engine) -> None:
    """As `alembic check`: a change of the schema without a migration fails here."""
    migrate.upgrade(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, schema.metadata) == []
    with engine.begin() as connection:
        config = migrate.configured()
        config.attributes["connection"] = connection
        command.check(config)


def test_migrations_lead_up_and_down(engine: Engine) -> None:
    migrate.upgrade(engine)
    with engine.begin() as connection:
        config = migrate.configured()
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    assert set(inspect(engine).get_table_names()) <= {"alembic_version"}
    migrate.upgrade(engine)
    assert "acts" in inspect(engine).get_table_names()


def test_there_is_one_line_of_migrations() -> None:
    assert len(ScriptDirectory.from_config(migrate.configured()).get_heads()) == 1


# ---- the ledger


def note(number: int, **other: Any) -> Any:
    row = {"id": number, "at": 1.0, **other}
    return insert(schema.beats).values(row)


def numbers(ledger: Ledger) -> list[int]:
    return [row["id"] for row in ledger.read(select(schema.beats.c.id).order_by(schema.beats.c.id))]


def test_a_write_is_there_when_it_is_acknowledged(ledger: Ledger) -> None:
    async def go() -> None:
        for number in range(20):
            await ledger.write(note(number))
            assert numbers(ledger) == list(range(number + 1))

    run(go())


def test_statements_are_written_all_or_none(ledger: Ledger) -> None:
    async def go() -> None:
        await ledger.write(note(1))
        with pytest.raises(IntegrityError):
            await ledger.write(note(2), note(1), note(3))
        assert numbers(ledger) == [1]

    run(go())


def test_a_bad_write_does_not_spoil_those_that_came_with_it(ledger: Ledger) -> None:
    async def go() -> list[Any]:
        await ledger.write(note(0))
        wishes = [ledger.write(note(number if number != 7 else 0)) for number in range(1, 30)]
        return await asyncio.gather(*wishes, return_exceptions=True)

    answers = run(go())
    assert [i for i, answer in enumerate(answers, 1) if answer is not None] == [7]
    assert numbers(ledger) == [number for number in range(30) if number != 7]


def test_writes_keep_their_order(ledger: Ledger) -> None:
    async def go() -> None:
        for number in range(50):
            ledger.write_soon(delete(schema.beats), note(number))
        await ledger.write(delete(schema.beats), note(99))

    run(go())
    assert numbers(ledger) == [99]


def test_what_may_be_late_is_there_at_the_end(engine: Engine) -> None:
    migrate.upgrade(engine)
    ledger = Ledger(engine)
    for number in range(100):
        ledger.write_soon(note(number))
    ledger.close()
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(schema.beats)).scalar() == 100


def test_nothing_is_written_after_the_end(engine: Engine) -> None:
    migrate.upgrade(engine)
    ledger = Ledger(engine)
    ledger.close()
    with pytest.raises(Closed):
        run(ledger.write(note(1)))


def test_one_who_goes_away_does_not_stop_the_write(ledger: Ledger) -> None:
    async def go() -> None:
        task = asyncio.create_task(ledger.write(note(1)))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await ledger.write(note(2))

    run(go())
    assert numbers(ledger) == [1, 2]


def test_sqlite_waits_for_the_disk(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path / 'polemos.db'}")
    with engine.connect() as connection:
        found = [
            connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    engine.dispose()
    assert found == ["wal", 2, 1]


def test_connections_in_use_at_the_end_are_closed_when_they_come_back(engine: Engine) -> None:
    """Pages read the database in threads of their own; a server that stops does not wait for all of them."""
    migrate.upgrade(engine)
    ledger = Ledger(engine)
    closed: list[object] = []
    event.listen(engine, "close", lambda connection, record: closed.append(connection))
    with engine.connect() as reading:
        used = reading.connection.driver_connection
        ledger.close()
        assert used not in closed
        assert reading.execute(select(func.count()).select_from(schema.beats)).scalar() == 0
    assert used in closed
