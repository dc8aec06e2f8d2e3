"""When something of ours or of a bot's fails: it is noted, nobody else is held up, and the table goes on."""

from __future__ import annotations

import logging
import socket as sockets
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import psycopg
import pytest
from sqlalchemy import delete, select, update

from polemos import registry
from polemos.hosts.process import LATE
from polemos.kernel.hosted import Hosted
from polemos.kernel.match import Step
from polemos.kernel.verdict import Verdict
from polemos.server.store import schema
from polemos.server.store.ledger import connect as open_database
from polemos.server.tables import hall as halls
from polemos.server.tables import players
from skerries.bots import BOTS
from unit.server.postgres import Postgres
from unit.server.serving import PATIENT, Person, Refused, Server, Web, dial, run, wait_for
from unit.server.test_table import table_of

ONE: dict[str, Any] = {"people": ["red"], "bots": {"blue": "random"}}
TURN = {"kind": "turn", "seconds": 600.0}

HEAD = """
import json, sys, time
def say(message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello": say({"type": "ready"})
    elif m["type"] == "view":
"""
PROGRAMS = {
    "good": 'say({"type": "orders", "orders": ["B1-B2 1"]})',
    "hangs": "time.sleep(1000)",
    "crashes": "raise SystemExit('enough')",
    "babbles": 'say({"type": "orders", "orders": [7, None, [[[[[[]]]]]], {"order": 1}, "x" * 5000]})',
    "nonsense": 'sys.stdout.write("what\\n"); sys.stdout.flush()',
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that offers programs of all kinds."""
    folder = tmp_path_factory.mktemp("programs")
    for name, body in PROGRAMS.items():
        (folder / f"{name}.py").write_text(f"{HEAD}        {body}\n    else: break\n", encoding="utf-8")
    programs = {"skerries": {name: str(folder / f"{name}.py") for name in PROGRAMS}}
    with Server(tmp_path_factory.mktemp("server"), programs=programs) as running:
        yield running


@pytest.fixture
def web(server: Server) -> Iterator[Web]:
    with Web(server.address) as client:
        yield client


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server that may be hurt."""
    with Server(tmp_path) as running:
        yield running


def sit(server: Server, seated: dict[str, str]) -> Person:
    return Person(server.address, seated["table"], seated["token"])


def against(server: Server, web: Web, bot: str, **wish: Any) -> Person:
    return sit(server, web.open("skerries", people=["red"], bots={"blue": bot}, **wish))


def step_of(server: Server, person: Person, step: int) -> Step:
    """A step as the umpire knows it; in the mist people see their own sheets only."""
    found: Step = server.hall.keepers[person.table].table.match.steps[step - 1]
    return found


# ---- programs


def test_a_program_plays(server: Server, web: Web) -> None:
    assert "good" in web.get("/api/games/skerries").json()["bots"]
    with against(server, web, "good") as person:
        person.file([])
        person.wait_for_step(1)
        assert step_of(server, person, 1).orders["blue"], "what it has ordered"
        table = server.hall.keepers[person.table].table
        assert table.match.steps[0].cpu["blue"] >= 0


def test_a_program_that_hangs_costs_itself_the_turn(server: Server, web: Web) -> None:
    """One silence is one strike, however many turns it lasts."""
    with against(server, web, "hangs", options={"turns": 3}) as person:
        person.file([])
        person.wait_for_step(1)  # it would sleep for much longer
        assert step_of(server, person, 1).orders["blue"] is None
        for step in (1, 2):
            person.file([], step=step)
            person.until(lambda step=step: person.step > step or person.status == "over")  # type: ignore[misc]
        person.until(lambda: person.status == "over")
        steps = server.hall.keepers[person.table].table.match.steps
        assert [step.orders["blue"] for step in steps] == [None] * 3
        assert [step.strikes.get("blue") for step in steps] == [LATE, None, None]
        assert all(1 < step.wall["blue"] < PATIENT for step in steps), "and each costs its time, not that of its sleep"


def test_a_program_that_crashes_drops_out(server: Server, web: Web) -> None:
    with against(server, web, "crashes") as person:
        person.file([])
        person.until(lambda: person.status == "over")
        assert person.state["card"]["outcome"]["winner"] == "red"
        assert "enough" in str(server.hall.keepers[person.table].table.verdict("blue"))
        last = web.get(f"/api/tables/{person.table}/record").json()["frames"][-1]
        assert last["dropped"] == {"blue": "dropped out (crash)"}
        assert last["reasons"] == {"blue": "exit code 1: enough"}, "after the end everyone may know"
        assert last["wall"]["blue"] > 0


def test_lines_that_are_no_orders_are_void_and_no_more(server: Server, web: Web) -> None:
    with against(server, web, "babbles") as person:
        for step in range(4):
            person.file([], step=step)
            person.wait_for_step(step + 1)
            assert len(step_of(server, person, step + 1).faults["blue"]) == 5
        kept = server.hall.keepers[person.table].table
        assert server.hall._table(person.table).match.steps == kept.match.steps[: len(kept.match.steps)]


def test_three_answers_that_make_no_sense_drop_out(server: Server, web: Web) -> None:
    with against(server, web, "nonsense") as person:
        for step in range(3):
            if person.status != "over":
                person.file([], step=step)
                person.wait_for_step(step + 1)
        person.until(lambda: person.status == "over")
        assert "3 strikes" in str(server.hall.keepers[person.table].table.verdict("blue"))


def test_programs_that_hang_hold_up_nobody_elses_bots(
    server: Server, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More of them than there are threads for our own bots."""
    long = msgspec.structs.replace(players.BUDGET, wall_extra=600.0)  # nobody gives up on them here
    monkeypatch.setattr("polemos.server.tables.keeper.Players", partial(players.Players, budget=long))
    stuck = [against(server, web, "hangs") for _ in range(6)]
    for person in stuck:
        person.file([])
    with against(server, web, "settler") as quick:
        for step in range(5):
            quick.file([], step=step)
            quick.wait_for_step(step + 1)
    assert not any(server.hall.keepers[person.table].table.match.steps for person in stuck), "they still hang"
    for person in stuck:
        person.act("resign")
        person.close()


def test_there_is_room_for_so_many_programs(server: Server, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halls, "MAX_PROGRAMS", 0)
    wish = {"game": "skerries", "seats": {"red": {"kind": "person"}, "blue": {"kind": "bot", "bot": "good"}}}
    answer = web.post("/api/tables", wish)
    assert answer.status_code == 409
    assert "programs are playing" in answer.json()["why"]
    assert web.open("skerries", **ONE)


# ---- bots of ours that fail


class _Odd:
    """A bot whose answer is what a test says."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def orders(self, view: Any, time_left: float, /) -> Any:
        return self._answer()


def _raise() -> Any:
    raise RuntimeError("oh")


ANSWERS: dict[str, Any] = {
    "raises": _raise,
    "gives nothing": lambda: None,
    "gives a number": lambda: 7,
    "gives itself": lambda: [object()],
    "exits": lambda: (_ for _ in ()).throw(SystemExit(1)),
    "never stops": lambda: ["x"] * 100_000,
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_a_bot_of_ours_that_fails_hurts_only_itself(
    server: Server, web: Web, monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    monkeypatch.setitem(BOTS, "odd", lambda setting, seat, seed: _Odd(answer))
    with against(server, web, "odd") as person:
        for step in range(3):
            if person.status != "over":
                person.file([], step=step)
                person.wait_for_step(step + 1)
        person.listen()
        assert person.status == "over" or person.step == 3


def test_a_bot_of_ours_that_cannot_be_made(server: Server, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "odd", lambda setting, seat, seed: _raise())
    with against(server, web, "odd") as person:
        person.file([])
        person.until(lambda: person.status == "over")
        assert "RuntimeError: oh" in str(server.hall.keepers[person.table].table.verdict("blue"))


# ---- the database


class Trouble:
    """Makes the database of a server fail: it refuses, or it writes and does not say so."""

    def __init__(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ledger = server.hall.ledger
        self.mode = "fine"
        self.attempts = 0
        self._commit, self._read = self.ledger._commit, self.ledger.read
        monkeypatch.setattr(self.ledger, "_commit", self._failing)
        monkeypatch.setattr(self.ledger, "read", self._failing_read)

    def _failing(self, batch: list[Any]) -> None:
        mine = [write for write in batch if not self._is_beat(write)]
        beats = [write for write in batch if self._is_beat(write)]
        if beats:
            self._commit(beats)
        if not mine:
            return
        self.attempts += 1
        if self.mode == "fine":
            self._commit(mine)
        else:
            if self.mode.startswith("silent"):
                self._commit([type(write)(write.statements, None) for write in mine])
            for write in mine:
                write.tell(OSError("the disk is on fire"))

    def _failing_read(self, statement: Any, **after: Any) -> Any:
        if self.mode.endswith("gone"):
            raise OSError("there is no disk")
        return self._read(statement, **after)

    @staticmethod
    def _is_beat(write: Any) -> bool:
        return any("beats" in str(statement) for statement in write.statements)


@pytest.fixture
def trouble(own: Server, monkeypatch: pytest.MonkeyPatch) -> Trouble:
    return Trouble(own, monkeypatch)


def is_as_on_disk(server: Server, table: str) -> bool:
    """Whether memory and disk agree about a table, as soon as no bot is thinking."""

    def agree() -> bool:
        kept, again = server.hall.keepers[table].table, server.hall._table(table)
        both = [(one.acts, one.status, set(one.match.filed), one.match.state.digest()) for one in (kept, again)]
        return both[0] == both[1]

    return bool(wait_for(agree))


@pytest.mark.parametrize("mode", ["refusing", "gone"])
def test_what_cannot_be_written_is_not_done(own: Server, trouble: Trouble, mode: str) -> None:
    with Web(own.address) as web, sit(own, web.open("skerries", **ONE)) as person:
        person.file([])
        person.wait_for_step(1)
        trouble.mode = mode
        for kind, fields in (
            ("file", {"lines": ["A1-A2 1"], "step": 1}),
            ("say", {"text": "hello"}),
            ("note", {"place": "a", "text": "b"}),
            ("act", {"what": "pause"}),
        ):
            with pytest.raises(Refused) as refused:
                person.ask(kind, **fields)
            assert refused.value.said["word"] == "server/unwritten"
        answer = web.post("/api/tables", {"game": "skerries", "seats": {"blue": {"kind": "bot", "bot": "random"}}})
        assert (answer.status_code, answer.json()["word"]) == (503, "server/unwritten")
        trouble.mode = "fine"
        assert person.talk == []
        person.listen()
        assert person.status == "playing"
        person.ask("say", text="again")
        assert [line["number"] for line in person.talk] == [1]
        person.file([], step=1)
        person.wait_for_step(2)
        assert person.frames[2]["orders"]["red"] == []
        assert is_as_on_disk(own, person.table)
        assert len(web.get("/api/tables").json()) == 1, "no table without a place on disk"


def test_what_was_written_without_a_word_is_done(own: Server, trouble: Trouble) -> None:
    """The database has it, though it did not say so: the table is read again, and it is acknowledged."""
    with Web(own.address) as web, sit(own, web.open("skerries", clock=TURN, people=["red"])) as person:
        taken = web.take(person.table, "blue")
        person.until(lambda: person.status == "playing")
        trouble.mode = "silent"
        assert person.file(["A1-A2 1"])["type"] == "ack"
        trouble.mode = "fine"
        with sit(own, taken) as other:
            other.file([])
            person.wait_for_step(1)
        assert len(person.frames[1]["orders"]["red"]) == 1
        assert is_as_on_disk(own, person.table)


@pytest.mark.parametrize("mode", ["silent", "silent and gone"])
def test_a_line_of_chat_that_was_written_without_a_word_stops_no_other(
    own: Server, trouble: Trouble, mode: str
) -> None:
    """It is on disk under the next number, and is told as soon as that is known."""
    with Web(own.address) as web, sit(own, web.open("skerries", **ONE)) as person:
        trouble.mode = mode
        if mode == "silent":
            assert person.ask("say", text="first")["type"] == "ack"
        else:
            with pytest.raises(Refused):
                person.ask("say", text="first")
        trouble.mode = "fine"
        person.ask("say", text="second")
        assert [(line["number"], line["text"]) for line in person.talk] == [(1, "first"), (2, "second")]


def test_a_bot_waits_until_it_can_be_written(own: Server, trouble: Trouble, caplog: pytest.LogCaptureFixture) -> None:
    with Web(own.address) as web, sit(own, web.open("skerries", **ONE)) as person:
        person.file([])
        person.wait_for_step(1)
        wait_for(lambda: own.hall.keepers[person.table].table.has_acted("blue"))
        trouble.attempts, trouble.mode = 0, "refusing"
        with pytest.raises(Refused):
            person.file([])
        began = time.monotonic()
        time.sleep(1.5)
        assert trouble.attempts < 8 + 2 * (time.monotonic() - began), "it is not tried in a rush"
        trouble.mode = "fine"
        person.file([])
        person.wait_for_step(2)
        assert step_of(own, person, 2).orders["blue"] is not None
        assert is_as_on_disk(own, person.table)
    assert any("could not be written" in record.getMessage() for record in caplog.records)


def test_a_clock_that_cannot_ring_rings_later(own: Server, trouble: Trouble) -> None:
    with Web(own.address) as web, sit(own, web.open("skerries", clock=TURN, **ONE)) as person:
        wait_for(lambda: own.hall.keepers[person.table].table.has_acted("blue"))
        trouble.attempts, trouble.mode = 0, "refusing"
        began = time.monotonic()
        own.ring(person.table)
        wait_for(lambda: trouble.attempts)
        time.sleep(0.8)
        assert person.step == 0
        assert 0 < trouble.attempts < 6 + 4 * (time.monotonic() - began)
        trouble.mode = "fine"
        person.wait_for_step(1)
        assert person.frames[1]["orders"]["red"] is None


def test_other_tables_play_on_while_one_cannot_be_read(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        Web(own.address) as web,
        sit(own, web.open("skerries", **ONE)) as bad,
        sit(own, web.open("skerries", **ONE)) as good,
    ):
        keeper = own.hall.keepers[bad.table]
        monkeypatch.setattr(keeper.pen, "ledger", _Gone())
        with pytest.raises(Refused) as refused:
            bad.file([])
        assert refused.value.said["word"] == "server/unwritten"
        with pytest.raises(Refused) as refused:
            bad.file([])
        assert refused.value.said["word"] == "server/unwritten", "nothing is done until it is known how things stand"
        good.file([])
        good.wait_for_step(1)
        monkeypatch.undo()
        bad.file([])
        bad.wait_for_step(1)


def test_an_act_that_fails_leaves_the_table_as_it_was(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a bug of ours: what was done of it is gone, and nothing has to be read again."""
    with Web(own.address) as web, sit(own, web.open("skerries", clock=TURN, people=["red"])) as person:
        web.take(person.table, "blue")
        person.until(lambda: person.status == "playing")
        keeper = own.hall.keepers[person.table]
        table = keeper.table
        with monkeypatch.context() as patch:
            patch.setattr("polemos.server.tables.clocks.Clocks.stop", lambda *given: _raise())  # after the sheet is in
            with pytest.raises(Refused) as refused:
                person.file([])
        assert refused.value.said["word"] == "server/broken"
        assert keeper.table is table
        assert table.match.filed == {}
        person.file([])
        assert "red" in keeper.table.match.filed
        assert is_as_on_disk(own, person.table)


class _Gone:
    """A database that can be neither written nor read."""

    async def write(self, *statements: Any, **fence: Any) -> None:
        raise OSError("there is no disk")

    def read(self, statement: Any, **after: Any) -> Any:
        raise OSError("there is no disk")


def test_a_database_that_hangs_up_is_called_again(tmp_path: Path, cluster: Postgres) -> None:
    """PostgreSQL ends all connections, as it does when it is restarted."""
    url = cluster.new()
    with (
        Server(tmp_path, url) as server,
        Web(server.address) as web,
        sit(server, web.open("skerries", **ONE)) as person,
    ):
        for step in range(4):
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            filed = False
            while not filed and person.step == step:  # what was under way at that moment may be refused
                with suppress(Refused):
                    filed = person.file([], step=step)["type"] == "ack"
            person.wait_for_step(step + 1)
        assert is_as_on_disk(server, person.table)


# ---- our own rules


def test_a_step_that_fails_is_tried_again(
    own: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = registry.load("skerries")
    times = iter(range(100))
    resolve = game.resolve

    def failing(*given: Any) -> None:
        if given[0] == own.hall.keepers[person.table].table.match.state and next(times) < 2:  # not at tables of others
            raise RuntimeError("a bug of ours")
        resolve(*given)

    with Web(own.address) as web, sit(own, web.open("skerries", **ONE)) as person:
        monkeypatch.setattr(game, "resolve", failing)
        wait_for(lambda: own.hall.keepers[person.table].table.has_acted("blue"))
        with pytest.raises(Refused) as refused:
            person.file([])
        assert refused.value.said["word"] == "server/broken"
        assert "bug of ours" not in refused.value.said["why"]
        person.file([])
        person.wait_for_step(1)
        assert is_as_on_disk(own, person.table)
    assert any("failed" in record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR)


def test_a_bot_whose_orders_break_the_rules_misses_its_turn(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a bug of ours that only what it orders wakes."""
    game = registry.load("skerries")
    resolve = game.resolve

    def failing(state: Any, sheets: Any, chance: Any, log: Any) -> None:
        if sheets["blue"] is not None and sheets["blue"].lines:
            raise RuntimeError("a bug of ours")
        resolve(state, sheets, chance, log)

    monkeypatch.setattr("polemos.server.tables.keeper.PATIENCE", 0.05)
    monkeypatch.setitem(BOTS, "odd", lambda setting, seat, seed: _Odd(lambda: ["B1-B2 1"]))
    with Web(own.address) as web:
        monkeypatch.setattr(game, "resolve", failing)
        with sit(own, web.open("skerries", people=["red"], bots={"blue": "odd"}, clock=TURN)) as person:
            wait_for(lambda: own.hall.keepers[person.table].table.has_acted("blue"))
            person.file([])
            assert step_of(own, person, 1).orders == {"red": (), "blue": None}
            own.ring(person.table)
            person.wait_for_step(2)
            assert step_of(own, person, 2).orders == {"red": None, "blue": None}, "also when a clock has rung"
            assert is_as_on_disk(own, person.table)


# ---- listeners


@pytest.mark.needs("minions")
def test_one_who_does_not_read_is_let_go(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polemos.server.routes.live.PATIENCE", 1.0)
    monkeypatch.setattr("polemos.server.tables.listeners.MAX_BYTES", 1 << 20)
    with Web(own.address) as web, sit(own, web.open("minions", people=["yellow"], bots={"blue": "random"})) as person:
        deaf = sockets.socket()
        deaf.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", own.port))
        url = f"ws{own.address[4:]}/api/tables/{person.table}/live"
        with dial(url, sock=deaf, compression=None, max_queue=1, max_size=1 << 24, close_timeout=0.1) as lazy:
            lazy.send('{"type": "join", "token": "' + str(person.token) + '"}')
            keeper = own.hall.keepers[person.table]
            wait_for(lambda: len(keeper.voice.listeners) == 2)
            began = time.monotonic()
            while len(keeper.voice.listeners) == 2:
                person.file(["x" * 400] * 40) if "file" in person.may else person.listen(0.05)
                assert time.monotonic() - began < PATIENT
            person.ask("note", place="a", text="still here")
            assert person.state["notes"] == {"a": "still here"}


def test_one_who_was_let_go_is_told_nothing_more() -> None:

    from polemos.server.tables.listeners import MAX_WAITING, Listener

    async def go() -> None:
        listener = Listener("red")
        for number in range(MAX_WAITING + 5):
            listener.tell(str(number).encode())
        assert listener.gone
        assert await listener.next() is None
        listener.tell(b"more")
        assert listener._queue.empty()

    run(go())


# ---- what is on disk


def test_a_damaged_table_hurts_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Server(tmp_path) as server, Web(server.address) as web:
        bad, good, old = (web.open("skerries", **ONE) for _ in range(3))
        ledger = server.hall.ledger
        acts, tables = schema.acts, schema.game_tables
        with ledger.engine.begin() as connection:
            connection.execute(update(acts).where(acts.c.table_id == bad["table"]).values(body=b"{"))
            connection.execute(update(tables).where(tables.c.id == old["table"]).values(edition=0))
        server.stop()
        with open_database(f"sqlite:///{tmp_path / 'polemos.db'}").begin() as connection:
            connection.execute(delete(schema.standings))  # a snapshot would make up for it
    with Server(tmp_path) as server, Web(server.address) as web:
        with sit(server, good) as person:
            person.file([])
            person.wait_for_step(1)
        answer = web.get(f"/api/tables/{bad['table']}")
        assert answer.status_code == 409
        assert "can no longer be read" in answer.json()["why"]
        answer = web.get(f"/api/tables/{old['table']}")
        assert answer.status_code == 409
        assert "under edition 0" in answer.json()["why"]
        assert len(server.hall.ledger.read(select(tables.c.id))) == 3, "they stay on disk"


def test_tables_at_which_nothing_happens_leave_the_memory(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with Web(own.address) as web:
        seated = web.open("skerries", **ONE)
        with sit(own, seated) as person:
            person.file(["A1-A2 1"])
            person.wait_for_step(1)
            monkeypatch.setattr(halls, "LONG_IDLE", 0.0)
            time.sleep(1.5)
            assert seated["table"] in own.hall.keepers, "somebody is there"
        wait_for(lambda: seated["table"] not in own.hall.keepers)
        monkeypatch.setattr(halls, "LONG_IDLE", 1e9)
        with sit(own, seated) as person:
            assert person.step == 1
            person.file([])
            person.wait_for_step(2)


def test_a_clock_that_runs_keeps_a_table_in_memory(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halls, "LONG_IDLE", 0.0)
    with Web(own.address) as web:
        seated = web.open("skerries", clock={"kind": "turn", "seconds": 2.5}, **ONE)
        keeper = own.hall.keepers[seated["table"]]
        wait_for(lambda: len(keeper.table.match.steps) >= 1)
        assert seated["table"] in own.hall.keepers


def test_finished_tables_are_kept_for_a_while_and_not_all(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halls, "MAX_FINISHED", 2)
    with Web(own.address) as web:
        seated = [web.open("skerries", people=["red"], bots={"blue": "random"}, options={"turns": 1}) for _ in range(4)]
        for one in seated:
            with sit(own, one) as person:
                person.file([])
                person.until(lambda person=person: person.status == "over")  # type: ignore[misc]
        wait_for(lambda: all(keeper.is_idle for keeper in own.hall.keepers.values()))
        own.hall._forget_finished()
        assert len(own.hall.keepers) == 2
        for one in seated:
            assert web.get(f"/api/tables/{one['table']}/record").json()["outcome"]["reason"]
            assert len(own.hall.keepers) <= 3


def test_a_server_goes_down_at_once_with_people_and_programs(tmp_path: Path) -> None:
    (tmp_path / "hangs.py").write_text(f"{HEAD}        time.sleep(1000)\n", encoding="utf-8")
    programs = {"skerries": {"hangs": str(tmp_path / "hangs.py")}}
    server = Server(tmp_path / "server", programs=programs)
    with Web(server.address) as web:
        person = sit(server, web.open("skerries", people=["red"], bots={"blue": "hangs"}))
        person.file([])
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < PATIENT, "it would sleep for much longer"
        person.close()


@pytest.mark.parametrize("end", ["close", "drop"])
def test_a_program_that_is_being_started_does_not_stay(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    """Its table may be over before it is ready."""
    begun, goes_on, closed = (threading.Event() for _ in range(3))

    class Late(_Odd, Hosted):
        spent = 0.0

        def drop(self, verdict: Verdict) -> None:
            """It is closed afterwards."""

        def close(self, outcome: Any) -> None:
            closed.set()

    def made(*given: Any, **named: Any) -> Late:
        begun.set()
        assert goes_on.wait(PATIENT)
        return Late(list)

    monkeypatch.setattr("polemos.hosts.specs.make", made)
    at_table = players.Players(table_of("skerries", "pp"), {}, SimpleNamespace(forget=list))  # type: ignore[arg-type]
    at_table._thread("blue").submit(at_table._bot, "blue")
    assert begun.wait(PATIENT)
    at_table.close() if end == "close" else at_table.drop("blue", LATE)
    goes_on.set()
    assert closed.wait(PATIENT)


def test_the_exhibition_goes_on_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("polemos.server.exhibition.LOOK", 0.1)
    monkeypatch.setattr("polemos.server.exhibition.PACE", 0.1)
    calls = iter(range(1000))
    begin = halls.Hall.open

    async def failing(self: Any, *given: Any) -> Any:
        if next(calls) < 3:
            raise OSError("the disk is on fire")
        return await begin(self, *given)

    monkeypatch.setattr(halls.Hall, "open", failing)
    with Server(tmp_path, exhibition=True) as server:
        wait_for(lambda: len(server.hall.keepers) >= len(registry.names()))


def test_exhibitions_that_have_ended_do_not_pile_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of each game are left, and tables of people are left alone whatever they are called."""
    monkeypatch.setattr("polemos.server.exhibition.LOOK", 0.05)
    monkeypatch.setattr("polemos.server.exhibition.PACE", 0.0)
    monkeypatch.setattr("polemos.server.exhibition.KEPT", 2)
    monkeypatch.setattr("polemos.server.shelf.names", lambda: ["skerries"])
    with Server(tmp_path, exhibition=True) as server, Web(server.address) as web:
        theirs = web.open("skerries", people=["red"], bots={"blue": "random"},
                          title="Exhibition of our bots", options={"turns": 1})  # fmt: skip
        with Person(server.address, theirs["table"], theirs["token"]) as ann:
            ann.file([])
            ann.until(lambda: ann.status == "over")
        first: set[str] = set()

        def ended() -> set[str]:
            found = {card["id"] for card in web.get("/api/tables?status=over").json()}
            first.update(found)
            return found

        wait_for(lambda: len(ended() | first) >= 6)
        assert web.get(f"/api/tables/{theirs['table']}").status_code == 200
        wait_for(lambda: len(ended() - {theirs["table"]}) <= 3)
        gone = first - ended()
        assert gone
        assert theirs["table"] not in gone
        assert web.get(f"/api/tables/{sorted(gone)[0]}").status_code == 404
