"""Seasons end by themselves: versions are locked, a final is played, a fit over all games gives the ranks, and the next
season begins.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

from sqlalchemy import Connection, Engine, and_, func, select, update

from polemos.ladder import fits, leases
from polemos.ladder.clock import now, reading, time_of, writing
from polemos.ladder.ladders import Ladder, begin_season, lock, unlock
from polemos.ladder.leases import DONE
from polemos.ladder.scheduler import field_of, final_meetings
from polemos.server.store import ladder as db

Turn = Literal["final", "over"]
Fit = Callable[[Ladder], int | None]
_games = db.games


def look(engine: Engine, ladder: Ladder, fit: Fit | None = None) -> Turn | None:
    """Does what is due: begins the final, or ends the season. Returns what it did.

    `fit` makes the last fit of a season, which can take long, and returns its number.
    """
    if ladder.phase == "open":
        return _begin_final(engine, ladder)
    last = fit or partial(fits.fit, engine, everything=True)
    return _end(engine, ladder, last) if ladder.phase == "final" else None


def _begin_final(engine: Engine, ladder: Ladder) -> Turn | None:
    with reading(engine) as connection:
        if time_of(connection) < ladder.ends:
            return None
    with writing(engine) as connection:
        seasons = db.seasons
        begun = update(seasons).where(seasons.c.id == ladder.season, seasons.c.phase == "open").values(phase="final")
        if not connection.execute(begun).rowcount:
            return None  # another process was faster
        lock(connection, ladder.id)
        # Somebody has asked for challenges, so they are played all the same.
        ordinary = and_(_games.c.season_id == ladder.season, _games.c.stage == "season", leases.not_begun())
        leases.call_off(connection, ordinary, "its season is over")
    return "final"


def _end(engine: Engine, ladder: Ladder, fit: Fit) -> Turn | None:
    """The season is over when everybody has played the final. The last fit is its archive."""
    with reading(engine) as connection:
        if not _is_played(connection, ladder):
            return None
    number = fit(ladder)
    with writing(engine) as connection:
        seasons = db.seasons
        season = connection.execute(
            update(seasons)
            .where(seasons.c.id == ladder.season, seasons.c.phase == "final")
            .values(phase="over", ended=now(), fit_id=func.coalesce(number, seasons.c.fit_id))
            .returning(seasons.c.number)
        ).scalar()
        if season is None:
            return None
        if not ladder.circle:  # a group decides about its own lock
            unlock(connection, ladder.id)
        begin_season(connection, ladder.id, season + 1, ladder.season_seconds)
    return "over"


def _is_played(connection: Connection, ladder: Ladder) -> bool:
    # Others don't hold it up: people can ask for one unrated game after the other.
    counts = (_games.c.season_id == ladder.season, _games.c.state != DONE, _games.c.counts)
    if connection.execute(select(_games.c.id).where(*counts).limit(1)).first() is not None:
        return False
    field = field_of(connection, ladder)
    if len(field) < ladder.seats or all(one.is_ours for one in field):
        return True
    played = final_meetings(connection, ladder)
    return all(played[one.version] >= ladder.final_meetings for one in field)
