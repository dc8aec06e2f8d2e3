"""1 The board: neighbours and distances."""

from __future__ import annotations

from typing import Final

from polemos.games.minions.state import HEXES, SIDE
from polemos.kernel.record import table
from polemos.kernel.rule import rule

STEPS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1))  # 1.2


def beside(hex: int) -> list[int]:
    """1.2 The neighbours of a hex, -1 where the board ends."""
    x, y = hex % SIDE, hex // SIDE
    return [(y + dy) * SIDE + x + dx if 0 <= x + dx < SIDE and 0 <= y + dy < SIDE else -1 for dx, dy in STEPS]


_NEIGHBOURS: Final = table([beside(hex) for hex in range(HEXES)])


def apart(a: int, b: int) -> int:
    """1.3 The rule `distance` for Python: tables are made before anything is compiled, and maps are read without it."""
    dx, dy = b % SIDE - a % SIDE, b // SIDE - a // SIDE
    return max(abs(dx), abs(dy), abs(dx + dy))


_APART: Final = [[apart(here, there) for there in range(HEXES)] for here in range(HEXES)]

# All hexes by their distance from one, the hex itself first; and how many lie within each distance.
_OUTWARD: Final = table([sorted(range(HEXES), key=far.__getitem__) for far in _APART])
_GAPS: Final = table(_APART)
_WITHIN: Final = table([[sum(steps <= reach for steps in far) for reach in range(20)] for far in _APART])


@rule
def outward(hex: int, which: int) -> int:
    """1.3 The hexes of the board by their distance from one, the hex itself first."""
    return _OUTWARD[hex][which]


@rule
def within(hex: int, reach: int) -> int:
    """1.3 How many hexes are so near, the hex itself included."""
    return _WITHIN[hex][min(reach, 19)]


@rule
def neighbour(hex: int, way: int) -> int:
    """1.2 One of the six neighbours, or -1 beyond the edge."""
    return _NEIGHBOURS[hex][way]


@rule
def distance(a: int, b: int) -> int:
    """1.3 The largest of |dx|, |dy| and |dx + dy|."""
    dx = b % SIDE - a % SIDE
    dy = b // SIDE - a // SIDE
    return max(abs(dx), abs(dy), abs(dx + dy))


@rule
def gap(a: int, b: int) -> int:
    """1.3 The same, looked up: searches ask for it all the time."""
    return _GAPS[a][b]


@rule
def ring_hex(side: int, way: int) -> int:
    """1.8 A hex of the start ring."""
    return neighbour(22 if side == 0 else 77, way)
