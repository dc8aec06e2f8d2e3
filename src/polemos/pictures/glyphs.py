"""Silhouettes of towers and units. They belong to nobody, so they have one colour.

Paths on a grid of 24 from `glyphs.json`, shared with the client (`tools/look`).
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Final, TypeAlias

from polemos.pictures.svg import Canvas, number

_GRID: Final = 24

# The number is the width of a stroke with round ends; 0 fills the path.
Paths: TypeAlias = tuple[tuple[str, float], ...]


def read(package: str, name: str = "glyphs.json") -> dict[str, Paths]:
    """The silhouettes of a package, by name."""
    found = json.loads((files(package) / name).read_text(encoding="utf-8"))
    return {glyph: tuple((path, width) for path, width in paths) for glyph, paths in found.items()}


SILHOUETTES: Final = read(__package__)


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
