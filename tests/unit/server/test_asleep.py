"""Tables where nothing happens: they leave memory, come back as they were, and a restart does not wait for any."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from polemos.kernel.match import Match
from polemos.server.store import migrate, schema
from polemos.server.store.ledger import Ledger, connect
from polemos.server.tables import hall as halls
from polemos.server.tables import keeper as keepers
from polemos.server.tables import snapshots
from polemos.server.tables.acts import Filed, Ran
from polemos.server.tables.hall import Hall, NoSuchTable
from polemos.server.tables.listeners import Listener
from polemos.server.tables.persons import Persons
from polemos.server.tables.table import Refusal
from polemos.wire import frames
from polemos.wire.table import ClockRule, OpenTable, SeatSpec
from unit.server.serving import PATIENT, Server, Web, dial, run, wait_for
from unit.server.test_table import do, table_of

ONE = {"red": SeatSpec("person"), "blue": SeatSpec("bot", "random")}
ALONE = {"red": SeatSpec("bot", "random"), "blue": SeatSpec("bot", "random")}


def sign(text: str) -> str:
    return f"{hash(('here', text)):032x}"[-32:]


@asynccontextmanager
async def opened(folder: Path, *, crash: bool = False) -> AsyncIterator[Hall]:
    """A hall on SQLite, without a port. With `crash`, it ends without a chance to write anything."""
    engine = connect(f"sqlite:///{folder / 'polemos.db'}")
    migrate.upgrade(engine)
    ledger = Ledger(engine)
    hall = Hall(ledger, sign=sign)
    await hall.begin()
    try:
        yield hall
    finally:
        if crash:
            for task in [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]:
                task.cancel()
            await asyncio.sleep(0)
        else:
            await hall.close()
        ledger.close()


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(PATIENT):
        while not condition():
            await asyncio.sleep(0.01)


async def play(hall: Hall, id: str, steps: int) -> None:
    for _ in range(steps):
        keeper = await hall.find(id)
        step = len(keeper.table.match.steps)
        await Persons(keeper).file("red", [], step)
        await until(lambda step=step, keeper=keeper: len(keeper.table.match.steps) > step)  # type: ignore[misc]


def is_asleep(hall: Hall, id: str) -> bool:
    kept = schema.standings
    found: bool = hall.ledger.read(select(kept.c.asleep).where(kept.c.table_id == id))[0]["asleep"]
    return found


# ---- snapshots


def test_a_snapshot_is_the_same_table() -> None:
    table = table_of("skerries", "pp")
    for step in range(3):
        do(table, Filed("red", [f"x{step}"]), Filed("blue", []), at=step)
    do(table, Filed("red", ["waiting"]))
    body = snapshots.packed(table, sign)
    assert body is not None
    again = snapshots.unpacked(body, table.game, table.key, sign)
    assert again is not None
    for one in (table, again):
        assert do(one, Filed("blue", [])) == [Filed("blue", []), Ran()]
    assert again.match.steps == table.match.steps
    assert again.match.state.digest() == table.match.state.digest()
    for number in range(len(table.match.steps) + 1):
        assert frames.written_frame(again.match, number, "red") == frames.written_frame(table.match, number, "red")
    assert (again.acts, again.status, again.seats) == (table.acts, table.status, table.seats)


def test_a_snapshot_of_somebody_else_or_damaged_is_not_read() -> None:
    table = table_of("skerries", "pp")
    body = snapshots.packed(table, sign)
    assert body is not None
    assert snapshots.unpacked(body, table.game, table.key, lambda text: "0" * 32) is None
    assert snapshots.unpacked(body[:-1] + bytes([body[-1] ^ 1]), table.game, table.key, sign) is None
    assert snapshots.unpacked(b"", table.game, table.key, sign) is None


# ---- leaving memory


def test_a_table_leaves_memory_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without adjudicating its turns again, and with everything that happens after."""

    async def trial() -> None:
        async with opened(tmp_path) as hall:
            id = (await hall.open(OpenTable(game="skerries", seats=ONE, title="An evening"))).table
            await play(hall, id, 3)
            digest = hall.keepers[id].table.match.state.digest()
            await until(lambda: hall.keepers[id].is_idle)
            await hall._put_away(id, hall.keepers[id])
            assert id not in hall.keepers
            assert is_asleep(hall, id)
            assert [card.title for card in hall.cards()] == ["An evening"]
            with monkeypatch.context() as patch:
                patch.setattr(Match, "run", lambda *_: pytest.fail("adjudicated again"))
                keeper = await hall.find(id)
            assert keeper.table.match.state.digest() == digest
            await play(hall, id, 1)
            assert not is_asleep(hall, id)
            rebuilt = hall._table(id)
            assert rebuilt.match.steps == hall.keepers[id].table.match.steps
            assert len(rebuilt.match.steps) == 4

    run(trial())


# ---- a restart


def test_a_restart_does_not_wait_for_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One where nothing happens is only read when somebody asks for it; another in the background."""

    async def trial() -> None:
        async with opened(tmp_path) as hall:
            idle = (await hall.open(OpenTable(game="skerries", seats=ONE, title="idle"))).table
            await until(lambda: hall.keepers[idle].table.has_acted("blue"))
            clock = ClockRule("turn", 600)
            timed = (await hall.open(OpenTable(game="skerries", seats=ONE, clock=clock, title="timed"))).table
        hold, read = threading.Event(), []
        whole = Hall._whole

        def slow(self: Hall, id: str, fence: Any) -> Any:
            read.append(id)
            assert id == idle or hold.wait(PATIENT)
            return whole(self, id, fence)

        monkeypatch.setattr(Hall, "_whole", slow)
        async with opened(tmp_path) as hall:
            assert hall.keepers == {}
            assert {card.title for card in hall.cards()} == {"idle", "timed"}
            await play(hall, idle, 1)  # at once, while the other is still being read
            assert not hall.resumed.is_set()
            hold.set()
            await hall.resumed.wait()
            assert set(hall.keepers) == {idle, timed}
            assert sorted(read) == sorted([idle, timed])

    run(trial())


def test_after_a_crash_every_table_goes_on(tmp_path: Path) -> None:
    async def trial() -> None:
        async with opened(tmp_path, crash=True) as hall:
            id = (await hall.open(OpenTable(game="skerries", seats=ONE))).table
            await play(hall, id, 2)
            await hall.keepers[id].keep_standing(sign)
            await play(hall, id, 2)
            digest = hall.keepers[id].table.match.state.digest()
        async with opened(tmp_path) as hall:
            await hall.resumed.wait()
            assert hall.keepers[id].table.match.state.digest() == digest
            assert len(hall.keepers[id].table.match.steps) == 4

    run(trial())


# ---- bots alone


def test_bots_alone_stop_when_nobody_watches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keepers, "UNWATCHED", -1.0)
    monkeypatch.setattr(halls, "IDLE", -1.0)

    async def trial() -> None:
        async with opened(tmp_path) as hall:
            wish = OpenTable(game="skerries", seats=ALONE, options={"turns": 12})
            id = (await hall.open(wish)).table
            await until(lambda: id in hall.asleep)
            keeper = await hall.find(id)
            assert keeper.table.status == "playing"
            step = len(keeper.table.match.steps)
            keeper.join(Listener(None))
            await until(lambda: len(keeper.table.match.steps) > step + 1)

    run(trial())


def test_tables_of_bots_alone_expire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keepers, "UNWATCHED", -1.0)
    monkeypatch.setattr(halls, "IDLE", -1.0)
    monkeypatch.setattr(halls, "LONG_IDLE", -1.0)

    async def trial() -> None:
        async with opened(tmp_path) as hall:
            alone = (await hall.open(OpenTable(game="skerries", seats=ALONE))).table
            person = (await hall.open(OpenTable(game="skerries", seats=ONE))).table
            await until(lambda: {alone, person} == set(hall.asleep))
            monkeypatch.setattr(halls, "EXPIRY", -1.0)
            ids = select(schema.game_tables.c.id)
            await until(lambda: {row["id"] for row in hall.ledger.read(ids)} == {person})
            assert alone not in hall.asleep

    run(trial())


def test_quotas(tmp_path: Path) -> None:
    async def trial() -> None:
        async with opened(tmp_path) as hall:
            wish = OpenTable(game="skerries", seats=ALONE, pace=60)
            for _ in range(halls.MAX_OWN_ALONE):
                await hall.open(wish, owner="one")
            with pytest.raises(Refusal, match="where only bots play"):
                await hall.open(wish, owner="one")
            await hall.open(wish, owner="another")
            await hall.open(OpenTable(game="skerries", seats=ONE), owner="one")
            first = next(id for id, keeper in hall.keepers.items() if keeper.owner == "one")
            await hall.keepers[first].close()
            del hall.keepers[first]
            await hall.find(first)  # still theirs
            with pytest.raises(Refusal, match="where only bots play"):
                await hall.open(wish, owner="one")

    run(trial())


def test_a_visitor_has_a_quota_of_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halls, "MAX_OWN", 3)
    with Server(tmp_path, limits=1.0, behind="127.0.0.1") as server:
        wish = {"people": ["red"], "bots": {"blue": "random"}}
        with Web(server.address, headers={"X-Forwarded-For": "2001:db8::1"}) as web:
            for _ in range(3):
                web.open("skerries", **wish)
        seats = {"red": {"kind": "person"}, "blue": {"kind": "bot", "bot": "random"}}
        with Web(server.address, headers={"X-Forwarded-For": "2001:db8::2"}) as web:
            answer = web.post("/api/tables", {"game": "skerries", "seats": seats})
            assert (answer.status_code, answer.json()["word"]) == (409, "table/refused")
        with Web(server.address, headers={"X-Forwarded-For": "192.0.2.1"}) as web:
            web.open("skerries", **wish)


# ---- somebody comes while a table goes


def test_a_table_that_somebody_asks_for_is_not_deleted(tmp_path: Path) -> None:
    async def trial() -> None:
        async with opened(tmp_path) as hall:
            id = (await hall.open(OpenTable(game="skerries", seats=ONE))).table
            keeper = hall.keepers[id]
            hall.asleep[id] = await keeper.keep_standing(sign)
            await hall.keepers.pop(id).close()
            claim, begun, goes_on = hall._claim, threading.Event(), threading.Event()

            def slow(id: str) -> Any:
                if not begun.is_set():
                    begun.set()
                    assert goes_on.wait(PATIENT)
                return claim(id)

            hall._claim = slow  # type: ignore[method-assign]
            burning = asyncio.create_task(hall.burn(id))
            await until(begun.is_set)
            (await hall.find(id)).join(Listener("red"))
            goes_on.set()
            await burning
            await play(hall, id, 1)

    run(trial())


def test_a_table_that_is_being_deleted_cannot_be_had(tmp_path: Path) -> None:
    async def trial() -> None:
        async with opened(tmp_path) as hall:
            id = (await hall.open(OpenTable(game="skerries", seats=ONE))).table
            await hall.keepers.pop(id).close()
            write, begun, goes_on = hall.ledger.write, asyncio.Event(), asyncio.Event()

            async def slow(*statements: Any, **fence: Any) -> None:
                if any("game_tables" in str(statement) for statement in statements):  # not at a heartbeat
                    begun.set()
                    await goes_on.wait()
                await write(*statements, **fence)

            hall.ledger.write = slow  # type: ignore[method-assign]
            burning = asyncio.create_task(hall.burn(id))
            await begun.wait()
            with pytest.raises(NoSuchTable):
                await hall.find(id)
            goes_on.set()
            await burning
            assert id not in hall.keepers

    run(trial())


def test_a_table_that_was_asked_for_is_not_listed_as_asleep_too(tmp_path: Path) -> None:
    """When the tables of a dead process are listed, somebody may have one of them already."""

    async def trial() -> None:
        async with opened(tmp_path) as hall:
            id = (await hall.open(OpenTable(game="skerries", seats=ONE))).table
            await hall.keepers[id].keep_standing(sign)
            await hall._list_asleep([id])
            assert [card.id for card in hall.cards()] == [id]

    run(trial())


def test_one_who_is_slow_to_join_joins_the_table_that_is_in_memory(small_server: Server) -> None:
    with Web(small_server.address) as web:
        id = web.open("skerries", people=["red"], bots={"blue": "random"})["table"]
        halls_own = small_server.hall
        with dial(f"ws{small_server.address[4:]}/api/tables/{id}/live") as line:
            old = halls_own.keepers[id]
            wait_for(lambda: old.is_idle)
            small_server.forget(id)
            line.send('{"type": "join"}')
            line.recv(timeout=PATIENT)
            wait_for(lambda: halls_own.keepers[id].voice.watching == 1)
            assert not old.voice.listeners
