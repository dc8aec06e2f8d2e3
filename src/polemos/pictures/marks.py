"""Marks on a board that belong to nobody: star, sun, arrow. Paths on a grid of 24."""

from __future__ import annotations

from math import hypot
from typing import Final

from polemos.pictures.faces import CAPITALS
from polemos.pictures.glyphs import SILHOUETTES
from polemos.pictures.svg import Canvas, Point, number, polygon
from polemos.pictures.tokens import Theme

_GRID: Final = 24
_STAR: Final = SILHOUETTES["star"][0][0]
_RAYS, _RAY = SILHOUETTES["rays"][0]


def _placed(x: float, y: float, size: float) -> str:
    """The transform that centres a glyph of `size` on (x, y)."""
    half = size / 2
    return f"translate({number(x - half)} {number(y - half)}) scale({size / _GRID:.4f})"


def star(canvas: Canvas, x: float, y: float, size: float, fill: str) -> None:
    """The home base."""
    canvas.path(_STAR, fill=fill, transform=_placed(x, y, size))


def sun(canvas: Canvas, x: float, y: float, r: float, theme: Theme) -> None:
    """The blessing: a sun on a disc of ink."""
    canvas.disc(x, y, r, fill=theme.ink, stroke=theme.halo, stroke_width=r / 7)
    place = _placed(x, y, 1.43 * r)
    canvas.path(_RAYS, fill="none", stroke=theme.page, stroke_width=_RAY, stroke_linecap="round", transform=place)
    canvas.disc(x, y, 1.43 * r * 3.4 / _GRID, fill=theme.page)


def arrow(
    canvas: Canvas,
    start: Point,
    end: Point,
    unit: float,
    count: int,
    theme: Theme,
    shift: float = 0.0,
    is_full: bool = False,
) -> None:
    """A march in ink from army to army, with its number on a disc halfway.

    `unit` is the radius of a hex; `shift` moves the whole arrow to its right; a full disc sets it apart from others.
    """
    (ax, ay), (bx, by) = start, end
    way = hypot(bx - ax, by - ay)
    dx, dy = (bx - ax) / way, (by - ay) / way

    def at(along: float, aside: float = 0.0) -> Point:
        aside += shift
        return ax + along * dx - aside * dy, ay + along * dy + aside * dx

    tail, neck, tip = 0.42 * unit, way - 0.56 * unit, way - 0.36 * unit
    shaft = polygon([at(tail), at(neck)])[:-1]
    head = polygon([at(tip), at(neck, 0.16 * unit), at(neck, -0.16 * unit)])
    canvas.path(shaft, fill="none", stroke=theme.halo, stroke_width=0.17 * unit)
    canvas.path(head, fill=theme.ink, stroke=theme.halo, stroke_width=0.07 * unit, stroke_linejoin="round")
    canvas.path(shaft, fill="none", stroke=theme.ink, stroke_width=0.085 * unit)
    canvas.path(head, fill=theme.ink)
    badge(canvas, at((tail + neck) / 2), 0.17 * unit, count, theme, is_full=is_full)


def badge(
    canvas: Canvas, place: Point, r: float, count: int, theme: Theme, tone: str = "", is_full: bool = False
) -> None:
    """A number on a small disc, in ink or in another tone."""
    x, y = place
    tone = tone or theme.ink
    figures = str(count)
    size = r * {1: 1.41, 2: 1.2}.get(len(figures), 0.9)
    inside, figure = (tone, theme.raised) if is_full else (theme.raised, tone)
    canvas.disc(x, y, r, fill=inside, stroke=tone, stroke_width=0.18 * r)
    canvas.text(figures, x, y + size * CAPITALS / 2, size, fill=figure, bold=True, anchor="middle")
