"""The bot `pathfinder`: spreads its buildings over the map on ways that avoid the enemy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from polemos.games.monad.bots.habits import dig, few_slots, settle, staff
from polemos.games.monad.kit import Grid, Tile
from polemos.games.monad.notation import Order
from polemos.games.monad.view import Setting, View

NEAR = 5  # steps within which it looks for a fight
APART = (2, 4)  # steps that it keeps between its buildings
MATES = 5  # units that a core is thought to hold
HELP = 5  # steps from which workers are fetched


class PathfinderBot:
    """Every stack looks at the nearest enemy within five steps, and goes there if it is stronger around here. Else it
    digs, and builds where no building is near. Cores that lack workers call the nearest stack."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        chance = Random(seed)
        self._grid = Grid(setting, seat)
        self._foes: Mapping[Tile, tuple[Tile, int]] = {}  # the nearest enemy of tiles that have one near
        self._far: Mapping[Tile, tuple[Tile, int]] | None = None  # the nearest enemy of every tile, once asked for
        self._apart = chance.randint(*APART)
        self._bold = chance.uniform(1.0, 1.5)  # how much stronger it must be

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        grid = self._grid
        grid.update(view)
        settle(grid)
        staff(grid)
        cores, foes = grid.cores(), grid.cores("enemies") + grid.enemies()
        self._call(grid, cores)
        homes, self._foes, self._far = grid.flood(cores, self._apart - 1), grid.flood(foes, NEAR), None
        for tile in grid.mine():
            if grid.free(tile) and not self._fight(grid, tile, foes):
                if tile not in homes:
                    grid.build(tile)
                if not self._march(grid, tile, foes):
                    dig(grid, tile)
        return grid.orders

    def _call(self, grid: Grid, cores: list[Tile]) -> None:
        slots = grid.slots if few_slots(grid) and grid.slots else 1
        for core in cores:
            lack = slots - (grid.units(core) if grid.owner(core) == grid.seat else 0)
            if lack > 0:
                for tile, steps in grid.terrain.near(core):
                    if lack > 0 and 0 < steps <= HELP and grid.free(tile) and grid.building(tile) is None:
                        lack -= grid.move_towards(tile, core, lack)

    def _fight(self, grid: Grid, tile: Tile, foes: list[Tile]) -> bool:
        """Goes for the nearest enemy if one is near and weaker, around those against which it would only lose."""
        if tile not in self._foes:
            return False
        foe = self._foes[tile][0]
        core = grid.building(foe)
        strength = grid.units(foe) + (grid.setting.defence if core is not None and core.owner != grid.seat else 0)
        if grid.free(tile) <= strength * self._bold:
            return False
        way = grid.step(tile, foe)
        if way is not None and self._foes.get(grid.neighbours(tile)[way], (foe, 0))[0] != foe:
            return bool(grid.move_towards(tile, foe, avoid=set(foes) - {foe}))
        return way is not None and bool(grid.move(tile, None, way))

    def _march(self, grid: Grid, tile: Tile, foes: list[Tile]) -> bool:
        """A stack for which nothing is left to dig near by goes where the enemy is, once it is large enough."""
        vein = grid.nearest_ore(tile)
        if vein is not None and (grid.distance(tile, vein) or 0) <= NEAR:
            return False
        large = grid.setting.defence + 2 * MATES
        if grid.free(tile) >= large:
            self._far = self._far or grid.flood(foes)
            return tile in self._far and bool(grid.move_towards(tile, self._far[tile][0]))
        return vein is None
