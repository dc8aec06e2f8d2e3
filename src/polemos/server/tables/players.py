"""Bots at tables. Ours think elsewhere (`server.thinking`); programs run in the box, each with its own thread here.

Nobody waits for another table's program: one that hangs only blocks its own thread.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

from msgspec import Raw, Struct, json

from polemos.hosts import specs
from polemos.kernel import dice
from polemos.kernel.errors import BotFault, BotStrike
from polemos.kernel.hosted import Hosted, Stopwatch
from polemos.kernel.orders import Fault
from polemos.kernel.playing import ask
from polemos.kernel.rooms import built_in
from polemos.kernel.telling import tells_faults
from polemos.kernel.verdict import Verdict
from polemos.server.metrics import BOT_CPU, BOTS_ASKED
from polemos.server.tables.acts import Act, Dropped, Filed, Missed
from polemos.server.tables.lines import plain
from polemos.server.tables.table import Table
from polemos.server.tables.versions import Versions, is_version
from polemos.server.thinker import Made
from polemos.server.thinking import Thinkers
from polemos.server.work import Rank
from polemos.wire.bot import Budget

MAX_PAST: Final = 8 << 20  # bytes of past views to send when a bot reconnects or is restarted
BUDGET: Final = Budget(wall_factor=0.0, wall_extra=2.0)  # people will not wait longer than that


class Players:
    """The bots of one table, created when they are first asked."""

    def __init__(
        self,
        table: Table,
        programs: Mapping[str, str],
        thinkers: Thinkers,
        owner: str = "",
        budget: Budget = BUDGET,
        versions: Versions | None = None,
    ) -> None:
        self.table = table  # replaced after every act
        self._programs = programs  # name to command, for extra bots of this server
        self._thinkers, self._owner = thinkers, owner
        self._ours: dict[str, str] = {}  # our bots by seat, as the thinkers know them
        self._budget = budget
        self._versions = versions
        self._bots: dict[str, Any] = {}
        self._own: dict[str, ThreadPoolExecutor] = {}  # a box dies with the thread that built it

    async def answer(self, seat: str) -> Act:
        """The next act of the bot in a seat: it files, misses the turn, or drops out."""
        if self._is_ours(seat):
            return await self._think(seat)
        view, void = self.table.match.view(seat), void_lines(self.table, seat)
        with BOTS_ASKED.track_inprogress():
            return await asyncio.get_running_loop().run_in_executor(self._thread(seat), self._ask, seat, view, void)

    async def _think(self, seat: str) -> Act:
        table, match = self.table, self.table.match
        made = Made(table.game.name, self._spec(seat), match.setting, seat, dice.number(table.key, "bot", seat))
        # Not the name of the table: after a takeback, the same seat has a bot that has seen less.
        name = self._ours.setdefault(seat, secrets.token_hex(8))
        rank = Rank.ORDERS if table.people else Rank.SHOWS
        found = await self._thinkers.think(self._owner, rank, made, name, match.state.raw())
        if found.lines is not None:
            return Filed(seat, found.lines, found.cpu, found.wall)
        if found.drops:
            return Dropped(seat, found.why, found.cpu, found.wall)
        return Missed(seat, found.why, found.strike, found.cpu, found.wall)

    def drop(self, seat: str, verdict: Verdict) -> None:
        """Shuts down the bot of a seat that has dropped out."""
        if seat in self._ours:
            self._thinkers.forget([self._ours.pop(seat)])
        self._end(seat, verdict)

    def close(self) -> None:
        """Shuts down all bots."""
        self._thinkers.forget(self._ours.values())
        self._ours.clear()
        for seat in {*self._bots, *self._own}:  # one that is being started ends when it has started
            self._end(seat, None)

    # ---- in a thread

    def _ask(self, seat: str, view: Any, void: tuple[Fault, ...]) -> Act:
        bot, watch = None, Stopwatch()
        try:
            bot = self._bot(seat)
            watch = Stopwatch()  # starting it does not count
            if isinstance(bot, Hosted):
                bot.told(void)
            orders = ask(bot, view)
            lines = [plain(self.table.game.write(order) if isinstance(order, Struct) else order) for order in orders]
        except BotStrike as strike:
            return Missed(seat, str(strike.verdict), strike.counts, watch.read(bot), watch.wall(bot))
        except BotFault as fault:
            return Dropped(seat, str(fault.verdict), watch.read(bot), watch.wall(bot))
        except Exception as error:  # a bot may return any object
            why = str(Verdict("unreadable", type(error).__name__))
            return Missed(seat, why, True, watch.read(bot), watch.wall(bot))
        spent = watch.read(bot)
        BOT_CPU.inc(spent)
        return Filed(seat, lines, spent, watch.wall(bot))

    def _bot(self, seat: str) -> Any:
        if seat not in self._bots:
            spec = self._spec(seat)
            if self._versions is not None and is_version(spec):
                self._bots[seat] = self._versions.start(spec, lambda found: self._made(seat, found))
            else:
                self._bots[seat] = self._made(seat, spec)
        return self._bots[seat]

    def _made(self, seat: str, spec: str) -> Any:
        table = self.table
        return specs.make(
            table.game,
            spec,
            table.match.setting,
            seat,
            dice.number(table.key, "bot", seat),
            seats=table.match.seats,
            budget=self._budget,
            past=self._past(seat),
        )

    def _past(self, seat: str) -> list[Any] | None:
        """The past views of a seat, for a program that is started after the server was restarted."""
        return past_views(self.table, seat) or None

    # ---- finding bots and threads

    def _spec(self, seat: str) -> str:
        sitter = self.table.seats[seat]
        assert sitter is not None
        return self._programs.get(sitter.player, sitter.player)

    def _is_ours(self, seat: str) -> bool:
        return self._spec(seat) in built_in(self.table.game)

    def _thread(self, seat: str) -> ThreadPoolExecutor:
        if seat not in self._own:
            self._own[seat] = ThreadPoolExecutor(1, thread_name_prefix="program")
        return self._own[seat]

    def _end(self, seat: str, verdict: Verdict | None) -> None:
        """Sends a program its result, in its own thread; then ends both."""
        bot, thread, outcome = self._bots.pop(seat, None), self._own.pop(seat, None), self.table.match.outcome
        if thread is not None:
            thread.submit(lambda: _say_goodbye(bot or self._bots.pop(seat, None), verdict, outcome))
            thread.shutdown(wait=False)


def void_lines(table: Table, seat: str) -> tuple[Fault, ...]:
    """The void lines of the last sheet that the seat filed, if it may know them: in some modes nobody may."""
    match = table.match
    last = next((number for number in range(len(match.steps), 0, -1) if seat in match.steps[number - 1].orders), 0)
    if not last or not tells_faults(match.game, match.state_at(last), seat, seat):
        return ()
    return match.steps[last - 1].faults.get(seat, ())


def past_views(table: Table, seat: str) -> list[Raw]:
    """The past views of a seat, as sent; only the latest if there are many."""
    found: deque[Raw] = deque()
    match, size = table.match, 0
    for number in reversed([number for number, step in enumerate(match.steps) if seat in step.orders]):
        raw = json.encode(table.game.observe(match.state_at(number), seat))
        size += len(raw)
        if size > MAX_PAST:
            break
        found.appendleft(Raw(raw))
    return list(found)


def _say_goodbye(bot: Any, verdict: Verdict | None, outcome: Any) -> None:
    if bot is None:  # it could not be started
        return
    with suppress(Exception):  # whatever it does now no longer matters
        if verdict is not None and isinstance(bot, Hosted):
            bot.drop(verdict)
    specs.close([bot], outcome)


__all__: Sequence[str] = ["BUDGET", "Players", "past_views", "void_lines"]
