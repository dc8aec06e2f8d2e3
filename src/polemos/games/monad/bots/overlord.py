"""The bot `overlord`: grows as fast as the ground allows, and ends the game as soon as it outweighs somebody."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.monad.bots.economy import call, dig, found, work
from polemos.games.monad.bots.habits import settle
from polemos.games.monad.bots.war import War
from polemos.games.monad.kit import Grid
from polemos.games.monad.notation import Order
from polemos.games.monad.view import Setting, View

FAR = 1 << 30


class OverlordBot:
    """Works, guards, builds, marches if that wins, digs; and who finds nothing to dig goes to war as well."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        chance = Random(seed)
        self._grid = Grid(setting, seat)
        self._whim = {tile: 5 * chance.random() for tile in self._grid.terrain.tiles}
        self._sparing = False

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        grid = self._grid
        grid.update(view)
        war = War(grid)
        settle(grid)
        lacks = work(grid, self._sparing)
        war.guard()
        war.strike()
        found(grid, self._whim, war.enemies)
        call(grid, lacks)
        levy = war.outweighs()
        if levy:
            war.march(levy)
        for tile in dig(grid, war.enemies):
            vein = grid.nearest_ore(tile)
            if vein is None or not grid.terrain.distance(vein, tile) < war.steps.get(tile, FAR):
                war.advance(tile)
            else:
                grid.move_towards(tile, vein)
        return grid.orders
