"""Accounts and sessions: names, passwords, cookies. Nobody needs one to play."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import re
import secrets
import time
import unicodedata
from pathlib import Path
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct
from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from polemos.kernel.errors import PolemosError
from polemos.server.store import schema
from polemos.server.store.ledger import Ledger
from polemos.server.words import folded, scripts, tidy

LIFE: Final = 30 * 86400.0  # seconds that a session lasts
SHORTEST: Final = 8
LONGEST: Final = 200


class BadCredentials(PolemosError):
    word = "account/refused"


class Account(Struct, frozen=True):
    id: int
    name: str


class Accounts:
    """The accounts of a server."""

    def __init__(self, ledger: Ledger, folder: Path) -> None:
        self._ledger = ledger
        self._hasher = PasswordHasher()
        self._secret = _secret_in(folder)
        self._nobody = self._hasher.hash(
            secrets.token_hex(8)
        )  # checked for unknown names, so that they take as long as wrong passwords
        self._known: dict[str, tuple[Account, float]] = {}

    async def sign_up(self, name: str, password: str) -> Account:
        name = " ".join(unicodedata.normalize("NFC", name[:200]).split())
        if not 2 <= len(name) <= 30 or tidy(name, 30) != name or not all(c.isalnum() or c in " -_." for c in name):
            raise BadCredentials(
                "A name must have 2 to 30 characters: letters, digits, spaces, dots, dashes or underscores."
            )
        if len(scripts(name)) > 1:
            raise BadCredentials("Write the name in one script only: letters from two scripts can look alike.")
        if not SHORTEST <= len(password) <= LONGEST:
            raise BadCredentials(f"A password must have {SHORTEST} to {LONGEST} characters.")
        hashed = await asyncio.to_thread(self._hasher.hash, password)
        try:
            await self._ledger.write(
                insert(schema.accounts).values(name=name, folded=folded(name), password=hashed, created=time.time())
            )
        except IntegrityError:
            raise BadCredentials(f"The name {name} is taken.") from None
        found = await self._by_name(name)
        assert found is not None
        return found[0]

    async def sign_in(self, name: str, password: str) -> Account:
        found = await self._by_name(name)
        hashed = self._nobody if found is None else found[1]
        try:
            await asyncio.to_thread(self._hasher.verify, hashed, password[:LONGEST])
        except (VerificationError, InvalidHashError):
            found = None
        if found is None:
            raise BadCredentials("There is no account with this name and password.")
        return found[0]

    async def called(self, name: str) -> Account | None:
        """The account whose name looks like this one, if any."""
        found = await self._by_name(name)
        return None if found is None else found[0]

    async def _by_name(self, name: str) -> tuple[Account, str] | None:
        accounts, wanted = schema.accounts, folded(tidy(name, 80))
        rows = await self._ledger.fetch(select(accounts).where(accounts.c.folded == wanted))
        return (Account(rows[0]["id"], rows[0]["name"]), rows[0]["password"]) if rows else None

    # ---- sessions

    async def begin_session(self, account: Account, cookie: str) -> None:
        """Links a browser's cookie to an account. Expired sessions are deleted."""
        id, now = _hashed(cookie), time.time()
        await self._ledger.write(
            delete(schema.sessions).where(schema.sessions.c.created < now - LIFE),
            insert(schema.sessions).values(id=id, account_id=account.id, created=now),
        )
        self._known = {kept: (of, began) for kept, (of, began) in self._known.items() if began > now - LIFE}
        self._known[id] = (account, now)

    async def end_session(self, cookie: str) -> None:
        self._known.pop(_hashed(cookie), None)
        await self._ledger.write(delete(schema.sessions).where(schema.sessions.c.id == _hashed(cookie)))

    async def account_of(self, cookie: str | None) -> Account | None:
        if not cookie:
            return None
        id = _hashed(cookie)
        if id not in self._known:
            sessions, accounts = schema.sessions, schema.accounts
            rows = await self._ledger.fetch(
                select(accounts.c.id, accounts.c.name, sessions.c.created)
                .join_from(sessions, accounts)
                .where(sessions.c.id == id)
            )
            if not rows:
                return None
            self._known[id] = (Account(rows[0]["id"], rows[0]["name"]), rows[0]["created"])
        account, created = self._known[id]
        return account if time.time() - created < LIFE else None

    def sign(self, text: str) -> str:
        """A secret derived from a text, which only this server can compute."""
        return hmac.new(self._secret, text.encode(errors="replace"), hashlib.sha256).hexdigest()[:32]

    def csrf_of(self, cookie: str) -> str:
        """The CSRF token: our own pages know it, other sites cannot. Every change must include it."""
        return hmac.new(self._secret, cookie.encode(errors="replace"), hashlib.sha256).hexdigest()

    def is_csrf(self, cookie: str, given: str | None) -> bool:
        return given is not None and hmac.compare_digest(self.csrf_of(cookie).encode(), given.encode(errors="replace"))


def new_cookie() -> str:
    return secrets.token_urlsafe(24)


def is_cookie(text: str | None) -> bool:
    """Whether this could be one of our cookies."""
    return text is not None and re.fullmatch(r"[\w-]{32}", text, re.ASCII) is not None


def _hashed(cookie: str) -> str:
    return hashlib.sha256(cookie.encode(errors="replace")).hexdigest()


def _secret_in(folder: Path) -> bytes:
    """The secret of this server, created once; the file appears complete or not at all."""
    path = folder / "secret"
    if not path.exists():
        fresh = folder / f".secret-{os.getpid()}"
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(secrets.token_bytes(32))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    return path.read_bytes()
