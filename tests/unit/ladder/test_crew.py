"""A crew between its source of games and the processes that play them."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Engine

from polemos import registry
from polemos.hosts.bundle import Bundle
from polemos.ladder.bell import Bell
from polemos.ladder.clock import writing
from polemos.ladder.files import NoFile
from polemos.ladder.jobs import Broken, Claim, Job, Lot, Player, Report
from polemos.ladder.live import Lives
from polemos.ladder.players import Crew, Finished, Processes
from polemos.ladder.remote import NotAllowed, Outdated, check_editions
from polemos.ladder.suspects import Record, suspects
from polemos.server.store.ledger import connect

OURS = Player(1, "random", None, "random")
THEIRS = Player(2, "Falcon v1", "ab" * 16, None)
JOB = Job(1, 1, "skerries", 1, {"seats": 2, "turns": 3}, False, "a", "b", (OURS, OURS))


class Given:
    """A source with a list of games, which notes all that is said to it."""

    def __init__(self, jobs: Sequence[Job], stop: threading.Event) -> None:
        self._left = list(jobs)
        self._stop = stop
        self.said: list[tuple[str, object]] = []
        self.sizes: list[int] = []

    def claim(self, count: int) -> list[Job]:
        self.sizes.append(count)
        taken, self._left = self._left[:count], self._left[count:]
        return taken

    def renew(self, jobs: Sequence[Job]) -> None:
        self.said.append(("renew", [job.id for job in jobs]))

    def report(self, job: Job, report: Report | Broken) -> None:
        self.said.append(("broken" if isinstance(report, Broken) else "report", job.id))

    def give_back(self, jobs: Sequence[Job]) -> None:
        self.said.append(("back", [job.id for job in jobs]))

    def lost(self, jobs: Sequence[Job], why: str) -> None:
        self.said.append(("lost", [job.id for job in jobs]))

    def bundle(self, digest: str) -> Bundle:
        if digest != THEIRS.digest:
            raise NoFile("gone")
        return Bundle(("python3", "/bot/bot.py"), (), digest)

    def show(self, jobs: Sequence[Job], lives: Lives) -> None:
        pass

    def settle(self) -> None:
        pass

    def finish(self, seconds: float) -> None:
        self.said.append(("finish", None))

    def wait(self, seconds: float) -> None:
        self._stop.set()  # nothing is left


class AtOnce:
    """Lots come back at once: played, or with their process dead."""

    def __init__(self, seconds: float = 0.1, deadly: Sequence[int] = ()) -> None:
        self._seconds = seconds
        self._deadly = deadly
        self._done: list[Finished] = []
        self.lots: list[Lot] = []
        self.closed = False

    @property
    def room(self) -> int:
        return 2 - len(self._done)

    def submit(self, lot: Lot) -> None:
        self.lots.append(lot)
        reports = tuple(Report(job.id, job.lease, b"", {}, Claim((1, 2), ""), self._seconds) for job in lot.jobs)
        dies = any(job.id in self._deadly for job in lot.jobs)
        self._done.append(Finished(lot, None if dies else reports))

    def wait(self, seconds: float) -> list[Finished]:
        done, self._done = self._done, []
        return done

    def close(self) -> None:
        self.closed = True


def jobs(count: int, *players: Player) -> list[Job]:
    return [replace(JOB, id=id, players=players or JOB.players) for id in range(1, count + 1)]


def run(given: Sequence[Job], executor: AtOnce, folder: str | None = "/bots") -> Given:
    stop = threading.Event()
    source = Given(given, stop)
    Crew(source, executor, folder=folder).run(stop)
    return source


def test_every_game_is_reported_once_and_the_executor_closed() -> None:
    executor = AtOnce()
    source = run(jobs(30), executor)
    assert sorted(id for word, id in source.said if word == "report") == list(range(1, 31))  # type: ignore[type-var]
    assert source.said[-2:] == [("finish", None), ("back", [])]
    assert executor.closed


def test_a_worker_that_is_no_longer_wanted_leaves_no_process_behind() -> None:
    """Its token was revoked: every message is refused, the last ones too."""

    class Refusing(Given):
        def report(self, job: Job, report: Report | Broken) -> None:
            raise NotAllowed("This token isn't one of a worker.")

        def finish(self, seconds: float) -> None:
            raise NotAllowed("This token isn't one of a worker.")

        def give_back(self, jobs: Sequence[Job]) -> None:
            raise NotAllowed("This token isn't one of a worker.")

    stop, executor = threading.Event(), AtOnce()
    with pytest.raises(NotAllowed):
        Crew(Refusing(jobs(3), stop), executor, folder="/bots").run(stop)
    assert executor.closed


def test_lots_grow_to_a_second_or_two_of_play() -> None:
    assert run(jobs(60), AtOnce(seconds=0.25)).sizes[0] == 1
    assert run(jobs(60), AtOnce(seconds=0.25)).sizes[-1] == 6
    assert run(jobs(60), AtOnce(seconds=9.0)).sizes[-1] == 1
    assert run(jobs(60), AtOnce(seconds=0.001)).sizes[-1] == 16


def test_a_lot_whose_process_died_is_lost_as_a_whole() -> None:
    source = run(jobs(3), AtOnce(deadly=[2]))
    lost = [ids for word, ids in source.said if word == "lost"]
    assert len(lost) == 1
    assert 2 in lost[0]  # type: ignore[operator]


def test_games_whose_results_could_not_be_handed_in_are_left_to_their_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is gone when two lots come back: whoever looks next must find both free again, not renewed."""
    monkeypatch.setattr("polemos.ladder.players._AGAIN", 0.0)
    stop = threading.Event()

    class Deaf(Given):
        def lost(self, jobs: Sequence[Job], why: str) -> None:
            super().lost(jobs, why)
            raise OSError("gone")

    source = Deaf(jobs(2), stop)
    Crew(source, AtOnce(deadly=[1, 2]), folder="/bots").run(stop)
    assert source.said == [("lost", [1]), ("finish", None), ("back", [])]


def test_files_are_sent_along_where_there_is_no_folder() -> None:
    executor = AtOnce()
    run(jobs(1, OURS, THEIRS), executor, folder=None)
    assert [*executor.lots[0].bundles] == [THEIRS.spec]
    run(jobs(1, OURS, THEIRS), executor)
    assert executor.lots[1].bundles == {}


def test_a_bot_whose_files_are_gone_breaks_only_its_game() -> None:
    missing = replace(THEIRS, digest="cd" * 16)
    executor = AtOnce()
    source = run(jobs(1, OURS, missing), executor, folder=None)
    assert ("broken", 1) in source.said
    assert executor.lots == []


def test_games_that_are_being_played_when_it_stops_are_given_back() -> None:
    stop = threading.Event()

    class Never(AtOnce):
        def wait(self, seconds: float) -> list[Finished]:
            stop.set()
            return []

    source = Given(jobs(2), stop)
    Crew(source, Never(), folder="/bots").run(stop)
    assert source.said[-1] == ("back", [1, 2])


def test_processes_play_and_a_file_that_is_missing_breaks_the_game() -> None:
    executor = Processes(1)
    try:
        executor.submit(Lot((JOB, replace(JOB, id=2, players=(OURS, THEIRS))), folder="/nowhere"))
        assert executor.room == 0
        done: list[Finished] = []
        until = time.monotonic() + 120
        while not done and time.monotonic() < until:
            done = executor.wait(1.0)
        ((_, reports),) = [(one.lot, one.reports) for one in done]
        assert reports is not None
        assert [type(report) for report in reports] == [Report, Broken]
        assert executor.room == 1
    finally:
        executor.close()


def test_a_process_that_hangs_is_ended_and_its_games_are_lost() -> None:
    executor = Processes(1)
    try:
        worker = executor._free.pop()
        hangs: Any = worker.pool.submit(time.sleep, 600)
        executor._running[hangs] = (worker, Lot((JOB,)), time.monotonic() + 0.5)
        assert executor.wait(0.1) == []
        time.sleep(0.6)
        (finished,) = executor.wait(0.1)
        assert finished.reports is None
        assert executor.room == 1
    finally:
        executor.close()


# ---- the bell


def test_the_bell_is_heard(engine: Engine) -> None:
    """With PostgreSQL also by others, as on another connection here; with SQLite within the process."""
    bell = Bell(engine)
    other = connect(engine.url.render_as_string(hide_password=False).replace("+psycopg", ""))
    ringer = Bell(other) if engine.dialect.name == "postgresql" else bell
    try:
        until = time.monotonic() + 60
        since = bell.count
        while bell.count == since and time.monotonic() < until:
            with writing(other) as connection:
                ringer.ring(connection)
            if ringer is bell:
                bell.rings()
            bell.wait(0.5, since)
        assert bell.count > since
    finally:
        bell.close()
        ringer.close()
        other.dispose()


# ---- workers that bots fail on


def test_a_worker_is_suspected_only_if_it_alone_fails() -> None:
    usual = [Record("a", 2000, 40), Record("b", 1500, 33)]
    assert suspects(usual) == []
    assert suspects([*usual, Record("c", 200, 60)]) == ["c"]
    assert suspects([*usual, Record("c", 20, 15)]) == []  # too few to say
    assert suspects([Record("alone", 500, 400)]) == []
    assert suspects([Record("a", 500, 200), Record("b", 500, 210)]) == []


def test_a_worker_that_can_not_play_is_suspected_long_before_forty_bots_were_in_its_games() -> None:
    good = Record("good", 1000, 12, games=500, broken=6)
    assert suspects([good, Record("never plays", 0, 0, games=0, broken=12, breaks=12)]) == ["never plays"]
    assert suspects([good, Record("without a box", 20, 0, games=10, broken=30)]) == ["without a box"]
    assert suspects([good, Record("unlucky once", 200, 2, games=100, broken=4, breaks=1)]) == []
    assert suspects([Record("alone", 20, 0, games=10, broken=30)]) == []


def test_a_worker_with_other_rules_is_told_before_it_breaks_a_game() -> None:
    edition = registry.load("skerries").edition
    check_editions({"skerries": edition, "another": 7}, ["skerries"])
    with pytest.raises(
        Outdated, match=f"has edition {edition - 1} of Skerries, and the server plays edition {edition}"
    ):
        check_editions({"skerries": edition - 1}, ["skerries"])
    with pytest.raises(Outdated, match="does not have Skerries"):
        check_editions({}, ["skerries"])
