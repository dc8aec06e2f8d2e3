"""Makes the folder `schemas/REVISION`: how both databases looked after a migration, and what a server kept in them.

Run it before adding the next migration: `python tests/kept/make_schemas.py`. What exists is not made anew.
"""

from __future__ import annotations

import base64
import json
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from alembic.script import ScriptDirectory

from polemos.server.store import migrate, schema
from unit.server import postgres
from unit.server.serving import Person, Server, Web

SCHEMAS: Final = Path(__file__).parent / "schemas"
CLOCK: Final = {"kind": "turn", "seconds": 30 * 86400.0}
PASSWORD: Final = "correct horse"


def make() -> None:
    (head,) = ScriptDirectory.from_config(migrate.configured()).get_heads()
    folder = SCHEMAS / head
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        with Server(Path(name)) as server:
            tokens = play(server)
        with closing(sqlite3.connect(Path(name) / "polemos.db")) as database:
            ddl = [row[0] for row in database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]
            database.row_factory = sqlite3.Row
            rows = {table: in_order(database, table) for table in [*schema.metadata.tables, "alembic_version"]}
        (folder / "sqlite.sql").write_text(";\n".join(ddl) + ";\n")
    with postgres.running() as cluster, tempfile.TemporaryDirectory() as name:
        url = cluster.new()
        with Server(Path(name), url):
            pass
        dumped = subprocess.run(
            ["pg_dump", "--schema-only", "--no-owner", "--no-privileges", url],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        kept = [line for line in dumped.splitlines() if line and not line.startswith(("--", "SET ", "SELECT ", "\\"))]
        (folder / "postgresql.sql").write_text("\n".join(kept) + "\n")
    (folder / "rows.json").write_text(json.dumps({"rows": rows, "tokens": tokens}, indent=1, ensure_ascii=False) + "\n")


def in_order(database: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    """The rows of a table; what is stored as bytes is JSON and kept as text, but for snapshots."""
    found = database.execute(f"SELECT * FROM {table}")
    return [{key: text(row[key]) for key in row.keys()} for row in found]  # noqa: SIM118


def text(value: Any) -> Any:
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}


def as_bytes(kept: Any) -> bytes | None:
    """The other way round."""
    if isinstance(kept, dict):
        return base64.b64decode(kept["base64"])
    return None if kept is None else str(kept).encode()


def play(server: Server) -> dict[str, str]:
    """A table that waits, one in the middle of a turn, and one that is over; gives the tokens of their first seats."""
    with Web(server.address, browser=True) as web:
        web.sign_in("Rosalind", PASSWORD)
        waiting = web.open("skerries", people=["red"], title="waiting", clock=CLOCK)
        over = web.open("skerries", people=["red"], bots={"blue": "random"}, title="over", options={"turns": 2})
        with Person(server.address, over["table"], over["token"]) as ann:
            for step in range(2):
                ann.until(lambda: ann.sheet["step"] == step and ann.sheet["state"] != "locked")  # noqa: B023
                ann.file([ann.sheet["options"][0]["text"]])
                ann.wait_for_step(step + 1)
            ann.until(lambda: ann.status == "over")
        playing = web.open("skerries", people=["red"], title="playing", clock=CLOCK)
        blue = web.take(playing["table"], "blue", "Bob")
        with (
            Person(server.address, playing["table"], playing["token"]) as ann,
            Person(server.address, blue["table"], blue["token"]) as bob,
        ):
            ann.file([ann.sheet["options"][0]["text"]])
            bob.file([])
            ann.wait_for_step(1)
            ann.until(lambda: ann.sheet["step"] == 1)
            ann.ask("draft", lines=[ann.sheet["options"][0]["text"]])
            ann.ask("note", place="A1", text="hold it")
            bob.ask("say", text="What a storm!")
    named = {"waiting": waiting, "over": over, "playing": playing}
    tokens = {name: seated["token"] for name, seated in named.items()} | {"playing blue": blue["token"]}
    return tokens | {f"{name} id": seated["table"] for name, seated in named.items()}


if __name__ == "__main__":
    make()
