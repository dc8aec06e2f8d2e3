"""The types of a tournament, used in its journal and its report."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from polemos.arena.times import Used
from polemos.wire.bot import Budget

System = Literal["round-robin", "swiss", "knock-out"]


class Entrant(Struct, frozen=True):
    """A bot that takes part. Everywhere else, entrants are numbers; names are for people."""

    name: str  # distinct
    spec: str  # as on the command line
    digest: str | None = None  # of its files, for programs


class Plan(Struct, frozen=True):
    """Everything a tournament depends on."""

    game: str
    edition: int
    options: dict[str, Any]
    seats: int
    entrants: tuple[Entrant, ...]
    system: System
    rounds: int
    games: int  # per meeting
    seed: str
    pause_after: int = 3  # consecutive games that a bot dropped out of
    budget: Budget = Budget()
    trust: bool = False  # programs run without the box


class Meeting(Struct, frozen=True):
    """Entrants that play several games against each other, changing seats."""

    number: int  # from 1, in order over the whole tournament
    round: int  # from 1
    players: tuple[int, ...]


class Pairing(Struct, frozen=True):
    """A game to play."""

    number: int  # from 1, unique in the tournament
    meeting: int
    round: int
    seating: tuple[int, ...]  # the entrant in each seat
    seed: str
    bot_seed: str


class Played(Struct, frozen=True):
    """One game as recorded in the journal. All tuples are in seat order."""

    number: int
    meeting: int
    round: int
    seating: tuple[int, ...]
    ranks: tuple[int, ...]  # 1 is first; seats that share a place have the same rank
    points: tuple[float, ...]  # they sum to 1
    reason: str
    rule: str
    steps: int
    fingerprint: str  # of the whole game
    void_lines: tuple[int, ...]
    forfeits: dict[int, str]  # seat number to verdict, as text
    replay: str | None = None  # its file, relative to the folder of the tournament
    seconds: float = 0.0
    cpu: float = 0.0
    void: bool = False  # it could not be played (see the reason) and counts for nobody; no ranks, no points
    strikes: tuple[int, ...] = ()  # older journals have none of these
    used: tuple[Used, ...] = ()  # the time of each seat
    gone: dict[int, str] = {}  # seats whose bot was gone before the end and which passed, and the verdict as text
    absent: tuple[int, ...] = ()  # entrants that may not play any more: the others win a game that is void


class Row(Struct, frozen=True):
    """An entrant in the standings."""

    entrant: int
    place: int
    points: float
    played: int
    wins: int
    draws: int
    losses: int
    tie_break: float  # the opponents' points (Buchholz), or whatever the system uses
    byes: int
    walkovers: int  # won because the opponent was paused
    void_lines: int
    forfeits: int
    paused: bool
    strikes: int = 0
    gone: int = 0  # games in which its bot was gone before the end and passed


class Notice(Struct, frozen=True):
    """Something people should know, for example that a bot was paused."""

    after: int  # the number of the game that caused it
    text: str
    entrant: int | None = None


class Rating(Struct, frozen=True):
    """How strong an entrant is."""

    entrant: int
    games: int
    live: float  # openskill's ordinal (mu - 3 sigma), updated while the tournament runs
    mu: float
    sigma: float
    elo: float | None  # from the fit over all games; 0 is the mean of the field
    low: float | None  # its 95% confidence interval
    high: float | None
