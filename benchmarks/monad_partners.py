"""Sparring partners of Monad that no row of habits plays like: their armies go as one stack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from polemos.games.monad.bots.economy import Economy
from polemos.games.monad.bots.habits import settle
from polemos.games.monad.bots.war import War
from polemos.games.monad.kit import Grid, Tile
from polemos.games.monad.notation import Order
from polemos.games.monad.view import Setting, View

MANY: Final = 40  # units with which it begins to look around
WEAK: Final = 1.2  # it must be so many times as strong as whom it goes for
MORE: Final = 3  # units that the stack has above what a core needs
AROUND: Final = 2  # steps from a core within which units count as its guards


class VultureBot:
    """Digs and builds like `overlord` and lets the others be, until it clearly outweighs the weakest of them. Then all
    who are free gather in one stack, and that goes from core to core of the weakest, and over whatever is in its way.
    """

    def __init__(self, setting: Setting, seat: str, seed: int) -> None:
        self._grid = Grid(setting, seat)
        self._economy = Economy(self._grid, seed)

    def orders(self, view: View, time_left: float) -> Sequence[Order]:
        grid, economy = self._grid, self._economy
        grid.update(view)
        war = War(grid, economy)
        settle(grid)
        lacks = economy.work(sparing=False)
        war.guard()
        war.strike()
        economy.found(war.enemies)
        economy.call(lacks)
        self._prey(view, war.enemies)
        for tile in economy.dig(war.enemies):
            grid.move_towards(tile, grid.nearest_ore(tile))
        return grid.orders

    def _prey(self, view: View, enemies: dict[Tile, int]) -> None:
        grid = self._grid
        others = [seat for seat in grid.setting.seats if seat != grid.seat and seat not in view.forfeited]
        weight = {seat: grid.total(seat) + grid.setting.defence * len(grid.cores(seat)) for seat in others}
        prey = min((seat for seat in others if weight[seat]), key=weight.__getitem__, default=None)
        if prey is None or grid.total() <= max(MANY, WEAK * weight[prey] + grid.setting.defence):
            return
        free = [tile for tile in grid.mine() if grid.free(tile)]
        targets = grid.cores(prey) or grid.stacks(prey)
        if not free or not targets:
            return
        stack = max(free, key=grid.free)
        need = {target: self._guards(target, enemies) + grid.setting.defence for target in targets}
        target = min(targets, key=lambda target: need[target] + (grid.distance(stack, target) or 0))
        if grid.free(stack) > need[target] + MORE:
            grid.move_towards(stack, target)
        else:
            grid.rest(stack)
        for tile in free:
            if tile != stack:
                grid.move_towards(tile, stack)

    def _guards(self, target: Tile, enemies: dict[Tile, int]) -> int:
        return sum(enemies.get(tile, 0) for tile, steps in self._grid.terrain.near(target) if steps <= AROUND)


def partners() -> dict[str, Callable[..., Any]]:
    """Makers of bots by name."""
    return {"vulture": VultureBot}
