"""The ladders as operators see them: who plays, what waits, what is wrong. Read from the database alone."""

from __future__ import annotations

import hashlib
import time
from typing import Any

from sqlalchemy import Executable, func, insert, select

from polemos.ladder import queries
from polemos.ladder.clock import now
from polemos.ladder.ladders import CLOSED
from polemos.ladder.leases import DONE, LEASED, WAITING
from polemos.ladder.suspects import Record, suspects
from polemos.server.office.lists import Read
from polemos.server.store import ladder as db
from polemos.server.store.groups import groups
from polemos.wire.ladder import LadderHealth, LadderState, WorkerRow

_games, _workers, _ladders, _seasons = db.games, db.workers, db.ladders, db.seasons


def health(read: Read) -> LadderHealth:
    states = _states(read)
    current = select(_seasons.c.id).where(_seasons.c.phase != "over")
    return LadderHealth(
        on_duty=_on_duty(read),
        waiting=_number(read, select(func.count().label("n")).where(_games.c.state == WAITING)),
        leased=_number(read, select(func.count().label("n")).where(_games.c.state == LEASED)),
        a_minute=_number(read, queries.pace(current)) * 60 / queries.PACE,
        lost=_number(read, select(func.coalesce(func.sum(_games.c.lost), 0).label("n")).where(_games.c.state != DONE)),
        workers=tuple(_rows(read)),
        ladders=tuple(states),
    )


def _on_duty(read: Read) -> str:
    of = db.duty
    rows = read(select(of.c.holder).where(of.c.expires > now()))
    return rows[0]["holder"] if rows else ""


def _number(read: Read, statement: Executable) -> int:
    return int(read(statement)[0]["n"])


def _rows(read: Read) -> list[WorkerRow]:
    rows = read(select(_workers).order_by(_workers.c.name))
    leased = {
        row["worker_id"]: int(row["n"])
        for row in read(
            select(_games.c.worker_id, func.count().label("n"))
            .where(_games.c.state == LEASED)
            .group_by(_games.c.worker_id)
        )
    }
    parts = ("name", "seats", "failures", "games", "broken", "breaks")
    doubted = suspects([Record(*(row[part] for part in parts)) for row in rows])
    return [
        WorkerRow(
            id=row["id"],
            name=row["name"],
            state=row["state"],
            why=row["why"],
            remote=row["token"] is not None,
            places=row["places"],
            playing=leased.get(row["id"], 0),
            created=row["created"],
            seen=row["seen"],
            games=row["games"],
            seats=row["seats"],
            failures=row["failures"],
            broken=row["broken"],
            refused=row["refused"],
            suspect=row["name"] in doubted,
        )
        for row in rows
    ]


def _states(read: Read) -> list[LadderState]:
    waiting = {
        row["ladder_id"]: int(row["n"])
        for row in read(
            select(_games.c.ladder_id, func.count().label("n"))
            .where(_games.c.state == WAITING)
            .group_by(_games.c.ladder_id)
        )
    }
    entries, bots = db.entries, db.bots
    counts: dict[int, dict[str, int]] = {}
    for row in read(
        select(entries.c.ladder_id, bots.c.state, func.count().label("n"))
        .join_from(entries, bots, bots.c.id == entries.c.bot_id)
        .group_by(entries.c.ladder_id, bots.c.state)
    ):
        counts.setdefault(row["ladder_id"], {})[row["state"]] = int(row["n"])
    rows: list[Any] = list(
        read(
            select(_ladders, _seasons.c.phase, _seasons.c.number, db.fits.c.at, groups.c.name.label("group"))
            .join_from(_ladders, _seasons, _seasons.c.ladder_id == _ladders.c.id)
            .outerjoin(db.fits, db.fits.c.id == _seasons.c.fit_id)
            .outerjoin(groups, groups.c.id == _ladders.c.circle)
            .where(_seasons.c.phase != "over", _ladders.c.state != CLOSED)
            .order_by(_ladders.c.id)
        )
    )
    return [
        LadderState(
            id=row["id"],
            title=row["title"],
            game=row["game"],
            state=row["state"],
            phase=row["phase"],
            season=row["number"],
            bots=counts.get(row["id"], {}).get("active", 0),
            paused=counts.get(row["id"], {}).get("paused", 0),
            waiting=waiting.get(row["id"], 0),
            fitted=row["at"],
            group=row["group"] or "",
        )
        for row in rows
    ]


# ---- for deeds


def worker_called(read: Read, id: int) -> str | None:
    rows = read(select(_workers.c.name).where(_workers.c.id == id))
    return rows[0]["name"] if rows else None


def is_worker(read: Read, name: str) -> bool:
    return bool(read(select(_workers.c.id).where(_workers.c.name == name)))


def adding(name: str, secret: str) -> Executable:
    """The statement that adds a worker on another machine."""
    digest = digest_of(secret)
    return insert(_workers).values(name=name, state="active", created=time.time(), seen=0.0, token=digest)


def digest_of(secret: str) -> str:
    """What the database knows of a worker's token."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def bot_of(read: Read, id: int) -> tuple[str, int | None] | None:
    """The name and the author of a bot on the ladders that is not one of ours; None if there is none."""
    of = db.bots
    rows = read(
        select(of.c.name, of.c.account_id).where(of.c.id == id, of.c.state != "deleted", of.c.builtin.is_(None))
    )
    return (rows[0]["name"], rows[0]["account_id"]) if rows else None


def title_of(read: Read, ladder: int) -> str | None:
    rows = read(select(_ladders.c.title).where(_ladders.c.id == ladder))
    return rows[0]["title"] if rows else None
