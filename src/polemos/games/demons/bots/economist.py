"""The bot `economist`: houses first and for ever."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.demons.bots.front import Front
from polemos.games.demons.bots.sight import Draft, Terrain, may_order
from polemos.games.demons.notation import Order
from polemos.games.demons.view import Setting, View

ALARM = (4, 8)  # turns before a foe strikes at which towers are thought of
WEAK = 80  # health of the base below which mercenaries are hired too
MAX_GUNS = (8, 14)


class EconomistBot:
    """A house a turn. Foes at the gate are shot at by a few towers; only a weakened base hires."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        chance = Random(seed)
        self._terrain = Terrain(setting, seat, chance)
        self._alarm = chance.randint(*ALARM)
        self._most_guns = chance.randint(*MAX_GUNS)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        terrain, draft = self._terrain, Draft(self._terrain, view)
        near = Front(terrain, view).unmet(self._alarm, terrain.shots(view))
        guns = sum(tower.kind != "house" for tower in draft.mine.values())
        weak = view.bases[view.who].health < WEAK
        if near and weak:
            draft.hire(near[0].lane)
        if near and guns < self._most_guns and guns <= len(draft.mine) // 3:
            kind = "crossbow" if guns % 3 == 2 else "cannon"
            draft.build(kind, terrain.best(kind, draft.free))
        if len(draft.free) > 2 and (not weak or draft.gold >= terrain.fee + view.prices[view.who]["house"]):
            draft.build("house", terrain.quiet(draft.free))
        return draft.orders
