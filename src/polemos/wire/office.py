"""Messages for operators: what they can do, and the lists they look at. Reports and announcements, for everyone."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from polemos.wire.table import ChatLine, Status

Why = Annotated[str, Meta(min_length=1, max_length=500)]
Target = Annotated[str, Meta(min_length=1, max_length=120)]
Seconds = Annotated[float, Meta(ge=60, le=10 * 365 * 86400)]
Quota = Literal["tables", "bots", "own bots", "uploads", "megabytes", "games"]
About = Literal["name", "talk", "bot", "other"]

# ---- what an operator can do; `why` goes to the audit log, and to the people concerned


class Ban(Struct, frozen=True, tag_field="act", tag="ban", forbid_unknown_fields=True):
    """Bans an account, a name, an address or network, for a time or for good.

    An address can also be that of a session, or of the player that a report is about; `target` is its number then.
    """

    kind: Literal["account", "name", "address", "session", "report"]
    target: Target
    why: Why
    seconds: Seconds | None = None  # None: for good


class Unban(Struct, frozen=True, tag_field="act", tag="unban", forbid_unknown_fields=True):
    ban: int
    why: Why


class EndSessions(Struct, frozen=True, tag_field="act", tag="end sessions", forbid_unknown_fields=True):
    """Signs an account out everywhere."""

    name: Target
    why: Why


class SetQuota(Struct, frozen=True, tag_field="act", tag="quota", forbid_unknown_fields=True):
    """How many tables an account can play at once, or how many bots can sit there.

    For its bots on ladders: how many it can have, how often it can upload in a day, their megabytes, and their games an
    hour.
    """

    name: str | None  # None: every account that has no quota of its own
    what: Quota
    most: Annotated[int, Meta(ge=0, le=100_000)] | None  # None: no quota of its own any more
    why: Why


class CloseTable(Struct, frozen=True, tag_field="act", tag="close table", forbid_unknown_fields=True):
    table: Target
    why: Why


class CloseParty(Struct, frozen=True, tag_field="act", tag="close party", forbid_unknown_fields=True):
    """A party online that is not over."""

    party: Target
    why: Why


class StopBot(Struct, frozen=True, tag_field="act", tag="stop bot", forbid_unknown_fields=True):
    """Its seat drops out of the match."""

    table: Target
    seat: Target
    why: Why


class FinishReport(Struct, frozen=True, tag_field="act", tag="report done", forbid_unknown_fields=True):
    report: int
    why: Why


class Announce(Struct, frozen=True, tag_field="act", tag="announce", forbid_unknown_fields=True):
    """Shows a line of text on all pages for a time."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]
    seconds: Seconds


class EndNotice(Struct, frozen=True, tag_field="act", tag="end notice", forbid_unknown_fields=True):
    """Takes an announcement down before its time."""

    notice: int
    why: Why


class SetAside(Struct, frozen=True, tag_field="act", tag="set worker aside", forbid_unknown_fields=True):
    """A worker of the ladder gets no more games, and others play those that it has."""

    worker: int
    why: Why


class LetWorkerIn(Struct, frozen=True, tag_field="act", tag="let worker in", forbid_unknown_fields=True):
    """A worker that was set aside gets games again."""

    worker: int
    why: Why


class PauseLadder(Struct, frozen=True, tag_field="act", tag="pause ladder", forbid_unknown_fields=True):
    """No new games are paired on a ladder. Those that wait are played."""

    ladder: int
    why: Why


class ResumeLadder(Struct, frozen=True, tag_field="act", tag="resume ladder", forbid_unknown_fields=True):
    ladder: int
    why: Why


class PauseLadderBot(Struct, frozen=True, tag_field="act", tag="pause bot", forbid_unknown_fields=True):
    """Somebody's bot plays on no ladder until an operator resumes it."""

    bot: int
    why: Why


class ResumeLadderBot(Struct, frozen=True, tag_field="act", tag="resume bot", forbid_unknown_fields=True):
    bot: int
    why: Why


Deed = (
    Ban
    | Unban
    | EndSessions
    | SetQuota
    | CloseTable
    | CloseParty
    | StopBot
    | FinishReport
    | Announce
    | EndNotice
    | SetAside
    | LetWorkerIn
    | PauseLadder
    | ResumeLadder
    | PauseLadderBot
    | ResumeLadderBot
)


# ---- lists


class SessionRow(Struct, frozen=True):
    id: str  # the first characters of its number
    began: float
    address: str  # shortened


class PersonRow(Struct, frozen=True):
    name: str
    created: float
    operator: bool
    sessions: tuple[SessionRow, ...]
    quotas: dict[str, int]
    banned: str | None  # why


class TableRow(Struct, frozen=True):
    id: str
    game: str
    title: str
    status: Status
    created: float
    listed: bool
    players: tuple[str, ...]


class PartyRow(Struct, frozen=True):
    """A party online that is not over."""

    id: str
    game: str
    created: float
    links: int  # of its people, and two of the host
    used: int  # of these links
    acts: int  # in its journal


class BotRow(Struct, frozen=True):
    """A bot at an unfinished table, and the time that it has used."""

    table: str
    game: str
    seat: str
    bot: str
    cpu: float  # seconds
    wall: float
    answers: int


class ReportRow(Struct, frozen=True):
    id: int
    at: float
    table: str
    by: str
    about: About
    target: str
    address: str  # of the player it is about, shortened; empty if that isn't known
    text: str
    lines: tuple[ChatLine, ...]
    done: float | None


class BanRow(Struct, frozen=True):
    id: int
    kind: Literal["account", "name", "address"]
    target: str
    why: str
    begun: float
    until: float | None


class AuditRow(Struct, frozen=True):
    id: int
    at: float
    by: str
    what: str
    target: str
    why: str


class Summary(Struct, frozen=True):
    """The head of the operator's page."""

    version: str
    accounts: int
    here: int  # connections at tables
    tables: dict[str, int]  # status to how many, in memory
    reports: int  # that are open
    quotas: dict[str, int]  # of everyone


# ---- health


class Times(Struct, frozen=True):
    """How often something happened in the last five minutes, and how many seconds it took; None if it did not."""

    count: int
    p50: float | None
    p99: float | None


class Figures(Struct, frozen=True):
    """How one process is, or several together."""

    version: str
    up: float  # seconds
    memory: int  # bytes, without the processes of bots
    cpu: float  # cores in use, without bots
    bots: float  # cores in use by bots
    tables: dict[str, int]  # in memory, by status
    sockets: dict[str, int]  # by role
    queues: dict[str, int]  # waiting now
    orders: Times
    database: str  # its kind
    reads: Times
    writes: Times
    failed: int  # writes in the last hour
    refusals: dict[str, int]  # by word, in the last hour
    alerts: dict[str, str]  # what to look at: the part of the server, and a sentence


class ProcessRow(Struct, frozen=True):
    """A process of the server that is alive."""

    id: str
    address: str  # where other processes reach it; empty if there can be no others
    renewed: float  # seconds since it last told that it is alive
    owned: int | None  # unfinished tables; None if that isn't known now
    figures: Figures | None  # None: it has just begun


class Point(Struct, frozen=True):
    """One minute of all processes, for charts."""

    at: float
    tables: int  # unfinished, in memory
    sockets: int
    waiting: int
    p50: float | None  # of orders, in seconds
    p99: float | None
    refusals: int
    bots: float  # cores


class Health(Struct, frozen=True):
    processes: tuple[ProcessRow, ...]
    whole: Figures | None  # all processes together; None: no process is running
    minutes: tuple[Point, ...]  # the last hour, the oldest first


# ---- for everyone


class Notice(Struct, frozen=True):
    """An announcement."""

    id: int
    text: str
    until: float


class Report(Struct, frozen=True, forbid_unknown_fields=True):
    """Tells the operators about something at a table."""

    about: About
    text: Annotated[str, Meta(min_length=1, max_length=500)]
    seat: Annotated[str, Meta(max_length=40)] | None = None  # of the player it is about
    lines: Annotated[tuple[int, ...], Meta(max_length=20)] = ()  # numbers of the lines of chat concerned
