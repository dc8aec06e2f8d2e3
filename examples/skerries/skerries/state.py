"""The nouns of the game as records: the position, the sheets of a turn, and what one seat sees."""

from __future__ import annotations

from typing import Final

from polemos.kernel.record import Array, Record, i8, i16, size

SEATS: Final = ("red", "blue", "green", "yellow", "violet", "brown", "grey", "white")
NAMES: Final = ("M", *(f"{sector}{ring}" for sector in "ABCDEFGH" for ring in "123"))  # of the skerries (1.1)
BOATS: Final = 5  # of a seat (1.3)
MAX_LINES: Final = 40  # of a sheet (2.1)
MAX_TURNS: Final = 50

BEACON: Final = 0
HARBOUR: Final = 0  # the three rings of a sector
OUTER: Final = 1
INNER: Final = 2

GOOD: Final = 0  # what may be wrong with a line
UNREADABLE: Final = 1
NOT_NEXT: Final = 2
TOO_MANY: Final = 3

SPECTATOR_EYES: Final = -1  # who looks, if it is not a seat
UMPIRE_EYES: Final = -2


class Crew(Record):
    """What a seat has."""

    out: i8  # it has dropped out (4.3)
    points: i16
    boats: Array[i8] = size(len(NAMES))


class State(Record):
    """The whole truth between two turns."""

    seats: i8
    turn: i8  # the one in progress, counted from one
    turns: i8
    crews: Array[Crew] = size(len(SEATS))


class Line(Record):
    fault: i8
    origin: i8
    target: i8
    number: i8


class Sheet(Record):
    count: i8
    lines: Array[Line] = size(MAX_LINES)


class Sheets(Record):
    of: Array[Sheet] = size(len(SEATS))


class Sight(Record):
    """5 What a seat, a spectator or the umpire may know: `known` has no boats where nothing is seen."""

    who: i8
    seen: Array[i8] = size(len(NAMES))
    known: State
