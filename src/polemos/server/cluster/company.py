"""A process as one of several: takes over tables, tells and hears notices, and lists the tables of all."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import Executable

from polemos.server import shelf
from polemos.server.accounts import Accounts
from polemos.server.cluster.handover import Handover
from polemos.server.cluster.lines import Lost, NotHere
from polemos.server.cluster.membership import Dead, Deaf, Event, Member, Membership, Notice, Orphans
from polemos.server.store.ledger import Unwritten
from polemos.server.tables.hall import Hall, in_order
from polemos.wire.table import TableCard

LOOK: Final = 1.0  # seconds between looks at what has changed here
FRESH: Final = 0.5  # seconds for which the list of another process counts even if it has changed
LISTED: Final = 100  # tables in a list

_log = logging.getLogger("polemos")


class _List(Struct, frozen=True):
    """The list of another process, as it was when it had changed so many times."""

    cards: list[TableCard]
    changes: int
    read: float  # on the monotonic clock


_Key = tuple[str, str | None, str | None]  # process, game, status


class Company:
    """Begin it with `begin` when the hall exists, before the hall begins."""

    def __init__(self, member: Membership, hall: Hall, handover: Handover, accounts: Accounts) -> None:
        self.member, self.handover = member, handover
        self._hall, self._accounts = hall, accounts
        self._lists: dict[_Key, _List] = {}
        self._changes: dict[str, int] = {}  # how often the lists of another process have changed
        self._shown: list[Any] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self, host: str, port: int) -> None:
        await self.member.begin(await self.handover.listen(host, port))
        self._start(self._look())

    async def close(self) -> None:
        """Ends everything but the membership, which ends when all is on disk."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.handover.close()

    def _start(self, doing: Any) -> None:
        task = asyncio.create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- notices

    def hear(self, event: Event) -> None:
        match event:
            case Dead(id):
                self._hall.lose_all(id)
            case Orphans():
                self._start(self._hall.adopt())
            case Deaf():
                self._lists.clear()
                self._accounts.forget(None)
                self._start(self._end_signed_out())
            case Notice(sender, "lobby"):
                self._changes[sender] = self._changes.get(sender, 0) + 1
            case Notice(_, "signed out", session):
                self._accounts.forget(session)
                self._hall.sign_out(session)
            case Notice(_, "all signed out", account):
                self._accounts.forget_account(int(account))
                self._hall.sign_out_account(int(account))

    async def _end_signed_out(self) -> None:
        """Ends the connections of people who have signed out while we could not hear of it."""
        while True:
            try:
                used = self._hall.sessions
                ended = used - await self._accounts.open_among(used)
            except Unwritten:
                await asyncio.sleep(LOOK)
                continue
            for session in ended:
                self._accounts.forget(session)
                self._hall.sign_out(session)
            return

    def signed_out(self, session: str) -> Executable:
        """The statement that tells all processes that a session has ended."""
        return self.member.notice("signed out", session)

    def all_signed_out(self, account: int) -> Executable:
        """The statement that tells all processes that all sessions of an account have ended."""
        return self.member.notice("all signed out", str(account))

    async def _look(self) -> None:
        """Tells others when our list of tables has changed, and gives up on those that are dead."""
        while True:
            await asyncio.sleep(LOOK)
            others = {other.id for other in self.member.others}
            if self.member.is_sure:
                self.handover.cut_dead_lines(self.member.living)
            self._lists = {key: of for key, of in self._lists.items() if key[0] in others}
            self._changes = {id: times for id, times in self._changes.items() if id in others}
            shown = [
                (keeper.table.id, keeper.table.acts, keeper.voice.watching, keeper.voice.here)
                for keeper in self._hall.keepers.values()
                if keeper.table.wish.listed
            ]
            shown += [
                (id, int(standing.at), 0, frozenset()) for id, standing in self._hall.asleep.items() if standing.listed
            ]
            if others and shown != self._shown:
                self._shown = shown
                with suppress(Exception):  # the next look tries again
                    self._hall.ledger.write_soon(self.member.notice("lobby"))

    # ---- tables of all processes

    async def cards(self, game: str | None = None, status: str | None = None) -> list[TableCard]:
        """The public list of tables: those in play first, then the newest."""
        if game is not None and game not in shelf.names():
            return []
        lists = await asyncio.gather(*(self._read(other, game, status) for other in self.member.others))
        found = {card.id: card for cards in lists for card in cards}
        found |= {card.id: card for card in self._hall.cards(game, status, LISTED)}
        return in_order(found.values())[:LISTED]

    async def _read(self, other: Member, game: str | None, status: str | None) -> list[TableCard]:
        """The list of another process, read again if it has changed. If it does not answer, what we know counts."""
        key, changes = (other.id, game, status), self._changes.get(other.id, 0)
        known = self._lists.get(key)
        if known is not None and (known.changes == changes or time.monotonic() - known.read < FRESH):
            return known.cards
        try:
            cards = await self.handover.cards_of(other, "cards", (game, status, LISTED))
        except (NotHere, Lost):
            return [] if known is None else known.cards
        self._lists[key] = _List(cards, changes, time.monotonic())
        return cards

    async def due(self, account: int) -> list[TableCard]:
        """Tables anywhere that are waiting for this account."""
        found = await asyncio.gather(*(self._due(other, account) for other in self.member.others))
        return [*self._hall.due(account), *(card for cards in found for card in cards)]

    async def _due(self, other: Member, account: int) -> list[TableCard]:
        try:
            return await self.handover.cards_of(other, "due", account)
        except (NotHere, Lost):
            return []
