"""The economy of `overlord`: workers first, then buildings, then ore.

A worker makes a fifth of a unit each turn, a miner a hundredth of a building; so slots are filled before anybody digs.
Buildings rise where free units stand, so that workers are there at once and the walks to the ore stay short.
"""

from __future__ import annotations

from random import Random

from polemos.games.monad.bots.habits import few_slots
from polemos.games.monad.kit import NEAR, Grid, Tile

CROWD = 8  # turns of digging that a unit wants to find where it goes
REACH = 2  # steps around a site that count
HELPER = 4.0  # worth of a free unit near a site, in ore
PERIL = 3.0  # what an enemy near a site takes from its worth
WHIM = 5.0  # the part of chance in the choice of a site


class Economy:
    """All that is not war."""

    def __init__(self, grid: Grid, seed: int) -> None:
        chance = Random(seed)
        self._grid = grid
        self._whim = {tile: chance.random() for tile in grid.terrain.tiles}
        self._sweep = chance.choice((-3, -2, 2, 3)), chance.choice((-3, -2, 2, 3))
        self._near: dict[Tile, list[tuple[Tile, int]]] = {}

    def near(self, tile: Tile) -> list[tuple[Tile, int]]:
        """The tiles around and their steps, the nearest first; equals in one sweep, so that no rests stay behind."""
        found = self._near.get(tile)
        if found is None:
            (dx, dy), near = self._sweep, self._grid.terrain.near(tile)
            found = self._near[tile] = sorted(near, key=lambda place: (place[1], dx * place[0][0] + dy * place[0][1]))
        return found

    def work(self, sparing: bool) -> dict[Tile, int]:
        """Those on the cores work; where very many could, half of them in times of war. How many lack, by core."""
        grid, lacks = self._grid, dict[Tile, int]()
        for core in grid.cores():
            here = grid.free(core)
            wanted = grid.slots if grid.slots is not None else max(1, here)
            if sparing and not few_slots(grid):
                wanted = min(wanted, max(1, here // 2))
            lack = wanted - grid.work(core, wanted)
            if lack > 0:
                lacks[core] = lack
        return lacks

    def call(self, lacks: dict[Tile, int]) -> None:
        """Fetches free units for many places at once, the shortest ways first."""
        grid = self._grid
        offers: list[tuple[int, Tile, Tile]] = []
        for place in lacks:
            offers += [(steps, tile, place) for tile, steps in self.near(place) if steps and grid.free(tile)]
        offers.sort(key=_steps)
        for _, tile, place in offers:
            if lacks[place] > 0 and grid.free(tile):
                lacks[place] -= grid.move_towards(tile, place, lacks[place])

    def found(self, enemies: dict[Tile, int]) -> None:
        """As many buildings as the stock allows, each where workers and ore are near."""
        grid = self._grid
        if grid.stock < grid.setting.cost:
            return
        sites = [(self._worth(tile, enemies), tile) for tile in grid.mine() if grid.free(tile) and grid.site(tile)]
        for _, tile in sorted(sites, reverse=True):
            if grid.stock < grid.setting.cost:
                return
            grid.build(tile)

    def _worth(self, tile: Tile, enemies: dict[Tile, int]) -> float:
        """The ore around a site and the free units who could work there."""
        grid, ores = self._grid, self._grid.deposits()
        worth, helpers = WHIM * self._whim[tile], 0
        for there, steps in grid.terrain.near(tile):
            if steps > REACH:
                break
            worth += ores[there] / (2 + steps)
            helpers += grid.free(there)
            if there in enemies:
                worth -= PERIL * enemies[there]
        return worth + HELPER * min(helpers, grid.slots or helpers)

    def dig(self, enemies: dict[Tile, int]) -> list[Tile]:
        """Free units mine where they stand; the others go where enough is left for them too. The tiles of the rest."""
        grid = self._grid
        claims: dict[Tile, int] = {}
        movers = []
        for tile in grid.mine():
            if grid.free(tile):
                claims[tile] = grid.mine_ore(tile)
                if grid.free(tile):
                    movers.append(tile)
        idle = []
        ores = grid.deposits()
        reach = grid.flood((tile for tile, ore in ores.items() if ore > 0 and tile not in enemies), NEAR)
        for tile in movers:
            if tile in reach:
                for there, steps in self.near(tile):
                    ore = ores[there]
                    if ore > 0 and steps and there not in enemies:
                        claimed = claims.get(there, 0)
                        room = ore // CROWD + 1 - claimed
                        if room > 0:
                            claims[there] = claimed + grid.move_towards(tile, there, room)
                            if not grid.free(tile):
                                break
            if grid.free(tile):
                idle.append(tile)
        return idle


def _steps(offer: tuple[int, Tile, Tile]) -> int:
    return offer[0]
