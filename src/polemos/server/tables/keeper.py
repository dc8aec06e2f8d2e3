"""The keeper of one table: takes what people and bots do, writes it down, carries it out, and tells everybody.

One thing at a time: an act is carried out in memory, written with all that follows from it in one transaction, and only
then answered and told. What cannot be written is undone by reading the table anew.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
from sqlalchemy import Executable, delete, insert, update

from polemos.kernel.errors import BrokenGame, OrderError, PolemosError
from polemos.kernel.orders import shown
from polemos.server.store import schema
from polemos.server.store.ledger import Ledger
from polemos.server.tables import audience
from polemos.server.tables.acts import (
    Act,
    Answered,
    Away,
    Bid,
    Dropped,
    Filed,
    Finished,
    Held,
    Missed,
    Next,
    Offered,
    Paused,
    Ran,
    Resumed,
    Sat,
    Stood,
    Withdrew,
)
from polemos.server.tables.clocks import now
from polemos.server.tables.crews import merged
from polemos.server.tables.lines import sheet_of
from polemos.server.tables.listeners import Listener
from polemos.server.tables.players import Players
from polemos.server.tables.table import Refusal, Table
from polemos.server.words import tidy
from polemos.wire.table import ChatLine, ClockSaid, FrameSaid

MOST_TALK: Final = 500  # characters
KEPT_TALK: Final = 300  # lines that are kept in memory
MOST_NOTES: Final = 100
PATIENCE: Final = 0.5  # seconds until something that failed by itself is tried again, at first
LONGEST_PATIENCE: Final = 30.0
RUNNING: Final = ("playing", "sealed")  # while clocks run
BEFORE: Final = ("open", "sealed")  # while people may still change seats
PUBLIC: Final = (Offered, Answered, Next, Sat, Stood)  # acts that everybody hears of also in the fog

_log = logging.getLogger("polemos")


class Unwritten(PolemosError):
    """The database did not take it."""

    word = "server/unwritten"


class Keeper:
    """A table that is being played or watched."""

    def __init__(
        self,
        table: Table,
        ledger: Ledger,
        reload: Callable[[], Table],
        programs: Mapping[str, str] | None = None,
        drafts: dict[str, list[Any]] | None = None,
        notes: dict[str, dict[str, str]] | None = None,
        talk: list[ChatLine] | None = None,
        sign: Callable[[str], str] | None = None,
    ) -> None:
        self._sign = sign  # makes a secret of a text that only this server can make
        self.table = table
        self.listeners: set[Listener] = set()
        self.drafts = drafts or {}
        self.notes = notes or {}
        self.talk = talk or []
        self.touched = time.monotonic()
        self.rematching = asyncio.Lock()
        self._ledger, self._reload = ledger, reload
        self._programs = programs or {}
        self._players = Players(table, self._programs)
        self._lock = asyncio.Lock()
        self._alarm: asyncio.TimerHandle | None = None
        self._asked: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._stale = False  # the table in memory is not the one on disk
        self._failures = 0  # of what comes by itself, in a row
        self._closed = False

    # ---- acting

    async def begin(self, row: Mapping[str, Any], acts: Sequence[Act]) -> None:
        """Writes a new table with those who sit there at once, all or nothing."""
        async with self._lock:
            await self._do(list(acts), insert(schema.game_tables).values(**row))
        self._look_ahead()

    async def act(
        self, judge: Callable[[Table], Iterable[Act]], *, quiet: bool = False, also: Sequence[Executable] = ()
    ) -> None:
        """Judges under the lock, carries out, writes, tells. What `judge` raises is told to whoever asked.

        Once begun it is done to the end, even if whoever asked has gone meanwhile. `also` is written with it.
        """
        await self._to_the_end(self._act(judge, quiet, also))

    async def _act(self, judge: Callable[[Table], Iterable[Act]], quiet: bool, also: Sequence[Executable]) -> None:
        async with self._lock:
            if self._stale:
                await self._recover()
            before, was = len(self.table.match.steps), self.table.status
            acts = list(judge(self.table))
            if not acts:
                return
            try:
                done = await self._do(acts, *also)
            except Exception as error:
                done = await self._rescue(acts, error)
            if any(isinstance(act, Ran) for act in done):
                self.drafts.clear()
            if len(self.table.match.steps) < before:
                self._new_players()  # bots that have seen what was taken back
            if not quiet:
                self._tell_changes(done, before, was)
        self._look_ahead()

    async def _do(self, acts: list[Act], *also: Executable) -> list[Act]:
        """Carries out and writes; gives the acts with all that followed from them."""
        self._stale = True  # until it is on disk
        at, table = now(), self.table
        first, was = table.acts, table.status
        try:
            done = carried_out(table, acts, at)
            statements = [*also, *_statements(table, done, first, at, table.status != was)]
        except Exception:
            with suppress(Exception):
                await self._recover()
            raise
        try:
            await self._ledger.write(*statements)
            self._stale = False
        except Exception as error:
            _log.error("Table %s could not be written: %s", table.id, error)
            await self._recover()
            if self.table.acts != table.acts:
                raise Unwritten("Polemos could not write this down, so that it was not done. Try again.") from None
        return done

    async def _rescue(self, acts: Sequence[Act], error: Exception) -> list[Act]:
        """A step that fails by our own fault is run without the sheets of bots; after a clock has rung, without any."""
        if isinstance(error, PolemosError) and not isinstance(error, BrokenGame):
            raise error
        _log.error("Table %s: carrying out failed", self.table.id, exc_info=error)
        table = self.table
        rung = bool(table.clocks.expired(now()))
        aside = {seat for seat in table.match.to_act if rung or seat in table.of_kind("bot")}
        others = [act for act in acts if not (isinstance(act, Filed | Missed) and act.seat in aside)]
        missed = [Missed(seat, "failed: it could not be adjudicated") for seat in aside if not table.has_missed(seat)]
        if self._stale or not missed:
            raise error
        return await self._do([*missed, *others])

    async def _recover(self) -> None:
        """Takes the table as it is on disk. Until that works, nothing is done at this table."""
        try:
            self.table = await asyncio.to_thread(self._reload)
        except Exception as error:
            _log.error("Table %s could not be read: %s", self.table.id, error)
            raise Unwritten("Polemos cannot reach what it has written down. Try again later.") from None
        self._new_players()
        self._stale = False

    async def _write(self, *statements: Executable) -> None:
        """Writes what is no act."""
        try:
            await self._ledger.write(*statements)
        except Exception as error:
            _log.error("Something of table %s could not be written: %s", self.table.id, error)
            raise Unwritten("Polemos could not write this down, so that it was not done. Try again.") from None

    def _new_players(self) -> None:
        self._players.close()
        self._players = Players(self.table, self._programs)

    async def _to_the_end(self, doing: Awaitable[Any]) -> None:
        """Goes on with it also when whoever waits for it is cancelled."""
        task = asyncio.ensure_future(doing)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        await asyncio.shield(task)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # was raised to whoever waits; if nobody does, it is of no interest

    # ---- what people do

    async def file(self, seat: str, lines: Sequence[Any], step: int, member: int = 0) -> None:
        """A sheet for this step. One of several persons files for the roles that are held; the last of them for all."""
        also: list[Executable] = []

        def judge(table: Table) -> list[Act]:
            table.check_filing(seat, step)
            sheet, crew = self._joint(seat, member, sheet_of(lines)), table.crews[seat]
            if not crew.is_team or not crew.holders:
                return [Filed(seat, sheet)]
            mine = [role for role in crew.held_by(member) if role not in crew.done]
            acts: list[Act] = [Finished(seat, role, True) for role in mine]
            if crew.is_finished(mine):
                return [*acts, Filed(seat, sheet)]
            if not mine:
                raise Refusal("Your side files when all who hold a role are done, and there is none left of yours.")
            self.drafts[seat] = sheet
            also.extend(self._kept_draft(seat))  # what is acknowledged is on disk
            return acts

        await self.act(judge, also=also)
        if seat not in self.table.match.filed and self.table.crews[seat].is_team:
            return
        self.drafts.pop(seat, None)

    def _joint(self, seat: str, member: int, lines: list[Any]) -> list[Any]:
        """The sheet with what the others of this seat have written; what is done is not touched any more."""
        crew, game = self.table.crews[seat], self.table.game
        if not crew.is_team:
            return lines

        def role_of(line: Any) -> str | None:
            with suppress(OrderError):
                role: str | None = game.role(game.read(line))
                return role
            return None

        mine = [role for role in crew.of(member) if role not in crew.done]
        return merged(role_of, mine, self.drafts.get(seat, []), lines)

    async def bid(self, seat: str, number: int) -> None:
        """Names a number in secret. When all have, the match begins and people may have changed seats."""

        def judge(table: Table) -> list[Act]:
            table.check_bid(seat, number)
            return [Bid(seat, number)]

        await self.act(judge)

    async def take_role(self, seat: str, member: int, role: str, take: bool) -> None:
        def judge(table: Table) -> list[Act]:
            table.check_role(seat, member, role)
            return [Held(seat, member, role, take)]

        await self.act(judge)

    async def finish(self, seat: str, member: int, role: str, done: bool) -> None:
        """A role is done for this turn, or goes on. The last of those that are held files the sheet."""

        def judge(table: Table) -> list[Act]:
            table.check_filing(seat, len(table.match.steps))
            table.check_role(seat, member, role)
            crew = table.crews[seat]
            acts: list[Act] = [Finished(seat, role, done)]
            if done and crew.is_finished([role]):
                acts.append(Filed(seat, list(self.drafts.get(seat, []))))
            return acts

        await self.act(judge)

    def look(self, listener: Listener, at: str) -> None:
        """What somebody looks at is told to those of the same seat, and forgotten."""
        listener.looks = tidy(at, 40) or None
        if listener.seat is not None and self.table.crews[listener.seat].is_team:
            self._tell_state(lambda other: other.seat == listener.seat and other is not listener)

    async def strike(self, seat: str, step: int, why: str) -> None:
        """An answer of a program that makes no sense costs the turn; the third drops it out."""

        def judge(table: Table) -> list[Act]:
            return [Missed(seat, why, strike=True)] if len(table.match.steps) == step and table.is_due(seat) else []

        await self.act(judge)

    async def withdraw(self, seat: str) -> None:
        def judge(table: Table) -> list[Act]:
            table.check_withdrawal(seat)
            self.drafts[seat] = list(table.match.filed[seat].texts)
            return [Withdrew(seat)]

        await self.act(judge)

    def draft(self, seat: str, lines: Sequence[Any], member: int = 0) -> None:
        """Keeps what is being written. It may be lost with the last second, an acknowledged sheet may not."""
        if self.table.status in (*BEFORE, "over"):
            raise Refusal(f"There is nothing to order: the table is {self.table.status}.")
        self.drafts[seat] = self._joint(seat, member, sheet_of(lines))
        self._ledger.write_soon(*self._kept_draft(seat))

    def _kept_draft(self, seat: str) -> list[Executable]:
        drafts, table, kept = schema.drafts, self.table.id, msgspec.json.encode(self.drafts[seat])
        return [
            delete(drafts).where(drafts.c.table_id == table, drafts.c.seat == seat),
            insert(drafts).values(table_id=table, seat=seat, lines=kept),
        ]

    async def do_word(self, seat: str, word: str) -> None:
        """One of the words under `may` that concern the match."""

        def judge(table: Table) -> list[Act]:
            acts: dict[str, Act] = {
                "resign": Dropped(seat, "resigned"),
                "pause": Paused(seat),
                "resume": Resumed(seat),
                "leave": Stood(seat),
                "offer draw": Offered(seat, "draw"),
                "offer take back": Offered(seat, "take back"),
            }
            can = [known for known in table.may(seat) if known in acts]
            if word not in can:
                raise Refusal(f"{shown(word)[:20]!r} cannot be done now. What can: {', '.join(can) or 'nothing'}.")
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
        await self.act(lambda table: [Away(since)] if table.status in RUNNING else [], quiet=True)

    async def say(self, seat: str, name: str, text: str, to: str) -> None:
        """A line of talk. People of one seat have a side of their own."""
        text = tidy(text, MOST_TALK)
        if not text:
            raise Refusal("There is nothing to say in an empty line.")
        if to == "side":
            self._check_seats()
        await self._to_the_end(self._say(seat, name, text, to))

    async def _say(self, seat: str, name: str, text: str, to: str) -> None:
        async with self._lock:
            number = self.talk[-1].number + 1 if self.talk else 1
            line = ChatLine(number, now(), name, seat, "side" if to == "side" else "table", text)
            body = msgspec.json.encode(line)
            await self._write(insert(schema.talk).values(table_id=self.table.id, number=number, body=body))
            self.talk = [*self.talk[-KEPT_TALK:], line]
            for listener in list(self.listeners):
                if line.to == "table" or listener.seat == seat:
                    listener.tell(body)

    async def note(self, seat: str, place: str, text: str) -> None:
        """A pencil note for this seat's eyes."""
        self._check_seats()
        await self._to_the_end(self._note(seat, tidy(place, 40), tidy(text, 200)))

    async def _note(self, seat: str, place: str, text: str) -> None:
        async with self._lock:
            mine = {kept: of for kept, of in self.notes.get(seat, {}).items() if kept != place}
            if text and len(mine) >= MOST_NOTES:
                raise Refusal(f"A seat keeps at most {MOST_NOTES} notes.")
            notes, table = schema.notes, self.table.id
            statements: list[Executable] = [
                delete(notes).where(notes.c.table_id == table, notes.c.seat == seat, notes.c.place == place)
            ]
            if text:
                mine[place] = text
                statements.append(insert(notes).values(table_id=table, seat=seat, place=place, text=text))
            await self._write(*statements)
            self.notes[seat] = mine
            self._tell_state(lambda listener: listener.seat == seat)

    def _check_seats(self) -> None:
        """What is for a seat alone is not left to whoever takes that seat next."""
        if self.table.status in BEFORE:
            raise Refusal("Nothing is kept for a seat before the match has begun: somebody else may come to sit there.")

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
        if not self.table.game.facts.fog and not self._closed:
            self._tell_state(lambda other: True)

    @property
    def here(self) -> frozenset[str]:
        return frozenset(listener.seat for listener in self.listeners if listener.seat is not None)

    @property
    def watching(self) -> int:
        return sum(listener.seat is None for listener in self.listeners)

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here, and nothing will happen by itself."""
        return not self.listeners and not self._asked and not self._tasks and self._alarm is None

    def state_for(self, seat: str | None, member: int = 0) -> bytes:
        return msgspec.json.encode(
            audience.table_state(
                self.table,
                seat,
                watching=self.watching,
                here=self.here,
                notes={} if seat is None else self.notes.get(seat, {}),
                member=member,
                seen={(one.seat, one.member): one.looks for one in self.listeners if one.seat is not None},
                link=None if seat is None else self.crew_link(seat),
            )
        )

    def crew_link(self, seat: str) -> str | None:
        """What lets further persons into a seat, for as long as the same person sits there."""
        sitter = self.table.seats[seat]
        if sitter is None or self._sign is None:
            return None
        return self._sign(f"crew {self.table.id} {seat} {sitter.secret}")

    def sheet_for(self, seat: str, re: int | None = None) -> bytes:
        return msgspec.json.encode(audience.sheet(self.table, seat, self.drafts.get(seat), re))

    def clock_for(self, seat: str | None) -> bytes:
        return msgspec.json.encode(ClockSaid(audience.clock(self.table, seat, now())))

    # ---- telling

    def _tell_changes(self, acts: Sequence[Act], before: int, was: str) -> None:
        """Everybody hears of new positions; of what a seat did before them only those who may."""
        steps = len(self.table.match.steps)
        moved = steps != before or self.table.status != was
        sealed = all(isinstance(act, Bid) for act in acts)
        public = moved or any(isinstance(act, PUBLIC) for act in acts) or not (sealed or self.table.game.facts.fog)
        doers = {getattr(act, "seat", None) for act in acts}
        if was in BEFORE and self.table.begun:
            self._move_people()
            if was == "sealed":
                self._tell_frame(0)
        for number in range(before + 1, steps + 1):
            self._tell_frame(number)

        def mine(listener: Listener) -> bool:
            return public or listener.seat in doers

        self._tell_state(mine)
        self._tell_sheets(mine)

    def _move_people(self) -> None:
        """After bids a connection speaks for the seat that its person has now."""
        for listener in self.listeners:
            if listener.seat is not None:
                listener.seat = self.table.moved.get(listener.seat, listener.seat)

    def _tell_frame(self, number: int) -> None:
        encoded: dict[str, bytes] = {}
        for listener in list(self.listeners):
            who = audience.eyes(self.table, listener.seat)
            if who not in encoded:
                encoded[who] = msgspec.json.encode(FrameSaid(audience.frame(self.table.match, number, who)))
            listener.tell(encoded[who])

    def _tell_state(self, to: Callable[[Listener], bool]) -> None:
        encoded: dict[tuple[str | None, int], bytes] = {}
        for listener in list(self.listeners):
            if to(listener):
                who = (listener.seat, listener.member)
                if who not in encoded:
                    encoded[who] = self.state_for(*who)
                listener.tell(encoded[who])

    def tell_sheet(self, seat: str) -> None:
        """The sheet to all persons of a seat, after one of them has written on it."""
        message = self.sheet_for(seat)
        for listener in list(self.listeners):
            if listener.seat == seat:
                listener.tell(message)

    def _tell_sheets(self, to: Callable[[Listener], bool]) -> None:
        """The clocks, and the sheets of those who have one."""
        sheets: dict[str, bytes] = {}
        for listener in list(self.listeners):
            if to(listener):
                listener.tell(self.clock_for(listener.seat))
                if listener.seat is not None:
                    if listener.seat not in sheets:
                        sheets[listener.seat] = self.sheet_for(listener.seat)
                    listener.tell(sheets[listener.seat])

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
        if table.status not in RUNNING:
            return
        for seat in table.of_kind("bot") if table.status == "playing" else ():
            if table.is_out(seat):
                self._players.drop(seat, "dropped out")
            elif table.is_due(seat) and seat not in self._asked:
                self._asked[seat] = task = asyncio.create_task(self._ask(seat))
                task.add_done_callback(lambda _, seat=seat: self._answered(seat))  # type: ignore[misc]
        end = table.clocks.next_end()
        if end is not None:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(max(0.0, end - now()) + 0.01, self._ring)

    wake = _look_ahead

    def _answered(self, seat: str) -> None:
        self._asked.pop(seat, None)
        if not self._closed and self.table.is_due(seat):
            self._look_ahead()

    async def _ask(self, seat: str) -> None:
        table, position = self.table, self.table.positions
        if table.wish.pace and not table.people:
            await asyncio.sleep(table.wish.pace)

        def judge(now: Table) -> list[Act]:
            return [answer] if now is table and now.positions == position and now.is_due(seat) else []

        async with _Trial(self, f"the bot of {seat}"):
            answer = await self._players.answer(seat)
            await self.act(judge)

    def _ring(self) -> None:
        self._alarm = None
        task = asyncio.create_task(self._time_is_up())
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def _time_is_up(self) -> None:
        async with _Trial(self, "the clocks"):
            await self.act(lambda table: late_seats(table, self.drafts))
        self._look_ahead()

    async def wait_after(self, what: str, error: Exception) -> None:
        """Something that comes by itself has failed: it is noted, and tried again after a while."""
        _log.error("Table %s: %s failed", self.table.id, what, exc_info=error)
        self._failures += 1
        await asyncio.sleep(min(LONGEST_PATIENCE, PATIENCE * 2 ** min(self._failures - 1, 10)))

    def went_well(self) -> None:
        self._failures = 0

    async def close(self) -> None:
        """Waits for what is being written, and lets everybody go."""
        self._closed = True
        if self._alarm is not None:
            self._alarm.cancel()
        for asked in list(self._asked.values()):
            asked.cancel()
        await asyncio.gather(*self._asked.values(), return_exceptions=True)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=2)
        self._players.close()
        for listener in list(self.listeners):
            listener.let_go()


class _Trial:
    """Around what nobody waits for: a failure is noted and followed by a pause, so that it is not tried in a rush."""

    def __init__(self, keeper: Keeper, what: str) -> None:
        self._keeper, self._what = keeper, what

    async def __aenter__(self) -> None:
        return None

    async def __aexit__(self, kind: object, error: BaseException | None, where: object) -> bool:
        if error is None:
            self._keeper.went_well()
        elif isinstance(error, Exception):
            await self._keeper.wait_after(self._what, error)
        return isinstance(error, Exception)


def carried_out(table: Table, acts: Sequence[Act], at: float) -> list[Act]:
    """Carries out the acts, and runs the step as often as nobody is waited for."""
    done: list[Act] = []
    waiting = list(acts)
    while waiting:
        act = waiting.pop(0)
        table.carry_out(act, at)
        done.append(act)
        if not waiting and table.is_complete:
            waiting.append(Ran())
    return done


def _statements(table: Table, done: Sequence[Act], first: int, at: float, moved: bool) -> list[Executable]:
    """What is written for these acts."""
    tables, found = schema.game_tables, list[Executable]()
    if done:
        rows = [
            {"table_id": table.id, "number": first + i, "at": at, "body": msgspec.json.encode(act)}
            for i, act in enumerate(done)
        ]
        found.append(insert(schema.acts).values(rows))
    if moved:
        found.append(update(tables).where(tables.c.id == table.id).values(status=table.status))
    if any(isinstance(act, Ran) for act in done):
        found.append(delete(schema.drafts).where(schema.drafts.c.table_id == table.id))
    return found


def late_seats(table: Table, drafts: Mapping[str, Sequence[Any]]) -> list[Act]:
    """By rule: who lets a turn pass gives no orders; who has emptied a bank drops out.

    Where orders act at once, those that were given before the bell stand.
    """
    if table.status == "sealed" and table.asked is not None:
        return [Bid(seat, table.asked.usual) for seat in table.clocks.expired(now())]
    if table.status != "playing":
        return []
    late = table.clocks.expired(now())
    if table.wish.clock.kind == "bank":
        return [Dropped(seat, "time: the bank is empty") for seat in late]
    stand = drafts if table.game.facts.incremental else {}
    return [
        Filed(seat, sheet_of(stand[seat])) if stand.get(seat) else Missed(seat, "late: the time for the turn was up")
        for seat in late
    ]
