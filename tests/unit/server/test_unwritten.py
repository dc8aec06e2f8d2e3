"""A table is shown as it is on disk: nobody sees a step that is not written, and a failure leaves it where it stood.

The databases are stopped for real: somebody else holds the lock that a write needs.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import event, select
from sqlalchemy.exc import OperationalError
from websockets.exceptions import ConnectionClosed

from polemos import registry
from polemos.kernel import dice
from polemos.kernel.record import Record
from polemos.server.store import schema
from polemos.server.tables.acts import (
    Act,
    Answered,
    Away,
    Dropped,
    Filed,
    Finished,
    Held,
    Joined,
    Missed,
    Offered,
    Paused,
    Ran,
    Resumed,
    Sat,
    Withdrew,
)
from polemos.server.tables.clocks import now
from polemos.server.tables.table import Table
from polemos.wire.table import ClockRule, OpenTable
from unit.server.serving import PATIENT, Person, Refused, Server, Web, dial, wait_for

TURN = {"kind": "turn", "seconds": 600.0}


class Stopped:
    """A database that takes no writes for a while. Reading goes on."""

    def __init__(self, server: Server, database: str | None, patience: float = 1.5) -> None:
        """`patience`: seconds after which a write to SQLite fails by itself."""
        self._url = database
        engine = server.hall.ledger.engine
        self._file = Path(str(engine.url.database))
        self._stack = ExitStack()
        if database is None:

            @event.listens_for(engine, "connect")
            def _impatient(connection: Any, record: object) -> None:
                connection.execute(f"PRAGMA busy_timeout={patience * 1000:.0f}")

            engine.dispose()  # connections made from now on wait for as long

    def stop(self) -> None:
        if self._url is None:
            holder = sqlite3.connect(self._file, PATIENT, isolation_level=None, check_same_thread=False)
            holder.execute("BEGIN IMMEDIATE")
        else:
            holder = psycopg.connect(self._url)  # type: ignore[assignment]
            holder.execute("LOCK TABLE acts, talk, accounts, sessions IN EXCLUSIVE MODE")
        self._stack.callback(holder.close)

    def is_waiting(self) -> bool:
        """Whether a write is stuck. SQLite does not say so."""
        return self._url is None or bool(self._waiting("pid"))

    def fail(self) -> None:
        """Writes that are stuck fail. SQLite gives up by itself."""
        if self._url is not None:
            self._waiting("pg_terminate_backend(pid)")

    def _waiting(self, what: str) -> list[Any]:
        assert self._url is not None
        with psycopg.connect(self._url, autocommit=True) as connection:
            return connection.execute(
                f"SELECT {what} FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            ).fetchall()

    def go_on(self) -> None:
        self._stack.close()


@pytest.fixture
def own(tmp_path: Path, database: str | None) -> Iterator[Server]:
    with Server(tmp_path, database) as running:
        yield running


@pytest.fixture
def stopped(own: Server, database: str | None) -> Iterator[Stopped]:
    made = Stopped(own, database)
    yield made
    made.go_on()


@pytest.fixture
def table(own: Server) -> Iterator[tuple[Web, Person, Person]]:
    """Red and blue, in mist; red has filed."""
    with ExitStack() as stack:
        web = stack.enter_context(Web(own.address))
        seated = web.open("skerries", people=["red"], clock=TURN)
        red = stack.enter_context(Person(own.address, seated["table"], seated["token"]))
        other = web.take(seated["table"], "blue")
        blue = stack.enter_context(Person(own.address, other["table"], other["token"]))
        red.until(lambda: red.status == "playing")
        red.file(["A1-A2 1"])
        blue.listen()
        yield web, red, blue


def seen(web: Web, person: Person) -> dict[str, Any]:
    """Everything that somebody can find out about the table by asking."""
    at = f"/api/tables/{person.table}"
    frames = web.get(f"{at}/frames", person.token).json()
    record = web.get(f"{at}/record", person.token).json()
    picture = web.get(f"{at}/frames?boards=", person.token).json()[-1]
    with Person(web.address, person.table, person.token) as late:
        told = {name: late.state[name] for name in ("frames", "card", "may")}
        sheet = {name: late.sheet[name] for name in ("step", "state")}
    for card in (told["card"], *(cards := web.get("/api/tables").json())):
        card.pop("watching")
        for seat in card["seats"]:
            seat.pop("here")
    return {
        "frames": frames,
        "record": record["frames"],
        "picture": picture["number"],
        "told": told,
        "sheet": sheet,
        "list": cards,
    }


def in_the_background(doing: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=doing, daemon=True)
    thread.start()
    return thread


def test_a_step_that_is_not_on_disk_is_seen_by_nobody(
    own: Server, stopped: Stopped, table: tuple[Web, Person, Person]
) -> None:
    web, red, blue = table
    before = {person: seen(web, person) for person in (red, blue)}
    stopped.stop()
    writing = own.hall.ledger.write
    under_way = threading.Event()

    async def watched(*statements: Any, **fence: Any) -> None:
        if any("acts" in str(statement) for statement in statements):
            under_way.set()
        await writing(*statements, **fence)

    own.hall.ledger.write = watched  # type: ignore[method-assign]
    blue.send({"type": "file", "lines": ["B1-B2 1"], "step": 0, "id": 77})
    assert under_way.wait(60)
    wait_for(stopped.is_waiting)
    for person in (red, blue):
        assert seen(web, person) == before[person], "with the step adjudicated and not written"
    stopped.fail()
    with pytest.raises(Refused) as refused:
        blue.answer(77)
    assert refused.value.said["word"] == "server/unwritten"
    for person in (red, blue):
        assert 1 not in person.frames
        assert seen(web, person) == before[person], "after the failure"
    told = red.until(lambda: [said for said in red.heard if said.get("word") == "server/unwritten"])
    assert (told[0]["type"], told[0]["re"]) == ("refused", None), "everybody is told"
    stopped.go_on()
    blue.file(["B1-B2 1"])
    red.wait_for_step(1)
    assert red.frames[1]["orders"]["red"] == ["A1-A2 1"], "what was acknowledged is still there"


def test_what_is_written_after_a_wait_is_shown_then(
    own: Server, database: str | None, table: tuple[Web, Person, Person]
) -> None:
    web, red, blue = table
    stopped = Stopped(own, database, PATIENT)
    stopped.stop()
    blue.send({"type": "file", "lines": ["B1-B2 1"], "step": 0, "id": 77})
    wait_for(stopped.is_waiting)
    assert len(seen(web, red)["frames"]) == 1
    stopped.go_on()
    assert blue.answer(77)["type"] == "ack"
    red.wait_for_step(1)
    assert len(seen(web, red)["frames"]) == 2


def test_clocks_do_not_run_while_nothing_can_be_written(tmp_path: Path, database: str | None) -> None:
    """Who could not file in time because of us still has time."""
    with Server(tmp_path, database) as own, Web(own.address) as web:
        stopped = Stopped(own, database)
        seated = web.open("skerries", people=["red"], clock={"kind": "bank", "seconds": 20.0})
        other = web.take(seated["table"], "blue")
        with (
            Person(own.address, seated["table"], seated["token"]) as red,
            Person(own.address, other["table"], other["token"]) as blue,
        ):
            red.file([])
            stopped.stop()
            blue.send({"type": "file", "lines": [], "step": 0, "id": 77})
            wait_for(stopped.is_waiting)
            stopped.fail()
            with pytest.raises(Refused):
                blue.answer(77)
            keeper = own.hall.keepers[seated["table"]]
            wait_for(lambda: keeper.table.clocks.expired(now()))  # long past the end of the bank
            stopped.go_on()
            blue.until(lambda: blue.clock["left"]["blue"] > 0 and blue.heard[-1]["type"] == "clock")
            blue.file([])
            red.wait_for_step(1)
            assert red.status == "playing"


def test_a_table_that_cannot_be_read_now_may_be_later(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients give up on a table that does not exist, and try again if the database is away."""
    with Web(own.address) as web:
        seated = web.open("skerries", people=["red"], clock=TURN)
        url = f"ws{own.address[4:]}/api/tables/{seated['table']}/live"
        monkeypatch.setattr(own.hall.ledger, "read", _unreachable)
        own.forget(seated["table"])
        with dial(url) as socket:
            assert "server/unwritten" in str(socket.recv(timeout=60))
            with pytest.raises(ConnectionClosed):
                socket.recv(timeout=60)
            assert socket.close_code == 1013


def _unreachable(statement: object) -> list[Any]:
    raise OperationalError("SELECT", {}, OSError("the database is away"))


def test_a_table_that_could_not_be_begun_does_nothing(own: Server, stopped: Stopped) -> None:
    """Even if it turns out later that it is on disk."""
    bots = {"red": {"kind": "bot", "bot": "random"}, "blue": {"kind": "bot", "bot": "random"}}
    with Web(own.address) as web:
        stopped.stop()
        asking = in_the_background(lambda: web.post("/api/tables", {"game": "skerries", "seats": bots}))
        wait_for(stopped.is_waiting)
        while asking.is_alive():
            stopped.fail()
            asking.join(0.2)
        stopped.go_on()
        assert own.hall.keepers == {}
        assert web.get("/api/tables").json() == []
        assert len(own.hall.ledger.read(select(schema.game_tables.c.id))) == 0


def test_a_rematch_is_written_together_with_its_table(own: Server, stopped: Stopped) -> None:
    """If it fails, there is no table that nobody can enter; and asking again opens one."""
    with Web(own.address) as web:
        seated = web.open("skerries", people=["red"], bots={"blue": "random"}, options={"turns": 1})
        with Person(own.address, seated["table"], seated["token"]) as red:
            red.file([])
            red.until(lambda: red.status == "over")
        again = f"/api/tables/{seated['table']}/rematch"
        stopped.stop()
        answers: list[Any] = []
        asking = in_the_background(lambda: answers.append(web.post(again, token=seated["token"])))
        wait_for(stopped.is_waiting)
        while asking.is_alive():
            stopped.fail()
            asking.join(0.2)
        stopped.go_on()
        assert (answers[0].status_code, answers[0].json()["word"]) == (503, "server/unwritten")
        assert set(own.hall.keepers) == {seated["table"]}
        assert len(own.hall.ledger.read(select(schema.game_tables.c.id))) == 1
        opened = web.post(again, token=seated["token"])
        assert opened.status_code == 201
        assert web.get(f"/api/tables/{seated['table']}").json()["next"] == opened.json()["table"]
        with Person(own.address, opened.json()["table"], opened.json()["token"]) as red:
            assert red.status == "playing"


# ---- copies


def a_table() -> Table:
    game = registry.load("skerries")
    wish = OpenTable(game="skerries", clock=ClockRule("bank", 60, 1), take_back=True)
    return Table("0" * 12, game, wish, dice.derive("copies", 0), 0.0)


def picture_of(value: Any, depth: int = 0) -> Any:
    """All that an object holds, as far down as it is ours."""
    if isinstance(value, dict):
        return {str(key): picture_of(of, depth + 1) for key, of in value.items()}
    if isinstance(value, list | tuple):
        return [picture_of(of, depth + 1) for of in value]
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if type(value).__name__ in ("Table", "Match", "Clocks", "Crew", "Strikes"):
        return picture_of({name: of for name, of in vars(value).items() if name not in ("game", "_latest")}, depth + 1)
    if isinstance(value, Record):
        return value.digest()
    return value if isinstance(value, int | float | str | bytes | type(None)) else repr(value)


def possible(table: Table) -> list[Act]:
    """Acts of every kind that can be done now."""
    if not all(table.seats.values()):
        free = next(seat for seat, sitter in table.seats.items() if sitter is None)
        return [Sat(free, "person", free, "secret")]
    if table.status == "over":
        return []
    if table.is_complete:
        return [Ran()]
    found: list[Act] = [Away(0.0), Joined("red", "Cid", "x"), Held("red", 0, "a", True), Finished("red", "a", True)]
    for seat in table.seats:
        if table.is_due(seat):
            found += [Filed(seat, ["A1-A2 1"], 0.1), Missed(seat, "late", True), Dropped(seat, "resigned")]
        elif seat in table.match.filed:
            found.append(Withdrew(seat))
        for what in ("draw", "take back"):
            if f"offer {what}" in table.may(seat):
                found.append(Offered(seat, what))
            if what in table.offers and seat in table.needs(what):
                found.append(Answered(seat, what, yes=True))
    found.append(Paused("red") if table.held is None else Resumed("red"))
    return found


@settings(max_examples=60)
@given(st.lists(st.integers(0, 1000), max_size=25))
def test_what_happens_at_a_copy_leaves_the_table_alone(choices: list[int]) -> None:
    table, at = a_table(), 0.0
    for choice in choices:
        acts = possible(table)
        if not acts:
            return
        before, after = picture_of(table), table.copy()
        assert picture_of(after) == before
        at += 1.0
        after.carry_out(acts[choice % len(acts)], at)
        assert picture_of(table) == before, acts[choice % len(acts)]
        again = a_table() if table.acts == 0 else table.copy()
        again.carry_out(acts[choice % len(acts)], at)
        assert picture_of(again) == picture_of(after)
        table = after
