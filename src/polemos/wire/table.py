"""What the server and those at its tables say to each other: people's browsers, spectators, and programs of others.

Everything that is about a match is told to one audience: a seat, or the spectators. Orders, options and events are the
game's own, as in `polemos schema GAME`; the server adds their words, so that a client needs no rules.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct

from polemos.kernel.capabilities.advice import Alert
from polemos.kernel.capabilities.sealed_bids import Sealed
from polemos.kernel.game import Option
from polemos.kernel.orders import Fault
from polemos.kernel.outcome import Outcome
from polemos.kernel.scenes import Show, Stage

# ---- games


class GameCard(Struct, frozen=True):
    """A game as the lobby shows it."""

    name: str
    title: str
    summary: str
    edition: int
    seats: tuple[str, ...]  # all of them, in order
    fewest: int
    simultaneous: bool
    incremental: bool
    fog: bool
    dice: bool
    bots: tuple[str, ...]
    options: dict[str, Any]  # JSON Schema of the options
    usual: dict[str, Any]  # their usual values
    live: int = 0  # tables that play now
    sealed: bool = False  # seats can name a number in secret before the match begins


class Paragraph(Struct, frozen=True):
    """A paragraph of a rule book. Headings have no text."""

    number: str
    title: str
    text: str  # Markdown


class Book(Struct, frozen=True):
    game: str
    title: str
    edition: int
    paragraphs: tuple[Paragraph, ...]
    opening: str = ""  # Markdown: what comes before the first paragraph, with pictures


# ---- tables

ClockKind = Literal["none", "turn", "bank"]
Status = Literal["open", "sealed", "playing", "paused", "over"]  # sealed: bids are taken
Kind = Literal["open", "kept", "person", "bot", "program"]


class ClockRule(Struct, frozen=True, forbid_unknown_fields=True):
    """How time is given: none, so much for every turn, or a bank with an increment for every sheet that is filed."""

    kind: ClockKind = "none"
    seconds: float = 0.0  # of a turn, or of the bank
    increment: float = 0.0


class SeatSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """Who shall sit there: nobody yet, whoever opens the table, one of our bots, or a bot that connects by itself.

    In a rematch a seat is kept for a while for whoever had it.
    """

    kind: Kind = "open"
    bot: str = ""  # its name, or the name of whom it is kept for


class OpenTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A wish for a table."""

    game: str
    seats: dict[str, SeatSpec] = {}  # a seat that is not named stays open
    options: dict[str, Any] = {}
    title: str = ""
    name: str = ""  # of whoever opens it, as others see it
    clock: ClockRule = ClockRule()
    take_back: bool = False  # whether turns may be taken back when all agree
    listed: bool = True  # in the lobby
    sealed: bool = False  # every seat names a number in secret before the match begins, where the game has such a thing
    pace: float = 0.0  # seconds between two steps in which only bots order; people want to see something


class Crew(Struct, frozen=True):
    """One of several persons in a seat. What they look at and have done is told to their own side alone."""

    player: str
    roles: tuple[str, ...]  # those that this person has taken
    you: bool = False
    here: bool = False
    looks: str | None = None  # the place that is looked at
    done: tuple[str, ...] = ()  # roles that have finished their part of the turn


class SeatCard(Struct, frozen=True):
    """A seat as this audience may see it."""

    seat: str
    kind: Kind
    player: str
    you: bool = False
    to_act: bool | None = None  # None where that would tell too much
    filed: bool | None = None  # the same
    here: bool | None = None  # connected; None where nobody is told
    why: str = ""  # it has dropped out: how, in words, once everybody may know
    crew: tuple[Crew, ...] = ()  # where a seat has several persons


class Clock(Struct, frozen=True):
    """Time left by seat at the moment of sending, in seconds; those that run are named."""

    left: dict[str, float] = {}
    running: tuple[str, ...] = ()


class TableCard(Struct, frozen=True):
    """A table as lists show it."""

    id: str
    game: str
    title: str
    status: Status
    seats: tuple[SeatCard, ...]
    turn: int
    turns: int | None  # None where it is open or unknown
    watching: int
    clock: ClockRule
    outcome: Outcome | None
    created: float  # seconds since 1970
    next: str | None = None  # the rematch


class Seated(Struct, frozen=True):
    """The answer to opening a table or taking a seat: the secret of that seat. It is told once."""

    table: str
    seat: str | None
    token: str | None


# ---- what a table says over its socket


class Told(Struct, frozen=True):
    """An event in words."""

    words: str
    rule: str
    event: Any  # as the game writes it
    seat: str | None = None  # whose it is, where it has such a field


class Mark(Struct, frozen=True):
    """A moment that the time line points at."""

    words: str
    rule: str
    seat: str | None = None


class Rows(Struct, frozen=True):
    """Many objects with the same fields: what all of them have in common, and the other fields as columns."""

    count: int
    same: dict[str, Any]
    columns: dict[str, tuple[Any, ...]]


class Bulk(Struct, frozen=True):
    """Events of one kind that are too many in one step to be told one by one: their words are one phrase for all."""

    phrase: str
    rule: str
    runs: tuple[tuple[int, int], ...]  # where they stand among all events of the step: the first of a run, how many
    rows: Rows
    seat: str  # the field that says whose they are; empty: nobody's


class Lot(Struct, frozen=True):
    """Orders of one form, and where they stand on their sheet."""

    runs: tuple[tuple[int, int], ...]  # the first of a run, how many
    rows: Rows
    phrase: str = ""  # their texts, with fields in braces; empty: the texts are told line by line


class Frame(Struct, frozen=True):
    """One position as this audience saw it, and what led to it. Frame 0 is the start.

    Who asks for packed frames gets long lists of the view as `Rows`, and kinds of events that happened often as `Bulk`.
    """

    number: int
    turn: int
    view: Any
    events: tuple[Told, ...] = ()
    orders: dict[str, tuple[str, ...] | None] = {}  # sheets that this audience may know, as text; None: absent
    sheets: dict[str, tuple[Any, ...]] = {}  # the same as objects, line by line; None: unreadable
    stages: tuple[Stage, ...] = ()  # how the turn is shown; see `shows` of the table
    faults: dict[str, tuple[Fault, ...]] = {}
    figures: dict[str, dict[str, float]] = {}  # for charts: name, then seat
    marks: tuple[Mark, ...] = ()
    dropped: dict[str, str] = {}  # seats that dropped out with this step, and how, in words
    bulk: tuple[Bulk, ...] = ()
    packed: tuple[str, ...] = ()  # fields of the view that are `Rows`
    lots: dict[
        str, tuple[Lot, ...]
    ] = {}  # sheets too long to be told line by line; `orders` is empty where these say it
    picture: str = ""  # the view as SVG, for a client that has no board for this game


class Bidding(Struct, frozen=True):
    """Asked for in secret before the match begins. Nobody is told what others have named, or whether they have."""

    asked: Sealed
    yours: int | None = None


class TableState(Struct, frozen=True, tag_field="type", tag="table"):
    """First of all, and whenever something of it changes."""

    card: TableCard
    setting: Any  # what never changes in this match and all may know
    you: str | None  # the seat of this connection
    frames: int  # how many there are; they are fetched, and new ones come by themselves
    offers: dict[str, str] = {}  # what is offered, and by which seat: draw, take back
    may: tuple[str, ...] = ()  # of: file, resign, offer draw, offer take back, pause, resume, start, rematch, leave
    notes: dict[str, str] = {}  # this seat's own pencil notes by place
    replay: bool = False  # whether the replay can be had
    roles: tuple[str, ...] = ()  # whose orders this connection may give, in games that part a seat into roles
    all_roles: tuple[str, ...] = ()  # of the match
    crew_link: str | None = None  # a secret that lets others into this seat
    bidding: Bidding | None = None  # while bids are taken
    shows: dict[str, tuple[Show, ...]] = {}  # what kinds of events do to the board


class FrameSaid(Struct, frozen=True, tag_field="type", tag="frame"):
    frame: Frame


class SheetLine(Struct, frozen=True):
    """One line of a sheet as it stands."""

    text: str
    order: Any | None  # None if it cannot be read
    fault: Fault | None = None
    figures: dict[str, Any] = {}  # what the option for it says, beside all other lines
    role: str | None = None  # whose line it is, in games that part a seat into roles


class Sheet(Struct, frozen=True, tag_field="type", tag="sheet"):
    """The sheet of this seat: its lines, each judged, and what is lawful beside them."""

    step: int  # the frame that it is ordered from
    state: Literal["empty", "draft", "filed", "locked"]
    lines: tuple[SheetLine, ...] = ()
    options: tuple[Option, ...] = ()
    alerts: tuple[Alert, ...] = ()
    view: Any = None  # in games where an order acts at once: the position after the lawful lines
    re: int | None = None  # the message that this answers


class ClockSaid(Struct, frozen=True, tag_field="type", tag="clock"):
    clock: Clock


class ChatLine(Struct, frozen=True, tag_field="type", tag="chat"):
    number: int
    at: float
    who: str  # as others see it
    seat: str | None
    to: Literal["table", "side"]
    text: str


class Ack(Struct, frozen=True, tag_field="type", tag="ack"):
    """It is stored."""

    re: int


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """It was not done, and why."""

    re: int | None
    word: str
    why: str
    rule: str | None = None
    key: str | None = None  # of a limit: which one,
    seconds: float | None = None  # and how long to wait


Says = TableState | FrameSaid | Sheet | ClockSaid | ChatLine | Ack | Refused

# ---- what a person's client says; `id` comes back in the answer


class Join(Struct, frozen=True, tag_field="type", tag="join", forbid_unknown_fields=True):
    """First of all: with the secret of a seat, or none to watch."""

    token: str | None = None
    packed: bool = False  # whether frames shall come packed
    boards: str | None = None  # games that this client has a board for, as `a,b`; of others frames have a picture
    id: int = 0


class SetDraft(Struct, frozen=True, tag_field="type", tag="draft", forbid_unknown_fields=True):
    """The sheet as it is being written. It is kept, and answered by the sheet with faults and options."""

    lines: list[Any]
    id: int = 0


class FileSheet(Struct, frozen=True, tag_field="type", tag="file", forbid_unknown_fields=True):
    """The sheet for this step. It may be filed again until the step is run."""

    lines: list[Any]
    step: int  # the frame that it is meant for
    id: int = 0


class Withdraw(Struct, frozen=True, tag_field="type", tag="withdraw", forbid_unknown_fields=True):
    id: int = 0


class Act(Struct, frozen=True, tag_field="type", tag="act", forbid_unknown_fields=True):
    """One of the words under `may` that needs nothing else."""

    what: str
    id: int = 0


class AnswerOffer(Struct, frozen=True, tag_field="type", tag="answer", forbid_unknown_fields=True):
    what: Literal["draw", "take back"]
    yes: bool
    id: int = 0


class Say(Struct, frozen=True, tag_field="type", tag="say", forbid_unknown_fields=True):
    text: str
    to: Literal["table", "side"] = "table"
    id: int = 0


class SetNote(Struct, frozen=True, tag_field="type", tag="note", forbid_unknown_fields=True):
    """A pencil note of this seat's own, on a place of the board; empty rubs it out."""

    place: str
    text: str
    id: int = 0


class TakeRole(Struct, frozen=True, tag_field="type", tag="role", forbid_unknown_fields=True):
    """Takes a role within the seat, or lays it down."""

    role: str
    take: bool = True
    id: int = 0


class SetBid(Struct, frozen=True, tag_field="type", tag="bid", forbid_unknown_fields=True):
    """The number that is asked for in secret. It can be changed until all have named one."""

    bid: int
    id: int = 0


class Looking(Struct, frozen=True, tag_field="type", tag="looking", forbid_unknown_fields=True):
    """What this person looks at; for the others of the seat, and not kept."""

    at: str
    id: int = 0


class SetDone(Struct, frozen=True, tag_field="type", tag="done", forbid_unknown_fields=True):
    """This role has finished its part of the turn, or goes on. When all who hold one are done, the sheet is filed."""

    role: str
    done: bool = True
    id: int = 0


Asks = (
    Join | SetDraft | FileSheet | Withdraw | Act | AnswerOffer | Say | SetNote | TakeRole | Looking | SetDone | SetBid
)

# ---- records


class Record(Struct, frozen=True):
    """A whole match as one audience may see it: what the viewer plays."""

    game: str
    title: str
    edition: int
    setting: Any
    seats: dict[str, str]  # seat to player
    frames: tuple[Frame, ...]
    outcome: Outcome | None
    who: str
    shows: dict[str, tuple[Show, ...]] = {}  # what kinds of events do to the board


# ---- accounts


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    password: str


class Me(Struct, frozen=True):
    """Who this browser is signed in as, and what waits for it."""

    name: str | None
    csrf: str  # to be sent with every request that changes something
    due: tuple[TableCard, ...] = ()


class JoinCrew(Struct, frozen=True, forbid_unknown_fields=True):
    """Into a seat that somebody has, by the link that this person gave."""

    link: str
    name: str = ""


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True):
    seat: str
    name: str = ""


# All messages by name, for the schema and for the types of the client.
MESSAGES: Final = {
    "game": GameCard,
    "book": Book,
    "open": OpenTable,
    "card": TableCard,
    "seated": Seated,
    "says": Says,
    "asks": Asks,
    "record": Record,
    "credentials": Credentials,
    "me": Me,
    "take": TakeSeat,
    "crew": JoinCrew,
}
