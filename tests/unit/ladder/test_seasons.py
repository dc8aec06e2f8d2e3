"""Seasons end by themselves: locked versions, a final, shared ranks, an archive, and a new beginning."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, update

from polemos.ladder import bots, fits, season_pages, seasons
from polemos.ladder.challenges import challenge
from polemos.ladder.clock import now, writing
from polemos.ladder.engine import Ladders
from polemos.ladder.rater import Rater
from polemos.server.store import ladder as db
from unit.ladder.small import Small, by_strength

MEETINGS = 3


def over_time(small: Small) -> None:
    with writing(small.engine) as connection:
        connection.execute(update(db.seasons).values(ends=now() - 1))


def ladder_with_bots(engine: Engine) -> tuple[Small, dict[int, float]]:
    small = Small(engine, final_meetings=MEETINGS)
    for number in range(4):
        small.bot(f"bot {number}")
    strengths = {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}
    for _ in range(3):
        small.scheduler.look()
        small.play_all(by_strength(strengths))
        Rater(small.engine, small.ladder.season).look()
    return small, strengths


def test_the_last_fit_of_a_large_season_is_made_elsewhere_and_has_a_bound(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, strengths = ladder_with_bots(engine)
    over_time(small)
    fits.fit(engine, small.ladder)
    running = Ladders(engine, tmp_path)
    first, asked = small.ladder.season, []

    class Elsewhere:
        """The process that judges results."""

        def run(self, task: Callable[..., int], *given: Any) -> Future[int]:
            asked.append((task, given[1:]))
            done: Future[int] = Future()
            done.set_result(task(*given))
            return done

        def close(self) -> None:
            pass

    running.referee.close()
    monkeypatch.setattr(running, "referee", Elsewhere())
    monkeypatch.setattr(fits, "MANY", 1)  # games of a large season
    monkeypatch.setattr(fits, "MAX_LAST", 5)  # versions; there are more
    running.turn_seasons()
    assert (small.ladder.phase, asked) == ("final", [])
    while small.ladder.season == first:
        small.scheduler.look()
        small.play_all(by_strength(strengths))
        running.turn_seasons()
    running.stop()
    assert asked == [(fits.fit_at, (small.id, True))]
    fit = select(db.seasons.c.fit_id).where(db.seasons.c.id == first).scalar_subquery()
    rated = small.rows(select(db.fit_ratings.c.version_id).where(db.fit_ratings.c.fit_id == fit))
    assert len(strengths) > len(rated) == 5


def test_nothing_happens_before_the_end(engine: Engine) -> None:
    small, _ = ladder_with_bots(engine)
    assert seasons.look(engine, small.ladder) is None
    assert small.ladder.phase == "open"


def test_a_season_from_its_last_day_to_the_next(engine: Engine) -> None:
    small, strengths = ladder_with_bots(engine)
    first = small.ladder.season
    small.scheduler.look()
    over_time(small)
    assert seasons.look(engine, small.ladder) == "final"
    assert small.ladder.phase == "final"
    assert small.states().get("waiting", 0) == 0  # games of the season that were not begun are called off

    locked = dict(small.rows(select(db.entries.c.bot_id, db.entries.c.version_id)))
    bot = max(locked)
    new = small.upload(bot)
    late = small.bot("too late")  # for this season
    ((first_of_late,),) = small.rows(select(db.bots.c.version_id).where(db.bots.c.id == late))
    strengths |= {new: 99.0, first_of_late: 100.0}
    while seasons.look(engine, small.ladder) != "over":
        assert small.scheduler.look() > 0, "the final never ends"
        small.play_all(by_strength(strengths))
    of, seats = db.games.c, db.seats.c
    final = small.rows(
        select(seats.version_id, func.count(of.meeting.distinct()))
        .join_from(db.seats, db.games, of.id == seats.game_id)
        .where(of.stage == "final", of.cause == "played")
        .group_by(seats.version_id)
    )
    assert {version for version, _ in final} == set(locked.values())
    assert new not in dict(final)
    assert all(MEETINGS <= meetings <= MEETINGS + 3 for _, meetings in final)
    (why,) = small.rows(select(of.why).where(of.stage == "final").order_by(of.id).limit(1))[0]
    assert why == f"final, meeting 1 of {MEETINGS}"

    archive = small.one(select(db.seasons).where(db.seasons.c.id == first))
    assert archive.phase == "over"
    assert archive.ended is not None
    (games,) = small.one(select(db.fits.c.games).where(db.fits.c.id == archive.fit_id))
    (played,) = small.one(select(func.count()).where(of.season_id == first, of.cause == "played"))
    assert games == played
    fit = db.fit_ratings.c
    ranks = small.rows(
        select(fit.version_id, fit.rank_from, fit.rank_to).where(fit.fit_id == archive.fit_id, fit.listed)
    )
    assert {version for version, _, _ in ranks} == set(locked.values())

    now_on = small.ladder
    assert (now_on.phase, now_on.season != first) == ("open", True)
    assert small.rows(select(db.entries.c.version_id).where(db.entries.c.version_id.is_not(None))) == []
    assert small.scheduler.look() > 0
    (season,) = small.one(select(of.season_id).order_by(of.id.desc()).limit(1))
    assert season == now_on.season
    small.play_all(by_strength(strengths))
    Rater(engine, now_on.season).look()
    counts = small.rows(select(db.ratings.c.games).where(db.ratings.c.season_id == now_on.season))
    assert max(games for (games,) in counts) <= 16  # everybody begins anew


def test_nobody_wins_a_season_by_staying_away_from_its_final(engine: Engine) -> None:
    """The best bot is paused when the versions are locked, and resumed a moment later."""
    small, strengths = ladder_with_bots(engine)
    first = small.ladder.season
    for _ in range(5):
        small.scheduler.look()
        small.play_all(by_strength(strengths))
    best = max(bot for (bot,) in small.rows(select(db.bots.c.id)))
    with writing(engine) as connection:
        bots.pause(connection, best, "author", "")
    over_time(small)
    assert seasons.look(engine, small.ladder) == "final"
    locked = {version for (version,) in small.rows(select(db.entries.c.version_id)) if version is not None}
    with writing(engine) as connection:
        bots.resume(connection, best)
    while seasons.look(engine, small.ladder) != "over":
        assert small.scheduler.look() > 0, "the final never ends"
        small.play_all(by_strength(strengths))
    with engine.connect() as connection:
        page = season_pages.page(connection, small.id, 1, None)
    assert best not in {row.bot for row in page.rows}
    assert page.season.winners
    (fit,) = small.one(select(db.seasons.c.fit_id).where(db.seasons.c.id == first))
    of = db.fit_ratings.c
    assert {version for (version,) in small.rows(select(of.version_id).where(of.fit_id == fit, of.listed))} == locked


def test_challenges_outlive_the_season_and_only_those_that_count_hold_up_its_end(engine: Engine) -> None:
    """Somebody who asks for game after game must not be able to keep a season from ending."""
    small, strengths = ladder_with_bots(engine)
    first, of = small.ladder.season, db.games.c
    one, other = (id for (id,) in small.rows(select(db.bots.c.id).where(db.bots.c.builtin.is_(None)).limit(2)))

    def ask(counts: bool) -> int:
        with writing(engine) as connection:
            return challenge(connection, small.ladder, [one, other], "any", counts=counts, by="Rosalind")

    small.scheduler.look()
    rated = ask(True)
    over_time(small)
    assert seasons.look(engine, small.ladder) == "final"
    off = select(of.stage, of.reason).where(of.cause == "called off").distinct()
    assert small.rows(off) == [("season", "its season is over")]
    while small.scheduler.look():
        small.play_all(by_strength(strengths))
    unrated = ask(False)
    assert seasons.look(engine, small.ladder) == "over"
    state = select(of.state).where(of.season_id == first).distinct()
    assert small.rows(state.where(of.meeting == rated)) == [("done",)]
    assert small.rows(state.where(of.meeting == unrated)) == [("waiting",)]
    small.play_all(by_strength(strengths))
    assert small.rows(state) == [("done",)]
    assert small.rows(select(db.ratings).where(db.ratings.c.season_id == small.ladder.season)) == []


def test_a_final_begins_once(engine: Engine) -> None:
    """A process that was stopped for a while still believes that the season is open."""
    small = Small(engine, final_meetings=MEETINGS)
    over_time(small)
    believed = small.ladder
    assert [seasons.look(engine, small.ladder), seasons.look(engine, small.ladder)] == ["final", "over"]
    assert seasons.look(engine, believed) is None
    assert small.rows(select(db.seasons.c.phase).order_by(db.seasons.c.id)) == [("over",), ("open",)]


def test_a_ladder_without_bots_of_authors_begins_anew_without_a_final(engine: Engine) -> None:
    small = Small(engine, final_meetings=MEETINGS)
    over_time(small)
    assert [seasons.look(engine, small.ladder), seasons.look(engine, small.ladder)] == ["final", "over"]
    assert small.rows(select(db.seasons.c.number, db.seasons.c.phase).order_by(db.seasons.c.id)) == [
        (1, "over"),
        (2, "open"),
    ]


def test_the_locks_of_a_group_stay(engine: Engine) -> None:
    small = Small(engine, final_meetings=MEETINGS, circle="class-7b")
    over_time(small)
    seasons.look(engine, small.ladder)
    seasons.look(engine, small.ladder)
    assert small.rows(select(db.entries.c.version_id).where(db.entries.c.version_id.is_(None))) == []
