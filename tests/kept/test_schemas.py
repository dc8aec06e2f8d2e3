"""Databases as every earlier migration left them: a server of today migrates them, and everything in them is used."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Boolean, LargeBinary, MetaData, insert, inspect

from kept.make_schemas import PASSWORD, SCHEMAS, as_bytes
from polemos import registry
from polemos.server.store import migrate, schema
from polemos.server.store.ledger import connect
from unit.server import postgres
from unit.server.postgres import Postgres
from unit.server.serving import Person, Server, Web

pytestmark = pytest.mark.slow
KEPT = sorted(path.name for path in SCHEMAS.iterdir())


@pytest.fixture(scope="module")
def cluster() -> Iterator[Postgres]:
    with postgres.running() as started:
        yield started


def built(revision: str, kind: str, folder: Path, cluster: Postgres) -> tuple[str | None, dict[str, str]]:
    """A database of that time with its rows; its address, and the tokens of seats at its tables."""
    kept: dict[str, Any] = json.loads((SCHEMAS / revision / "rows.json").read_text())
    statements = (SCHEMAS / revision / f"{kind}.sql").read_text()
    database: str | None = None
    if kind == "sqlite":
        with closing(sqlite3.connect(folder / "polemos.db")) as connection:
            connection.executescript(statements)
    else:
        database = cluster.new()
        with psycopg.connect(database, autocommit=True) as made:
            made.execute(statements.encode())
    engine = connect(database or f"sqlite:///{folder / 'polemos.db'}")
    found = MetaData()
    found.reflect(engine)
    with engine.begin() as filling:
        for table in found.sorted_tables:
            for row in kept["rows"][table.name]:
                values = {
                    name: as_bytes(value)
                    if isinstance(table.c[name].type, LargeBinary)
                    else bool(value)
                    if isinstance(table.c[name].type, Boolean)
                    else value
                    for name, value in row.items()
                }
                filling.execute(insert(table).values(values))
        if database is not None and "leases" in found.tables and not kept["rows"]["leases"]:  # SQLite needs none
            free = [{"table_id": row["id"], "owner": None, "number": 1} for row in kept["rows"]["game_tables"]]
            filling.execute(insert(found.tables["leases"]), free)
        if database is not None:
            filling.exec_driver_sql("SELECT setval('accounts_id_seq', (SELECT max(id) FROM accounts))")
    engine.dispose()
    return database, kept["tokens"]


def test_a_match_of_an_older_edition_stays_readable(
    tmp_path: Path, cluster: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, of = built("0001", "sqlite", tmp_path, cluster)
    monkeypatch.setattr(type(registry.load("skerries")), "edition", 99)
    with Server(tmp_path) as server, Web(server.address) as web:
        for name in ("over", "playing", "waiting"):
            answer = web.get(f"/api/tables/{of[f'{name} id']}")
            assert (answer.status_code, answer.json()["word"]) == (409, "table/edition")
            assert (f"/api/tables/{of[f'{name} id']}/orders.txt" in answer.json()["why"]) == (name == "over")
        text = web.get(f"/api/tables/{of['over id']}/orders.txt").text
        assert text.startswith("skerries, edition 1: over\n")
        assert "red: Rosalind\n" in text
        assert "blue: random (bot)\n" in text
        first = text.partition("\nStep 1\n")[2].partition("\nStep 2\n")[0]
        assert "  red: A1-A2 1\n" in first, "the first order on offer"
        assert "\nStep 2\n" in text
        hidden = web.get(f"/api/tables/{of['playing id']}/orders.txt")
        assert (hidden.status_code, "once the match is over" in hidden.text) == (409, True)
        assert web.get("/api/tables/000000000000/orders.txt").status_code == 404
        new = web.open("skerries", people=["red"], bots={"blue": "random"})
        assert web.get(f"/api/tables/{new['table']}").status_code == 200


def test_every_earlier_schema_is_kept() -> None:
    """Whoever adds a migration keeps the schema before it: `python tests/kept/make_schemas.py`."""
    script = ScriptDirectory.from_config(migrate.configured())
    earlier = {one.revision for one in script.walk_revisions()} - set(script.get_heads())
    assert earlier <= set(KEPT)
    assert KEPT[0] == script.get_base()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("revision", KEPT)
def test_a_server_goes_on_with_a_database_of_an_earlier_schema(
    revision: str, kind: str, tmp_path: Path, cluster: Postgres
) -> None:
    database, of = built(revision, kind, tmp_path, cluster)
    with Server(tmp_path, database) as server:
        assert set(inspect(server.hall.ledger.engine).get_table_names()) == {*schema.metadata.tables, "alembic_version"}
        with Web(server.address, browser=True) as web:
            web.sign_in("Rosalind", PASSWORD, new=False)
            web.take(of["waiting id"], "blue", "Cid")
            record = web.get(f"/api/tables/{of['over id']}/record").json()
            assert record["outcome"]["winner"] in ("red", "blue", None)
            assert len(record["frames"]) == 3
            assert web.get(f"/api/tables/{of['over id']}/replay.jsonl.gz").status_code == 200
        with (
            Person(server.address, of["playing id"], of["playing"]) as ann,
            Person(server.address, of["playing id"], of["playing blue"]) as bob,
        ):
            assert (ann.step, ann.sheet["state"]) == (1, "draft")
            assert ann.state["notes"] == {"A1": "hold it"}
            bob.listen()
            assert [line["text"] for line in bob.talk] == ["What a storm!"]
            ann.file([line["text"] for line in ann.sheet["lines"]])
            bob.file([])
            bob.wait_for_step(2)
        with Web(server.address, browser=True) as web:
            web.sign_in("Silvius")
