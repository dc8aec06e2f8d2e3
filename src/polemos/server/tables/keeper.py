"""The keeper of one table: takes what people and bots do, writes it down, carries it out, and tells everybody.

One thing at a time: an act is carried out in memory, written with all that follows from it in one transaction, and only
then answered and told. What cannot be written is undone by reading the table anew.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
from sqlalchemy import delete, insert, update

from polemos.kernel.game import SPECTATOR
from polemos.kernel.orders import shown
from polemos.server.store import schema
from polemos.server.store.ledger import Ledger
from polemos.server.tables import audience
from polemos.server.tables.acts import (
    Act,
    Answered,
    Away,
    Dropped,
    Filed,
    Missed,
    Next,
    Offered,
    Paused,
    Ran,
    Resumed,
    Stood,
    Withdrew,
)
from polemos.server.tables.players import Players
from polemos.server.tables.table import Refusal, Table
from polemos.wire.table import ChatLine, ClockSaid, FrameSaid

MOST_WAITING: Final = 400  # messages to one listener; who does not read them is let go
MOST_LINES: Final = 4096
MOST_TALK: Final = 500  # characters
MOST_NOTES: Final = 100


class Listener:
    """One connection at a table."""

    def __init__(self, seat: str | None) -> None:
        self.seat = seat
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_WAITING)

    def tell(self, message: bytes) -> None:
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.let_go()

    def let_go(self) -> None:
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


class Keeper:
    """A table that is being played or watched."""

    def __init__(
        self,
        table: Table,
        ledger: Ledger,
        reload: Callable[[], Table],
        programs: dict[str, str] | None = None,
        drafts: dict[str, list[Any]] | None = None,
        notes: dict[str, dict[str, str]] | None = None,
        talk: list[ChatLine] | None = None,
    ) -> None:
        self.table = table
        self.listeners: set[Listener] = set()
        self.drafts = drafts or {}
        self.notes = notes or {}
        self.talk = talk or []
        self.touched = time.monotonic()
        self._ledger, self._reload = ledger, reload
        self._programs = programs or {}
        self._players = Players(table, self._programs)
        self._lock = asyncio.Lock()
        self._alarm: asyncio.TimerHandle | None = None
        self._asked: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    # ---- acting

    async def act(self, judge: Callable[[Table], Iterable[Act]], *, quiet: bool = False) -> None:
        """Judges under the lock, carries out, writes, tells. What `judge` raises is told to whoever asked."""
        async with self._lock:
            before = len(self.table.match.steps)
            was = self.table.status
            acts = list(judge(self.table))
            if not acts:
                return
            await self._do(acts)
            self._tell_changes(acts, before, was, quiet)
        self._look_ahead()

    async def _do(self, acts: list[Act]) -> None:
        at, table = time.time(), self.table
        first, was = table.acts, table.status
        done: list[Act] = []
        waiting = list(acts)
        while waiting:
            act = waiting.pop(0)
            table.carry_out(act, at)
            done.append(act)
            if not waiting and table.is_complete:
                waiting.append(Ran())
        rows = [
            {"table_id": table.id, "number": first + i, "at": at, "body": msgspec.json.encode(act)}
            for i, act in enumerate(done)
        ]
        statements: list[Any] = [insert(schema.acts).values(rows)]
        if table.status != was:
            statements.append(
                update(schema.game_tables).where(schema.game_tables.c.id == table.id).values(status=table.status)
            )
        if any(isinstance(act, Ran) for act in done):
            self.drafts.clear()
            statements.append(delete(schema.drafts).where(schema.drafts.c.table_id == table.id))
        try:
            await self._ledger.write(*statements)
        except BaseException:
            self.table = await asyncio.to_thread(self._reload)
            self._players = Players(self.table, self._programs)
            raise
        acts[:] = done

    # ---- what people do

    async def file(self, seat: str, lines: Sequence[Any], step: int) -> None:
        def judge(table: Table) -> list[Act]:
            table.check_filing(seat, step)
            return [Filed(seat, list(lines[:MOST_LINES]))]

        await self.act(judge)
        self.drafts.pop(seat, None)

    async def withdraw(self, seat: str) -> None:
        def judge(table: Table) -> list[Act]:
            if seat not in table.match.filed:
                raise Refusal("No sheet is filed that could be taken back.")
            sheet = table.match.filed[seat]
            self.drafts[seat] = list(sheet.texts)
            return [Withdrew(seat)]

        await self.act(judge)

    def draft(self, seat: str, lines: list[Any]) -> None:
        """Keeps what is being written. It may be lost with the last second, an acknowledged sheet may not."""
        lines = lines[:MOST_LINES]
        self.drafts[seat] = lines
        table = self.table.id
        where = (schema.drafts.c.table_id == table) & (schema.drafts.c.seat == seat)
        self._ledger.write_soon(
            delete(schema.drafts).where(where),
            insert(schema.drafts).values(table_id=table, seat=seat, lines=msgspec.json.encode(lines)),
        )

    async def do_word(self, seat: str, word: str) -> None:
        """One of the words under `may` that concern the match."""

        def judge(table: Table) -> list[Act]:
            if word not in table.may(seat):
                raise Refusal(f"{shown(word)[:20]!r} cannot be done now. What can: {', '.join(table.may(seat))}.")
            acts: dict[str, Act] = {
                "resign": Dropped(seat, "resigned"),
                "pause": Paused(seat),
                "resume": Resumed(seat),
                "leave": Stood(seat),
                "offer draw": Offered(seat, "draw"),
                "offer take back": Offered(seat, "take back"),
            }
            if word not in acts:
                raise Refusal(f"{word} is not done in this way.")
            return [acts[word]]

        await self.act(judge)

    async def answer_offer(self, seat: str, what: str, yes: bool) -> None:
        def judge(table: Table) -> list[Act]:
            if what not in table.offers or seat not in table.needs(what):
                raise Refusal(f"No {what} is offered to you.")
            return [Answered(seat, what, yes)]

        await self.act(judge)

    async def goes_on_at(self, table: str) -> None:
        await self.act(lambda _: [Next(table)])

    async def was_away(self, since: float) -> None:
        await self.act(lambda table: [Away(since)] if table.status == "playing" else [], quiet=True)

    async def say(self, seat: str | None, name: str, text: str, to: str) -> None:
        """A line of talk. People of one seat have a side of their own."""
        text = text.strip()[:MOST_TALK]
        if not text:
            raise Refusal("There is nothing to say in an empty line.")
        if seat is None:
            raise Refusal("Only those at the table talk here.")
        line = ChatLine(len(self.talk) + 1, time.time(), name, seat, "side" if to == "side" else "table", text)
        self.talk.append(line)
        body = msgspec.json.encode(line)
        await self._ledger.write(insert(schema.talk).values(table_id=self.table.id, number=line.number, body=body))
        for listener in self.listeners:
            if line.to == "table" or listener.seat == seat:
                listener.tell(body)

    async def note(self, seat: str, place: str, text: str) -> None:
        """A pencil note for this seat's eyes."""
        mine = self.notes.setdefault(seat, {})
        place, text = place[:40], text[:200]
        if text and place not in mine and len(mine) >= MOST_NOTES:
            raise Refusal(f"A seat keeps at most {MOST_NOTES} notes.")
        mine.pop(place, None)
        notes, table = schema.notes, self.table.id
        where = (notes.c.table_id == table) & (notes.c.seat == seat) & (notes.c.place == place)
        statements: list[Any] = [delete(notes).where(where)]
        if text:
            mine[place] = text
            statements.append(insert(notes).values(table_id=table, seat=seat, place=place, text=text))
        await self._ledger.write(*statements)
        self._tell_state(lambda listener: listener.seat == seat)

    def talk_for(self, seat: str | None) -> list[ChatLine]:
        return [line for line in self.talk if line.to == "table" or (seat is not None and line.seat == seat)]

    # ---- listening

    def join(self, listener: Listener) -> None:
        self.listeners.add(listener)
        self.touched = time.monotonic()
        if not self.table.game.facts.fog:
            self._tell_state(lambda other: other is not listener)

    def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        self.touched = time.monotonic()
        if not self.table.game.facts.fog:
            self._tell_state(lambda other: True)

    @property
    def here(self) -> frozenset[str]:
        return frozenset(listener.seat for listener in self.listeners if listener.seat is not None)

    @property
    def watching(self) -> int:
        return sum(listener.seat is None for listener in self.listeners)

    def state_for(self, seat: str | None) -> bytes:
        return msgspec.json.encode(
            audience.table_state(
                self.table,
                seat,
                watching=self.watching,
                here=self.here,
                notes={} if seat is None else self.notes.get(seat, {}),
            )
        )

    def sheet_for(self, seat: str, re: int | None = None) -> bytes:
        return msgspec.json.encode(audience.sheet(self.table, seat, self.drafts.get(seat), re))

    def clock_for(self, seat: str | None) -> bytes:
        return msgspec.json.encode(ClockSaid(audience.clock(self.table, seat, time.time())))

    # ---- telling

    def _tell_changes(self, acts: list[Act], before: int, was: str, quiet: bool) -> None:
        """Everybody hears of a new position; of what a seat did before it only those who may."""
        if quiet:
            return
        steps = len(self.table.match.steps)
        fog = self.table.game.facts.fog
        ran = steps != before or self.table.status != was
        doers = {getattr(act, "seat", None) for act in acts}
        public = not fog or ran or any(isinstance(act, Offered | Answered | Next | Stood) for act in acts)
        frames: dict[str, bytes] = {}
        for listener in list(self.listeners):
            who = audience.eyes(self.table, listener.seat)
            if steps > before:
                if who not in frames:
                    frames[who] = msgspec.json.encode(FrameSaid(audience.frame(self.table.match, steps, who)))
                listener.tell(frames[who])

        def mine(listener: Listener) -> bool:
            return public or listener.seat in doers

        self._tell_state(mine)
        sheets: dict[str, bytes] = {}
        for listener in list(self.listeners):
            if not mine(listener):
                continue
            listener.tell(self.clock_for(listener.seat))
            if listener.seat is not None:
                if listener.seat not in sheets:
                    sheets[listener.seat] = self.sheet_for(listener.seat)
                listener.tell(sheets[listener.seat])

    def _tell_state(self, to: Callable[[Listener], bool]) -> None:
        encoded: dict[str | None, bytes] = {}
        for listener in list(self.listeners):
            if to(listener):
                if listener.seat not in encoded:
                    encoded[listener.seat] = self.state_for(listener.seat)
                listener.tell(encoded[listener.seat])

    # ---- what comes by itself: bots and bells

    def _look_ahead(self) -> None:
        """After every change: bots that are to act are asked, and the next bell is set."""
        if self._closed:
            return
        table = self.table
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if table.status == "over":
            self._players.close()
            return
        if table.status != "playing":
            return
        for seat in table.of_kind("bot"):
            if table.is_due(seat) and seat not in self._asked:
                self._asked[seat] = task = asyncio.create_task(self._ask(seat))
                task.add_done_callback(lambda _, seat=seat: self._answered(seat))  # type: ignore[misc]
        end = table.clocks.next_end()
        if end is not None:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(max(0.0, end - time.time()) + 0.01, self._ring)

    wake = _look_ahead

    def _answered(self, seat: str) -> None:
        self._asked.pop(seat, None)
        if not self._closed and self.table.is_due(seat):
            self._look_ahead()

    async def _ask(self, seat: str) -> None:
        table, step = self.table, len(self.table.match.steps)
        if table.wish.pace and not table.people:
            await asyncio.sleep(table.wish.pace)
        answer = await self._players.answer(seat)

        def judge(now: Table) -> list[Act]:
            return [answer] if now is table and len(now.match.steps) == step and now.is_due(seat) else []

        await self.act(judge)

    def _ring(self) -> None:
        self._alarm = None
        task = asyncio.create_task(self.act(_time_up))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: self._look_ahead())

    async def close(self) -> None:
        self._closed = True
        if self._alarm is not None:
            self._alarm.cancel()
        for task in [*self._asked.values(), *self._tasks]:
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task
        self._players.close()
        for listener in list(self.listeners):
            listener.let_go()


def _time_up(table: Table) -> list[Act]:
    """By rule: who lets a turn pass gives no orders; who has emptied a bank drops out."""
    if table.status != "playing":
        return []
    late = table.clocks.expired(time.time())
    if table.wish.clock.kind == "bank":
        return [Dropped(seat, "time: the bank is empty") for seat in late]
    return [Missed(seat, "late: the time for the turn was up") for seat in late]


__all__ = ["SPECTATOR", "Keeper", "Listener"]
