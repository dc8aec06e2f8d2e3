"""Playing a tournament for real: in this process, and on workers that may die."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from polemos import registry
from polemos.arena.tournament import entrants, opening
from polemos.arena.tournament.batch import REPLAYS, Batch, Done, Setting, play, ranks_of
from polemos.arena.tournament.engine import Tournament
from polemos.arena.tournament.executor import MAX_LOSSES, Executor, ExecutorError, Losses
from polemos.arena.tournament.journal import Journal
from polemos.arena.tournament.plan import Plan, Played
from polemos.arena.tournament.processes import Processes
from polemos.arena.tournament.reporter import Reporter
from polemos.arena.tournament.run import BATCH, Pace, Runner, Sizes, sweep
from polemos.kernel import replay
from polemos.kernel.errors import BotFault
from polemos.kernel.outcome import Outcome

from .invented import at_random, by_number, known, through
from .invented import plan as invented_plan

GAME = registry.load("skerries")

BOTS = """
import os

class Still:
    def __init__(self, setting, seat, seed):
        self.seat = seat
    def orders(self, view, time_left):
        return []

class Killer(Still):
    def orders(self, view, time_left):
        os._exit(3)

class Failing(Still):
    def orders(self, view, time_left):
        raise ValueError("slip")
"""


class Here:
    """Plays in this process, a batch when it is waited for."""

    def __init__(self, setting: Setting, play: Callable[[Setting, Batch], Done] = play) -> None:
        self.cores = 2
        self.batches: list[Batch] = []
        self.closed = False
        self._setting, self._play = setting, play
        self._queue: list[Batch] = []

    @property
    def room(self) -> int:
        return 2 - len(self._queue)

    def submit(self, batch: Batch) -> None:
        self._queue.append(batch)
        self.batches.append(batch)

    def wait(self, seconds: float) -> list[Done]:
        return [self._play(self._setting, self._queue.pop())]  # the last one first

    def close(self) -> None:
        self.closed = True


def plan(*bots: str, games: int = 4, turns: int = 6, **more: Any) -> Plan:
    found = Plan(
        game=GAME.name,
        edition=GAME.edition,
        options={"turns": turns},
        seats=2,
        entrants=entrants.read(GAME, bots, trust=True),
        system="round-robin",
        rounds=0,
        games=games,
        seed="seven",
        trust=True,
    )
    return opening.settled(replace(found, **more), None)


def run(folder: Path, of: Plan, executor: Callable[[Setting], Executor]) -> Runner:
    with opening.begun(folder, of, any_seed=False) as journal:
        sweep(folder)
        runner = Runner(opening.caught_up(journal), journal, executor(Setting(of, str(folder))), lambda *_: None)
        try:
            runner.run()
        finally:
            runner._executor.close()
        return runner


def timeless(tournament: Tournament) -> tuple[Any, ...]:
    rows, notices, counted, *rest = known(tournament)
    return rows, notices, [replace(game, seconds=0.0, cpu=0.0, used=()) for game in counted], *rest


@pytest.fixture(scope="module")
def table() -> tuple[Any, ...]:
    """Of the tournament that most tests here play, game by game."""
    return timeless(
        through(plan("random", "settler", "other=random"), _alone(plan("random", "settler", "other=random")))
    )


def _alone(of: Plan) -> Callable[[Any], Played]:
    import tempfile

    def one(pairing: Any) -> Played:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / REPLAYS).mkdir()
            return play(Setting(of, folder), Batch((pairing,))).played[0]

    return one


# ---- in this process


def test_games_are_played_journaled_and_counted(tmp_path: Path, table: tuple[Any, ...]) -> None:
    runner = run(tmp_path, plan("random", "settler", "other=random"), Here)
    assert timeless(runner.tournament) == table
    assert runner.tournament.is_over
    assert runner.pace.games == 12
    assert sum(game.steps for game in runner.tournament.counted) == runner.pace.steps
    for game in runner.tournament.counted:
        assert game.replay is not None
        read = replay.read(tmp_path / game.replay)
        replay.verify(read, GAME)
        assert [*read.header.seats.values()] == [runner.tournament.plan.entrants[e].name for e in game.seating]
        assert (game.reason, game.rule) == (read.end.end.reason, read.end.end.rule)
        assert sum(game.points) == 1
        assert game.points == tuple(read.end.end.points[seat] for seat in read.header.seats)


def test_files_come_back_where_no_folder_is_shared(tmp_path: Path, table: tuple[Any, ...]) -> None:
    def elsewhere(setting: Setting) -> Here:
        return Here(replace(setting, folder=None))

    runner = run(tmp_path, plan("random", "settler", "other=random"), elsewhere)
    assert timeless(runner.tournament) == table
    files = sorted(path.name for path in (tmp_path / REPLAYS).iterdir())
    assert files == [f"game-{number:05d}.jsonl.gz" for number in range(1, 13)]


def test_seat_exchanged_games_meet_the_same_start(tmp_path: Path) -> None:
    tournament = run(tmp_path, plan("random", "settler"), Here).tournament
    firsts = [replay.read(tmp_path / str(game.replay)).header.first for game in tournament.counted]
    assert firsts[0::2] == firsts[1::2]


def test_what_a_killed_run_left_half_written_is_swept(tmp_path: Path) -> None:
    (tmp_path / REPLAYS).mkdir()
    (tmp_path / REPLAYS / ".123-game-00001.jsonl.gz").write_bytes(b"half")
    (tmp_path / REPLAYS / "game-00001.jsonl.gz").write_bytes(b"of another run")
    tournament = run(tmp_path, plan("random", "settler"), Here).tournament
    assert not list((tmp_path / REPLAYS).glob(".*"))
    replay.verify(replay.read(tmp_path / str(tournament.counted[0].replay)), GAME)


def test_a_run_goes_on_from_its_journal(tmp_path: Path, table: tuple[Any, ...]) -> None:
    """Stopped after some batches, again and again."""
    of = plan("random", "settler", "other=random")
    played: list[int] = []

    class Stops(Here):
        def wait(self, seconds: float) -> list[Done]:
            if len(self.batches) > 3:
                raise KeyboardInterrupt
            done = super().wait(seconds)
            played.extend(game.number for batch in done for game in batch.played)
            return done

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path, of, Stops)
    assert 0 < len(played) == len(set(played)) < 12
    assert timeless(run(tmp_path, of, Here).tournament) == table


def test_a_game_that_comes_back_twice_counts_once(tmp_path: Path, table: tuple[Any, ...]) -> None:
    class Twice(Here):
        def wait(self, seconds: float) -> list[Done]:
            done = super().wait(seconds)
            return [*done, *done]

    assert timeless(run(tmp_path, plan("random", "settler", "other=random"), Twice).tournament) == table
    with Journal(tmp_path) as journal:
        assert len(journal.games) == 12
    assert len((tmp_path / "journal.jsonl").read_text().splitlines()) == 13


def test_what_fails_in_the_hands_of_the_umpire_is_void(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polemos.arena.games.play_one", _broken)
    tournament = run(tmp_path, plan("random", "settler", games=2), Here).tournament
    assert tournament.notices[0].text == "Game 1 is void: ZeroDivisionError: division by zero"
    assert tournament.is_over
    assert not tournament.counted


def _broken(task: Any, on_step: Any) -> Any:
    return 1 / 0


def test_what_is_missing_on_a_machine_stops_the_run(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(BOTS)
    of = plan("random", f"{tmp_path}/bots.py:Still")
    (tmp_path / "bots.py").unlink()
    with pytest.raises(BotFault, match="There is no file"):
        run(tmp_path / "t", of, Here)


def test_a_failing_bot_is_paused_and_its_verdicts_are_told(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(BOTS)
    tournament = run(tmp_path / "t", plan("random", f"bad={tmp_path}/bots.py:Failing", "settler"), Here).tournament
    (notice,) = tournament.notices
    assert notice.text.startswith("bad is paused: it dropped out of 3 games in a row")
    assert notice.text.count("crash: ValueError: slip") == 3


def test_places_in_a_draw_are_shared() -> None:
    points = {"red": 0.5, "blue": 0.5}
    assert ranks_of(Outcome(None, ("red", "blue"), points, "", "")) == {"red": 1, "blue": 1}
    assert ranks_of(Outcome("blue", ("blue", "red"), {"red": 0.0, "blue": 1.0}, "", "")) == {"red": 2, "blue": 1}
    three = Outcome(None, ("b", "c", "a"), {"a": 0.0, "b": 0.5, "c": 0.5}, "", "")
    assert ranks_of(three) == {"a": 3, "b": 1, "c": 1}


# ---- batches


def test_batches_are_worth_sending_and_shrink_towards_the_end() -> None:
    sizes = Sizes()
    assert sizes.size(1000, 2) == 1, "before anything is known"
    (pairing,) = list(Tournament(invented_plan(2, games=1)).due())
    sizes.learn(Done((replace(by_number(pairing), seconds=0.01),)))
    assert sizes.size(10_000, 2) == int(BATCH / 0.01)
    assert sizes.size(200, 2) == 50
    assert sizes.size(3, 2) == 20, "too short to be worth less"
    sizes.learn(Done((replace(by_number(pairing), seconds=100.0),)))
    assert sizes.size(10_000, 2) == 1


def test_a_tournament_of_many_invented_games(tmp_path: Path) -> None:
    of = invented_plan(9, system="swiss", rounds=20, games=20, pause_after=0)
    invent = at_random(1)

    def at_once(setting: Setting, batch: Batch) -> Done:
        return Done(tuple(invent(pairing) for pairing in batch.pairings))

    runner = run(tmp_path, of, lambda setting: Here(setting, at_once))
    assert known(runner.tournament) == known(through(of, invent))
    assert runner.tournament.settled == 1600


# ---- the report


def test_the_report_is_written_while_it_runs(tmp_path: Path) -> None:
    tournament = Tournament(invented_plan(4))
    reporter = Reporter(tmp_path, every=3600)
    for pairing in islice(tournament.due(), 3):
        tournament.take(by_number(pairing))
    reporter.look(tournament)
    assert not list(tmp_path.iterdir()), "not before its time"
    reporter._next = time.monotonic()  # an hour later
    reporter.look(tournament)
    until = time.monotonic() + 60
    while not (tmp_path / "index.html").exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    half = (tmp_path / "index.html").read_text()
    ratings = reporter.last(through(tournament.plan, by_number))
    assert [rating.games for rating in ratings] == [6] * 4
    assert (tmp_path / "index.html").read_text() != half


# ---- workers


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="there is no choice of cores here")
def test_no_two_workers_with_programs_have_the_same_core() -> None:
    code = """
import os
from polemos.arena.tournament.batch import take_core
cores, held = os.sched_getaffinity(0), []
for core in sorted(cores):
    held.append(take_core(f"test-{os.getpid()}"))
    assert os.sched_getaffinity(0) == {core}, core
    os.sched_setaffinity(0, cores)
assert take_core(f"test-{os.getpid()}") is None
assert os.sched_getaffinity(0) == cores
held[0].close()
assert take_core(f"test-{os.getpid()}") is not None
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.fixture
def quiet() -> Iterator[None]:
    """No worker outlives its test."""
    before = set(active_children())
    yield
    until = time.monotonic() + 30
    while not set(active_children()) <= before and time.monotonic() < until:
        time.sleep(0.05)  # one that was told to end may have to wait for a core to do so
    assert set(active_children()) <= before


@pytest.mark.usefixtures("quiet")
def test_workers_give_the_same_table_and_one_that_dies_does_not_matter(tmp_path: Path, table: tuple[Any, ...]) -> None:
    killed: list[int] = []

    class Dying(Processes):
        def wait(self, seconds: float) -> list[Done]:
            if len(killed) < 2 and (workers := active_children()):
                killed.append(workers[-1].pid or 0)
                workers[-1].kill()
            return super().wait(seconds)

    runner = run(tmp_path, plan("random", "settler", "other=random"), lambda setting: Dying(setting, 2))
    assert timeless(runner.tournament) == table
    assert len(killed) == 2


@pytest.mark.usefixtures("quiet")
def test_a_game_that_ends_its_worker_is_void_and_its_bot_is_paused(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(BOTS)
    bots = ["random", f"killer={tmp_path}/bots.py:Killer", "settler", "other=random"]
    tournament = run(
        tmp_path / "t", plan(*bots, games=1, pause_after=2), lambda setting: Processes(setting, 2)
    ).tournament
    assert tournament.is_over
    voids = [notice.text for notice in tournament.notices if "is void" in notice.text]
    assert len(voids) == 2
    assert all(text.endswith("is void: it killed its worker process 3 times") for text in voids)
    rows = {row.entrant: row for row in tournament.rows()}
    assert [entrant for entrant, row in rows.items() if row.paused] == [1]
    assert len(tournament.counted) == 3, "the others met each other"


@pytest.mark.usefixtures("quiet")
def test_workers_are_kept_at_work(tmp_path: Path) -> None:
    """From the first result on, so that the start of the workers is not counted."""
    of = plan("random", "settler", "other=random", games=300, turns=12)
    marks: list[tuple[float, float]] = []

    def show(tournament: Tournament, pace: Pace) -> None:
        if tournament.arrived > 30:
            marks.append((pace.seconds, pace.work))

    with opening.begun(tmp_path, of, any_seed=False) as journal:
        sweep(tmp_path)
        executor = Processes(Setting(of, str(tmp_path)), 2)
        runner = Runner(opening.caught_up(journal), journal, executor, show)
        try:
            runner.run()
        finally:
            executor.close()
    (from_, worked), (to, done) = marks[0], marks[-1]
    assert (done - worked) / (to - from_) / 2 > 0.8, "0.95 and more where nothing else is running"


def test_losses_do_not_go_on_for_ever() -> None:
    losses = Losses()
    pairings = tuple(Tournament(invented_plan(4)).due())
    again, dead = losses.lost(Batch(pairings[:3]))
    assert [batch.pairings for batch in again] == [(pairing,) for pairing in pairings[:3]]
    assert dead is None
    one = Batch(pairings[:1])
    assert losses.lost(one) == losses.lost(one) == ([one], None)
    again, dead = losses.lost(one)
    assert again == []
    assert dead is not None
    assert dead.played[0].void
    whole = Batch(pairings)
    losses.found()
    for _ in range(MAX_LOSSES):
        assert losses.lost(whole, by_itself=False) == ([whole], None)
    with pytest.raises(ExecutorError, match="Something is wrong with the machines"):
        losses.lost(whole, by_itself=False)
    losses.found()
    assert losses.lost(whole, by_itself=False) == ([whole], None)
