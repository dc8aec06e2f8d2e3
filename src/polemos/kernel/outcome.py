"""How a match ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    ranks: dict[str, int] = {}  # seat to place, if places are shared; otherwise they follow `places`


def by_score(scores: Mapping[str, Any], reason: str, rule: str) -> Outcome:
    """The outcome in which the highest score wins and equal seats share a place. Scores can be anything comparable.

    >>> by_score({"red": 3, "blue": 7, "green": 3}, "most points", "4.2").ranks
    {'blue': 1, 'red': 2, 'green': 2}
    """
    places = sorted(scores, key=lambda seat: scores[seat], reverse=True)
    first = [seat for seat in places if scores[seat] == scores[places[0]]]
    return Outcome(
        winner=first[0] if len(first) == 1 else None,
        places=tuple(places),
        points={seat: 1 / len(first) if seat in first else 0.0 for seat in places},
        reason=reason,
        rule=rule,
        ranks={seat: 1 + sum(other > scores[seat] for other in scores.values()) for seat in places},
    )
