"""The economy of `overlord`: workers first, then buildings, then ore.

A worker makes a fifth of a unit each turn, a miner a hundredth of a building; so slots are filled before anybody digs.
Buildings rise where free units stand, so that workers are there at once and the walks to the ore stay short.
"""

from __future__ import annotations

from polemos.games.monad.kit import Grid, Tile

CROWD = 8  # turns of digging that a unit wants to find where it goes
REACH = 2  # steps around a site that count
HELPER = 4.0  # worth of a free unit near a site, in ore
PERIL = 3.0  # what an enemy near a site takes from its worth
EVERYBODY = 2  # of so many units one works where the slots have no limit and an attack is on


def work(grid: Grid, sparing: bool) -> dict[Tile, int]:
    """Those on the cores work. How many lack, by core."""
    lacks: dict[Tile, int] = {}
    for core in grid.cores():
        wanted = grid.slots
        if wanted is None:
            wanted = grid.free(core) // EVERYBODY if sparing else grid.free(core)
        lack = max(1, wanted) - grid.work(core, max(1, wanted))
        if lack > 0:
            lacks[core] = lack
    return lacks


def call(grid: Grid, lacks: dict[Tile, int]) -> None:
    """Fetches free units for many places at once, the shortest ways first."""
    offers: list[tuple[int, Tile, Tile]] = []
    for place in lacks:
        offers += [(steps, tile, place) for tile, steps in grid.terrain.near(place) if steps and grid.free(tile)]
    offers.sort(key=_steps)
    for _, tile, place in offers:
        if lacks[place] > 0 and grid.free(tile):
            lacks[place] -= grid.move_towards(tile, place, lacks[place])


def _steps(offer: tuple[int, Tile, Tile]) -> int:
    return offer[0]


def found(grid: Grid, whim: dict[Tile, float], enemies: dict[Tile, int]) -> None:
    """As many buildings as the stock allows, each where workers and ore are near."""
    if grid.stock < grid.setting.cost:
        return
    sites = [(_worth(grid, tile, enemies) + whim[tile], tile) for tile in grid.mine() if grid.free(tile)]
    for worth, tile in sorted(sites, reverse=True):
        if grid.stock < grid.setting.cost:
            return
        if worth > 0:
            grid.build(tile)


def _worth(grid: Grid, tile: Tile, enemies: dict[Tile, int]) -> float:
    """The ore around a site and the free units who could work there; nothing if there is no room."""
    if grid.site(tile) is None:
        return -1.0
    worth, helpers = 1.0, 0
    for there, steps in grid.terrain.near(tile):
        if steps > REACH:
            break
        worth += grid.ore(there) / (2 + steps)
        helpers += grid.free(there)
        if there in enemies:
            worth -= PERIL * enemies[there]
    return worth + HELPER * min(helpers, grid.slots or helpers)


def dig(grid: Grid, enemies: dict[Tile, int]) -> list[Tile]:
    """Free units mine where they stand; the others go where enough is left for them too. The tiles of the rest."""
    claims: dict[Tile, int] = {}
    movers = []
    for tile in grid.mine():
        if grid.free(tile):
            claims[tile] = grid.mine_ore(tile)
            if grid.free(tile):
                movers.append(tile)
    idle = []
    for tile in movers:
        for there, steps in grid.terrain.near(tile):
            ore = grid.ore(there)
            if ore > 0 and steps and there not in enemies:
                room = ore // CROWD + 1 - claims.get(there, 0)
                if room > 0:
                    claims[there] = claims.get(there, 0) + grid.move_towards(tile, there, room)
                    if not grid.free(tile):
                        break
        else:
            idle.append(tile)
    return idle
