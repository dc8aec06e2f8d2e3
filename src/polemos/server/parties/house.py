"""All parties of a server: opened, read from the database when somebody comes, and resumed when the server starts.

Those where nothing happens leave memory, and those that never began are closed when nobody has come for a day: a list
of names is made in a minute, and there is room for so many parties.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from sqlalchemy import ColumnElement, Executable, func, insert, select

from polemos import registry
from polemos.kernel import dice
from polemos.kernel.capabilities.online_parties import OnlineParties
from polemos.kernel.errors import NoSuchGame, PolemosError
from polemos.server.parties.keeper import PartyKeeper, bodies, read_links, read_talk
from polemos.server.parties.links import SPARE, Link, Links, hashed
from polemos.server.store import schema
from polemos.server.store.ledger import Ledger, Unwritten

MAX_OPEN: Final = 200  # parties that are not over
IDLE: Final = 900.0  # seconds without a visit after which a party leaves memory, if nothing happens there by itself
UNBEGUN: Final = 86_400.0  # seconds without a visit after which a party that never began is closed
SWEEP: Final = 300.0  # seconds between two looks for such parties
RECENT: Final = 7 * 86_400.0  # seconds after which a party that did not end counts as given up

_log = logging.getLogger("polemos")


class NoSuchParty(PolemosError):
    word = "party/unknown"


class PartyClosed(PolemosError):
    """An operator has ended it, or it never began."""

    word = "party/closed"


class TooManyParties(PolemosError):
    word = "party/full"


class NoParties(PolemosError):
    """This server is not made for parties."""

    word = "party/none"


class House:
    """The parties, by their number."""

    def __init__(self, ledger: Ledger, sign: Callable[[str], str], is_alone: bool = True) -> None:
        """`is_alone`: no other process has this database. A party is kept in the memory of one process."""
        self._ledger, self._sign, self._is_alone = ledger, sign, is_alone
        self.keepers: dict[str, PartyKeeper] = {}
        self._visited: dict[str, float] = {}  # when somebody last came; a restart of the server counts, too
        self._lock = asyncio.Lock()
        self._sweeping: asyncio.Task[None] | None = None
        self.stopping = False

    @staticmethod
    def now() -> float:
        return time.time()

    async def begin(self) -> None:
        """Resumes all parties that are not over: their clocks have gone on."""
        if not self._is_alone:
            return
        self._sweeping = asyncio.create_task(self._go_on_sweeping())
        for row in await self._ledger.fetch(select(schema.parties.c.id).where(*_unfinished())):
            try:
                await self.find(row["id"])
            except Exception as error:  # the others go on
                _log.error("Party %s could not be resumed", row["id"], exc_info=error)

    async def open(self, game: str, wish: Any) -> tuple[PartyKeeper, str]:
        """A new party, and the token of its host."""
        self._must_be_alone()
        rules = registry.load(game)
        if not isinstance(rules, OnlineParties):
            raise NoSuchGame(f"No party can be held around {rules.title}.")
        parties = schema.parties
        counting = select(func.count().label("n")).select_from(parties).where(*_unfinished())
        [count] = await self._ledger.fetch(counting)
        if count["n"] >= MAX_OPEN:
            raise TooManyParties("There are too many parties on this server. Try again later.")
        plan = rules.begin_party(wish, dice.new_key())
        evening = rules.resume_party(plan)
        id, token = secrets.token_hex(6), secrets.token_urlsafe(24)
        links = [*map(Link, evening.people), Link(evening.umpire, 1, hashed(token)), Link(SPARE)]
        rows: list[Executable] = [
            insert(parties).values(id=id, game=game, plan=plan, created=time.time(), over=False),
            insert(schema.party_links).values(
                [{"party_id": id, "role": link.role, "number": link.number, "token": link.token} for link in links]
            ),
        ]
        try:
            await self._ledger.write(*rows)
        except Exception:
            raise Unwritten("Polemos could not save this, so there is no party. Try again.") from None
        return await self.find(id), token

    def _must_be_alone(self) -> None:
        if not self._is_alone:
            raise NoParties("Parties need a server of a single process. This one has several.")

    async def find(self, id: str) -> PartyKeeper:
        self._must_be_alone()
        if id not in self.keepers:
            async with self._lock:
                if id not in self.keepers:
                    self.keepers[id] = await self._read(id)
                    self.keepers[id].begin()
        self._visited[id] = self.now()
        return self.keepers[id]

    async def end(self, id: str, why: str) -> None:
        """Closes a party that is not over. Everybody there is told why."""
        keeper = await self.find(id)
        if not keeper.evening.is_over:
            await keeper.end(why)
            await self._forget(id)

    async def _forget(self, id: str) -> None:
        """Somebody else may be doing the same."""
        self._visited.pop(id, None)
        keeper = self.keepers.pop(id, None)
        if keeper is not None:
            await keeper.close(1.0)

    async def _go_on_sweeping(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            try:
                await self.sweep()
            except Exception as error:  # the next one may succeed
                _log.error("Parties could not be put away", exc_info=error)

    async def sweep(self) -> None:
        """Lets go of parties where nothing happens, and closes those that never began."""
        for id, keeper in list(self.keepers.items()):
            if id not in self._visited:
                continue  # somebody has closed it since the others were put away
            if keeper.listeners:
                self._visited[id] = self.now()
            away = self.now() - self._visited[id]
            if keeper.evening.has_begun and keeper.is_idle and away > IDLE:
                await self._forget(id)
            elif not keeper.evening.has_begun and away > UNBEGUN:
                await self.end(id, "It had not begun, and nobody came for a day.")

    async def _read(self, id: str) -> PartyKeeper:
        parties = schema.parties
        rows = await self._ledger.fetch(select(parties).where(parties.c.id == id[:24]))
        if not rows:
            raise NoSuchParty("There is no such party.")
        rules = registry.load(rows[0]["game"])
        links = await read_links(self._ledger, id)
        if SPARE not in links:  # the party was opened by an earlier version
            await self._ledger.write(insert(schema.party_links).values(party_id=id, role=SPARE, number=1, token=""))
            links[SPARE] = Link(SPARE)
        keeper = PartyKeeper(
            id,
            rows[0]["game"],
            self._ledger,
            partial(rules.resume_party, bytes(rows[0]["plan"])),
            Links(id, self._sign, links),
            await bodies(self._ledger, schema.party_journal, id),
            read_talk(await bodies(self._ledger, schema.party_talk, id)),
        )
        if rows[0]["over"] and not keeper.evening.is_over:
            raise PartyClosed("This party has been closed.")
        return keeper

    async def close(self, seconds: float = 1.0) -> None:
        """Finishes what has begun, and tells everybody to come back."""
        self.stopping = True
        if self._sweeping is not None:
            self._sweeping.cancel()
            await asyncio.gather(self._sweeping, return_exceptions=True)
        await asyncio.gather(*(keeper.close(seconds) for keeper in self.keepers.values()))


def _unfinished() -> tuple[ColumnElement[bool], ...]:
    return ~schema.parties.c.over, schema.parties.c.created > time.time() - RECENT
