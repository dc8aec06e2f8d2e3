"""The messages between the server and everyone at its tables: players' browsers, spectators and programs.

Everything about a match is sent to one audience: a seat, or the spectators. Orders, options and events are the game's
own, as in `polemos schema GAME`; the server adds their words, so a client needs no rules.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct

from polemos.kernel.capabilities.advice import Alert
from polemos.kernel.capabilities.presets import MapCard, Preset
from polemos.kernel.capabilities.sealed_bids import Sealed
from polemos.kernel.game import Option
from polemos.kernel.orders import Fault
from polemos.kernel.outcome import Outcome
from polemos.kernel.scenes import Show, Stage

# ---- games


class OfferedBot(Struct, frozen=True):
    """A bot that people are offered to play."""

    bot: str
    about: str = ""  # how it plays, in a few words


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
    usual: dict[str, Any]  # their default values
    live: int = 0  # tables in play now
    sealed: bool = False  # each seat can name a number in secret before the match begins
    opponents: tuple[OfferedBot, ...] = ()  # from easy to strong
    presets: tuple[Preset, ...] = ()  # ready-made tables
    maps: tuple[MapCard, ...] = ()  # to choose from; empty if there is only one


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
Status = Literal["open", "sealed", "playing", "paused", "over"]  # sealed: bids are being made
Kind = Literal["open", "kept", "person", "bot", "program"]


class ClockRule(Struct, frozen=True, forbid_unknown_fields=True):
    """The clock: none, a fixed time for every turn, or a bank with an increment for every sheet filed."""

    kind: ClockKind = "none"
    seconds: float = 0.0  # for a turn, or in the bank
    increment: float = 0.0


class SeatSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """Who takes a seat: nobody yet, the person opening the table, one of our bots, or a bot that connects by itself.

    In a rematch, a seat is kept for a while for the player who had it.
    """

    kind: Kind = "open"
    bot: str = ""  # its name, or the name of the player the seat is kept for


class OpenTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to open a table."""

    game: str
    seats: dict[str, SeatSpec] = {}  # seats that are not listed stay open
    options: dict[str, Any] = {}
    title: str = ""
    name: str = ""  # of the person opening it, as others see it
    clock: ClockRule = ClockRule()
    take_back: bool = False  # whether turns can be taken back if everyone agrees
    listed: bool = True  # in the lobby
    sealed: bool = False  # every seat names a number in secret before the match begins, if the game has bids
    pace: float = 0.0  # seconds between steps in which only bots give orders, so that people can watch
    rated: bool = False  # the result counts for the ratings of people; everyone who plays must be signed in
    lesson: bool = False  # an introduction: one person against bots, with the same dice for everyone


class Crew(Struct, frozen=True):
    """One of several people sharing a seat. Only their own side is told what they look at and have done."""

    player: str
    roles: tuple[str, ...]  # roles taken by this person
    you: bool = False
    here: bool = False
    looks: str | None = None  # the place they are looking at
    done: tuple[str, ...] = ()  # roles that have finished their part of the turn
    wait: float | None = None  # while they are away: seconds until you may take over their roles


class SeatCard(Struct, frozen=True):
    """A seat as this audience may see it."""

    seat: str
    kind: Kind
    player: str
    you: bool = False
    to_act: bool | None = None  # None if that would reveal too much
    filed: bool | None = None  # likewise
    here: bool | None = None  # connected; None if this is not shown
    why: str = ""  # how it dropped out, in words, once everyone may know
    crew: tuple[Crew, ...] = ()  # if several people share the seat


class Clock(Struct, frozen=True):
    """Seconds left for each seat at the time of sending, and which clocks are running."""

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
    turns: int | None  # None if undecided or unknown
    watching: int
    clock: ClockRule
    outcome: Outcome | None
    created: float  # seconds since 1970
    next: str | None = None  # the rematch
    closed: str | None = None  # why an operator closed it
    rated: bool = False  # the result counts for the ratings of people


class Seated(Struct, frozen=True):
    """The answer to opening a table or taking a seat: the secret of that seat. It is sent only once."""

    table: str
    seat: str | None
    token: str | None


# ---- messages from a table over its socket


class Told(Struct, frozen=True):
    """An event in words."""

    words: str
    rule: str
    event: Any  # as the game writes it
    seat: str | None = None  # whose it is, if it has such a field


class Mark(Struct, frozen=True):
    """A moment marked on the timeline."""

    words: str
    rule: str
    seat: str | None = None


class Rows(Struct, frozen=True):
    """Many objects with the same fields: the values they all share, and the other fields as columns."""

    count: int
    same: dict[str, Any]
    columns: dict[str, tuple[Any, ...]]


class Bulk(Struct, frozen=True):
    """Events of one kind, too many in one step to send one by one: they share one phrase."""

    phrase: str
    rule: str
    runs: tuple[tuple[int, int], ...]  # their places among all events of the step: the first of each run, and how many
    rows: Rows
    seat: str  # the field that says whose they are; empty if they are nobody's


class Lot(Struct, frozen=True):
    """Orders of one form, and their places on the sheet."""

    runs: tuple[tuple[int, int], ...]  # the first of each run, and how many
    rows: Rows
    phrase: str = ""  # their texts, with fields in braces; empty if the texts are sent line by line


class Frame(Struct, frozen=True):
    """One position as this audience saw it, and the turn leading to it. Frame 0 is the start.

    In packed frames, long lists of the view are `Rows`, and kinds of events that happened often are `Bulk`.
    """

    number: int
    turn: int
    view: Any
    events: tuple[Told, ...] = ()
    orders: dict[str, tuple[str, ...] | None] = {}  # sheets that this audience may see, as text; None: absent
    sheets: dict[str, tuple[Any, ...]] = {}  # the same as objects, line by line; None: unreadable
    stages: tuple[Stage, ...] = ()  # the animation of the turn; see `shows` of the table
    faults: dict[str, tuple[Fault, ...]] = {}
    figures: dict[str, dict[str, float]] = {}  # for charts: name, then seat
    marks: tuple[Mark, ...] = ()
    dropped: dict[str, str] = {}  # seats that dropped out in this step, and how, in words
    bulk: tuple[Bulk, ...] = ()
    packed: tuple[str, ...] = ()  # fields of the view that are `Rows`
    lots: dict[str, tuple[Lot, ...]] = {}  # sheets too long to send line by line; `orders` is empty if these are enough
    picture: str = ""  # the view as SVG, for a client without its own board for this game
    strikes: dict[str, str] = {}  # seats that lost this turn by a fault, and how, in words
    reasons: dict[str, str] = {}  # what is known of a strike or of dropping out: the last words of a program's log
    cpu: dict[str, float] = {}  # seconds that bots took for their orders: of the processor,
    wall: dict[str, float] = {}  # and on the clock


class Bidding(Struct, frozen=True):
    """A number to name in secret before the match begins. Nobody is told the others' numbers, or who has named one."""

    asked: Sealed
    yours: int | None = None


class TableState(Struct, frozen=True, tag_field="type", tag="table"):
    """The first message, sent again whenever something in it changes."""

    card: TableCard
    setting: Any  # the constant, public facts of this match
    you: str | None  # this connection's seat
    frames: int  # how many there are; fetch the old ones, new ones are sent
    offers: dict[str, str] = {}  # current offers (draw, take back), and the seat that made each
    unanswered: dict[str, tuple[str, ...]] = {}  # for each offer, the seats that have to agree and haven't yet
    may: tuple[str, ...] = ()  # any of: file, resign, offer draw, offer take back, pause, resume, start, rematch, leave
    notes: dict[str, str] = {}  # this seat's own notes, by place
    replay: bool = False  # whether the replay can be downloaded
    roles: tuple[str, ...] = ()  # the roles this connection may give orders for, in games with roles
    all_roles: tuple[str, ...] = ()  # in the match
    crew_link: str | None = None  # a secret link that lets others join this seat
    bidding: Bidding | None = None  # while bids are being made
    shows: dict[str, tuple[Show, ...]] = {}  # the effects of kinds of events on the board


class FrameSaid(Struct, frozen=True, tag_field="type", tag="frame"):
    frame: Frame


class SheetLine(Struct, frozen=True):
    """One line of a sheet."""

    text: str
    order: Any | None  # None if it cannot be read
    fault: Fault | None = None
    figures: dict[str, Any] = {}  # the figures of its option, given all the other lines
    role: str | None = None  # whose line it is, in games with roles


class Sheet(Struct, frozen=True, tag_field="type", tag="sheet"):
    """The sheet of this seat: its lines, each judged, and the orders that can still be added."""

    step: int  # the frame that the orders are for
    state: Literal["empty", "draft", "filed", "locked"]
    lines: tuple[SheetLine, ...] = ()
    options: tuple[Option, ...] = ()
    alerts: tuple[Alert, ...] = ()
    view: Any = None  # in games where orders take effect at once: the position after the legal lines
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
    """Confirms that a message was stored."""

    re: int


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """Says that something was not done, and why."""

    re: int | None
    word: str
    why: str
    rule: str | None = None
    key: str | None = None  # for a limit: which one,
    seconds: float | None = None  # and how long to wait


class Restarting(Struct, frozen=True, tag_field="type", tag="restarting"):
    """The last message before the server stops: connect again after so many seconds."""

    seconds: float


Says = TableState | FrameSaid | Sheet | ClockSaid | ChatLine | Ack | Refused | Restarting

# ---- messages from a person's client; the answer repeats the `id`


class Join(Struct, frozen=True, tag_field="type", tag="join", forbid_unknown_fields=True):
    """The first message: with the secret of a seat, or without one to watch."""

    token: str | None = None
    packed: bool = False  # whether to send packed frames
    boards: str | None = (
        None  # games that this client has its own board for, as `a,b`; frames of other games include a picture
    )
    id: int = 0


class SetDraft(Struct, frozen=True, tag_field="type", tag="draft", forbid_unknown_fields=True):
    """The sheet while it is being written. It is saved, and the answer is the sheet with faults and options."""

    lines: list[Any]
    id: int = 0


class FileSheet(Struct, frozen=True, tag_field="type", tag="file", forbid_unknown_fields=True):
    """The sheet for this step. It can be filed again until the step is played."""

    lines: list[Any]
    step: int  # the frame that the orders are for
    id: int = 0


class Withdraw(Struct, frozen=True, tag_field="type", tag="withdraw", forbid_unknown_fields=True):
    id: int = 0


class Act(Struct, frozen=True, tag_field="type", tag="act", forbid_unknown_fields=True):
    """One of the words in `may` that needs nothing else."""

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
    """A note for this seat only, on a place on the board; an empty text deletes it."""

    place: str
    text: str
    id: int = 0


class TakeRole(Struct, frozen=True, tag_field="type", tag="role", forbid_unknown_fields=True):
    """Takes a role within the seat, or gives it up."""

    role: str
    take: bool = True
    id: int = 0


class SetBid(Struct, frozen=True, tag_field="type", tag="bid", forbid_unknown_fields=True):
    """The seat's secret number. It can be changed until every seat has named one."""

    bid: int
    id: int = 0


class Looking(Struct, frozen=True, tag_field="type", tag="looking", forbid_unknown_fields=True):
    """The place this person is looking at; shown to the others in the seat, and not stored."""

    at: str
    id: int = 0


class SetDone(Struct, frozen=True, tag_field="type", tag="done", forbid_unknown_fields=True):
    """This role has finished its part of the turn, or resumes it. The sheet is filed once all roles taken are done."""

    role: str
    done: bool = True
    step: int | None = None  # the step it is for; without it, the current one
    id: int = 0


Asks = (
    Join | SetDraft | FileSheet | Withdraw | Act | AnswerOffer | Say | SetNote | TakeRole | Looking | SetDone | SetBid
)

# ---- records


class Record(Struct, frozen=True):
    """A whole match as one audience may see it, for the viewer."""

    game: str
    title: str
    edition: int
    setting: Any
    seats: dict[str, str]  # seat to player
    frames: tuple[Frame, ...]
    outcome: Outcome | None
    who: str
    shows: dict[str, tuple[Show, ...]] = {}  # the effects of kinds of events on the board


# ---- accounts


class Farewell(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to delete your account."""

    password: str


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    password: str


class Me(Struct, frozen=True):
    """The account this browser is signed in as, and the matches waiting for it."""

    name: str | None
    csrf: str  # send it with every request that changes something
    due: tuple[TableCard, ...] = ()
    operator: bool = False


class JoinCrew(Struct, frozen=True, forbid_unknown_fields=True):
    """Joins a seat that someone else holds, through the link they shared."""

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
