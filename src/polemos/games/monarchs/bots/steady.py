"""The bot `steady`: a sound player."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.monarchs.bots.foes import Habits, guess
from polemos.games.monarchs.bots.plans import Plan
from polemos.games.monarchs.bots.sight import Sight, may_order, sheet
from polemos.games.monarchs.bots.worth import Worth
from polemos.games.monarchs.notation import Order
from polemos.games.monarchs.view import Setting, View

IMAGINED = 24  # turns of the others; twice as many win no more games


class SteadyBot:
    """Imagines what the others may do, and seeks the orders that earn most against it on average.

    Border battles are left out of account: they cost nobody anything, and to reckon with them won no more games.
    """

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self._setting = setting
        self._habits = Habits([nation for nation in setting.bases if nation != seat])
        self._chance = Random(seed)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        sight = Sight(self._setting, view)
        report = view.reports[view.who]
        self._habits.watch(view.turn, sight, report.victories + report.defeats)
        calm = self._habits.calm | dict.fromkeys(view.dropped, 1.0)
        guesses = guess(sight, calm, view.dropped, self._chance, IMAGINED)
        rest = view.turns - view.turn + 1 if view.turns else None
        plan = Plan(sight, Worth(sight, guesses, IMAGINED, rest, self._setting.scoring == "battles", calm))
        for _ in range(2):  # the marches depend on the blessing, and it on them
            plan.improve()
            plan.bless()
        return sheet(plan.marches, plan.blessed)
