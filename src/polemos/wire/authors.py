"""Messages for authors of bots: uploads and how they get on, their bots, quotas and tokens; and the page of a bot."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

StepName = Literal["received", "unpacked", "recognised", "built", "trial", "accepted"]
StepState = Literal["todo", "began", "done", "failed"]
UploadState = Literal["arriving", "waiting", "running", "accepted", "refused", "cancelled", "failed"]
BotState = Literal["active", "paused"]
PausedBy = Literal["", "author", "failures", "operator"]
Name = Annotated[str, Meta(min_length=1, max_length=80)]

# ---- uploads


class Step(Struct, frozen=True):
    """One of the steps of an upload."""

    step: StepName
    state: StepState = "todo"
    words: str = ""


class LogLine(Struct, frozen=True):
    """A line of a log, by its number."""

    number: int
    text: str
    is_cause: bool = False


class Log(Struct, frozen=True):
    """The end of a log."""

    lines: tuple[LogLine, ...]
    total: int  # lines so far


class TrialBoard(Struct, frozen=True):
    """The trial as it stands."""

    game: str
    turn: int
    turns: int | None
    seat: str  # the bot's
    opponent: str
    picture: str  # SVG
    cpu: float  # seconds, the slowest answer so far
    void_lines: int
    over: bool


class UploadRefused(Struct, frozen=True):
    """Why an upload can't play."""

    step: StepName
    word: str
    why: str
    lines: tuple[LogLine, ...] = ()
    turn: int | None = None
    seat: str = ""
    has_replay: bool = False  # of the trial; for `polemos debug`


class UploadCard(Struct, frozen=True):
    """An upload, for its author."""

    id: int
    change: int  # grows with every change
    state: UploadState
    again: bool  # it was stopped halfway, and was begun once more
    ahead: int  # uploads that are before it
    called: str
    size: int
    created: float
    ended: float | None
    bot: int | None  # as soon as it is known
    name: str
    version: int | None  # its number
    game: str | None
    language: str
    steps: tuple[Step, ...]
    build: Log
    log: Log  # the bot's own, in the trial
    board: TrialBoard | None
    words: str  # how it ended
    refused: UploadRefused | None
    playing: int | None  # the number of the version that plays meanwhile


# ---- an author's own bots


class Quota(Struct, frozen=True):
    """How much of something an account has used."""

    what: Literal["bots", "uploads", "storage", "games"]  # games: of the last hour
    used: int
    most: int
    frees: float | None = None  # when there is room again; none: when something is deleted, or there is room now


class TokenRow(Struct, frozen=True):
    """A personal token. The token itself is shown once, when it is created."""

    id: int
    name: str
    created: float
    used: float | None


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a token. The name says where it is used."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]


class CreatedToken(Struct, frozen=True):
    """Shown once."""

    token: str
    row: TokenRow


class Rating(Struct, frozen=True):
    """A rating from the hourly fit."""

    elo: float
    margin: float  # of the 95 % interval, to either side
    placing: bool
    rank_from: int | None
    rank_to: int | None
    of: int  # bots with a rank


class OwnBot(Struct, frozen=True):
    """A bot in its author's list."""

    id: int
    name: str
    game: str
    language: str
    version: int | None  # that plays; none if none has passed
    state: BotState
    paused_by: PausedBy
    why: str
    changed: float
    rating: Rating | None
    hour: int  # games in the last hour
    games: int  # this season
    faults: int
    strikes: int
    cpu: float  # seconds, in all these games
    upload: UploadCard | None  # the last one, if it is unfinished or was refused


class BotNotice(Struct, frozen=True):
    """Something that the author of a bot is told."""

    id: int
    at: float
    kind: str
    text: str
    bot: int | None


class NewNotices(Struct, frozen=True):
    """How many notices somebody has not looked at yet."""

    unseen: int


class SeenNotices(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody has looked at their notices, up to this one."""

    last: Annotated[int, Meta(ge=0, le=1 << 62)]


class Yard(Struct, frozen=True):
    """Everything on the page of an author's bots."""

    bots: tuple[OwnBot, ...]
    quotas: tuple[Quota, ...]
    tokens: tuple[TokenRow, ...]
    notices: tuple[BotNotice, ...]


# ---- what an author can do with a bot


class PauseBot(Struct, frozen=True, tag_field="act", tag="pause", forbid_unknown_fields=True):
    pass


class ResumeBot(Struct, frozen=True, tag_field="act", tag="resume", forbid_unknown_fields=True):
    pass


class RenameBot(Struct, frozen=True, tag_field="act", tag="rename", forbid_unknown_fields=True):
    name: Name


class PlayVersion(Struct, frozen=True, tag_field="act", tag="play", forbid_unknown_fields=True):
    """Lets another version that passed its trial play."""

    version: int  # its number


class PublishSource(Struct, frozen=True, tag_field="act", tag="publish", forbid_unknown_fields=True):
    """Whether everybody can read its source."""

    open: bool


BotDeed = PauseBot | ResumeBot | RenameBot | PlayVersion | PublishSource

# ---- the page of a bot


class Share(Struct, frozen=True):
    """A share of points with its 95 % interval, all from 0 to 1."""

    games: int
    share: float
    low: float
    high: float


class CurvePoint(Struct, frozen=True):
    at: float
    elo: float
    margin: float


class VersionRow(Struct, frozen=True):
    """A version. They never change."""

    number: int
    created: float
    state: Literal["received", "refused", "passed"]
    language: str
    plays: bool
    rating: Rating | None
    why: str  # it was refused; for its author
    upload: int | None  # with its log; for its author
    source: bool  # whether you can download it
    curve: tuple[CurvePoint, ...]


class Opponent(Struct, frozen=True):
    bot: int
    name: str
    elo: float | None
    all: Share
    maps: dict[str, Share]


class FaultRow(Struct, frozen=True):
    """A game with a fault. Log lines are for the author."""

    game: int
    at: float | None
    against: str
    fault: str  # why it dropped out; empty if it did not
    strikes: int
    lines: tuple[LogLine, ...]
    turn: int | None = None  # in which it dropped out, or of its last strike; None if that is not known
    step: int | None = None  # of the replay, in which that is shown


class GameRow(Struct, frozen=True):
    """A game of a bot."""

    game: int
    at: float | None  # when it ended
    state: Literal["waiting", "leased", "done"]
    result: Literal["", "won", "drew", "lost", "void"]
    rank: int | None
    seats: int
    against: tuple[str, ...]
    map: str
    why: str  # it is played
    reason: str
    steps: int
    version: int
    replay: bool
    seat: str = ""  # once it is known


class RatedOther(Struct, frozen=True):
    """One of our own bots, to read the scale by."""

    name: str
    elo: float
    pins: bool  # the scale


class BotLadder(Struct, frozen=True):
    """A public ladder that a bot is on."""

    id: int
    rules: str
    title: str


class BotPage(Struct, frozen=True):
    """The page of a bot."""

    id: int
    name: str
    author: str  # empty: it is one of ours
    own: bool
    game: str
    ladder: int | None  # whose figures these are: the one asked for, or that of the usual rules
    ladders: tuple[BotLadder, ...]  # all public ones that it is on
    season: int | None  # its number
    state: BotState
    paused_by: PausedBy
    why: str
    published: bool
    created: float
    changed: float
    language: str
    version: int | None
    rating: Rating | None
    games: int
    hour: int
    score: Share | None
    cpu: float  # seconds a turn
    slowest: float
    turn: float  # CPU seconds that a turn adds to the bank
    faults: int
    strikes: int
    begun: float | None  # the season
    versions: tuple[VersionRow, ...]
    others: tuple[RatedOther, ...]
    opponents: tuple[Opponent, ...]
    maps: dict[str, Share]
    fault_rows: tuple[FaultRow, ...]
    recent: tuple[GameRow, ...]
    sure: tuple[float, float] | None  # how far above the version before it, at least and at most
    before: int | None  # the number of that version
