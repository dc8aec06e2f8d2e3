"""Guests: bots written for another umpire, which speak its language.

A dialect is the conversation with one such bot in one match, without the pipes: a generator that yields lines to send,
and `None` to wait for a line from the bot. The code that runs it handles timeouts and size limits.

    def turn(self, view, time_left):
        yield f"position {view.turn}"
        line = yield None
        return [line]
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

T = TypeVar("T")

Talk = Generator[str | None, str, T]  # yields lines to send, or None to receive one; returns the result


class Dialect(Protocol):
    """One guest in one match. Raises a BotStrike (costs the turn) or a BotFault if it cannot make sense of a line."""

    @property
    def stays(self) -> bool:
        """Whether a guest that is gone passes until the end, as it did in front of its own umpire, or drops out."""
        ...

    def open(self) -> Talk[None]:
        """The exchange before the first view; it counts against the bot's time to start."""
        ...

    def turn(self, view: Any, time_left: float) -> Talk[Sequence[object]]:
        """Sends a view and receives the orders, which are judged like anyone else's."""
        ...

    def close(self) -> str | None:
        """The last line to send, if there is one."""
        ...


DialectMaker = Callable[[Any, str, Sequence[str], int], Dialect]  # (setting, seat, all seats, its own seed)


@runtime_checkable
class Dialects(Protocol):
    @property
    def dialects(self) -> Mapping[str, DialectMaker]:
        """The languages this game understands, by name; `NAME:COMMAND` then stands for such a bot."""
        ...
