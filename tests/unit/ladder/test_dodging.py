"""Nobody chooses opponents: games that were paired are played, whatever an author does, and finals end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from sqlalchemy import Engine, func, select, update

from polemos.ladder import bots, ladders, seasons
from polemos.ladder.clock import now, writing
from polemos.ladder.scheduler import BROKEN_FINALS
from polemos.server.store import ladder as db
from unit.ladder.small import Small, by_strength, result_of

MEETINGS = 2
CRASH = "crash: ValueError: no bow"
_of, _seats = db.games.c, db.seats.c


def version_of(small: Small, bot: int) -> int:
    return int(small.one(select(db.bots.c.version_id).where(db.bots.c.id == bot))[0])


def go_back_to_the_same(small: Small, bot: int) -> None:
    version = version_of(small, bot)
    with writing(small.engine) as connection:
        bots.go_back(connection, bot, version)


def go_to_and_fro(small: Small, bot: int) -> None:
    version = version_of(small, bot)
    small.upload(bot)
    with writing(small.engine) as connection:
        bots.go_back(connection, bot, version)


def pause_and_resume(small: Small, bot: int) -> None:
    with writing(small.engine) as connection:
        bots.pause(connection, bot, "author", "")
        bots.resume(connection, bot)


def upload(small: Small, bot: int) -> None:
    small.upload(bot)


def pause(small: Small, bot: int) -> None:
    with writing(small.engine) as connection:
        bots.pause(connection, bot, "author", "")


DEEDS = [go_back_to_the_same, go_to_and_fro, pause_and_resume, upload, pause]


def all_versions(small: Small) -> dict[int, float]:
    return {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}


@pytest.mark.parametrize("deed", DEEDS)
def test_what_was_paired_is_played(small: Small, deed: Callable[[Small, int], None]) -> None:
    bot = small.bot("Falcon")
    small.bot("Heron")
    small.scheduler.look()
    before = small.states()["waiting"]
    played_by = small.rows(select(_seats.game_id, _seats.version_id).where(_seats.bot_id == bot))
    (first,) = small.claim()
    assert small.commit(first, result_of((1, 2), "a" * 32)) == "counted"
    deed(small, bot)
    assert small.states() == {"waiting": before - 1, "done": 1}
    small.play_all(by_strength(all_versions(small)))
    assert small.rows(select(_of.cause).distinct()) == [("played",)]
    assert small.rows(select(_seats.game_id, _seats.version_id).where(_seats.bot_id == bot)) == played_by


@pytest.mark.parametrize("deed", DEEDS)
def test_no_author_can_hold_up_a_final_or_stay_away_from_it(engine: Engine, deed: Callable[[Small, int], None]) -> None:
    small = Small(engine, final_meetings=MEETINGS)
    dodger, *_ = [small.bot(f"bot {number}") for number in range(3)]
    locked = version_of(small, dodger)
    with writing(engine) as connection:
        connection.execute(update(db.seasons).values(ends=now() - 1))
    assert seasons.look(engine, small.ladder) == "final"
    for _ in range(10):
        small.scheduler.look()
        deed(small, dodger)
        small.play_all(by_strength(all_versions(small)))
        if seasons.look(engine, small.ladder) == "over":
            break
    else:
        raise AssertionError("the final never ends")
    final = (_of.stage == "final", _of.cause == "played", _seats.bot_id == dodger)
    of_games = select(_seats.version_id, func.count(_of.meeting.distinct())).join_from(
        db.seats, db.games, _of.id == _seats.game_id
    )
    ((version, met),) = small.rows(of_games.where(*final).group_by(_seats.version_id))
    assert (version, met >= MEETINGS) == (locked, True)
    assert small.rows(select(_of.id).where(_of.stage == "final", _of.cause != "played")) == []


def test_a_bot_that_was_paused_before_the_final_is_not_in_it(engine: Engine) -> None:
    small = Small(engine, final_meetings=MEETINGS)
    away, *_ = [small.bot(f"bot {number}") for number in range(3)]
    pause(small, away)
    with writing(engine) as connection:
        connection.execute(update(db.seasons).values(ends=now() - 1))
    seasons.look(engine, small.ladder)
    with writing(engine) as connection:
        bots.resume(connection, away)
    while small.scheduler.look():
        small.play_all(by_strength(all_versions(small)))
    assert small.rows(select(_seats.game_id).where(_seats.bot_id == away)) == []
    assert seasons.look(engine, small.ladder) == "over"


def meetings(small: Small) -> dict[int, set[str]]:
    """What became of the games of each meeting."""
    found: dict[int, set[str]] = {}
    for meeting, state, cause in small.rows(select(_of.meeting, _of.state, _of.cause)):
        found.setdefault(meeting, set()).add(cause or state)
    return found


@pytest.mark.parametrize("how", ["deleted", "failures", "left", "season"])
def test_meetings_are_called_off_as_a_whole_or_not_at_all(small: Small, how: str) -> None:
    bot = small.bot("Falcon")
    small.bot("Heron")
    small.scheduler.look()
    by_meeting = Counter(meeting for (meeting,) in small.rows(select(_of.meeting)))
    (done,) = small.claim()
    assert small.commit(done, result_of((1, 2), "a" * 32)) == "counted"
    with writing(small.engine) as connection:
        if how == "deleted":
            bots.delete(connection, bot)
        elif how == "failures":
            bots.pause(connection, bot, "failures", "")
        elif how == "left":
            assert ladders.take_off(connection, small.id, bot)
        else:
            connection.execute(update(db.seasons).values(ends=now() - 1))
    if how == "season":
        assert seasons.look(small.engine, small.ladder) == "final"
    (begun,) = small.one(select(_of.meeting).where(_of.id == done.id))
    found = meetings(small)
    assert found.pop(begun) == {"played", "waiting"}
    assert set(by_meeting.values()) == {2}
    assert all(len(states) == 1 for states in found.values())
    assert {"called off"} in found.values()


def test_meetings_that_could_not_be_played_are_paired_again_but_not_for_ever(engine: Engine) -> None:
    small = Small(engine, final_meetings=1)
    small.bot("Falcon")
    small.bot("Heron")
    with writing(engine) as connection:
        connection.execute(update(db.seasons).values(ends=now() - 1))
    seasons.look(engine, small.ladder)
    rounds = 0
    while small.scheduler.look():
        assert seasons.look(engine, small.ladder) is None
        rounds += 1
        with writing(engine) as connection:
            broken = update(db.games).where(_of.state == "waiting")
            connection.execute(broken.values(state="done", cause="broken", taken=1, done=now()))
    assert rounds >= BROKEN_FINALS
    assert seasons.look(engine, small.ladder) == "over"
