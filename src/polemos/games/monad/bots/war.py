"""The wars of `overlord`. Every fight costs both sides the same, but for the defence of cores.

So it keeps on its cores what they need to stand, streams towards the enemy's, gathers beside them, and strikes a core
only with so many that it falls whatever the enemy does.
"""

from __future__ import annotations

from polemos.games.monad.bots.economy import call
from polemos.games.monad.kit import Grid, Tile

BACK = {"up": "down", "right": "left", "down": "up", "left": "right"}
ALARM = 3  # steps from a core at which an enemy is reckoned with
SURE = 1.3  # how much more than the enemy has an attack must have
RESERVE = 10  # and so many units besides


class War:
    """The enemies of one turn."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        seats = [seat for seat in grid.setting.seats if seat != grid.seat]
        self.enemies: dict[Tile, int] = {}
        for seat in seats:
            self.enemies.update(grid.army(seat))
        self._rivals = [seat for seat in seats if seat not in grid.view.forfeited]
        self._cores = {seat: grid.cores(seat) for seat in self._rivals}
        self._targets = [tile for seat in self._rivals for tile in self._cores[seat] or grid.army(seat)]
        self._steps: dict[Tile, int] | None = None  # to the nearest target

    def guard(self) -> None:
        """Keeps on every core what it needs against the enemies near it, and calls for what lacks."""
        grid = self._grid
        mine, cores, alarms = grid.army(grid.seat), set(grid.cores()), dict[tuple[Tile, str], int]()
        for seat in self._rivals:
            for tile, number in grid.army(seat).items():
                for there, steps in grid.terrain.near(tile):
                    if steps > ALARM:
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
        call(grid, {core: number - mine.get(core, 0) for core, number in wanted.items()})

    def strike(self) -> None:
        """All who stand free beside a target take it, if it falls even when all enemies beside it come to help."""
        grid = self._grid
        for target in self._targets:
            beside = [(BACK[way], tile) for way, tile in grid.neighbours(target).items()]
            force = sum(grid.free(tile) for _, tile in beside)
            if force:
                helpers = sum(self.enemies.get(tile, 0) for _, tile in beside)
                defence = 0 if grid.building(target) is None else grid.setting.defence
                if force >= self.enemies.get(target, 0) + defence + helpers:
                    for way, tile in beside:
                        grid.move(tile, None, way)

    def outweighs(self) -> int:
        """How many units it would take to do away with some rival for good, if that many can be spared; else 0."""
        grid, defence = self._grid, self._grid.setting.defence
        spare = sum(grid.free(tile) for tile in grid.mine())
        home = grid.cores()
        best = 0
        for seat in self._rivals:
            cores = self._cores[seat]
            there = cores or list(grid.army(seat))
            if home and there:
                way = min(grid.terrain.distance(home[0], tile) for tile in there)
                price = int(SURE * (grid.total(seat) + len(cores) * (defence + way))) + RESERVE
                if price <= spare and (not best or price < best):
                    best = price
        return best

    def march(self, number: int) -> None:
        """So many free units, those first who have the shortest way, go to war."""
        grid, steps = self._grid, self.steps
        for tile in sorted((tile for tile in grid.mine() if grid.free(tile)), key=lambda tile: steps.get(tile, 1 << 30)):
            if number <= 0:
                return
            number -= self.advance(tile, number)

    @property
    def steps(self) -> dict[Tile, int]:
        """From every tile the steps to the nearest target: an enemy core, or a unit of one who has none."""
        if self._steps is None:
            self._steps = found = dict.fromkeys(self._targets, 0)
            neighbours = self._grid.terrain.neighbours
            for tile in (queue := list(found)):
                after = found[tile] + 1
                for there in neighbours[tile].values():
                    if there not in found:
                        found[there] = after
                        queue.append(there)
        return self._steps

    def advance(self, tile: Tile, number: int | None = None) -> int:
        """Free units of a tile take a step towards the nearest target, or wait beside it until they are enough."""
        grid, steps = self._grid, self.steps
        number = grid.free(tile) if number is None else number
        here = steps.get(tile)
        if not here:
            return 0
        if here > 1:
            way = next(way for way, there in grid.neighbours(tile).items() if steps[there] < here)
            return grid.move(tile, number, way)
        number -= (dug := grid.mine_ore(tile, number))
        return dug + grid.rest(tile, number)
