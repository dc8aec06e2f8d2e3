"""Where bots think: in a process of their own, or in a thread. It keeps the bots it was asked to make.

Imports little, because every such process loads it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import OrderedDict
from multiprocessing import parent_process
from typing import Any, Final

from msgspec import Struct

from polemos.hosts import inprocess
from polemos.kernel import rule
from polemos.kernel.errors import BotFault, BotStrike
from polemos.kernel.hosted import Stopwatch
from polemos.kernel.playing import ask
from polemos.kernel.rooms import bots_of, package_of
from polemos.kernel.verdict import Verdict
from polemos.server import shelf
from polemos.server.tables.lines import plain

NICE: Final = 5  # a bot may think a little longer, but nobody's order should wait for it
MAX_BOTS: Final = 500  # bots that one process remembers; one that was forgotten is made again


class Forgotten(Exception):
    """This process does not know the bot, and has to be told how to make it."""


class Made(Struct, frozen=True):
    """How to make a bot."""

    game: str
    bot: str
    setting: Any
    seat: str
    seed: int


class Question(Struct, frozen=True):
    """Asks a bot for its orders. Only the process that it is asked in looks at the state, to build the bot's view."""

    bot: str  # stands for one bot in one match
    game: str
    seat: str
    state: bytes
    made: Made | None = None


class Thought(Struct, frozen=True):
    """A bot's answer: its lines, or why there are none."""

    lines: list[Any] | None
    why: str = ""
    drops: bool = False  # whether it drops out
    strike: bool = False
    cpu: float = 0.0
    wall: float = 0.0


_bots: OrderedDict[str, Any] = OrderedDict()
_lock = threading.Lock()  # threads of one process share the bots, though no bot is asked by two at once


def think(question: Question) -> Thought:
    """A bot's answer. Raises Forgotten if the bot is unknown here."""
    game = shelf.load(question.game)
    watch = Stopwatch()
    try:
        bot = _bot(game, question)
        view = game.observe(game.state_type.from_raw(question.state), question.seat)
        watch = Stopwatch()  # starting it does not count
        orders = ask(bot, view)
        lines = [plain(game.write(order) if isinstance(order, Struct) else order) for order in orders]
    except Forgotten:
        raise
    except BotStrike as error:
        return Thought(None, str(error.verdict), strike=error.counts, cpu=watch.read(None), wall=watch.wall(None))
    except BotFault as error:
        return Thought(None, str(error.verdict), drops=True, cpu=watch.read(None), wall=watch.wall(None))
    except Exception as error:  # a bot may return any object
        why = str(Verdict("unreadable", type(error).__name__))
        return Thought(None, why, strike=True, cpu=watch.read(None), wall=watch.wall(None))
    return Thought(lines, cpu=watch.read(bot), wall=watch.wall(bot))


def _bot(game: Any, question: Question) -> Any:
    with _lock:
        if question.bot in _bots:
            _bots.move_to_end(question.bot)
            return _bots[question.bot]
    made = question.made
    if made is None:
        raise Forgotten(question.bot)
    bot = inprocess.make(game, made.bot, made.setting, made.seat, made.seed)
    with _lock:
        _bots[question.bot] = bot
        while len(_bots) > MAX_BOTS:
            _bots.popitem(last=False)
    return bot


def forget(names: list[str]) -> None:
    """Gives back the memory of bots that will not be asked again."""
    with _lock:
        for name in names:
            _bots.pop(name, None)


def warm(name: str) -> None:
    """Loads a game with its compiled rules and bots, so that the first question does not have to wait for it."""
    game = shelf.load(name)
    _ = bots_of(game)
    rule.prepare(package_of(game))


def begin() -> None:
    """Prepares a process: it ends with the server, whatever happens to the server, and not before."""
    if sys.platform != "win32":
        os.nice(NICE)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # both are for the server
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
