"""The messages between umpire and bot: one JSON object per line, over the bot's standard input and output.

    umpire  {"type": "hello", "protocol": 1, "game": "...", "seat": "red", "seed": 7, "setting": {...}, ...}
    bot     {"type": "ready", "options": true}
    umpire  {"type": "view", "step": 1, "view": {...}, "options": [...]}
    bot     {"type": "orders", "orders": [...]}                      the whole sheet at once, or
    bot     {"type": "order", "order": {...}}                        one order after the other, each answered by
    umpire  {"type": "update", "fault": null, "options": [...]}      until
    bot     {"type": "end"}
    umpire  {"type": "result", "outcome": {...}}

A bot only has to answer every view. Unknown fields are ignored, so later versions can add more.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType

from polemos.kernel.game import Option
from polemos.kernel.orders import Fault
from polemos.kernel.outcome import Outcome

PROTOCOL: Final = 1


class Budget(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits on a bot. The defaults are those of a ladder; a match can use others."""

    start: float = 5.0  # seconds until `ready`
    bank: float = 10.0  # CPU seconds for the whole match
    turn: float = 0.05  # CPU seconds added for every view
    wall_factor: float = 5.0  # an answer may take this many times the CPU time left, in wall-clock time,
    wall_extra: float = 2.0  # plus this many seconds
    wall_bank: float = 120.0  # wall-clock seconds for all answers of the match,
    wall_turn: float = 0.5  # plus this many for every view
    memory: int = 512 << 20  # bytes
    scratch: int = 16 << 20  # bytes of files that it may write, in the box
    line: int = 1 << 20  # bytes of an answer
    log: int = 1 << 20  # bytes of standard error to keep

    def words(self) -> str:
        """The limits in one readable line."""
        return (
            f"start {self.start:g} s, CPU {self.bank:g} s plus {self.turn * 1000:g} ms per turn,"
            f" wall clock {self.wall_factor:g} times that plus {self.wall_extra:g} s per answer"
            f" and {self.wall_bank:g} s plus {self.wall_turn:g} s per turn for all, memory {self.memory >> 20} MB,"
            f" scratch {self.scratch >> 20} MB, line {self.line >> 10} kB, log {self.log >> 10} kB"
        )


# ---- messages from the umpire


class Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    """The first message, sent once."""

    protocol: int
    game: str
    edition: int
    seat: str
    seats: tuple[str, ...]
    seed: int  # the bot's own
    setting: Any  # the constant facts of this match
    budget: Budget
    resumed: tuple[Any, ...] | None = None  # after a restart: the views sent before


class StateRecord(Struct, frozen=True):
    """The position as a record of `libpolemos`. What the seat cannot see is imagined from its view and its own seed."""

    layout: str  # of the record, in hexadecimal digits; the library has a function of this name
    state: str  # its bytes in base64; those that are missing at the end are zero


class Seen(Struct, frozen=True, tag_field="type", tag="view"):
    """The bot's orders are due now."""

    step: int  # counts the views of this bot, from 1
    view: Any
    time_left: float  # CPU seconds left, in the bank and for this turn
    options: list[Option] | None = None  # if the bot asked for them
    faults: tuple[Fault, ...] = ()  # void lines of the last sheet
    wall_left: float | None = None  # wall-clock seconds left for this answer and all later ones
    record: StateRecord | UnsetType = UNSET  # if the bot asked for it


class Update(Struct, frozen=True, tag_field="type", tag="update"):
    """The answer to one order: accepted, or refused with its fault."""

    fault: Fault | None
    options: list[Option] | None = None  # orders that are still legal after those given so far
    view: Any = None  # in games where orders take effect at once: the position now
    record: StateRecord | UnsetType = UNSET  # the same as a record, if the bot asked for it


class Result(Struct, frozen=True, tag_field="type", tag="result"):
    """The last message. The bot has a moment to exit by itself."""

    outcome: Outcome | None
    verdict: str | None = None  # why this bot dropped out, if it did


# ---- messages from the bot


class Ready(Struct, frozen=True, tag_field="type", tag="ready"):
    protocol: int = PROTOCOL
    name: str = ""
    options: bool = False  # whether views and updates should list the legal orders
    record: bool = False  # whether they should have the position as a record
    bid: int | None = None  # in games with sealed bids: the number it names on a ladder; None: the usual one


class Orders(Struct, frozen=True, tag_field="type", tag="orders"):
    """The whole sheet."""

    orders: list[Any]


class OneOrder(Struct, frozen=True, tag_field="type", tag="order"):
    """One order of a sheet that is given one order at a time."""

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
