"""Bots of authors and their versions, which never change. The newest that passed plays, or one gone back to."""

from __future__ import annotations

from typing import Final, Literal

from sqlalchemy import Connection, Executable, and_, func, insert, select, update

from polemos.kernel.errors import PolemosError
from polemos.kernel.tame import tame
from polemos.ladder import leases
from polemos.ladder.clock import now
from polemos.server.store import ladder as db

PausedBy = Literal["author", "failures"]  # or an operator, see `stopping`
STOPPED: Final = "an operator paused a bot in it"
ABSENT: Final = 0.0  # the points of whoever could not come to a game of a tournament that was called off for that
_MAX_WHY: Final = 400  # characters
_bots: Final = db.bots
_versions: Final = db.bot_versions


class NoSuchVersion(PolemosError):
    word = "bot/no-version"


class NameTaken(PolemosError):
    word = "bot/name-taken"


def add(connection: Connection, game: str, name: str, account: int | None, *, builtin: str | None = None) -> int:
    """A new bot, without a version yet."""
    taken = select(_bots.c.id).where(_bots.c.account_id == account, _bots.c.name == name)
    if account is not None and connection.execute(taken).scalar() is not None:
        raise NameTaken(f"You already have a bot called {name}. Upload a new version of it, or choose another name.")
    row = {
        "account_id": account,
        "game": game,
        "name": name,
        "builtin": builtin,
        "created": now(),
        "changed": now(),
        "state": "active",
    }
    return int(connection.execute(insert(_bots).values(row).returning(_bots.c.id)).scalar_one())


def add_version(
    connection: Connection,
    bot: int,
    digest: str | None,
    *,
    dialect: str = "",
    language: str = "",
    bid: int | None = None,
) -> int:
    """A version that was received. It plays once it has passed its trial."""
    last = connection.execute(select(func.max(_versions.c.number)).where(_versions.c.bot_id == bot)).scalar()
    row = {
        "bot_id": bot,
        "number": (last or 0) + 1,
        "digest": digest,
        "dialect": dialect,
        "language": language,
        "state": "received",
        "bid": bid,
        "created": now(),
    }
    return int(connection.execute(insert(_versions).values(row).returning(_versions.c.id)).scalar_one())


def passed(connection: Connection, version: int, *, bid: int | None = None) -> None:
    """A version that passed its trial plays from now on. Games that were paired before are played by the one before:
    otherwise an author could choose opponents by uploading.
    """
    bot = connection.execute(
        update(_versions)
        .where(_versions.c.id == version)
        .values(state="passed", bid=func.coalesce(bid, _versions.c.bid))
        .returning(_versions.c.bot_id)
    ).scalar_one()
    _choose(connection, bot, version)


def refused(connection: Connection, version: int, why: str) -> None:
    """A version that failed its trial. The one before keeps playing."""
    connection.execute(
        update(_versions).where(_versions.c.id == version).values(state="refused", why=tame(why, _MAX_WHY))
    )


def go_back(connection: Connection, bot: int, version: int) -> None:
    """An earlier version plays again."""
    found = select(_versions.c.id).where(
        _versions.c.id == version, _versions.c.bot_id == bot, _versions.c.state == "passed"
    )
    if connection.execute(found).scalar() is None:
        raise NoSuchVersion("This bot has no such version that passed its trial.")
    _choose(connection, bot, version)


def _choose(connection: Connection, bot: int, version: int) -> None:
    """Makes a version the one that plays. One that was paused for its failures gets another chance."""
    was = connection.execute(select(_bots.c.version_id, _bots.c.paused_by).where(_bots.c.id == bot)).one()
    if was.version_id == version and was.paused_by != "failures":
        return
    fresh = {"state": "active", "paused_by": "", "why": ""} if was.paused_by == "failures" else {}
    connection.execute(
        update(_bots).where(_bots.c.id == bot).values(version_id=version, failed=0, changed=now(), **fresh)
    )


# ---- pausing


def pause(connection: Connection, bot: int, by: PausedBy, why: str, *, told: str = "", game: int | None = None) -> bool:
    """A bot that is not paired until it is resumed, and whose author is told. False if it did not play anyway.

    What its author has paused plays the games that it was paired for, and the final that it was locked for: nobody
    chooses opponents by pausing. Everyone can read `why`; `told` is for the author alone.
    """
    row = connection.execute(
        update(_bots)
        .where(_bots.c.id == bot, _bots.c.state == "active")
        .values(state="paused", paused_by=by, why=tame(why, _MAX_WHY), changed=now())
        .returning(_bots.c.account_id, _bots.c.name)
    ).one_or_none()
    if row is None:
        return False
    if by != "author":
        leases.call_off(connection, and_(leases.of_bot(bot), leases.not_begun()))
        text = f"{row.name} is paused. {tame(told or why, _MAX_WHY)}"
        text += " Upload a new version, or resume it on the page of your bots."
        connection.execute(
            insert(db.notices).values(
                account_id=row.account_id, bot_id=bot, at=now(), kind="paused", text=text, game_id=game
            )
        )
    return True


def stopping(bot: int, account: int | None, name: str, why: str) -> list[Executable]:
    """The statements by which an operator pauses a bot, whoever has paused it before, and tells its author.

    Only games that are being played are finished. Those of tournaments are won by the others.
    """
    seats, games, of_bot = db.seats, db.games, leases.of_bot(bot, tournaments=True)
    waiting = select(games.c.id).where(games.c.state == leases.WAITING, games.c.stage == "tournament", of_bot)
    text = f"An operator paused {name}. {tame(why, _MAX_WHY)} Until an operator resumes it, it plays no games."
    return [
        update(_bots)
        .where(_bots.c.id == bot, _bots.c.state != "deleted")
        .values(state="paused", paused_by="operator", why=tame(why, _MAX_WHY), changed=now()),
        update(seats).where(seats.c.bot_id == bot, seats.c.game_id.in_(waiting)).values(points=ABSENT),
        leases.calling_off(of_bot, STOPPED),
        insert(db.notices).values(account_id=account, bot_id=bot, at=now(), kind="paused", text=text),
    ]


def letting_play(bot: int) -> Executable:
    """The statement after which a bot that an operator paused plays again."""
    return (
        update(_bots)
        .where(_bots.c.id == bot, _bots.c.state == "paused", _bots.c.paused_by == "operator")
        .values(state="active", paused_by="", why="", failed=0, changed=now())
    )


def rename(connection: Connection, bot: int, name: str) -> None:
    """Another name; raises NameTaken if its author has another bot that is called so."""
    of = _bots.alias("of")
    account = select(of.c.account_id).where(of.c.id == bot).scalar_subquery()
    taken = select(_bots.c.id).where(_bots.c.account_id == account, _bots.c.name == name, _bots.c.id != bot)
    if connection.execute(taken).scalar() is not None:
        raise NameTaken(f"You already have a bot called {name}. Choose another name.")
    connection.execute(update(_bots).where(_bots.c.id == bot).values(name=name))


def resume(connection: Connection, bot: int) -> None:
    connection.execute(
        update(_bots)
        .where(_bots.c.id == bot, _bots.c.state == "paused")
        .values(state="active", paused_by="", why="", failed=0, changed=now())
    )


def delete(connection: Connection, bot: int) -> None:
    """A bot that is gone. Its games and those of its opponents stay, and its author can use the name again."""
    name = func.substr(_bots.c.name, 1, 20) + f" (deleted {bot})"  # no other name has brackets
    connection.execute(
        update(_bots)
        .where(_bots.c.id == bot, _bots.c.state != "deleted")
        .values(state="deleted", name=name, changed=now())
    )
    leases.call_off(connection, and_(leases.of_bot(bot), leases.not_begun()))
