"""Personal tokens, for uploads from a terminal. A token is shown once; only its hash is stored."""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from polemos.kernel.errors import PolemosError
from polemos.server.accounts import Account
from polemos.server.store import authors, schema
from polemos.server.words import tidy
from polemos.wire.authors import CreatedToken, TokenRow

PREFIX: Final = "polemos_"  # so that people and scanners recognise one that was published by mistake
MAX_TOKENS: Final = 10  # of one account
USED: Final = 60.0  # seconds between two notes of its use
_FORM: Final = re.compile(r"polemos_[\w-]{43}", re.ASCII)
_of: Final = authors.tokens


class NoToken(PolemosError):
    """A token that doesn't exist, or not any more."""

    word = "token/unknown"


class TooManyTokens(PolemosError):
    word = "token/too-many"


def create(connection: Connection, account: int, name: str) -> CreatedToken:
    """A new token for an account."""
    have = connection.execute(select(func.count()).where(_of.c.account_id == account)).scalar_one()
    if have >= MAX_TOKENS:
        raise TooManyTokens(f"You have {have} tokens already. Revoke one that you don't use any more.")
    token = PREFIX + secrets.token_urlsafe(32)
    row = {"account_id": account, "hash": hash_of(token), "name": tidy(name, 40) or "token", "created": time.time()}
    id = int(connection.execute(insert(_of).values(row).returning(_of.c.id)).scalar_one())
    return CreatedToken(token, TokenRow(id, str(row["name"]), float(str(row["created"])), None))


def revoke(connection: Connection, account: int, token: int) -> None:
    gone = connection.execute(delete(_of).where(_of.c.id == token, _of.c.account_id == account))
    if not gone.rowcount:
        raise NoToken("You have no such token. It may have been revoked already.")


def revoke_all(connection: Connection, account: int) -> None:
    connection.execute(delete(_of).where(_of.c.account_id == account))


def listed(connection: Connection, account: int) -> tuple[TokenRow, ...]:
    rows = connection.execute(select(_of).where(_of.c.account_id == account).order_by(_of.c.id))
    return tuple(TokenRow(row.id, row.name, row.created, row.used) for row in rows)


def account_of(connection: Connection, token: str) -> Account:
    """Whose token this is; its use is noted, but not every time."""
    if not _FORM.fullmatch(token):
        raise NoToken("That isn't a personal token. Create one on the page of your bots.")
    found = connection.execute(
        select(_of.c.id, _of.c.used, schema.accounts.c.id.label("account"), schema.accounts.c.name)
        .join_from(_of, schema.accounts)
        .where(_of.c.hash == hash_of(token))
    ).one_or_none()
    if found is None:
        raise NoToken("This token doesn't exist, or has been revoked. Create one on the page of your bots.")
    if found.used is None or found.used < time.time() - USED:
        connection.execute(update(_of).where(_of.c.id == found.id).values(used=time.time()))
    return Account(found.account, found.name)


def hash_of(token: str) -> str:
    """They are long and random, so a plain hash can't be guessed."""
    return hashlib.sha256(token.encode()).hexdigest()
