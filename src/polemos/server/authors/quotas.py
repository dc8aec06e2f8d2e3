"""How many bots an account can have, how often it can upload, and how many bytes it can store."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, and_, func, select
from sqlalchemy.sql import ColumnElement

from polemos.kernel.errors import PolemosError
from polemos.ladder import quotas as hourly
from polemos.ladder.clock import now
from polemos.ladder.quotas import lock as lock
from polemos.server.store import authors
from polemos.server.store import ladder as db
from polemos.uploads.refusals import size
from polemos.wire.authors import Quota

DAY: Final = 86400.0
MOST: Final = {"bots": 10, "uploads": 20, "storage": 256 << 20, "games": hourly.GAMES}
MAX_UNFINISHED: Final = 3  # uploads of an account that arrive, wait or are being tried
# What operators can set, in the table of their quotas.
SET: Final = {"bots": "own bots", "uploads": "uploads", "storage": "megabytes", "games": hourly.WHAT}

Most = Mapping[str, int]


class OverQuota(PolemosError):
    """Nothing more fits. `frees`: when it will, by itself."""

    word = "quota/used-up"

    def __init__(self, why: str, what: str, frees: float | None = None) -> None:
        super().__init__(why)
        self.what, self.frees = what, frees


def most_of(times: float, by_operators: Mapping[str, int]) -> dict[str, int]:
    """The quotas of an account: the usual ones, multiplied by a setting, or those that operators gave it."""
    found = {what: max(1, int(most * times)) for what, most in MOST.items()}
    for what, name in SET.items():
        if name in by_operators:
            found[what] = by_operators[name] << 20 if what == "storage" else by_operators[name]
    return found


def used(connection: Connection, account: int, most: Most) -> tuple[Quota, ...]:
    bots, uploads, storage = (
        count_bots(connection, account),
        _uploads(connection, account),
        _stored(connection, account),
    )
    frees = None
    if len(uploads) >= most["uploads"] > 0:
        frees = sorted(uploads)[len(uploads) - most["uploads"]] + DAY
    return (
        Quota("bots", bots, most["bots"]),
        Quota("uploads", len(uploads), most["uploads"], frees),
        Quota("storage", storage, most["storage"]),
    )


def lately(connection: Connection, account: int, most: Most) -> Quota:
    """The games of its bots in the last hour."""
    return Quota("games", hourly.games_of(connection, account), most["games"])


def count_bots(connection: Connection, account: int) -> int:
    of = db.bots
    return int(
        connection.execute(select(func.count()).where(of.c.account_id == account, of.c.state != "deleted")).scalar_one()
    )


def _uploads(connection: Connection, account: int) -> list[float]:
    """When each upload of the last day came. What we could not finish does not count."""
    of = authors.receptions
    return list(
        connection.execute(
            select(of.c.created).where(
                of.c.account_id == account, of.c.created > time.time() - DAY, of.c.end.not_in(("failed",))
            )
        ).scalars()
    )


def _stored(connection: Connection, account: int) -> int:
    """Bytes of the sources of all versions; the same files count once."""
    versions, bots = db.bot_versions, db.bots
    once = (
        select(versions.c.source, func.max(versions.c.size).label("size"))
        .join_from(versions, bots, bots.c.id == versions.c.bot_id)
        .where(bots.c.account_id == account, bots.c.state != "deleted", versions.c.source != "")
        .group_by(versions.c.source)
        .subquery()
    )
    return int(connection.execute(select(func.coalesce(func.sum(once.c.size), 0))).scalar_one())


def is_silent() -> ColumnElement[bool]:
    """Uploads of which nothing has arrived for long: whoever took them in is dead, too, or would have ended them."""
    of = authors.receptions
    return and_(of.c.state == "arriving", func.coalesce(of.c.expires, 0.0) < now())


def check_upload(connection: Connection, account: int, most: Most) -> None:
    """Raises OverQuota if this account can't send anything now. The account is locked."""
    of = authors.receptions
    unfinished = connection.execute(
        select(func.count()).where(of.c.account_id == account, of.c.state != "done", ~is_silent())
    ).scalar_one()
    if unfinished >= MAX_UNFINISHED:
        raise OverQuota(
            f"{unfinished} of your uploads are not finished yet. Wait for one of them, or cancel it.", "unfinished"
        )
    quotas = {quota.what: quota for quota in used(connection, account, most)}
    uploads, storage = quotas["uploads"], quotas["storage"]
    if uploads.used >= uploads.most:
        frees = uploads.frees
        at = "" if frees is None else f" The next one is possible at {time.strftime('%H:%M UTC', time.gmtime(frees))}."
        raise OverQuota(f"You have used all {uploads.most} uploads of the last 24 hours.{at}", "uploads", frees)
    if storage.used >= storage.most:
        raise OverQuota(
            f"Your versions have {size(storage.used)} of {size(storage.most)}. Delete a bot to make room, or wait: the "
            "files of versions that were refused are deleted after a week.",
            "storage",
        )


def check_bots(connection: Connection, account: int, most: Most) -> None:
    """Raises OverQuota if this account can't have another bot. The account is locked."""
    have = count_bots(connection, account)
    if have >= most["bots"]:
        raise OverQuota(
            f"You have {have} bots, as many as you can have. Delete one, or upload a version of it.", "bots"
        )
