"""Games that workers could not play: who lost which, and when they may try again.

A machine without the box or with other rules loses every game at once and asks for the next. So a lost game goes to
another worker, if there is one that can be trusted, and a worker that breaks one game after the other waits longer and
longer. Nothing ends for good: the next game that it plays makes it like all others.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, and_, delete, insert, literal_column, or_, select, update
from sqlalchemy.sql import ColumnElement

from polemos.ladder.clock import now
from polemos.ladder.upsert import put
from polemos.server.store import ladder as db

MAX_LOST: Final = 12  # leases of a game that may end without a result; machines die, and that is nobody's fault
MAX_AT_ALL: Final = 2 * MAX_LOST  # even if there still is a worker that has not tried it
PAUSE: Final = 5.0  # seconds until a worker that lost a game gets it again; twice as many every time,
MAX_PAUSE: Final = 60.0  # up to this
PRESENT: Final = 120.0  # seconds since a worker asked for games, if it has none
DOUBT: Final = 3  # different games in a row that a worker broke: it may be at fault, and waits
MAX_ALONE: Final = 60.0  # seconds that it waits if nobody else plays,
MAX_WAIT: Final = 600.0  # and if others do
TELL: Final = 10  # games in a row after which operators are told
_games: Final = db.games
_workers: Final = db.workers
_losses: Final = db.losses


def others(worker: int | None, game: ColumnElement[int] | int | None = None) -> ColumnElement[bool]:
    """Whether another worker is there that can be trusted, and has not lost this game yet."""
    other, theirs, held = _workers.alias("other"), _losses.alias("theirs"), _games.alias("held")
    holds = select(held.c.id).where(held.c.state == literal_column("'leased'"), held.c.worker_id == other.c.id).exists()
    there = and_(other.c.state == "active", other.c.breaks < DOUBT, or_(other.c.seen > now() - PRESENT, holds))
    found = select(other.c.id).where(there)
    if worker is not None:
        found = found.where(other.c.id != worker)
    if game is not None:
        lost = select(theirs.c.game_id).where(theirs.c.game_id == game, theirs.c.worker_id == other.c.id)
        found = found.where(~lost.correlate(_games, other).exists())
    return found.correlate(_games).exists()


def may_take(worker: int) -> ColumnElement[bool]:
    """Which lost games a worker may have: not one that it lost itself a moment ago, or that another could play."""
    mine = (
        select(_losses.c.game_id)
        .where(_losses.c.game_id == _games.c.id, _losses.c.worker_id == worker)
        .where(or_(_losses.c.again > now(), others(worker, _games.c.id)))
    )
    return ~mine.correlate(_games).exists()


def note(connection: Connection, game: int, worker: int, *, died: bool = False, unstarted: str = "") -> bool:
    """Notes that a worker lost a game; returns whether it is the first time."""
    key = {"game_id": game, "worker_id": worker}
    of = and_(_losses.c.game_id == game, _losses.c.worker_id == worker)
    row = connection.execute(select(_losses.c.count, _losses.c.deaths).where(of)).one_or_none()
    count, deaths = (0, 0) if row is None else row
    pause = min(MAX_PAUSE, PAUSE * 2**count)
    values = {"count": count + 1, "deaths": deaths + int(died), "again": now() + pause, "unstarted": unstarted}
    if row is None:
        put(connection, _losses, key, values)
    else:
        connection.execute(update(_losses).where(of).values(values))
    return row is None


def is_hopeless(connection: Connection, game: int, lost: int, *, by_a_worker: bool) -> bool:
    """Whether a game that was lost so often is given up: nobody is left who might play it."""
    if lost < MAX_LOST:
        return False
    return not by_a_worker or lost >= MAX_AT_ALL or not connection.execute(select(others(None, game))).scalar()


def forget(connection: Connection, game: int) -> None:
    """The game was played after all."""
    connection.execute(delete(_losses).where(_losses.c.game_id == game))


# ---- bots


def unstarted_before(connection: Connection, game: int, worker: int | None, entries: set[int]) -> bool:
    """Whether these bots did not start in this game before: at another worker, or here, if there is no other."""
    rows = connection.execute(
        select(_losses.c.worker_id, _losses.c.unstarted).where(_losses.c.game_id == game, _losses.c.unstarted != "")
    ).all()
    saw = {by for by, text in rows if entries <= {int(part) for part in text.split(",")}}
    if saw - {worker}:
        return True
    return bool(saw) and not connection.execute(select(others(worker, game))).scalar()


def blames_bots(connection: Connection, game: int) -> bool:
    """Whether a game that was given up says anything about its bots.

    It does if it was lost on two machines, or killed what played it, and not only where everything is lost. What a
    single machine could not begin may be missing there.
    """
    rows = connection.execute(
        select(_losses.c.deaths, _workers.c.breaks)
        .join_from(_losses, _workers, _workers.c.id == _losses.c.worker_id)
        .where(_losses.c.game_id == game)
    ).all()
    sound = [row for row in rows if row.breaks < DOUBT]
    return bool(sound) and (len(rows) > 1 or any(row.deaths for row in sound))


# ---- workers


def broke(connection: Connection, worker: int, games: int, *, first: bool, why: str) -> None:
    """Counts the games that a worker broke. `first`: one of them for the first time, and it may be its fault."""
    row = connection.execute(
        update(_workers)
        .where(_workers.c.id == worker)
        .values(broken=_workers.c.broken + games, breaks=_workers.c.breaks + int(first))
        .returning(_workers.c.name, _workers.c.breaks, others(worker).label("others"))
    ).one_or_none()
    if row is None or not first or row.breaks < DOUBT:
        return
    most = MAX_WAIT if row.others else MAX_ALONE
    seconds = min(most, PAUSE * 2.0 ** min(row.breaks - DOUBT, 10))
    connection.execute(update(_workers).where(_workers.c.id == worker).values(waits=now() + seconds))
    if row.breaks == TELL:
        text = f"The worker {row.name} could not play {TELL} games in a row. The last time: {why}. Others get its"
        text += " games, and it waits longer and longer. `polemos doctor` on that machine may say what is missing."
        notice = {"account_id": None, "bot_id": None, "at": now(), "kind": "worker", "text": text}
        connection.execute(insert(db.notices).values(notice))


PLAYS_AGAIN: Final = {"breaks": 0, "waits": None}  # of a worker that has played a game, or was let in
