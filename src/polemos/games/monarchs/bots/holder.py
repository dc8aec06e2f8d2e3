"""The bot `holder`: keeps what it has."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.monarchs.bots.sight import Marches, Sight, may_order, sheet
from polemos.games.monarchs.notation import Order
from polemos.games.monarchs.view import Setting, View

MAX_SENT = 40  # regiments of one army; no front needs more in a turn


class HolderBot:
    """Evens out its front against what stands before it, and enters only empty land, with regiments to spare."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self._setting = setting
        self._chance = Random(seed)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        sight = Sight(self._setting, view)
        threat = {hex: sight.threat(hex) for hex in sight.mine if hex != sight.base}
        after = dict.fromkeys(sight.goals, 0) | sight.mine  # regiments by hex when the marches are done
        marches = Marches()
        for origin, regiments in sight.armies.items():
            for _ in range(min(regiments, MAX_SENT)):
                target = self._target(sight, threat, after, origin)
                if target is None:
                    break
                marches[origin, target] = marches.get((origin, target), 0) + 1
                after[origin] -= 1
                after[target] += 1
        held = [hex for hex in threat if after[hex] > 0 and threat[hex] > 0]
        # Where the numbers decide, a blessing changes nothing: it belongs where they come closest.
        blessed = min(held, key=lambda hex: (abs(threat[hex] - after[hex]), -threat[hex]), default=None)
        return sheet(marches, blessed)

    def _target(self, sight: Sight, threat: dict[str, int], after: dict[str, int], origin: str) -> str | None:
        """Where the next regiment is of most use; None if it had better stay."""
        spare = after[origin] - threat.get(origin, 0)
        if spare <= 0:
            return None
        near = sight.near[origin]
        needy = [hex for hex in near if threat.get(hex, 0) > 0 and after[hex] - threat[hex] < spare - 1]
        if needy:
            return max(needy, key=lambda hex: threat[hex] - after[hex])
        empty = [hex for hex in sight.before(origin) if not sight.goals[hex].regiments and not after[hex]]
        if empty:
            return self._chance.choice(empty)
        onward = sight.onward(origin)
        return self._chance.choice(onward) if onward and not threat.get(origin, 0) else None
