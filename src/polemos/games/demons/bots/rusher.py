"""The bot `rusher`: mercenaries as often as possible."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.demons.bots.front import Front
from polemos.games.demons.bots.sight import Draft, Terrain, may_order
from polemos.games.demons.notation import Order
from polemos.games.demons.view import Setting, View

ALARM = 8  # turns before a foe strikes at which it is met
FEW = (6, 12)  # houses, the most that is wanted
WHIM = 1 / 5  # chance of a lane other than the shortest


class RusherBot:
    """Hires down the shortest lane, or down the one on which its base is in need; what is left over is built."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self._chance = Random(seed)
        self._terrain = Terrain(setting, seat, self._chance)
        self._few = self._chance.randint(*FEW)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        terrain, draft = self._terrain, Draft(self._terrain, view)
        front = Front(terrain, view)
        near = front.unmet(ALARM, terrain.shots(view)) or [foe for foe in front.coming if foe.delay <= 1]
        if near and view.bases[view.who].health < 50:
            draft.build("cannon", terrain.best("cannon", draft.free))
        ways = list(terrain.shortest)
        if self._chance.random() < WHIM:
            self._chance.shuffle(ways)
        wishes = [foe.lane for foe in near] + ways
        any(draft.hire(lane) for lane in wishes)
        houses = sum(tower.kind == "house" for tower in draft.mine.values())
        if houses < self._few and (draft.gold < terrain.fee or draft.gold >= terrain.fee + 10):
            draft.build("house", terrain.quiet(draft.free))
        return draft.orders
