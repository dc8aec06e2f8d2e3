"""Failures under rules that a bot was not made for. They cost it its place there, and nothing else.

Authors upload a bot for a game, and it is put on the ladders of all its rule sets. A bot that knows only the usual
rules must not be paused because it fails under others, nor be excused for failing by games that went well there.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, insert, select

from polemos.kernel.tame import tame
from polemos.ladder import ladders
from polemos.ladder.clock import now
from polemos.ladder.jobs import Entry, Job
from polemos.server.store import ladder as db

_MAX_WHY = 200  # characters


def are_elsewhere(connection: Connection, job: Job, entries: Sequence[tuple[int, Entry]], most: int) -> bool:
    """Whether a game was one of another rule set. If so, bots that failed there too often in a row leave the ladder."""
    of, bots = db.ladders, db.bots
    which = select(db.games.c.ladder_id).where(db.games.c.id == job.id).scalar_subquery()
    ladder = connection.execute(select(of).where(of.c.id == which)).one()
    if ladder.circle or ladder.rules == ladders.USUAL:
        return False
    for version, entry in entries:
        if entry.fault is None or not _failed(connection, ladder.id, version, most):
            continue
        theirs = (bots.c.version_id == version, bots.c.builtin.is_(None))
        bot = connection.execute(select(bots).where(*theirs)).one_or_none()
        if bot is not None and ladders.take_off(connection, ladder.id, bot.id):
            text = f"{bot.name} has left the ladder {ladder.title}: it dropped out of {most} games there in a row. The"
            text += f" last time: {tame(entry.fault, _MAX_WHY)}. It plays on as before elsewhere. The next version that"
            text += " passes its trial plays there too."
            row = {"account_id": bot.account_id, "bot_id": bot.id, "kind": "left", "text": text, "game_id": job.id}
            connection.execute(insert(db.notices).values(at=now(), **row))
    return True


def _failed(connection: Connection, ladder: int, version: int, most: int) -> bool:
    """Whether a version dropped out of its last games on a ladder."""
    seats, games = db.seats, db.games
    last = connection.execute(
        select(seats.c.fault)
        .join_from(seats, games, games.c.id == seats.c.game_id)
        .where(seats.c.version_id == version, seats.c.done.is_not(None), games.c.ladder_id == ladder)
        .order_by(seats.c.game_id.desc())
        .limit(most)
    ).scalars()
    faults = last.all()
    return len(faults) == most and all(fault is not None for fault in faults)
