"""The 61 hexes, their names, neighbours and distances (1.1 to 1.5). Vocabulary only: no rules, no records.

A hex is a number from 0 to 60, counted row by row from E9 (top left) to M1 (bottom right), as a page is read.
"""

from __future__ import annotations

from typing import Final

NATIONS: Final = ("red", "green", "blue")
LETTERS: Final = "rgb"

HEXES: Final = 61
DIRECTIONS: Final = 6

# Steps to the six neighbours: left, upper left, upper right, right, lower right, lower left. Opposite of d is d + 3.
STEPS: Final = ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1))

POINTS: Final = tuple((x, y) for y in range(4, -5, -1) for x in range(-8 + abs(y), 9 - abs(y), 2))
NAMES: Final = tuple("ABCDEFGHIJKLMNOPQ"[x + 8] + str(y + 5) for x, y in POINTS)
INDEX: Final = {name: hex for hex, name in enumerate(NAMES)}

_AT: Final = {point: hex for hex, point in enumerate(POINTS)}

# NEXT[hex][direction] is the neighbour there, or -1 at the edge.
NEXT: Final = tuple(tuple(_AT.get((x + dx, y + dy), -1) for dx, dy in STEPS) for x, y in POINTS)
NEIGHBOURS: Final = tuple(tuple(other for other in row if other >= 0) for row in NEXT)

BASES: Final = (INDEX["A5"], INDEX["M9"], INDEX["M1"])
CENTRE: Final = INDEX["I5"]


def distance(a: int, b: int) -> int:
    """The number of steps between two hexes.

    >>> distance(INDEX["A5"], INDEX["M9"])
    8
    """
    (ax, ay), (bx, by) = POINTS[a], POINTS[b]
    dx, dy = abs(ax - bx), abs(ay - by)
    return dy + max(0, (dx - dy) // 2)
