"""A board of square tiles: positions, outlines around any set of tiles, areas, coordinates. Knows no game.

Tiles are (x, y) with x to the right and y downwards from 0 at the top left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from polemos.pictures import seats
from polemos.pictures.faces import CAPITALS, width
from polemos.pictures.hatch import hatching
from polemos.pictures.svg import Canvas, Point, Segment, polygon
from polemos.pictures.tokens import Theme

Tile: TypeAlias = tuple[int, int]

# The sides of a tile, clockwise: the neighbour across it, and its two ends.
_SIDES: Final = (
    ((0, -1), (0, 0), (1, 0)),
    ((1, 0), (1, 0), (1, 1)),
    ((0, 1), (1, 1), (0, 1)),
    ((-1, 0), (0, 1), (0, 0)),
)


def rims(tiles: Collection[Tile]) -> list[list[Tile]]:
    """The closed outlines of a set of tiles, as corners; outer ones run clockwise, those of holes anticlockwise.

    >>> rims([(0, 0), (1, 0)])
    [[(0, 0), (2, 0), (2, 1), (0, 1)]]
    """
    ways = _ways(tiles)
    found = []
    for start in sorted(ways):
        while ways[start]:
            found.append(_corners(_walk(ways, start)))
    return found


def _ways(tiles: Collection[Tile]) -> dict[Tile, list[Tile]]:
    """From each corner on an outline to the next ones, keeping the tiles on the right."""
    inside = frozenset(tiles)
    ways: dict[Tile, list[Tile]] = {}
    for x, y in sorted(inside):
        for (dx, dy), (ax, ay), (bx, by) in _SIDES:
            if (x + dx, y + dy) not in inside:
                ways.setdefault((x + ax, y + ay), []).append((x + bx, y + by))
    return ways


def _walk(ways: dict[Tile, list[Tile]], start: Tile) -> list[Tile]:
    """One loop from `start`, removing the ways it uses; it turns right where tiles only meet at their corners."""
    loop, at, heading = [start], start, (0, 0)
    while True:
        dx, dy = heading
        right = (at[0] - dy, at[1] + dx)
        step = right if right in ways[at] else ways[at][0]
        ways[at].remove(step)
        heading = (step[0] - at[0], step[1] - at[1])
        at = step
        if at == start:
            return loop
        loop.append(at)


def _corners(loop: list[Tile]) -> list[Tile]:
    """The points at which a loop turns."""
    bends = []
    for i, (x, y) in enumerate(loop):
        (ax, ay), (bx, by) = loop[i - 1], loop[(i + 1) % len(loop)]
        if not (ax == x == bx or ay == y == by):
            bends.append((x, y))
    return bends


def seams(tiles: Collection[Tile]) -> Iterator[tuple[Tile, Tile]]:
    """The sides that two tiles of the set share, each once."""
    inside = frozenset(tiles)
    for x, y in sorted(inside):
        if (x + 1, y) in inside:
            yield (x + 1, y), (x + 1, y + 1)
        if (x, y + 1) in inside:
            yield (x, y + 1), (x + 1, y + 1)


@dataclass(frozen=True)
class Squares:
    """Tiles of the given side, the corner of (0, 0) at `origin`."""

    columns: int
    rows: int
    side: float
    origin: Point

    def place(self, x: float, y: float) -> Point:
        """A point in tile coordinates as a point in the picture."""
        return self.origin[0] + x * self.side, self.origin[1] + y * self.side

    def middle(self, tile: Tile) -> Point:
        return self.place(tile[0] + 0.5, tile[1] + 0.5)

    def outline(self, tiles: Collection[Tile]) -> str:
        """The path around a set of tiles."""
        return "".join(polygon([self.place(*corner) for corner in rim]) for rim in rims(tiles))

    def seams(self, tiles: Collection[Tile]) -> list[Segment]:
        """The lines between the tiles of a set."""
        return [(self.place(*start), self.place(*end)) for start, end in seams(tiles)]

    def hatch(
        self, canvas: Canvas, tiles: Collection[Tile], seat: str, theme: Theme, line: float, parts: int = 4
    ) -> None:
        """The hatching of a seat, with `parts` lines per tile that continue from tile to tile."""
        gap = self.side / parts
        start = self.place(0.5 / parts, 0.5 / parts)  # so that no line is on a border
        lines = []
        for x, y in sorted(tiles):
            corners = [self.place(x + dx, y + dy) for _, (dx, dy), _ in _SIDES]
            lines += hatching(seat, corners, gap, start)
        canvas.strokes(lines, theme.seats[seat].hatch, line, **seats.ends(seat))

    def coordinates(self, canvas: Canvas, size: float, fill: str) -> None:
        """Column numbers above the board and row numbers to its left; only every fifth if tiles are small."""
        step = 1 if width("00", size) < 0.9 * self.side else 5
        for x in range(0, self.columns, step):
            px, py = self.place(x + 0.5, 0)
            canvas.text(str(x), px, py - 0.7 * size, size, fill=fill, anchor="middle")
        for y in range(0, self.rows, step):
            px, py = self.place(0, y + 0.5)
            canvas.text(str(y), px - 0.7 * size, py + size * CAPITALS / 2, size, fill=fill, anchor="end")
