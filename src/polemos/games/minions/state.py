"""The nouns of Minions as records: hexes with their pieces, boards, the techline, the unit table that is played.

A hex is a number, rank times ten plus file, so that a0 is 0 and j9 is 99. A piece is 1 + its type for Yellow and
minus that for Blue, so that the sign tells the side. The boards come last: a match uses a prefix of the record.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from polemos.kernel.record import Array, Record, i8, i16, i32, i64, size

SIDES: Final = ("yellow", "blue")
YELLOW: Final = 0
BLUE: Final = 1
NOBODY: Final = 2  # winner of a draw

SIDE: Final = 10  # hexes
HEXES: Final = 100
FILES: Final = "abcdefghij"
HEX_NAMES: Final = tuple(f"{file}{rank}" for rank in range(SIDE) for file in FILES)  # 1.1
START: Final = (22, 77)  # c2, h7 (1.8)

MAX_BOARDS: Final = 8
MAX_TYPES: Final = 40
MAX_CARDS: Final = 40
MAX_POOL: Final = 10
MAX_NAME: Final = 20
MAX_MONEY: Final = 2_000_000_000
MAX_ZONE: Final = 60_000  # units of a type (16.2)
MAX_SPELLS: Final = 2 * MAX_CARDS  # of an order
GRAVEYARDS: Final = 8  # lose a board (12.3)

# Ground (1.4).
PLAIN: Final = 0
GRAVEYARD: Final = 1
WATER: Final = 2

# Attacks (6).
ATTACKS: Final = ("normal", "flurry", "unsummon", "deathtouch")
NORMAL_ATTACK: Final = 0
FLURRY: Final = 1
UNSUMMON: Final = 2
DEATHTOUCH: Final = 3

# Keywords (7), as bits.
KEYWORDS: Final = ("Flying", "Lumbering", "Spawn", "Persistent", "Necromancer", "Soul", "Blink")
FLYING: Final = 1
LUMBERING: Final = 2
SPAWN: Final = 4
PERSISTENT: Final = 8
NECROMANCER: Final = 16
SOUL: Final = 32
BLINK: Final = 64  # only where the switch is on (17.3)

# Rules (16.1), and what those of the public engines change (17), each a bit of State.switches.
RULES: Final = ("classic", "umi-2025")
SWITCHES: Final = ("blinks", "resets", "chains", "at-once")
BLINKS: Final = 1
RESETS: Final = 2
CHAINS: Final = 4
AT_ONCE: Final = 8
ALL_SWITCHES: Final = 15

COPYCAT: Final = ord("1")  # letter of the card that lets its owner tech what the enemy has teched (17.2)

# States of a board (10.1), for the side to move.
STATES: Final = ("turn1", "normal", "reset+0", "reset+1", "reset+2")
TURN1: Final = 0
NORMAL: Final = 1
RESET0: Final = 2
RESET1: Final = 3
RESET2: Final = 4

# Marks of a unit.
MOVED: Final = 1
FRESH: Final = 2  # spawned this turn

# Orders (4.3).
MOVE: Final = 0
ATTACK: Final = 1
BUY: Final = 2
SPAWNING: Final = 3
CHOOSE: Final = 4
RESIGN: Final = 5
SPELLS: Final = 6
END: Final = 7
BLINKING: Final = 8

MARCH: Final = -1  # in a list of spells, instead of a card
NO_CARD: Final = -2  # a card that the line does not have
KEEP_DEAREST: Final = -1
KEEP_NONE: Final = -2

NOT_THERE: Final = -1  # left of a unit that was unsummoned

# Who looks at a position, if it is not a side.
SPECTATOR_EYES: Final = -1
UMPIRE_EYES: Final = -2

# Why the game ended, as State.reason.
REASONS: Final = ("running", "points", "points of boards that were lost", "limit of turns", "the other side gave up")
BY_WINS: Final = 1
BY_LOSSES: Final = 2
BY_LIMIT: Final = 3
BY_GIVING_UP: Final = 4


class Type(Record):
    """A row of the unit table (3.1)."""

    attack: i8
    number: i8
    defence: i8
    speed: i8
    range: i8
    cost: i8
    rebate: i8
    keywords: i8
    letter: i8
    basic: i8
    name: Array[i8] = size(MAX_NAME)


class Hex(Record):
    ground: i8
    piece: i8
    damage: i8
    used: i8  # attacks made this turn
    marks: i8


class Board(Record):
    state: i8
    due: i8  # a necromancer is still to be chosen (10.7)
    closed: i8  # the attack phase is over (4.7)
    resigned: i8
    killed: i8  # the opponent's necromancer was destroyed this turn (12.1)
    hex: Array[Hex] = size(HEXES)
    zone: Array[i32] = size(2 * MAX_TYPES)  # by side and type


class State(Record):
    turn: i16  # of each side, from 1
    turns: i16
    side: i8
    boards: i8
    types: i8
    necromancers: i8  # the last so many types
    cards: i8
    fixed: i8  # of the table (15.9)
    ring: i8
    gift: i8
    first: i8  # necromancer of the start
    pools: i8
    reason: i8
    winner: i8
    teams: i8  # 14.3: 0 no bids, 1 the first team plays Yellow, 2 the second does
    switches: i8  # 17.1; this byte was padding, so that states of the classic rules keep their digests
    to_win: i16
    spell_price: i16  # for each board
    placed: i16  # spells this turn
    start_money: i32
    money: Array[i32] = size(2)
    points: Array[i16] = size(2)
    used: Array[i64] = size(2)  # bit by place in the pool (10.8)
    gave_up: Array[i8] = size(2)
    pool: Array[i8] = size(MAX_POOL)
    deck: Array[i8] = size(MAX_CARDS)  # the cards as the table has them
    card: Array[i8] = size(MAX_CARDS)  # the line
    spells: Array[i8] = size(2 * MAX_CARDS)
    teched: Array[i8] = size(MAX_CARDS)  # in this turn (8.7)
    edition: Array[i8] = size(MAX_NAME)
    type: Array[Type] = size(MAX_TYPES)
    board: Array[Board] = size(MAX_BOARDS)

    def extent(self) -> int:
        return State.dtype.fields["board"][1] + self.boards * Board.dtype.itemsize  # type: ignore[index]


def type_names(state: State) -> tuple[str, ...]:
    """What units are called: necromancers may share the name of another unit."""
    # The table is a fixed part of the record, so its bytes tell whether it was read before.
    first, length = _TYPES
    return _names(bytes(memoryview(state).cast("B")[first : first + length]))[: state.types]


_FIELDS: Any = State.dtype.fields
_TYPES: Final = (_FIELDS["type"][1], _FIELDS["type"][0].itemsize)


@lru_cache(maxsize=16)
def _names(raw: bytes) -> tuple[str, ...]:
    rows = [Type.from_buffer_copy(raw, at) for at in range(0, len(raw), Type.dtype.itemsize)]
    return tuple(text_of(row.name) + (" necromancer" if row.keywords & NECROMANCER else "") for row in rows)


def text_of(array: Any) -> str:
    """A name as records keep it."""
    return bytes(array[i] for i in range(MAX_NAME)).rstrip(b"\0").decode()


class Order(Record):
    """One order; a tick has several moves (5.1), a list of spells several cards (8.8)."""

    kind: i8
    board: i8  # from 0
    type: i8
    keep: i8
    count: i8
    line: i16  # of the sheet, from 1; 0 where there is no sheet
    start: Array[i8] = size(HEXES)  # of moves and attacks; cards of spells
    target: Array[i8] = size(HEXES)


class Sight(Record):
    """2.7 What somebody sees: the whole position, and what it would pay."""

    who: i8  # a side, or SPECTATOR_EYES or UMPIRE_EYES
    income: Array[i16] = size(2 * MAX_BOARDS)  # by board and side: what the end of a turn would bring (11.2)
    state: State

    def extent(self) -> int:
        return Sight.dtype.fields["state"][1] + self.state.extent()  # type: ignore[index]


class Choice(Record):
    """A single legal order, as the list of options holds it."""

    kind: i8
    start: i8  # of moves and attacks; the unit that a choice keeps; a card, or MARCH
    target: i8  # of moves, attacks and spawns; the card under which a spell comes to lie
    type: i8
    swap: i8


class Prospect(Record):
    """What an order of that list would bring."""

    left: i8  # of the defence of a target; NOT_THERE if it is unsummoned
    back: i8  # rebate for a target that is destroyed
    price: i32
    low: i64  # hexes 0 to 49, as bits: targets of a unit after its move, where one that is bought could appear
    high: i64  # hexes 50 to 99


class Hexes(Record):
    """A set of hexes, as bits."""

    low: i64  # hexes 0 to 49
    high: i64  # hexes 50 to 99


class Work(Record):
    """Scratch space. What the rules leave in it means nothing to them later."""

    rested: Hexes  # the sets of random play
    enemies: Hexes
    taken: Hexes
    barred: Hexes
    sites: Hexes
    stamp: i32
    seen: Array[i32] = size(HEXES)
    depth: Array[i8] = size(HEXES)
    queue: Array[i8] = size(HEXES)
    leaving: Array[i32] = size(HEXES)
    entering: Array[i32] = size(HEXES)
    moving: Array[Hex] = size(HEXES)
    friends: Array[i8] = size(HEXES)
