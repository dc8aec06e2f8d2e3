"""What can be done at a table. Carrying the same acts out again gives the same table: that is how one is resumed."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from polemos.wire.table import Kind


class Sat(Struct, frozen=True, tag_field="act", tag="sat", omit_defaults=True):
    """Somebody took a seat, or was put there."""

    seat: str
    kind: Kind
    player: str
    secret: str = ""  # the hash of the seat's token
    account: int | None = None


class Stood(Struct, frozen=True, tag_field="act", tag="stood"):
    """A seat was given up before the match began."""

    seat: str


class Filed(Struct, frozen=True, tag_field="act", tag="filed", omit_defaults=True):
    seat: str
    lines: list[Any]
    cpu: float = 0.0


class Withdrew(Struct, frozen=True, tag_field="act", tag="withdrew"):
    seat: str


class Missed(Struct, frozen=True, tag_field="act", tag="missed", omit_defaults=True):
    """A seat gives no orders in this step: its time is up, or its bot made no sense."""

    seat: str
    why: str
    strike: bool = False


class Dropped(Struct, frozen=True, tag_field="act", tag="dropped"):
    """A seat leaves the match: it resigned, its bank is empty, its bot failed."""

    seat: str
    why: str


class Ran(Struct, frozen=True, tag_field="act", tag="ran"):
    """All were heard; the step was adjudicated."""


class Offered(Struct, frozen=True, tag_field="act", tag="offered"):
    seat: str
    what: str


class Answered(Struct, frozen=True, tag_field="act", tag="answered"):
    seat: str
    what: str
    yes: bool


class Paused(Struct, frozen=True, tag_field="act", tag="paused"):
    seat: str


class Resumed(Struct, frozen=True, tag_field="act", tag="resumed"):
    seat: str


class Away(Struct, frozen=True, tag_field="act", tag="away"):
    """The server was not there from `since` until now; nobody's clock ran."""

    since: float


class Joined(Struct, frozen=True, tag_field="act", tag="joined", omit_defaults=True):
    """A further person in a seat."""

    seat: str
    player: str
    secret: str
    account: int | None = None


class Held(Struct, frozen=True, tag_field="act", tag="held"):
    """A person of a seat took a role, or laid it down."""

    seat: str
    member: int
    role: str
    take: bool


class Finished(Struct, frozen=True, tag_field="act", tag="finished"):
    """A role has finished its part of the turn, or goes on."""

    seat: str
    role: str
    done: bool


class Bid(Struct, frozen=True, tag_field="act", tag="bid"):
    """A number named in secret before the match begins."""

    seat: str
    number: int


class Next(Struct, frozen=True, tag_field="act", tag="next"):
    """A rematch was opened."""

    table: str


Act = (
    Sat | Stood | Joined | Held | Finished | Filed | Withdrew | Missed | Dropped | Ran
    | Bid | Offered | Answered | Paused | Resumed | Away | Next
)  # fmt: skip
