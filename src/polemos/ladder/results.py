"""Results in the database: each is counted in one transaction, with everything that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Final, Literal

from msgspec.structs import asdict
from sqlalchemy import Connection, and_, case, insert, select, update

from polemos.kernel.tame import tame
from polemos.kernel.verdict import Verdict, public
from polemos.ladder import bots as authors
from polemos.ladder import failures, leases, losses
from polemos.ladder.clock import now
from polemos.ladder.jobs import Entry, Job, Result
from polemos.ladder.leases import LEASED, Held
from polemos.ladder.upsert import add
from polemos.server.store import ladder as db

MAX_FAILED: Final = 3  # games in a row that a bot may drop out of
_MAX_WHY: Final = 200  # characters
_BEFORE: Final = ("box", "start")  # verdicts from before a game began
_games: Final = db.games

Answer = Literal["counted", "again", "late", "unstarted"]


def hold(connection: Connection, games: Iterable[int]) -> None:
    """Locks the bots of some games, always in the same order: several processes count results of the same bots."""
    theirs = select(db.seats.c.bot_id).where(db.seats.c.game_id.in_(games))
    held = select(db.bots.c.id).where(db.bots.c.id.in_(theirs)).order_by(db.bots.c.id)
    connection.execute(held.with_for_update(key_share=True)).all()


def commit(
    connection: Connection, job: Job, result: Result, *, replay: str | None, worker: int | None, seconds: float
) -> Answer:
    """Counts the result of a game, once.

    again      it was counted before, under the same lease
    late       the lease is over, and somebody else plays it or has played it
    unstarted  a bot did not start, which may be the worker's fault: the game is played once more before that counts
    """
    if _is_played_again(connection, job, result, worker):
        return "unstarted"
    row = connection.execute(
        update(_games)
        .where(_games.c.id == job.id, _games.c.lease == job.lease, _games.c.state == LEASED)
        .values(
            state="done",
            done=now(),
            expires=None,
            cause="played",
            worker_id=worker,
            ranks=",".join(str(entry.rank) for entry in result.entries),
            reason=tame(result.reason, _MAX_WHY),
            rule=result.rule,
            steps=result.steps,
            fingerprint=result.fingerprint,
            replay=replay,
            faulty=sum(bool(entry.fault or entry.strikes or entry.void_lines) for entry in result.entries),
            seconds=seconds,
            taken=case((_games.c.counts, 0), else_=1),
        )
        .returning(_games.c.season_id, _games.c.map, _games.c.counts, _games.c.done, _games.c.lost)
    ).one_or_none()
    if row is None:
        was = connection.execute(
            select(_games.c.state, _games.c.lease, _games.c.cause).where(_games.c.id == job.id)
        ).one_or_none()
        return "again" if was is not None and tuple(was) == ("done", job.lease, "played") else "late"
    if row.lost:
        losses.forget(connection, job.id)
    players = sorted(
        zip(job.players, range(len(job.players)), result.entries, strict=True), key=lambda of: of[0].version
    )
    for _, number, entry in players:
        connection.execute(
            update(db.seats)
            .where(db.seats.c.game_id == job.id, db.seats.c.entry == number)
            .values(**asdict(entry), done=row.done)
        )
    _tally(connection, row.season_id, row.map, [(player.version, entry) for player, _, entry in players], row.counts)
    _count_failures(connection, job, [(player.version, entry) for player, _, entry in players])
    if worker is not None:
        _credit(connection, worker, result)
    return "counted"


def _is_played_again(connection: Connection, job: Job, result: Result, worker: int | None) -> bool:
    """Puts the game back if a bot could not be put into the box, which never is its fault, or did not start, and
    nobody else has seen that yet.
    """
    held = Held(job.id, job.lease)
    kinds = [Verdict.read(entry.fault).kind if entry.fault else "" for entry in result.entries]
    unstarted = {number for number, kind in enumerate(kinds) if kind == "start"}
    in_a_box = "box" not in kinds
    if (in_a_box and not unstarted) or not leases.is_held(connection, held):
        return False
    if in_a_box and losses.unstarted_before(connection, job.id, worker, unstarted):
        return False
    why = next(public(entry.fault or "") for entry, kind in zip(result.entries, kinds, strict=True) if kind in _BEFORE)
    which = ",".join(str(number) for number in sorted(unstarted)) if in_a_box else ""
    given_up(connection, leases.lose(connection, [held], why, worker=worker, unstarted=which))
    return True


# ---- what follows from a result


def _tally(connection: Connection, season: int, map: str, entries: Sequence[tuple[int, Entry]], counts: bool) -> None:
    drawn = sum(entry.rank == 1 for _, entry in entries) > 1
    for version, entry in entries:
        added = {
            "games": 1,
            "wins": int(entry.rank == 1 and not drawn),
            "draws": int(entry.rank == 1 and drawn),
            "faults": int(entry.fault is not None),
            "strikes": entry.strikes,
            "void_lines": entry.void_lines,
            "cpu": entry.cpu,
        }
        add(connection, db.tallies, {"season_id": season, "version_id": version}, added)
    for (version, entry), (other, against) in permutations(entries, 2):
        if not counts or version == other:
            continue
        key = {"season_id": season, "version_id": version, "other_id": other, "map": map}
        wins, draws = int(entry.rank < against.rank), int(entry.rank == against.rank)
        add(connection, db.pairs, key, {"games": 1, "wins": wins, "draws": draws})


def _credit(connection: Connection, worker: int, result: Result) -> None:
    workers = db.workers
    connection.execute(
        update(workers)
        .where(workers.c.id == worker)
        .values(
            games=workers.c.games + 1,
            seats=workers.c.seats + len(result.entries),
            failures=workers.c.failures + sum(entry.fault is not None for entry in result.entries),
            seen=now(),
            **losses.PLAYS_AGAIN,
        )
    )


def _count_failures(connection: Connection, job: Job, entries: Sequence[tuple[int, Entry]]) -> None:
    """Counts the games in a row that a bot dropped out of; the third pauses it. Nobody could resume ours."""
    if failures.are_elsewhere(connection, job, entries, MAX_FAILED):
        return
    bots = db.bots
    for version, entry in entries:
        failed = bots.c.failed + 1 if entry.fault is not None else 0
        row = connection.execute(
            update(bots)
            .where(bots.c.version_id == version, bots.c.builtin.is_(None), bots.c.failed != failed)
            .values(failed=failed)
            .returning(bots.c.id, bots.c.failed)
        ).one_or_none()
        if row is not None and row.failed >= MAX_FAILED and entry.fault is not None:
            why = f"It dropped out of {row.failed} games in a row. The last time: {public(entry.fault)}."
            more = f"It dropped out of {row.failed} games in a row. The last time: {tame(entry.fault, _MAX_WHY)}."
            authors.pause(connection, row.id, "failures", why, told=more, game=job.id)


def given_up(connection: Connection, numbers: Iterable[int]) -> None:
    """Games that broke every worker. A bot is paused once it is the only one present in several of them in a row.

    Ours never are: nobody could resume them.
    """
    seats, bots = db.seats, db.bots
    for number in numbers:
        theirs = (
            select(bots.c.id)
            .join_from(seats, bots, bots.c.id == seats.c.bot_id)
            .where(seats.c.game_id == number, bots.c.builtin.is_(None))
        )
        for bot in connection.execute(theirs).scalars().all():
            last = connection.execute(
                select(_games.c.id, _games.c.cause)
                .join_from(seats, _games, _games.c.id == seats.c.game_id)
                .where(seats.c.bot_id == bot, _games.c.cause.in_(("played", "broken")))
                .order_by(seats.c.game_id.desc())
                .limit(MAX_FAILED)
            ).all()
            if len(last) < MAX_FAILED or any(row.cause != "broken" for row in last):
                continue
            there = [
                set(connection.execute(select(seats.c.bot_id).where(seats.c.game_id == row.id)).scalars())
                for row in last
            ]
            if set.intersection(*there) == {bot} and all(losses.blames_bots(connection, row.id) for row in last):
                why = f"The last {MAX_FAILED} games with it could not be played, and no other bot was in all of them."
                authors.pause(connection, bot, "failures", why, game=number)


# ---- results that do not hold


def refuse(connection: Connection, job: Job, worker: int, why: str) -> None:
    """A result that its replay contradicts: the worker is set aside, and the game is played by others."""
    workers = db.workers
    held = and_(_games.c.id == job.id, _games.c.lease == job.lease, _games.c.state == LEASED)
    connection.execute(leases.waiting_again(held))
    row = connection.execute(
        update(workers).where(workers.c.id == worker).values(refused=workers.c.refused + 1).returning(workers.c.name)
    ).one()
    leases.set_aside(connection, worker, f"Game {job.id}: {why}")
    text = f"The worker {row.name} was set aside. Game {job.id}: {tame(why, _MAX_WHY)} It is played again elsewhere;"
    text += " ratings do not change."
    connection.execute(
        insert(db.notices).values(account_id=None, bot_id=None, at=now(), kind="worker", text=text, game_id=job.id)
    )
