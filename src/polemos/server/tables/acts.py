"""The acts at a table. Carrying out the same acts again gives the same table, which is how tables are resumed."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from polemos.wire.table import Kind


class OfSeat(Struct, frozen=True, tag_field="act"):
    """Something that one seat does, or that happens to it."""

    seat: str


class Sat(OfSeat, frozen=True, tag="sat", omit_defaults=True):
    """Someone took a seat, or was put there."""

    kind: Kind
    player: str
    secret: str = ""  # the hash of the seat's token
    account: int | None = None


class Called(OfSeat, frozen=True, tag="called"):
    """A program that was given no name announced one."""

    player: str


class Stood(OfSeat, frozen=True, tag="stood"):
    """A seat was given up before the match began."""


class Filed(OfSeat, frozen=True, tag="filed", omit_defaults=True):
    lines: list[Any]
    cpu: float = 0.0  # seconds, of a bot that runs here
    wall: float = 0.0  # seconds on the clock, of a bot


class Withdrew(OfSeat, frozen=True, tag="withdrew"):
    """The filed sheet was withdrawn."""


class Missed(OfSeat, frozen=True, tag="missed", omit_defaults=True):
    """A seat gave no orders in this step: its time ran out, or its bot's answer was unreadable."""

    why: str  # the verdict, as text
    strike: bool = False
    cpu: float = 0.0
    wall: float = 0.0


class Dropped(OfSeat, frozen=True, tag="dropped", omit_defaults=True):
    """A seat left the match: it resigned, ran out of time, or its bot failed."""

    why: str  # the verdict, as text
    cpu: float = 0.0
    wall: float = 0.0


class Ran(Struct, frozen=True, tag_field="act", tag="ran"):
    """All orders were in, and the step was adjudicated."""


class Offered(OfSeat, frozen=True, tag="offered"):
    what: str


class Answered(OfSeat, frozen=True, tag="answered"):
    what: str
    yes: bool


class Paused(OfSeat, frozen=True, tag="paused"):
    """The clocks were stopped."""


class Resumed(OfSeat, frozen=True, tag="resumed"):
    """The clocks were started again."""


class Away(Struct, frozen=True, tag_field="act", tag="away"):
    """The server was down from `since` until now; nobody's clock ran."""

    since: float


class Joined(OfSeat, frozen=True, tag="joined", omit_defaults=True):
    """Another person joined a seat."""

    player: str
    secret: str
    account: int | None = None


class Held(OfSeat, frozen=True, tag="held"):
    """A person in a seat took a role, or gave it up."""

    member: int
    role: str
    take: bool


class Finished(OfSeat, frozen=True, tag="finished"):
    """A role finished its part of the turn, or resumed it."""

    role: str
    done: bool


class Bid(OfSeat, frozen=True, tag="bid"):
    """A seat named its secret number before the match."""

    number: int


class Next(Struct, frozen=True, tag_field="act", tag="next"):
    """A rematch was opened."""

    table: str


class Closed(Struct, frozen=True, tag_field="act", tag="closed"):
    """An operator closed the table."""

    why: str


Act = (
    Sat | Called | Stood | Joined | Held | Finished | Filed | Withdrew | Missed | Dropped | Ran
    | Bid | Offered | Answered | Paused | Resumed | Away | Next | Closed
)  # fmt: skip
