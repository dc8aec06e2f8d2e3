"""The bot `waiter`: stays at home until it is many, then goes all at once."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from polemos.games.monad.bots.habits import dig, settle, staff
from polemos.games.monad.kit import Grid
from polemos.games.monad.notation import Order
from polemos.games.monad.view import Setting, View

MANY = (36, 48)  # units with which it dares to go
HOME = 3  # buildings, the most that it wants
CLOSE = 4  # steps from home within which it digs


class WaiterBot:
    """Digs around its first core and gathers there; from some forty units on all but the workers march together on the
    first enemy core, and when they have become fewer they come back."""

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        chance = Random(seed)
        self._grid = Grid(setting, seat)
        self._many = chance.randint(*MANY)
        self._home = chance.randint(1, HOME)
        self._last = bool(chance.getrandbits(1))  # whether the last enemy core in reading order is the target

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        grid = self._grid
        grid.update(view)
        settle(grid)
        staff(grid)
        cores, targets = grid.cores(), grid.cores("enemies") or grid.enemies()
        if not cores or not targets:
            for tile in grid.mine():
                dig(grid, tile)
            return grid.orders
        if len(cores) < self._home:
            any(grid.build(tile) for tile in grid.mine())
        home, target = cores[0], targets[-1 if self._last else 0]
        marching = sum(grid.free(tile) for tile in grid.mine()) >= self._many
        together = grid.free(max(grid.mine(), key=grid.free)) >= self._many
        for tile in grid.mine():
            if marching:
                grid.move_towards(tile, target if together else home)
            elif grid.ore(tile) and (grid.distance(tile, home) or 0) <= CLOSE:
                grid.mine_ore(tile)
            else:
                vein = grid.nearest_ore(home)
                close = vein is not None and (grid.distance(vein, home) or 0) <= CLOSE
                grid.move_towards(tile, vein if close else home)
        return grid.orders
