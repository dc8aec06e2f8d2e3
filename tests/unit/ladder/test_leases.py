"""Leases: a game has one holder, a late result fails, and a result counts once, whatever happens to workers."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine, func, select, update

from polemos.ladder import bots, leases
from polemos.ladder.challenges import challenge
from polemos.ladder.clock import now, time_of, writing
from polemos.ladder.leases import Aside, Held
from polemos.ladder.lengths import longest
from polemos.ladder.losses import MAX_LOST
from polemos.ladder.results import MAX_FAILED
from polemos.server.store import ladder as db
from unit.ladder.small import Small, result_of

CRASH = "crash: ValueError: no bow"
NOT_STARTED = "start: not ready within 5 s"


@pytest.fixture
def two(small: Small) -> Small:
    """Two bots of authors, and the games that wait for them."""
    small.bot("Falcon")
    small.bot("Heron")
    assert small.scheduler.look() > 0
    return small


def game(small: Small, id: int) -> Any:
    return small.one(select(db.games).where(db.games.c.id == id))


# ---- one holder


def test_every_game_is_leased_to_one_worker(two: Small) -> None:
    waiting = two.states()["waiting"]
    first, second = two.claim(3), two.claim(100)
    assert len(first) == 3
    assert len(first) + len(second) == waiting
    assert not {job.id for job in first} & {job.id for job in second}
    assert two.claim(1) == []


def test_a_job_has_all_that_is_needed_to_play(two: Small) -> None:
    (job,) = two.claim()
    row = game(two, job.id)
    assert (job.game, job.seed, job.options) == ("skerries", row.seed, {"seats": 2, "turns": 12})
    assert ",".join(str(player.version) for player in job.players) == row.seating
    assert all((player.builtin is None) != (player.digest is None) for player in job.players)


def test_two_who_claim_at_once_do_not_wait_for_each_other(two: Small, kind: str) -> None:
    """PostgreSQL skips games that somebody is just leasing. SQLite has one writer at a time."""
    if kind == "sqlite":
        first, second = two.claim(2), two.claim(2)
    else:
        other = Small.__new__(Small)
        other.engine, other.worker = two.engine, two.worker
        with writing(two.engine) as connection:
            another = leases.worker_of(connection, "another")
        with two.engine.begin() as connection:
            first = leases.claim(connection, two.worker, 2)
            second = other.claim(2, another)  # while the first transaction is open
    assert len({job.id for job in [*first, *second]}) == 4


def test_leases_follow_the_clock_of_the_database(two: Small) -> None:
    (job,) = two.claim(seconds=60)
    with two.engine.connect() as connection:
        left = game(two, job.id).expires - time_of(connection)
    assert 50 < left <= 60


def test_renewing_makes_a_lease_last(two: Small) -> None:
    """That of one game, or those of all that a machine plays."""
    for count in (1, 2):
        jobs = two.claim(count)
        for job in jobs:
            two.run_out(job)
        with writing(two.engine) as connection:
            leases.renew(connection, [Held(job.id, job.lease) for job in jobs])
        assert two.expire() == []
        assert [game(two, job.id).state for job in jobs] == ["leased"] * count


def test_a_worker_that_only_renews_loses_the_game_in_the_end(two: Small) -> None:
    """A process that hangs must not hold up a season or a tournament for ever."""
    (job,) = two.claim()
    most = longest(job.budget, len(job.players))
    for past, state in ((most - 60, "leased"), (most + 1, "waiting")):
        with writing(two.engine) as connection:
            begun = update(db.games).where(db.games.c.id == job.id)
            connection.execute(begun.values(begun=now() - past, expires=now() - 1))
            leases.renew(connection, [Held(job.id, job.lease)])
        two.expire()
        assert game(two, job.id).state == state


# ---- late and repeated results


def test_an_expired_lease_is_given_to_the_next(two: Small) -> None:
    (job,) = two.claim()
    two.run_out(job)
    two.expire()
    row = game(two, job.id)
    assert (row.state, row.lost, row.worker_id) == ("waiting", 1, None)
    two.let_pass()
    (again,) = two.claim()
    assert (again.id, again.lease) == (job.id, job.lease + 1)


def test_a_late_commit_fails_on_its_number(two: Small) -> None:
    (job,) = two.claim()
    two.run_out(job)
    two.expire()
    two.let_pass()
    (again,) = two.claim()
    assert two.commit(job, result_of((1, 2), "a" * 32)) == "late"
    assert game(two, job.id).state == "leased"
    assert two.commit(again, result_of((2, 1), "b" * 32)) == "counted"
    assert two.commit(job, result_of((1, 2), "a" * 32)) == "late"
    row = game(two, job.id)
    assert (row.state, row.ranks, row.fingerprint) == ("done", "2,1", "b" * 32)


def test_a_result_that_is_reported_twice_counts_once(two: Small) -> None:
    (job,) = two.claim()
    answers = [two.commit(job, result_of((1, 2), "a" * 32)) for _ in range(3)]
    assert answers == ["counted", "again", "again"]
    tallies = dict(two.rows(select(db.tallies.c.version_id, db.tallies.c.games)))
    assert tallies == {player.version: 1 for player in job.players}
    assert two.one(select(db.workers.c.games, db.workers.c.seats)) == (1, 2)


def test_a_renewal_that_comes_late_changes_nothing(two: Small) -> None:
    (job,) = two.claim()
    two.run_out(job)
    two.expire()
    with writing(two.engine) as connection:
        leases.renew(connection, [Held(job.id, job.lease)])
    assert game(two, job.id).state == "waiting"


# ---- outcome and cause are kept apart


def test_a_game_that_a_worker_broke_is_played_again_and_blamed_on_nobody(two: Small) -> None:
    (job,) = two.claim()
    with writing(two.engine) as connection:
        assert leases.lose(connection, [Held(job.id, job.lease)], "the disk is full", worker=two.worker) == []
    row = game(two, job.id)
    assert (row.state, row.trouble, row.cause) == ("waiting", "the disk is full", "")
    assert two.rows(select(db.tallies)) == []
    assert two.one(select(func.sum(db.bots.c.failed))) == (0,)
    assert two.one(select(db.workers.c.broken)) == (1,)


def test_a_game_that_was_given_back_is_as_it_was(two: Small) -> None:
    (job,) = two.claim()
    with writing(two.engine) as connection:
        leases.give_back(connection, [Held(job.id, job.lease)])
    row = game(two, job.id)
    assert (row.state, row.lost) == ("waiting", 0)


def test_a_game_that_was_lost_is_leased_alone(two: Small) -> None:
    jobs = two.claim(4)
    two.run_out(*jobs)
    two.expire()
    two.let_pass()
    assert len(two.claim(4)) == 1


def test_a_game_that_keeps_breaking_workers_is_given_up(two: Small) -> None:
    (job,) = two.claim()
    given_up: list[int] = []
    for _ in range(MAX_LOST):
        assert game(two, job.id).state == "leased"
        two.run_out(job)
        given_up = two.expire()
        if given_up:
            break
        two.let_pass()
        (job,) = two.claim()
    assert given_up == [job.id]
    row = game(two, job.id)
    assert (row.state, row.cause, row.lost) == ("done", "broken", MAX_LOST)
    assert two.rows(select(db.tallies)) == []
    assert two.one(select(func.sum(db.bots.c.failed))) == (0,)


def test_a_bot_that_does_not_start_gets_a_second_try(two: Small) -> None:
    (job,) = two.claim()
    failed = result_of((2, 1), "a" * 32, (NOT_STARTED, None))
    assert two.commit(job, failed) == "unstarted"
    assert game(two, job.id).state == "waiting"
    assert two.rows(select(db.tallies)) == []
    assert job.id not in {other.id for other in two.claim()}, "it has not been a while"
    two.let_pass()
    (again,) = two.claim()
    assert again.id == job.id
    assert two.commit(again, failed) == "counted"
    faults = two.rows(select(db.seats.c.fault).where(db.seats.c.game_id == job.id).order_by(db.seats.c.entry))
    assert faults == [(NOT_STARTED,), (None,)]


# ---- bots that fail


def failing(small: Small, bot: int) -> None:
    """Plays games until the bot has dropped out of three in a row."""
    (version,) = small.one(select(db.bots.c.version_id).where(db.bots.c.id == bot))
    left = MAX_FAILED
    while left:
        for job in small.claim(50):
            mine = [player.version == version for player in job.players]
            ranks = [2 if it else 1 for it in mine] if any(mine) else [1, 2]
            faults = [CRASH if it and left else None for it in mine]
            left -= any(faults)
            small.commit(job, result_of(ranks, f"{job.id:032x}", faults))
        small.scheduler.look()


def test_three_failed_games_in_a_row_pause_a_bot_and_tell_its_author(small: Small) -> None:
    author = small.author("Rosalind")
    bot = small.bot("Moth", author)
    small.scheduler.look()
    failing(small, bot)
    row = small.one(select(db.bots).where(db.bots.c.id == bot))
    assert (row.state, row.paused_by) == ("paused", "failures")
    assert row.why == "It dropped out of 3 games in a row. The last time: crash."  # everyone can read it
    ((account, text),) = small.rows(select(db.notices.c.account_id, db.notices.c.text))
    assert account == author
    assert text.startswith(f"Moth is paused. It dropped out of 3 games in a row. The last time: {CRASH}.")
    off = (db.games.c.state == "waiting", leases.of_bot(bot), leases.not_begun())
    assert small.one(select(func.count()).where(*off)) == (0,)


def test_a_game_without_a_failure_begins_the_count_anew(two: Small) -> None:
    bot, version = two.one(select(db.bots.c.id, db.bots.c.version_id).where(db.bots.c.name == "Falcon"))
    course = [CRASH, CRASH, None, CRASH, CRASH]
    while course:
        for job in two.claim(50):
            faults = [course.pop(0) if player.version == version and course else None for player in job.players]
            two.commit(job, result_of((1, 2), f"{job.id:032x}", faults))
        two.scheduler.look()
    state, faults_so_far = two.one(
        select(db.bots.c.state, func.sum(db.tallies.c.faults))
        .join_from(db.bots, db.tallies, db.tallies.c.version_id == db.bots.c.version_id)
        .where(db.bots.c.id == bot)
        .group_by(db.bots.c.state)
    )
    assert (state, faults_so_far) == ("active", 4)


def test_a_new_version_gets_another_chance(small: Small) -> None:
    bot = small.bot("Moth")
    small.scheduler.look()
    failing(small, bot)
    version = small.upload(bot)
    row = small.one(select(db.bots).where(db.bots.c.id == bot))
    assert (row.state, row.failed, row.version_id) == ("active", 0, version)


def test_a_bot_paused_by_its_author_stays_paused(small: Small) -> None:
    bot = small.bot("Moth")
    with writing(small.engine) as connection:
        assert bots.pause(connection, bot, "author", "I am on holiday.")
        assert not bots.pause(connection, bot, "failures", "again")
    small.upload(bot)
    row = small.one(select(db.bots).where(db.bots.c.id == bot))
    assert (row.state, row.paused_by) == ("paused", "author")
    with writing(small.engine) as connection:
        bots.resume(connection, bot)
    assert small.one(select(db.bots.c.state).where(db.bots.c.id == bot)) == ("active",)


def test_a_bot_that_alone_breaks_games_is_paused(small: Small) -> None:
    """Three games with it in a row could not be played, and their only common bot is this one."""
    bot = small.bot("Moth")
    small.scheduler.look()
    while small.one(select(db.bots.c.state).where(db.bots.c.id == bot)) == ("active",):
        jobs = small.claim(50)
        assert jobs, "it was never paused"
        with small.engine.connect() as connection:
            mine = {job.id for job in jobs if connection.execute(
                select(db.seats.c.game_id).where(db.seats.c.game_id == job.id, db.seats.c.bot_id == bot)
            ).first()}  # fmt: skip
        for job in jobs:
            if job.id in mine:
                with writing(small.engine) as connection:
                    connection.execute(update(db.games).where(db.games.c.id == job.id).values(lost=MAX_LOST - 1))
                small.run_out(job)
            else:
                small.commit(job, result_of((1, 2), f"{job.id:032x}"))
        small.expire()
        small.scheduler.look()
    others = small.rows(select(db.bots.c.name).where(db.bots.c.state == "paused", db.bots.c.id != bot))
    assert others == []


def test_nobody_could_resume_ours_so_they_are_never_paused(small: Small) -> None:
    """Games of one of them against three bots of authors could not be played: it is the only one in all of them."""
    (ours,) = small.rows(select(db.bots.c.id).where(db.bots.c.builtin.is_not(None)).limit(1))[0]
    for name in ("Moth", "Gnat", "Fly"):
        bot = small.bot(name)
        with writing(small.engine) as connection:
            challenge(connection, small.ladder, [ours, bot], small.ladder.maps[0].name, counts=True, by="Ada")
    for job in small.claim(50):
        with writing(small.engine) as connection:
            connection.execute(update(db.games).where(db.games.c.id == job.id).values(lost=MAX_LOST - 1))
        small.run_out(job)
    assert len(small.expire()) == 6
    assert small.rows(select(db.bots.c.name).where(db.bots.c.state == "paused")) == []


# ---- workers


def test_a_worker_that_was_set_aside_gets_no_games(two: Small) -> None:
    (job,) = two.claim()
    with writing(two.engine) as connection:
        leases.set_aside(connection, two.worker, "its results did not hold")
    assert game(two, job.id).state == "waiting"
    with pytest.raises(Aside):
        two.claim()
    assert two.commit(job, result_of((1, 2), "a" * 32)) == "late"


def test_a_worker_is_known_by_its_name(engine: Engine) -> None:
    with writing(engine) as connection:
        first, other, again = (leases.worker_of(connection, name) for name in ("a", "b", "a"))
    assert first == again != other
