"""Fair under load: whoever wants a lot does not make others wait, whatever it is."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from polemos import registry
from polemos.hosts import inprocess
from polemos.kernel.match import Match
from polemos.server import thinker, work
from polemos.server.fair import Fair
from polemos.server.kept import KeptFrames
from polemos.server.limits import RATES, Buckets, TooMany
from polemos.server.store import migrate
from polemos.server.store.ledger import Ledger, connect
from polemos.server.tables import audience, keeper
from polemos.server.tables.acts import Filed
from polemos.server.tables.hall import Hall
from polemos.server.tables.judging import Judging
from polemos.server.tables.listeners import Listener
from polemos.server.tables.papers import Papers
from polemos.server.tables.persons import Persons
from polemos.server.thinker import Made
from polemos.server.thinking import Thinkers, process, thread
from polemos.server.work import OURSELVES, Line, Outcome, Rank, Visitor, Work
from polemos.wire.table import ClockRule, OpenTable, SeatSpec
from unit.server.conftest import Sit
from unit.server.serving import Person, Refused, Server, Web, run
from unit.server.test_table import table_of

ONE = {"people": ["red"], "bots": {"blue": "random"}}
ALONE = {"red": "random", "blue": "random"}


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Hall]:
    """A hall on SQLite, without a port."""
    engine = connect(f"sqlite:///{folder / 'polemos.db'}")
    migrate.upgrade(engine)
    ledger = Ledger(engine)
    hall = Hall(ledger)
    await hall.begin()
    try:
        yield hall
    finally:
        await hall.close()
        ledger.close()


# ---- whose turn it is


def served(queue: Fair[str], seconds: Callable[[str], float], number: int) -> list[str]:
    """The visitors whose work is done next, one after the other."""
    found = []
    for _ in range(number):
        ticket = queue.take()
        assert ticket is not None
        queue.done(ticket, seconds(ticket.who))
        found.append(ticket.who)
    return found


def test_visitors_take_turns_however_much_one_of_them_wants() -> None:
    queue: Fair[str] = Fair()
    for number in range(100):
        queue.put(0, "many", str(number))
    served(queue, lambda _: 1.0, 10)
    for number in range(3):
        queue.put(0, "few", str(number))
    assert Counter(served(queue, lambda _: 1.0, 6)) == {"many": 3, "few": 3}


def test_time_counts_and_not_the_number_of_things() -> None:
    queue: Fair[str] = Fair()
    for number in range(100):
        queue.put(0, "slow", str(number))
        queue.put(0, "quick", str(number))
    cost = {"slow": 1.0, "quick": 0.1}
    found = Counter(served(queue, cost.__getitem__, 55))
    assert abs(found["slow"] * 1.0 - found["quick"] * 0.1) <= 2.0


def test_nobody_saves_up_time() -> None:
    queue: Fair[str] = Fair()
    for number in range(200):
        queue.put(0, "busy", str(number))
    served(queue, lambda _: 1.0, 100)
    for number in range(100):
        queue.put(0, "late", str(number))
    assert Counter(served(queue, lambda _: 1.0, 20))["late"] <= 11


def test_urgent_work_goes_first() -> None:
    queue: Fair[str] = Fair()
    for rank in (Rank.SHOWS, Rank.RECORDS, Rank.DRAFTS, Rank.ORDERS):
        queue.put(rank, "one", rank.name)
    found = [ticket.item for ticket in iter(queue.take, None)]
    assert found == ["ORDERS", "DRAFTS", "RECORDS", "SHOWS"]


def test_a_place_is_kept_for_orders() -> None:
    """However many records are being made, an order does not wait for one of them to be finished."""

    async def trial() -> None:
        line = Line(lambda: ThreadPoolExecutor(2), places=2, spare=1)
        hold, begun = threading.Event(), threading.Event()

        def record() -> str:
            begun.set()
            assert hold.wait(60)
            return "record"

        records = [asyncio.create_task(line.run("many", Rank.RECORDS, record)) for _ in range(5)]
        await asyncio.to_thread(begun.wait, 60)
        order = await line.run("one", Rank.ORDERS, lambda: "order")
        assert order.value == "order"
        assert not any(task.done() for task in records)
        hold.set()
        assert [outcome.value for outcome in await asyncio.gather(*records)] == ["record"] * 5
        line.close()

    run(trial())


# ---- budgets


@pytest.mark.usefixtures("unfilled")
def test_a_budget_of_time_over_all_tables() -> None:
    buckets, flood, other = Buckets(), Visitor("2001:db8::/64", 7), Visitor("192.0.2.1")
    paid = Work(buckets)
    size = RATES["work"][0]
    paid.charge(flood, size + 1)
    with pytest.raises(TooMany) as refused:
        paid.check(flood)
    assert refused.value.key == "work"
    paid.check(flood, urgent=True)  # orders still count, for a while
    paid.charge(flood, size + 1)
    with pytest.raises(TooMany):
        paid.check(flood, urgent=True)
    with pytest.raises(TooMany):
        paid.check(Visitor("192.0.2.9", 7))  # the same account from elsewhere
    paid.check(other)


@pytest.mark.usefixtures("unfilled")
def test_drafts_cost_time_and_are_refused_when_it_is_spent(tmp_path: Path) -> None:
    """From one network of IPv6, at two tables; somebody else is not concerned."""
    with Server(tmp_path, limits=1.0, behind="127.0.0.1") as server:
        flood = {"X-Forwarded-For": "2001:db8:1:2::7"}
        with Web(server.address, headers=flood) as web:
            first, second = web.open("skerries", **ONE), web.open("skerries", **ONE)
        with (
            Person(server.address, first["table"], first["token"], flood) as one,
            Person(server.address, second["table"], second["token"], {"X-Forwarded-For": "2001:db8:1:2::8"}) as two,
        ):
            one.ask("draft", lines=["x"])
            server.app.state.work.charge(Visitor("2001:db8:1:2::/64"), RATES["work"][0] + 1)
            for person in (one, two):
                with pytest.raises(Refused) as refused:
                    person.ask("draft", lines=["x"])
                assert (refused.value.said["word"], refused.value.said["key"]) == ("limit/rate", "work")
            assert one.file()["type"] == "ack"
        with Web(server.address, headers={"X-Forwarded-For": "192.0.2.1"}) as web:
            third = web.open("skerries", **ONE)
            assert web.get(f"/api/tables/{third['table']}/record").status_code == 200
        with Person(server.address, third["table"], third["token"], {"X-Forwarded-For": "192.0.2.1"}) as other:
            other.ask("draft", lines=["x"])


# ---- drafts


def heard(listener: Listener) -> list[dict[str, Any]]:
    """All messages that wait for a listener."""
    found = []
    while listener.waiting:
        message = listener._queue.get_nowait()
        assert message is not None
        found.append(json.loads(message))
    return found


def test_only_the_newest_draft_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Any] = []
    hold = threading.Event()

    def sheet(*given: Any) -> Any:
        judged.append((given[2], threading.current_thread() is threading.main_thread()))
        assert hold.wait(60)
        return made(*given)

    made = audience.sheet
    monkeypatch.setattr(audience, "sheet", sheet)

    async def trial() -> None:
        papers = Papers()
        judging = Judging(table_of("skerries", "pp"), papers, Work())
        judging._usual["red"].note(1.0)  # it took long the last time
        listener = Listener("red", visitor=Visitor("192.0.2.1"))
        for number in range(1, 11):
            papers.drafts["red"] = [f"line {number}"]
            judging.give({listener: number})
            await asyncio.sleep(0)
        while not judged:
            await asyncio.sleep(0.001)  # the loop is free while the sheet is judged
        hold.set()
        while judging._tasks:
            await asyncio.sleep(0.001)
        said = heard(listener)
        assert [(one["type"], one["re"]) for one in said] == [("ack", number) for number in range(1, 10)] + [
            ("sheet", 10)
        ]
        assert said[-1]["lines"][0]["text"] == "line 10"
        assert len(judged) <= 2

    run(trial())


def test_a_long_sheet_is_judged_in_a_thread_from_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new table, or quick drafts in between, must not bring a long one into the event loop."""
    threads: list[str] = []
    made = audience.sheet

    def sheet(*given: Any) -> Any:
        threads.append(threading.current_thread().name)
        return made(*given)

    monkeypatch.setattr(audience, "sheet", sheet)

    async def trial() -> None:
        papers = Papers({"red": ["x"] * (work.FEW + 1)})
        judging, listener = Judging(table_of("skerries", "pp"), papers, Work()), Listener("red")
        judging.give({listener: 1})
        while judging._tasks:
            await asyncio.sleep(0.001)
        assert [one["re"] for one in heard(listener)] == [1]

    run(trial())
    assert threads
    assert all(name.startswith("work") for name in threads)


def test_quick_work_of_one_visitor_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """However it is mixed, somebody's work is done at once for a moment only; after that it waits for its turn."""
    # On a busy machine a budget fills up while this thread waits for a core: the budget's time is that of the thread.
    monkeypatch.setattr("polemos.server.limits.time", SimpleNamespace(monotonic=time.thread_time))
    paid, flood, other, usual = Work(Buckets()), Visitor("192.0.2.1"), Visitor("192.0.2.2"), work.Usual(0.0)

    def burn() -> None:
        until = time.thread_time() + 0.01
        while time.thread_time() < until:
            pass

    done = 0
    while paid.is_quick(flood, work.Usual(0.0)):
        paid.here(flood, usual, burn)
        done += 1
        assert done < 100, "a second of everybody's time"
    assert done >= 40
    assert paid.is_quick(other, work.Usual(0.0))
    assert paid.is_quick(OURSELVES, work.Usual(0.0))


def test_a_sheet_judged_for_an_old_position_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    hold, begun = threading.Event(), threading.Event()
    made = audience.sheet

    def sheet(*given: Any) -> Any:
        begun.set()
        assert hold.wait(60)
        return made(*given)

    monkeypatch.setattr(audience, "sheet", sheet)

    async def trial() -> None:
        table = table_of("skerries", "pp")
        judging = Judging(table, Papers(), Work())
        judging._usual["red"].note(1.0)
        listener = Listener("red")
        judging.give({listener: 1})
        await asyncio.to_thread(begun.wait, 60)
        judging.table = later = table.copy()
        keeper.carried_out(later, [Filed("red", []), Filed("blue", [])], 1.0)
        hold.set()
        while judging._tasks:
            await asyncio.sleep(0.001)
        assert [one["step"] for one in heard(listener)] == [1]

    run(trial())


# ---- turns and records leave the event loop


def test_a_turn_that_takes_long_leaves_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []
    really = keeper.carried_out

    def carried_out(*given: Any) -> Any:
        threads.append(threading.current_thread().name)
        return really(*given)

    monkeypatch.setattr(keeper, "carried_out", carried_out)

    async def trial() -> None:
        async with opened(tmp_path) as hall:
            seats = {"red": SeatSpec("person"), "blue": SeatSpec("bot", "random")}
            found = await hall.find((await hall.open(OpenTable(game="skerries", seats=seats))).table)
            found._usual.note(1.0)
            threads.clear()
            await Persons(found, Visitor("192.0.2.1")).file("red", [], 0)
        assert threads[0].startswith("work")

    run(trial())


def test_frames_are_built_outside_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: set[str] = set()
    with Server(tmp_path) as server, Web(server.address) as web:
        from polemos.wire import frames

        really = frames.frame

        def frame(*given: Any) -> Any:
            threads.add(threading.current_thread().name)
            return really(*given)

        table = web.open("skerries", **ONE)["table"]
        monkeypatch.setattr(frames, "frame", frame)
        for what in ("frames", "record"):
            assert web.get(f"/api/tables/{table}/{what}").status_code == 200
    assert threads
    assert all(name.startswith("work") for name in threads)


# ---- bots


def test_twenty_tables_of_one_visitor_do_not_slow_the_bots_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is waiting at other tables: at most one answer for each of the other visitors comes before."""
    order: list[str] = []
    first, hold = threading.Event(), threading.Event()

    def think(question: thinker.Question) -> thinker.Thought:
        order.append(question.bot)
        first.set()
        assert hold.wait(60)
        return thinker.Thought([])

    monkeypatch.setattr(thinker, "think", think)
    monkeypatch.setattr(work, "timed", lambda think, question: Outcome(think(question), None, 0.1))

    async def trial() -> None:
        thinkers = Thinkers([thread])
        made = Made("skerries", "random", None, "red", 1)
        ask = thinkers.think
        heavy = [asyncio.create_task(ask("heavy", Rank.ORDERS, made, f"heavy {i}", b"")) for i in range(20)]
        await asyncio.to_thread(first.wait, 60)
        light = [asyncio.create_task(ask("light", Rank.ORDERS, made, f"light {i}", b"")) for i in range(2)]
        show = asyncio.create_task(ask("show", Rank.SHOWS, made, "show", b""))
        await asyncio.sleep(0)
        hold.set()
        await asyncio.gather(*heavy, *light, show)
        thinkers.close()

    run(trial())
    assert [order.index(f"light {i}") for i in range(2)] == [1, 3]
    assert order[-1] == "show"


def test_one_visitor_never_has_all_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long somebody's bots think, another visitor finds a process that is free."""
    hold = threading.Event()

    def think(question: thinker.Question) -> thinker.Thought:
        assert question.bot.startswith("light") or hold.wait(60)
        return thinker.Thought([])

    monkeypatch.setattr(thinker, "think", think)

    async def trial() -> None:
        thinkers = Thinkers([thread, thread])
        made = Made("skerries", "random", None, "red", 1)
        heavy = [asyncio.create_task(thinkers.think("heavy", Rank.ORDERS, made, f"heavy {i}", b"")) for i in range(20)]
        await asyncio.sleep(0)
        for number in range(3):
            await thinkers.think("light", Rank.ORDERS, made, f"light {number}", b"")
        assert not any(task.done() for task in heavy)
        hold.set()
        await asyncio.gather(*heavy)
        thinkers.forget([f"heavy {i}" for i in range(20)])
        assert set(thinkers._shares) == {"light"}
        thinkers.close()

    run(trial())


@pytest.mark.parametrize("make", [thread, process])
def test_bots_remember_the_match_wherever_they_think(make: Any) -> None:
    """The same orders as a bot that is simply asked turn after turn."""
    game = registry.load("skerries")
    match = Match(game, {"turns": 4}, seed=5)
    bots = {seat: inprocess.make(game, "random", match.setting, seat, i) for i, seat in enumerate(match.seats)}

    async def trial() -> None:
        thinkers = Thinkers([make, make])
        while match.outcome is None:
            state = match.state.raw()
            for i, seat in enumerate(match.seats):
                made = Made("skerries", "random", match.setting, seat, i)
                thought = await thinkers.think("one", Rank.ORDERS, made, f"{make.__name__} {seat}", state)
                given = bots[seat].orders(match.view(seat), 1.0)
                right = [order if isinstance(order, str) else game.write(order) for order in given]
                assert thought.lines == right
                match.submit(seat, right)
            match.run()
        thinkers.close()

    run(trial())


def test_a_process_of_bots_that_dies_is_replaced() -> None:
    game = registry.load("skerries")
    match = Match(game, seed=5)
    seat = match.seats[0]
    made = Made("skerries", "random", match.setting, seat, 1)

    async def trial() -> None:
        thinkers = Thinkers([process])
        first = await thinkers.think("one", Rank.ORDERS, made, "bot", match.state.raw())
        pid = (await thinkers._lines[0].run("one", Rank.ORDERS, os.getpid)).value
        assert pid != os.getpid()
        os.kill(pid, signal.SIGKILL)
        again = await thinkers.think("one", Rank.ORDERS, made, "bot", match.state.raw())
        assert again.lines == first.lines  # made anew, with the same seed
        thinkers.close()

    run(trial())


def test_a_process_that_always_dies_is_reported() -> None:
    async def trial() -> None:
        line = Line(process)
        with pytest.raises(BrokenExecutor):
            await line.run("one", Rank.ORDERS, os._exit, 1)
        assert (await line.run("one", Rank.ORDERS, abs, -1)).value == 1
        line.close()

    run(trial())


def test_bots_at_tables_think_in_processes(tmp_path: Path) -> None:
    before = {thread.ident for thread in threading.enumerate()}  # of other servers in this process
    with Server(tmp_path, bot_processes=1) as server, Web(server.address) as web:
        seated = web.open("skerries", **ONE)
        with Person(server.address, seated["table"], seated["token"]) as ann:
            ann.file()
            ann.wait_for_step(1, 60)
        new = [thread.name for thread in threading.enumerate() if thread.ident not in before]
        assert not [name for name in new if name.startswith("bot_")]


# ---- presence


@pytest.mark.needs("demons")
def test_many_spectators_cost_few_messages_each(tmp_path: Path) -> None:
    async def trial() -> None:
        async with opened(tmp_path) as hall:
            seats = {"red": SeatSpec("person"), "blue": SeatSpec("bot", "random")}
            found = await hall.find((await hall.open(OpenTable(game="demons", seats=seats))).table)
            assert not found.table.game.facts.fog
            many = [Listener(None) for _ in range(300)]
            for listener in many:
                found.join(listener)
                await asyncio.sleep(0)
            while found.voice._presence is not None:
                await asyncio.sleep(0.01)
            said = [[one for one in heard(listener) if one["type"] == "table"] for listener in many]
            assert sum(map(len, said)) <= 4 * len(many)
            assert {of[-1]["card"]["watching"] for of in said} == {len(many)}

    run(trial())


def test_telling_many_spectators_is_paid_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Filing and withdrawing before a thousand spectators of one's own is work for the server."""

    async def trial() -> None:
        async with opened(tmp_path) as hall:
            seats = {"red": SeatSpec("person"), "blue": SeatSpec("person")}
            wish = OpenTable(game="skerries", seats=seats, clock=ClockRule("turn", 60.0))
            found = await hall.find((await hall.open(wish)).table)
            for _ in range(1000):
                found.voice.listeners.add(Listener(None))
            paid: list[float] = []
            monkeypatch.setattr(hall.work, "charge", lambda visitor, seconds: paid.append(seconds))
            await hall.take(found.table.id, "blue", "Bob", None)
            assert sum(paid) >= 1000 * keeper.TELLING

    run(trial())


@pytest.mark.needs("demons")
def test_people_are_told_who_comes_and_goes(web: Web, sit: Sit) -> None:
    seated = web.open("demons", **ONE)
    ann = sit(seated)
    spectator = sit(seated["table"])
    ann.until(lambda: ann.state["card"]["watching"] == 1)
    spectator.close()
    ann.until(lambda: ann.state["card"]["watching"] == 0)


# ---- records


def test_a_record_is_sent_while_it_is_being_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from polemos.server import kept
    from polemos.wire import frames

    hold, really = threading.Event(), frames.frame

    def frame(match: Any, number: int, *given: Any) -> Any:
        assert number == 0 or hold.wait(60)
        return really(match, number, *given)

    monkeypatch.setattr(kept, "SPELL", 0.0)
    with Server(tmp_path) as server, Web(server.address) as web:
        seated = web.open("skerries", **ONE)
        with Person(server.address, seated["table"], seated["token"]) as ann:
            ann.file()
            ann.wait_for_step(1)
        monkeypatch.setattr(frames, "frame", frame)
        with web.client.stream("GET", f"/api/tables/{seated['table']}/record") as answer:
            pieces = answer.iter_bytes()
            begun = next(pieces) + next(pieces)
            assert b'"frames":[{"number":0' in begun
            hold.set()
            whole = json.loads(begun + b"".join(pieces))
        assert whole["frames"] == web.get(f"/api/tables/{seated['table']}/frames").json()
        assert (whole["game"], whole["seats"]["blue"]) == ("skerries", "random")


def test_frames_are_built_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after a turn was taken back, when other frames have the same numbers."""
    table, kept = table_of("skerries", "pp"), KeptFrames()

    def sheets(red: str) -> None:
        keeper.carried_out(table, [Filed("red", [red]), Filed("blue", [])], 1.0)

    def asked() -> list[bytes]:
        return [bytes(one) for one in kept.some(table, "red", range(len(table.match.steps) + 1), (False, False))]

    monkeypatch.setattr("polemos.server.kept.SPELL", 60.0)
    sheets("first")
    before = asked()
    table._take_back(2.0)
    sheets("second")
    after = asked()
    assert b"first" in before[1]
    assert b"second" in after[1]
    monkeypatch.setattr("polemos.wire.frames.written_frame", lambda *_: pytest.fail("built again"))
    assert asked() == after
