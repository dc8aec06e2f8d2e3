"""The bot `random`: legal orders without a thought."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.monarchs.bots.sight import Marches, may_order, sheet
from polemos.games.monarchs.notation import Order
from polemos.games.monarchs.view import Setting, View


class RandomBot:
    """Five of eight armies send some of their regiments anywhere; usually something is blessed."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self._near = setting.hexes
        self._chance = Random(seed)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        chance, marches = self._chance, Marches()
        for hex, ground in view.hexes.items():
            left = ground.regiments if ground.owner == view.who else 0
            while left > 0 and chance.random() < 5 / 8:
                number = chance.randint(1, left)
                way = (hex, chance.choice(self._near[hex]))
                marches[way] = marches.get(way, 0) + number
                left -= number
        return sheet(marches, chance.choice(list(view.hexes)) if chance.random() < 7 / 8 else None)
