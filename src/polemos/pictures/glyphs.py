"""Silhouettes of towers and units. Paths from `glyphs.svg`, drawn on a grid of 24; nobody's, so in one colour."""

from __future__ import annotations

from typing import Final, TypeAlias

from polemos.pictures.svg import Canvas, number

_GRID: Final = 24

# The number is the width of a stroke with round ends, 0 fills the path.
Paths: TypeAlias = tuple[tuple[str, float], ...]

SILHOUETTES: Final[dict[str, Paths]] = {
    "house": (("M12 2.4L22 11h-2.6v10.4h-5.6V15h-3.6v6.4H4.6V11H2z", 0),),
    "crossbow": (
        ("M12 3.4V22M4 11.2C5.4 6.4 8.2 4.2 12 4.2s6.6 2.2 8 7", 2.5),
        ("M4 11.2L12 15.4l8-4.2", 1.5),
        ("M12 .8l2.8 4.4H9.2z", 0),
    ),
    "cannon": (
        ("M2.4 13.2L17 4.6l3.4 5.6L5.8 18.8z", 0),
        ("M18.2 3l4.2 6.8", 2.4),
        (
            "M4 17.6a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0 -9.2 0zM6.7 17.6a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0 -3.8 0z",
            0,
        ),
    ),
    "minigun": (
        ("M9.6 7.2H22M9.6 12H22M9.6 16.8H22", 2.6),
        ("M4.4 4.4h4.4a2 2 0 0 1 2 2v11.2a2 2 0 0 1 -2 2h-4.4a2 2 0 0 1 -2 -2v-11.2a2 2 0 0 1 2 -2z", 0),
        ("M17.6 5v14", 1.8),
    ),
    "church": (
        (
            "M11 1h2v2.2h2.2v2H13v2.2l5.6 4.2v10.8h-4.4V18a2.2 2.2 0 0 0-4.4 0v4.4H5.4V11.6L11 7.4V5.2H8.8v-2H11z",
            0,
        ),
    ),
    "keep": (
        (
            "M3.4 2.4h4v3h2.6v-3h4v3h2.6v-3h4v7.8l-2.2 1.8v9.6h-4.6v-4.4a1.8 1.8 0 0 0-3.6 0v4.4H5.6V12l-2.2-1.8z",
            0,
        ),
    ),
    "helmet": (
        (
            "M12 1.6c4.8 0 7.6 3.2 7.6 8v4.2l-3.2 7.4h-3V12.6H18V10.4H6v2.2h4.6v8.6h-3l-3.2-7.4V9.6c0-4.8 2.8-8 7.6-8z",
            0,
        ),
    ),
    "horns": (
        (
            "M2.6 1.8c.2 4 1.6 6.2 3.6 7.2-.5 1.3-.7 2.5-.7 3.8 0 5 2.7 8.6 6.5 9.6 3.8-1 6.5-4.6 6.5-9.6 0-1.3-.2-2.5"
            "-.7-3.8 2-1 3.4-3.2 3.6-7.2-1.5 2.4-3 3.6-5 4-1.3-.9-2.8-1.4-4.4-1.4s-3.1.5-4.4 1.4c-2-.4-3.5-1.6-5-4z"
            "M7.6 11.2l3.4 1.6-.6 1.8c-1.6.2-2.7-1-2.8-3.4zM16.4 11.2L13 12.8l.6 1.8c1.6.2 2.7-1 2.8-3.4z"
            "M9.6 17.4h4.8L12 19.6z",
            0,
        ),
    ),
    "hammer": (
        ("M5 20.6L14 10.4", 2.8),
        ("M10 5.2l4.4-3 7 6.6-3.2 4.2z", 0),
    ),
    "burst": (
        (
            "M12 1.6l2 5.6 5.2-2.8-2.4 5.4 5.6 2.2-5.6 2.2 2.4 5.4-5.2-2.8-2 5.6-2-5.6-5.2 2.8 2.4-5.4"
            "L1.6 12l5.6-2.2-2.4-5.4L10 7.2z",
            0,
        ),
    ),
}


def glyph(canvas: Canvas, name: str, x: float, y: float, size: float, colour: str) -> None:
    """Draws a silhouette of `size` around (x, y)."""
    silhouette(canvas, SILHOUETTES[name], x, y, size, colour)


def silhouette(canvas: Canvas, paths: Paths, x: float, y: float, size: float, colour: str) -> None:
    """Draws paths of a silhouette, `size` wide, around (x, y)."""
    half = size / 2
    place = f"translate({number(x - half)} {number(y - half)}) scale({size / _GRID:.4f})"
    for path, width in paths:
        if width:
            canvas.path(
                path, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round", stroke_linejoin="round",
                transform=place,
            )  # fmt: skip
        else:
            canvas.path(path, fill=colour, fill_rule="evenodd", transform=place)
