"""Who owns a table, on a real PostgreSQL: one at a time, and nobody writes about a table that has moved."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from sqlalchemy import Engine, insert, select, update

from polemos.server.cluster.membership import Dead, Membership
from polemos.server.store import leases, migrate, schema
from polemos.server.store.leases import Elsewhere, Pen, Taken
from polemos.server.store.ledger import Fence, Ledger, Moved, Unwritten, connect
from polemos.server.tables.hall import Hall
from polemos.wire.table import OpenTable, SeatSpec
from unit.server.postgres import Postgres
from unit.server.serving import run, wait_for

ROW = {"game": "g", "edition": 1, "wish": b"{}", "key": "k", "created": 1.0, "status": "playing", "listed": True}


@pytest.fixture
def database(cluster: Postgres) -> str:
    return cluster.new()


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    made = connect(database)
    migrate.upgrade(made)
    yield made
    made.dispose()


@pytest.fixture
def ledger(engine: Engine) -> Iterator[Ledger]:
    opened = Ledger(engine)
    yield opened
    opened.close()


def process(engine: Engine, id: str, *, alive: bool = True, renewed: float = 100.0) -> None:
    row = {"id": id, "place": id, "address": f"{id}:1", "mark": "m", "began": 1.0, "expires": renewed + 5}
    with engine.begin() as connection:
        connection.execute(insert(schema.processes).values(**row, renewed=renewed, alive=alive))


def table(engine: Engine, id: str, owner: str | None, number: int = 1, **other: Any) -> None:
    with engine.begin() as connection:
        connection.execute(insert(schema.game_tables).values(id=id, **{**ROW, **other}))
        connection.execute(insert(schema.leases).values(table_id=id, owner=owner, number=number))


def die(engine: Engine, id: str) -> None:
    with engine.begin() as connection:
        connection.execute(update(schema.processes).where(schema.processes.c.id == id).values(alive=False))


def line(number: int) -> Any:
    return insert(schema.talk).values(table_id="t", number=number, body=b"{}")


def said(ledger: Ledger) -> list[int]:
    return [row["number"] for row in ledger.read(select(schema.talk.c.number).order_by(schema.talk.c.number))]


def waiting(database: str) -> int:
    """How many sessions wait for a lock."""
    with psycopg.connect(database, autocommit=True) as looking:
        found = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        return len(looking.execute(found).fetchall())


# ---- taking


def test_a_table_of_nobody_is_taken(engine: Engine) -> None:
    process(engine, "a")
    table(engine, "t", None, 4)
    assert leases.take(engine, "t", "a") == Taken(Fence("t", "a", 5), None)
    owner = leases.owner_of(engine, "t")
    assert owner is not None
    assert (owner.owner, owner.address) == ("a", "a:1")


def test_a_table_of_the_living_is_left_to_them(engine: Engine) -> None:
    process(engine, "a")
    process(engine, "b")
    table(engine, "t", "a")
    with pytest.raises(Elsewhere) as found:
        leases.take(engine, "t", "b")
    assert (found.value.owner, found.value.address) == ("a", "a:1")
    assert leases.take_orphans(engine, "b", 10, asleep=False) == []


def test_a_table_of_the_dead_is_taken_with_the_time_when_they_were_last_alive(engine: Engine) -> None:
    process(engine, "a", renewed=70.0, alive=False)
    process(engine, "b")
    table(engine, "t", "a")
    table(engine, "u", "a", status="over")
    table(engine, "v", None)
    assert leases.take_orphans(engine, "b", 10, asleep=False) == [Taken(Fence("t", "b", 2), 70.0)]
    assert leases.take(engine, "u", "b") == Taken(Fence("u", "b", 2), 70.0)


def test_a_table_from_before_there_were_leases_is_an_orphan(engine: Engine) -> None:
    process(engine, "a")
    table(engine, "t", "before leases", 0)
    with engine.begin() as connection:
        connection.execute(insert(schema.beats).values(id=1, at=55.0))
    assert leases.take_orphans(engine, "a", 10, asleep=False) == [Taken(Fence("t", "a", 1), 55.0)]


def test_there_is_no_lease_of_a_table_that_does_not_exist(engine: Engine) -> None:
    process(engine, "a")
    assert leases.take(engine, "t", "a") is None
    assert leases.owner_of(engine, "t") is None


def test_of_two_takers_one_gets_the_table(engine: Engine, database: str) -> None:
    """Both have seen that the owner is dead, and wait for the same lock."""
    process(engine, "a", alive=False)
    process(engine, "b")
    process(engine, "c")
    table(engine, "t", "a")
    with psycopg.connect(database) as holder, ThreadPoolExecutor(2) as threads:
        holder.execute("SELECT * FROM leases FOR UPDATE")
        takers = [threads.submit(leases.take, engine, "t", who) for who in "bc"]
        waiting = (
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        with psycopg.connect(database, autocommit=True) as looking:
            while looking.execute(waiting).fetchone() != (2,):
                pass
        holder.rollback()
        errors = [taker.exception() for taker in takers]
    assert sorted(type(error).__name__ for error in errors) == ["Elsewhere", "NoneType"]


def test_many_takers_share_the_tables_of_the_dead(engine: Engine) -> None:
    process(engine, "a", alive=False)
    for number in range(40):
        table(engine, f"t{number}", "a")
    for who in "bcd":
        process(engine, who)
    with ThreadPoolExecutor(3) as threads:
        found = [threads.submit(everything, engine, who) for who in "bcd"]
    taken = [taken.fence.table for one in found for taken in one.result()]
    assert sorted(taken) == sorted(f"t{number}" for number in range(40))


def everything(engine: Engine, who: str) -> list[Taken]:
    found: list[Taken] = []
    while more := leases.take_orphans(engine, who, 3, asleep=False):
        found += more
    return found


# ---- the fence


def test_the_owner_writes(engine: Engine, ledger: Ledger) -> None:
    process(engine, "a")
    table(engine, "t", "a")
    run(Pen(ledger, Fence("t", "a", 1)).write(line(1)))
    assert said(ledger) == [1]


@pytest.mark.parametrize("fence", [Fence("t", "a", 1), Fence("t", "b", 1), Fence("t", "a", 2)], ids=str)
def test_nobody_else_does(engine: Engine, ledger: Ledger, fence: Fence) -> None:
    """The lease is b's, with the number 2: an earlier owner, an earlier number, and both wrong halves are refused."""
    process(engine, "a", alive=False)
    process(engine, "b")
    table(engine, "t", "a")
    leases.take(engine, "t", "b")
    lost: list[None] = []
    with pytest.raises(Moved):
        run(Pen(ledger, fence, lambda: lost.append(None)).write(line(1)))
    assert said(ledger) == []
    assert lost == [None]


def test_a_write_that_is_refused_does_not_spoil_those_that_came_with_it(engine: Engine, ledger: Ledger) -> None:
    process(engine, "a")
    table(engine, "t", "a")
    good, bad = Fence("t", "a", 1), Fence("t", "a", 0)

    async def go() -> list[Any]:
        writes = [ledger.write(line(number), fence=bad if number % 3 == 0 else good) for number in range(30)]
        return await asyncio.gather(*writes, return_exceptions=True)

    answers = run(go())
    assert [number for number, answer in enumerate(answers) if answer is not None] == list(range(0, 30, 3))
    assert said(ledger) == [number for number in range(30) if number % 3]


def test_whoever_takes_a_table_sees_a_commit_that_was_under_way(engine: Engine, database: str) -> None:
    """Taking it waits for the transaction of the old owner, which has passed the fence."""
    process(engine, "a", alive=False)
    process(engine, "b")
    table(engine, "t", "a")
    with ThreadPoolExecutor(1) as thread:
        with engine.begin() as connection:
            held = select(schema.leases).where(schema.leases.c.table_id == "t").with_for_update(read=True)
            connection.execute(held)
            taking = thread.submit(leases.take, engine, "t", "b")
            connection.execute(line(1))
            wait_for(lambda: waiting(database) == 1)
            assert not taking.done()
        assert taking.result() is not None
    ledger = Ledger(engine)
    assert said(ledger) == [1]
    ledger.close()


def test_a_process_that_is_paused_within_a_transaction_does_not_keep_its_locks(engine: Engine) -> None:
    """PostgreSQL ends its session after three seconds."""
    process(engine, "a", alive=False)
    process(engine, "b")
    table(engine, "t", "a")
    connection = engine.connect()
    connection.execute(select(schema.leases).with_for_update(read=True))
    assert leases.take_orphans(engine, "b", 10, asleep=False) == []  # locked, so that it is left for later
    assert leases.take(engine, "t", "b") is not None  # waits
    connection.invalidate()
    connection.close()


def test_a_table_that_rests_belongs_to_nobody(engine: Engine, ledger: Ledger) -> None:
    process(engine, "a")
    process(engine, "b")
    table(engine, "t", "a")
    Pen(ledger, Fence("t", "a", 1)).give_up()
    run(ledger.write())
    assert leases.owner_of(engine, "t") is None
    assert leases.take(engine, "t", "b") == Taken(Fence("t", "b", 2), None)
    Pen(ledger, Fence("t", "a", 1)).give_up()  # late
    run(ledger.write())
    owner = leases.owner_of(engine, "t")
    assert owner is not None
    assert owner.owner == "b"


# ---- a process that was declared dead


class Named:
    """A process as a hall knows it: by its name."""

    def __init__(self, id: str) -> None:
        self.id = id


ONE = OpenTable(game="skerries", seats={"red": SeatSpec("person"), "blue": SeatSpec("bot", "random")})


def test_a_table_under_a_dead_name_is_no_longer_ours(engine: Engine, ledger: Ledger) -> None:
    """Even before the hall is told to drop it: whoever has taken it may have moved on."""
    process(engine, "old")
    process(engine, "new")

    async def trial() -> None:
        member = Named("old")
        hall = Hall(ledger, member=member)  # type: ignore[arg-type]
        id = (await hall.open(ONE)).table
        assert hall.holds(id)
        die(engine, "old")
        member.id = "new"
        assert not hall.holds(id)
        found = await hall.find(id)
        assert found.pen.fence == Fence(id, "new", 2)
        await hall.close()

    run(trial())


def test_a_table_that_is_read_while_we_are_declared_dead_is_not_kept(engine: Engine, ledger: Ledger) -> None:
    process(engine, "old")
    process(engine, "new")

    async def trial() -> None:
        member = Named("old")
        hall = Hall(ledger, member=member)  # type: ignore[arg-type]
        id = (await hall.open(ONE)).table
        await hall.keepers.pop(id).close()
        whole = hall._whole

        def slow(*given: Any) -> Any:
            found = whole(*given)
            die(engine, "old")
            member.id = "new"
            return found

        hall._whole = slow  # type: ignore[method-assign,assignment]
        with pytest.raises(Unwritten):
            await hall.find(id)
        assert id not in hall.keepers
        hall._whole = whole  # type: ignore[method-assign]
        assert (await hall.find(id)).pen.fence == Fence(id, "new", 3)
        await hall.close()

    run(trial())


def test_a_table_that_is_opened_while_we_are_declared_dead_is_not_kept(engine: Engine, ledger: Ledger) -> None:
    process(engine, "old")
    process(engine, "new")

    async def trial() -> None:
        member = Named("old")
        hall = Hall(ledger, member=member)  # type: ignore[arg-type]
        write = ledger.write

        async def slow(*statements: Any, **fence: Any) -> None:
            await write(*statements, **fence)
            die(engine, "old")
            member.id = "new"

        ledger.write = slow  # type: ignore[method-assign]
        id = (await hall.open(ONE)).table
        assert id not in hall.keepers, "it is on disk, for whoever takes it over"
        ledger.write = write  # type: ignore[method-assign]
        assert (await hall.find(id)).pen.fence == Fence(id, "new", 2)
        await hall.close()

    run(trial())


def test_a_new_name_is_used_when_it_is_on_disk(engine: Engine, database: str) -> None:
    """Until then, everybody else would take what belongs to it."""
    told: list[Any] = []

    async def trial() -> None:
        member = Membership(database, "here", "m", told.append)
        first = member.id
        await member.begin("127.0.0.1:1")
        enter, names = member._enter, []

        def looked(id: str) -> float:
            names.append(member.id)
            return enter(id)

        member._enter = looked  # type: ignore[method-assign]
        die(engine, first)
        while member.id == first or not member.is_sure:
            await asyncio.sleep(0.01)
        assert names == [first]
        while Dead(first) not in told:
            await asyncio.sleep(0.01)
        await member.leave()

    run(trial())
