"""Operators of several processes on one PostgreSQL: what is asked of one counts at all of them, and happens once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select
from websockets.exceptions import ConnectionClosed

from polemos.cli.operator import command
from polemos.server.office import duty, health
from polemos.server.store import schema
from polemos.server.tables import hall
from unit.server.postgres import Postgres
from unit.server.serving import Person, Server, Web, wait_for
from unit.server.test_several import TURN, folder_at

DUEL: dict[str, Any] = {"people": ["red"], "bots": {"blue": "random"}, "clock": TURN}
SEATS = {"red": {"kind": "person"}, "blue": {"kind": "bot", "bot": "random"}}
Browse = Callable[..., Web]


@pytest.fixture(scope="module")
def two(cluster: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    database, folder = cluster.new(), tmp_path_factory.mktemp("two")
    with Server(folder_at(folder / "a"), database) as a, Server(folder_at(folder / "b"), database) as b:
        wait_for(lambda: all(server.app.state.company.member.others for server in (a, b)))
        yield a, b


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def browse(stack: ExitStack) -> Browse:
    """A browser at one process; with `like`, with the cookie of another browser."""

    def make(server: Server, name: str | None = None, *, like: Web | None = None) -> Web:
        web = stack.enter_context(Web(server.address, browser=True))
        if name is not None:
            web.sign_in(name)
        if like is not None:
            web.client.cookies.set("polemos", like.client.cookies["polemos"])
            web.client.headers["X-CSRF-Token"] = like.client.headers["X-CSRF-Token"]
        return web

    return make


def run(server: Server, *words: str) -> None:
    place = ["--folder", str(server.settings.folder), "--database", str(server.settings.database)]
    result = CliRunner().invoke(command, [words[0], *place, *words[1:]])
    assert result.exit_code == 0, f"{result.output}{result.exception!r}"


@pytest.fixture
def olga(two: tuple[Server, Server], browse: Browse, request: pytest.FixtureRequest) -> Web:
    """An operator, at the first process."""
    name = f"Olga {abs(hash(request.node.name)) % 10**6}"
    web = browse(two[0], name)
    run(two[0], "add", name)
    wait_for(lambda: web.get("/api/me").json()["operator"])
    return web


def done(web: Web, **deed: Any) -> None:
    answer = web.post("/api/operator/deeds", deed)
    assert answer.status_code == 200, answer.text


def closing(person: Person) -> tuple[int, str]:
    """How the connection of somebody ends."""
    with pytest.raises(ConnectionClosed) as closed:
        person.until(lambda: False)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


def cookie_of(web: Web) -> dict[str, str]:
    return {"Cookie": f"polemos={web.client.cookies['polemos']}"}


def name_at(web: Web) -> str | None:
    name: str | None = web.get("/api/me").json()["name"]
    return name


def test_sessions_end_at_every_process(two: tuple[Server, Server], olga: Web, browse: Browse, stack: ExitStack) -> None:
    a, b = two
    ada = browse(b, "Ada")
    also = browse(a, like=ada)
    assert (name_at(ada), name_at(also)) == ("Ada", "Ada"), "both processes know the cookie now"
    here, there = ada.open("skerries", **DUEL)["table"], also.open("skerries", **DUEL)["table"]
    assert (here in b.hall.keepers, there in a.hall.keepers) == (True, True)
    people = [
        stack.enter_context(Person(b.address, here, None, cookie_of(ada))),
        stack.enter_context(Person(a.address, here, None, cookie_of(ada))),  # through the other process
        stack.enter_context(Person(b.address, there, None, cookie_of(ada))),
    ]
    assert [person.state["you"] for person in people] == ["red"] * 3
    done(olga, act="end sessions", name="Ada", why="lost her laptop")
    assert [closing(person)[0] for person in people] == [4401] * 3
    wait_for(lambda: name_at(ada) is None)
    wait_for(lambda: name_at(also) is None)


def test_a_ban_counts_at_every_process(two: tuple[Server, Server], olga: Web, browse: Browse, stack: ExitStack) -> None:
    _, b = two
    mallory = browse(b, "Mallory")
    seated = mallory.open("skerries", **DUEL)
    assert seated["table"] in b.hall.keepers
    person = stack.enter_context(Person(b.address, seated["table"], seated["token"]))
    done(olga, act="ban", kind="account", target="Mallory", why="cheats", seconds=86400)
    code, reason = closing(person)
    assert (code, "cheats" in reason) == (4403, True)
    wait_for(lambda: name_at(mallory) is None)
    again = browse(b).post("/api/session", {"name": "Mallory", "password": "correct horse"})
    assert (again.status_code, again.json()["word"]) == (403, "account/banned")
    ban = olga.get("/api/operator/bans").json()[0]
    done(olga, act="unban", ban=ban["id"], why="enough")
    wait_for(
        lambda: browse(b).post("/api/session", {"name": "Mallory", "password": "correct horse"}).status_code == 200
    )


def test_a_table_is_closed_once_by_its_owner(
    two: tuple[Server, Server], olga: Web, browse: Browse, stack: ExitStack
) -> None:
    a, b = two
    seated = browse(b).open("skerries", people=["red"], clock=TURN)
    table = seated["table"]
    at_owner = stack.enter_context(Person(b.address, table, seated["token"]))
    elsewhere = stack.enter_context(Person(a.address, table))
    done(olga, act="close table", table=table, why="rude title")
    for person in (at_owner, elsewhere):
        person.until(lambda: person.status == "over" and person.talk)  # noqa: B023
    time.sleep(2 * duty.LOOK)  # both processes have looked again
    for person in (at_owner, elsewhere):
        person.listen()
        assert [line["text"] for line in person.talk] == ["An operator closed this table: rude title"]
    acts = b.hall.ledger.read(select(schema.acts.c.body).where(schema.acts.c.table_id == table))
    assert [bytes(row["body"]) for row in acts if b'"closed"' in bytes(row["body"])] == [
        b'{"act":"closed","why":"rude title"}'
    ]

    def done_with() -> Any:
        errand = b.hall.ledger.read(select(schema.errands).order_by(schema.errands.c.id.desc()).limit(1))[0]
        return errand if errand["done"] is not None else None

    assert wait_for(done_with)["result"] == ""
    assert table not in a.hall.keepers


def test_a_quota_counts_the_tables_at_every_process(two: tuple[Server, Server], olga: Web, browse: Browse) -> None:
    a, b = two
    cid = browse(a, "Cid")
    also = browse(b, like=cid)
    done(olga, act="quota", name="Cid", what="tables", most=2, why="opens too many")
    done(olga, act="quota", name="Cid", what="bots", most=1, why="opens too many")
    account = b.hall.ledger.read(select(schema.accounts.c.id).where(schema.accounts.c.name == "Cid"))[0]["id"]
    wait_for(lambda: sum(who == account for who, _ in b.app.state.office._quotas) == 2)
    cid.open("skerries", **DUEL)
    bots = also.post("/api/tables", {"game": "skerries", "seats": SEATS})
    assert (bots.status_code, bots.json()["why"]) == (409, "You can have at most 1 bot at a time, and you have 1.")
    also.open("skerries", people=["red"], clock=TURN)
    for web in (cid, also):
        answer = web.post("/api/tables", {"game": "skerries", "seats": {"red": {"kind": "person"}}})
        why = "You can have at most 2 tables at a time, and you have 2."
        assert (answer.status_code, answer.json()["why"]) == (409, why)
    free = browse(b).open("skerries", people=["red"], clock=TURN)["table"]
    assert cid.post(f"/api/tables/{free}/seats", {"seat": "blue"}).status_code == 409


def test_a_quota_counts_sleeping_tables(
    two: tuple[Server, Server], olga: Web, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, _ = two
    dora = browse(a, "Dora")
    done(olga, act="quota", name="Dora", what="tables", most=1, why="opens too many")
    table = dora.open("skerries", people=["red"], bots={"blue": "random"})["table"]
    monkeypatch.setattr(hall, "LONG_IDLE", 0.0)
    wait_for(lambda: table in a.hall.asleep)
    assert dora.post("/api/tables", {"game": "skerries", "seats": SEATS}).status_code == 409
    monkeypatch.undo()
    done(olga, act="close table", table=table, why="let her play")
    wait_for(lambda: dora.post("/api/tables", {"game": "skerries", "seats": SEATS}).status_code == 201)


def test_every_process_is_in_the_list(two: tuple[Server, Server], olga: Web, browse: Browse) -> None:
    a, b = two
    browse(b).open("skerries", people=["red"], clock=TURN)

    def rows() -> dict[str, Any]:
        return {row["id"]: row for row in olga.get("/api/operator/health").json()["processes"]}

    members = [server.app.state.company.member for server in two]
    wait_for(lambda: all(row["figures"] for row in rows().values()))
    assert {id: row["address"] for id, row in rows().items()} == {member.id: member.address for member in members}
    for server, member in zip(two, members, strict=True):
        own = [keeper for keeper in server.hall.keepers.values() if keeper.table.status != "over"]
        assert rows()[member.id]["owned"] == len(own) + len(server.hall.asleep)
        assert rows()[member.id]["renewed"] < health.SILENT
    place = ["--folder", str(a.settings.folder), "--database", str(a.settings.database)]
    shown = CliRunner().invoke(command, ["health", *place]).output
    assert all(f"{member.id} at {member.address}, renewed" in shown for member in members)
