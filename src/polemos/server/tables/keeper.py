"""The keeper of one table: takes the acts of people and bots, carries them out, stores them, and tells everyone.

One act at a time: it is carried out at a copy of the table and written in one transaction together with everything that
follows from it. Only then the copy becomes the table that everyone sees, and the act is confirmed and announced. So
`table` always is as on disk, and never changes: if writing fails, the copy is dropped.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import Executable, RowMapping, delete, insert, select, update

from polemos.kernel.capabilities.order_by_order import OrderByOrder
from polemos.kernel.errors import BrokenGame, PolemosError
from polemos.kernel.verdict import Verdict
from polemos.server.store import schema
from polemos.server.store.leases import Pen
from polemos.server.store.ledger import Moved, Unwritten
from polemos.server.tables import rated, snapshots, standings
from polemos.server.tables.acts import Act, Away, Bid, Dropped, Filed, Joined, Missed, Next, Ran, Sat, Stood
from polemos.server.tables.clocks import now
from polemos.server.tables.lines import sheet_of
from polemos.server.tables.listeners import Listener
from polemos.server.tables.papers import Papers
from polemos.server.tables.players import Players
from polemos.server.tables.table import Table
from polemos.server.tables.versions import Versions
from polemos.server.tables.voice import Frames, Voice, written_frames
from polemos.server.thinking import Thinkers
from polemos.server.work import FEW, LONG, OURSELVES, Rank, Usual, Visitor, Work
from polemos.wire.table import Restarting

PATIENCE: Final = 0.5  # seconds until the first retry of something that happens by itself
LONGEST_PATIENCE: Final = 30.0
UNSAVED: Final = (
    "Polemos could not save this turn, so the table stands where it stood. Your clock is stopped until it can."
)
WAITING: Final = "Polemos is waiting for its database. The turn is played as soon as it is saved."
BACK: Final = 1.0  # seconds until people should come back to a table that has moved
SLOW: Final = 5.0  # seconds to wait for a write before people are told, and before their clocks no longer count
RUNNING: Final = ("playing", "sealed")  # while clocks run
TELLING: Final = 0.00003  # seconds that it takes to tell one listener about an act
TYPING: Final = 0.3  # seconds until a draft is written
UNWATCHED: Final = 900.0  # seconds for which bots play on when nobody watches

_log = logging.getLogger("polemos")


class _Written(Struct):
    """Acts carried out at a copy of the table. Nobody may see the copy until it is certain that they are on disk."""

    table: Table
    acts: list[Act]
    at: float
    quiet: bool


class Keeper:
    """A table that is being played or watched."""

    def __init__(
        self,
        table: Table,
        pen: Pen,
        reload: Callable[[], Table],
        programs: Mapping[str, str] | None = None,
        papers: Papers | None = None,
        sign: Callable[[str], str] | None = None,
        work: Work | None = None,
        thinkers: Thinkers | None = None,
        owner: str = "",
        versions: Versions | None = None,
    ) -> None:
        self.table = table
        self.papers = papers or Papers()
        self.owner = owner  # who opened it, for quotas and for the share of its bots
        self._work, self._thinkers = work or Work(), thinkers or Thinkers()
        self.voice = Voice(table, self.papers, sign, self._work)
        self.touched = time.monotonic()
        self.rematching = asyncio.Lock()
        self.pen, self._reload = pen, reload
        self._programs, self._versions = programs or {}, versions
        self._players = Players(table, self._programs, self._thinkers, owner, versions=versions)
        self._usual = Usual()  # seconds to carry out acts
        self._usual_frames = Usual()
        self._lock = asyncio.Lock()
        self._alarm: asyncio.TimerHandle | None = None
        self._asked: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._unsure: _Written | None = None  # acts of which it is not known whether they are on disk
        self._since: float | None = None  # when a write failed, or took too long; clocks do not count from then on
        self._told = False  # whether people know that
        self._mending: asyncio.Task[None] | None = None
        self._failures = 0  # in a row, of things that happen by themselves
        self._unkept: dict[str, asyncio.TimerHandle] = {}  # seats whose draft is not on disk yet
        self._closed = False
        self._asleep_on_disk = False
        self.kept_acts = 0  # how many of the acts are in the snapshot on disk

    # ---- acting

    async def begin(self, row: Mapping[str, Any], acts: Sequence[Act]) -> None:
        """Writes a new table with its first seats taken, all or nothing."""
        statements = self.draw_up(row, acts)
        try:
            await self._saved(self.pen.write_first(*statements))
        except Unwritten:
            if self._unsure is None or not await self._is_on_disk(self._unsure):
                raise
        self.begun()

    def draw_up(self, row: Mapping[str, Any], acts: Sequence[Act]) -> list[Executable]:
        """The statements that write a new table with its first seats taken. Once they are on disk, call `begun`."""
        at, table = now(), self.table.copy()
        done = carried_out(table, acts, at)
        self._unsure = _Written(table, done, at, quiet=True)
        moved = table.status != self.table.status
        made = [insert(schema.game_tables).values(**row), *self.pen.lease(), standings.opened(table, self.owner)]
        return [*made, *_statements(table, done, 0, at, moved)]

    def begun(self) -> None:
        assert self._unsure is not None
        self._publish(self._unsure)
        self._unsure = None
        self._look_ahead()

    async def act(
        self,
        judge: Callable[[Table], Iterable[Act]],
        *,
        quiet: bool = False,
        also: Sequence[Executable] = (),
        by: Visitor | None = None,
    ) -> None:
        """Checks acts under the lock, carries them out, writes and announces them. Errors in `judge` go to the caller.

        Once begun, it is always finished, even if the caller has left. `also` is written along with the acts, and `by`
        pays for the work.
        """
        await self._to_the_end(self._act(judge, quiet, also, by or Visitor(self.owner)))

    async def _act(
        self, judge: Callable[[Table], Iterable[Act]], quiet: bool, also: Sequence[Executable], by: Visitor
    ) -> None:
        async with self._lock:
            await self._recover()
            acts = list(judge(self.table))
            if not acts:
                return
            try:
                written = await self._do(acts, *also, quiet=quiet, by=by)
            except Exception as error:
                written = await self._rescue(acts, error, by)
            self._publish(written, await self._frames(written, by))
            self._work.charge(by, TELLING * len(self.voice.listeners))
        self._look_ahead()

    async def _do(self, acts: list[Act], *also: Executable, quiet: bool = False, by: Visitor = OURSELVES) -> _Written:
        """Carries out acts at a copy of the table, and writes them with all that follows from them."""
        at, table = now(), self.table.copy()
        usual = self._usual if sum(len(act.lines) for act in acts if isinstance(act, Filed)) <= FEW else LONG
        done = await self._work.do(by, self._rank, usual, carried_out, table, acts, at)
        moved = table.status != self.table.status
        standing = [standings.woken(table.id)] if self._asleep_on_disk else []
        if moved and table.status == "over":
            standing = [standings.ended(table.id), *rated.ended(table, at)]
        back = len(table.match.steps) < len(self.table.match.steps)
        statements = [*also, *standing, *_statements(table, done, self.table.acts, at, moved, back)]
        self._unsure = written = _Written(table, done, at, quiet)
        slow = asyncio.get_running_loop().call_later(SLOW, self._tell_trouble, written, "server/waiting", WAITING)
        try:
            await self.pen.write(*statements)
        except Moved:
            self._unsure = None
            raise
        except Exception as error:
            _log.error("Table %s could not be written: %s", table.id, error)
            await self._check(written)
        finally:
            slow.cancel()
        self._unsure, self._asleep_on_disk = None, False
        if now() - at > SLOW:
            self._since = at
            self._mend_soon()
        return written

    @property
    def _rank(self) -> Rank:
        return Rank.ORDERS if self.table.people or self.table.of_kind("program") else Rank.SHOWS

    async def _frames(self, written: _Written, by: Visitor) -> Frames:
        """The new positions for those who listen, built before anyone can see them, because that may take long."""
        first, last = len(self.table.match.steps) + 1, len(written.table.match.steps)
        if written.quiet or last < first or self._usual_frames.is_quick:
            return {}
        how = self.voice.audiences(written.table)
        given = (written.table, range(first, last + 1), how)
        try:
            return await self._work.do(by, self._rank, self._usual_frames, written_frames, *given)
        except Exception as error:  # our fault; the acts are on disk, so everyone gets to know the rest
            _log.error("The turn at table %s could not be shown", self.table.id, exc_info=error)
            return {}

    async def _check(self, written: _Written) -> None:
        """After an error: returns if the acts are on disk nevertheless. Otherwise everyone is told, and it raises."""
        try:
            if await self._is_on_disk(written):
                return
            self._unsure = None
            raise Unwritten("Polemos could not save this, so nothing was changed. Try again.")
        except Unwritten as error:
            self._since = written.at if self._since is None else self._since
            if not self._told:
                self._told = True
                self._tell_trouble(written, error.word, UNSAVED)
            self._mend_soon()
            raise

    async def _is_on_disk(self, written: _Written) -> bool:
        """Whether these acts follow those of the table on disk. Reads the whole table again if others do."""
        acts = schema.acts
        after = select(acts.c.body).where(acts.c.table_id == self.table.id, acts.c.number >= self.table.acts)
        try:
            rows = await asyncio.to_thread(self.pen.read_settled, after.order_by(acts.c.number))
            found = [bytes(row["body"]) for row in rows]  # a process that took over may have written more
            if found and found[: len(written.acts)] != [msgspec.json.encode(act) for act in written.acts]:
                _log.error("Table %s has other acts on disk than here, and is read again.", self.table.id)
                self._replace(await asyncio.to_thread(self._reload))
                return False
        except Exception as error:
            _log.error("Table %s could not be read: %s", self.table.id, error)
            raise Unwritten("Polemos can't reach its database. Try again later.") from None
        return bool(found)

    def _publish(self, written: _Written, ready: Frames | None = None) -> None:
        """Makes a copy whose acts are on disk the table that everyone sees, and announces them."""
        before, table = self.table, written.table
        self.table = self.voice.table = self._players.table = table
        back = len(table.match.steps) < len(before.match.steps)
        if back or any(isinstance(act, Ran) for act in written.acts):
            self.papers.next_step()
        if back:
            self._new_players()  # the old bots have seen the turn that was taken back
        if not written.quiet:
            began = time.thread_time()
            self.voice.tell_changes(written.acts, len(before.match.steps), before.status, ready or {})
            if not ready and len(table.match.steps) > len(before.match.steps):
                self._usual_frames.note(time.thread_time() - began)

    def _replace(self, table: Table) -> None:
        """Takes over the table as it is on disk."""
        self.table = self.voice.table = table
        self._unsure = None
        self._new_players()

    async def _rescue(self, acts: Sequence[Act], error: Exception, by: Visitor) -> _Written:
        """Replays a step that failed through our fault without the bots' sheets, or, if time ran out, without any."""
        if isinstance(error, PolemosError) and not isinstance(error, BrokenGame):
            raise error
        _log.error("Table %s: an act failed", self.table.id, exc_info=error)
        table = self.table
        rung = bool(table.clocks.expired(now()))
        aside = {seat for seat in table.match.to_act if rung or seat in table.of_kind("bot")}
        others = [act for act in acts if not (isinstance(act, Filed | Missed) and act.seat in aside)]
        why = str(Verdict("failed", "it could not be adjudicated"))
        missed = [Missed(seat, why) for seat in aside if not table.has_missed(seat)]
        if not missed:
            raise error
        return await self._do([*missed, *others], by=by)

    # ---- after a failed write

    async def _recover(self) -> None:
        """Finds out how things stand on disk, if that is unknown. The time since a failure does not count for clocks.

        Until that works, nothing can be done at this table.
        """
        if (unsure := self._unsure) is not None:
            if await self._is_on_disk(unsure):
                self._publish(unsure)
                if any(isinstance(act, Away) for act in unsure.acts):
                    self._since = unsure.at  # the time before does not count already
            self._unsure = None
        since, self._since = self._since, None
        if since is not None and self.table.status in RUNNING:
            try:  # if writing takes long, `_do` notes that this time does not count either
                self._publish(await self._do([Away(since)], quiet=True))
            except BaseException:
                self._since = since
                raise
        self._told = False

    def _mend_soon(self) -> None:
        if self._mending is None and not self._closed:
            self._mending = asyncio.create_task(self._mend())

    async def _mend(self) -> None:
        """Tries until the database works again. Then everyone sees the table and their clocks as they are.

        That is at a time of its own: with fog, nobody must notice when another seat acts.
        """
        wait = PATIENCE
        while True:
            await asyncio.sleep(wait)
            wait = min(LONGEST_PATIENCE, 2 * wait)
            try:
                async with self._lock:
                    await self._recover()
                break
            except Unwritten:
                continue
            except Exception as error:
                _log.error("Table %s could not be resumed", self.table.id, exc_info=error)
        self._mending = None
        self.voice.tell_all()
        self._look_ahead()

    def _tell_trouble(self, written: _Written, word: str, why: str) -> None:
        """Tells everyone who would have heard of these acts that they are not on disk."""
        if written.quiet:
            return
        moved = written.table.status != self.table.status or any(isinstance(act, Ran) for act in written.acts)
        self.voice.tell_trouble(written.acts, moved, word, why)

    async def alone(self, doing: Callable[[], Awaitable[None]]) -> None:
        """Runs something that isn't an act to completion, while nothing else happens at this table."""

        async def locked() -> None:
            async with self._lock:
                await doing()

        await self._to_the_end(locked())

    def keep_draft_soon(self, seat: str) -> None:
        """Writes the draft of a seat in a moment, once for all changes until then: some clients send one per key."""
        if seat not in self._unkept:
            self._unkept[seat] = asyncio.get_running_loop().call_later(TYPING, self._keep_draft, seat)

    def _keep_draft(self, seat: str) -> None:
        self._unkept.pop(seat).cancel()
        if statements := self.papers.draft_statements(self.table.id, seat):
            self.pen.write_soon(*statements)

    async def write(self, *statements: Executable) -> None:
        """Writes something that isn't an act."""
        await self._saved(self.pen.write(*statements))

    async def read_settled(self, statement: Executable) -> list[RowMapping]:
        """Reads after a failed write of something that isn't an act, when it is settled what became of it."""
        try:
            return await asyncio.to_thread(self.pen.read_settled, statement)
        except Exception as error:
            _log.error("Data of table %s could not be read: %s", self.table.id, error)
            raise Unwritten("Polemos can't reach its database. Try again later.") from None

    async def _saved(self, writing: Awaitable[None]) -> None:
        try:
            await writing
        except Moved:
            raise
        except Exception as error:
            _log.error("Data of table %s could not be written: %s", self.table.id, error)
            raise Unwritten("Polemos could not save this, so nothing was changed. Try again.") from None

    def _new_players(self) -> None:
        self._players.close()
        self._players = Players(self.table, self._programs, self._thinkers, self.owner, versions=self._versions)

    async def _to_the_end(self, doing: Awaitable[Any]) -> None:
        """Finishes a task even if the caller waiting for it is cancelled."""
        task = asyncio.ensure_future(doing)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        await asyncio.shield(task)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # already raised to the caller, if there still is one

    async def goes_on_at(self, table: str, also: Sequence[Executable]) -> None:
        """Notes the table of the rematch, which is written along with it."""
        await self.act(lambda _: [Next(table)], also=also)

    async def was_away(self, since: float) -> None:
        """The time since then does not count for clocks. If that can't be written yet, it comes before all else."""
        self._since = since
        await self.act(lambda table: [], quiet=True)

    # ---- coming and going

    def join(self, listener: Listener) -> None:
        self.touch(listener)
        if not self.table.game.facts.fog:
            self.voice.tell_presence_soon()

    def leave(self, listener: Listener) -> None:
        self.voice.listeners.discard(listener)
        self.voice.absences.left(listener.seat, listener.member)
        self.touched = time.monotonic()
        if not self.table.game.facts.fog and not self._closed:
            self.voice.tell_presence_soon()

    def touch(self, listener: Listener | None = None) -> None:
        """Somebody has asked for the table, or joins. If its bots have stopped because nobody watched, they go on."""
        slept, self.touched = self.is_unwatched, time.monotonic()
        if listener is not None:
            self.voice.listeners.add(listener)
        if slept:
            self._look_ahead()

    @property
    def is_unwatched(self) -> bool:
        """Whether only bots play, and nobody has asked for the table for a while: then they stop until someone does."""
        alone = not self.table.people and not self.table.of_kind("program") and self.table.status in RUNNING
        return alone and not self.voice.listeners and time.monotonic() - self.touched > UNWATCHED

    @property
    def sleeps(self) -> bool:
        """Whether nothing will happen by itself, as far as the table is concerned."""
        table = self.table
        if table.status not in RUNNING:
            return True
        bots = any(table.is_due(seat) for seat in table.of_kind("bot"))
        return table.clocks.next_end() is None and (not bots or self.is_unwatched)

    async def keep_standing(self, sign: Callable[[str], str] | None) -> standings.Standing:
        """Writes how the table stands, with a snapshot, so that it can leave memory and be read again quickly."""
        found: list[standings.Standing] = []

        async def doing() -> None:
            table = self.table
            standing = standings.of(table, self.owner)
            found.append(standing)
            asleep, body = self.sleeps, None
            if asleep and self._asleep_on_disk and self.kept_acts == table.acts:
                await self.write(standings.seen(table.id))
                return
            if sign is not None:
                body = await self._work.run(OURSELVES, Rank.SHOWS, snapshots.packed, table, sign)
            await self.write(*standings.written(table.id, standing, asleep, body))
            self._asleep_on_disk, self.kept_acts = asleep, table.acts

        await self.alone(doing)
        return found[0]

    def was_asleep(self, asleep: bool, kept_acts: int) -> None:
        """Says how it stood on disk when it was read."""
        self._asleep_on_disk, self.kept_acts = asleep, kept_acts

    @property
    def is_idle(self) -> bool:
        """Whether nobody is connected, and nothing will happen by itself."""
        quiet = self._mending is None and self._unsure is None
        waits = bool(self.voice.listeners or self._asked or self._tasks or self._unkept)
        return quiet and not waits and self._alarm is None

    # ---- things that happen by themselves: bots and clocks

    def _look_ahead(self) -> None:
        """After every change: asks the bots that have to act, and sets the next alarm."""
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
                self._players.drop(seat, Verdict("dropped out"))
            elif table.is_due(seat) and seat not in self._asked and not self.is_unwatched:
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
        """Asks a bot for its orders. If they cannot be written, they wait: the bot is not asked twice."""
        position = self.table.positions
        answer: Act | None = None
        if self.table.wish.pace and not self.table.people:
            await asyncio.sleep(self.table.wish.pace)

        def judge(table: Table) -> list[Act]:
            return [answer] if answer is not None and table.positions == position and table.is_due(seat) else []

        while not self._closed and self.table.positions == position and self.table.is_due(seat):
            try:
                answer = answer or await self._players.answer(seat)
                await self.act(judge)
                self.went_well()
            except Unwritten as error:
                await self.wait_after(f"the bot of {seat}", error)
            except Exception as error:
                answer = None
                await self.wait_after(f"the bot of {seat}", error)

    def _ring(self) -> None:
        self._alarm = None
        task = asyncio.create_task(self._time_is_up())
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def _time_is_up(self) -> None:
        async with _Trial(self, "the clocks"):
            await self.act(lambda table: late_seats(table, self.papers.drafts))
        self._look_ahead()

    async def wait_after(self, what: str, error: Exception) -> None:
        """Logs the failure of something that happens by itself, and waits before the next try."""
        _log.error("Table %s: %s failed", self.table.id, what, exc_info=error)
        self._failures += 1
        await asyncio.sleep(min(LONGEST_PATIENCE, PATIENCE * 2 ** min(self._failures - 1, 10)))

    def went_well(self) -> None:
        self._failures = 0

    async def finish(self, seconds: float = 2.0) -> None:
        """Stops bots and clocks, and waits for acts that have begun. What people do is still carried out."""
        self._closed = True
        for seat in list(self._unkept):
            self._keep_draft(seat)
        if self._alarm is not None:
            self._alarm.cancel()
        waiting = [*self._asked.values(), *([] if self._mending is None else [self._mending])]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)

    async def abandon(self) -> None:
        """Leaves the table to the process that has taken it over, and tells everyone to connect again."""
        await self.finish()
        until = time.monotonic() + PATIENCE
        while any(listener.busy for listener in self.voice.listeners) and time.monotonic() < until:
            await asyncio.sleep(0.01)  # whoever has asked for something is told first that it was not done
        for listener in list(self.voice.listeners):
            moved = "The table has moved to another process."
            self.voice.dismiss(listener, msgspec.json.encode(Restarting(BACK)), moved)
        self._players.close()

    async def close(self) -> None:
        """Waits for pending writes, and disconnects everyone."""
        await self.finish()
        self._players.close()
        self.voice.close()
        for listener in list(self.voice.listeners):
            listener.let_go()


class _Trial:
    """Wraps background work: a failure is logged and followed by a pause, so that retries are not rushed."""

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
    """Carries out the acts, then plays steps for as long as no orders are missing."""
    done: list[Act] = []
    waiting = list(acts)
    while waiting:
        act = waiting.pop(0)
        table.carry_out(act, at)
        done.append(act)
        if not waiting and table.is_complete:
            waiting.append(Ran())
    return done


def _statements(
    table: Table, done: Sequence[Act], first: int, at: float, moved: bool, back: bool = False
) -> list[Executable]:
    """The database statements for these acts."""
    tables, found = schema.game_tables, list[Executable]()
    if done:
        rows = [
            {"table_id": table.id, "number": first + i, "at": at, "body": msgspec.json.encode(act)}
            for i, act in enumerate(done)
        ]
        found.append(insert(schema.acts).values(rows))
    if moved:
        found.append(update(tables).where(tables.c.id == table.id).values(status=table.status))
    if moved or any(isinstance(act, Sat | Joined | Stood) for act in done):
        found += standings.places(table)
    if back or any(isinstance(act, Ran) for act in done):
        found.append(delete(schema.drafts).where(schema.drafts.c.table_id == table.id))
    return found


def late_seats(table: Table, drafts: Mapping[str, Sequence[Any]]) -> list[Act]:
    """Acts for seats whose time is up: missing a turn means no orders; an empty bank means dropping out.

    If orders take effect at once, those given in time count.
    """
    if table.status == "sealed" and table.asked is not None:
        return [Bid(seat, table.asked.usual) for seat in table.clocks.expired(now())]
    if table.status != "playing":
        return []
    late = table.clocks.expired(now())
    if table.wish.clock.kind == "bank":
        return [Dropped(seat, str(Verdict("time", "the bank is empty"))) for seat in late]
    stand = drafts if isinstance(table.game, OrderByOrder) else {}
    missed = str(Verdict("late", "the time for the turn was up"))
    return [Filed(seat, sheet_of(stand[seat])) if stand.get(seat) else Missed(seat, missed) for seat in late]
