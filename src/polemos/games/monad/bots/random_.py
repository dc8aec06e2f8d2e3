"""The bot `random`: legal orders without a thought."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.monad.bots.habits import settle, staff, wander
from polemos.games.monad.kit import Grid
from polemos.games.monad.notation import Order
from polemos.games.monad.view import Setting, View


class RandomBot:
    """From every tile one unit goes anywhere; the others mine. It builds where it happens to be."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self._chance = Random(seed)
        self._grid = Grid(setting, seat)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        grid, chance = self._grid, self._chance
        grid.update(view)
        settle(grid)
        staff(grid)
        for tile in grid.mine():
            if chance.random() < 1 / 2:
                grid.build(tile)
            if chance.random() < 6 / 7:
                wander(grid, tile, 1, chance)
            grid.mine_ore(tile)
        return grid.orders
