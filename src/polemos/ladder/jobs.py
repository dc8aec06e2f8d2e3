"""What travels between the ladder and whoever plays its games: jobs, and reports about them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from polemos.hosts.bundle import Bundle
from polemos.wire.bot import Budget


class Player(Struct, frozen=True):
    """A version of a bot in a game. The order of players is that of their entries, whatever seats they get."""

    version: int
    name: str
    digest: str | None  # of its files
    builtin: str | None  # one of our own bots
    dialect: str = ""
    bid: int | None = None

    @property
    def spec(self) -> str:
        """How the hosts call it; the files of a program are known by this name."""
        if self.builtin is not None:
            return self.builtin
        return f"{self.dialect}:{self.digest}" if self.dialect else f"version {self.digest}"


class Job(Struct, frozen=True):
    """A leased game."""

    id: int
    lease: int  # the number that a report must name
    game: str
    edition: int
    options: dict[str, Any]
    bids: bool
    seed: str
    bot_seed: str
    players: tuple[Player, ...]
    budget: Budget = Budget()


class Claim(Struct, frozen=True):
    """The result as the worker saw it. It has to be the result of the replay."""

    ranks: tuple[int, ...]  # by entry
    fingerprint: str


class Report(Struct, frozen=True):
    """A game that was played."""

    id: int
    lease: int
    replay: bytes
    logs: dict[int, bytes]  # by entry
    claim: Claim
    seconds: float


class Broken(Struct, frozen=True):
    """A game that this worker could not play. No bot is to blame."""

    id: int
    lease: int
    why: str
    died: bool = False  # the process that played it


class Lot(Struct, frozen=True):
    """Games for one process, to be played one after the other."""

    jobs: tuple[Job, ...]
    bundles: dict[str, Bundle] = {}  # by spec, where the process cannot read them from a folder
    folder: str | None = None  # with the files of bots
    live: str | None = None  # for files about games while they are being played


class Entry(Struct, frozen=True):
    """The result of one player."""

    seat: int
    rank: int
    points: float
    fault: str | None
    strikes: int
    void_lines: int
    cpu: float
    wall: float
    slowest: float
    # Where it dropped out, or of its last strike: the step, from 1, and the turn whose orders it adjudicated.
    fault_step: int | None = None
    fault_turn: int | None = None


class Result(Struct, frozen=True):
    """What the replay of a game says."""

    entries: tuple[Entry, ...]
    reason: str
    rule: str
    steps: int
    fingerprint: str
    replay: bytes | None = None  # as everyone may read it, if that is not as it was sent
    board: bytes = b""  # the last position as a picture, compressed; empty if the game can't draw
