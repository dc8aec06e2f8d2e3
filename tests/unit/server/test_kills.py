"""Servers that die: as real processes by kill -9 at random moments, and within this process at every write in turn."""

from __future__ import annotations

import asyncio
import gc
import importlib.util
import itertools
import random
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Executable, update

from polemos.server.store import migrate, schema
from polemos.server.store.ledger import Fence, Ledger, connect
from polemos.server.tables.clocks import now
from polemos.server.tables.hall import Hall
from polemos.server.tables.keeper import Keeper
from polemos.server.tables.persons import Persons
from polemos.wire.table import ClockRule, OpenTable, SeatSpec
from unit.server.serving import Server, Web, run, wait_for
from unit.server.test_unwritten import Stopped

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "server_kills.py"


@pytest.fixture(scope="module")
def kills() -> Any:
    """The script of the benchmark."""
    spec = importlib.util.spec_from_file_location("server_kills", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.long
def test_ten_kills_lose_and_double_nothing(kills: Any, tmp_path: Path, database: str | None) -> None:
    """As often as two processes are killed in `test_several`."""
    server = kills.Server(tmp_path, database)
    found = run(kills.run(server, kills=10, tables=4, seed=5, away=1.0))
    assert found["kills"] == 10
    assert found["acknowledged"] > 100
    assert (found["lost"], found["doubled"], found["words lost"]) == (0, 0, 0)
    assert found["missed"] == 0, "nobody's time has run out meanwhile"
    assert found["down ms"] > 5000
    assert found["clock ms"] <= found["alive ms"] + 500, "clocks do not run while the server is away"
    assert "Traceback" not in server.log
    assert len(server.tokens) >= 7
    assert not any(token in server.log for token in server.tokens)


# ---- the people of the benchmark


def somebody(kills: Any, server: Server, seated: dict[str, Any]) -> Any:
    """A person of the benchmark, at a server of this process."""
    seen = SimpleNamespace(address=server.address, tokens=[], abort=lambda: None, log="its last words")
    return kills.Person(seen, seated, random.Random(1), itertools.count(1))


def test_people_file_again_what_could_not_be_written(kills: Any, tmp_path: Path, database: str | None) -> None:
    """Otherwise a match would wait for the clock, and a database that was busy for a moment would look like a loss."""
    with Server(tmp_path, database) as server, Web(server.address) as web:
        seated = web.open("skerries", people=["red"], bots={"blue": "random"}, clock={"kind": "turn", "seconds": 600.0})
        person, stopped = somebody(kills, server, seated), Stopped(server, database)

        def is_refused() -> bool:
            stopped.fail()
            return bool(person.repeated)

        async def play() -> None:
            playing = asyncio.create_task(person.play())
            await asyncio.to_thread(wait_for, is_refused)
            stopped.go_on()
            await asyncio.to_thread(wait_for, lambda: person.steps)
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)

        stopped.stop()
        try:
            run(play())
        finally:
            stopped.go_on()
        assert any("server/unwritten" in trouble for trouble in person.trouble)


def test_a_match_that_does_not_go_on_says_what_it_waits_for(
    kills: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kills, "SOON", 0.0)
    monkeypatch.setattr(kills, "LOOKS", 3)
    with Server(tmp_path) as server, Web(server.address) as web:
        seated = web.open("skerries", people=["red"], clock={"kind": "turn", "seconds": 600.0})
        web.take(seated["table"], "blue")
        red = somebody(kills, server, seated)

        async def play() -> None:
            playing = asyncio.create_task(red.play())
            await asyncio.to_thread(wait_for, lambda: red.acknowledged)
            try:
                await kills._goes_on(red.server, {red: 0}, [playing])
            finally:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)  # cancelled twice, it would not close its socket

        with pytest.raises(AssertionError, match="a match does not go on") as failed:
            run(play())
    said = str(failed.value)
    for part in (
        f"{seated['table']} red: at step 0, filed for step 0",
        "connected 1 times",
        "its last words",
        "load (",
    ):
        assert part in said
    assert '"frames"' in said or '"status"' in said, "what the server knows of the table"


# ---- at every write


class Death(BaseException):
    """The end of the process, as seen from inside."""


class Dying(Ledger):
    """A ledger whose server dies at its n-th write: before it is on disk, or after it, unacknowledged."""

    def __init__(self, url: str, last: int, *, written: bool) -> None:
        engine = connect(url)
        migrate.upgrade(engine)
        super().__init__(engine)
        self.writes, self._last, self._written = 0, last, written
        self.has_died = False

    async def write(self, *statements: Executable, fence: Fence | None = None) -> None:
        self.writes += 1
        if self.has_died:
            raise Death
        if self.writes == self._last:
            if self._written:
                await super().write(*statements, fence=fence)
            self.has_died = True
            raise Death
        await super().write(*statements, fence=fence)


class Play:
    """A match of three that follows a script, and knows what it was promised."""

    def __init__(self) -> None:
        self.table = ""
        self.filed: dict[tuple[int, str], list[str]] = {}  # acknowledged, by step and seat
        self.talk: list[str] = []
        self.notes: dict[str, str] = {}
        self.resigned = False
        self.trying: Callable[[], None] = lambda: None  # what would be promised if the write succeeds

    async def go(self, hall: Hall) -> None:
        if not self.table:
            await self._open(hall)
        keeper = await hall.find(self.table)
        while keeper.table.status == "open":
            free = [seat for seat, sitter in keeper.table.seats.items() if sitter is None]
            await hall.take(self.table, free[0], "", None)
        while keeper.table.status == "playing":
            await self._turn(hall, keeper, len(keeper.table.match.steps))

    async def _open(self, hall: Hall) -> None:
        wish = OpenTable(
            game="skerries",
            seats={"red": SeatSpec("person"), "green": SeatSpec("bot", "random")},
            options={"seats": 3, "turns": 3},
            clock=ClockRule("turn", 600),
        )
        self.table = (await hall.open(wish)).table

    async def _turn(self, hall: Hall, keeper: Keeper, step: int) -> None:
        for seat in ("red", "blue"):
            if not keeper.table.is_due(seat) or len(keeper.table.match.steps) != step:
                continue
            if step == 2 and seat == "blue":
                await self._do(Persons(keeper).do_word(seat, "resign"), lambda: setattr(self, "resigned", True))
                continue
            lines = [f"{seat} {step} {len(self.filed)}"]
            await self._do(Persons(keeper).file(seat, lines, step), lambda: self.filed.update({(step, seat): lines}))  # noqa: B023
        if step == 1 and not self.talk:
            await self._do(Persons(keeper).say("red", "Ann", "hello", "table"), lambda: self.talk.append("hello"))
            await self._do(Persons(keeper).note("red", "A1", "mine"), lambda: self.notes.update({"A1": "mine"}))
        for _ in range(6000):  # a busy machine takes its time
            if len(keeper.table.match.steps) != step:
                return
            assert isinstance(hall.ledger, Dying)
            if hall.ledger.has_died:  # at the write of a bot, after which nobody here would write any more
                raise Death
            await asyncio.sleep(0.005)
        raise AssertionError("the step is not run")

    async def _do(self, doing: Awaitable[None], promise: Callable[[], None]) -> None:
        await doing
        promise()

    def check(self, keeper: Keeper) -> None:
        """Everything that was acknowledged is there, once."""
        table = keeper.table
        for (step, seat), lines in self.filed.items():
            if step < len(table.match.steps):
                assert list(table.match.steps[step].orders[seat] or ()) == lines
            else:
                assert list(table.match.filed[seat].texts) == lines
        sheets = [lines for step in table.match.steps for lines in step.orders.values() if lines]
        marked = [line for lines in sheets for line in lines if line.startswith(("red", "blue"))]
        assert len(marked) == len(set(marked))
        assert [line.text for line in keeper.papers.talk if line.text in self.talk] == self.talk
        assert self.notes.items() <= keeper.papers.notes.get("red", {}).items()
        if self.resigned:
            assert table.is_out("blue")


async def until_death(play: Play, ledger: Dying) -> bool:
    """Whether the server has died while they played."""
    hall = Hall(ledger)
    try:
        await hall.begin()
        if play.table:
            keeper = await hall.find(play.table)
            play.check(keeper)
        await play.go(hall)
    except Death:
        return True
    finally:
        await bury(hall)
    return False


async def bury(hall: Hall) -> None:
    """Nothing of a dead process goes on, nor what that begins when it is told to end."""
    for keeper in hall.keepers.values():
        keeper._closed = True  # or it asks its bots again whenever an answer of theirs is cancelled
    for _ in range(100):
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        if not tasks:
            break
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    hall.ledger.close()


@pytest.fixture
def buried() -> Iterator[None]:
    """A process that dies drops what it was doing; here its coroutines are dropped within the test that let it die."""
    before, sys.unraisablehook = sys.unraisablehook, lambda _: None
    yield
    gc.collect()
    sys.unraisablehook = before


@pytest.mark.usefixtures("buried")
@pytest.mark.parametrize("written", [False, True], ids=["before it is on disk", "after it is on disk"])
def test_dying_at_every_write(tmp_path: Path, written: bool) -> None:
    """A first run counts the writes; then the server dies at each of them, and once more while it recovers."""

    async def count() -> int:
        ledger = Dying(f"sqlite:///{tmp_path / 'count.db'}", 10**6, written=written)
        assert not await until_death(Play(), ledger)
        return ledger.writes

    async def trial(last: int) -> None:
        url, play = f"sqlite:///{tmp_path / f'{last}.db'}", Play()
        await until_death(play, Dying(url, last, written=written))
        await until_death(play, Dying(url, 2, written=written))
        assert not await until_death(play, Dying(url, 10**6, written=written))

    writes = run(count())
    assert writes >= 12
    for last in range(1, writes + 1):
        run(trial(last))


class Busy(Ledger):
    """A ledger whose first writes of acts fail, as if somebody else had held the database for too long."""

    def __init__(self, url: str, failures: int) -> None:
        super().__init__(connect(url))
        self.failures = failures

    async def write(self, *statements: Executable, fence: Fence | None = None) -> None:
        if self.failures and any("INSERT INTO acts" in str(statement) for statement in statements):
            self.failures -= 1
            raise OSError("busy")
        await super().write(*statements, fence=fence)


def test_the_time_away_does_not_count_even_if_that_cannot_be_written_at_once(tmp_path: Path) -> None:
    """Somebody with ten minutes for a turn must not lose it because the server was away for an hour."""
    url = f"sqlite:///{tmp_path / 'polemos.db'}"
    migrate.upgrade(engine := connect(url))

    async def begin() -> str:
        hall = Hall(Ledger(engine))
        await hall.begin()
        seats = {"red": SeatSpec("person"), "blue": SeatSpec("bot", "random")}
        opened = await hall.open(OpenTable(game="skerries", seats=seats, clock=ClockRule("turn", 600)))
        await hall.close()
        hall.ledger.close()
        return opened.table

    async def go_on(table: str) -> None:
        hall = Hall(Busy(url, failures=2))
        await hall.begin()
        try:
            keeper = await hall.find(table)
            while keeper.table.clocks.left("red", now()) < 300 and not keeper.table.match.steps:
                await asyncio.sleep(0.01)
            assert not keeper.table.match.steps, "red has missed the turn"
            assert keeper.table.is_due("red")
        finally:
            await hall.close()
            hall.ledger.close()

    table = run(begin())
    with connect(url).begin() as connection:
        hour = 3600.0
        connection.execute(update(schema.acts).values(at=schema.acts.c.at - hour))
        connection.execute(update(schema.beats).values(at=schema.beats.c.at - hour))
    run(asyncio.wait_for(go_on(table), 60))
