"""Servers that die: as real processes by kill -9 at random moments, and within this process at every write in turn."""

from __future__ import annotations

import asyncio
import gc
import importlib.util
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Executable

from polemos.server.store import migrate
from polemos.server.store.ledger import Fence, Ledger, connect
from polemos.server.tables.hall import Hall
from polemos.server.tables.keeper import Keeper
from polemos.server.tables.persons import Persons
from polemos.wire.table import ClockRule, OpenTable, SeatSpec
from unit.server.serving import run

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

    async def write(self, *statements: Executable, fence: Fence | None = None) -> None:
        self.writes += 1
        if self.writes > self._last:
            raise Death
        if self.writes == self._last:
            if self._written:
                await super().write(*statements, fence=fence)
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
            await self._turn(keeper, len(keeper.table.match.steps))

    async def _open(self, hall: Hall) -> None:
        wish = OpenTable(
            game="skerries",
            seats={"red": SeatSpec("person"), "green": SeatSpec("bot", "random")},
            options={"seats": 3, "turns": 3},
            clock=ClockRule("turn", 600),
        )
        self.table = (await hall.open(wish)).table

    async def _turn(self, keeper: Keeper, step: int) -> None:
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
        for _ in range(400):
            if len(keeper.table.match.steps) != step:
                return
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
    for _ in range(3):
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
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
