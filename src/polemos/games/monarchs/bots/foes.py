"""Guesses at what the other nations will do: many imagined turns of theirs, from what is in sight."""

from __future__ import annotations

from collections import Counter
from random import Random

from polemos.games.monarchs.bots.sight import Sight

Force = tuple[str, int]  # a nation, and its strength on a hex in quarters of a regiment, blessing included
Forces = tuple[Force, ...]
Guesses = dict[str, Counter[Forces]]  # what stands on a hex after the moves, and in how many of the imagined turns

HOLD, ATTACK, ROAM = 0, 1, 2
MOODS = (3, 4, 2)  # how often a nation holds, attacks, or roams without a plan
HIDDEN_AID = 0.2  # chance that a regiment comes out of the fog to a hex beside it


class Nation:
    """A foreign nation as far as it is in sight."""

    def __init__(self, sight: Sight, name: str, moves: bool) -> None:
        self.name = name
        self.moves = moves
        self.armies = {h: g.regiments for h, g in sight.strange.items() if g.owner == name and g.regiments}
        seen = sight.mine.keys() | sight.strange.keys()
        self.by_fog = [h for h, g in sight.strange.items() if g.owner == name and not seen.issuperset(sight.near[h])]
        # What it may want: land in sight that is not its own, with the regiments there.
        self.wants = {h: g.regiments for h, g in sight.goals.items() if g.owner != name}
        self.wants |= {h: r for h, r in sight.mine.items() if h != sight.base}
        self.wants = {h: r for h, r in self.wants.items() if any(o in self.armies for o in sight.near[h])}
        self.goals = sorted(self.wants)
        self.touched = [h for h in self.armies if any(o in sight.mine for o in sight.near[h])]

    def imagine(self, near: dict[str, tuple[str, ...]], chance: Random) -> tuple[dict[str, int], str | None]:
        """Its regiments by hex after one imagined turn of marches, and the hex that it blesses."""
        after = dict(self.armies)
        blessed = chance.choice(self.touched) if self.touched else None
        if not self.moves:
            return after, None
        mood = chance.choices((HOLD, ATTACK, ROAM), MOODS)[0]
        if mood == ATTACK:
            attacked = self._attack(near, chance, after)
            blessed = attacked if attacked and chance.random() < 0.7 else blessed
        elif mood == ROAM:
            for hex, regiments in self.armies.items():
                if chance.random() < 0.6:
                    number = chance.randint(1, regiments)
                    target = chance.choice(near[hex])
                    after[hex] -= number
                    after[target] = after.get(target, 0) + number
        for hex in self.by_fog:
            if chance.random() < HIDDEN_AID:
                after[hex] = after.get(hex, 0) + 1
        return after, blessed

    def _attack(self, near: dict[str, tuple[str, ...]], chance: Random, after: dict[str, int]) -> str | None:
        """Sends enough against as many goals as it can, weak ones first more often than not."""
        free = dict(self.armies)
        attacked = None
        for goal in sorted(self.goals, key=lambda hex: self.wants[hex] + 2 * chance.random()):
            need = self.wants[goal] + (self.wants[goal] > 0 or chance.random() < 0.3)
            need = max(1, need)
            sources = [hex for hex in near[goal] if free.get(hex)]
            if sum(free[hex] for hex in sources) < need or chance.random() < 0.25:
                continue
            if self.wants[goal]:
                attacked = goal
            for origin in sources:
                number = min(need, free[origin])
                free[origin] -= number
                after[origin] -= number
                after[goal] = after.get(goal, 0) + number
                need -= number
        return attacked


def guess(sight: Sight, names: list[str], dropped: tuple[str, ...], chance: Random, turns: int) -> Guesses:
    """`turns` imagined turns of all other nations, gathered by hex. A hex that is missing stays empty in all of them."""
    nations = [Nation(sight, name, name not in dropped) for name in names if name != sight.who]
    found: Guesses = {}
    for _ in range(turns):
        here: dict[str, Forces] = {}
        for nation in nations:
            after, blessed = nation.imagine(sight.near, chance)
            for hex, regiments in after.items():
                if regiments > 0:
                    force = (nation.name, 4 * regiments + 2 * (hex == blessed))
                    here[hex] = (*here.get(hex, ()), force)
        for hex, forces in here.items():
            found.setdefault(hex, Counter())[forces] += 1
    return found
