"""A ladder of a small game, with bots of authors that exist only in the database and results that are made up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from openskill.models import PlackettLuce
from sqlalchemy import Engine, Select, func, insert, select, update

from polemos.ladder import bots, ladders, leases, results
from polemos.ladder.bell import Bell
from polemos.ladder.clock import now, writing
from polemos.ladder.jobs import Entry, Job, Result
from polemos.ladder.ladders import Ladder, Map
from polemos.ladder.results import Answer
from polemos.ladder.scheduler import Scheduler
from polemos.server.store import ladder as db
from polemos.server.store import schema


def result_of(ranks: Sequence[int], course: str, faults: Sequence[str | None] = ()) -> Result:
    """A made-up result; the entries sit in order."""
    first = list(ranks).count(1)
    verdicts = list(faults) or [None] * len(ranks)
    entries = tuple(
        Entry(i, rank, (rank == 1) / first, verdicts[i], 0, 0, 0.25, 0.5, 0.125) for i, rank in enumerate(ranks)
    )
    return Result(entries, "made up", "1.1", 7, course)


class Small:
    """A ladder, and whatever tests do with it."""

    def __init__(
        self, engine: Engine, *, seats: int = 2, turns: int = 12, maps: Sequence[Map] = (), **how: Any
    ) -> None:
        self.engine = engine
        self.bell = Bell(engine)
        self.scheduler = Scheduler(engine, self.bell)
        with writing(engine) as connection:
            self.id = ladders.open_ladder(
                connection, "skerries", options={"seats": seats, "turns": turns}, maps=maps, **how
            )
            self.worker = leases.worker_of(connection, "tester")
        self.bell.close()

    @property
    def ladder(self) -> Ladder:
        with self.engine.connect() as connection:
            return ladders.one(connection, self.id)

    def author(self, name: str) -> int:
        with writing(self.engine) as connection:
            row = {"name": name, "folded": name, "looks": name, "password": "", "created": 0.0}
            made = insert(schema.accounts).values(row).returning(schema.accounts.c.id)
            return int(connection.execute(made).scalar_one())

    def bot(self, name: str, account: int | None = None) -> int:
        """A bot with a version that passed, on the ladder."""
        author = self.author(f"author of {name}") if account is None else account
        with writing(self.engine) as connection:
            bot = bots.add(connection, "skerries", name, author)
            bots.passed(connection, bots.add_version(connection, bot, f"{bot:032x}"))
            ladders.enter(connection, self.id, bot)
        return bot

    def upload(self, bot: int) -> int:
        """A new version that passed."""
        with writing(self.engine) as connection:
            version = bots.add_version(connection, bot, f"{bot + 1000:032x}")
            bots.passed(connection, version)
        return version

    # ---- games

    def claim(self, count: int = 1, worker: int | None = None, seconds: float = 60.0) -> list[Job]:
        with writing(self.engine) as connection:
            return leases.claim(connection, worker or self.worker, count, seconds)

    def commit(self, job: Job, result: Result, worker: int | None = None) -> Answer:
        with writing(self.engine) as connection:
            return results.commit(connection, job, result, replay=None, worker=worker or self.worker, seconds=0.5)

    def another_worker(self, name: str = "another") -> int:
        with writing(self.engine) as connection:
            return leases.worker_of(connection, name)

    def lose(self, *jobs: Job, why: str = "no box", worker: int | None = None, died: bool = False) -> list[int]:
        """A worker could not play some games."""
        held = [leases.Held(job.id, job.lease) for job in jobs]
        with writing(self.engine) as connection:
            given_up = leases.lose(connection, held, why, worker=worker or self.worker, died=died)
            results.given_up(connection, given_up)
            return given_up

    def let_pass(self) -> None:
        """All pauses of lost games and of workers are over."""
        with writing(self.engine) as connection:
            connection.execute(update(db.losses).values(again=now() - 1))
            connection.execute(update(db.workers).values(waits=None))

    def expire(self) -> list[int]:
        with writing(self.engine) as connection:
            given_up = leases.expire(connection)
            results.given_up(connection, given_up)
            return given_up

    def run_out(self, *jobs: Job) -> None:
        """Puts the end of leases into the past of the database's clock."""
        with writing(self.engine) as connection:
            for job in jobs:
                connection.execute(update(db.games).where(db.games.c.id == job.id).values(expires=now() - 1))

    def play_all(self, ranks: Any) -> int:
        """Claims and commits all that waits; `ranks` gives the ranks of a job."""
        count = 0
        while jobs := self.claim(50):
            for job in jobs:
                self.commit(job, result_of(ranks(job), f"{job.id:032x}"))
                count += 1
        return count

    def rows(self, statement: Select[Any]) -> list[Any]:
        with self.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(statement)]

    def one(self, statement: Select[Any]) -> Any:
        with self.engine.connect() as connection:
            return connection.execute(statement).one()

    def states(self) -> dict[str, int]:
        of = db.games.c.state
        return dict(self.rows(select(of, func.count()).group_by(of)))


def by_strength(strengths: dict[int, float]) -> Any:
    """Ranks by the strength of versions, none of which are equal."""

    def ranks(job: Job) -> list[int]:
        mine = [strengths[player.version] for player in job.players]
        return [1 + sum(other > one for other in mine) for one in mine]

    return ranks


# ---- ratings

Figures = dict[int, tuple[float, float, int]]


def live(small: Small) -> Figures:
    of = db.ratings.c
    return {version: tuple(rest) for version, *rest in small.rows(select(of.version_id, of.mu, of.sigma, of.games))}


def expected(small: Small) -> Figures:
    """openskill itself, over all games in order of their numbers; repeated games count once."""
    model = PlackettLuce()
    skills: Figures = {}
    seen = set()
    of = db.games.c
    rows = small.rows(
        select(of.seating, of.ranks, of.fingerprint).where(of.cause == "played", of.counts).order_by(of.id)
    )
    for seating, ranks, course in rows:
        if course in seen:
            continue
        seen.add(course)
        versions = [int(part) for part in seating.split(",")]
        before = [skills.get(version, (model.mu, model.sigma, 0)) for version in versions]
        rated = model.rate(
            [[model.rating(mu, sigma)] for mu, sigma, _ in before], ranks=[float(part) for part in ranks.split(",")]
        )
        for version, (new,), (_, _, games) in zip(versions, rated, before, strict=True):
            skills[version] = (new.mu, new.sigma, games + 1)
    return skills


def close(one: Figures, other: Figures) -> bool:
    return one.keys() == other.keys() and all(one[key] == pytest.approx(other[key]) for key in one)
