"""Guests: bots that were written for another umpire and speak its language.

A dialect is the conversation with one such bot in one match, without the pipes: a generator that yields what is to be
said, and `None` where a line is to be heard. Time, size and patience are the business of whoever runs it.

    def turn(self, view, time_left):
        yield f"position {view.turn}"
        line = yield None
        return [line]
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

T = TypeVar("T")

Talk = Generator[str | None, str, T]  # yields lines to say, or None to hear one; returns what came of it


class Dialect(Protocol):
    """One guest in one match. What it cannot make sense of it raises as a BotStrike (costs the turn) or a BotFault."""

    def open(self) -> Talk[None]:
        """What is said before the first view; it has the time that a bot has to start."""
        ...

    def turn(self, view: Any, time_left: float) -> Talk[Sequence[object]]:
        """A view told, and the orders heard; they are judged like anybody's."""
        ...

    def close(self) -> str | None:
        """The last word, if there is one."""
        ...


DialectMaker = Callable[[Any, str, Sequence[str], int], Dialect]  # (setting, seat, all seats, its own seed)


@runtime_checkable
class Dialects(Protocol):
    @property
    def dialects(self) -> Mapping[str, DialectMaker]:
        """The languages that guests may speak here, by name; `NAME:COMMAND` then stands for such a bot."""
        ...
