"""The bot `keeper`: as many houses as its base can bear, a mercenary for every foe at the gate, then a flood."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.demons.bots.front import Foe, Front
from polemos.games.demons.bots.sight import Draft, Terrain, may_order
from polemos.games.demons.notation import Order
from polemos.games.demons.view import Setting, View

PAY = 12  # gold of a house (8.7)
BLOW = 7  # what a foe takes from the base each turn
MEET = 1  # turns before a foe can strike at which a mercenary must be hired
EARLY = 6  # the same for a weak base with gold to spare
LOOK = 18  # turns for which the purse is reckoned ahead
FLOOR = 30  # health that the base must keep in that reckoning
SURE = 1.6  # how much richer than the other one must be to attack
COST = 40  # gold that an attack needs besides
PLENTY = 150  # gold from which on towers that shoot are built
GUNS = 4  # such towers at the beginning, ...
MORE = 150  # ... and one more each time so many turns are over
WEAK, WEAK_GUNS = 35, 3  # health of a weak base, and the towers that it wants besides


class KeeperBot:
    """Reckons what the foes in sight would cost its base if it built a house now, and builds it if that is bearable."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        chance = Random(seed)
        self._terrain = terrain = Terrain(setting, seat, chance)
        self._other = Terrain(setting, "blue" if seat == "red" else "red", chance)
        self._period = terrain.towers["house"].cooldown + (terrain.rules != "classic")  # 11.5

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        if not may_order(view):
            return ()
        terrain, draft, left = self._terrain, Draft(self._terrain, view), view.turns - view.turn
        front = Front(terrain, view)
        pays = [tower.cooldown for tower in draft.mine.values() if tower.kind == "house"]
        health = view.bases[view.who].health
        if health < WEAK and draft.gold >= PLENTY:
            urgent = front.unmet(EARLY, [0.0] * len(terrain.lanes))
        else:
            near = front.unmet(MEET + 2, terrain.shots(view))
            urgent = [foe for foe in near if foe.due < MEET + len(near)]
        if urgent and draft.gold < terrain.fee:
            self._scrape(draft, urgent, pays, health)
        any(draft.hire(foe.lane) for foe in urgent)
        self._build(view, draft, front, pays, left)
        if left > len(terrain.lanes[terrain.shortest[0]]) and self._richer(view, draft):
            any(draft.hire(lane) for lane in self._attack(view))
        return draft.orders

    def _scrape(self, draft: Draft, foes: list[Foe], pays: list[int], health: int) -> None:
        """No gold for a mercenary. If that lasts, a cannon may be quicker, or a house must go for its refund."""
        facts = self._terrain.towers["cannon"]
        wait, gold = 0, draft.gold
        while gold < self._terrain.fee and wait < LOOK:
            wait += 1
            gold += PAY * pays.count(wait)
        if facts.cooldown * -(-foes[0].health // facts.damage) <= wait + 2:
            draft.build("cannon", self._terrain.best("cannon", draft.free))
        refund = self._terrain.towers["house"].price // 2
        if health - BLOW * len(foes) * wait < FLOOR and len(pays) > 1 and draft.gold + refund >= self._terrain.fee:
            houses = [tile for tile, tower in draft.mine.items() if tower.kind == "house"]
            draft.destroy(max(houses, key=lambda tile: draft.mine[tile].cooldown))

    def _build(self, view: View, draft: Draft, front: Front, pays: list[int], left: int) -> None:
        terrain, prices = self._terrain, view.prices[view.who]
        guns = len(draft.mine) - len(pays)
        wanted = GUNS + view.turn // MORE + (WEAK_GUNS if view.bases[view.who].health < WEAK else 0)
        if draft.gold >= PLENTY and guns < wanted and left > 100:
            kind = "minigun" if guns % 3 == 2 else "cannon"
            draft.build(kind, terrain.best(kind, draft.free))
        price = prices["house"]
        if price < draft.gold + 1 and price < PAY * ((left - 1) // self._period):
            after = [*pays, self._period]
            loss = self._loss(draft.gold - price, after, front)
            if view.bases[view.who].health - loss >= FLOOR or loss <= self._loss(draft.gold, pays, front):
                draft.build("house", terrain.quiet(draft.free))

    def _loss(self, gold: int, pays: list[int], front: Front) -> int:
        """What the base would lose if every foe were met by mercenaries as soon as they can be paid."""
        if gold >= PLENTY:
            return 0
        fee, loss, now = self._terrain.fee, 0, 0
        for foe in sorted(front.foes + front.coming, key=lambda foe: foe.due):
            if foe.due > LOOK:
                break
            lacking = foe.health - front.strength(foe.lane, foe.steps)
            while lacking > 0:
                lacking -= 3 * self._terrain.blow
                while gold < fee and now < LOOK:
                    now += 1
                    gold += PAY * sum(now >= pay and (now - pay) % self._period == 0 for pay in pays)
                gold -= fee
                loss += BLOW * max(0, now - foe.due + 1)
        return loss

    def _richer(self, view: View, draft: Draft) -> bool:
        """Whether an attack can be paid that the other cannot stop."""
        rate = 2 * PAY / self._period
        mine = other = 0.0
        for tower in view.towers:
            if tower.kind == "house":
                if tower.owner == view.who:
                    mine += rate
                else:
                    other += rate
        other += view.bases[self._other.seat].gold
        return draft.gold >= self._terrain.fee + COST and draft.gold + mine >= SURE * other + COST

    def _attack(self, view: View) -> list[int]:
        """The lanes, the one first on which the other's towers do least."""
        shots = self._other.shots(view)
        return sorted(self._terrain.shortest, key=lambda lane: shots[lane] * 20 + len(self._terrain.lanes[lane]))
