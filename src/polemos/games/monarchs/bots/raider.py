"""The bot `raider`: always forward."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.monarchs.bots.sight import Marches, Sight, may_order, sheet
from polemos.games.monarchs.notation import Order
from polemos.games.monarchs.view import Setting, View


class RaiderBot:
    """Attacks the weakest hexes before it, each with one regiment more than it sees there, and guards nothing."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self._setting = setting
        self._chance = Random(seed)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        sight = Sight(self._setting, view)
        free = dict(sight.armies)
        marches = Marches()
        attacks: dict[str, int] = {}  # goal to regiments sent
        goals = list(sight.goals)
        self._chance.shuffle(goals)
        for goal in sorted(goals, key=lambda hex: sight.goals[hex].regiments):
            need = sight.goals[goal].regiments + 1
            sources = sorted((hex for hex in sight.near[goal] if free.get(hex)), key=lambda hex: free[hex])
            if sum(free[hex] for hex in sources) < need:
                continue
            for origin in sources:
                number = min(free[origin], need - attacks.get(goal, 0))
                if number > 0:
                    marches[origin, goal] = number
                    attacks[goal] = attacks.get(goal, 0) + number
                    free[origin] -= number
        for origin, left in free.items():
            ways = [hex for hex in sight.near[origin] if hex in attacks] or sight.onward(origin)
            if left and ways:
                way = (origin, self._chance.choice(ways))
                marches[way] = marches.get(way, 0) + left
        return sheet(marches, max(attacks, key=lambda hex: sight.goals[hex].regiments, default=None))
