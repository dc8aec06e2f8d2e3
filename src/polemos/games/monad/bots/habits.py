"""What all our bots do alike: they found a first building, staff their cores, and dig."""

from __future__ import annotations

from random import Random

from polemos.games.monad.kit import Grid, Tile

FEW = 20  # slots, the most that are filled before anything else is done


def staff(grid: Grid) -> None:
    """As many workers as count on every core, but only half of those there if very many count; nobody is fetched."""
    for core in grid.cores():
        grid.work(core, grid.slots if few_slots(grid) else (grid.free(core) + 1) // 2)


def few_slots(grid: Grid) -> bool:
    """Whether a core can be full, as it is under the usual rules."""
    return grid.slots is not None and grid.slots <= FEW


def settle(grid: Grid) -> None:
    """Without a building, found one where a unit stands, or go where there is room."""
    if grid.cores() or grid.stock < grid.setting.cost:
        return
    tiles = grid.mine()
    if any(grid.build(tile) for tile in tiles):
        return
    for tile in tiles:
        room = grid.nearest(tile, (there for there in grid.terrain.tiles if grid.site(there)))
        if room is not None:
            grid.move_towards(tile, room)
            return


def dig(grid: Grid, tile: Tile) -> None:
    """All units of a tile that are free mine; those that find nothing go where there is something."""
    grid.mine_ore(tile)
    if grid.free(tile):
        grid.move_towards(tile, grid.nearest_ore(tile))


def wander(grid: Grid, tile: Tile, number: int, chance: Random) -> None:
    """A step in any direction."""
    ways = list(grid.neighbours(tile))
    if ways:
        grid.move(tile, number, chance.choice(ways))
