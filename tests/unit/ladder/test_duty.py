"""One process of several looks after the ladders, and one that lost the lease without noticing cannot write."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, insert, update

from polemos.ladder import quotas
from polemos.ladder.clock import writing
from polemos.ladder.duty import Duty, OffDuty
from polemos.ladder.rater import Rater
from polemos.server.store import ladder as db
from polemos.server.store import schema
from unit.ladder.small import Small, result_of


def run_out(engine: Engine) -> None:
    with writing(engine) as connection:
        connection.execute(update(db.duty).values(expires=1.0))


def test_one_holds_it_until_it_runs_out_or_is_left(engine: Engine) -> None:
    one, other = Duty(engine), Duty(engine)
    assert one.hold()
    assert not other.hold()
    assert one.hold()  # renewed
    run_out(engine)
    assert other.hold()
    assert not one.hold()
    other.leave()
    assert one.hold()
    after_a_crash = Duty(engine, alone=True)
    assert after_a_crash.hold()
    assert not one.hold()


def test_whoever_lost_it_cannot_rate(engine: Engine) -> None:
    small = Small(engine)
    small.bot("Falcon")
    small.scheduler.look()
    small.play_all(lambda job: [1, 2])
    one, other = Duty(engine), Duty(engine)
    assert one.hold()
    late = Rater(engine, small.ladder.season, one.writing)
    run_out(engine)
    assert other.hold()
    with pytest.raises(OffDuty):
        late.look()
    assert not one.is_held
    assert Rater(engine, small.ladder.season, other.writing).look() > 0


def test_an_account_that_used_up_its_hour_gets_no_more_games(engine: Engine) -> None:
    small = Small(engine)
    greedy, modest = small.author("greedy"), small.author("modest")
    for name in ("one", "two", "three"):
        small.bot(name, greedy)
    small.bot("four", modest)
    with writing(engine) as connection:
        row = {"account_id": greedy, "what": quotas.WHAT, "most": 3}
        connection.execute(insert(schema.quotas).values(row))
    small.scheduler.look()
    for job in small.claim(6):
        small.commit(job, result_of([1, 2], f"{job.id:032x}"))
    with engine.connect() as connection:
        spent = quotas.Hourly()
        spent.look(connection, [small.ladder.season])
        played = quotas.games(connection, [small.ladder.season])
    assert played[greedy] >= 3
    assert spent.spent == {greedy}
