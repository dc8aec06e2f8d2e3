"""The ground and the purse as a player sees them: lanes counted from its own base, tiles by what they cover, and a
sheet that takes only legal lines."""

from __future__ import annotations

from random import Random
from typing import Final

from polemos.games.demons.notation import Build, Destroy, Hire, Order, Provoke
from polemos.games.demons.rules.phases import PROVOKING
from polemos.games.demons.setup import figures
from polemos.games.demons.state import COMPASS, PLAYERS, STEPS
from polemos.games.demons.view import Setting, Tower, View

Place = tuple[int, int]

SHOOTERS: Final = ("crossbow", "cannon", "minigun")
POST: Final = 2  # steps from a base: where its attackers stand (5.4, 6.5)


def may_order(view: View) -> bool:
    """Whether anybody waits for orders of this player (9.6)."""
    return view.who in PLAYERS and view.outcome is None and view.who not in view.dropped


class Terrain:
    """What never changes in a match, seen from one base. Tiles and lanes equally good come in an order of chance."""

    def __init__(self, setting: Setting, seat: str, chance: Random) -> None:
        self.rules = setting.rules
        self.seat = seat
        self.towers = setting.towers
        book = figures(setting.rules)
        self.fee, self.blow = int(book["mercenary_price"]), int(book["mercenary_damage"])
        self.stamina = 20  # of a fresh mercenary (5.1)
        letters = "rp" if seat == "red" else "bq"
        self.land: list[Place] = [
            (x, y) for y, row in enumerate(setting.rows) for x, letter in enumerate(row) if letter in letters
        ]
        chance.shuffle(self.land)
        # Lanes as chains of tiles from its own base to the other.
        self.lanes: list[tuple[Place, ...]] = [
            lane if seat == "red" else tuple(reversed(lane)) for lane in setting.lanes
        ]
        # Lane and steps from its own base of every lane tile.
        self.steps: dict[Place, tuple[int, int]] = {
            tile: (number, step) for number, lane in enumerate(self.lanes) for step, tile in enumerate(lane, start=1)
        }
        self.exits = self._exits(setting, seat)
        self.shortest = list(range(len(self.lanes)))  # lanes, the shortest first
        chance.shuffle(self.shortest)
        self.shortest.sort(key=lambda lane: len(self.lanes[lane]))
        self.worth: dict[str, dict[Place, float]] = {
            kind: {tile: self._worth(tile, self.towers[kind].range) for tile in self.land} for kind in SHOOTERS
        }

    def _exits(self, setting: Setting, seat: str) -> list[str]:
        """The compass letter of each lane's exit."""
        ((x, y),) = [
            (column, line)
            for line, row in enumerate(setting.rows)
            for column, letter in enumerate(row)
            if letter == ("R" if seat == "red" else "B")
        ]
        letters = {(x + dx, y + dy): COMPASS[i] for i, (dx, dy) in enumerate(STEPS)}
        return [letters[lane[0]] for lane in self.lanes]

    def _worth(self, tile: Place, reach: int) -> float:
        """How much of the lanes a tower here would cover; tiles near its own base count more, most of all the one
        from which it is attacked."""
        return sum(
            5.0 if step == POST else 1.0 if step <= len(self.lanes[lane]) // 2 else 0.25
            for (x, y), (lane, step) in self.steps.items()
            if abs(x - tile[0]) + abs(y - tile[1]) <= reach
        )

    def best(self, kind: str, free: list[Place]) -> Place | None:
        """The free tile from which a tower of this kind covers most."""
        worth = self.worth[kind]
        tile = max(free, key=worth.__getitem__, default=None)
        return tile if tile is not None and worth[tile] >= 1 else None

    def shots(self, view: View) -> list[float]:
        """For each lane how much health its own towers take each turn from a foe that stands before the base."""
        posts = [lane[POST - 1] for lane in self.lanes]
        found = [0.0] * len(posts)
        for tower in view.towers:
            if tower.owner == self.seat and tower.kind in SHOOTERS:
                facts = self.towers[tower.kind]
                for number, (x, y) in enumerate(posts):
                    if abs(x - tower.x) + abs(y - tower.y) <= facts.range:
                        found[number] += facts.damage / max(1, facts.cooldown)
        return found

    def quiet(self, free: list[Place]) -> Place | None:
        """The free tile that towers would miss least: a place for a house."""
        return min(free, key=self.worth["cannon"].__getitem__, default=None)


class Draft:
    """A sheet in the making. Lines that would be void are left out, and the caller is told."""

    def __init__(self, terrain: Terrain, view: View) -> None:
        self._terrain = terrain
        self._prices = view.prices[view.who]
        self._queued = view.bases[view.who].queued
        self._may_build = view.step != "mercenaries"
        self._may_hire = view.step != "builders"
        self.gold = view.bases[view.who].gold
        self.mine: dict[Place, Tower] = {(tower.x, tower.y): tower for tower in view.towers if tower.owner == view.who}
        self.free = [tile for tile in terrain.land if tile not in self.mine]
        self.orders: list[Order] = []

    def build(self, kind: str, tile: Place | None) -> bool:
        price = self._prices.get(kind)
        if not self._may_build or tile is None or price is None or price > self.gold or tile in self.mine:
            return False
        self.orders.append(Build(kind, *tile))
        self.gold -= price
        self._may_build = False
        return True

    def destroy(self, tile: Place) -> bool:
        """The refund can be spent at once under the classic rules only (3.8, 11.2)."""
        if not self._may_build or tile not in self.mine:
            return False
        self.orders.append(Destroy(*tile))
        if self._terrain.rules == "classic":
            self.gold += self._terrain.towers[self.mine[tile].kind].price // 2
        self._may_build = False
        return True

    def hire(self, lane: int) -> bool:
        letter = self._terrain.exits[lane]
        if not self._may_hire or self._terrain.fee > self.gold or self._queued[letter]:
            return False
        self.orders.append(Hire(letter))
        self.gold -= self._terrain.fee
        self._may_hire = False
        return True

    def provoke(self) -> bool:
        if self._terrain.rules == "classic" or self.gold < PROVOKING:
            return False
        self.orders.append(Provoke())
        self.gold -= PROVOKING
        return True
