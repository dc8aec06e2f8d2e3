"""What umpire and bot say to each other: one JSON object a line, over the bot's standard input and output.

    umpire  {"type": "hello", "protocol": 1, "game": "...", "seat": "red", "seed": 7, "setting": {...}, ...}
    bot     {"type": "ready", "options": true}
    umpire  {"type": "view", "step": 1, "view": {...}, "options": [...]}
    bot     {"type": "orders", "orders": [...]}                      the whole sheet at once, or
    bot     {"type": "order", "order": {...}}                        one order after the other, each answered by
    umpire  {"type": "update", "fault": null, "options": [...]}      until
    bot     {"type": "end"}
    umpire  {"type": "result", "outcome": {...}}

A bot answers every view, and nothing else is expected of it. Unknown fields are ignored, so that later versions can say
more.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from polemos.kernel.game import Option
from polemos.kernel.orders import Fault
from polemos.kernel.outcome import Outcome

PROTOCOL: Final = 1


class Budget(Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot may use. This is the profile of a ladder; a match may be given another."""

    start: float = 5.0  # seconds to say `ready`
    bank: float = 10.0  # CPU seconds for the whole match
    turn: float = 0.05  # CPU seconds added for every view
    wall_factor: float = 5.0  # an answer may take so many times what is left of bank and turn on the clock,
    wall_extra: float = 2.0  # plus so many seconds
    wall_bank: float = 120.0  # seconds on the clock for all answers of the match,
    wall_turn: float = 0.5  # and seconds added for every view
    memory: int = 512 << 20  # bytes of address space
    scratch: int = 16 << 20  # bytes of files that it may write, in the box
    line: int = 1 << 20  # bytes of an answer
    log: int = 1 << 20  # bytes of standard error that are kept

    def words(self) -> str:
        """One line for people."""
        return (
            f"start {self.start:g} s, CPU {self.bank:g} s and {self.turn * 1000:g} ms a turn,"
            f" clock {self.wall_factor:g} times that and {self.wall_extra:g} s for an answer,"
            f" {self.wall_bank:g} s and {self.wall_turn:g} s a turn for all, memory {self.memory >> 20} MB,"
            f" scratch {self.scratch >> 20} MB, line {self.line >> 10} kB, log {self.log >> 10} kB"
        )


# ---- what the umpire says


class Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    """First of all, and once."""

    protocol: int
    game: str
    edition: int
    seat: str
    seats: tuple[str, ...]
    seed: int  # the bot's own
    setting: Any  # what never changes in this match
    budget: Budget
    resumed: tuple[Any, ...] | None = None  # after a restart: the views that were shown before


class Seen(Struct, frozen=True, tag_field="type", tag="view"):
    """The seat is to order now."""

    step: int  # from 1, counting the views of this bot
    view: Any
    time_left: float  # CPU seconds: what is left of the bank, and of this turn
    options: list[Option] | None = None  # if the bot asked for them
    faults: tuple[Fault, ...] = ()  # void lines of the sheet before
    wall_left: float | None = None  # seconds on the clock: what is left of that bank, and of this turn


class Update(Struct, frozen=True, tag_field="type", tag="update"):
    """The answer to one order: accepted, or refused with its fault."""

    fault: Fault | None
    options: list[Option] | None = None  # what is still lawful beside the orders so far
    view: Any = None  # in games where an order acts at once: the position now


class Result(Struct, frozen=True, tag_field="type", tag="result"):
    """Last of all. The bot has a moment to end by itself."""

    outcome: Outcome | None
    verdict: str | None = None  # why this bot dropped out, if it did


# ---- what the bot says


class Ready(Struct, frozen=True, tag_field="type", tag="ready"):
    protocol: int = PROTOCOL
    name: str = ""
    options: bool = False  # whether views and updates shall carry what is lawful


class Orders(Struct, frozen=True, tag_field="type", tag="orders"):
    """The whole sheet."""

    orders: list[Any]


class OneOrder(Struct, frozen=True, tag_field="type", tag="order"):
    """One order of a sheet that is given bit by bit."""

    order: Any


class End(Struct, frozen=True, tag_field="type", tag="end"):
    """No more orders this turn."""


Said = Orders | OneOrder | End

# All messages by the word in their field `type`.
CONVERSATION: Final = {
    "hello": Hello,
    "ready": Ready,
    "view": Seen,
    "orders": Orders,
    "order": OneOrder,
    "update": Update,
    "end": End,
    "result": Result,
}
