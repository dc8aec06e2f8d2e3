"""Guesses at what the other nations will do: many imagined turns of theirs, from what is in sight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from random import Random

from polemos.games.monarchs.bots.sight import Sight

Force = tuple[str, int]  # a nation, and its strength on a hex in quarters of a regiment, blessing included
Forces = tuple[Force, ...]
Guesses = dict[str, Counter[Forces]]  # what stands on a hex after the marches, and in how many of the imagined turns
March = tuple[str, str, int]  # origin, target, number

HOLD, ATTACK, ROAM = range(3)
MOODS = (1, 5, 1)  # how often a nation of which nothing is known holds, attacks, or roams without a plan
CALM_MOODS = (8, 0, 1)  # the same of a nation whose armies were never seen to march

# Whoever attacks ...
BLESSES_GOAL = 0.7  # ... blesses one of its goals, and otherwise an army of its own,
SENDS_ENOUGH = 0.8  # ... sends one regiment more than it sees, and otherwise just as many,
PASSES_BY = 0.1  # ... leaves alone a goal that it could win,
FANCY = 2.0  # ... and may take a goal before another that is weaker by less than so many regiments.
ROAMS = 0.6  # of the armies of a nation without a plan
HIDDEN_AID = 0.3  # chance that a regiment comes out of the fog to a hex beside it

# Whoever watches ...
FEW_STAY = 0.1  # ... sees this share of the armies of warlike nations stay where they were,
DOUBT = 2.0  # ... and must see so many armies before the habits of a nation count half.


class Habits:
    """How calm the other nations are, by what their armies did before one's eyes: 0 warlike, 1 never marching."""

    def __init__(self, others: Sequence[str]) -> None:
        self.calm = dict.fromkeys(others, 0.0)
        self._seen = dict.fromkeys(others, DOUBT)
        self._stayed = dict.fromkeys(others, DOUBT * FEW_STAY)
        self._before: tuple[int, Sight] | None = None

    def watch(self, turn: int, sight: Sight, fought: Container[str]) -> None:
        """Compares with the map of the turn before. Where there was fighting, nobody can tell who marched."""
        if self._before is not None and self._before[0] == turn - 1:
            for hex, ground in self._before[1].goals.items():
                now = sight.strange.get(hex)
                if ground.owner and ground.regiments and now and now.owner == ground.owner and hex not in fought:
                    self._seen[ground.owner] += 1
                    self._stayed[ground.owner] += now.regiments >= ground.regiments
        self._before = (turn, sight)
        for nation, seen in self._seen.items():
            self.calm[nation] = max(0.0, (self._stayed[nation] / seen - FEW_STAY) / (1 - FEW_STAY))


class Nation:
    """A foreign nation as far as it is in sight."""

    def __init__(self, sight: Sight, name: str, calm: float) -> None:
        self.name = name
        self._moods = [(1 - calm) * m + calm * c for m, c in zip(MOODS, CALM_MOODS, strict=True)]
        self._near = sight.near
        land = [(hex, ground) for hex, ground in sight.strange.items() if ground.owner == name]
        self.armies = {hex: ground.regiments for hex, ground in land if ground.regiments}
        self._touching = [hex for hex in self.armies if any(other in sight.mine for other in sight.near[hex])]
        seen = sight.mine.keys() | sight.strange.keys()
        self._by_fog = [hex for hex, _ in land if not seen.issuperset(sight.near[hex])]
        goals = {hex: ground.regiments for hex, ground in sight.goals.items() if ground.owner != name}
        goals |= {hex: regiments for hex, regiments in sight.mine.items() if hex != sight.base}
        self._goals = {hex: r for hex, r in goals.items() if any(other in self.armies for other in sight.near[hex])}

    def imagine(self, chance: Random) -> tuple[dict[str, int], str | None]:
        """Its regiments by hex after the marches of one imagined turn, and the hex that it blesses."""
        after = dict(self.armies)
        blessed = chance.choice(self._touching) if self._touching else None
        marches: list[March] = []
        mood = chance.choices((HOLD, ATTACK, ROAM), self._moods)[0]
        if mood == ATTACK:
            marches = self._attack(chance)
            attacked = [goal for _, goal, _ in marches if self._goals[goal]]
            if attacked and chance.random() < BLESSES_GOAL:
                blessed = chance.choice(attacked)
        elif mood == ROAM:
            marches = self._roam(chance)
        for origin, target, number in marches:
            after[origin] -= number
            after[target] = after.get(target, 0) + number
        for hex in self._by_fog:
            if chance.random() < HIDDEN_AID:
                after[hex] = after.get(hex, 0) + 1
        return after, blessed

    def _attack(self, chance: Random) -> list[March]:
        """Marches against as many goals as it can win, the weak ones first."""
        free = dict(self.armies)
        marches = []
        for goal in sorted(self._goals, key=lambda hex: self._goals[hex] + FANCY * chance.random()):
            need = max(1, self._goals[goal] + (chance.random() < SENDS_ENOUGH))
            origins = [hex for hex in self._near[goal] if free.get(hex)]
            if sum(free[hex] for hex in origins) < need or chance.random() < PASSES_BY:
                continue
            for origin in origins:
                number = min(need, free[origin])
                if number > 0:
                    marches.append((origin, goal, number))
                    free[origin] -= number
                    need -= number
        return marches

    def _roam(self, chance: Random) -> list[March]:
        return [
            (hex, chance.choice(self._near[hex]), chance.randint(1, regiments))
            for hex, regiments in self.armies.items()
            if chance.random() < ROAMS
        ]


def guess(sight: Sight, calm: Mapping[str, float], dropped: Sequence[str], chance: Random, turns: int) -> Guesses:
    """Imagined turns of the other nations, gathered by hex. A hex that is missing was empty in all of them."""
    nations = [Nation(sight, name, calm[name]) for name in calm]
    found: Guesses = {}
    for _ in range(turns):
        here: dict[str, Forces] = {}
        for nation in nations:
            # 10.6 A nation that dropped out stands where it stood.
            after, blessed = (nation.armies, None) if nation.name in dropped else nation.imagine(chance)
            for hex, regiments in after.items():
                if regiments > 0:
                    here[hex] = (*here.get(hex, ()), (nation.name, 4 * regiments + 2 * (hex == blessed)))
        for hex, forces in here.items():
            found.setdefault(hex, Counter())[forces] += 1
    return found
