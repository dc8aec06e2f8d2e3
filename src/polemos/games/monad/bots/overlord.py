"""The bot `overlord`: grows as fast as the ground allows, and ends the game as soon as it outweighs somebody."""

from __future__ import annotations

from collections.abc import Sequence

from polemos.games.monad.bots.economy import Economy
from polemos.games.monad.bots.habits import settle
from polemos.games.monad.bots.war import War
from polemos.games.monad.kit import Grid
from polemos.games.monad.notation import Order
from polemos.games.monad.view import Setting, View


class OverlordBot:
    """Works, guards, builds, marches if that wins, digs; and who finds nothing to dig goes to war as well."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self._grid = Grid(setting, seat)
        self._economy = Economy(self._grid, seed)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        grid, economy = self._grid, self._economy
        grid.update(view)
        war = War(grid, economy)
        settle(grid)
        march, wanted = war.plan()
        lacks = economy.work(sparing=0 < 2 * wanted <= grid.total())
        war.guard()
        war.strike()
        economy.found(war.enemies)
        economy.call(lacks)
        if march and wanted <= sum(map(grid.free, grid.mine())):
            war.march(march)
        for tile in economy.dig(war.enemies):
            vein, foe = grid.nearest_ore(tile), war.steps.get(tile)
            if vein is not None and (foe is None or grid.terrain.distance(vein, tile) < foe[1]):
                grid.move_towards(tile, vein)
            else:
                war.advance(tile)
        return grid.orders
