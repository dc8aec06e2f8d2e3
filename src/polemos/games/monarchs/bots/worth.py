"""What it is worth, in points, to have so many regiments on a hex when the marches are done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from polemos.games.monarchs.bots.foes import Forces, Guesses
from polemos.games.monarchs.bots.sight import Sight

KEEPS = 0.65  # chance that a hex held after this turn is still held a turn later
RISK = 0.4  # chance that an army on new ground is attacked there next turn by all who stand around it
STEP = 0.1  # price of each step that a regiment stands behind the front
UNKNOWN_REST = 4  # turns that are taken to remain while the last is not announced
NO_ARMY = -99


@lru_cache(maxsize=4096)
def winning(mine: int, first: int, second: int) -> float:
    """6.6 The chance of the first of three armies, by strength in quarters.

    The chance, given its own die, is a polynomial of second degree between any two quarters, so that Simpson's rule
    is exact there.

    >>> 128 * winning(1, 0, 0), 128 * winning(0, 1, 0), 32 * winning(5, 4, NO_ARMY)
    (74.0, 27.0, 23.0)
    """
    total = 0.0
    for eighth, weight in enumerate((1, 4, 2, 4, 2, 4, 2, 4, 1)):
        above_first = min(1.0, max(0.0, (eighth / 2 + mine - first) / 4))
        above_second = min(1.0, max(0.0, (eighth / 2 + mine - second) / 4))
        total += weight * above_first * above_second
    return total / 24


class Worth:
    """Values of own armies by hex and size, averaged over the imagined turns of the others."""

    def __init__(
        self,
        sight: Sight,
        guesses: Guesses,
        imagined: int,
        rest: int | None,
        by_battles: bool,
        calm: Mapping[str, float],
    ) -> None:
        """`rest` is the number of turns that remain, this one included, if it is known."""
        self._sight = sight
        self._calm = calm
        self._guesses = guesses
        self._imagined = imagined
        weights = [1.0] * (rest or UNKNOWN_REST)
        if rest:
            weights[-1] = 2.0  # 10.4
        self._last = rest == 1
        self._hex = sum(weight * KEEPS**turn for turn, weight in enumerate(weights))
        self._beaten = (1.0 if by_battles else 2.0) * weights[0]
        self._by_battles = by_battles
        # From this size on no guessed force can beat an army, and more regiments add nothing.
        self._enough = {hex: max(s for forces in c for _, s in forces) // 4 + 3 for hex, c in guesses.items()}
        self._known: dict[tuple[str, int, bool], float] = {}

    def of(self, hex: str, regiments: int, blessed: bool) -> float:
        """The worth of an army, with its place in the rear if it has none at the front."""
        key = (hex, min(regiments, self._enough.get(hex, 3)), blessed)
        worth = self._known.get(key)
        if worth is None:
            worth = self._known[key] = self._worth(*key)
        return worth if self._last else worth - STEP * regiments * self._sight.steps.get(hex, 0)

    def contested(self, hex: str) -> bool:
        return hex in self._guesses

    def _worth(self, hex: str, regiments: int, blessed: bool) -> float:
        sight = self._sight
        own = hex in sight.mine
        if hex == sight.base or (not own and regiments == 0):
            return 0.0
        guesses = self._guesses.get(hex, Counter())
        worth = 0.0 if own else (self._imagined - sum(guesses.values())) * self._hex
        for forces, count in guesses.items():
            worth += count * (self._battle(hex, regiments, blessed, forces) if regiments else -self._hex)
        worth /= self._imagined
        if regiments and not own and not self._last:
            threat = max((r * (1 - self._calm[nation]) for nation, r in sight.threats(hex).items()), default=0.0)
            short = (threat - regiments + 1) / 3
            worth -= RISK * (self._hex + self._beaten) * min(1.0, max(0.0, short))
        return worth

    def _battle(self, hex: str, regiments: int, blessed: bool, forces: Forces) -> float:
        """6, 8 The hex and the regiments won or lost in one battle, weighed by the chances."""
        sight = self._sight
        own = hex in sight.mine
        owner = sight.who if own else sight.strange[hex].owner
        strengths = [strength + (name == owner) for name, strength in forces] + [NO_ARMY]
        chance = winning(4 * regiments + own + 2 * blessed, strengths[0], strengths[1])
        win = self._beaten * sum(self._toll(hex, name, strength // 4) for name, strength in forces)
        lose = -self._beaten * self._toll(hex, sight.who, regiments)
        if self._by_battles:
            win = self._beaten
        if own:
            lose -= self._hex
        else:
            win += self._hex
        return chance * win + (1 - chance) * lose

    def _toll(self, hex: str, nation: str, regiments: int) -> int:
        """8.1, 8.5 What a beaten army loses: one regiment, or all if it sees no refuge. Refuge may lie in the fog."""
        if self._by_battles:
            return 1
        sight = self._sight
        for other in sight.near[hex]:
            if other in sight.mine:
                friendly = nation == sight.who
            else:
                friendly = nation != sight.who and (other not in sight.strange or sight.strange[other].owner == nation)
            if friendly:
                return 1
        return regiments
