"""The nouns of Monad as records: tiles with their stacks and buildings, stocks, the lists of a turn.

A tile is a number, y times the width plus x, so that a small match uses a small prefix of the record.
"""

from __future__ import annotations

from typing import Final

from polemos.kernel.record import Array, Record, i8, i16, i32, i64, size

SEATS: Final = ("red", "blue", "green", "yellow")
NOBODY: Final = 4  # winner of a draw

# Who looks, besides the seats by their number.
SPECTATOR_EYES: Final = -1
UMPIRE_EYES: Final = -2

MIN_SIDE: Final = 8
MAX_SIDE: Final = 64
MAX_TILES: Final = MAX_SIDE * MAX_SIDE
MAX_NAME: Final = 160  # bytes
MAX_UNITS: Final = 2**31 - 1  # of a stack, and of a stock (3.3)
SURVIVAL: Final = 10  # turn ends in a row (9.2)

# Directions (1.2), clockwise.
DIRECTIONS: Final = ("up", "right", "down", "left")
UP: Final = 0
RIGHT: Final = 1
DOWN: Final = 2
LEFT: Final = 3
NO_DIRECTION: Final = -1
ODD_DIRECTION: Final = -2  # a word that is not a direction

SYMMETRIES: Final = ("half-turn", "mirror-x", "mirror-y", "quarter-turn", "none")

# Words of orders (2.2).
WORDS: Final = ("move", "build", "mine", "work")
MOVE: Final = 0
BUILD: Final = 1
MINE: Final = 2
WORK: Final = 3

BLOCKED: Final = -1  # the field of a tile that nobody enters (1.4)

# Cell.building: 0, or 1 + 4 * owner + direction of the block on a core, or PART + owner on the other three tiles.
PART: Final = 17

# Why an order is void; the paragraphs stand in `game.py`.
GOOD: Final = 0
NOT_YOURS: Final = 1  # 2.3
NOBODY_FREE: Final = 2  # 2.6
NO_WAY: Final = 3  # 4.1
NO_SUCH_BLOCK: Final = 4  # 5.2
NO_SPACE: Final = 5  # 5.3
TOO_DEAR: Final = 6  # 5.4
NO_CORE: Final = 7  # 5.8
NO_WORK: Final = 8  # 6.1

# Things that are put on the board of a position, and why one cannot be; the words stand in `validate.py`.
STACK: Final = 0
BUILDING: Final = 1
ORE: Final = 2
OFF_THE_MAP: Final = 1
NOT_PLAYING: Final = 2
STACK_THERE: Final = 3
TILE_BLOCKED: Final = 4
ODD_UNITS: Final = 5
NO_ROOM: Final = 6
ODD_POINTS: Final = 7
ODD_ORE: Final = 8

# Why the game ended, as State.reason; 0 while it runs (9).
REASONS: Final = ("running", "only owner of buildings", "only survivor", "most units", "the others forfeited")
BY_BUILDINGS: Final = 1
BY_SURVIVAL: Final = 2
BY_COUNT: Final = 3
BY_FORFEIT: Final = 4
ENDINGS: Final = (*REASONS, "all forfeited")  # the same for people: a draw by forfeits has words of its own
ALL_FORFEITED: Final = 5


class Cell(Record):
    """A tile."""

    units: i32
    ore: i16
    field: i16  # ore at the start, or BLOCKED
    points: i16  # on a core (6.2)
    owner: i8  # of the units; 0 where there are none
    building: i8


class State(Record):
    """The whole truth between two turns. The tiles come last: a match uses a prefix of the record."""

    turn: i16  # turns played
    turns: i16
    width: i8
    height: i8
    seats: i8
    symmetry: i8
    reason: i8
    winner: i8
    drawn: i8  # bit by seat: who shares the first place of a draw
    alone: i8  # turn ends in a row with units of one player only (9.2)
    alone_seat: i8
    slots: i32  # 0: no limit (6.3)
    base: i16
    unit_cost: i16
    cost: i32
    defence: i32
    start_units: i32
    start_stock: i32
    stock: Array[i32] = size(4)
    units: Array[i64] = size(4)
    buildings: Array[i32] = size(4)
    built: Array[i8] = size(4)  # has owned a building (9.1)
    out: Array[i16] = size(4)  # turn at whose end the player was out, 0 while in (9.6)
    forfeited: Array[i16] = size(4)  # turn in which the player forfeited, 0 while in (9.7)
    start: Array[i16] = size(4)
    name: Array[i8] = size(MAX_NAME)
    cell: Array[Cell] = size(MAX_TILES)

    def extent(self) -> int:
        return State.dtype.fields["cell"][1] + self.width * self.height * Cell.dtype.itemsize  # type: ignore[index]


class Sight(Record):
    """What somebody may know between two turns: all of it (1.8), and who came where. Filled by `rules.sight`."""

    who: i8  # number of the seat, or SPECTATOR_EYES, UMPIRE_EYES
    rank: Array[i8] = size(4)  # 9.8, from 1; 0 while the game runs
    state: State

    def extent(self) -> int:
        return Sight.dtype.fields["state"][1] + self.state.extent()  # type: ignore[index]


class Order(Record):
    """One line of a player's list; `fault` and `taken` are the umpire's."""

    seat: i8
    word: i8
    direction: i8
    fault: i8
    tile: i16  # -1: not on the map
    line: i16  # on the player's list, from 1
    x: i8  # of the tile
    number: i32  # as ordered
    taken: i32  # units that do it


class Choice(Record):
    """An order that is legal beside a list, with any number of units from 1 to `free`."""

    word: i8
    direction: i8
    tile: i16
    free: i32
    figure: i64  # of a move what destroys the foreign building there, -1 for none; else how many units are of use


class Assault(Record):
    """What a line sends onto a foreign core; zero where it does not."""

    needs: i64  # what destroys the building
    sent: i64  # by the whole list


class Thing(Record):
    """A stack, a building or ore that is to be put on the board of a position; `fault` is why it cannot."""

    kind: i8
    seat: i8
    direction: i8
    fault: i8
    x: i32
    y: i32
    number: i64  # units, points, or what is left


class Column(Record):
    """Units of one player that cross one edge in one direction (4.3)."""

    tile: i16
    target: i16
    seat: i8
    direction: i8


class Scratch(Record):
    """What is to happen on one tile. All zero between turns: whoever writes here wipes it."""

    arrived: Array[i64] = size(4)  # by seat
    column: Array[i32] = size(4)  # units that leave, by direction
    taken: i32  # units that have an order
    workers: i32
    miners: i32
    claims: i8  # bit by seat: who founds over this tile
    is_touched: i8


class Work(Record):
    """Scratch space of a turn: lists of what is to be done, and a slate for every tile."""

    columns: i32
    mined: i32
    worked: i32
    founded: i32
    touched: i32
    asked: Order  # the order that is just being thought of
    spent: Array[i64] = size(4)  # by seat, on foundings that stand
    column: Array[Column] = size(4 * MAX_TILES)
    mined_tile: Array[i16] = size(MAX_TILES)
    worked_tile: Array[i16] = size(MAX_TILES)
    founding: Array[i32] = size(MAX_TILES)  # orders by number; each takes four tiles of its player's
    touched_tile: Array[i16] = size(MAX_TILES)  # where somebody arrived
    on: Array[Scratch] = size(MAX_TILES)
