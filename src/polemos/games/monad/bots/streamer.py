"""The bot `streamer`: every new unit goes for the enemy."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.monad.bots.habits import dig, settle, staff
from polemos.games.monad.kit import Grid
from polemos.games.monad.notation import Order
from polemos.games.monad.view import Setting, View

WAVE = (1, 6)  # units beyond what the defence takes that leave together
HOME = 2  # steps from its cores within which stacks gather and dig before they leave


class StreamerBot:
    """Workers for every core, and a stream of small waves towards the nearest enemy core. It digs while a wave gathers,
    and builds at home when the stock allows."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self._chance = Random(seed)
        self._grid = Grid(setting, seat)
        self._wave = setting.defence + self._chance.randint(*WAVE)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        grid = self._grid
        grid.update(view)
        settle(grid)
        staff(grid)
        cores, targets = grid.cores(), grid.cores("enemies") or grid.enemies()
        homes, ways = grid.flood(cores, HOME), grid.flood(targets) if cores else {}
        for tile in grid.mine():
            if not grid.free(tile):
                continue
            if tile not in ways:
                dig(grid, tile)
            elif tile not in homes or grid.free(tile) >= self._wave:
                grid.move_towards(tile, ways[tile][0])
            elif not grid.build(tile):
                grid.mine_ore(tile)
                grid.move_towards(tile, homes[tile][0])
        return grid.orders
