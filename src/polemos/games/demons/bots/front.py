"""The units on the lanes as a player sees them: who comes, who stands in the way, what must be done about it."""

from __future__ import annotations

from typing import NamedTuple

from polemos.games.demons.bots.sight import POST, Terrain
from polemos.games.demons.view import View

WAVE = 10  # turns from one demon of a portal to the next (7.2)


class Foe(NamedTuple):
    """A unit that attacks this base, or a demon that will come out of a portal."""

    lane: int
    steps: int  # to the base that is attacked
    health: int
    delay: int  # turns until it appears
    demon: bool

    @property
    def due(self) -> int:
        """Turns until it stands where it can strike the base."""
        return max(0, self.steps - POST) + self.delay


class Front:
    """All lanes at one moment."""

    def __init__(self, terrain: Terrain, view: View) -> None:
        self.foes: list[Foe] = []
        self.guards: list[list[tuple[int, int]]] = [[] for _ in terrain.lanes]  # steps and health of own mercenaries
        for unit in view.units:
            lane, steps = terrain.steps[unit.x, unit.y]
            demon = unit.kind == "demon"
            if demon == (unit.side == view.who):  # a demon aimed here, or a mercenary of the other
                self.foes.append(Foe(lane, steps, unit.health, 0, demon))
            elif not demon:
                self.guards[lane].append((steps, unit.health))
        self.coming: list[Foe] = []
        for gate in view.portals:
            place, delay = terrain.steps[gate.x, gate.y], 1 if gate.queued else 1 + gate.next_in
            if gate.fixed or terrain.rules != "classic":
                delays = [delay, delay + WAVE] if gate.target == view.who else []
            else:
                delays = [delay if gate.target == view.who else delay + WAVE]
            self.coming += [Foe(*place, gate.health, delay, True) for delay in delays]
        self.foes.sort(key=lambda foe: foe.steps)
        queued = view.bases[view.who].queued
        for lane, letter in enumerate(terrain.exits):
            self.guards[lane] += [(0, terrain.stamina)] * queued[letter]
        self._blow = terrain.blow

    def strength(self, lane: int, before: int) -> int:
        """How much health our mercenaries nearer to the base than `before` can take from a demon before they fall."""
        return sum(self._blow * -(-health // 7) for steps, health in self.guards[lane] if steps < before)

    def unmet(self, within: int, shots: list[float]) -> list[Foe]:
        """The foes that come within so many turns and that neither guards nor towers will stop, nearest first.

        `shots` says for each lane how much the towers take each turn from whoever stands before the base.
        """
        found: list[Foe] = []
        for lane in range(len(self.guards)):
            wounds = 0.0
            for foe in self.foes:
                if foe.lane == lane and foe.due <= within:
                    wounds += max(0.0, foe.health - shots[lane] * min(4, foe.due))
                    if wounds > self.strength(lane, foe.steps):
                        found.append(foe)
                        break
        return sorted(found, key=lambda foe: foe.due)
