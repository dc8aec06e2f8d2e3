"""The words of a tournament. What stands here is what its journal and its report are made of."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from polemos.wire.bot import Budget

System = Literal["round-robin", "swiss", "knock-out"]


class Entrant(Struct, frozen=True):
    """A bot that takes part. Entrants are numbers everywhere else: names are for people."""

    name: str  # distinct
    spec: str  # as on a command line
    digest: str | None = None  # of its files, for programs


class Plan(Struct, frozen=True):
    """All that a tournament depends on."""

    game: str
    edition: int
    options: dict[str, Any]
    seats: int
    entrants: tuple[Entrant, ...]
    system: System
    rounds: int
    games: int  # of a meeting
    seed: str
    pause_after: int = 3  # games in a row in which a bot dropped out
    budget: Budget = Budget()
    trust: bool = False  # programs run without the box


class Meeting(Struct, frozen=True):
    """Some entrants that play some games with each other, changing seats."""

    number: int  # from 1, in order of the whole tournament
    round: int  # from 1
    players: tuple[int, ...]


class Pairing(Struct, frozen=True):
    """One game to be played."""

    number: int  # from 1, unique in the tournament
    meeting: int
    round: int
    seating: tuple[int, ...]  # the entrant in each seat
    seed: str
    bot_seed: str


class Played(Struct, frozen=True):
    """One game as the journal keeps it. All tuples follow the seats."""

    number: int
    meeting: int
    round: int
    seating: tuple[int, ...]
    ranks: tuple[int, ...]  # 1 is first; seats that share a place have the same
    points: tuple[float, ...]  # they sum to 1
    reason: str
    rule: str
    steps: int
    fingerprint: str  # of the whole course of the game
    void_lines: tuple[int, ...]
    forfeits: dict[int, str]  # seat number to verdict, as text
    replay: str | None = None  # file, relative to the folder of the tournament
    seconds: float = 0.0
    cpu: float = 0.0
    void: bool = False  # it could not be played, says the reason, and counts for nobody; no ranks, no points


class Row(Struct, frozen=True):
    """An entrant in the standings."""

    entrant: int
    place: int
    points: float
    played: int
    wins: int
    draws: int
    losses: int
    tie_break: float  # the points of those it met (Buchholz), or what the system sets
    byes: int
    walkovers: int  # won because the other was paused
    void_lines: int
    forfeits: int
    paused: bool


class Notice(Struct, frozen=True):
    """Something that people should know, such as a bot that was paused."""

    after: int  # the number of the game that brought it about
    text: str
    entrant: int | None = None


class Rating(Struct, frozen=True):
    """How strong an entrant is."""

    entrant: int
    games: int
    live: float  # openskill's ordinal while the tournament runs, mu - 3 sigma
    mu: float
    sigma: float
    elo: float | None  # of the fit over all games, 0 is the mean of the field
    low: float | None  # its interval of 95 %
    high: float | None
