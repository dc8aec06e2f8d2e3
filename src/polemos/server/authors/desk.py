"""What authors can do, as one object: it knows the database, the folder of uploads and the quotas."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Final, TypeVar

from sqlalchemy import Connection, select, update
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from polemos.hosts.names import announced
from polemos.kernel.errors import PolemosError
from polemos.ladder import bots, groups
from polemos.ladder.clock import writing
from polemos.ladder.files import Bundles, Replays
from polemos.server.accounts import Account, deleted
from polemos.server.authors import files, notices, queue, quotas, shown, tokens
from polemos.server.authors.progress import Kind
from polemos.server.authors.queue import NoSuchBot
from polemos.server.authors.reception import Reception
from polemos.server.store import ladder as db
from polemos.server.store.ledger import Ledger, Unwritten
from polemos.uploads.reception import Rules
from polemos.uploads.refusals import Refused
from polemos.wire.authors import (
    BotDeed,
    BotPage,
    CreatedToken,
    NewNotices,
    PauseBot,
    PlayVersion,
    PublishSource,
    RenameBot,
    ResumeBot,
    UploadCard,
    Yard,
)

LOOK: Final = 0.3  # seconds between looks for a change that somebody waits for
PATIENCE: Final = 20.0  # seconds that a request waits for a change
MAX_WAITING: Final = 10  # requests of an account that wait at the same time; further ones are answered at once
LISTED: Final = 10  # uploads on the page

T = TypeVar("T")


class BadName(PolemosError):
    word = "bot/name"


class NotYours(PolemosError):
    """Something that only an operator can do."""

    word = "bot/paused-by-operator"


class Authors:
    """The bots of users."""

    def __init__(
        self,
        ledger: Ledger,
        folder: Path,
        ladder: Path,
        set_by_operators: Callable[[int], Mapping[str, int]],
        *,
        times: float = 1.0,
        toolchains: tuple[str, ...] = (),
        processes: int = 1,
    ) -> None:
        """`folder` is for uploads, `ladder` has the folders of the ladder; `times` multiplies the quotas.

        `toolchains`: folders with compilers besides /usr. `processes`: how many servers share this machine.
        """
        self._ledger = ledger
        self._times, self._set = times, set_by_operators
        self._waiting: Counter[int] = Counter()  # requests of an account that wait for a change
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.replays = Replays(ladder / "replays")
        self.reception = Reception(
            ledger.engine, folder, Bundles(ladder / "bots"), self.most, Rules(toolchains=toolchains), processes
        )
        self.limit = self.reception.rules.limits.upload

    def start(self, *, alone: bool = False) -> None:
        """`alone`: no other process uses this folder, so whatever was left in it can begin at once."""
        self.reception.start(alone=alone)

    async def close(self) -> None:
        await asyncio.to_thread(self.reception.stop)

    def most(self, account: int) -> dict[str, int]:
        return quotas.most_of(self._times, self._set(account))

    # ---- reading and writing

    async def _read(self, work: Callable[[Connection], T]) -> T:
        def within() -> T:
            with self._ledger.engine.connect() as connection:
                return work(connection)

        return await self._safely(within)

    async def _write(self, work: Callable[[Connection], T]) -> T:
        def within() -> T:
            with writing(self._ledger.engine) as connection:
                return work(connection)

        return await self._safely(within)

    async def _safely(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except IntegrityError:
            raise
        except (OverflowError, DataError):  # a number too large for the database
            raise NoSuchBot("There is nothing with this number.") from None
        except SQLAlchemyError:
            raise Unwritten("Polemos can't reach its database, so nothing was changed. Try again later.") from None

    # ---- tokens

    async def account_of(self, token: str) -> Account:
        return await self._write(lambda connection: tokens.account_of(connection, token))

    async def create_token(self, account: int, name: str) -> CreatedToken:
        def work(connection: Connection) -> CreatedToken:
            quotas.lock(connection, account)
            return tokens.create(connection, account, name)

        return await self._write(work)

    async def revoke_token(self, account: int, token: int) -> None:
        await self._write(lambda connection: tokens.revoke(connection, account, token))

    # ---- uploads

    async def take(
        self, account: int, chunks: AsyncIterator[bytes], called: str, game: str | None, bot: int | None
    ) -> int:
        """Takes a file as it arrives; returns the number of the upload. Nothing is left of one that is cut off."""
        reception, most = self.reception, self.most(account)
        files.check_room(reception.files, self.limit)
        upload = await self._write(
            lambda connection: queue.announce(connection, account, reception.place, called, game, bot, most)
        )
        path = reception.file_of(upload)

        async def still() -> None:
            await self._write(lambda connection: queue.arriving(connection, upload))

        try:
            size = await files.arrive(chunks, path, self.limit, still)
            await self._write(lambda connection: queue.arrived(connection, upload, size))
        except BaseException:
            path.unlink(missing_ok=True)
            self._ledger.write_soon(queue.forget(upload))  # whatever ended it, a request that is gone included
            raise
        reception.wake()
        return upload

    async def upload(self, account: int, id: int, seen: int | None = None) -> UploadCard:
        """An upload; with `seen`, as soon as it has changed since, or after some time."""
        if seen is not None and self._waiting[account] < MAX_WAITING:
            self._waiting[account] += 1
            try:
                await self._change(account, id, seen)
            finally:
                self._waiting[account] -= 1
                if not self._waiting[account]:
                    del self._waiting[account]
        return await self._read(lambda connection: queue.card(connection, account, id))

    async def _change(self, account: int, id: int, seen: int) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = await self._read(lambda connection: queue.change_of(connection, account, id))
            if found is None or found != seen:
                return
            await asyncio.sleep(LOOK)

    async def uploads(self, account: int) -> list[UploadCard]:
        return await self._read(lambda connection: queue.cards(connection, account, limit=LISTED))

    async def log(self, account: int, id: int, kind: Kind) -> str:
        """What the bot wrote in its trial, or the log of its build, which is all there is if that failed."""
        progress = await self._read(lambda connection: queue.progress_of(connection, account, id))
        return progress.log if kind == "log" and "trial" in progress.steps else progress.build

    async def trial(self, account: int, id: int) -> Path | None:
        """The replay of a trial that failed."""
        progress = await self._read(lambda connection: queue.progress_of(connection, account, id))
        there = Path(progress.replay)  # where it was written; the folder may have moved since, by a restore for example
        path = self.reception.versions.folder / "trials" / there.parent.name / there.name
        return path if progress.replay and path.is_file() else None

    async def cancel(self, account: int, id: int) -> None:
        await self._write(lambda connection: queue.cancel(connection, account, id))

    # ---- notices

    async def unseen(self, account: int) -> NewNotices:
        return await self._read(lambda connection: NewNotices(notices.unseen(connection, account)))

    async def look_at(self, account: int, last: int) -> NewNotices:
        """Somebody has looked at their notices, up to this one."""

        def work(connection: Connection) -> NewNotices:
            notices.look_at(connection, account, last)
            return NewNotices(notices.unseen(connection, account))

        return await self._write(work)

    # ---- bots

    async def yard(self, account: int) -> Yard:
        return await self._read(lambda connection: shown.yard(connection, account, self.most(account)))

    async def page(self, bot: int, asking: int | None, ladder: int | None = None) -> BotPage:
        return await self._read(lambda connection: shown.page(connection, bot, asking, self.replays, ladder))

    async def do(self, account: int, bot: int, deed: BotDeed) -> None:
        def work(connection: Connection) -> None:
            quotas.lock(connection, account)
            queue.own(connection, account, bot)
            _do(connection, account, bot, deed)

        try:
            await self._write(work)
        except IntegrityError:
            raise bots.NameTaken("You already have a bot with this name. Choose another one.") from None

    async def delete(self, account: int, bot: int) -> None:
        await self._write(lambda connection: _delete(connection, account, bot))

    async def delete_account(self, account: int) -> None:
        """Deletes an account with its tokens and bots. Its uploads end; its games stay."""

        def work(connection: Connection) -> None:
            quotas.lock(connection, account)
            tokens.revoke_all(connection, account)
            queue.cancel_all(connection, account)
            own = select(db.bots.c.id).where(db.bots.c.account_id == account, db.bots.c.state != "deleted")
            for bot in connection.execute(own).scalars().all():
                bots.delete(connection, bot)
            groups.leave_all(connection, account)
            for statement in deleted(account):
                connection.execute(statement)

        await self._write(work)

    async def source(self, bot: int, number: int, asking: int | None) -> tuple[Path, str]:
        """The folder with the source of a version, and a name for it. Raises NoSuchBot unless it can be read."""

        def work(connection: Connection) -> tuple[str, str]:
            of, version = db.bots, db.bot_versions
            row = connection.execute(
                select(of.c.account_id, of.c.name, of.c.published, version.c.source, version.c.state)
                .join_from(version, of, of.c.id == version.c.bot_id)
                .where(of.c.id == bot, version.c.number == number, of.c.state != "deleted", version.c.source != "")
            ).one_or_none()
            own = row is not None and asking is not None and row.account_id == asking
            if row is None or not (own or (row.published and row.state == "passed")):
                raise NoSuchBot("There is no such source, or it is not published.")
            return row.source, row.name

        digest, name = await self._read(work)
        folder = self.reception.versions.source(digest)
        if not folder.is_dir():
            raise NoSuchBot("The source of this version isn't here.")
        plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "-_.") else "-" for sign in name)
        return folder, f"{plain.strip('.') or 'bot'}-v{number}"


def _delete(connection: Connection, account: int, bot: int) -> None:
    quotas.lock(connection, account)
    queue.own(connection, account, bot)
    queue.cancel_all(connection, account, bot)
    bots.delete(connection, bot)


def _do(connection: Connection, account: int, bot: int, deed: BotDeed) -> None:
    match deed:
        case PauseBot():
            bots.pause(connection, bot, "author", "Its author paused it.")
        case ResumeBot():
            if queue.own(connection, account, bot).paused_by == "operator":
                raise NotYours("An operator paused this bot, so only an operator can resume it.")
            bots.resume(connection, bot)
        case RenameBot():
            try:
                name = queue.check_name(announced(deed.name), queue.own(connection, account, bot).game)
            except Refused as refused:
                raise BadName(refused.why) from None
            other = queue.named(connection, account, name)
            if other is not None and other.id != bot:  # its next upload would go to one of the two
                raise bots.NameTaken(f"You already have a bot called {other.name}. Choose another name.")
            bots.rename(connection, bot, name)
        case PlayVersion():
            of = db.bot_versions
            found = connection.execute(select(of.c.id).where(of.c.bot_id == bot, of.c.number == deed.version)).scalar()
            bots.go_back(connection, bot, found or 0)
        case PublishSource():
            connection.execute(update(db.bots).where(db.bots.c.id == bot).values(published=int(deed.open)))
