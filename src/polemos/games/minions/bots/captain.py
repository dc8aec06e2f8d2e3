"""The bot `captain`: many whole turns on every board, and the enemy's answers to the best of them."""

from __future__ import annotations

from collections.abc import Sequence

from polemos.games.minions.bots.draft import Draft, may_order
from polemos.games.minions.bots.planner import Planner
from polemos.games.minions.bots.teching import place_spells
from polemos.games.minions.notation import Order
from polemos.games.minions.view import Setting, View

SAMPLES = 3600  # turns that are tried on a single board; of n boards each gets 2 / (n + 1) of them
POOL = 16  # best turns that are looked at more closely
ANSWERS = 120  # of the enemy to each of them, at most; shared alike


class CaptainBot:
    """Samples turns with copies of the board, and plays the one that leaves most after the worst answer found."""

    def __init__(
        self, setting: Setting, seat: str, seed: int, samples: int = SAMPLES, pool: int = POOL, answers: int = ANSWERS
    ) -> None:
        self._setting = setting
        share = setting.boards + 1
        self._planner = Planner(seed, max(1, 2 * samples // share), pool, max(1, 2 * answers // share))

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        draft = Draft(self._setting, view)
        place_spells(draft)
        self._planner.play_all(draft)
        return draft.orders
