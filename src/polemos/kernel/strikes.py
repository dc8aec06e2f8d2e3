"""Strikes: answers that were late or unreadable. Each costs the turn, and the third drops the seat out."""

from __future__ import annotations

from collections import Counter
from typing import Final

from msgspec.structs import replace

from polemos.kernel.verdict import Verdict

STRIKES: Final = 3  # until a seat drops out


class Strikes:
    """The strikes of one match. Matches of bots and tables count with it alike."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._now: dict[str, Verdict] = {}

    def strike(self, seat: str, why: Verdict) -> Verdict | None:
        """Notes a strike in the step that is being played. If it was the last one, the verdict that drops it out."""
        self._counts[seat] += 1
        self._now[seat] = why
        count = self._counts[seat]
        return replace(why, strikes=count) if count >= STRIKES else None

    def next_step(self) -> dict[str, Verdict]:
        """The strikes of this step. Those that follow belong to another one."""
        noted, self._now = self._now, {}
        return noted
