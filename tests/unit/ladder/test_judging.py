"""Results are adjudicated again: a forged one is refused, its worker set aside, and the game played by others."""

from __future__ import annotations

import errno
import gzip
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from polemos import registry
from polemos.kernel.replay import End, Header, StepLine, _chained, read
from polemos.ladder import desk as desks
from polemos.ladder import results
from polemos.ladder.bell import Bell
from polemos.ladder.clock import writing
from polemos.ladder.desk import Desk
from polemos.ladder.files import Bundles, Replays
from polemos.ladder.jobs import Broken, Claim, Job, Player, Report, Result
from polemos.ladder.judging import Forged, Referee, judge
from polemos.ladder.leases import Aside
from polemos.ladder.playing import play_one, seated
from polemos.server.store import ladder as db
from unit.ladder.small import Small, result_of

JOB = Job(
    id=7,
    lease=1,
    game="skerries",
    edition=registry.load("skerries").edition,
    options={"seats": 2, "turns": 6},
    bids=False,
    seed="abc",
    bot_seed="def",
    players=(Player(31, "settler", None, "settler"), Player(32, "random", None, "random")),
)


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Report:
    found = play_one(JOB, tmp_path_factory.mktemp("game"))
    assert isinstance(found, Report)
    return found


def rewritten(report: Report, tmp_path: Path, change: Any) -> Report:
    """A report with another replay, whose chain of digests is right."""
    path = tmp_path / "replay.jsonl.gz"
    path.write_bytes(report.replay)
    was = read(path)
    parts: list[Header | StepLine | End] = [was.header, *(StepLine.of(step) for step in was.steps), was.end]
    chain, lines = "", b""
    for part in change(parts):
        line, chain = _chained(part, chain)
        lines += line
    return replace(report, replay=gzip.compress(lines))


def test_an_honest_result_holds(honest: Report) -> None:
    result = judge(JOB, honest)
    assert tuple(entry.rank for entry in result.entries) == honest.claim.ranks
    assert result.steps == 6
    assert sum(entry.points for entry in result.entries) == pytest.approx(1)
    assert [entry.seat for entry in result.entries] == [0, 1]
    assert gzip.decompress(result.board).startswith(b"<svg")
    assert all(entry.fault is None and entry.cpu >= 0 for entry in result.entries)


def test_the_same_job_gives_the_same_course(honest: Report, tmp_path: Path) -> None:
    again = play_one(JOB, tmp_path)
    assert isinstance(again, Report)
    assert again.claim == honest.claim


def test_seats_change_the_fingerprint(honest: Report, tmp_path: Path) -> None:
    other = play_one(replace(JOB, players=JOB.players[::-1]), tmp_path)
    assert isinstance(other, Report)
    assert other.claim.fingerprint != honest.claim.fingerprint


def test_other_places_than_those_of_the_replay_are_refused(honest: Report) -> None:
    first, second = honest.claim.ranks
    swapped = replace(honest, claim=replace(honest.claim, ranks=(second, first) if first != second else (1, 2)))
    with pytest.raises(Forged, match="places"):
        judge(JOB, swapped)


def test_a_changed_outcome_is_refused(honest: Report, tmp_path: Path) -> None:
    def lies(parts: list[Any]) -> list[Any]:
        end: End = parts[-1]
        places = end.end.places[::-1]
        points = dict(zip(end.end.points, reversed(list(end.end.points.values())), strict=True))
        ranks = {seat: place for place, seat in enumerate(places, 1)}
        won = replace(end.end, winner=places[0], places=places, points=points, ranks=ranks)
        return [*parts[:-1], replace(end, end=won)]

    with pytest.raises(Forged, match="outcome"):
        judge(JOB, rewritten(honest, tmp_path, lies))


def test_changed_orders_are_refused(honest: Report, tmp_path: Path) -> None:
    def lies(parts: list[Any]) -> list[Any]:
        step: StepLine = parts[1]
        return [parts[0], replace(step, orders=dict.fromkeys(step.orders, ())), *parts[2:]]

    with pytest.raises(Forged, match="does not hold"):
        judge(JOB, rewritten(honest, tmp_path, lies))


def test_a_game_that_was_cut_short_is_refused(honest: Report, tmp_path: Path) -> None:
    with pytest.raises(Forged):
        judge(JOB, rewritten(honest, tmp_path, lambda parts: [*parts[:-3], parts[-1]]))


def test_a_game_with_other_dice_is_refused(tmp_path: Path) -> None:
    """A worker that plays until it likes the result."""
    better = play_one(replace(JOB, seed="another"), tmp_path)
    assert isinstance(better, Report)
    with pytest.raises(Forged, match="another game"):
        judge(JOB, better)


def test_a_game_with_other_rules_is_refused(tmp_path: Path) -> None:
    longer = play_one(replace(JOB, options={"seats": 2, "turns": 7}), tmp_path)
    assert isinstance(longer, Report)
    with pytest.raises(Forged, match="another game"):
        judge(JOB, longer)


def test_bots_with_other_seeds_are_refused(tmp_path: Path) -> None:
    other = play_one(replace(JOB, bot_seed="chosen"), tmp_path)
    assert isinstance(other, Report)
    with pytest.raises(Forged, match="other numbers"):
        judge(JOB, other)


@pytest.mark.parametrize(
    "junk",
    [b"", b"junk", gzip.compress(b"{}\n"), gzip.compress(b'{"polemos":1}\n')],
    ids=["none", "text", "empty", "first line"],
)
def test_junk_is_refused(honest: Report, junk: bytes) -> None:
    with pytest.raises(Forged):
        judge(JOB, replace(honest, replay=junk))


def test_a_worker_with_another_edition_breaks_the_game(tmp_path: Path) -> None:
    found = play_one(replace(JOB, edition=99), tmp_path)
    assert isinstance(found, Broken)
    assert "edition 99" in found.why


def test_what_a_replay_can_say_freely_is_made_harmless(honest: Report, tmp_path: Path) -> None:
    """A verdict and times are the worker's word: one that no database takes would stop all counting."""

    def odd(parts: list[Any]) -> list[Any]:
        step: StepLine = parts[-2]
        seat = registry.load("skerries").facts.seats[0]
        said = {"gone": {seat: "crash: a\x00b\n" + "c" * 5000}, "cpu": {seat: 1e308}, "wall": {seat: -1e308}}
        return [*parts[:-3], replace(parts[-3], cpu={seat: 1e308}), replace(step, **said), parts[-1]]

    entry, other = judge(JOB, rewritten(honest, tmp_path, odd)).entries
    assert entry.fault is not None
    assert entry.fault.startswith("crash: a b ccc")
    assert entry.fault.isprintable()
    assert len(entry.fault) <= 400
    assert (entry.cpu, entry.wall) == (1e6, 0.0)
    assert 0 <= entry.slowest < 1e6
    assert other.fault is None


def test_where_a_bot_failed_is_kept(honest: Report, tmp_path: Path) -> None:
    """The page of a bot leads to that turn: where it dropped out, or else its last strike."""
    red, blue = registry.load("skerries").facts.seats[:2]

    def failing(parts: list[Any]) -> list[Any]:
        late = {"strikes": {red: "late: no answer in time", blue: "late: no answer in time"}}
        out = {"gone": {red: "crash: exit code 1"}}
        again = {"strikes": {blue: "late: no answer in time"}}
        return [
            parts[0],
            replace(parts[1], **late),
            replace(parts[2], **out),
            parts[3],
            replace(parts[4], **again),
            *parts[5:],
        ]

    assert all((entry.fault_step, entry.fault_turn) == (None, None) for entry in judge(JOB, honest).entries)
    crashed, struck = judge(JOB, rewritten(honest, tmp_path, failing)).entries
    assert (crashed.fault_step, crashed.fault_turn) == (2, 2)
    assert (struck.fault_step, struck.fault_turn, struck.strikes) == (4, 4, 2)


def test_what_everyone_can_read_quotes_nothing_of_a_log(honest: Report, tmp_path: Path) -> None:
    """The last words of a crashed bot are in its log, which belongs to its author."""
    seat = registry.load("skerries").facts.seats[0]

    def crashed(parts: list[Any]) -> list[Any]:
        said = {
            "gone": {seat: "crash: exit code 1: KeyError: 'secret plan'"},
            "strikes": {seat: "late: no answer in time"},
        }
        return [*parts[:-2], replace(parts[-2], **said), parts[-1]]

    assert judge(JOB, honest).replay is None
    result = judge(JOB, rewritten(honest, tmp_path, crashed))
    assert result.entries[0].fault == "crash: exit code 1: KeyError: 'secret plan'"
    assert result.replay is not None
    assert b"secret" not in gzip.decompress(result.replay)
    again = judge(JOB, replace(honest, replay=result.replay))
    assert again.entries[0].fault == "crash"
    assert (again.replay, again.fingerprint) == (None, result.fingerprint)
    path = tmp_path / "for-everyone.jsonl.gz"
    path.write_bytes(result.replay)
    assert str(read(path).steps[-1].strikes[seat]) == "late: no answer in time"


# ---- bids


@pytest.mark.needs("minions")
@pytest.mark.parametrize(("bids", "blue"), [((5, 8), 0), ((8, 5), 1), ((None, 100), 0)])
def test_the_lower_bid_plays_blue_wherever_it_sat(bids: tuple[int | None, int], blue: int) -> None:
    """14.3, 14.4: Blue starts with the average of both. A bot that bids nothing bids the usual sum."""
    game = registry.load("minions")
    players = tuple(Player(i, f"{i}", None, "random", bid=bid) for i, bid in enumerate(bids))
    job = replace(JOB, game="minions", edition=game.edition, options={}, bids=True, players=players)
    options, seating = seated(game, job)
    assert game.facts.seats[seating.index(blue)] == "blue"
    if bids == (5, 8):
        assert options["bids"] == "5,8"


# ---- at the desk


def test_a_forged_result_sets_its_worker_aside_and_the_game_is_played_again(small: Small, tmp_path: Path) -> None:
    small.bot("Falcon")
    small.scheduler.look()
    with writing(small.engine) as connection:  # games of our own bots alone, which can be played here
        connection.execute(db.bots.update().values(builtin=None))
        connection.execute(db.bots.update().where(db.bots.c.name == "Falcon").values(builtin="settler"))
        connection.execute(db.bots.update().where(db.bots.c.name == "settler").values(builtin="random"))
        connection.execute(db.bots.update().where(db.bots.c.name == "random").values(game="x", builtin="random"))
    referee, bell = Referee(), Bell(small.engine)
    desk = Desk(small.engine, Bundles(tmp_path / "bots"), Replays(tmp_path / "replays"), referee, bell)
    try:
        (job,) = desk.claim(small.worker, 1)
        report = play_one(job, tmp_path)
        assert isinstance(report, Report)
        desk.report(small.worker, job, replace(report, claim=Claim((1, 1), report.claim.fingerprint)))
        settled(desk)
        row = small.one(select(db.games).where(db.games.c.id == job.id))
        assert (row.state, row.cause, row.replay) == ("waiting", "", None)
        worker = small.one(select(db.workers))
        assert (worker.state, worker.refused, worker.games) == ("aside", 1, 0)
        assert f"Game {job.id}" in worker.why
        (notice,) = small.rows(select(db.notices.c.kind, db.notices.c.text))
        assert notice[0] == "worker"
        with pytest.raises(Aside):
            desk.claim(small.worker, 1)

        other = desk.worker("another")
        (again,) = desk.claim(other, 1)
        assert (again.id, again.lease) == (job.id, job.lease + 1)
        desk.report(other, again, replace(report, lease=again.lease))
        assert settled(desk) == ["counted"]
        row = small.one(select(db.games).where(db.games.c.id == job.id))
        assert (row.state, row.cause, row.worker_id) == ("done", "played", other)
        assert msgspec.json.encode(read(Replays(tmp_path / "replays").path(row.replay)).header.game) == b'"skerries"'
    finally:
        referee.close()
        bell.close()


class Agreed(Referee):
    """Believes everything at once."""

    def __init__(self) -> None:
        """It has no processes, so there is nothing to start or to end."""

    def close(self) -> None:
        pass

    def submit(self, job: Job, report: Report) -> Future[Result]:
        future: Future[Result] = Future()
        future.set_result(result_of((1, 2), f"{job.id:032x}"))
        return future


def test_a_result_that_cannot_be_written_holds_up_nobody_else(
    small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.bot("Falcon")
    small.scheduler.look()
    desk = Desk(small.engine, Bundles(tmp_path / "bots"), Replays(tmp_path / "replays"), Agreed(), small.bell)
    first, second, third = desk.claim(small.worker, 3)
    commit = results.commit

    def refuses(connection: Any, job: Job, *rest: Any, **more: Any) -> Any:
        if job.id == second.id:
            raise ValueError("a text that no column takes")
        return commit(connection, job, *rest, **more)

    monkeypatch.setattr(results, "commit", refuses)
    for job in (first, second, third):
        desk.report(small.worker, job, Report(job.id, job.lease, b"replay", {}, Claim((1, 2), ""), 0.5))
    assert desk.settle() == ["counted", "counted"]
    assert desk.pending == 0
    rows = dict(small.rows(select(db.games.c.id, db.games.c.state)))
    assert [rows[job.id] for job in (first, second, third)] == ["done", "waiting", "done"]
    row = small.one(select(db.games).where(db.games.c.id == second.id))
    assert (row.lost, row.cause, "could not be written" in row.trouble) == (1, "", True)


def test_results_wait_for_a_database_that_is_gone(
    small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.bot("Falcon")
    small.scheduler.look()
    desk = Desk(small.engine, Bundles(tmp_path / "bots"), Replays(tmp_path / "replays"), Agreed(), small.bell)
    (job,) = desk.claim(small.worker, 1)
    desk.report(small.worker, job, Report(job.id, job.lease, b"replay", {}, Claim((1, 2), ""), 0.5))
    gone = OperationalError("COMMIT", {}, Exception("the server closed the connection"))
    with monkeypatch.context() as patch:
        patch.setattr(results, "commit", Mock(side_effect=gone))
        with pytest.raises(OperationalError):
            desk.settle()
        assert desk.pending == 1
    assert desk.settle() == ["counted"]


def test_nobody_plays_on_for_a_disk_that_is_full(small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results are kept in memory until they can be stored: no more than there is room for."""
    monkeypatch.setattr(desks, "MAX_PENDING", 2)
    for name in ("Falcon", "Heron"):
        small.bot(name)
    small.scheduler.look()
    desk = Desk(small.engine, Bundles(tmp_path / "bots"), Replays(tmp_path / "replays"), Agreed(), small.bell)
    with monkeypatch.context() as patch:
        patch.setattr(Replays, "put", Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")))
        for _ in range(2):
            (job,) = desk.claim(small.worker, 1)
            desk.report(small.worker, job, Report(job.id, job.lease, b"replay", {}, Claim((1, 2), ""), 0.5))
            with pytest.raises(OSError, match="No space left"):
                desk.settle()
        assert desk.claim(small.worker, 1) == []
    assert desk.settle() == ["counted", "counted"], "nothing of what was played is lost"
    assert len(desk.claim(small.worker, 1)) == 1


def settled(desk: Desk) -> list[str]:
    """Waits until everything that was handed in has been adjudicated."""
    answers: list[str] = []
    while desk.pending:
        answers += desk.settle()
        time.sleep(0.02)
    return answers
