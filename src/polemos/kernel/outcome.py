"""How a match ended."""

from __future__ import annotations

from msgspec import Struct


class Outcome(Struct, frozen=True):
    """Who won and why, or how the points are split. Points sum to 1.

    >>> Outcome("red", ("red", "blue"), {"red": 1.0, "blue": 0.0}, "base destroyed", "9.1").winner
    'red'
    """

    winner: str | None  # None: a draw
    places: tuple[str, ...]  # seats from first to last
    points: dict[str, float]
    reason: str
    rule: str
    ranks: dict[str, int] = {}  # seat to place, where places are shared; otherwise they follow `places`
