"""Small meters on a board: a bar that fills, a row of bars or pips, a ring, a plate with figures. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from polemos.pictures.faces import CAPITALS, width
from polemos.pictures.svg import Canvas, number
from polemos.pictures.tokens import Theme


def bar(canvas: Canvas, box: Sequence[float], part: float, theme: Theme, *, line: float, rim: str, fill: str) -> None:
    """A bar with round ends in a box (x, y, width, height), filled from the left; a little is always visible."""
    x, y, wide, high = box
    canvas.rect(x, y, wide, high, rx=high / 2, fill=theme.surface, stroke=rim, stroke_width=line)
    if part > 0:
        canvas.rect(x, y, max(high, min(part, 1.0) * wide), high, rx=high / 2, fill=fill)


def bars(canvas: Canvas, box: Sequence[float], count: int, filled: int, theme: Theme, *, line: float) -> None:
    """A row of `count` bars in a box, the first `filled` of them in ink."""
    x, y, wide, high = box
    gap = 0.3 * high
    each = (wide - gap * (count - 1)) / count
    for i in range(count):
        fill, rim = (theme.ink, theme.ink) if i < filled else (theme.surface, theme.line_strong)
        left = x + i * (each + gap)
        canvas.rect(left, y, each, high, rx=0.2 * high, fill=fill, stroke=rim, stroke_width=line)


def pips(canvas: Canvas, x: float, y: float, r: float, count: int, filled: int, theme: Theme, *, line: float) -> None:
    """A row of `count` dots of radius `r` around (x, y), the first `filled` of them in ink."""
    for i in range(count):
        fill, rim = (theme.ink, theme.surface) if i < filled else (theme.surface, theme.line_strong)
        canvas.disc(x + 2.8 * r * (i - (count - 1) / 2), y, r, fill=fill, stroke=rim, stroke_width=line)


def ring(canvas: Canvas, x: float, y: float, r: float, part: float, stroke: str, line: float) -> None:
    """The filled part of a circle, clockwise from the top."""
    if part >= 1:
        canvas.disc(x, y, r, fill="none", stroke=stroke, stroke_width=line)
    elif part > 0:
        turn = 2 * pi * part
        end = f"{number(x + r * sin(turn))} {number(y - r * cos(turn))}"
        arc = f"M{number(x)} {number(y - r)}A{number(r)} {number(r)} 0 {int(part > 0.5)} 1 {end}"
        canvas.path(arc, fill="none", stroke=stroke, stroke_width=line)


def plate(canvas: Canvas, words: str, x: float, y: float, size: float, theme: Theme, *, line: float) -> None:
    """Bold figures on a plate around (x, y)."""
    wide, high = max(2.3 * size, width(words, size, bold=True) + 0.7 * size), 1.23 * size
    box = (x - wide / 2, y - high / 2, wide, high)
    canvas.rect(*box, rx=0.32 * size, fill=theme.raised, stroke=theme.ink, stroke_width=line)
    canvas.text(words, x, y + size * CAPITALS / 2, size, fill=theme.ink, bold=True, anchor="middle")
