"""The nouns of Demons as records: ground, units, towers, portals, the sheets of a turn.

Path tiles come first, lane by lane from red's exit to blue's, so that the next tile of a unit is the next index or
the one before. Units are kept sorted by their tile: nobody ever passes anybody on a lane, so moving keeps them sorted.
"""

from __future__ import annotations

from typing import Final

from polemos.kernel.record import Array, Record, i8, i16, i32, i64, size

PLAYERS: Final = ("red", "blue")
RED: Final = 0
BLUE: Final = 1

MAX_TILES: Final = 400  # (1.1)
MAX_LANES: Final = 4
MAX_UNITS: Final = 400
MAX_PORTALS: Final = 16
MAX_NAME: Final = 80  # bytes
MAX_LINES: Final = 16  # of a sheet
MAX_HEALTH: Final = 30_000

COMPASS: Final = "NESW"
STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
SYMMETRIES: Final = ("mirror-x", "half-turn", "mirror-y", "diagonal", "antidiagonal", "none")

TOWERS: Final = ("house", "crossbow", "cannon", "minigun", "church")
HOUSE: Final = 0
CROSSBOW: Final = 1
CANNON: Final = 2
MINIGUN: Final = 3
CHURCH: Final = 4
KINDS: Final = 5

# Kinds of units: the owner of a mercenary, the target of a demon.
DEMON: Final = 2  # a mercenary's kind is its owner, a demon's is DEMON and its target

# What a unit did last.
NEW: Final = 0
MOVING: Final = 1
FIGHTING: Final = 2
WAITING: Final = 3
ACTS: Final = ("new", "moving", "fighting", "waiting")

# Steps of a turn (2.4).
BUILDERS: Final = 1
HIRING: Final = 2
TOSS: Final = 3  # the coin decides, and the organiser has not said yet how it fell (9.4)
FELL: Final = 4  # and the player for whom it fell
STEP_NAMES: Final = ("sheet", "builders", "mercenaries", "toss", "toss red", "toss blue")

# Who decides when all is equal, as State.coin (9.4).
COINS: Final = ("off", "on", "call")
BY_CALL: Final = 2

RULES: Final = ("classic", "finals-2025")

# The quirks of the finals (11), each a bit of State.quirks.
QUIRKS: Final = ("Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q9", "Q10", "Q11", "Q12", "Q14", "Q15")
Q1: Final = 1 << 0
Q2: Final = 1 << 1
Q3: Final = 1 << 2
Q4: Final = 1 << 3
Q5: Final = 1 << 4
Q6: Final = 1 << 5
Q7: Final = 1 << 6
Q8: Final = 1 << 7
Q9: Final = 1 << 8
Q10: Final = 1 << 9
Q11: Final = 1 << 10
Q12: Final = 1 << 11
Q14: Final = 1 << 12
Q15: Final = 1 << 13
ALL_QUIRKS: Final = (1 << 14) - 1

# Why the game ended, as State.reason; 0 while it runs (9).
REASONS: Final = (
    "running",
    "base destroyed",
    "more gold",
    "more towers",
    "higher prices of towers",
    "more mercenaries",
    "healthier mercenaries",
    "all equal",
    "the coin",
    "healthier base",
    "the other dropped out",
)
BASE_DESTROYED: Final = 1
ALL_EQUAL: Final = 7
COIN: Final = 8
HEALTHIER_BASE: Final = 9
DROPPED_OUT: Final = 10
NOBODY: Final = 2  # winner of a draw

# Fates of the parts of a sheet.
GOOD: Final = 0
NOT_TERRITORY: Final = 1
OCCUPIED: Final = 2
TOO_DEAR: Final = 3
NO_TOWER: Final = 4
NO_LANE: Final = 5
QUEUED: Final = 6
UNKNOWN_TOWER: Final = 7
TWICE: Final = 8
NOT_NOW: Final = 9
FINALS_ONLY: Final = 10

# Parts of a sheet: at most one line of each (3.2, 4.1, 11.10).
BUILDER: Final = 0
HIRE: Final = 1
PROVOKE: Final = 2
PARTS: Final = ("builder", "hire", "provoke")

# Parts of the world in which units fall (2.2).
WORLD: Final = ("mercenaries", "demons", "towers")
TOWERS_ACT: Final = 2

# Who looks, where it is not a player.
SPECTATOR_EYES: Final = -1
UMPIRE_EYES: Final = -2


class Tile(Record):
    """A tile that is not abyss. Path tiles (kind 2) lie before territory (kind = player)."""

    x: i8
    y: i8
    kind: i8
    tower: i8  # on territory: 1 + kind of the tower there, 0 for none


PATH: Final = 2


class Lane(Record):
    """A chain of path tiles, first to first + length - 1, from red's base to blue's (1.4)."""

    first: i16
    length: i16
    red_exit: i8  # compass direction from red's base
    blue_exit: i8
    blue_number: i8  # its number as blue counts (1.8)


class Unit(Record):
    tile: i16
    kind: i8
    act: i8
    health: i16
    damage: i16


class Tower(Record):
    tile: i16
    kind: i8
    owner: i8
    cooldown: i16


class Portal(Record):
    tile: i16
    first: i8  # target of its first demon: a player, or 2 for drawn
    fixed: i8
    target: i8  # of the next demon
    queued: i16
    released: i16
    reload: i16


class Book(Record):
    """The figures of the rule set that is played (8.1, 11); options live in the state."""

    mercenary_price: i16
    mercenary_damage: i16
    price: Array[i16] = size(KINDS)
    cooldown: Array[i16] = size(KINDS)
    range: Array[i16] = size(KINDS)
    damage: Array[i16] = size(KINDS)


class State(Record):
    """The whole truth between two steps. The tiles come last: a match uses a prefix of the record."""

    turn: i16
    turns: i16
    step: i8
    rules: i8
    two_decisions: i8
    coin: i8
    limit_by_hp: i8
    reason: i8
    winner: i8
    symmetry: i8
    facing: i8
    width: i8
    height: i8
    first: i8  # which side the first drawn portal attacks first (1.6); 2 where none is drawn
    quirks: i32
    book: Book
    gold: Array[i32] = size(2)
    health: Array[i32] = size(2)
    dropped: Array[i8] = size(2)
    base_x: Array[i8] = size(2)
    base_y: Array[i8] = size(2)
    house: Array[i16] = size(2)  # tile of the map's start house, or -1
    price: Array[i16] = size(2 * KINDS)  # what a tower costs a player now
    queue: Array[i16] = size(2 * 4)  # mercenaries waiting, by player and compass direction
    exit_lane: Array[i8] = size(2 * 4)  # lane of a player's exit in a direction, or -1
    fallen: Array[i16] = size(2)  # mercenaries killed this turn, and their health (11.13)
    fallen_health: Array[i32] = size(2)
    name: Array[i8] = size(MAX_NAME)
    lanes: i16
    lane: Array[Lane] = size(MAX_LANES)
    portals: i16
    portal: Array[Portal] = size(MAX_PORTALS)
    units: i16
    towers: i16
    path: i16  # how many of the tiles are path
    tiles: i16
    unit: Array[Unit] = size(MAX_UNITS)
    tower: Array[Tower] = size(MAX_TILES)
    tile: Array[Tile] = size(MAX_TILES)

    def extent(self) -> int:
        return State.dtype.fields["tile"][1] + self.tiles * Tile.dtype.itemsize  # type: ignore[index]


class Sight(Record):
    """What `who` may know: nothing is hidden (10.1). What portals will do next is worked out beside it (7.5)."""

    who: i8  # a player, or SPECTATOR_EYES, UMPIRE_EYES
    next_in: Array[i16] = size(MAX_PORTALS)  # turns to the next wave; 0: this very turn
    next_health: Array[i32] = size(MAX_PORTALS)  # of the next demon
    state: State

    def extent(self) -> int:
        return Sight.dtype.fields["state"][1] + self.state.extent()  # type: ignore[index]


class Order(Record):
    """The wishes of one player for this turn; -1 for none. The umpire sets faults and prices."""

    build: i8  # kind of tower
    build_at: i16  # tile; -2: no tile of the map
    destroy_at: i16
    hire: i8  # compass direction
    provoke: i8
    lines: Array[i8] = size(3)  # of each part, how many stand on the sheet
    line: Array[i8] = size(3)  # of each part, the number of its line on the sheet
    fault: Array[i8] = size(3)
    price: Array[i16] = size(3)  # of each part that is good; below 0: gold that comes back


class Orders(Record):
    of: Array[Order] = size(2)


class Choice(Record):
    """A single legal order, as the list of options holds it."""

    part: i8
    kind: i8  # of the tower, or the compass direction; -1: a tower is destroyed
    x: i8
    y: i8
    price: i16  # below 0: gold that comes back
    left: i32  # gold after the whole sheet


class Work(Record):
    """Scratch space of a turn."""

    opponent: Array[i16] = size(MAX_UNITS)  # index of a unit, or -1 - player for a base
    hurt: Array[i32] = size(MAX_UNITS)
    provoked: i8
    paid: Array[i8] = size(2)
    die: i64  # of the best target so far (11.7)
    trial: Order  # a sheet that is only tried out
