"""The board as tables that compiled rules can read, each through one small rule."""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.board import BASES, DIRECTIONS, HEXES, NEIGHBOURS, NEXT, distance
from polemos.games.monarchs.state import NOBODY, SIDES
from polemos.kernel.record import table
from polemos.kernel.rule import rule

_UNUSED: Final = [-1] * (SIDES - DIRECTIONS)
_BEYOND: Final = table([[hex for row in NEXT for hex in (*row, *_UNUSED)]])[0]
_OTHER_SIDE: Final = table(
    [
        [
            -1 if hex < 0 else hex * SIDES + (direction + 3) % DIRECTIONS
            for row in NEXT
            for direction, hex in enumerate((*row, *_UNUSED))
        ]
    ]
)[0]
_BORDER: Final = table(
    [[a * SIDES + NEXT[a].index(b) if b in NEIGHBOURS[a] else -1 for b in range(HEXES)] for a in range(HEXES)]
)
_HOMEWARD: Final = table([[distance(base, hex) for hex in range(HEXES)] for base in BASES])
_BASE_OF: Final = table([[BASES.index(hex) if hex in BASES else NOBODY for hex in range(HEXES)]])[0]
_BASE: Final = table([list(BASES)])[0]
_DEGREE: Final = table([[len(row) for row in NEIGHBOURS]])[0]
_NEIGHBOUR: Final = table([[*row, *[-1] * (DIRECTIONS - len(row))] for row in NEIGHBOURS])


@rule
def border_at(hex: int, direction: int) -> int:
    return hex * SIDES + direction


@rule
def behind(border: int) -> int:
    """The hex on this side of a border."""
    return border >> 3


@rule
def direction_of(border: int) -> int:
    return border & 7


@rule
def beyond(border: int) -> int:
    """The hex on the other side of a border."""
    return _BEYOND[border]


@rule
def other_side(border: int) -> int:
    """The same border, seen from the other hex."""
    return _OTHER_SIDE[border]


@rule
def border_between(origin: int, target: int) -> int:
    """The border from origin to target, or -1 when they are not neighbours (1.2)."""
    return _BORDER[origin][target]


@rule
def homeward(nation: int, hex: int) -> int:
    """Steps from a hex to the nation's home base."""
    return _HOMEWARD[nation][hex]


@rule
def base_of(hex: int) -> int:
    """The nation whose home base this hex is, or NOBODY (1.3)."""
    return _BASE_OF[hex]


@rule
def base(nation: int) -> int:
    return _BASE[nation]


@rule
def degree(hex: int) -> int:
    """How many neighbours a hex has."""
    return _DEGREE[hex]


@rule
def neighbour(hex: int, number: int) -> int:
    return _NEIGHBOUR[hex][number]
