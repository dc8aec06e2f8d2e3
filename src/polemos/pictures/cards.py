"""A card for links that people share: a board with a title and a few lines next to it, in the usual size."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from polemos.pictures.faces import shorten
from polemos.pictures.svg import Canvas, PictureError, number
from polemos.pictures.tokens import theme_called

WIDTH: Final = 1200
HEIGHT: Final = 630
BOARD: Final = 700  # the width of the board's part
MARGIN: Final = 40
MAX_LINES: Final = 10


def card(board: str, title: str, lines: Sequence[str]) -> str:
    """The card as SVG. Lines that are too long are cut, and lines that are too many left out."""
    theme = theme_called("light")
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.rect(0, 0, WIDTH, HEIGHT, fill=theme.page)
    room = WIDTH - BOARD - MARGIN
    y = 96.0
    canvas.text(shorten(title, 60, room, display=True), BOARD, y, 60, fill=theme.ink, display=True)
    y += 24
    for line in lines[:MAX_LINES]:
        y += 46
        canvas.text(shorten(line, 30, room), BOARD, y, 30, fill=theme.ink)
    drawn = canvas.document(title, ". ".join((title, *lines)))
    return drawn.rstrip().removesuffix("</svg>") + _fitted(board.strip()) + "</svg>\n"


def _fitted(board: str) -> str:
    """The board, as large as its part of the card allows."""
    found = re.match(r'<svg [^>]*?viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>', board)
    if found is None:
        raise PictureError("The board has no size.")
    wide, high = float(found[1]), float(found[2])
    scale = min((BOARD - 2 * MARGIN) / wide, (HEIGHT - 2 * MARGIN) / high)
    x, y = (BOARD - wide * scale) / 2, (HEIGHT - high * scale) / 2
    head = re.sub(r' (width|height|xmlns)="[^"]*"', "", found[0])[:-1]
    place = f'x="{number(x)}" y="{number(y)}" width="{number(wide * scale)}" height="{number(high * scale)}"'
    return f"{head} {place}>{board[found.end() :]}"
