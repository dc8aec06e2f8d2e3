"""A plan for one turn, improved step by step until no small change helps."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from polemos.games.monarchs.bots.sight import Marches, Sight
from polemos.games.monarchs.bots.worth import Worth

ROUNDS = 8  # of changes; seldom more than four are needed
MAX_MOVED = 8  # lumps of regiments in one change
LUMPS = 60  # huge nations are moved in lumps, to bound the time
MIN_GAIN = 1e-9


class Plan:
    """Where every regiment goes, and what is blessed. Begins with everybody staying."""

    def __init__(self, sight: Sight, worth: Worth) -> None:
        self._worth = worth
        self._lump = 1 + sum(sight.armies.values()) // LUMPS
        # Own hexes and goals within a step, its own hex first: nobody is ever sent into a foreign base (7.1).
        self._ways = {
            hex: (hex, *(other for other in sight.near[hex] if other not in sight.foreign_bases))
            for hex in sight.armies
        }
        self._targets = sorted({target for ways in self._ways.values() for target in ways})
        self._origins = {t: [hex for hex in (t, *sight.near[t]) if hex in sight.armies] for t in self._targets}
        self._flow = {hex: {hex: regiments} for hex, regiments in sight.armies.items()}  # origin, target, number
        self._after = dict.fromkeys(self._targets, 0) | sight.armies
        self.blessed: str | None = None

    @property
    def marches(self) -> Marches:
        return {(origin, target): n for origin, flow in self._flow.items() for target, n in flow.items()}

    def improve(self) -> None:
        """Changes the marches while that gains anything."""
        for _ in range(ROUNDS):
            gathered = [self._gather(target) for target in self._targets]
            left = [self._leave(target) for target in self._targets]
            if not any(gathered) and not any(left):
                return

    def bless(self) -> None:
        """Blesses where it helps most."""
        best = 0.0
        self.blessed = None
        for hex, regiments in self._after.items():
            if regiments > 0 and self._worth.contested(hex):
                gain = self._worth.of(hex, regiments, True) - self._worth.of(hex, regiments, False)
                if gain > best:
                    best, self.blessed = gain, hex

    def _change(self, hex: str, more: int) -> float:
        """What is gained if so many more regiments go to a hex."""
        regiments, blessed = self._after[hex], hex == self.blessed
        return self._worth.of(hex, regiments + more, blessed) - self._worth.of(hex, regiments, blessed)

    def _send(self, origin: str, old: str, new: str, number: int) -> None:
        """Regiments from `origin` go to a new target instead of the old one."""
        flow = self._flow[origin]
        flow[old] -= number
        if not flow[old]:
            del flow[old]
        flow[new] = flow.get(new, 0) + number
        self._after[old] -= number
        self._after[new] += number

    def _gather(self, target: str) -> bool:
        """Brings to a hex the regiments that are missed least elsewhere, as many as pay best.

        One more regiment often gains nothing where two gain much, so the best of several numbers is taken.
        """
        here, blessed = self._after[target], target == self.blessed
        before = self._worth.of(target, here, blessed)
        offers = [
            (-self._change(old, -min(n, self._lump)), origin, old)
            for origin in self._origins[target]
            for old, n in self._flow[origin].items()
            if old != target
        ]
        heapify(offers)
        done: list[tuple[str, str, int]] = []
        best, keep, price, moved = MIN_GAIN, 0, 0.0, 0
        while offers and len(done) < MAX_MOVED:
            loss, origin, old = heappop(offers)
            number = min(self._flow[origin].get(old, 0), self._lump)
            if not number:
                continue
            now = -self._change(old, -number)
            if now > loss + MIN_GAIN:  # others have left that hex since the offer was made
                heappush(offers, (now, origin, old))
                continue
            self._send(origin, old, target, number)
            heappush(offers, (now, origin, old))
            done.append((origin, old, number))
            price += now
            moved += number
            gain = self._worth.of(target, here + moved, blessed) - before - price
            if gain > best:
                best, keep = gain, len(done)
        for origin, old, number in reversed(done[keep:]):
            self._send(origin, target, old, number)
        return keep > 0

    def _leave(self, target: str) -> bool:
        """Sends the regiments meant for a hex to better places, as many as pay best."""
        here, blessed = self._after[target], target == self.blessed
        before = self._worth.of(target, here, blessed)
        done: list[tuple[str, str, int]] = []
        best, keep, won, moved = MIN_GAIN, 0, 0.0, 0
        for origin in self._origins[target]:
            while len(done) < MAX_MOVED and (count := self._flow[origin].get(target, 0)):
                number = min(count, self._lump)
                ways = [way for way in self._ways[origin] if way != target]
                if not ways:
                    break
                gain, new = max((self._change(way, number), way) for way in ways)
                self._send(origin, target, new, number)
                done.append((origin, new, number))
                won += gain
                moved += number
                gain = won + self._worth.of(target, here - moved, blessed) - before
                if gain > best:
                    best, keep = gain, len(done)
        for origin, new, number in reversed(done[keep:]):
            self._send(origin, new, target, number)
        return keep > 0
