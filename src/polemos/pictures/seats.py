"""Seats and their pieces: a seat has a colour, a shape and a hatching, and any one of them identifies it."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin
from typing import Final

from polemos.pictures.faces import CAPITALS
from polemos.pictures.hatch import hatching, is_dotted
from polemos.pictures.svg import Canvas, Point, number, polygon
from polemos.pictures.tokens import HORDE, LOOK, PRINT, Theme

SHAPES: Final = {**{seat: look["shape"] for seat, look in LOOK["seats"].items()}, HORDE: "hexagon"}

# For each shape: the corners for radius 1, how far from a corner its rounding begins (the radius, if it has no
# corners), how far to lower it so that it looks centred, the size of figures by their number, and how far to lower
# them. All shapes look equally large and are convex, so that hatching can be clipped to them.
_FORMS: Final = LOOK["shapes"]


def middle(shape: str, y: float, r: float) -> float:
    """Where to put the middle of a shape so that it looks centred on y."""
    return y + float(_FORMS[shape]["sink"]) * r


def outline(shape: str, x: float, y: float, r: float) -> str:
    """The path of a shape around (x, y)."""
    if not _FORMS[shape]["corners"]:
        left = _FORMS[shape]["round"] * r
        turn = f"a{number(left)} {number(left)} 0 1 0 "
        wide = number(2 * left)
        return f"M{number(x - left)} {number(y)}{turn}{wide} 0{turn}-{wide} 0z"
    parts = []
    for before, corner, after in _rounded(shape, x, y, r):
        start, bend, end = (f"{number(px)} {number(py)}" for px, py in (before, corner, after))
        parts.append(f"{start}Q{bend} {end}")
    return "M" + "L".join(parts) + "z"


def flat(shape: str, x: float, y: float, r: float) -> list[Point]:
    """The outline of a shape as a polygon, for clipping lines to it."""
    if not _FORMS[shape]["corners"]:
        turns, wide = (2 * pi * i / 48 for i in range(48)), _FORMS[shape]["round"] * r
        return [(x + wide * cos(turn), y + wide * sin(turn)) for turn in turns]
    points = []
    for (ax, ay), (bx, by), (cx, cy) in _rounded(shape, x, y, r):
        for t in (0.0, 0.25, 0.5, 0.75, 1.0):
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
            points.append((a * ax + b * bx + c * cx, a * ay + b * by + c * cy))
    return points


def _rounded(shape: str, x: float, y: float, r: float) -> list[tuple[Point, Point, Point]]:
    """For each corner: where its rounding begins, the corner, where the rounding ends."""
    corners, radius = _FORMS[shape]["corners"], _FORMS[shape]["round"]
    placed = [(x + r * px, y + r * py) for px, py in corners]
    around = []
    for i, corner in enumerate(placed):
        before, after = placed[i - 1], placed[(i + 1) % len(placed)]
        around.append((_towards(corner, before, radius * r), corner, _towards(corner, after, radius * r)))
    return around


def _towards(start: Point, end: Point, way: float) -> Point:
    (ax, ay), (bx, by) = start, end
    part = way / hypot(bx - ax, by - ay)
    return ax + part * (bx - ax), ay + part * (by - ay)


def piece(
    canvas: Canvas,
    seat: str,
    x: float,
    y: float,
    r: float,
    theme: Theme,
    *,
    rim: float,
    halo: float = 0.0,
    count: int = 0,
    hollow: bool = False,
) -> None:
    """Draws a seat's piece with its count (none for 0) on a halo that separates it from the ground.

    A hollow piece is spent: unfilled, with a heavy rim in the seat's colour, or a dashed one on paper.
    """
    shape, tones = SHAPES[seat], theme.seats[seat]
    low = middle(shape, y, r)
    form = outline(shape, x, low, r)
    if halo:
        canvas.path(form, fill=theme.halo, stroke=theme.halo, stroke_width=rim + 2 * halo, stroke_linejoin="round")
    if not hollow:
        canvas.path(form, fill=tones.piece, stroke=tones.rim, stroke_width=rim)
    elif theme is PRINT:
        dashes = f"{number(0.3 * r)} {number(0.22 * r)}"
        canvas.path(form, fill=tones.piece, stroke=tones.rim, stroke_width=rim, stroke_dasharray=dashes)
    else:
        canvas.path(form, fill=theme.surface, stroke=tones.line, stroke_width=2 * rim)
    if count:
        words = str(count)
        sizes = _FORMS[shape]["figures"]
        figures(canvas, seat, x, y, r, words, r * sizes[min(len(words), len(sizes)) - 1], theme)


def figures(canvas: Canvas, seat: str, x: float, y: float, r: float, words: str, size: float, theme: Theme) -> None:
    """Writes figures of `size` on a seat's piece."""
    shape = SHAPES[seat]
    base = middle(shape, y, r) + _FORMS[shape]["low"] * r + size * CAPITALS / 2
    canvas.text(words, x, base, size, fill=theme.seats[seat].on, bold=True, anchor="middle")


def arms(canvas: Canvas, seat: str, x: float, y: float, r: float, theme: Theme, *, rim: float, line: float) -> None:
    """Draws a seat's shape filled with its hatching, as in the heading of a page and on a seal."""
    shape, tones = SHAPES[seat], theme.seats[seat]
    low = middle(shape, y, r)
    canvas.path(outline(shape, x, low, r), fill=tones.tint, stroke=tones.rim, stroke_width=rim)
    inner = flat(shape, x, low, r - rim / 2)
    gap = r * (0.86 if _FORMS[shape]["corners"] else _FORMS[shape]["round"]) / 4  # so that the rim itself is a line
    canvas.strokes(hatching(seat, inner, gap, (x, low)), tones.hatch, line, **ends(seat))


def swatch(canvas: Canvas, seat: str, box: Sequence[float], theme: Theme, *, gap: float, line: float) -> None:
    """Draws a box (x, y, width, height) filled with a seat's tint and hatching, for a key."""
    x, y, width, height = box
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    tones = theme.seats[seat]
    canvas.path(polygon(corners), fill=tones.tint)
    lines = hatching(seat, corners, gap, (x + width / 2, y + height / 2))
    canvas.strokes(lines, tones.hatch, line, **ends(seat))


def ends(seat: str) -> dict[str, str]:
    """Points are short lines with round ends."""
    return {"stroke_linecap": "round"} if is_dotted(seat) else {}
