"""The rating of a bot over time, as on its page: one piece for each version, none joined to another. Ink alone: a bot
has no seat, so it has no colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from polemos.pictures.svg import Canvas, number
from polemos.pictures.tokens import theme_called

WIDTH: Final = 620
HEIGHT: Final = 470
WIDEST: Final = 150.0  # of a margin that the scale makes room for; wider bands are cut
_LEFT, _RIGHT, _TOP, _BOTTOM = 6.0, 540.0, 44.0, 450.0
_STEPS: Final = (20, 50, 100, 200, 500)

Point = tuple[float, float, float]  # time, rating, margin
Piece = tuple[int, Sequence[Point]]  # the number of a version, and its points from the oldest on


def curve(pieces: Sequence[Piece], label: str) -> str:
    """The picture as SVG. Without any points there is nothing but the frame."""
    theme = theme_called("light")
    canvas = Canvas(WIDTH, HEIGHT)
    points = [point for _, of in pieces for point in of]
    if points:
        low, high, step = _scale(points)
        begin, end = min(at for at, _, _ in points), max(at for at, _, _ in points)

        def x(at: float) -> float:
            return _LEFT + (_RIGHT - _LEFT) * (at - begin) / max(1.0, end - begin)

        def y(elo: float) -> float:
            return _BOTTOM - (_BOTTOM - _TOP) * (min(high, max(low, elo)) - low) / (high - low)

        for level in range(int(low), int(high) + 1, step):
            canvas.strokes([((_LEFT, y(level)), (_RIGHT, y(level)))], theme.line, 1.5)
            canvas.text(str(level), _RIGHT + 14, y(level) + 7, 20, fill=theme.ink_3)
        for version, of in pieces:
            if not of:
                continue
            above = [(x(at), y(elo + margin)) for at, elo, margin in of]
            below = [(x(at), y(elo - margin)) for at, elo, margin in reversed(of)]
            canvas.path(f"M{_written([*above, *below])}Z", fill=theme.line, stroke=theme.line_strong, stroke_width=1.5)
            line = _written([(x(at), y(elo)) for at, elo, _ in of])
            canvas.path(f"M{line}", fill="none", stroke=theme.ink, stroke_width=4, stroke_linejoin="round")
            start = x(of[0][0])
            canvas.strokes([((start, _TOP - 12), (start, _BOTTOM))], theme.ink, 1.5)
            canvas.text(f"v{version}", start, _TOP - 20, 22, fill=theme.ink)
        at, elo, _ = max(points)
        canvas.disc(x(at), y(elo), 8, fill=theme.ink)
    return canvas.document(label, label)


def _scale(points: Sequence[Point]) -> tuple[float, float, int]:
    """The lowest and the highest line, and the distance between lines."""
    firm = [point for point in points if point[2] <= WIDEST] or points
    least = min(elo - min(margin, WIDEST) for _, elo, margin in firm)
    most = max(elo + min(margin, WIDEST) for _, elo, margin in firm)
    step = next((step for step in _STEPS if (most - least) / step <= 6), 1000)
    low = math.floor(least / step) * step
    return low, max(low + 2 * step, math.ceil(most / step) * step), step


def _written(points: Sequence[tuple[float, float]]) -> str:
    return "L".join(f"{number(x)} {number(y)}" for x, y in points)
