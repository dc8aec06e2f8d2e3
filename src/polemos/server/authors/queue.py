"""The queue of uploads, in the database: who sent what, how it gets on, and which process takes it in.

An upload is arriving, waiting, leased or done. A lease expires by the clock of the database and has a number; a process
that has lost its lease can't change anything any more. Whoever shares the folder with the file can take it up.
"""

from __future__ import annotations

import time
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import Connection, Executable, and_, delete, func, insert, or_, select, update

from polemos.kernel.errors import PolemosError
from polemos.kernel.rooms import built_in
from polemos.kernel.tame import likeness, tame
from polemos.ladder import bots, ladders
from polemos.ladder.clock import now
from polemos.server import names, shelf
from polemos.server.authors import files, quotas
from polemos.server.authors.progress import Progress, pack, tail, unpack
from polemos.server.authors.quotas import Most, OverQuota
from polemos.server.store import authors
from polemos.server.store import ladder as db
from polemos.server.words import folded
from polemos.uploads.refusals import Refused
from polemos.wire.authors import UploadCard

LEASE: Final = 30.0  # seconds
ARRIVING: Final = 3 * files.SILENCE  # seconds without a byte after which an upload is forgotten, if we could not do so
MAX_FAILED: Final = 3  # leases that this machine may fail to use
PAUSE: Final = 20.0  # seconds until it is tried again
KEPT: Final = 90 * 86400.0  # seconds that logs are kept
REFUSED_KEPT: Final = 7 * 86400.0  # seconds that the files of a refused version are kept, and count
_MAX_WHY: Final = 400  # characters
_of: Final = authors.receptions


class NoSuchUpload(PolemosError):
    word = "upload/unknown"


class NoSuchBot(PolemosError):
    word = "bot/unknown"


class Held(Struct, frozen=True):
    """An upload that a process has leased."""

    id: int
    lease: int
    account: int
    called: str
    game: str | None
    name: str  # of the bot that it is a version of, if that was said
    progress: Progress


class Settled(Struct, frozen=True):
    """The bot that an upload is a version of."""

    bot: int
    name: str
    version: int  # the row


# ---- arriving


def announce(
    connection: Connection,
    account: int,
    place: str,
    called: str,
    game: str | None,
    bot: int | None,
    most: Most,
) -> int:
    """An upload whose file is about to arrive. Raises OverQuota."""
    quotas.lock(connection, account)
    quotas.check_upload(connection, account, most)
    if bot is not None:
        game = own(connection, account, bot).game
    row = {
        "account_id": account,
        "place": place,
        "called": tame(called, 200) or "bot",
        "game": game,
        "bot_id": bot,
        "created": time.time(),
        "state": "arriving",
        "expires": now() + ARRIVING,
    }
    return int(connection.execute(insert(_of).values(row).returning(_of.c.id)).scalar_one())


def arriving(connection: Connection, id: int) -> None:
    """Some more of its file has come."""
    more = update(_of).where(_of.c.id == id, _of.c.state == "arriving").values(expires=now() + ARRIVING)
    if not connection.execute(more).rowcount:
        raise NoSuchUpload("This upload was cancelled.")


def arrived(connection: Connection, id: int, size: int) -> None:
    """Its file is complete: from now on it waits for its turn."""
    done = connection.execute(
        update(_of).where(_of.c.id == id, _of.c.state == "arriving").values(state="waiting", size=size, expires=None)
    )
    if not done.rowcount:
        raise NoSuchUpload("This upload was cancelled.")


def forget(id: int) -> Executable:
    """Deletes an upload that never arrived."""
    return delete(_of).where(_of.c.id == id, _of.c.state == "arriving")


# ---- leases


def is_due(connection: Connection, place: str) -> bool:
    """Whether anything waits here, or was left by a process that died."""
    left = or_(_of.c.state == "waiting", and_(_of.c.state == "leased", _of.c.expires <= now()))
    due = select(_of.c.id).where(_of.c.place == place, _of.c.state != "done", left).limit(1)
    return connection.execute(due).scalar() is not None


def claim(connection: Connection, place: str) -> Held | None:
    """The next upload to take in: one at a time of each author, those of dead processes too."""
    busy = select(_of.c.account_id).where(_of.c.state == "leased", _of.c.expires > now())
    mine = and_(_of.c.place == place, _of.c.state != "done", _of.c.account_id.not_in(busy))
    ready = or_(
        and_(_of.c.state == "waiting", or_(_of.c.expires.is_(None), _of.c.expires <= now())),
        and_(_of.c.state == "leased", _of.c.expires <= now()),
    )
    # By name: PostgreSQL may run a plain subquery once for every row, and each time lock another.
    next_ = (
        select(_of.c.id).where(mine, ready).order_by(_of.c.id).limit(1).with_for_update(skip_locked=True).cte("chosen")
    )
    row = (
        connection.execute(
            update(_of)
            .where(_of.c.id.in_(select(next_.c.id)))
            .values(state="leased", lease=_of.c.lease + 1, expires=now() + LEASE, changes=_of.c.changes + 1)
            .returning(_of)
        )
        .mappings()
        .one_or_none()
    )
    if row is None:
        return None
    progress = unpack(row["progress"])
    progress.again = row["lease"] > 1
    name = ""
    if row["bot_id"] is not None:
        name = connection.execute(select(db.bots.c.name).where(db.bots.c.id == row["bot_id"])).scalar_one()
    return Held(row["id"], row["lease"], row["account_id"], row["called"], row["game"], name, progress)


def _holds(held: Held) -> Any:
    return and_(_of.c.id == held.id, _of.c.lease == held.lease, _of.c.state == "leased")


def write(connection: Connection, held: Held, progress: Progress | None) -> bool:
    """Stores the progress, if it has changed, and renews the lease. False if the lease is lost."""
    values: dict[str, Any] = {"expires": now() + LEASE}
    if progress is not None:
        values |= {"progress": pack(progress), "changes": _of.c.changes + 1}
    return bool(connection.execute(update(_of).where(_holds(held)).values(values)).rowcount)


def give_back(connection: Connection, held: Held) -> None:
    """Lets others take it up at once."""
    values = {"state": "waiting", "expires": None, "changes": _of.c.changes + 1}
    connection.execute(update(_of).where(_holds(held)).values(values))


def take_over(connection: Connection, place: str) -> None:
    """Frees what was left in a folder whose processes are all dead, without waiting for their leases to expire."""
    mine = _of.c.place == place
    connection.execute(delete(_of).where(mine, _of.c.state == "arriving"))
    values = {"state": "waiting", "expires": None, "changes": _of.c.changes + 1}
    connection.execute(update(_of).where(mine, _of.c.state == "leased").values(values))


def fail(connection: Connection, held: Held, progress: Progress, why: str) -> None:
    """This machine could not do it, which is nobody's fault. It is tried again, but not forever."""
    row = connection.execute(
        update(_of).where(_holds(held)).values(failed=_of.c.failed + 1).returning(_of.c.failed)
    ).one_or_none()
    if row is None:
        return
    if row.failed < MAX_FAILED:
        connection.execute(update(_of).where(_of.c.id == held.id).values(state="waiting", expires=now() + PAUSE))
        return
    progress.words = f"Polemos could not take it in, which is not your bot's fault: {tame(why, 300)}"
    _end(connection, held, progress, "failed")
    version = connection.execute(select(_of.c.version_id).where(_of.c.id == held.id)).scalar_one()
    if version is not None:
        bots.refused(connection, version, progress.words)


# ---- which bot it is


def settle(connection: Connection, held: Held, progress: Progress, most: Most, size: int = 0) -> Settled | None:
    """Finds or creates the bot and its version, now that the name is known. None if the lease is lost.

    `size`: bytes of its source. Raises Refused if there can't be such a bot.
    """
    if not write(connection, held, progress):
        return None
    quotas.lock(connection, held.account)
    row = connection.execute(select(_of.c.bot_id, _of.c.version_id).where(_of.c.id == held.id)).one()
    bot, name = _bot(connection, held, progress, row.bot_id, most)
    same = connection.execute(
        select(db.bot_versions.c.number).where(
            db.bot_versions.c.bot_id == bot,
            db.bot_versions.c.source == progress.digest,
            db.bot_versions.c.state == "passed",
        )
    ).scalar()
    if same is not None:
        raise Refused("recognised/same", f"These are the files of version {same} of {name}. Nothing has changed.")
    version = row.version_id
    if version is None:
        version = bots.add_version(connection, bot, None, language=progress.language)
        connection.execute(
            update(db.bot_versions).where(db.bot_versions.c.id == version).values(source=progress.digest, size=size)
        )
        connection.execute(update(_of).where(_of.c.id == held.id).values(bot_id=bot, version_id=version))
    return Settled(bot, name, version)


def _bot(connection: Connection, held: Held, progress: Progress, given: int | None, most: Most) -> tuple[int, str]:
    if given is not None:
        try:
            found = own(connection, held.account, given)
        except NoSuchBot:
            raise Refused("recognised/deleted", "The bot that this is a version of has been deleted.") from None
        return found.id, found.name
    found = named(connection, held.account, progress.name)
    if found is not None:
        if found.game != progress.game:
            raise Refused(
                "recognised/name",
                f"You have a bot called {found.name} in another game, {found.game}. Choose another name for this one.",
            )
        return found.id, found.name
    name = check_name(progress.name, progress.game)
    try:
        quotas.check_bots(connection, held.account, most)
    except OverQuota as error:
        raise Refused(error.word, error.why) from None
    return bots.add(connection, progress.game, name, held.account), name


def named(connection: Connection, account: int, name: str) -> Any:
    """The bot of this account that is called so, whatever the case of the letters; None if there is none."""
    theirs = select(db.bots).where(db.bots.c.account_id == account, db.bots.c.state != "deleted")
    wanted = folded(name)
    return next((row for row in connection.execute(theirs) if folded(row.name) == wanted), None)


def check_name(name: str, game: str) -> str:
    """A name that a bot of this game can have; raises Refused. On a ladder, ours are called by their names alone."""
    why = names.fault_in(name)
    if likeness(name) in map(likeness, built_in(shelf.load(game))):
        why = "One of our own bots has this name, or one that looks like it. Choose another."
    if why is not None:
        raise Refused("recognised/name", f"The bot can't be called {name!r}. {why}")
    return name


# ---- the end


def accept(connection: Connection, held: Held, progress: Progress, digest: str, size: int, bid: int | None) -> bool:
    """The version plays from now on. False if the lease is lost."""
    if not _end(connection, held, progress, "accepted"):
        return False
    row = connection.execute(select(_of.c.bot_id, _of.c.version_id).where(_of.c.id == held.id)).one()
    connection.execute(
        update(db.bot_versions).where(db.bot_versions.c.id == row.version_id).values(digest=digest, size=size)
    )
    bots.passed(connection, row.version_id, bid=bid)
    ladders.enter_all(connection, row.bot_id)
    return True


def refuse(connection: Connection, held: Held, progress: Progress, size: int = 0) -> bool:
    """`size`: bytes that are kept of it, if that is known by now."""
    if not _end(connection, held, progress, "refused"):
        return False
    version = connection.execute(select(_of.c.version_id).where(_of.c.id == held.id)).scalar_one()
    if version is not None:
        bots.refused(connection, version, progress.words)
        of = db.bot_versions
        connection.execute(update(of).where(of.c.id == version, of.c.size < size).values(size=size))
        _tell_author(connection, held, version, progress.words)
    return True


def _tell_author(connection: Connection, held: Held, version: int, why: str) -> None:
    """Whoever has closed the page of the upload finds out, too."""
    of, versions = db.bots, db.bot_versions
    row = connection.execute(
        select(of.c.id, of.c.name, versions.c.number)
        .join_from(versions, of, of.c.id == versions.c.bot_id)
        .where(versions.c.id == version)
    ).one()
    text = f"{row.name} v{row.number} was refused. {tame(why, _MAX_WHY)}"
    connection.execute(
        insert(db.notices).values(account_id=held.account, bot_id=row.id, at=now(), kind="refused", text=text)
    )


def _end(connection: Connection, held: Held, progress: Progress, how: str) -> bool:
    values = {
        "state": "done",
        "end": how,
        "ended": now(),
        "progress": pack(progress),
        "changes": _of.c.changes + 1,
    }
    return bool(connection.execute(update(_of).where(_holds(held)).values(values)).rowcount)


def cancel(connection: Connection, account: int, id: int) -> None:
    """Ends an upload of this account; whoever takes it in finds out by itself."""
    if not _cancel(connection, account, id):
        raise NoSuchUpload("You have no such upload that is still running.")


def _cancel(connection: Connection, account: int, id: int) -> bool:
    row = connection.execute(
        update(_of)
        .where(_of.c.id == id, _of.c.account_id == account, _of.c.state != "done")
        .values(state="done", end="cancelled", ended=now(), changes=_of.c.changes + 1)
        .returning(_of.c.version_id)
    ).one_or_none()
    if row is not None and row.version_id is not None:
        bots.refused(connection, row.version_id, "Its author cancelled it.")
    return row is not None


def cancel_all(connection: Connection, account: int, bot: int | None = None) -> None:
    """Ends all uploads of an account, or those that are versions of a bot."""
    mine = select(_of.c.id).where(_of.c.account_id == account, _of.c.state != "done")
    if bot is not None:
        mine = mine.where(_of.c.bot_id == bot)
    for upload in connection.execute(mine).scalars().all():
        _cancel(connection, account, upload)  # it may just have ended


def tidy(connection: Connection) -> None:
    """Forgets uploads that never arrived, logs that are old, and the source of versions refused a while ago."""
    connection.execute(delete(_of).where(quotas.is_silent()))
    old = and_(_of.c.state == "done", _of.c.created < time.time() - KEPT, _of.c.progress != b"")
    connection.execute(update(_of).where(old).values(progress=b""))
    of = db.bot_versions
    refused = and_(of.c.state == "refused", of.c.created < now() - REFUSED_KEPT, of.c.source != "")
    connection.execute(update(of).where(refused).values(source="", size=0))


# ---- reading


def own(connection: Connection, account: int, bot: int) -> Any:
    """A bot of this account; raises NoSuchBot."""
    found = connection.execute(
        select(db.bots).where(db.bots.c.id == bot, db.bots.c.account_id == account, db.bots.c.state != "deleted")
    ).one_or_none()
    if found is None:
        raise NoSuchBot("You have no such bot.")
    return found


def card(connection: Connection, account: int, id: int) -> UploadCard:
    found = cards(connection, account, _of.c.id == id)
    if not found:
        raise NoSuchUpload("You have no such upload.")
    return found[0]


def cards(connection: Connection, account: int, which: Any = None, limit: int = 1) -> list[UploadCard]:
    """Uploads of an account, the newest first."""
    versions, playing = db.bot_versions, db.bot_versions.alias("playing")
    statement = (
        select(_of, versions.c.number, db.bots.c.name, db.bots.c.state.label("kept"), playing.c.number.label("plays"))
        .outerjoin_from(_of, versions, versions.c.id == _of.c.version_id)
        .outerjoin(db.bots, db.bots.c.id == _of.c.bot_id)
        .outerjoin(playing, playing.c.id == db.bots.c.version_id)
        .where(_of.c.account_id == account)
        .order_by(_of.c.id.desc())
        .limit(limit)
    )
    if which is not None:
        statement = statement.where(which)
    found = []
    for row in connection.execute(statement).mappings():
        progress = unpack(row["progress"])
        ahead = 0
        if row["state"] == "waiting":
            before = (_of.c.place == row["place"], _of.c.state != "done", _of.c.id < row["id"])
            ahead = int(connection.execute(select(func.count()).where(*before)).scalar_one())
        running = {"leased": "running", "done": row["end"]}
        found.append(
            UploadCard(
                id=row["id"],
                change=row["changes"],
                state=running.get(row["state"], row["state"]),
                again=row["lease"] > 1 or (row["state"] == "waiting" and row["lease"] > 0),
                ahead=ahead,
                called=row["called"],
                size=row["size"],
                created=row["created"],
                ended=row["ended"],
                bot=row["bot_id"] if row["kept"] != "deleted" else None,
                name=row["name"] or progress.name,
                version=row["number"],
                game=row["game"] or progress.game or None,
                language=progress.language,
                steps=progress.listed(),
                build=tail(progress.build),
                log=tail(progress.log),
                board=progress.board,
                words=progress.words,
                refused=progress.refused,
                playing=row["plays"] if row["plays"] != row["number"] and row["kept"] != "deleted" else None,
            )
        )
    return found


def progress_of(connection: Connection, account: int, id: int) -> Progress:
    """All that is stored of an upload, with its whole logs."""
    raw = connection.execute(
        select(_of.c.progress).where(_of.c.id == id, _of.c.account_id == account)
    ).scalar_one_or_none()
    if raw is None:
        raise NoSuchUpload("You have no such upload.")
    return unpack(raw)


def change_of(connection: Connection, account: int, id: int) -> int | None:
    """The number of the last change of an upload; None once it is over, or if there is none."""
    which = (_of.c.id == id, _of.c.account_id == account, _of.c.state != "done")
    found: int | None = connection.execute(select(_of.c.changes).where(*which)).scalar()
    return found
