"""Bots that live elsewhere: what the umpire does for them besides asking for orders."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from polemos.kernel.orders import Fault
from polemos.kernel.outcome import Outcome
from polemos.kernel.verdict import Verdict


class Hosted(ABC):
    """A bot that is more than a function: it measures its own time, is told things, and has to be ended.

    A bot has these abilities by being of this class, never by having a method of such a name.
    """

    @abstractmethod
    def orders(self, view: Any, time_left: float, /) -> Sequence[object]:
        """The answer to a view; raises a BotStrike or a BotFault."""

    @property
    @abstractmethod
    def spent(self) -> float:
        """CPU seconds of the last answer."""

    def told(self, faults: Sequence[Fault]) -> None:
        """The void lines of its last sheet."""
        return

    @abstractmethod
    def drop(self, verdict: Verdict) -> None:
        """It has dropped out."""

    @abstractmethod
    def close(self, outcome: Outcome | None) -> None:
        """The match is over, or will not be played on."""


class Stopwatch:
    """CPU seconds of a bot's answer: of this thread since now, or what a hosted bot has measured itself."""

    def __init__(self) -> None:
        self._began = time.thread_time()

    def read(self, bot: object) -> float:
        return round(bot.spent if isinstance(bot, Hosted) else time.thread_time() - self._began, 6)
