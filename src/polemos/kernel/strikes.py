"""Strikes: answers that were late or unreadable. Each costs the turn, and after the third the seat drops out."""

from __future__ import annotations

from collections import Counter
from typing import Final, Self

from msgspec.structs import replace

from polemos.kernel.verdict import Verdict

STRIKES: Final = 3  # before a seat drops out


class Strikes:
    """The strikes of one match. Bot matches and tables count them the same way."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._now: dict[str, Verdict] = {}

    def copy(self) -> Self:
        fresh = type(self)()
        fresh._counts, fresh._now = self._counts.copy(), self._now.copy()
        return fresh

    def strike(self, seat: str, why: Verdict) -> Verdict | None:
        """Records a strike in the current step. Returns the verdict if it was the last one, so the seat drops out."""
        self._counts[seat] += 1
        self._now[seat] = why
        count = self._counts[seat]
        return replace(why, strikes=count) if count >= STRIKES else None

    def next_step(self) -> dict[str, Verdict]:
        """Returns the strikes of this step and moves on to the next."""
        noted, self._now = self._now, {}
        return noted
