"""The bot `random`: legal orders without a thought."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.demons.bots.sight import Draft, Terrain, may_order
from polemos.games.demons.notation import Order
from polemos.games.demons.view import Setting, View


class RandomBot:
    """Builds anything anywhere and hires in any direction, as long as the gold lasts; seldom destroys."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self._chance = Random(seed)
        self._terrain = Terrain(setting, seat, self._chance)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        chance, draft = self._chance, Draft(self._terrain, view)
        builder = chance.random()
        if builder < 3 / 4 and draft.free:
            draft.build(chance.choice(list(view.prices[view.who])), chance.choice(draft.free))
        elif builder > 63 / 64 and draft.mine:
            draft.destroy(chance.choice(list(draft.mine)))
        if chance.random() < 3 / 4:
            draft.hire(chance.randrange(len(self._terrain.lanes)))
        if chance.random() < 1 / 8:
            draft.provoke()
        return draft.orders
