"""A view as a general reads it: where his armies stand, what lies before them, how far the rear is from the front."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.notation import Bless, March, Order
from polemos.games.monarchs.state import MAX_LINES
from polemos.games.monarchs.view import Ground, Setting, View

Marches = dict[tuple[str, str], int]  # regiments by origin and target


def may_order(view: View) -> bool:
    """Whether anybody waits for orders of this nation (10.4, 10.6)."""
    return view.who in NATIONS and view.outcome is None and view.who not in view.dropped


def sheet(marches: Mapping[tuple[str, str], int], blessed: str | None) -> list[Order]:
    """The orders as a sheet: the blessing first, then the largest groups, so that the limit of lines costs least."""
    orders: list[Order] = [] if blessed is None else [Bless(blessed)]
    groups = [March(origin, target, number) for (origin, target), number in marches.items() if number > 0]
    groups = [group for group in groups if group.origin != group.target]
    groups.sort(key=lambda group: -group.number)
    return (orders + groups)[:MAX_LINES]


class Sight:
    """What a nation sees, sorted by use. Foreign home bases are not goals (7.1) and are kept apart."""

    def __init__(self, setting: Setting, view: View) -> None:
        self.who = view.who
        self.near = setting.hexes
        self.base = setting.bases[view.who]
        self.foreign_bases = {base for nation, base in setting.bases.items() if nation != view.who}
        self.mine = {hex: ground.regiments for hex, ground in view.hexes.items() if ground.owner == view.who}
        self.armies = {hex: regiments for hex, regiments in self.mine.items() if regiments > 0}
        self.strange = {hex: ground for hex, ground in view.hexes.items() if ground.owner != view.who}
        self.goals = {hex: ground for hex, ground in self.strange.items() if hex not in self.foreign_bases}
        self.steps = self._steps_to_goals()

    def _steps_to_goals(self) -> dict[str, int]:
        """Steps from each hex in sight to the nearest goal, over its own land; hexes without a way are missing."""
        steps = dict.fromkeys(self.goals, 0)
        queue = deque(steps)
        while queue:
            here = queue.popleft()
            for hex in self.near[here]:
                if hex in self.mine and hex not in steps:
                    steps[hex] = steps[here] + 1
                    queue.append(hex)
        return steps

    def onward(self, hex: str) -> list[str]:
        """Own neighbours that lie one step nearer to the goals."""
        far = self.steps.get(hex, 0)
        return [other for other in self.near[hex] if other in self.mine and self.steps.get(other, far) < far]

    def before(self, hex: str) -> list[str]:
        """Neighbouring goals."""
        return [other for other in self.near[hex] if other in self.goals]

    def threat(self, hex: str) -> int:
        """The most regiments that one nation in sight could bring to this hex in one turn."""
        return max(self.threats(hex).values(), default=0)

    def threats(self, hex: str) -> dict[str, int]:
        """The regiments that each nation in sight could bring to this hex in one turn."""
        sums: dict[str, int] = {}
        for other in self.near[hex]:
            ground = self.strange.get(other, _NOTHING)
            if ground.owner is not None:
                sums[ground.owner] = sums.get(ground.owner, 0) + ground.regiments
        return sums


_NOTHING = Ground(None, 0)
