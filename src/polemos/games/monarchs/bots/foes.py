"""Guesses at what the other nations will do: many imagined turns of theirs, from what is in sight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from polemos.games.monarchs.bots.sight import Sight

Force = tuple[str, int]  # a nation, and its strength on a hex in quarters of a regiment, blessing included
Forces = tuple[Force, ...]
Guesses = dict[str, Counter[Forces]]  # what stands on a hex after the moves, and in how many of the imagined turns

HOLD, ATTACK, ROAM = 0, 1, 2
MOODS = (3, 4, 2)  # how often a nation holds, attacks, or roams without a plan
HIDDEN_AID = 0.2  # chance that a regiment comes out of the fog to a hex beside it
HELD = 0.5  # chance that an army on its way to us is to be met where it started (4.3)
SKIP = 0.25
SPREAD = 2.0
BLESS_ATTACK = 0.7


class Nation:
    """A foreign nation as far as it is in sight."""

    def __init__(self, sight: Sight, name: str, T=None, calm=0.0) -> None:
        h, a, r = T.moods
        self.moods = (h + 8 * calm, a * (1 - calm), r)
        self.T = T
        self.name = name
        self.near = sight.near
        self.mine = sight.mine
        self.armies = {h: g.regiments for h, g in sight.strange.items() if g.owner == name and g.regiments}
        seen = sight.mine.keys() | sight.strange.keys()
        self.by_fog = [h for h, g in sight.strange.items() if g.owner == name and not seen.issuperset(sight.near[h])]
        land = {h: g.regiments for h, g in sight.goals.items() if g.owner != name} | sight.mine
        land.pop(sight.base)
        self.wants = {h: r for h, r in land.items() if any(o in self.armies for o in sight.near[h])}
        self.touched = [h for h in self.armies if any(o in sight.mine for o in sight.near[h])]

    def imagine(self, chance: Random) -> tuple[dict[str, int], str | None]:
        """Its regiments by hex after the marches of one imagined turn, and the hex that it blesses."""
        after = dict(self.armies)
        blessed = chance.choice(self.touched) if self.touched else None
        mood = chance.choices((HOLD, ATTACK, ROAM), self.moods)[0]
        if mood == ATTACK:
            marches = self._attack(chance)
            attacked = [goal for _, goal, _ in marches if self.wants[goal]]
            if attacked and chance.random() < BLESS_ATTACK:
                blessed = chance.choice(attacked)
        elif mood == ROAM:
            marches = self._roam(chance)
        else:
            marches = []
        for origin, target, number in marches:
            after[target] = after.get(target, 0) + number
            if target not in self.mine or chance.random() >= self.T.held:
                after[origin] -= number
        for hex in self.by_fog:
            if chance.random() < self.T.aid:
                after[hex] = after.get(hex, 0) + 1
        return after, blessed

    def _roam(self, chance: Random) -> list[tuple[str, str, int]]:
        return [
            (hex, chance.choice(self.near[hex]), chance.randint(1, regiments))
            for hex, regiments in self.armies.items()
            if chance.random() < 0.6
        ]

    def _attack(self, chance: Random) -> list[tuple[str, str, int]]:
        """Sends enough against as many goals as it can, weak ones first more often than not."""
        free = dict(self.armies)
        marches = []
        for goal in sorted(self.wants, key=lambda hex: self.wants[hex] + self.T.spread * chance.random()):
            need = self.wants[goal] + (chance.random() < self.T.extra)
            need = max(1, need)
            sources = [hex for hex in self.near[goal] if free.get(hex)]
            if sum(free[hex] for hex in sources) < need or chance.random() < self.T.skip:
                continue
            for origin in sources:
                number = min(need, free[origin])
                if number:
                    free[origin] -= number
                    need -= number
                    marches.append((origin, goal, number))
        return marches


def guess(sight: Sight, names: Sequence[str], dropped: Sequence[str], chance: Random, turns: int, T=None, calm=None) -> Guesses:
    """Imagined turns of all other nations, gathered by hex. A hex that is missing is empty in all of them."""
    nations = [Nation(sight, name, T, calm[name]) for name in names if name != sight.who]
    found: Guesses = {}
    for _ in range(turns):
        here: dict[str, Forces] = {}
        for nation in nations:
            after, blessed = (nation.armies, None) if nation.name in dropped else nation.imagine(chance)
            for hex, regiments in after.items():
                if regiments > 0:
                    force = (nation.name, 4 * regiments + 2 * (hex == blessed))
                    here[hex] = (*here.get(hex, ()), force)
        for hex, forces in here.items():
            found.setdefault(hex, Counter())[forces] += 1
    return found
