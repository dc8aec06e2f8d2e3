"""Hatching as straight lines clipped to an outline: the engravers' code for telling coats of arms apart without colour.

Red is vertical, blue horizontal, green falls to the right, yellow is dotted; other seats rise or cross, see
`look.json`. The phase is the same for the whole picture, so lines continue from hex to hex and a territory looks like
one engraved area.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, hypot
from typing import Final

from polemos.pictures.svg import Point, Segment
from polemos.pictures.tokens import LOOK

# The directions of each seat's lines; y grows downwards.
_DIRECTIONS: Final = {
    seat: [(x / hypot(x, y), y / hypot(x, y)) for x, y in LOOK["hatches"][look["hatch"]]]
    for seat, look in LOOK["seats"].items()
}
_TOUCH: Final = 1e-6
_DOT: Final = 0.01  # drawn with round ends, so that only a dot of its width shows


def hatching(seat: str, outline: Sequence[Point], gap: float, origin: Point) -> list[Segment]:
    """The lines of a seat inside a convex outline; aligned so that one would pass through `origin`."""
    if is_dotted(seat):
        return _points(outline, gap, origin)
    return [line for dx, dy in _DIRECTIONS.get(seat, ()) for line in _lines(outline, gap, origin, dx, dy)]


def is_dotted(seat: str) -> bool:
    return seat in LOOK["seats"] and LOOK["seats"][seat]["hatch"] == "points"


def _lines(outline: Sequence[Point], gap: float, origin: Point, dx: float, dy: float) -> list[Segment]:
    ox, oy = origin
    offsets = [(y - oy) * dx - (x - ox) * dy for x, y in outline]
    # A line on the outline itself would double the border there.
    first = ceil((min(offsets) + _TOUCH) / gap)
    last = floor((max(offsets) - _TOUCH) / gap)
    lines = []
    for k in range(first, last + 1):
        ends = sorted(_crossings(outline, offsets, k * gap), key=lambda end: end[0] * dx + end[1] * dy)
        if len(ends) >= 2:
            (ax, ay), (bx, by) = ends[0], ends[-1]
            if hypot(bx - ax, by - ay) > gap / 4:  # shorter bits look like dirt when printed
                lines.append(((ax, ay), (bx, by)))
    return lines


def _crossings(outline: Sequence[Point], offsets: Sequence[float], level: float) -> list[Point]:
    """Where the line at `level` crosses the outline."""
    found = []
    for i, (bx, by) in enumerate(outline):
        ax, ay = outline[i - 1]
        a, b = offsets[i - 1] - level, offsets[i] - level
        if (a < 0) != (b < 0):
            part = a / (a - b)
            found.append((ax + part * (bx - ax), ay + part * (by - ay)))
    return found


def _points(outline: Sequence[Point], gap: float, origin: Point) -> list[Segment]:
    """Points in rows, every second row shifted by half a gap."""
    ox = origin[0]
    step = gap * 1.5
    dots = []
    for ((left, y), (right, _)), row in _rows(outline, step / 2, origin):
        shift = step / 2 if row % 2 else 0.0
        first = ceil((left - ox - shift + gap / 4) / step)
        last = floor((right - ox - shift - gap / 4) / step)
        for k in range(first, last + 1):
            x = ox + shift + k * step
            dots.append(((x, y), (x + _DOT, y)))
    return dots


def _rows(outline: Sequence[Point], gap: float, origin: Point) -> list[tuple[Segment, int]]:
    """The horizontal lines inside an outline, each with the number of its row."""
    lines = _lines(outline, gap, origin, 1.0, 0.0)
    return [(line, round((line[0][1] - origin[1]) / gap)) for line in lines]
