"""Bots that run elsewhere, and the calls the umpire makes to them besides asking for orders."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from polemos.kernel.orders import Fault
from polemos.kernel.outcome import Outcome
from polemos.kernel.verdict import Verdict


class Hosted(ABC):
    """A bot that is more than a function: it measures its own time, receives messages, and must be shut down.

    Only subclasses count as hosted; having methods with these names is not enough.
    """

    @abstractmethod
    def orders(self, view: Any, time_left: float, /) -> Sequence[object]:
        """The bot's answer to a view; raises a BotStrike or a BotFault if it fails."""

    @property
    @abstractmethod
    def spent(self) -> float:
        """CPU seconds spent on the last answer."""

    @property
    def took(self) -> float | None:
        """Seconds on the clock that count for the last answer; None: a watch knows as well."""
        return None

    def told(self, faults: Sequence[Fault]) -> None:
        """Tells the bot about the void lines of its last sheet."""
        return

    @abstractmethod
    def drop(self, verdict: Verdict) -> None:
        """Tells the bot that it has dropped out."""

    @abstractmethod
    def close(self, outcome: Outcome | None) -> None:
        """Shuts the bot down, because the match is over or has been abandoned."""


class Stopwatch:
    """The time a bot's answer takes: since now, or as measured by a hosted bot itself."""

    def __init__(self) -> None:
        self._began, self._wall = time.thread_time(), time.perf_counter()

    def read(self, bot: object) -> float:
        """CPU seconds, of this thread unless the bot runs elsewhere."""
        return round(bot.spent if isinstance(bot, Hosted) else time.thread_time() - self._began, 6)

    def wall(self, bot: object) -> float:
        """Seconds on the clock."""
        took = bot.took if isinstance(bot, Hosted) else None
        return round(time.perf_counter() - self._wall if took is None else took, 6)
