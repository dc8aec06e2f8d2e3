"""The bot `holder`: keeps what it has."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.monarchs.bots.sight import Marches, Sight, may_order, sheet
from polemos.games.monarchs.notation import Order
from polemos.games.monarchs.view import Setting, View


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
        after = dict(sight.mine)  # regiments on each hex when all is done
        marches = Marches()

        def send(origin: str, target: str) -> None:
            marches[origin, target] = marches.get((origin, target), 0) + 1
            after[origin] -= 1
            after[target] = after.get(target, 0) + 1

        for origin, regiments in sight.armies.items():
            for _ in range(min(regiments, _MOST_SENT)):
                spare = after[origin] - threat.get(origin, 0)
                if spare <= 0:
                    break
                needy = [hex for hex in sight.near[origin] if threat.get(hex, 0) - after.get(hex, 0) > -spare + 1]
                needy = [hex for hex in needy if threat.get(hex, 0) > 0]
                empty = [hex for hex in sight.before(origin) if not sight.goals[hex].regiments and not after.get(hex)]
                onward = sight.onward(origin)
                if needy:
                    send(origin, max(needy, key=lambda hex: threat[hex] - after[hex]))
                elif empty:
                    send(origin, self._chance.choice(empty))
                elif onward and not threat.get(origin, 0):
                    send(origin, self._chance.choice(onward))
                else:
                    break
        held = [hex for hex in threat if after[hex] > 0 and threat[hex] > 0]
        # Where all odds are lost or won, a blessing changes nothing: it belongs where the numbers come closest.
        blessed = min(held, key=lambda hex: (abs(threat[hex] - after[hex]), -threat[hex]), default=None)
        return sheet(marches, blessed)


_MOST_SENT = 40  # regiments of one army; more than that no front needs in a turn
