"""Our bots' thinking: in processes of their own, shared fairly by visitor and not by table.

A bot stays in the process that made it, because it may remember the match. If that process dies, or has forgotten the
bot, the bot is made again, as after a restart of the server. The bots of one visitor are at home in half of the
processes at most: others are not stopped even by a bot that thinks for a long time.

The processes are executors of `concurrent.futures`, on this machine or on a Ray cluster (`server.on_ray`).
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Final

from msgspec.structs import replace

from polemos.server import thinker
from polemos.server.metrics import BOT_CPU, BOTS_ASKED
from polemos.server.thinker import Forgotten, Made, Question, Thought
from polemos.server.work import Line, Outcome, Rank

THREADS: Final = 2  # where bots think if there are no processes for them
TRIES: Final = 3
SOME: Final = 50  # bots to forget at once

_log = logging.getLogger("polemos")


def usual_processes() -> int:
    """One for each core besides the server's; at least two, so that one visitor cannot take all, and at most four."""
    return max(2, min(4, (os.cpu_count() or 2) - 1))


def process() -> Executor:
    """A process for one bot at a time, started when it is first needed."""
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=thinker.begin)


def thread() -> Executor:
    return ThreadPoolExecutor(1, thread_name_prefix="bot")


def make_thinkers(processes: int | None, ray: str | None = None) -> Thinkers:
    """Our bots in so many processes, here or on a Ray cluster, or in threads if there are none.

    None: as many as this machine has room for.
    """
    many = usual_processes() if processes is None else processes
    if many and ray is not None:
        from polemos.server import on_ray

        return Thinkers([on_ray.cluster(ray)] * many)
    return Thinkers([process] * many) if many else Thinkers()


class Thinkers:
    """The bots of a server, each at home in one of several executors that do one thing at a time."""

    def __init__(self, makers: Sequence[Callable[[], Executor]] = (thread,) * THREADS) -> None:
        self._lines = [Line(make) for make in makers]
        self._homes: dict[str, tuple[str, Line]] = {}  # of a bot, with its visitor
        self._shares: dict[str, list[Line]] = {}  # where the bots of a visitor can be at home
        self._gone: dict[Line, list[str]] = {}

    @property
    def load(self) -> int:
        return sum(line.load for line in self._lines)

    async def think(self, who: str, rank: Rank, made: Made, bot: str, state: bytes) -> Thought:
        """A bot's answer, when it is this visitor's turn. `bot` stands for one bot in one match."""
        question = Question(bot, made.game, made.seat, state)
        with BOTS_ASKED.track_inprogress():
            for _ in range(TRIES):
                outcome = await self._ask(who, rank, question)
                if isinstance(outcome.error, Forgotten):
                    question = replace(question, made=made)
                elif outcome.error is not None:
                    raise outcome.error
                else:
                    thought: Thought = outcome.value
                    BOT_CPU.inc(thought.cpu)
                    return thought
        raise BrokenExecutor("A bot could not be asked: its process dies, or forgets it, again and again.")

    async def _ask(self, who: str, rank: Rank, question: Question) -> Outcome:
        line = self._home(who, question.bot)
        try:
            return await line.run(who, rank, thinker.think, question)
        except BrokenExecutor as error:
            _log.error("A process of bots has died, and is started again: %s", error)
            return Outcome(None, Forgotten(question.bot), 0.0)

    def _home(self, who: str, bot: str) -> Line:
        """New bots go where the least is waiting, and then where the fewest are at home."""
        if bot in self._homes:
            return self._homes[bot][1]
        many = Counter(line for _, line in self._homes.values())
        by_load = sorted(self._lines, key=lambda line: (line.load, many[line]))
        share = self._shares.setdefault(who, by_load[: max(1, len(by_load) // 2)])
        home = next(line for line in by_load if line in share)
        self._homes[bot] = who, home
        return home

    def forget(self, bots: Iterable[str]) -> None:
        """Says that these bots will not be asked again."""
        for bot in bots:
            who, line = self._homes.pop(bot, ("", None))
            if line is None:
                continue
            if all(other != who for other, _ in self._homes.values()):
                self._shares.pop(who, None)
            gone = self._gone.setdefault(line, [])
            gone.append(bot)
            if len(gone) >= SOME:
                line.tell(thinker.forget, self._gone.pop(line))

    def warm(self, games: Iterable[str]) -> None:
        """Loads games everywhere, when nothing else is to be done."""
        for name in games:
            for line in self._lines:
                line.tell(thinker.warm, name)

    def close(self) -> None:
        for line in self._lines:
            line.close()
