"""Leases: who plays which game until when, and results that count once.

A game is waiting, leased or done. A lease expires by the clock of the database and has a number; a result that names
another number than the last one comes too late, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Executable, and_, func, insert, literal_column, or_, select, true, tuple_, update
from sqlalchemy.sql import ColumnElement

from polemos import registry
from polemos.kernel.errors import PolemosError
from polemos.kernel.tame import tame
from polemos.ladder import losses
from polemos.ladder.clock import now
from polemos.ladder.jobs import Job, Player
from polemos.ladder.lengths import longest
from polemos.server.store import ladder as db
from polemos.wire.bot import Budget

LEASE: Final = 60.0  # seconds; whoever plays renews it in time
_MAX_TROUBLE: Final = 300  # characters
_NEAR: Final = 1000  # the games of a meeting are paired together: their numbers are not further apart

# Written into the statement, so that SQLite finds the index of just these rows.
WAITING: Final[ColumnElement[str]] = literal_column("'waiting'")
LEASED: Final[ColumnElement[str]] = literal_column("'leased'")
DONE: Final[ColumnElement[str]] = literal_column("'done'")
_games: Final = db.games


class Aside(PolemosError):
    """A worker that was set aside gets no games."""

    word = "ladder/aside"


class Held(Struct, frozen=True):
    """A lease."""

    id: int
    lease: int


# ---- workers


def worker_of(connection: Connection, name: str) -> int:
    """The number of a worker, known by its name."""
    workers = db.workers
    found = connection.execute(
        update(workers).where(workers.c.name == name).values(seen=now()).returning(workers.c.id)
    ).scalar()
    if found is None:
        row = {"name": name, "state": "active", "created": now(), "seen": now()}
        found = connection.execute(insert(workers).values(row).returning(workers.c.id)).scalar_one()
    return int(found)


def worker_with(connection: Connection, token: str) -> tuple[int, bool] | None:
    """The worker whose token has this digest, and whether it may play."""
    of = db.workers
    row = connection.execute(select(of.c.id, of.c.state).where(of.c.token == token)).one_or_none()
    return None if row is None else (int(row.id), row.state == "active")


def is_held(connection: Connection, held: Held) -> bool:
    """Whether a lease is still the last one, and not over."""
    return connection.execute(select(_games.c.id).where(_is_held(held))).first() is not None


def is_leased_to(connection: Connection, worker: int, held: Held) -> bool:
    mine = and_(_is_held(held), _games.c.worker_id == worker)
    return connection.execute(select(_games.c.id).where(mine)).first() is not None


def held_by(connection: Connection, worker: int) -> set[Held]:
    """All leases of a worker."""
    rows = connection.execute(
        select(_games.c.id, _games.c.lease).where(_games.c.state == LEASED, _games.c.worker_id == worker)
    )
    return {Held(*row) for row in rows}


def plays(connection: Connection, worker: int, digest: str) -> bool:
    """Whether a bot with these files is in a game that a worker has leased."""
    seats, versions = db.seats, db.bot_versions
    found = (
        select(_games.c.id)
        .join_from(_games, seats, seats.c.game_id == _games.c.id)
        .join(versions, versions.c.id == seats.c.version_id)
        .where(_games.c.state == LEASED, _games.c.worker_id == worker, versions.c.digest == digest)
        .limit(1)
    )
    return connection.execute(found).first() is not None


def setting_aside(worker: int, why: str) -> list[Executable]:
    """The statements after which a worker gets no more games, and others play those that it has."""
    return [
        update(db.workers).where(db.workers.c.id == worker).values(state="aside", why=tame(why, _MAX_TROUBLE)),
        waiting_again(and_(_games.c.state == LEASED, _games.c.worker_id == worker)),
    ]


def set_aside(connection: Connection, worker: int, why: str) -> None:
    for statement in setting_aside(worker, why):
        connection.execute(statement)


def letting_in(worker: int) -> Executable:
    """The statement after which a worker that was set aside gets games again."""
    return update(db.workers).where(db.workers.c.id == worker).values(state="active", why="", **losses.PLAYS_AGAIN)


# ---- taking games


def claim(
    connection: Connection, worker: int, count: int, seconds: float = LEASE, places: int | None = None
) -> list[Job]:
    """Leases up to `count` games; none to a worker that has to wait. A game that has cost a lease before is leased
    alone, in case it kills its worker, and to another than the one that lost it, if there is one.

    `places`: how many games the worker can play at a time, if it says so.
    """
    workers = db.workers
    said = {} if places is None else {"places": places}
    asks = connection.execute(
        update(workers)
        .where(workers.c.id == worker)
        .values(seen=now(), **said)
        .returning(workers.c.state, (workers.c.waits > now()).label("waits"))
    ).one_or_none()
    if asks is None or asks.state != "active":
        raise Aside("This worker was set aside: results that it sent did not hold. Ask the operator of the server.")
    if asks.waits:
        return []
    held = _lease(connection, worker, and_(_games.c.lost > 0, losses.may_take(worker)), 1, seconds)
    held = held or _lease(connection, worker, _games.c.lost == 0, count, seconds)
    return jobs(connection, held) if held else []


def _lease(connection: Connection, worker: int, which: ColumnElement[bool], count: int, seconds: float) -> list[Held]:
    # By name: PostgreSQL may run a plain subquery once for every row, and each time lock `count` others.
    next_ = (
        select(_games.c.id)
        .where(_games.c.state == WAITING, which)
        .order_by(_games.c.priority, _games.c.id)
        .limit(count)
        .with_for_update(skip_locked=True)  # SQLite has one writer at a time anyway
        .cte("chosen")
    )
    rows = connection.execute(
        update(_games)
        .where(_games.c.id.in_(select(next_.c.id)))
        .values(state="leased", lease=_games.c.lease + 1, begun=now(), expires=now() + seconds, worker_id=worker)
        .returning(_games.c.id, _games.c.lease)
    ).all()
    return sorted((Held(*row) for row in rows), key=lambda held: held.id)


def jobs(connection: Connection, held: Sequence[Held]) -> list[Job]:
    """The leased games with all that is needed to play them."""
    numbers = {one.id: one.lease for one in held}
    seats, bots, versions, ladders = db.seats, db.bots, db.bot_versions, db.ladders
    players: dict[int, list[Player]] = {id: [] for id in numbers}
    rows = connection.execute(
        select(
            seats.c.game_id,
            versions.c.id,
            bots.c.name,
            versions.c.number,
            versions.c.digest,
            bots.c.builtin,
            versions.c.dialect,
            versions.c.bid,
        )
        .join_from(seats, versions, versions.c.id == seats.c.version_id)
        .join(bots, bots.c.id == seats.c.bot_id)
        .where(seats.c.game_id.in_(numbers))
        .order_by(seats.c.game_id, seats.c.entry)
    )
    for game, version, name, number, digest, builtin, dialect, bid in rows:
        called = name if builtin is not None else f"{name} v{number}"
        players[game].append(Player(version, called, digest, builtin, dialect, bid))
    found = connection.execute(
        select(
            _games.c.id,
            ladders.c.game,
            _games.c.options,
            ladders.c.bids,
            _games.c.seed,
            _games.c.bot_seed,
            ladders.c.budget,
        )
        .join_from(_games, ladders, ladders.c.id == _games.c.ladder_id)
        .where(_games.c.id.in_(numbers))
        .order_by(_games.c.priority, _games.c.id)
    )
    return [
        Job(
            id=id,
            lease=numbers[id],
            game=game,
            edition=registry.load(game).edition,
            options=msgspec.json.decode(options),
            bids=bids,
            seed=seed,
            bot_seed=bot_seed,
            players=tuple(players[id]),
            budget=msgspec.json.decode(budget, type=Budget),
        )
        for id, game, options, bids, seed, bot_seed, budget in found
    ]


def renew(connection: Connection, held: Iterable[Held], seconds: float = LEASE) -> None:
    """Makes leases last longer, but not for longer than the game can take. One that somebody else has by now stays
    theirs.
    """
    theirs = {(one.id, one.lease) for one in held}
    if not theirs:
        return
    # By number, which is the key, and then by both: SQLite would read the whole table for pairs alone.
    mine = (_games.c.id.in_({id for id, _ in theirs}), tuple_(_games.c.id, _games.c.lease).in_(theirs))
    for most, ladders in _lengths(connection).items():
        still = (_games.c.state == LEASED, _games.c.ladder_id.in_(ladders), _games.c.begun > now() - most)
        connection.execute(update(_games).where(*mine, *still).values(expires=now() + seconds))


def _lengths(connection: Connection) -> dict[float, list[int]]:
    """How long games can take, and on which ladders. Few have limits of their own."""
    of = db.ladders
    found: dict[float, list[int]] = {}
    for id, seats, budget in connection.execute(select(of.c.id, of.c.seats, of.c.budget)):
        found.setdefault(longest(msgspec.json.decode(budget, type=Budget), seats), []).append(id)
    return found


# ---- games that end without a result


def give_back(connection: Connection, held: Iterable[Held]) -> None:
    """Games that were not begun, or whose worker was told to stop: somebody else plays them. Nothing is held against
    them.
    """
    for one in held:
        connection.execute(waiting_again(_is_held(one)))


def lose(
    connection: Connection,
    held: Iterable[Held],
    why: str,
    *,
    worker: int | None = None,
    died: bool = False,
    unstarted: str = "",
) -> list[int]:
    """Games that a worker broke or never started. Each is played again; one that keeps breaking workers is given up.

    Nobody is blamed, and nothing is rated. Returns the games that were given up. `worker`: who lost them, unless it was
    the server. `died`: along with a process. `unstarted`: the entries whose bots did not start, which may be their own
    fault.
    """
    given_up: list[int] = []
    count, first = 0, False
    for one in held:
        row = connection.execute(_lost(one, why)).one_or_none()
        if row is None:
            continue
        count += 1
        if worker is not None:
            first |= losses.note(connection, one.id, worker, died=died, unstarted=unstarted)
        if losses.is_hopeless(connection, one.id, row.lost, by_a_worker=worker is not None):
            connection.execute(_giving_up(one.id, why, worker))
            given_up.append(one.id)
    if worker is not None and count:
        losses.broke(connection, worker, count, first=first and not unstarted, why=tame(why, _MAX_TROUBLE))
    return given_up


def expire(connection: Connection) -> list[int]:
    """Ends the leases whose time is over; returns the games that are given up.

    Silence says little about a worker: whoever stopped it may have started it again long ago.
    """
    late = and_(_games.c.state == LEASED, _games.c.expires < now())
    found = select(_games.c.id, _games.c.lease, _games.c.worker_id).where(late).order_by(_games.c.id)
    given_up = []
    why = "no word from its worker"
    for id, lease, worker in connection.execute(found.with_for_update(skip_locked=True)).all():
        row = connection.execute(_lost(Held(id, lease), why)).one()
        if worker is not None:
            losses.note(connection, id, worker, died=True)
        if losses.is_hopeless(connection, id, row.lost, by_a_worker=worker is not None):
            connection.execute(_giving_up(id, why, worker))
            given_up.append(id)
    return given_up


def calling_off(which: ColumnElement[bool], why: str = "a bot in it no longer plays") -> Executable:
    """The statement for games that nobody will play, because a bot in them is paused or deleted, say."""
    return (
        update(_games)
        .where(_games.c.state == WAITING, which)
        .values(state="done", done=now(), cause="called off", reason=why, taken=1)
    )


def call_off(connection: Connection, which: ColumnElement[bool], *why: str) -> None:
    connection.execute(calling_off(which, *why))


def of_bot(bot: int, *, tournaments: bool = False) -> ColumnElement[bool]:
    """Unfinished games of a bot; those of tournaments, which are played by the locked versions, only on request."""
    seats = db.seats
    return and_(
        _games.c.state != DONE,
        true() if tournaments else _games.c.stage != "tournament",
        select(seats.c.game_id).where(seats.c.game_id == _games.c.id, seats.c.bot_id == bot).exists(),
    )


def not_begun() -> ColumnElement[bool]:
    """Games of meetings of which none was played or is being played: the others are finished, so that everybody has had
    every seat.
    """
    other = _games.alias("of_meeting")
    begun = select(other.c.id).where(
        other.c.id.between(_games.c.id - _NEAR, _games.c.id + _NEAR),
        other.c.season_id == _games.c.season_id,
        other.c.meeting == _games.c.meeting,
        or_(other.c.state == LEASED, other.c.cause == "played"),
    )
    return ~begun.correlate(_games).exists()


def _is_held(one: Held) -> ColumnElement[bool]:
    return and_(_games.c.id == one.id, _games.c.lease == one.lease, _games.c.state == LEASED)


def waiting_again(which: ColumnElement[bool]) -> Any:
    return update(_games).where(which).values(state="waiting", expires=None, worker_id=None)


def _lost(one: Held, why: str) -> Any:
    again = {"state": "waiting", "expires": None, "worker_id": None}
    trouble = tame(why, _MAX_TROUBLE)
    return (
        update(_games)
        .where(_is_held(one))
        .values(lost=_games.c.lost + 1, trouble=trouble, **again)
        .returning(_games.c.lost)
    )


def _giving_up(game: int, why: str, worker: int | None) -> Any:
    reason = f"it could not be played: {tame(why, _MAX_TROUBLE)}"
    ended = {"state": "done", "done": now(), "cause": "broken", "reason": reason, "taken": 1, "worker_id": worker}
    return update(_games).where(_games.c.id == game, _games.c.state == WAITING).values(ended)


# ---- figures


def leases_out(connection: Connection) -> int:
    return int(connection.execute(select(func.count()).where(_games.c.state == LEASED)).scalar_one())


def waiting(connection: Connection, ladder: int | None = None) -> int:
    """How many games wait to be played."""
    which = _games.c.state == WAITING
    return int(
        connection.execute(
            select(func.count()).where(which if ladder is None else and_(which, _games.c.ladder_id == ladder))
        ).scalar_one()
    )
