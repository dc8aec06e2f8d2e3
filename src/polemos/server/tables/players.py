"""Bots at tables. Ours think in threads of this process; programs are spoken to from there and run in the box."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from polemos.hosts import specs
from polemos.kernel import dice
from polemos.kernel.errors import BotFault, BotStrike
from polemos.kernel.match import ask
from polemos.server.tables.acts import Act, Dropped, Filed, Missed
from polemos.server.tables.table import Table
from polemos.wire.bot import Budget

THREADS: Final = 4

# Threads that live as long as the server: a box dies with the thread that has built it.
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="bot")


class Players:
    """The bots of one table, made when they are first asked."""

    def __init__(self, table: Table, programs: dict[str, str], budget: Budget | None = None) -> None:
        self._table = table
        self._programs = programs  # name to command line, for bots of this server that are not ours
        self._budget = budget or Budget()
        self._bots: dict[str, Any] = {}

    async def answer(self, seat: str) -> Act:
        """What the bot of a seat does now: it files, misses the turn, or drops out."""
        match = self._table.match
        view = match.view(seat)
        return await asyncio.get_running_loop().run_in_executor(_threads, self._ask, seat, view)

    def _ask(self, seat: str, view: Any) -> Act:
        began = time.thread_time()
        try:
            orders = ask(self._bot(seat), view)
            lines = [_plain(self._table.game, order) for order in orders]
        except BotStrike as strike:
            return Missed(seat, strike.why, strike=True)
        except BotFault as fault:
            return Dropped(seat, fault.why)
        except Exception as error:  # what a bot hands in may be any object
            return Missed(seat, f"unreadable: {type(error).__name__}", strike=True)
        return Filed(seat, lines, round(time.thread_time() - began, 6))

    def _bot(self, seat: str) -> Any:
        if seat not in self._bots:
            table = self._table
            sitter = table.seats[seat]
            assert sitter is not None
            self._bots[seat] = specs.make(
                table.game,
                self._programs.get(sitter.player, sitter.player),
                table.game.setting(table.match.state),
                seat,
                dice.number(table.key, "bot", seat),
                seats=table.match.seats,
                budget=self._budget,
            )
        return self._bots[seat]

    def close(self) -> None:
        """Puts the programs away."""
        bots, self._bots = list(self._bots.values()), {}
        if bots:
            _threads.submit(specs.close, bots, self._table.match.outcome)


def _plain(game: Any, order: object) -> object:
    """An order as it can be stored: ours as text, those of programs as they came."""
    return order if isinstance(order, str | dict) else game.write(order)


def stop(waiting: Sequence[object] = ()) -> None:
    _threads.shutdown(wait=False, cancel_futures=True)
