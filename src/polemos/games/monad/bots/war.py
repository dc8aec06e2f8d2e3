"""The wars of `overlord`. Every fight costs both sides the same, but for the defence of cores.

So it keeps on its cores what they need to stand, streams towards the enemy's, gathers beside them, and strikes a core
only with so many that it falls whatever the enemy does.
"""

from __future__ import annotations

from collections.abc import Mapping

from polemos.games.monad.bots.economy import Economy
from polemos.games.monad.kit import Grid, Tile

BACK = {"up": "down", "right": "left", "down": "up", "left": "right"}
ALARM = 3  # steps from a core at which an enemy is reckoned with
CALM = 1.05  # how much stronger one must be to look at the next step alone
SURE = 1.3  # how much more than the enemy has an attack must have
RESERVE = 10  # and so many units besides


class War:
    """The enemies of one turn."""

    def __init__(self, grid: Grid, economy: Economy) -> None:
        self._grid, self._economy = grid, economy
        seats = [seat for seat in grid.setting.seats if seat != grid.seat]
        self.enemies: dict[Tile, int] = {}
        for seat in seats:
            self.enemies.update(grid.army(seat))
        self._rivals = [seat for seat in seats if seat not in grid.view.forfeited]
        self._totals = {seat: grid.total(seat) for seat in self._rivals}
        # An even exchange is good for the one who has more than all others.
        self._leads = grid.total() > sum(self._totals.values())
        self._cores = {seat: grid.cores(seat) for seat in self._rivals}
        self._targets = [tile for seat in self._rivals for tile in self._cores[seat] or grid.army(seat)]
        self._steps: Mapping[Tile, tuple[Tile, int]] | None = None  # to the nearest target

    def guard(self) -> None:
        """Keeps on every core what it needs against the enemies near it, and calls for what lacks."""
        grid = self._grid
        mine, cores, alarms = grid.army(grid.seat), set(grid.cores()), dict[tuple[Tile, str], int]()
        for seat in self._rivals:
            reach = 1 if grid.total() > CALM * self._totals[seat] else ALARM
            for tile, number in grid.army(seat).items():
                for there, steps in grid.terrain.near(tile):
                    if steps > reach:
                        break
                    if there in cores:
                        alarms[there, seat] = alarms.get((there, seat), 0) + number
        wanted: dict[Tile, int] = {}
        for (core, _), number in alarms.items():
            wanted[core] = max(wanted.get(core, 0), number - grid.setting.defence + 1)
        for core, number in wanted.items():
            kept = number - mine.get(core, 0) + grid.free(core)
            kept -= grid.mine_ore(core, kept)
            grid.rest(core, kept)
        self._economy.call({core: number - mine.get(core, 0) for core, number in wanted.items()})

    def strike(self) -> None:
        """All who stand free beside a target take it, if it falls even when all enemies beside it come to help."""
        for target in self._targets:
            self._attack(target)
        if self._leads:
            for seat in self._rivals:
                for tile in self._grid.army(seat):
                    self._attack(tile)

    def _attack(self, target: Tile) -> None:
        grid = self._grid
        beside = [(BACK[way], tile) for way, tile in grid.neighbours(target).items() if grid.free(tile)]
        if beside:
            force = sum(grid.free(tile) for _, tile in beside)
            wanted = self.enemies.get(target, 0)
            wanted += sum(self.enemies.get(tile, 0) for tile in grid.neighbours(target).values())
            core = grid.building(target)
            if core is not None and core.owner != grid.seat:
                wanted += grid.setting.defence
            if force >= wanted:
                for way, tile in beside:
                    grid.move(tile, None, way)

    def plan(self) -> tuple[int, int]:
        """What it would take to do away with the weakest rival for good: units that march, and units to have at all.

        Whoever fights while others look on must be able to stand against the strongest of them afterwards.
        """
        grid, home = self._grid, self._grid.cores()
        plans = []
        for seat in self._rivals:
            cores = self._cores[seat]
            there = cores or list(grid.army(seat))
            if home and there:
                way = min(grid.terrain.distance(home[0], tile) for tile in there)
                cost = int(SURE * (self._totals[seat] + len(cores) * (grid.setting.defence + way))) + RESERVE
                others = max((self._totals[other] for other in self._rivals if other != seat), default=0)
                plans.append((cost, cost + others))
        return min(plans, default=(0, 0))

    def march(self, number: int) -> None:
        """So many free units, those first who have the shortest way, go to war."""
        grid, steps = self._grid, self.steps
        for _, tile in sorted((steps[tile][1], tile) for tile in grid.mine() if grid.free(tile) and tile in steps):
            if number <= 0:
                return
            number -= self.advance(tile, number)

    @property
    def steps(self) -> Mapping[Tile, tuple[Tile, int]]:
        """From every tile the nearest target, an enemy core or a unit of one who has none, and the steps to it."""
        if self._steps is None:
            self._steps = self._grid.flood(self._targets)
        return self._steps

    def advance(self, tile: Tile, number: int | None = None) -> int:
        """Free units of a tile take a step towards the nearest target, or wait beside it until they are enough."""
        grid, steps = self._grid, self.steps
        number = grid.free(tile) if number is None else number
        here = steps[tile][1] if tile in steps else 0
        if not here:
            return 0
        if here > 1:
            way = next(way for way, there in grid.neighbours(tile).items() if steps[there][1] < here)
            return grid.move(tile, number, way)
        number -= (dug := grid.mine_ore(tile, number))
        return dug + grid.rest(tile, number)
