"""The keeper of one party: takes acts of people and bots, stores them, and shows everybody what their role may know.

One act at a time: it is judged, written to the journal and only then shown. A phone is sent a sight only if its bytes
have changed, so nobody notices an act that their role does not.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Executable, Table, insert, select, update

from polemos.kernel.capabilities.online_parties import OnlineParty
from polemos.kernel.errors import PolemosError
from polemos.server.parties.links import SPARE, Link, Links, NoSuchLink
from polemos.server.parties.talk import KEPT, Said
from polemos.server.store import schema
from polemos.server.store.ledger import Ledger, Unwritten
from polemos.server.tables.clocks import now
from polemos.server.tables.listeners import Listener
from polemos.server.words import tidy
from polemos.wire.party import GoingDown, Here, Moved, SightSaid

MAX_TEXT: Final = 500  # letters that can be said at once
MAX_TALK: Final = 3000  # lines of one person: nobody can use up what others may say
MOVED: Final = 4409  # our own close code: the role has been given to another phone
PAUSE: Final = 1.0  # seconds until something that happens by itself is tried again
SOONEST: Final = 0.005  # seconds between two looks at what happens by itself
SLOW: Final = ("play", "strike")  # acts that take more than a moment
GONE: Final = "This role has been moved to another phone."

_log = logging.getLogger("polemos")


async def bodies(ledger: Ledger, table: Table, id: str) -> list[bytes]:
    """All that a journal of a party holds, in its order."""
    rows = await ledger.fetch(select(table.c.body).where(table.c.party_id == id).order_by(table.c.number))
    return [bytes(row["body"]) for row in rows]


async def read_links(ledger: Ledger, id: str) -> dict[str, Link]:
    """The links of a party, by role."""
    rows = await ledger.fetch(select(schema.party_links).where(schema.party_links.c.party_id == id))
    return {row["role"]: Link(row["role"], row["number"], row["token"]) for row in rows}


def read_talk(lines: Sequence[bytes]) -> list[Said]:
    return [msgspec.json.decode(line, type=Said) for line in lines]


class Silence(PolemosError):
    """Something that can't be said."""

    word = "party/talk"


class PartyKeeper:
    """A party that is going on, or being looked at."""

    def __init__(
        self,
        id: str,
        game: str,
        ledger: Ledger,
        resume: Callable[[Sequence[bytes]], OnlineParty],
        links: Links,
        journal: Sequence[bytes],
        talk: Sequence[Said],
    ) -> None:
        self.id, self.game, self.links = id, game, links
        self.evening = resume(journal)
        self._take_talk(talk)
        self.listeners: dict[Listener, str] = {}
        self._ledger, self._resume = ledger, resume
        self._written = len(journal)
        self._is_stale = False  # whether it is unknown if the last act, or what was said last, is on disk
        self._lock = asyncio.Lock()
        self._changed = asyncio.Event()
        self._shown: dict[Listener, bytes] = {}
        self._going: asyncio.Task[None] | None = None
        self._is_waiting = False  # for people: nothing happens by itself
        self._is_ended = False

    # ---- acts

    @staticmethod
    def now() -> int:
        """Wall time in milliseconds."""
        return int(now() * 1000)

    async def act(self, role: str, act: Any) -> None:
        """Carries out an act; returns when it is on disk and everybody who may has seen it."""
        await asyncio.shield(asyncio.ensure_future(self._act(role, act)))

    async def _act(self, role: str, act: Any) -> None:
        async with self._lock:
            await self._catch_up()
            is_slow = isinstance(act, dict) and act.get("act") in SLOW
            if is_slow:
                fresh, line = await asyncio.to_thread(self.evening.after, act, role, self.now())
            else:
                fresh, line = self.evening.after(act, role, self.now())
            rows: list[Executable] = [self._next_row(line)]
            if fresh.is_over != self.evening.is_over:
                parties = schema.parties
                rows.append(update(parties).where(parties.c.id == self.id).values(over=fresh.is_over))
            rows += [self._new_link(role) for role in fresh.people if role not in self.links.links]
            gone = [self.links.moved(role) for role in self.evening.people if role not in fresh.people]
            moved = [*self._changed_places(fresh), *gone]  # whoever joined by mistake has no phone here any more
            rows += [self._link_row(link) for link in moved]
            try:
                await self._ledger.write(*rows)
            except Exception as error:
                self._is_stale = True
                _log.error("An act of party %s could not be written: %s", self.id, error)
                raise Unwritten("Polemos could not save this, so nothing was changed. Try again.") from None
            self._written += 1
            self._take_links(moved)
            self._publish(fresh)

    def _next_row(self, line: bytes) -> Executable:
        return insert(schema.party_journal).values(party_id=self.id, number=self._written + 1, body=line)

    def _changed_places(self, fresh: OnlineParty) -> list[Link]:
        """The links of people who take over another role: their phones go with them, and codes become void."""
        now_at = {name: role for role, name in fresh.people.items()}
        old = self.links.links
        return [
            Link(now_at[name], old[now_at[name]].number + 1, old[role].token)
            for role, name in self.evening.people.items()
            if fresh.people.get(role) != name and now_at.get(name) in old
        ]

    def _take_links(self, links: Sequence[Link]) -> None:
        """Phones whose role is another one now connect again, and are told who they are."""
        self.links.links.update((link.role, link) for link in links)
        changed = {link.role for link in links}
        for listener, role in list(self.listeners.items()):
            if role in changed:
                listener.dismiss(msgspec.json.encode(GoingDown(0.1)), "You have another role now. Connect again.")
                self.leave(listener)

    def _new_link(self, role: str) -> Executable:
        """For somebody who has come later."""
        return insert(schema.party_links).values(party_id=self.id, role=role, number=1, token="")

    async def _catch_up(self) -> None:
        """After a failed write: reads what is on disk, which may hold the act after all."""
        if self._is_ended:
            raise NoSuchLink("This party has been closed.")
        if not self._is_stale:
            return
        try:
            lines = await bodies(self._ledger, schema.party_journal, self.id)
            talk = await bodies(self._ledger, schema.party_talk, self.id)
            links = await read_links(self._ledger, self.id)
        except Exception as error:
            _log.error("Party %s could not be read: %s", self.id, error)
            raise Unwritten("Polemos can't reach its database. Try again later.") from None
        fresh = await asyncio.to_thread(self._resume, lines)
        self._take_talk(read_talk(talk))
        self._take_links([link for role, link in links.items() if link != self.links.links.get(role)])
        self._written, self._is_stale = len(lines), False
        self._publish(fresh)

    def _take_talk(self, talk: Sequence[Said]) -> None:
        self.talk = list(talk)
        self._lines = Counter(said.role for said in talk)

    def _publish(self, fresh: OnlineParty) -> None:
        self.evening = fresh
        for role in fresh.people:
            self.links.links.setdefault(role, Link(role))
        sights: dict[str, bytes] = {}
        for listener, role in list(self.listeners.items()):
            if role not in sights:
                sights[role] = self._sight(role)
            self._show(listener, sights[role])
        self._changed.set()

    def _sight(self, role: str) -> bytes:
        return msgspec.json.encode(SightSaid(msgspec.Raw(self.evening.sight(role))))

    def _show(self, listener: Listener, sight: bytes) -> None:
        if self._shown.get(listener) != sight:
            self._shown[listener] = sight
            listener.tell(sight)

    # ---- talk

    async def say(self, role: str, text: str) -> None:
        """Says something to everybody in the room."""
        is_long = len(" ".join(text.split())) > MAX_TEXT
        text = tidy(text, MAX_TEXT)
        if is_long or not text:
            raise Silence(f"Say 1 to {MAX_TEXT} letters at once.")
        await asyncio.shield(asyncio.ensure_future(self._say(role, text)))

    async def _say(self, role: str, text: str) -> None:
        async with self._lock:
            await self._catch_up()
            if self._lines[role] >= MAX_TALK:
                raise Silence("You have said enough at this party.")
            people, hearers = self.evening.people, self.evening.hearers(role)
            names = tuple(people[other] for other in hearers)
            said = Said(self.now(), role, people.get(role, ""), text, hearers, names)
            row = {"party_id": self.id, "number": len(self.talk) + 1, "body": msgspec.json.encode(said)}
            try:
                await self._ledger.write(insert(schema.party_talk).values(row))
            except Exception as error:
                self._is_stale = True
                _log.error("Talk of party %s could not be written: %s", self.id, error)
                raise Unwritten("Polemos could not save this, so nobody has heard it. Try again.") from None
            self.talk.append(said)
            self._lines[role] += 1
            heard = msgspec.json.encode(said.heard)
            for listener, other in self.listeners.items():
                if said.is_for(other, people.get(other, "")):
                    listener.tell(heard)

    # ---- phones

    def join(self, listener: Listener, role: str) -> None:
        self.listeners[listener] = role
        listener.tell(msgspec.json.encode(Here(role, self.game, self.evening.title, self.now())))
        self._show(listener, self._sight(role))
        name = self.evening.people.get(role, "")
        for said in [said for said in self.talk if said.is_for(role, name)][-KEPT:]:
            listener.tell(msgspec.json.encode(said.heard))

    def leave(self, listener: Listener) -> None:
        self.listeners.pop(listener, None)
        self._shown.pop(listener, None)

    async def claim(self, code: str) -> tuple[str, str]:
        """Uses a personal link: the role, and the token of the phone."""
        return await asyncio.shield(asyncio.ensure_future(self._claim(code)))

    async def _claim(self, code: str) -> tuple[str, str]:
        async with self._lock:
            await self._catch_up()
            link, token = self.links.used(code)
            await self._keep(link)
        return self._role(link.role), token

    async def move(self, role: str) -> None:
        """Makes a new link for a role; the phone that had it is disconnected."""
        await asyncio.shield(asyncio.ensure_future(self._move(role)))

    async def _move(self, role: str) -> None:
        async with self._lock:
            await self._catch_up()
            await self._keep(self.links.moved(role))

    def _link_row(self, link: Link) -> Executable:
        links = schema.party_links
        row = update(links).where(links.c.party_id == self.id, links.c.role == link.role)
        return row.values(number=link.number, token=link.token)

    async def _keep(self, link: Link) -> None:
        """Stores a link that was used or moved, together with what the journal says about it."""
        rows, fresh = [self._link_row(link)], None
        deed = self.evening.about_link(self._role(link.role), not link.is_used)
        if deed is not None:
            fresh, line = self.evening.after(deed.act, deed.by, self.now())
            rows.append(self._next_row(line))
        try:
            await self._ledger.write(*rows)
        except Exception as error:
            self._is_stale = fresh is not None
            _log.error("A link of party %s could not be written: %s", self.id, error)
            raise Unwritten("Polemos could not save this. Try again.") from None
        self.links.links[link.role] = link
        for listener in list(self.listeners):
            if listener.seat == link.role and not link.is_used:
                listener.dismiss(msgspec.json.encode(Moved(GONE)), GONE, MOVED)
        if fresh is not None:
            self._written += 1
            self._publish(fresh)

    def link_of(self, token: str | None) -> str:
        """Whose link a phone has used: a role, or the host's spare one."""
        return self.links.holder(token, self.evening.screens)

    def role_of(self, token: str | None) -> str:
        return self._role(self.link_of(token))

    def _role(self, link: str) -> str:
        return self.evening.umpire if link == SPARE else link

    async def end(self, why: str) -> None:
        """Closes the party as it stands: nobody comes in any more."""
        async with self._lock:
            parties = schema.parties
            try:
                await self._ledger.write(update(parties).where(parties.c.id == self.id).values(over=True))
            except Exception as error:
                _log.error("Party %s could not be closed: %s", self.id, error)
                raise Unwritten("Polemos could not save this. Try again.") from None
            self._is_ended = True
            said = f"This party was closed: {why}"
            for listener in list(self.listeners):
                listener.dismiss(msgspec.json.encode(Moved(said)), "This party was closed.", MOVED)

    # ---- things that happen by themselves

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here, and nothing happens before somebody comes."""
        return not self.listeners and (self.evening.is_over or self._is_waiting)

    def begin(self) -> None:
        if self._going is None and not self.evening.is_over:
            self._going = asyncio.create_task(self._go())

    async def _go(self) -> None:
        """Bots, and the server in the umpire's place."""
        while not self.evening.is_over:
            self._changed.clear()
            wait: float | None = PAUSE
            try:
                deed, again = await asyncio.to_thread(self.evening.by_itself, self.now())
                if deed is not None:
                    await self.act(deed.by, deed.act)
                    wait = 0.0
                else:
                    wait = None if again is None else max(0.0, (again - self.now()) / 1000)
            except PolemosError as error:  # somebody else was quicker, or the database is away
                _log.info("Party %s: %s", self.id, error)
            except Exception as error:
                _log.error("Party %s could not go on", self.id, exc_info=error)
            await asyncio.sleep(SOONEST)
            if wait is None or wait > SOONEST:
                self._is_waiting = wait is None
                await self._wait(wait)
                self._is_waiting = False

    async def _wait(self, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            pass

    async def close(self, seconds: float) -> None:
        """Stops bots and clocks, finishes what has begun, and tells everybody when to come back."""
        if self._going is not None:
            self._going.cancel()
            await asyncio.gather(self._going, return_exceptions=True)
        async with self._lock:
            for listener in list(self.listeners):
                why = f"The server is restarting. Connect again in {seconds:g} s."
                listener.dismiss(msgspec.json.encode(GoingDown(seconds)), why)
