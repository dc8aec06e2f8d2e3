"""The bot `fortifier`: a wall of buildings that grows towards the enemy."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.monad.bots.habits import dig, settle, staff
from polemos.games.monad.kit import Grid, Tile
from polemos.games.monad.notation import Order
from polemos.games.monad.view import Setting, View

LARGE = (7, 9)  # units from which on a stack sends some on
SENT = 2  # along each axis


class FortifierBot:
    """Small stacks dig; large ones send two units along each axis towards the nearest enemy core and dig with the rest.
    Whenever the stock allows it builds on its tile that is nearest to that core."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self._chance = Random(seed)
        self._grid = Grid(setting, seat)
        self._large = self._chance.randint(*LARGE)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        grid = self._grid
        grid.update(view)
        settle(grid)
        staff(grid)
        targets = grid.cores("enemies") or grid.enemies()
        cores = grid.cores()
        target = grid.nearest(cores[0], targets) if cores else None
        if target is None:
            for tile in grid.mine():
                dig(grid, tile)
            return grid.orders
        self._wall(grid, target)
        mass = grid.setting.defence + 2 * self._large
        for tile in grid.mine():
            free = grid.free(tile)
            if not free:
                continue
            if free >= mass:
                grid.move_towards(tile, target)
            elif free >= self._large:
                self._send(grid, tile, target)
            dig(grid, tile)
            grid.move_towards(tile, target)
        return grid.orders

    def _wall(self, grid: Grid, target: Tile) -> None:
        """Builds as near to the target as a unit of its own stands."""
        if grid.stock >= grid.setting.cost:
            distance = grid.terrain.distance
            ready = [tile for tile in grid.mine() if grid.free(tile) and grid.site(tile)]
            for tile in sorted(ready, key=lambda tile: distance(tile, target)):
                grid.build(tile)

    def _send(self, grid: Grid, tile: Tile, target: Tile) -> None:
        """Two units along each axis, those first that come first in this match."""
        (x, y), (to_x, to_y) = tile, target
        ways = ["right" if to_x > x else "left"] * (to_x != x) + ["down" if to_y > y else "up"] * (to_y != y)
        for way in self._chance.sample(ways, len(ways)):
            grid.move(tile, SENT, way)
