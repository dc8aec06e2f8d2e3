"""Games that a worker could not play: a machine that breaks everything harms nobody, and nothing waits for ever."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from sqlalchemy import func, select, update

from polemos.kernel.verdict import Verdict
from polemos.ladder import leases
from polemos.ladder.clock import now, writing
from polemos.ladder.jobs import Job
from polemos.ladder.losses import DOUBT, MAX_AT_ALL, MAX_LOST, TELL
from polemos.server.store import ladder as db
from unit.ladder.small import Small, result_of

OUTDATED = "this worker has edition 3 of Skerries, and the game needs edition 4"
NO_BOX = str(Verdict("box", "bwrap: setting up uid map: Permission denied"))
NOT_STARTED = str(Verdict("start", "not ready within 5 s"))


@pytest.fixture
def two(small: Small) -> Small:
    """Two bots of authors, and the games that wait for them."""
    small.bot("Falcon")
    small.bot("Heron")
    assert small.scheduler.look() > 0
    return small


def played(small: Small, *jobs: Job, worker: int | None = None) -> None:
    for job in jobs:
        assert small.commit(job, result_of([1, 2], f"{job.id:032x}"), worker) == "counted"


def causes(small: Small) -> dict[str, int]:
    of = db.games.c
    return dict(small.rows(select(of.cause, func.count()).where(of.state == "done").group_by(of.cause)))


def paused(small: Small) -> list[Any]:
    return small.rows(select(db.bots.c.name).where(db.bots.c.state == "paused"))


def worker_of(small: Small, id: int) -> Any:
    return small.one(select(db.workers).where(db.workers.c.id == id))


# ---- a machine that breaks everything


@pytest.mark.parametrize("waits", [True, False])
def test_an_outdated_worker_that_asks_all_the_time_costs_no_game_and_no_bot(small: Small, waits: bool) -> None:
    """Even without its waiting: what it lost goes to the other."""
    for number in range(5):
        small.bot(f"bot {number}")
    bad = small.another_worker("outdated")
    for step in range(60):
        if small.states().get("waiting", 0) < 6:
            small.scheduler.look()
        if step % 30 == 29:
            while jobs := small.claim(4):
                played(small, *jobs)
        else:
            small.lose(*small.claim(4, worker=bad), why=OUTDATED, worker=bad)
            if not waits:
                small.let_pass()
    assert causes(small).keys() == {"played"}
    assert paused(small) == []
    row = worker_of(small, bad)
    assert row.breaks >= DOUBT
    assert (row.broken <= 8 * DOUBT) == waits  # it waits for seconds, and the test may take some


def test_a_worker_that_breaks_one_game_after_the_other_waits_longer_and_longer(two: Small) -> None:
    bad = two.another_worker()
    waited = []
    for _ in range(DOUBT + 3):
        (job,) = two.claim(worker=bad)
        two.lose(job, worker=bad)
        with two.engine.connect() as connection:
            left = connection.execute(select(db.workers.c.waits - now()).where(db.workers.c.id == bad)).scalar()
        waited.append(0 if left is None else round(left))
        if left is not None:
            assert two.claim(worker=bad) == []
            two.let_pass()
    assert waited == [0, 0, 5, 10, 20, 40]
    (job,) = two.claim(worker=bad)
    played(two, job, worker=bad)
    assert (worker_of(two, bad).breaks, worker_of(two, bad).waits) == (0, None)
    two.lose(*two.claim(worker=bad), worker=bad)
    assert worker_of(two, bad).waits is None, "one game is nothing"


def test_operators_are_told_once(two: Small) -> None:
    bad = two.another_worker("oak")
    for _ in range(TELL + 2):
        two.scheduler.look()
        two.lose(*two.claim(worker=bad), worker=bad)
        two.let_pass()
        played(two, *two.claim(4))
    ((account, text),) = two.rows(select(db.notices.c.account_id, db.notices.c.text))
    assert account is None
    assert text.startswith(f"The worker oak could not play {TELL} games in a row. The last time: no box.")


def test_a_worker_that_an_operator_lets_in_again_does_not_wait(two: Small) -> None:
    for _ in range(DOUBT):
        two.lose(*two.claim())
    assert two.claim() == []
    with writing(two.engine) as connection:
        connection.execute(leases.letting_in(two.worker))
    assert two.claim() != []


def test_a_process_that_dies_with_many_games_breaks_once(two: Small) -> None:
    two.lose(*two.claim(6), died=True)
    row = worker_of(two, two.worker)
    assert (row.broken, row.breaks, row.waits) == (6, 1, None)


# ---- who gets it next


def test_a_lost_game_goes_to_another_first(two: Small) -> None:
    other = two.another_worker()
    (job,) = two.claim()
    two.lose(job)
    two.let_pass()
    assert job.id not in {one.id for one in two.claim(50)}
    (again,) = two.claim(worker=other)
    assert again.id == job.id
    two.lose(again, worker=other)  # both have lost it: now it may be the game
    two.let_pass()
    (again,) = two.claim()
    assert again.id == job.id


@pytest.mark.parametrize("why", ["gone", "aside", "in doubt"])
def test_nobody_waits_for_a_worker_that_will_not_come(two: Small, why: str) -> None:
    other = two.another_worker()
    away: dict[str, Any] = {
        "gone": {"seen": now() - 3600},
        "aside": {"state": "aside"},
        "in doubt": {"breaks": DOUBT},
    }
    with writing(two.engine) as connection:
        connection.execute(update(db.workers).where(db.workers.c.id == other).values(away[why]))
    (job,) = two.claim()
    two.lose(job)
    two.let_pass()
    (again,) = two.claim()
    assert again.id == job.id


def test_a_worker_in_the_middle_of_a_long_game_is_there(two: Small) -> None:
    other = two.another_worker()
    assert two.claim(worker=other) != []
    with writing(two.engine) as connection:
        connection.execute(update(db.workers).where(db.workers.c.id == other).values(seen=now() - 3600))
    (job,) = two.claim()
    two.lose(job)
    two.let_pass()
    assert job.id not in {one.id for one in two.claim(50)}


# ---- one worker alone


def test_a_game_that_kills_the_only_worker_is_given_up_and_others_are_played_meanwhile(two: Small) -> None:
    (deadly,) = two.claim()
    job, others, tries = deadly, 0, 1
    while not two.lose(job, why="its process was killed", died=True):
        for other in two.claim(3):  # at once: the deadly one has to wait
            assert other.id != deadly.id
            played(two, other)
            others += 1
        two.scheduler.look()
        two.let_pass()
        (job,) = two.claim(3)
        assert job.id == deadly.id
        tries += 1
    assert (tries, others > 20) == (MAX_LOST, True)
    row = two.one(select(db.games).where(db.games.c.id == deadly.id))
    assert (row.state, row.cause, row.reason) == ("done", "broken", "it could not be played: its process was killed")
    assert paused(two) == []


def test_a_machine_that_can_not_play_at_all_blames_no_bot(small: Small) -> None:
    """It is the only one, and games without programs are played there: it lacks the box."""
    for number in range(3):
        small.bot(f"bot {number}")
    for _ in range(60):
        small.scheduler.look()
        with writing(small.engine) as connection:  # to be quicker
            connection.execute(update(db.games).where(db.games.c.lost > 0).values(lost=MAX_LOST - 1))
        for job in small.claim(4):
            if all(player.builtin for player in job.players):
                played(small, job)
            else:
                small.lose(job, why="it needs the box")
        small.let_pass()
        if causes(small).get("broken", 0) >= 12:
            break
    assert causes(small)["broken"] >= 12
    assert paused(small) == []


def test_a_game_that_the_server_itself_can_not_judge_is_given_up_too(two: Small) -> None:
    two.another_worker()
    (job,) = two.claim()
    for number in range(MAX_LOST):
        with writing(two.engine) as connection:
            given_up = leases.lose(connection, [leases.Held(job.id, job.lease)], "not adjudicated again")
        assert given_up == ([job.id] if number == MAX_LOST - 1 else [])
        if not given_up:
            (job,) = two.claim()


def test_a_game_is_given_up_at_last_even_if_new_workers_come_all_the_time(two: Small) -> None:
    (job,) = two.claim()
    for number in range(MAX_AT_ALL):
        another = two.another_worker(f"worker {number + 1}")
        worker = two.worker if number == 0 else two.another_worker(f"worker {number}")
        given_up = two.lose(job, worker=worker, died=True)
        assert bool(given_up) == (number == MAX_AT_ALL - 1)
        if not given_up:
            two.let_pass()
            (job,) = two.claim(worker=another)


# ---- bots that did not start


def test_a_box_that_fails_is_never_a_result(two: Small) -> None:
    answers: Counter[str] = Counter()
    for _ in range(40):
        two.scheduler.look()
        for job in two.claim(2):
            faults = [None if player.builtin else NO_BOX for player in job.players]
            ranks = [1 if fault is None else 2 for fault in faults] if None in faults else [1, 1]
            answers[two.commit(job, result_of(ranks, f"{job.id:032x}", faults))] += 1
        two.let_pass()
    assert answers["unstarted"] >= MAX_LOST
    assert two.rows(select(db.seats.c.game_id).where(db.seats.c.fault.is_not(None))) == []
    assert paused(two) == []


def test_a_bot_that_does_not_start_is_tried_on_another_machine(two: Small) -> None:
    other = two.another_worker()
    failed = result_of((2, 1), "a" * 32, (NOT_STARTED, None))
    (job,) = two.claim()
    assert two.commit(job, failed) == "unstarted"
    two.let_pass()
    (again,) = two.claim(worker=other)
    assert again.id == job.id
    assert two.commit(again, failed, other) == "counted"
    assert two.rows(select(db.losses)) == []
    assert worker_of(two, two.worker).breaks == 0


def test_two_machines_on_which_different_bots_do_not_start_agree_on_nothing(two: Small) -> None:
    other = two.another_worker()
    (job,) = two.claim()
    assert two.commit(job, result_of((2, 1), "a" * 32, (NOT_STARTED, None))) == "unstarted"
    (again,) = two.claim(worker=other)
    assert two.commit(again, result_of((1, 2), "a" * 32, (None, NOT_STARTED)), other) == "unstarted"


def test_the_same_machine_does_not_count_twice_if_another_came_meanwhile(two: Small) -> None:
    failed = result_of((2, 1), "a" * 32, (NOT_STARTED, None))
    (job,) = two.claim()
    assert two.commit(job, failed) == "unstarted"
    two.let_pass()
    (again,) = two.claim()
    other = two.another_worker()
    assert two.commit(again, failed) == "unstarted"
    (last,) = two.claim(worker=other)
    played(two, last, worker=other)
