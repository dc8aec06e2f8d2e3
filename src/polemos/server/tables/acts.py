"""What can be done at a table. Carrying the same acts out again gives the same table: that is how one is resumed."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from polemos.wire.table import Kind


class OfSeat(Struct, frozen=True, tag_field="act"):
    """An act that one seat does, or that befalls it."""

    seat: str


class Sat(OfSeat, frozen=True, tag="sat", omit_defaults=True):
    """Somebody took a seat, or was put there."""

    kind: Kind
    player: str
    secret: str = ""  # the hash of the seat's token
    account: int | None = None


class Stood(OfSeat, frozen=True, tag="stood"):
    """A seat was given up before the match began."""


class Filed(OfSeat, frozen=True, tag="filed", omit_defaults=True):
    lines: list[Any]
    cpu: float = 0.0


class Withdrew(OfSeat, frozen=True, tag="withdrew"):
    """The sheet that was filed is taken back."""


class Missed(OfSeat, frozen=True, tag="missed", omit_defaults=True):
    """A seat gives no orders in this step: its time is up, or its bot made no sense."""

    why: str  # the verdict, as text
    strike: bool = False


class Dropped(OfSeat, frozen=True, tag="dropped"):
    """A seat leaves the match: it resigned, its bank is empty, its bot failed."""

    why: str  # the verdict, as text


class Ran(Struct, frozen=True, tag_field="act", tag="ran"):
    """All were heard; the step was adjudicated."""


class Offered(OfSeat, frozen=True, tag="offered"):
    what: str


class Answered(OfSeat, frozen=True, tag="answered"):
    what: str
    yes: bool


class Paused(OfSeat, frozen=True, tag="paused"):
    """The clocks stand still."""


class Resumed(OfSeat, frozen=True, tag="resumed"):
    """The clocks run again."""


class Away(Struct, frozen=True, tag_field="act", tag="away"):
    """The server was not there from `since` until now; nobody's clock ran."""

    since: float


class Joined(OfSeat, frozen=True, tag="joined", omit_defaults=True):
    """A further person in a seat."""

    player: str
    secret: str
    account: int | None = None


class Held(OfSeat, frozen=True, tag="held"):
    """A person of a seat took a role, or laid it down."""

    member: int
    role: str
    take: bool


class Finished(OfSeat, frozen=True, tag="finished"):
    """A role has finished its part of the turn, or goes on."""

    role: str
    done: bool


class Bid(OfSeat, frozen=True, tag="bid"):
    """A number named in secret before the match begins."""

    number: int


class Next(Struct, frozen=True, tag_field="act", tag="next"):
    """A rematch was opened."""

    table: str


Act = (
    Sat | Stood | Joined | Held | Finished | Filed | Withdrew | Missed | Dropped | Ran
    | Bid | Offered | Answered | Paused | Resumed | Away | Next
)  # fmt: skip
