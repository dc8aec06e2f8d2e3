"""A kit for authors of bots: the whole grid, kept up to date, with distances, sites and orders that are always legal.

A first bot, made once per match from the setting, its seat and its seed:

    class FirstBot:
        def __init__(self, setting, seat, seed):
            self.grid = Grid(setting, seat)

        def orders(self, view, time_left):
            grid = self.grid
            grid.update(view)
            for tile in grid.mine():
                grid.work(tile) or grid.build(tile)
                grid.mine_ore(tile)
                grid.move_towards(tile, grid.nearest_ore(tile))
            return grid.orders

Tiles are pairs `(x, y)`. Order makers give orders to units that have none yet, cut numbers to those, refuse what would
be void, and return how many units got the order, so that 0 means that nothing was ordered.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final

from polemos.games.monad.ground import Tile as Tile
from polemos.games.monad.layout import ACROSS, STEPS, block
from polemos.games.monad.notation import Build, Mine, Move, Order
from polemos.games.monad.view import Building, Setting, View

NEAR: Final = 5  # steps that are looked at first
_MAPS_KEPT: Final = 16
_FAR: Final = -1


class Terrain:
    """What never changes on a map: which tiles can be entered, and the ways between them."""

    def __init__(self, width: int, height: int, blocked: frozenset[Tile]) -> None:
        self.width, self.height, self.blocked = width, height, blocked
        self.tiles: tuple[Tile, ...] = tuple(
            (x, y) for y in range(height) for x in range(width) if (x, y) not in blocked
        )
        free = frozenset(self.tiles)
        self.neighbours: dict[Tile, dict[str, Tile]] = {
            (x, y): {way: (x + dx, y + dy) for way, (dx, dy) in STEPS.items() if (x + dx, y + dy) in free}
            for x, y in self.tiles
        }
        self.ways: dict[Tile, tuple[Tile, ...]] = {tile: tuple(to.values()) for tile, to in self.neighbours.items()}
        # The blocks of four tiles that fit on the map, by core and direction (5.2, 5.3).
        self.blocks: dict[Tile, dict[str, tuple[Tile, ...]]] = {
            tile: {way: block(tile, way) for way in ACROSS if free.issuperset(block(tile, way))} for tile in self.tiles
        }
        self._fields: dict[Tile, array[int]] = {}
        self._near: dict[Tile, tuple[tuple[Tile, int], ...]] = {}

    def distance(self, a: Tile, b: Tile) -> int:
        """Steps from one tile to the other; -1 if there is no way."""
        if not self.blocked:
            return abs(a[0] - b[0]) + abs(a[1] - b[1])
        return self.field(b)[a[1] * self.width + a[0]]

    def field(self, target: Tile) -> array[int]:
        """The steps from every tile to the target, by y times the width plus x; worked out once for each target."""
        found = self._fields.get(target)
        if found is None:
            found = self._fields[target] = self._flood(target)
        return found

    def flood(self, targets: Iterable[Tile], most: int | None = None) -> dict[Tile, tuple[Tile, int]]:
        """For every tile within so many steps of a target the nearest one and the steps to it."""
        neighbours = self.ways
        found = {tile: (tile, 0) for tile in targets if tile in neighbours}
        ring, walked = list(found), 0
        while ring and walked != most:
            walked += 1
            after = []
            for tile in ring:
                place = found[tile][0], walked
                for there in neighbours[tile]:
                    if there not in found:
                        found[there] = place
                        after.append(there)
            ring = after
        return found

    def near(self, tile: Tile) -> tuple[tuple[Tile, int], ...]:
        """The tiles within NEAR steps and how many steps they are away, the nearest first."""
        found = self._near.get(tile)
        if found is None:
            steps = {tile: 0}
            for here in (queue := [tile]):
                if steps[here] < NEAR:
                    for there in self.ways[here]:
                        if there not in steps:
                            steps[there] = steps[here] + 1
                            queue.append(there)
            found = self._near[tile] = tuple(steps.items())
        return found

    def _flood(self, target: Tile) -> array[int]:
        width, neighbours = self.width, self.ways
        steps = array("h", [_FAR]) * (width * self.height)
        if target not in neighbours:
            return steps
        steps[target[1] * width + target[0]] = 0
        ring, walked = [target], 0
        while ring:
            walked += 1
            after = []
            for tile in ring:
                for there in neighbours[tile]:
                    index = there[1] * width + there[0]
                    if steps[index] == _FAR:
                        steps[index] = walked
                        after.append(there)
            ring = after
        return steps


@lru_cache(maxsize=_MAPS_KEPT)
def _terrain(width: int, height: int, blocked: frozenset[Tile]) -> Terrain:
    return Terrain(width, height, blocked)


def terrain_of(setting: Setting) -> Terrain:
    """The terrain of a match; matches on the same map share it."""
    blocked = frozenset(
        (x, y) for y, row in enumerate(setting.ore) if -1 in row for x, ore in enumerate(row) if ore < 0
    )
    return _terrain(setting.width, setting.height, blocked)


class Grid:
    """The whole grid as one player sees it, and the list of orders in the making."""

    def __init__(self, setting: Setting, seat: str) -> None:
        self.setting, self.seat = setting, seat
        self.terrain = terrain_of(setting)
        self.slots: int | None = setting.slots
        self.turn = 0
        self.stock = 0  # what is not yet spent this turn
        self.orders: list[Order] = []
        self._start_ore: dict[Tile, int] = {(x, y): setting.ore[y][x] for x, y in self.terrain.tiles}
        self._ore = self._start_ore
        self._armies: dict[str, dict[Tile, int]] = {}  # by owner
        self._mine: dict[Tile, int] = {}
        self._free: dict[Tile, int] = {}
        self._cores: dict[Tile, Building] = {}
        self._covered: set[Tile] = set()
        self._held: frozenset[Tile] = frozenset()  # tiles with enemies, once somebody has asked
        self._veins: Mapping[Tile, tuple[Tile, int]] | None = None  # the nearest ore of every tile, likewise

    def update(self, view: View) -> None:
        """The position of this turn; the list of orders is empty again."""
        seat = self.seat
        self.view, self.turn, self.orders = view, view.turn, []
        armies: dict[str, dict[Tile, int]] = {owner: {} for owner in self.setting.seats}
        for stack in view.stacks:
            armies[stack.owner][stack.x, stack.y] = stack.units
        self._armies, self._mine = armies, armies[seat]
        ore = self._start_ore.copy()
        for left in view.ore:
            ore[left.x, left.y] = left.left
        self._ore = ore
        self._held, self._veins = frozenset(), None
        blocks = self.terrain.blocks
        self._cores = {(building.x, building.y): building for building in view.buildings}
        self._covered = {tile for core, building in self._cores.items() for tile in blocks[core][building.direction]}
        playing = view.who == seat and view.outcome is None and seat not in view.forfeited
        self._free = self._mine.copy() if playing else {}
        self.stock = view.stock.get(seat, 0)

    # ---- who is where

    def mine(self) -> list[Tile]:
        """The tiles with units of mine, in reading order."""
        return list(self._mine)

    def stacks(self, owner: str) -> list[Tile]:
        """The tiles with units of a player, in reading order."""
        return list(self.army(owner))

    def enemies(self) -> list[Tile]:
        """The tiles with units of anybody else."""
        return [tile for owner, army in self._armies.items() if owner != self.seat for tile in army]

    def army(self, owner: str) -> Mapping[Tile, int]:
        """The units of one player by tile."""
        return self._armies.get(owner, {})

    def units(self, tile: Tile) -> int:
        """How many units stand on a tile, whoever owns them."""
        return next((army[tile] for army in self._armies.values() if tile in army), 0)

    def owner(self, tile: Tile) -> str | None:
        """Whose units stand on a tile."""
        return next((owner for owner, army in self._armies.items() if tile in army), None)

    def free(self, tile: Tile) -> int:
        """How many units of mine on a tile have no order yet."""
        return self._free.get(tile, 0)

    def ore(self, tile: Tile) -> int:
        """What can still be mined on a tile."""
        return self._ore.get(tile, 0)

    def deposits(self) -> Mapping[Tile, int]:
        """What can still be mined, by tile."""
        return self._ore

    def total(self, owner: str | None = None) -> int:
        """How many units a player has in all; mine if nobody is named."""
        return sum(self.army(owner or self.seat).values())

    def strength_near(self, tile: Tile, radius: int, who: str = "enemies") -> int:
        """The units within so many steps: of the `enemies`, of `mine`, or of a player."""
        if who == "enemies":
            armies = [army for owner, army in self._armies.items() if owner != self.seat]
        else:
            armies = [self._mine if who == "mine" else self._armies.get(who, {})]
        (x, y), reach = tile, radius
        return sum(
            number
            for army in armies
            for place, number in army.items()
            if abs(place[0] - x) + abs(place[1] - y) <= reach and 0 <= self.terrain.distance(place, tile) <= reach
        )

    # ---- buildings

    def building(self, tile: Tile) -> Building | None:
        """The building whose core is here."""
        return self._cores.get(tile)

    def covered(self, tile: Tile) -> bool:
        """Whether a tile is part of any building, one that was ordered this turn included."""
        return tile in self._covered

    def cores(self, owner: str | None = None) -> list[Tile]:
        """The cores of a player, in reading order; mine if nobody is named, or those of all `enemies`."""
        if owner == "enemies":
            return [tile for tile, building in self._cores.items() if building.owner != self.seat]
        return [tile for tile, building in self._cores.items() if building.owner == (owner or self.seat)]

    def site(self, tile: Tile) -> str | None:
        """A direction in which a building fits on this tile. Blocks on even tiles first, which leaves no gaps."""
        found = None
        for way, tiles in self.terrain.blocks.get(tile, {}).items():
            if self._covered.isdisjoint(tiles):
                left, top = min(tiles)
                if not (left % 2 or top % 2):
                    return way
                found = found or way
        return found

    def sites(self, tile: Tile) -> list[str]:
        """All directions in which a building fits on this tile."""
        return [way for way in STEPS if way in self._blocks(tile) and self._covered.isdisjoint(self._blocks(tile)[way])]

    def _blocks(self, tile: Tile) -> Mapping[str, tuple[Tile, ...]]:
        return self.terrain.blocks.get(tile, {})

    # ---- ways

    def blocked(self, tile: Tile) -> bool:
        """Whether nobody can enter a tile: it is blocked or not on the board."""
        return tile not in self.terrain.neighbours

    def neighbours(self, tile: Tile) -> Mapping[str, Tile]:
        """Direction to tile, without edges and blocked tiles."""
        return self.terrain.neighbours.get(tile, {})

    def distance(self, a: Tile, b: Tile) -> int | None:
        """The steps from one tile to the other around blocked tiles; None if there is no way."""
        known = self.terrain.neighbours
        steps = self.terrain.distance(a, b) if a in known and b in known else _FAR
        return None if steps < 0 else steps

    def path(self, a: Tile, b: Tile, avoid: Collection[Tile] = ()) -> list[Tile] | None:
        """The tiles of a shortest way, from the first step to the target; None if there is none."""
        if avoid:
            return self._way_around(a, b, frozenset(avoid))
        if self.distance(a, b) is None:
            return None
        way, here = [], a
        while here != b:
            here = self.terrain.neighbours[here][self._first_step(here, b)]
            way.append(here)
        return way

    def step(self, a: Tile, b: Tile, avoid: Collection[Tile] = ()) -> str | None:
        """The direction of the first step of a shortest way; None if there is none, or if one is there already."""
        if avoid:
            way = self._way_around(a, b, frozenset(avoid))
            return next((w for w, there in self.neighbours(a).items() if there == way[0]), None) if way else None
        return self._first_step(a, b) if self.distance(a, b) else None

    def towards(self, a: Tile, b: Tile) -> list[str]:
        """The directions of the first steps of all shortest ways."""
        steps = self.distance(a, b)
        near = self.neighbours(a).items()
        return [way for way, there in near if steps is not None and self.distance(there, b) == steps - 1]

    def _first_step(self, a: Tile, b: Tile) -> str:
        """On open ground along the longer side first, which keeps both ways open."""
        if not self.terrain.blocked:
            dx, dy = b[0] - a[0], b[1] - a[1]
            if abs(dx) >= abs(dy):
                return "right" if dx > 0 else "left"
            return "down" if dy > 0 else "up"
        field, width = self.terrain.field(b), self.terrain.width
        nearer = field[a[1] * width + a[0]] - 1
        return next(way for way, (x, y) in self.terrain.neighbours[a].items() if field[y * width + x] == nearer)

    def _way_around(self, a: Tile, b: Tile, avoid: frozenset[Tile]) -> list[Tile] | None:
        """The target itself is never avoided."""
        before: dict[Tile, Tile] = {a: a}
        queue = deque([a])
        while queue and b not in before:
            tile = queue.popleft()
            for there in self.neighbours(tile).values():
                if there not in before and (there not in avoid or there == b):
                    before[there] = tile
                    queue.append(there)
        if b not in before:
            return None
        way = []
        while b != a:
            way.append(b)
            b = before[b]
        return way[::-1]

    def nearest(self, tile: Tile, tiles: Iterable[Tile]) -> Tile | None:
        """The nearest of some tiles that can be reached, the first of equals."""
        best, found, distance = 1 << 30, None, self.terrain.distance
        for there in tiles:
            steps = distance(there, tile)
            if 0 <= steps < best:
                best, found = steps, there
        return found

    def nearest_ore(self, tile: Tile) -> Tile | None:
        """The nearest tile with ore on which no enemy stands."""
        ore = self._ore
        if self._veins is None and tile in ore:
            held = self._held = self._held or frozenset(self.enemies())
            for there, _ in self.terrain.near(tile):
                if ore[there] > 0 and there not in held:
                    return there
            self._veins = self.flood(there for there, left in ore.items() if left > 0 and there not in held)
        return self._veins[tile][0] if self._veins and tile in self._veins else None

    def flood(self, targets: Iterable[Tile], most: int | None = None) -> Mapping[Tile, tuple[Tile, int]]:
        """For every tile the nearest of some targets and the steps to it, worked out for all tiles at once.

        Quicker than `nearest` if there are many to ask for. Tiles from which no target can be reached are missing, and
        those that are more than `most` steps from all of them.
        """
        return self.terrain.flood(targets, most)

    # ---- orders

    def move(self, tile: Tile, number: int | None, direction: str) -> int:
        """So many units (None: all that are free) go one step."""
        if direction not in self.neighbours(tile):
            return 0
        taken = self._take(tile, number)
        if taken:
            self.orders.append(Move(*tile, taken, direction))
        return taken

    def move_towards(
        self, tile: Tile, target: Tile | None, number: int | None = None, avoid: Collection[Tile] = ()
    ) -> int:
        """So many units (None: all that are free) take the first step of a shortest way; no target, no step."""
        way = None if target is None else self.step(tile, target, avoid)
        return 0 if way is None else self.move(tile, number, way)

    def build(self, tile: Tile, direction: str | None = None, number: int = 1) -> int:
        """Founds a building, in any direction that fits unless one is named."""
        way = direction or self.site(tile)
        block = self.terrain.blocks.get(tile, {}).get(way) if way else None
        if block is None or self.stock < self.setting.cost or not self._covered.isdisjoint(block):
            return 0
        taken = self._take(tile, number)
        if taken:
            self.orders.append(Build(*tile, taken, way))
            self.stock -= self.setting.cost
            self._covered.update(block)
        return taken

    def work(self, tile: Tile, number: int | None = None) -> int:
        """So many units (None: as many as count) work in my building."""
        building = self._cores.get(tile)
        if building is None or building.owner != self.seat:
            return 0
        taken = self._take(tile, self.slots if number is None else number)
        if taken:
            self.orders.append(Build(*tile, taken))
        return taken

    def mine_ore(self, tile: Tile, number: int | None = None) -> int:
        """So many units (None: all that are free) mine; never more than there is ore."""
        ore = self.ore(tile)
        taken = self._take(tile, ore if number is None else min(number, ore))
        if taken:
            self.orders.append(Mine(*tile, taken))
            self._ore[tile] = ore - taken
        return taken

    def rest(self, tile: Tile, number: int | None = None) -> int:
        """So many units (None: all that are free) stay without an order, and are not free any more."""
        return self._take(tile, number)

    def _take(self, tile: Tile, number: int | None) -> int:
        free = self._free.get(tile, 0)
        taken = free if number is None else max(0, min(number, free))
        if taken:
            self._free[tile] = free - taken
        return taken
