"""What everybody sees of Demons (10.1), as typed messages."""

from __future__ import annotations

from msgspec import Struct

from polemos.kernel.outcome import Outcome


class Base(Struct, frozen=True):
    x: int
    y: int
    health: int
    gold: int
    queued: dict[str, int]  # compass letter to mercenaries waiting there; directions without a lane are missing


class Tower(Struct, frozen=True):
    kind: str  # house, crossbow, cannon, minigun, church
    owner: str
    x: int
    y: int
    cooldown: int  # turns until it acts, this one included


class Unit(Struct, frozen=True):
    kind: str  # mercenary or demon
    side: str  # a mercenary's owner; the target of a demon
    x: int
    y: int
    health: int
    damage: int
    state: str  # what it did last: moving, fighting, waiting, new


class Portal(Struct, frozen=True):
    """7.5 A demon spawner and what it will do next."""

    x: int
    y: int
    next_in: int  # turns to the next wave; 0: this very turn
    queued: int
    target: str  # of the next demon
    health: int  # of the next demon
    fixed: bool


class View(Struct, frozen=True):
    """Everything but the orders of this turn."""

    who: str
    turn: int  # the clock: the turn to be ordered now
    turns: int
    step: str  # sheet, or builders / mercenaries where decisions are two (2.4)
    bases: dict[str, Base]
    towers: tuple[Tower, ...]
    units: tuple[Unit, ...]
    portals: tuple[Portal, ...]
    prices: dict[str, dict[str, int]]  # player, kind of tower, gold
    outcome: Outcome | None = None


class TowerFacts(Struct, frozen=True):
    price: int
    cooldown: int
    range: int
    damage: int


class Setting(Struct, frozen=True):
    """What never changes in a match."""

    rules: str
    options: dict[str, str | int]
    name: str  # of the map
    symmetry: str
    rows: tuple[str, ...]  # the map in our text format, one letter a tile
    lanes: tuple[tuple[tuple[int, int], ...], ...]  # tiles from red's base to blue's, lane by lane as red counts them
    lane_of_blue: tuple[int, ...]  # blue's lane i is this lane
    directions: dict[str, dict[str, str]]  # player, word (ahead, back, left, right), compass letter
    towers: dict[str, TowerFacts]
