"""The running server's side: it notices within seconds what operators have written, and carries out their errands."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final
from weakref import WeakValueDictionary

import msgspec
from sqlalchemy import Executable, select, update

from polemos.kernel.errors import PolemosError
from polemos.kernel.verdict import Verdict
from polemos.server.accounts import Account, Accounts
from polemos.server.limits import TooMany
from polemos.server.office import lists
from polemos.server.office.bans import Banned, Bans, told
from polemos.server.office.clerk import Clerk
from polemos.server.store import schema
from polemos.server.store.leases import Elsewhere
from polemos.server.store.ledger import Ledger, Unwritten
from polemos.server.tables.acts import Act, Closed, Dropped
from polemos.server.tables.hall import Hall
from polemos.server.tables.listeners import BANNED, Listener
from polemos.server.tables.persons import Persons
from polemos.server.tables.table import Refusal, Table
from polemos.server.words import tidy
from polemos.wire.office import BanRow, CloseParty, CloseTable, Deed, EndSessions, Notice, StopBot
from polemos.wire.table import Refused

LOOK: Final = 2.0  # seconds between two looks at the database
UMPIRE: Final = "Umpire"  # signs lines of chat from operators; nobody can be called so

_log = logging.getLogger("polemos")


class Office:
    """Bans, announcements, quotas and operators as they are in force; all in memory, so that asking costs nothing."""

    def __init__(
        self,
        ledger: Ledger,
        accounts: Accounts,
        hall: Hall,
        names: str | None,
        end_party: Callable[[str, str], Awaitable[None]],
    ) -> None:
        """`names`: the setting `operators`."""
        self.end_party = end_party
        self._ledger, self._accounts, self._hall = ledger, accounts, hall
        self._names = [tidy(name, 80) for name in (names or "").split(",") if tidy(name, 80)]
        self.named: frozenset[int] = frozenset()  # operators by the setting
        self.bans = Bans()
        self._notices: Sequence[Notice] = ()
        self._quotas: dict[tuple[int, str], int] = {}
        self._counting: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()  # by account
        self._operators: frozenset[int] = frozenset()
        self._seen: set[int] = set()  # bans that have been carried out
        self._blind = False  # whether the last look failed
        self._task: asyncio.Task[None] | None = None
        self._looking = asyncio.Lock()
        self.also: Callable[[int], Sequence[Executable]] = lambda account: ()  # written when all its sessions end

    async def begin(self) -> None:
        """Names in the setting count if their accounts exist now: nobody becomes an operator by signing up."""
        found = [(name, await self._called(name)) for name in self._names]
        self.named = frozenset(account for _, account in found if account is not None)
        for name, account in found:
            if account is None:
                _log.warning("There is no account %r. Create it and restart, and it will be an operator.", name)
        await self.look()
        self._task = asyncio.create_task(self._go_on_looking())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self._task

    async def _called(self, name: str) -> int | None:
        found = await asyncio.to_thread(lists.account_called, self._ledger.read, name)
        return None if found is None else found["id"]

    # ---- asking

    def is_operator(self, account: Account | None) -> bool:
        return account is not None and (account.id in self._operators or account.id in self.named)

    @property
    def notices(self) -> list[Notice]:
        return [notice for notice in self._notices if notice.until > time.time()]

    @property
    def quotas(self) -> dict[str, int]:
        """Those of everyone."""
        return {what: most for (account, what), most in self._quotas.items() if account == lists.EVERYONE}

    @asynccontextmanager
    async def within_quotas(self, account: Account | None, bots: int = 0) -> AsyncIterator[None]:
        """Raises a Refusal if an account can't play at one more table, with this many more bots.

        Counts what is on disk: tables that sleep, and those of other processes. One request of an account at a time,
        so that many at once don't all find the same room.
        """
        quotas = {} if account is None else self.quotas_of(account.id)
        if account is None or not quotas:
            yield
            return
        async with self._counting.setdefault(account.id, asyncio.Lock()):
            here = await asyncio.to_thread(lists.playing, self._ledger.read, account.id)
            for what, more in (("tables", 1), ("bots", bots)):
                most = quotas.get(what)
                if most is not None and more and here[what] + more > most:
                    known = what[:-1] if most == 1 else what
                    raise Refusal(f"You can have at most {most} {known} at a time, and you have {here[what]}.")
            yield

    def quotas_of(self, account: int) -> dict[str, int]:
        """The quotas that operators gave an account, or everyone."""
        return {**self.quotas, **{what: most for (who, what), most in self._quotas.items() if who == account}}

    # ---- doing

    async def do(self, operator: Account, here: str, deed: Deed) -> None:
        """Checks and writes a deed, and carries it out."""
        clerk = Clerk(self._ledger.read, operator.name, self.named, here)
        try:
            statements = await asyncio.to_thread(clerk.do, deed)
            await self._ledger.write(*statements)
        except PolemosError:
            raise
        except Exception as error:
            _log.error("A deed of an operator could not be written: %s", error)
            raise Unwritten("Polemos could not save this, so nothing was changed. Try again later.") from None
        await self._try_to_look()

    async def _go_on_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            await self._try_to_look()

    async def _try_to_look(self) -> None:
        try:
            await self.look()
            self._blind = False
        except Exception as error:  # the next look may succeed
            if not self._blind:
                _log.error("The deeds of operators could not be read: %s", error)
            self._blind = True

    async def look(self) -> None:
        """Reads what is in force, and carries out what is new."""
        async with self._looking:
            bans, self._notices, self._quotas, self._operators, errands = await asyncio.to_thread(self._read)
            self.bans = Bans(bans)
            fresh = [(target, ban) for target, ban in bans if ban.id not in self._seen]
            self._seen = {ban.id for _, ban in bans}
            if fresh:
                self._turn_out(fresh)
            for row in errands:
                await self._run(row)

    def _read(self) -> tuple[Any, ...]:
        read, errands = self._ledger.read, schema.errands
        return (
            lists.bans(read),
            lists.notices(read),
            lists.quotas(read),
            frozenset(row["account_id"] for row in read(select(schema.operators.c.account_id))),
            read(select(errands).where(errands.c.done.is_(None)).order_by(errands.c.id).limit(100)),
        )

    def _turn_out(self, fresh: Sequence[tuple[str, BanRow]]) -> None:
        """Ends the sessions and connections of people who have just been banned, and tells them why."""
        for target, ban in fresh:
            if ban.kind == "account":
                self._accounts.forget_account(int(target))
        for keeper in self._hall.keepers.values():
            for listener in list(keeper.voice.listeners):
                if (cause := self._ban_of(listener, keeper.table)) is not None:
                    said = msgspec.json.encode(Refused(None, Banned.word, told(cause)))
                    listener.dismiss(said, _as_reason(told(cause)), BANNED)

    def _ban_of(self, listener: Listener, table: Table) -> BanRow | None:
        ban = self.bans.of_account(listener.visitor.account) or self.bans.of_address(listener.address)
        if listener.seat is None:
            return ban
        account = table.account_of(listener.seat, listener.member)
        name = table.name_of(listener.seat, listener.member)
        return ban or self.bans.of_account(account) or self.bans.of_name(name)

    async def _run(self, row: Any) -> None:
        result = ""
        try:
            await self._carry_out(msgspec.json.decode(row["body"], type=Deed))
        except (Unwritten, TooMany):
            return  # tried again at the next look
        except Elsewhere:
            return  # the process that owns the table does it
        except Exception as error:
            result = str(error)[:500]
            _log.error("An errand of an operator failed: %s", error)
        errands = schema.errands
        await self._ledger.write(
            update(errands).where(errands.c.id == row["id"]).values(done=time.time(), result=result)
        )

    async def _carry_out(self, deed: Deed) -> None:
        match deed:
            case EndSessions():
                account = await self._called(deed.name)
                if account is not None:
                    self.sign_out(account)
            case CloseTable():
                await self._close_table(deed.table, tidy(deed.why, 500))
            case CloseParty():
                await self.end_party(deed.party, tidy(deed.why, 500))
            case StopBot():
                await self._stop_bot(deed.table, deed.seat, tidy(deed.why, 500))

    def sign_out(self, account: int) -> None:
        """Ends all connections of an account whose sessions have been deleted, in every process."""
        self._accounts.forget_account(account)
        self._hall.sign_out_account(account)
        for notice in self.also(account):
            self._ledger.write_soon(notice)

    async def _close_table(self, id: str, why: str) -> None:
        keeper = await self._hall.find(id)

        def judge(table: Table) -> list[Act]:
            return [] if table.status == "over" else [Closed(why)]

        if keeper.table.status != "over":
            await keeper.act(judge)
            await Persons(keeper).announce(UMPIRE, f"An operator closed this table: {why}")

    async def _stop_bot(self, id: str, seat: str, why: str) -> None:
        keeper = await self._hall.find(id)

        def judge(table: Table) -> list[Act]:
            if seat not in table.of_kind("bot") or table.is_out(seat) or table.status == "over":
                return []
            return [Dropped(seat, str(Verdict("dropped out", "an operator stopped it")))]

        if seat in keeper.table.of_kind("bot") and not keeper.table.is_out(seat):
            name = keeper.table.name_of(seat, 0)
            await keeper.act(judge)
            await Persons(keeper).announce(UMPIRE, f"An operator stopped the bot {name} ({seat}): {why}")


def _as_reason(text: str) -> str:
    """A text that fits where a connection says why it ends, in at most 123 bytes."""
    return text.encode()[:120].decode(errors="ignore")
