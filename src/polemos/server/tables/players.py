"""Bots at tables. Ours run in threads of this process; programs run in the box, each with its own thread here.

Nobody waits for another table's bot: a program that hangs only blocks its own thread, and tables without people have
a separate thread.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

from msgspec import Raw, Struct, json

from polemos.hosts import specs
from polemos.kernel import dice
from polemos.kernel.errors import BotFault, BotStrike
from polemos.kernel.hosted import Hosted, Stopwatch
from polemos.kernel.orders import Fault
from polemos.kernel.playing import ask
from polemos.kernel.rooms import bots_of
from polemos.kernel.telling import tells_faults
from polemos.kernel.verdict import Verdict
from polemos.server.metrics import BOT_CPU, BOTS_ASKED
from polemos.server.tables.acts import Act, Dropped, Filed, Missed
from polemos.server.tables.lines import plain
from polemos.server.tables.table import Table
from polemos.wire.bot import Budget

THREADS: Final = 4
MAX_PAST: Final = 8 << 20  # bytes of past views to send when a bot reconnects or is restarted
BUDGET: Final = Budget(wall_factor=0.0, wall_extra=2.0)  # people will not wait longer than that

_for_people = ThreadPoolExecutor(THREADS, thread_name_prefix="bot")
_for_show = ThreadPoolExecutor(1, thread_name_prefix="show")


class Players:
    """The bots of one table, created when they are first asked."""

    def __init__(self, table: Table, programs: Mapping[str, str], budget: Budget = BUDGET) -> None:
        self.table = table  # replaced after every act
        self._programs = programs  # name to command, for extra bots of this server
        self._budget = budget
        self._bots: dict[str, Any] = {}
        self._own: dict[str, ThreadPoolExecutor] = {}  # a box dies with the thread that built it

    async def answer(self, seat: str) -> Act:
        """The next act of the bot in a seat: it files, misses the turn, or drops out."""
        view, void = self.table.match.view(seat), void_lines(self.table, seat)
        with BOTS_ASKED.track_inprogress():
            return await asyncio.get_running_loop().run_in_executor(self._thread(seat), self._ask, seat, view, void)

    def drop(self, seat: str, verdict: Verdict) -> None:
        """Shuts down the bot of a seat that has dropped out."""
        if seat in self._bots:
            self._end(seat, self._bots.pop(seat), verdict)

    def close(self) -> None:
        """Shuts down all programs."""
        for seat in list(self._bots):
            self._end(seat, self._bots.pop(seat), None)

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
            table = self.table
            self._bots[seat] = specs.make(
                table.game,
                self._spec(seat),
                table.match.setting,
                seat,
                dice.number(table.key, "bot", seat),
                seats=table.match.seats,
                budget=self._budget,
                past=self._past(seat),
            )
        return self._bots[seat]

    def _past(self, seat: str) -> list[Any] | None:
        """The past views of a seat, for a program that is started after the server was restarted."""
        if self._spec(seat) in bots_of(self.table.game):
            return None
        return past_views(self.table, seat) or None

    # ---- finding bots and threads

    def _spec(self, seat: str) -> str:
        sitter = self.table.seats[seat]
        assert sitter is not None
        return self._programs.get(sitter.player, sitter.player)

    def _thread(self, seat: str) -> Executor:
        if self._spec(seat) in bots_of(self.table.game):
            return _for_people if self.table.people else _for_show
        if seat not in self._own:
            self._own[seat] = ThreadPoolExecutor(1, thread_name_prefix="program")
        return self._own[seat]

    def _end(self, seat: str, bot: Any, verdict: Verdict | None) -> None:
        """Sends a program its result, in its own thread; then ends both."""
        thread = self._own.pop(seat, None)
        if thread is not None:
            thread.submit(_say_goodbye, bot, verdict, self.table.match.outcome)
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
    with suppress(Exception):  # whatever it does now no longer matters
        if verdict is not None and isinstance(bot, Hosted):
            bot.drop(verdict)
    specs.close([bot], outcome)


__all__: Sequence[str] = ["BUDGET", "Players", "past_views", "void_lines"]
