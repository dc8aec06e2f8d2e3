"""The bot `greedy`: one board after the other, the first sound turn that comes to mind."""

from __future__ import annotations

from collections.abc import Sequence

from polemos.games.minions.bots.draft import Draft, may_order
from polemos.games.minions.bots.planner import Planner
from polemos.games.minions.bots.teching import place_spells
from polemos.games.minions.notation import Order
from polemos.games.minions.view import Setting, View

SAMPLES = 6  # turns that are compared on each board


class GreedyBot:
    """Takes what it can, walks to graveyards, buys what is worth its price; looks no further than its own turn."""

    def __init__(self, setting: Setting, seat: str, seed: int, samples: int = SAMPLES, lapses: int = 0) -> None:
        self._setting = setting
        self._planner = Planner(seed, samples, pool=1, answers=0)
        self._planner.forget(lapses)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        draft = Draft(self._setting, view)
        place_spells(draft)
        self._planner.play_all(draft)
        return draft.orders
