"""The bot `steady`: a sound player."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from polemos.games.monarchs.bots.foes import Guesses, guess
from polemos.games.monarchs.bots.sight import Marches, Sight, may_order, sheet
from polemos.games.monarchs.notation import Order
from polemos.games.monarchs.view import Setting, View


class Temper(NamedTuple):
    turns: int = 24
    keep: float = 0.65
    spite: float = 0.4
    march: float = 0.1
    risk: float = 0.6
    own_risk: float = 0.0
    moods: tuple = (1, 5, 1)
    aid: float = 0.3
    held: float = 0.5
    skip: float = 0.1
    spread: float = 2.0
    extra: float = 0.8
    eps: float = 1e-9
    prior: float = 3.0
    usual: float = 0.1
    learn: float = 1.0
    calmrisk: float = 1.0
UNKNOWN = 4


@lru_cache(maxsize=4096)
def winning(mine: int, first: int, second: int) -> float:
    """6.6"""
    def below(strength: int, die: float) -> float:
        return min(1.0, max(0.0, die + (mine - strength) / 4))
    total = 0.0
    for step in range(9):
        die = step / 8
        total += (1, 4, 2, 4, 2, 4, 2, 4, 1)[step] * below(first, die) * below(second, die)
    return total / 24


class Worth:
    def __init__(self, sight: Sight, guesses: Guesses, left: int, fought: float, T, calm) -> None:
        self.T=T
        self.calm=calm
        self.sight = sight
        self.guesses = guesses
        weights = [1.0] * left
        if fought:
            weights[-1] = 2.0
        self.hex = sum(w * self.T.keep**i for i, w in enumerate(weights))
        self.battle = 2.0 * weights[0]
        self.last = left == 1 and fought
        self.tables: dict[tuple[str, bool], list[float]] = {}
        self.most = {h: max(s for f in c for _, s in f) // 4 + 2 for h, c in guesses.items()}

    def of(self, hex: str, n: int, blessed: bool = False) -> float:
        table = self.tables.get((hex, blessed))
        if table is None:
            table = self.tables[hex, blessed] = []
        n_ = min(n, self.most.get(hex, 1) + 2)
        while len(table) <= n_:
            table.append(self.worth(hex, len(table), blessed))
        return table[n_] + (0.0 if self.last else -self.T.march * n * self.sight.steps.get(hex, 0))

    def worth(self, hex: str, n: int, blessed: bool) -> float:
        s = self.sight
        if hex in s.foreign_bases:
            return -100.0 * n
        if hex == s.base:
            return 0.0
        own = hex in s.mine
        owner = s.who if own else s.strange[hex].owner
        if n == 0 and not own:
            return 0.0
        counts = self.guesses.get(hex)
        total = 0
        value = 0.0
        taken = self.hex * (1 + self.T.spite * (owner is not None))
        lose = self.hex * (1 + self.T.spite)
        beat = self.battle * (1 + self.T.spite)
        refuge = own and not any(o in s.mine for o in s.near[hex])
        lost = beat * (n if refuge else 1)
        if counts:
            for forces, count in counts.items():
                total += count
                if n == 0:
                    value -= count * lose
                    continue
                me = 4 * n + own + 2 * blessed
                strengths = [q + (name == owner) for name, q in forces]
                p = winning(me, strengths[0], strengths[1] if len(strengths) > 1 else -99)
                beaten = sum(self.caught(hex, name, q) for name, q in forces)
                value += count * (p * (beat * beaten + (0 if own else taken)) - (1 - p) * (lost + (lose if own else 0)))
        if n and not own:
            value += (self.T.turns - total) * taken
        value /= self.T.turns
        if not self.last and n:
            m = max((r * (1 - self.T.calmrisk * self.calm[e]) for e, r in s.threats(hex).items()), default=0)
            value -= (self.T.own_risk if own else self.T.risk) * (self.hex + beat) * min(1.0, max(0.0, (m - n + 1) / 3))
        return value

    def caught(self, hex: str, name: str, q: int) -> int:
        s = self.sight
        for o in s.near[hex]:
            if o not in s.mine and (o not in s.strange or s.strange[o].owner == name):
                return 1
        return q // 4


class Plan:
    def __init__(self, sight: Sight, worth: Worth) -> None:
        self.sight = sight
        self.worth = worth
        self.flow: Marches = {(h, h): r for h, r in sight.armies.items()}
        self.after = dict(sight.armies)
        self.blessed: str | None = None
        self.targets = sorted({t for h in sight.armies for t in (*sight.near[h], h)} - sight.foreign_bases)

    def v(self, hex: str, n: int) -> float:
        return self.worth.of(hex, n, hex == self.blessed)

    def move(self, o: str, a: str, b: str) -> None:
        flow, after = self.flow, self.after
        flow[o, a] -= 1
        flow[o, b] = flow.get((o, b), 0) + 1
        after[a] -= 1
        after[b] = after.get(b, 0) + 1

    def improve(self) -> None:
        for _ in range(8):
            better = False
            for t in self.targets:
                better |= self.gather(t)
            for t in self.targets:
                better |= self.disband(t)
            if not better:
                return

    def gather(self, t: str) -> bool:
        after, flow, v = self.after, self.flow, self.v
        done = []
        best, best_k = 1e-9, 0
        cost = 0.0
        n0 = after.get(t, 0)
        base = v(t, n0)
        origins = [o for o in (*self.sight.near[t], t) if o in self.sight.armies]
        for k in range(1, 7):
            cands = []
            for o in origins:
                for a in (*self.sight.near[o], o):
                    if a != t and flow.get((o, a), 0) > 0:
                        n = after[a]
                        cands.append((v(a, n) - v(a, n - 1), o, a))
            if not cands:
                break
            loss, o, a = min(cands)
            self.move(o, a, t)
            done.append((o, a))
            cost += loss
            net = v(t, n0 + k) - base - cost
            if net > best:
                best, best_k = net, k
        for o, a in reversed(done[best_k:]):
            self.move(o, t, a)
        return best_k > 0

    def disband(self, t: str) -> bool:
        after, flow, v = self.after, self.flow, self.v
        n0 = after.get(t, 0)
        if not n0 or n0 > 8:
            return False
        done = []
        gain = 0.0
        best, best_k = 1e-9, 0
        k = 0
        for o in (*self.sight.near[t], t):
            while flow.get((o, t), 0) > 0:
                ways = [(v(a, after.get(a, 0) + 1) - v(a, after.get(a, 0)), a) for a in (*self.sight.near[o], o) if a != t and a not in self.sight.foreign_bases]
                if not ways: break
                up, a = max(ways)
                self.move(o, t, a)
                done.append((o, a))
                gain += up
                k += 1
                net = gain + v(t, n0 - k) - v(t, n0)
                if net > best:
                    best, best_k = net, k
        for o, a in reversed(done[best_k:]):
            self.move(o, a, t)
        return best_k > 0

    def bless(self) -> None:
        best = 0.0
        self.blessed = None
        for hex, n in self.after.items():
            if n > 0 and hex in self.worth.guesses:
                up = self.worth.of(hex, n, True) - self.worth.of(hex, n)
                if up > best:
                    best, self.blessed = up, hex


class SteadyBot:
    def __init__(self, setting: Setting, seat: str, seed: int, T=Temper()) -> None:
        self.T=T
        self._setting = setting
        self._chance = Random(seed)
        self.prev = None
        self.seen = {}
        self.stayed = {}

    def learn(self, s, view):
        p = self.prev
        self.prev = s
        if p:
            rep = view.reports.get(view.who)
            fought=set(rep.victories)|set(rep.defeats)
            for h,g in p.strange.items():
                if g.owner and g.regiments and h not in s.foreign_bases and any(o in p.mine for o in p.near[h]) and h in view.hexes and h not in fought:
                    now=view.hexes[h]
                    if now.owner!=g.owner: continue
                    self.seen[g.owner] = self.seen.get(g.owner, 0) + 1
                    self.stayed[g.owner] = self.stayed.get(g.owner, 0) + (now.regiments>=g.regiments)
        T = self.T
        out = {}
        for e in self._setting.bases:
            q = (self.stayed.get(e, 0) + T.prior * T.usual) / (self.seen.get(e, 0) + T.prior)
            out[e] = max(0.0, (q - T.usual) / (1 - T.usual)) * T.learn
        return out

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        sight = Sight(self._setting, view)
        calm = self.learn(sight, view)
        guesses = guess(sight, list(self._setting.bases), view.dropped, self._chance, self.T.turns, self.T, calm)
        left = view.turns - view.turn + 1 if view.turns else UNKNOWN
        worth = Worth(sight, guesses, max(1, left), view.turns > 0, self.T, calm)
        plan = Plan(sight, worth)
        plan.improve()
        plan.bless()
        plan.improve()
        plan.bless()
        return sheet(plan.flow, plan.blessed)
