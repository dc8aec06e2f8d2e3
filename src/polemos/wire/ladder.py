"""Messages about ladders: their tables, the queue, games between bots."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Phase = Literal["open", "final", "over"]
Engine = Literal["running", "paused", "no workers"]


class LadderCard(Struct, frozen=True):
    """A ladder and its current season."""

    id: int
    game: str
    rules: str
    title: str
    seats: int
    maps: tuple[str, ...]
    season: int  # its number, from 1
    phase: Phase
    ends: float  # when versions are locked and the final begins
    anchor: int | None  # the bot whose rating is fixed
    bots: int


class LadderRow(Struct, frozen=True, omit_defaults=True):
    """A bot on a ladder."""

    bot: int
    name: str
    version: int  # its number, from 1
    author: str = ""  # empty: one of ours
    language: str = ""
    state: Literal["active", "paused"] = "active"
    paused_by: str = ""
    why: str = ""  # it is paused
    locked: bool = False  # this version counts, whatever is uploaded
    rating: float | None = None  # by the last fit, with whatever has happened since; None: no games yet
    margin: float | None = None  # of the 95 % interval, to either side
    fitted: float | None = None  # by the last fit alone, which ranks and order go by
    placing: bool = False
    rank_from: int | None = None
    rank_to: int | None = None
    band: int | None = None
    doubt_from: int | None = None  # the places of the first and the last bot that it can't be told from
    doubt_to: int | None = None
    games: int = 0
    wins: int = 0
    draws: int = 0
    faults: int = 0  # games that it dropped out of
    strikes: int = 0
    void_lines: int = 0
    cpu: float = 0.0  # seconds over all games


class BotInGame(Struct, frozen=True):
    """A bot in a game of a ladder."""

    bot: int
    name: str
    version: int
    entry: int  # the order in which bots were paired
    seat: str  # empty until the game is over, where bids decide it
    rank: int | None
    points: float | None
    fault: str | None  # the verdict if it dropped out
    strikes: int
    void_lines: int
    cpu: float
    wall: float
    slowest: float


class LadderGame(Struct, frozen=True):
    """A game of a ladder."""

    id: int
    ladder: int
    game: str
    meeting: int  # all its games have the same bots, seed and draw, and other seats
    turn: int  # which of them, from 0
    map: str
    why: str  # it is played
    stage: Literal["season", "final", "challenge", "tournament"]
    counts: bool
    state: Literal["waiting", "leased", "done"]
    cause: str  # of a game that is done: played, broken or called off
    begun: float | None
    done: float | None
    reason: str
    steps: int
    has_replay: bool
    bots: tuple[BotInGame, ...]
    worker: str = ""
    trouble: str = ""  # why it is played again
    at_turn: int | None = None  # of a game that is being played and tells how far it is
    turns: int | None = None  # and of how many, if that is known


class Meeting(Struct, frozen=True):
    """Games between the same bots, seats exchanged, that have ended."""

    meeting: int
    at: float
    games: tuple[int, ...]
    bots: tuple[tuple[int, str, float], ...]  # bot, name, points; the best first
    map: str


class EngineFigures(Struct, frozen=True):
    state: Engine
    a_minute: float  # games, of this ladder or of all
    playing: int
    waiting: int
    places: int  # games that can be played at a time
    machines: int


class LadderPage(Struct, frozen=True):
    """A ladder as its page shows it."""

    ladder: LadderCard
    at: float
    fit: int | None  # the number of the last fit
    fitted: float | None  # when it was made
    since: int  # results since then
    engine: EngineFigures
    rows: tuple[LadderRow, ...]  # in order of the fit
    playing: tuple[LadderGame, ...]
    finished: tuple[Meeting, ...]


class RatedPerson(Struct, frozen=True):
    """A person who plays rated matches."""

    name: str
    rating: float  # 1500 before the first match; not on the scale of bots
    margin: float  # of the 95 % interval, to either side
    games: int
    wins: int
    draws: int
    last: float  # when their last match ended


class PeoplePage(Struct, frozen=True):
    """The people who play a game with a rule set. Bots are rated apart from them."""

    game: str
    rules: str
    all_rules: tuple[str, ...]  # rule sets with rated matches
    people: tuple[RatedPerson, ...]  # by the lower end of their interval, so that one lucky match is not enough


class Trend(Struct, frozen=True):
    """The last 30 days of one version."""

    bot: int
    points: tuple[tuple[int, int, int], ...]  # minutes since the first fit of them, rating, margin; the oldest first


class Waiting(Struct, frozen=True):
    """A game that is played soon."""

    game: LadderGame
    starts: float | None  # in about so many seconds; None: nobody plays


class Load(Struct, frozen=True):
    at: float
    waiting: int


class Queue(Struct, frozen=True):
    at: float
    engine: EngineFigures
    usual: dict[int, float]  # ladder to the seconds that a game takes
    playing: tuple[LadderGame, ...]
    next: tuple[Waiting, ...]
    loads: tuple[Load, ...]  # the last day


class FaultSoFar(Struct, frozen=True):
    """A turn that went wrong for a bot in a game that is being played."""

    turn: int
    entry: int
    kind: Literal["out", "strike", "void"]
    why: str  # the kind of the fault; of void lines, how many there are


class GameSoFar(Struct, frozen=True):
    """A game while it is being played, as of a few seconds ago. Bots are in the order of their entries."""

    turn: int
    turns: int | None  # of the whole game, if that is known
    seats: tuple[str, ...]
    strikes: tuple[int, ...]
    void_lines: tuple[int, ...]
    cpu: tuple[float, ...]
    faults: tuple[FaultSoFar, ...]
    picture: str  # SVG
    logs: dict[int, str]  # the ends of those that you may read, by entry


class GamePage(Struct, frozen=True):
    """A game between bots as its page shows it."""

    ladder: LadderCard
    game: LadderGame
    others: tuple[LadderGame, ...]  # of the same meeting
    ratings: dict[int, tuple[float, float]]  # of bots: rating and margin
    authors: dict[int, str]
    mine: tuple[int, ...]  # entries whose logs you may read
    readers: dict[int, str]  # of bots: the organiser who may read their logs, besides their authors
    bank: float  # CPU seconds for the whole match,
    turn: float  # and those that every turn adds
    so_far: GameSoFar | None = None  # of a game that is being played
    group: str = ""  # whose members alone see it


class WorkerRow(Struct, frozen=True):
    """A machine that plays games, as operators see it."""

    id: int
    name: str
    state: Literal["active", "aside"]
    why: str
    remote: bool  # it connects with a token
    places: int
    playing: int
    created: float
    seen: float
    games: int
    seats: int
    failures: int  # bots that dropped out of its games
    broken: int
    refused: int
    suspect: bool  # bots fail on it, or games can't be played, far oftener than elsewhere


class LadderHealth(Struct, frozen=True):
    """How the ladders are, for operators."""

    on_duty: str  # the process that pairs and rates; empty: none
    waiting: int
    leased: int
    a_minute: float
    lost: int  # leases of unfinished games that ended without a result
    workers: tuple[WorkerRow, ...]
    ladders: tuple[LadderState, ...]


class LadderState(Struct, frozen=True):
    id: int
    title: str
    game: str
    state: Literal["open", "paused"]
    phase: Phase
    season: int
    bots: int
    paused: int  # bots
    waiting: int
    fitted: float | None
    group: str = ""  # whose ladder it is, if not everybody's
