"""Scripted players abroad: they found new buildings in the midst of ore that nobody digs yet. No paragraph.

A new unit that must walk to the ore digs nothing on its way, and half of all units are younger than ten turns; so what
decides how fast a player grows is how near to the ore its units come into the world.
"""

from __future__ import annotations

from typing import Final

from polemos.games.monad.rules.minds import Mind, begin_search, enter, found, gap, measure, site
from polemos.games.monad.rules.warfare import survey
from polemos.games.monad.state import Order, State
from polemos.kernel.record import Many
from polemos.kernel.rule import rule

SITES: Final = 32  # at most that are wanted at a time
BLURS: Final = 3  # how often the ore is spread over the neighbours: so many steps around a site count
SCALE: Final = (
    25  # sums of three blurs over a field of one ore a tile come to 5 * 5 * 5; a hundred of them are four ore
)


@rule
def colonise(state: State, units: int, mind: Mind, orders: Many[Order]) -> None:
    """Picks the best sites for what the stock and the next turns allow; founds where somebody stands, or calls a party.

    Nothing is remembered: a party that is on its way makes its site better for the next turn, so it is chosen again.
    """
    mind.sites = 0
    mind.reserved = 0
    if mind.habits.ahead == 0 or mind.cores == 0 or mind.ore == 0:
        return
    wanted = min(SITES, (mind.stock + units * mind.habits.ahead) // state.cost)
    wanted = min(wanted, mind.habits.most - state.buildings[mind.seat])
    if wanted <= 0:
        return
    prospect(state, mind)
    listed = list_sites(state, mind)
    while wanted > 0 and listed > 0:
        best = 0
        for i in range(1, listed):
            if mind.rich[mind.queue[i]] > mind.rich[mind.queue[best]]:
                best = i
        tile = mind.queue[best] + 0
        listed -= 1
        mind.queue[best] = mind.queue[listed]
        if is_apart(tile, mind):
            wanted -= 1
            take_site(state, tile, mind, orders)


@rule
def take_site(state: State, tile: int, mind: Mind, orders: Many[Order]) -> None:
    """A building at once, or a party and the money for later; nothing if a building of this turn takes its room."""
    direction = site(tile, mind)
    if direction < 0:
        return
    at = mind.cores + mind.sites
    mind.core[at] = tile
    mind.sites += 1
    if mind.free[tile] > 0 and mind.stock >= mind.reserved + state.cost:
        if found(state, tile, direction, mind, orders):
            mind.lack[at] = max(0, mind.habits.party - 1 - mind.free[tile])
            return
    mind.reserved += state.cost
    mind.lack[at] = max(0, mind.habits.party - mind.free[tile])


@rule
def is_apart(tile: int, mind: Mind) -> bool:
    """Whether no other site of this turn is near."""
    for i in range(mind.cores, mind.cores + mind.sites):
        if gap(tile, mind.core[i], mind) <= mind.habits.apart:
            return False
    return True


@rule
def prospect(state: State, mind: Mind) -> None:
    """By tile, as `rich`: the ore around it that is not near an own core, less the way of those who would go there."""
    tiles = state.width * state.height
    survey(state, mind)
    begin_search(mind)
    for i in range(mind.cores):
        enter(mind.core[i], mind)
    measure(2 * tiles, tiles, mind)
    for tile in range(tiles):
        cell = state.cell[tile]
        near = mind.steps[2 * tiles + tile] <= mind.habits.apart
        mind.rich[tile] = 0 if cell.units > 0 and cell.owner != mind.seat else cell.ore // 3 if near else cell.ore
    for _ in range(BLURS):
        for tile in range(tiles):
            mind.poor[tile] = mind.rich[tile]
        for tile in range(tiles):
            for direction in range(4):
                there = mind.near[4 * tile + direction] + 0
                if there >= 0:
                    mind.rich[tile] += mind.poor[there]
    begin_search(mind)
    for i in range(mind.stacks):
        if mind.free[mind.stack[i]] > 0:
            enter(mind.stack[i], mind)
    measure(2 * tiles, tiles, mind)
    for tile in range(tiles):
        mind.rich[tile] -= SCALE * mind.habits.walk * mind.steps[2 * tiles + tile] // 20


@rule
def list_sites(state: State, mind: Mind) -> int:
    """The tiles that are better than their neighbours and where a building fits, in the queue; says how many."""
    tiles = state.width * state.height
    listed = 0
    for tile in range(tiles):
        worth = mind.rich[tile] + 0
        if worth <= SCALE * mind.habits.poor or mind.steps[tile] <= mind.habits.shy:
            continue
        is_top = 1
        for direction in range(4):
            there = mind.near[4 * tile + direction] + 0
            if (
                there >= 0
                and site(there, mind) >= 0
                and (mind.rich[there] > worth or (mind.rich[there] == worth and there < tile))
            ):
                is_top = 0
        if is_top == 1 and site(tile, mind) >= 0:
            mind.queue[listed] = tile
            listed += 1
    return listed
