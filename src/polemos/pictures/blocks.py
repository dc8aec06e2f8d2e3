"""The larger parts of a printed page: heading, key, table of figures. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polemos.pictures import faces, marks, seats
from polemos.pictures.sheet import INK, MARGIN, Paper, figures, rule, words
from polemos.pictures.svg import Canvas, clean, polygon
from polemos.pictures.tokens import PRINT

_HEAD: Final = 30.5  # where the heading ends
COLUMN: Final = 95.0  # to the right of the longest seat name, so that all pages have the same layout
_LONGEST: Final = 120  # characters of a title that are used


def head(canvas: Canvas, paper: Paper, seat: str | None, name: str, game: str, lines: Sequence[str], note: str) -> None:
    """The heading: the seat in 16 mm type, then the occasion, the position, and the title."""
    left = MARGIN
    if seat:
        seats.arms(canvas, seat, 19, 20, 8.2, PRINT, rim=0.9, line=0.3)
        left = 32.0
    size = faces.fit(name, 16, COLUMN - 3 - left, display=True)
    words(canvas, name, left, 24.5, size, display=True)
    canvas.text(game, paper.right, 16, 5, fill=INK, display=True, anchor="end")
    occasion, position, title = lines
    words(canvas, occasion, COLUMN, 16, 6.2, bold=True)
    words(canvas, position, COLUMN, 21.5, 3.7)
    room = paper.right - COLUMN
    if note:
        room -= boxed(canvas, note, paper.right, 26.6, 3.7) + 4
    words(canvas, faces.shorten(clean(title[:_LONGEST]), 3.7, room), COLUMN, 26.6, 3.7)
    rule(canvas, MARGIN, _HEAD, to_x=paper.right)


def boxed(canvas: Canvas, note: str, right: float, y: float, size: float) -> float:
    """A note in a frame that ends at `right`; returns its width."""
    wide = faces.width(note, size, bold=True) + size
    high = 1.35 * size
    top = y - size * faces.CAPITALS / 2 - high / 2
    canvas.rect(right - wide, top, wide, high, rx=0.8, fill="none", stroke=INK, stroke_width=0.4)
    canvas.text(note, right - wide / 2, y, size, fill=INK, bold=True, anchor="middle")
    return wide


def key(canvas: Canvas, x: float, y: float, owners: Sequence[str], gap: float) -> None:
    """The key to the hatching, shapes and lines of a map, in two rows of 36 mm columns."""
    for i, seat in enumerate(owners):
        left = x + 36 * i
        box = (left, y, 9.0, 6.0)
        seats.swatch(canvas, seat, box, PRINT, gap=gap, line=0.16)
        canvas.rect(*box, fill="none", stroke=INK, stroke_width=0.3)
        seats.piece(canvas, seat, left + 14.5, y + 3, 2.5, PRINT, rim=0.6, halo=0)
        words(canvas, f"{seat[0].upper()} {seat.capitalize()}", left + 19.5, y + 4.3)
    low = y + 9.5
    fog = [(x, low), (x + 9, low), (x + 9, low + 6), (x, low + 6)]
    canvas.path(
        polygon(fog), fill="none", stroke=INK, stroke_width=0.35, stroke_dasharray="0.01 1.35", stroke_linecap="round"
    )
    words(canvas, "not in sight", x + 12, low + 4.3)
    marks.star(canvas, x + 40.5, low + 3, 6, INK)
    words(canvas, "home base", x + 48, low + 4.3)
    canvas.strokes([((x + 72, low + 3), (x + 81, low + 3))], INK, 1.1, stroke_linecap="round")
    words(canvas, "front", x + 84, low + 4.3)


def table(
    canvas: Canvas, x: float, right: float, y: float, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]
) -> None:
    """A table with one word and several figures per row, below a line of headings; figure columns are 11 mm wide."""
    for i, column in enumerate(columns):
        figures(canvas, column, right - 1 - 11 * (len(columns) - 1 - i), y, bold=True)
    rule(canvas, x, y + 1.7, to_x=right)
    for j, (name, values) in enumerate(rows):
        base = y + 6.3 + 4.7 * j
        words(canvas, name, x, base, 3.4)
        for i, value in enumerate(values):
            figures(canvas, value, right - 1 - 11 * (len(values) - 1 - i), base)


def paragraph(
    canvas: Canvas, lead: str, text: str, x: float, right: float, y: float, size: float, pitch: float
) -> float:
    """Text on as many lines as it needs, after a bold lead, which may be empty; returns where the next line goes."""
    room, rest = right - x, text.split()
    indent = faces.width(f"{lead} ", size, bold=True) if lead else 0.0
    if lead:
        words(canvas, lead, x, y, size, bold=True)
    first = faces.wrap(rest, size, room - indent)[0]
    lines = [first, *faces.wrap(rest[len(first.split()) :], size, room)]
    for i, line in enumerate(lines):
        words(canvas, line, x if i else x + indent, y + pitch * i, size)
    return y + pitch * len(lines)
