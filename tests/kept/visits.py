"""What somebody at a table of the kept database is told, in a form that can be kept and compared."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from websockets.sync.client import connect

from kept.seen import TABLES, digest
from unit.server.serving import Person, Server, Web

PASSING: Final = frozenset({"watching", "here", "looks"})  # they depend on the moment
ADVICE: Final = frozenset({"options", "alerts", "figures", "re"})  # of a sheet; no data of the table


def without(said: Any, names: frozenset[str]) -> Any:
    """What was said, without these fields anywhere in it."""
    if isinstance(said, dict):
        return {name: without(value, names) for name, value in said.items() if name not in names}
    return [without(one, names) for one in said] if isinstance(said, list) else said


@contextmanager
def copied() -> Iterator[Path]:
    """A folder with the kept database in it, for a server to go on with."""
    with tempfile.TemporaryDirectory() as name:
        for file in ("polemos.db", "secret"):
            shutil.copy(TABLES / file, name)
        yield Path(name)


def bot_address(server: Server, table: str, token: str) -> str:
    return f"ws{server.address[4:]}/api/bots/{table}/{token}"


def hello(server: Server, table: str, token: str) -> dict[str, Any]:
    """What a program is told that comes back in the middle of its match."""
    with connect(bot_address(server, table, token), max_size=1 << 24) as socket:
        said: dict[str, Any] = json.loads(socket.recv(timeout=60))
    return said


def frames(web: Web, table: str, token: str | None) -> list[dict[str, Any]]:
    """All positions as this seat saw them, their views as digests."""
    answer = web.get(f"/api/tables/{table}/frames", token)
    assert answer.status_code == 200, answer.text
    return [{**frame, "view": digest(frame["view"])} for frame in answer.json()]


def visit(server: Server, web: Web, table: str, token: str | None) -> dict[str, Any]:
    """All that is told to whoever comes with this token."""
    with Person(server.address, table, token) as person:
        person.listen(0.05)
        told = {
            "state": {**person.state, "card": without(person.state["card"], PASSING)},
            "sheet": without(person.sheet, ADVICE),
            "talk": person.talk,
            "running": person.clock["running"],
        }
    card = web.get(f"/api/tables/{table}", token)
    assert card.status_code == 200, card.text
    if told["sheet"].get("view"):
        told["sheet"]["view"] = digest(told["sheet"]["view"])
    return {**told, "card": without(card.json(), PASSING), "frames": frames(web, table, token)}
