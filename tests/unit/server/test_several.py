"""Several processes on one PostgreSQL: any of them answers, one owns a table, another takes over when it dies."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from polemos.server.cluster.membership import Membership
from polemos.server.folder import Unusable
from polemos.server.store.ledger import Moved
from polemos.server.tables.persons import Persons
from processes import commands
from unit.server.postgres import Postgres
from unit.server.serving import Person, Process, Refused, Server, Web, dial, run, wait_for

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "server_kills.py"
TURN = {"kind": "turn", "seconds": 600.0}
LONG = 60.0  # seconds; a lease lasts five


def folder_at(path: Path) -> Path:
    """A folder with the secret that all servers share."""
    path.mkdir()
    (path / "secret").write_bytes(bytes(range(32)))
    (path / "secret").chmod(0o600)
    return path


@pytest.fixture
def usual_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    """For those who wait for its end. Everybody else may stand still for longer on a busy machine."""
    monkeypatch.setattr("polemos.server.cluster.membership.LEASE", 5.0)


@pytest.fixture
def database(cluster: Postgres) -> str:
    return cluster.new()


@pytest.fixture
def two(tmp_path: Path, database: str) -> Iterator[tuple[Server, Server]]:
    """Two servers that know each other."""
    with Server(folder_at(tmp_path / "a"), database) as a, Server(folder_at(tmp_path / "b"), database) as b:
        wait_for(lambda: all(server.app.state.company.member.others for server in (a, b)))
        yield a, b


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def opened(stack: ExitStack, server: Server | Process, **wish: Any) -> tuple[Web, dict[str, Any], dict[str, Any]]:
    """A table of red and blue, opened at one server."""
    web = stack.enter_context(Web(server.address))
    red = web.open("skerries", people=["red"], **{"clock": TURN, **wish})
    return web, red, web.take(red["table"], "blue")


def sit(stack: ExitStack, server: Server | Process, seated: dict[str, Any]) -> Person:
    return stack.enter_context(Person(server.address, seated["table"], seated["token"]))


def orders(server: Server | Process, seated: dict[str, Any]) -> list[list[str]]:
    """The orders of a seat, turn by turn, as it sees them."""
    with Web(server.address) as web:
        frames = web.get(f"/api/tables/{seated['table']}/frames", seated["token"]).json()
    return [frame["orders"][seated["seat"]] for frame in frames[1:]]


# ---- handing over


def test_a_table_is_played_through_any_process(two: tuple[Server, Server], stack: ExitStack) -> None:
    a, b = two
    _, at_red, at_blue = opened(stack, a)
    red, blue = sit(stack, a, at_red), sit(stack, b, at_blue)
    for step in range(3):
        blue.file([f"blue {step}"])
        red.file([f"red {step}"])
        for person in (red, blue):
            person.wait_for_step(step + 1)
    blue.ask("say", text="hello from afar", to="table")
    red.until(lambda: any(line["text"] == "hello from afar" for line in red.talk))
    assert list(a.hall.keepers) == [red.table]
    assert list(b.hall.keepers) == []
    with pytest.raises(Refused, match="another turn"):
        blue.file(["too late"], step=0)


def test_single_requests_get_the_same_answer_everywhere(two: tuple[Server, Server], stack: ExitStack) -> None:
    a, b = two
    here, seated, _ = opened(stack, a)
    there = stack.enter_context(Web(b.address))
    at = f"/api/tables/{seated['table']}"
    paths = [at, f"{at}/frames", f"{at}/record", f"{at}/orders.txt", f"{at}/replay.jsonl.gz", f"{at}/frames?from=x"]
    for path in [*paths, f"/table/{seated['table']}", "/api/tables/0123456789ab"]:
        answers = [web.get(path, seated["token"]) for web in (here, there)]
        assert answers[0].status_code == answers[1].status_code
        assert answers[0].text.replace(str(a.port), "PORT") == answers[1].text.replace(str(b.port), "PORT")
        assert {*answers[0].headers} == {*answers[1].headers}
    wrong = there.get(at, "wrong")
    assert (wrong.status_code, wrong.json()["word"]) == (403, "table/forbidden")
    again = there.post(f"{at}/seats", {"seat": "blue"})
    assert (again.status_code, again.json()["why"]) == (409, "The seat blue is taken.")


def test_a_bot_that_connects_by_itself_can_do_so_anywhere(two: tuple[Server, Server], stack: ExitStack) -> None:
    a, b = two
    web = stack.enter_context(Web(a.address))
    red = web.open("skerries", people=["red"], seats={"blue": {"kind": "program"}}, clock=TURN)
    bot = web.take(red["table"], "blue")
    person = sit(stack, a, red)
    with dial(f"ws{b.address[4:]}/api/bots/{bot['table']}/{bot['token']}") as socket:
        assert json.loads(socket.recv(timeout=60))["type"] == "hello"
        socket.send(json.dumps({"type": "ready", "name": "theirs"}))
        assert json.loads(socket.recv(timeout=60))["type"] == "view"
        socket.send(json.dumps({"type": "orders", "orders": []}))
        person.file([])
        person.wait_for_step(1)


def test_lists_have_the_tables_of_all(two: tuple[Server, Server], stack: ExitStack) -> None:
    webs = [stack.enter_context(Web(server.address)) for server in two]
    opened_at = [web.open("skerries", people=["red"], clock=TURN)["table"] for web in webs]
    wait_for(lambda: all({card["id"] for card in web.get("/api/tables").json()} == set(opened_at) for web in webs))
    webs[0].take(opened_at[0], "blue")
    seen = {}

    def is_playing() -> bool:
        seen.update({card["id"]: card["status"] for card in webs[1].get("/api/tables?game=skerries").json()})
        return bool(seen.get(opened_at[0]) == "playing")  # the other process may be too busy to answer

    wait_for(is_playing)
    assert seen[opened_at[1]] == "open"


def test_an_account_is_known_everywhere_and_signs_out_everywhere(two: tuple[Server, Server], stack: ExitStack) -> None:
    a, b = two
    web = stack.enter_context(Web(a.address, browser=True))
    web.sign_in("Rosalind")
    other = stack.enter_context(Web(b.address))
    cookie = web.client.cookies["polemos"]
    other.client.cookies.set("polemos", cookie)
    other.client.headers["X-CSRF-Token"] = web.client.headers["X-CSRF-Token"]
    seated = web.open("skerries", people=["red"], bots={"blue": "random"}, clock=TURN)
    assert other.get("/api/me").json()["name"] == "Rosalind"
    wait_for(lambda: [card["id"] for card in other.get("/api/me").json()["due"]] == [seated["table"]])
    here = stack.enter_context(Person(a.address, seated["table"], None, {"Cookie": f"polemos={cookie}"}))
    assert here.state["you"] == "red"
    other.ask("DELETE", "/api/session")
    with pytest.raises(ConnectionClosed) as closed:
        here.until(lambda: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401
    fresh = stack.enter_context(Web(a.address))
    fresh.client.cookies.set("polemos", cookie)
    assert fresh.get("/api/me").json()["name"] is None


def test_a_notice_that_was_lost_keeps_no_socket_open(two: tuple[Server, Server], stack: ExitStack) -> None:
    """A process that could not hear for a while looks for sessions that have ended since."""
    a, _ = two
    webs = [stack.enter_context(Web(a.address, browser=True)) for _ in range(2)]
    for web, name in zip(webs, ("Rosalind", "Ada"), strict=True):
        web.sign_in(name)
    seated = webs[0].open("skerries", people=["red"], bots={"blue": "random"}, clock=TURN)
    cookies = [{"Cookie": f"polemos={web.client.cookies['polemos']}"} for web in webs]
    gone, stays = (stack.enter_context(Person(a.address, seated["table"], None, cookie)) for cookie in cookies)
    with psycopg.connect(str(a.settings.database), autocommit=True) as connection:
        connection.execute("DELETE FROM sessions USING accounts WHERE account_id = accounts.id AND name = 'Rosalind'")
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'polemos-membership' AND datname = current_database()"
        )
    with pytest.raises(ConnectionClosed) as closed:
        gone.until(lambda: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401
    with pytest.raises(Refused, match="only watching"):
        stays.file()


def test_a_rematch_that_has_moved_is_joined_where_it_is(two: tuple[Server, Server], stack: ExitStack) -> None:
    a, b = two
    web, at_red, at_blue = opened(stack, a, options={"turns": 1})
    red, blue = sit(stack, a, at_red), sit(stack, b, at_blue)
    red.file([])
    blue.file([])
    red.until(lambda: red.status == "over")
    blue.until(lambda: blue.status == "over")
    again = web.post(f"/api/tables/{red.table}/rematch", token=red.token).json()
    with psycopg.connect(str(b.settings.database), autocommit=True) as connection:
        owner = b.app.state.company.member.id
        moved = "UPDATE leases SET owner = %s, number = number + 1 WHERE table_id = %s"
        connection.execute(moved, (owner, again["table"]))
    a.forget(again["table"])
    answer = web.post(f"/api/tables/{red.table}/rematch", token=blue.token)
    assert answer.status_code == 201, answer.text
    assert (answer.json()["table"], answer.json()["seat"]) == (again["table"], "red")
    assert again["table"] in b.hall.keepers


def test_servers_with_different_secrets_are_refused(two: tuple[Server, Server], database: str) -> None:
    member = Membership(database, "elsewhere", "another mark", lambda event: None)
    with pytest.raises(Unusable, match="with another secret"):
        run(member.begin("127.0.0.1:1"))


# ---- taking over


def test_a_server_that_stops_leaves_its_tables_to_the_others(tmp_path: Path, database: str, stack: ExitStack) -> None:
    with Server(folder_at(tmp_path / "b"), database) as b:
        with Server(folder_at(tmp_path / "a"), database) as a:
            _, at_red, at_blue = opened(stack, a)
            red, blue = sit(stack, b, at_red), sit(stack, b, at_blue)
            red.file(["red 0"])
            left = blue.clock["left"]["blue"]
        with pytest.raises(ConnectionClosed):
            red.until(lambda: False)
        wait_for(lambda: at_red["table"] in b.hall.keepers, LONG)
        red, blue = sit(stack, b, at_red), sit(stack, b, at_blue)
        assert red.sheet["state"] == "filed"
        assert blue.clock["left"]["blue"] > left - LONG
        blue.file(["blue 0"])
        red.wait_for_step(1)


@pytest.mark.usefixtures("usual_lease")
def test_an_owner_that_cannot_renew_stops_answering_and_its_late_act_fails(
    two: tuple[Server, Server], stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = two
    web, at_red, at_blue = opened(stack, a)
    table = at_red["table"]
    red = sit(stack, a, at_red)
    member, keeper = a.app.state.company.member, a.hall.keepers[table]

    def fails(connection: Any, began: float) -> None:
        raise OSError("no database")

    monkeypatch.setattr(member, "_renew", fails)
    wait_for(lambda: not member.is_sure, LONG)
    refused = web.get(f"/api/tables/{table}")
    assert (refused.status_code, refused.json()["word"]) == (503, "server/unwritten")
    with pytest.raises(Refused) as said:
        red.file(["red, while nobody knows"])
    assert said.value.said["word"] == "server/unwritten"

    wait_for(lambda: table in b.hall.keepers, LONG)
    blue = sit(stack, b, at_blue)
    blue.file(["blue, at the new owner"])

    async def late() -> None:
        await Persons(keeper).file("red", ["red, too late"], 0)

    with pytest.raises(Moved):
        in_loop(a, late())
    assert "red" not in b.hall.keepers[table].table.match.filed
    with pytest.raises(ConnectionClosed) as closed:
        red.until(lambda: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012
    assert any(message["type"] == "restarting" for message in red.heard)
    assert table not in a.hall.keepers

    monkeypatch.undo()
    wait_for(lambda: member.is_sure, LONG)
    red = sit(stack, a, at_red)
    red.file(["red, in time"])
    blue.wait_for_step(1)
    assert orders(b, at_red) == [["red, in time"]]
    assert orders(a, at_blue) == [["blue, at the new owner"]]


def in_loop(server: Server, doing: Any) -> Any:
    """Runs something within a server."""
    loop = server.app.state.company.member._loop
    assert loop is not None
    return asyncio.run_coroutine_threadsafe(doing, loop).result(LONG)


@pytest.mark.slow
def test_an_owner_that_was_paused_past_its_lease_has_lost_its_tables(
    tmp_path: Path, database: str, stack: ExitStack
) -> None:
    """Its clients have sent it acts meanwhile: they are not carried out, and the clients are told when it wakes up.

    That includes one whose connection was passed to it. It does not wait for that, and connects again.
    """
    a = stack.enter_context(Process(folder_at(tmp_path / "a"), database))
    b = stack.enter_context(Process(folder_at(tmp_path / "b"), database))
    _, at_red, at_blue = opened(stack, a)
    red, blue = sit(stack, a, at_red), sit(stack, b, at_blue)
    red.file(["red 0"])
    assert a.process is not None
    os.kill(a.process.pid, signal.SIGSTOP)
    try:
        red.send({"type": "file", "id": 77, "lines": ["red, while paused"], "step": 0})
        passed, blue = blue, sit_again(stack, b, at_blue)
        blue.file(["blue 0"])
        blue.wait_for_step(1)
    finally:
        os.kill(a.process.pid, signal.SIGCONT)
    for told in (red, passed):
        with pytest.raises(ConnectionClosed) as closed:
            told.until(lambda: False, LONG)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
    assert not any(message.get("re") == 77 and message["type"] == "ack" for message in red.heard)
    red = sit_again(stack, a, at_red)
    red.file(["red 1"])
    blue.file(["blue 1"])
    red.wait_for_step(2)
    assert orders(a, at_red) == [["red 0"], ["red 1"]]
    assert orders(b, at_blue) == [["blue 0"], ["blue 1"]]
    assert "declared dead" in a.log


def sit_again(stack: ExitStack, server: Process, seated: dict[str, Any]) -> Person:
    """As a browser does, which tries until it works."""
    until = time.monotonic() + LONG
    while True:
        try:
            return sit(stack, server, seated)
        except (ConnectionClosed, Refused, OSError):
            assert time.monotonic() < until
            time.sleep(0.2)


@pytest.mark.slow
@pytest.mark.long
def test_ten_kills_lose_and_double_nothing(tmp_path: Path, database: str) -> None:
    spec = importlib.util.spec_from_file_location("server_kills", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    kills = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = kills
    spec.loader.exec_module(kills)
    server = kills.Pair(tmp_path, database, random.Random(4))
    found = run(kills.run(server, kills=10, tables=6, seed=4))
    assert found["kills"] == 10
    assert found["acknowledged"] > 100
    assert (found["lost"], found["doubled"], found["words lost"]) == (0, 0, 0)
    assert found["missed"] == 0, "nobody's time has run out meanwhile"
    assert "Its tables are taken over" in server.log


# ---- one command


@pytest.mark.slow
def test_one_command_starts_several_processes(tmp_path: Path, database: str, stack: ExitStack) -> None:
    """One of them is killed, is started again, and nobody loses anything."""
    server = stack.enter_context(Process(folder_at(tmp_path / "a"), database, "--processes", "2"))
    with psycopg.connect(database, autocommit=True) as connection:
        alive = "SELECT id FROM processes WHERE alive AND expires > extract(epoch FROM clock_timestamp())"
        first = wait_for(lambda: len(found := set(connection.execute(alive).fetchall())) == 2 and found, LONG)
        _, at_red, at_blue = opened(stack, server)
        red, blue = sit(stack, server, at_red), sit(stack, server, at_blue)
        red.file(["red 0"])
        blue.file(["blue 0"])
        red.wait_for_step(1)
        assert server.process is not None
        workers = [pid for pid, words in commands().items() if "--multiprocessing-fork" in words and is_of(pid, server)]
        assert len(workers) == 2
        os.kill(workers[0], signal.SIGKILL)
        wait_for(lambda: len(found := set(connection.execute(alive).fetchall())) == 2 and found != first, LONG)
    red, blue = sit_again(stack, server, at_red), sit_again(stack, server, at_blue)
    red.file(["red 1"])
    blue.file(["blue 1"])
    red.wait_for_step(2)
    assert orders(server, at_red) == [["red 0"], ["red 1"]]
    assert orders(server, at_blue) == [["blue 0"], ["blue 1"]]
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(LONG) == 0
    assert "Traceback" not in server.log


def is_of(pid: int, server: Process) -> bool:
    """Whether a process was started by this server."""
    assert server.process is not None
    with suppress(OSError):  # processes of others may end at any time
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]) == server.process.pid
    return False
