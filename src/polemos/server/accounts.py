"""Accounts and sessions: names, passwords, cookies. Nobody needs one to play."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import re
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct
from sqlalchemy import ColumnElement, Executable, RowMapping, delete, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from polemos.kernel.errors import PolemosError
from polemos.server import names, passwords
from polemos.server.folder import secret_in
from polemos.server.limits import TooMany
from polemos.server.names import looks
from polemos.server.store import schema
from polemos.server.store.ledger import Ledger, Unwritten
from polemos.server.words import folded, tidy

LIFE: Final = 30 * 86400.0  # seconds that a session lasts
HASHERS: Final = 2  # threads for passwords alone: hashing is slow on purpose, and nobody else shall wait for it
MAX_WAITING: Final = 50  # passwords that wait for them
MAX_ENDED: Final = 10_000

T = TypeVar("T")
_log = logging.getLogger("polemos")


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
        self._threads = ThreadPoolExecutor(HASHERS, thread_name_prefix="password")
        self._waiting = 0
        self._secret = secret_in(folder)
        self._nobody = self._hasher.hash(
            secrets.token_hex(8)
        )  # checked for unknown names, so that they take as long as wrong passwords
        self._known: dict[str, tuple[Account, float]] = {}
        self._ended: dict[str, None] = {}  # sessions that a slow read of the database must not bring back
        self.also: Callable[[str], Sequence[Executable]] = lambda session: ()  # written when a session ends

    async def sign_up(
        self, name: str, password: str, cookie: str, old: str | None = None, address: str = ""
    ) -> Account:
        """Creates an account and signs in with this cookie instead of the old one, all or nothing."""
        name = tidy(name[:200], 200)
        if not 2 <= len(name) <= 30 or not all(c.isalnum() or c in " -_." for c in name):
            raise BadCredentials(
                "A name must have 2 to 30 characters: letters, digits, spaces, dots, dashes or underscores."
            )
        if (why := names.fault_in(name) or passwords.fault_in(password, name)) is not None:
            raise BadCredentials(why)
        hashed = await self._hash(lambda: self._hasher.hash(password))
        row = {"name": name, "folded": folded(name), "looks": looks(name), "password": hashed, "created": time.time()}
        by_name = schema.accounts.c.folded == folded(name)
        try:
            begun = _begin(by_name, cookie, old, address)
            await self._write(insert(schema.accounts).values(**row), *begun, *self._end(old))
        except IntegrityError:
            raise BadCredentials(f"The name {name} is taken, or looks like one that is.") from None
        found = await self._by_name(name)
        assert found is not None
        self._begun(found[0], cookie, old)
        return found[0]

    async def sign_in(self, name: str, password: str) -> Account:
        found = await self._by_name(name)
        hashed = self._nobody if found is None else found[1]
        try:
            await self._hash(lambda: self._hasher.verify(hashed, password[: passwords.LONGEST]))
        except (VerificationError, InvalidHashError):
            found = None
        if found is None:
            raise BadCredentials("There is no account with this name and password.")
        return found[0]

    async def called(self, name: str) -> Account | None:
        """The account whose name looks like this one, if any."""
        accounts = schema.accounts
        rows = await self._fetch(select(accounts.c.id, accounts.c.name).where(accounts.c.looks == looks(name)))
        return Account(rows[0]["id"], rows[0]["name"]) if rows else None

    async def _by_name(self, name: str) -> tuple[Account, str] | None:
        accounts, wanted = schema.accounts, folded(tidy(name, 80))
        rows = await self._fetch(select(accounts).where(accounts.c.folded == wanted))
        return (Account(rows[0]["id"], rows[0]["name"]), rows[0]["password"]) if rows else None

    async def _hash(self, work: Callable[[], T]) -> T:
        """Works on a password in one of the threads for that."""
        if self._waiting >= MAX_WAITING:
            raise TooMany("passwords", 5.0)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1

    async def _write(self, *statements: Executable) -> None:
        try:
            await self._ledger.write(*statements)
        except IntegrityError:
            raise
        except Exception as error:
            _log.error("An account could not be written: %s", error)
            raise Unwritten("Polemos could not save this, so nothing was changed. Try again later.") from None

    async def _fetch(self, statement: Executable) -> list[RowMapping]:
        try:
            return await self._ledger.fetch(statement)
        except Exception as error:
            _log.error("Accounts could not be read: %s", error)
            raise Unwritten("Polemos can't reach its database. Try again later.") from None

    # ---- sessions

    async def begin_session(self, account: Account, cookie: str, old: str | None = None, address: str = "") -> None:
        """Links a browser's cookie to an account, and ends the session of the old cookie."""
        begun = _begin(schema.accounts.c.id == account.id, cookie, old, address)
        await self._write(*begun, *self._end(old))
        self._begun(account, cookie, old)

    def _begun(self, account: Account, cookie: str, old: str | None) -> None:
        now = time.time()
        self._known = {kept: (of, began) for kept, (of, began) in self._known.items() if began > now - LIFE}
        self._known[session_of(cookie)] = (account, now)
        if old is not None:
            self._forget(session_of(old))

    async def end_session(self, cookie: str) -> None:
        session = session_of(cookie)
        await self._write(delete(schema.sessions).where(schema.sessions.c.id == session), *self._end(cookie))
        self._forget(session)

    def _end(self, cookie: str | None) -> Sequence[Executable]:
        return () if cookie is None else self.also(session_of(cookie))

    def forget(self, session: str | None) -> None:
        """Forgets a session that has ended in another process, or without one, all that we remember of them."""
        if session is None:
            self._known.clear()
        else:
            self._forget(session)

    def forget_account(self, account: int) -> list[str]:
        """Forgets the sessions of an account, which have been deleted from disk; gives those that were known here."""
        gone = [session for session, (of, _) in self._known.items() if of.id == account]
        for session in gone:
            self._forget(session)
        return gone

    def _forget(self, session: str) -> None:
        self._known.pop(session, None)
        self._ended[session] = None
        if len(self._ended) > MAX_ENDED:
            del self._ended[next(iter(self._ended))]

    async def account_of(self, cookie: str | None) -> Account | None:
        if not cookie:
            return None
        id = session_of(cookie)
        if id not in self._known:
            sessions, accounts = schema.sessions, schema.accounts
            rows = await self._fetch(
                select(accounts.c.id, accounts.c.name, sessions.c.created)
                .join_from(sessions, accounts)
                .where(sessions.c.id == id)
            )
            if not rows or id in self._ended:
                return None
            self._known[id] = (Account(rows[0]["id"], rows[0]["name"]), rows[0]["created"])
        account, created = self._known[id]
        return account if time.time() - created < LIFE else None

    async def open_among(self, sessions: Collection[str]) -> set[str]:
        """Those of the sessions that have not ended, as the database knows them."""
        if not sessions:
            return set()
        found = await self._fetch(select(schema.sessions.c.id).where(schema.sessions.c.id.in_(sessions)))
        return {row["id"] for row in found}

    def is_open(self, session: str) -> bool:
        """Whether a session that somebody has just used has not ended since."""
        return session not in self._ended

    # ---- devices

    def new_device(self, account: Account) -> str:
        """A mark for a browser in which somebody has signed in: guesses made elsewhere do not slow it down."""
        number = secrets.token_urlsafe(12)
        return f"{number}.{self._device(account, number)}"

    async def is_device(self, mark: str | None, name: str) -> str | None:
        """The number of a browser in which this account has signed in before; None if it has not."""
        number, dot, proof = (mark or "")[:200].partition(".")
        if not dot:
            return None
        found = await self._by_name(name)
        good = found is not None and hmac.compare_digest(
            self._device(found[0], number).encode(), proof.encode(errors="replace")
        )
        return number if good else None

    def _device(self, account: Account, number: str) -> str:
        return self.sign(f"device {account.id} {number}")

    # ---- secrets

    def sign(self, text: str) -> str:
        """A secret derived from a text, which only this server can compute."""
        return hmac.new(self._secret, text.encode(errors="replace"), hashlib.sha256).hexdigest()[:32]

    def csrf_of(self, cookie: str) -> str:
        """The CSRF token: our own pages know it, other sites cannot. Every change must include it."""
        return hmac.new(self._secret, cookie.encode(errors="replace"), hashlib.sha256).hexdigest()

    def is_csrf(self, cookie: str, given: str | None) -> bool:
        return given is not None and hmac.compare_digest(self.csrf_of(cookie).encode(), given.encode(errors="replace"))


def deleted(account: int) -> list[Executable]:
    """The statements that delete an account. Its row stays, without a name or a password: others refer to it.

    Nobody can sign in with it again, and its name is free.
    """
    accounts, sessions, ratings = schema.accounts, schema.sessions, schema.people.ratings
    gone = f"deleted {account} {secrets.token_hex(8)}"  # with blanks, as no name is folded or looks
    values = {"name": f"deleted {account}", "folded": gone, "looks": gone, "password": ""}
    return [
        update(accounts).where(accounts.c.id == account).values(values),
        delete(sessions).where(sessions.c.account_id == account),
        delete(ratings).where(ratings.c.account_id == account),
    ]


def new_cookie() -> str:
    return secrets.token_urlsafe(24)


def is_cookie(text: str | None) -> bool:
    """Whether this could be one of our cookies."""
    return text is not None and re.fullmatch(r"[\w-]{32}", text, re.ASCII) is not None


def session_of(cookie: str) -> str:
    """The stored hash of a cookie, which names its session."""
    return hashlib.sha256(cookie.encode(errors="replace")).hexdigest()


def _begin(whose: ColumnElement[bool], cookie: str, old: str | None, address: str) -> list[Executable]:
    """The statements that begin a session and end an old one. Expired sessions are deleted along with it."""
    sessions, accounts, now = schema.sessions, schema.accounts, time.time()
    row = select(literal(session_of(cookie)), accounts.c.id, literal(now), literal(address[:50])).where(whose)
    return [
        delete(sessions).where(sessions.c.created < now - LIFE),
        *([] if old is None else [delete(sessions).where(sessions.c.id == session_of(old))]),
        insert(sessions).from_select(["id", "account_id", "created", "address"], row),
    ]
