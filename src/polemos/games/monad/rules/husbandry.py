"""Scripted players at home: the first building, workers, new buildings, ore. In the manner of the bot `overlord`.

A worker makes a fifth of a unit each turn, a miner a hundredth of a building; so slots are filled before anybody digs.
"""

from __future__ import annotations

from typing import Final

from polemos.games.monad.rules.minds import (
    FAR,
    NEAR,
    NONE,
    Mind,
    begin_search,
    descend,
    direction_of,
    enter,
    found,
    measure,
    mine,
    move,
    site,
    toil,
)
from polemos.games.monad.rules.warfare import survey
from polemos.games.monad.state import Order, State
from polemos.kernel.dice import scatter
from polemos.kernel.record import Many, u64
from polemos.kernel.rule import rule

FEW: Final = 20  # slots, the most that are filled before anything else is done
REACH: Final = 2  # steps around a site that count
PERIL: Final = 36  # what an enemy near a site takes from its worth
TIME: Final = 1000  # the whole time of a digger
WHIM: Final = 60  # the part of chance in the choice of a site


@rule
def settle(state: State, mind: Mind, orders: Many[Order]) -> None:
    """Without a building, founds one where a unit stands, or goes where there is room."""
    if mind.cores > 0 or mind.stock < state.cost:
        return
    for i in range(mind.stacks):
        tile = mind.stack[i] + 0
        direction = site(tile, mind)
        if direction >= 0:
            found(state, tile, direction, mind, orders)
            return
    for i in range(mind.stacks):
        way = way_to_room(state, mind.stack[i], mind)
        if way >= 0:
            move(state, way, mind.stack[i], state.cell[mind.stack[i]].units, mind, orders)
            return


@rule
def way_to_room(state: State, start: int, mind: Mind) -> int:
    """The first direction of a shortest way to a tile where a building fits, or NONE."""
    begin_search(mind)
    enter(start, mind)
    mind.first[start] = NONE
    at = 0
    while at < mind.called:
        tile = mind.queue[at] + 0
        at += 1
        if tile != start and site(tile, mind) >= 0:
            return mind.first[tile]
        spread(tile, start, mind)
    return NONE


@rule
def spread(tile: int, start: int, mind: Mind) -> None:
    """The neighbours of a tile join the search; each knows the direction in which its way began."""
    for i in range(4):
        direction = direction_of(mind, i)
        there = mind.near[4 * tile + direction] + 0
        if there >= 0 and mind.seen[there] != mind.mark:
            mind.first[there] = direction if tile == start else mind.first[tile]
            enter(there, mind)


@rule
def staff(state: State, sparing: bool, mind: Mind, orders: Many[Order]) -> None:
    """Those on the cores work; where very many could, half of them in times of war. Notes who is missing."""
    for i in range(mind.cores):
        core = mind.core[i] + 0
        wanted = state.slots if state.slots != 0 else max(1, mind.free[core])
        if sparing and (state.slots == 0 or state.slots > FEW):
            wanted = min(wanted, max(1, mind.free[core] // 2))
        mind.lack[i] = wanted - toil(state, core, wanted, mind, orders)


@rule
def call(state: State, mind: Mind, orders: Many[Order]) -> None:
    """Fetches free units for all cores, sites and raids that lack some, those with the shortest ways first."""
    begin_search(mind)
    for i in range(mind.cores + mind.sites + mind.raids):
        if mind.lack[i] > 0 and mind.seen[mind.core[i]] != mind.mark:
            mind.source[mind.core[i]] = i
            mind.first[mind.core[i]] = 0
            enter(mind.core[i], mind)
    at = 0
    while at < mind.called:
        tile = mind.queue[at] + 0
        at += 1
        core = mind.source[tile] + 0
        far = mind.first[tile] + 1
        is_raid = core >= mind.cores + mind.sites
        reach = mind.habits.chase if is_raid else mind.habits.fetch
        for i in range(4):
            direction = direction_of(mind, i)
            there = mind.near[4 * tile + direction] + 0
            if there >= 0 and mind.seen[there] != mind.mark and mind.lack[core] > 0:
                mind.source[there] = core
                mind.first[there] = far
                if far < reach:
                    enter(there, mind)
                else:
                    mind.seen[there] = mind.mark
                if is_raid and far == 1:  # who is beside the enemy waits for the others
                    mind.lack[core] -= mind.free[there]
                    mind.free[there] = 0
                elif mind.free[there] > 0:
                    mind.lack[core] -= move(state, direction + 2 & 3, there, mind.lack[core], mind, orders)


@rule
def expand(state: State, key: u64, mind: Mind, orders: Many[Order]) -> None:
    """As many buildings as the stock allows, each where workers and ore are near."""
    for _ in range(8):
        if mind.stock < mind.reserved + state.cost or state.buildings[mind.seat] >= mind.habits.most:
            return
        best = NONE
        most = 0
        for i in range(mind.stacks):
            tile = mind.stack[i] + 0
            if mind.free[tile] > 0 and site(tile, mind) >= 0:
                worth = worth_of(state, tile, key, mind)
                if best < 0 or worth > most:
                    best = tile
                    most = worth
        if best < 0 or not found(state, best, site(best, mind), mind, orders):
            return


@rule
def worth_of(state: State, place: int, key: u64, mind: Mind) -> int:
    """The ore around a site and the free units who could work there, less the enemies; in twelfths of an ore."""
    worth = scatter(key, place) % WHIM
    helpers = 0
    begin_search(mind)
    enter(place, mind)
    mind.first[place] = 0
    at = 0
    while at < mind.called:
        tile = mind.queue[at] + 0
        at += 1
        steps = mind.first[tile] + 0
        worth += 12 * state.cell[tile].ore // (2 + steps)
        if state.cell[tile].units > 0 and state.cell[tile].owner != mind.seat:
            worth -= PERIL * min(state.cell[tile].units, 1000)
        helpers += mind.free[tile]
        if steps < REACH:
            for direction in range(4):
                there = mind.near[4 * tile + direction] + 0
                if there >= 0 and mind.seen[there] != mind.mark:
                    mind.first[there] = steps + 1
                    enter(there, mind)
    return worth + mind.habits.helper * (min(helpers, 1000) if state.slots == 0 else min(helpers, state.slots))


@rule
def dig(state: State, mind: Mind, orders: Many[Order]) -> None:
    """Free units mine where they stand; the others go where enough is left for them too."""
    if mind.ore == 0:
        return
    for i in range(mind.stacks):
        tile = mind.stack[i] + 0
        if mind.free[tile] > 0:
            mine(state, tile, mind.free[tile], mind, orders)
    for i in range(mind.stacks):
        tile = mind.stack[i] + 0
        if mind.free[tile] > 0:
            if mind.habits.greed > 0:
                if mind.habits.vein > 0 or ore_steps(state, tile, mind) <= mind.habits.look:
                    choose_ore(state, tile, mind, orders)
            elif ore_steps(state, tile, mind) <= NEAR:
                seek(state, tile, mind, orders)


@rule
def seek(state: State, start: int, mind: Mind, orders: Many[Order]) -> None:
    """The free units of a tile spread over the ore near by, as far as there is room for them."""
    begin_search(mind)
    enter(start, mind)
    mind.first[start] = NONE
    mind.source[start] = 0
    at = 0
    while at < mind.called and mind.free[start] > 0:
        tile = mind.queue[at] + 0
        at += 1
        if tile != start:
            room = room_for(state, tile, mind)
            if room > 0:
                sent = move(state, mind.first[tile], start, room, mind, orders)
                mind.claimed[tile] += sent
                if sent == 0:
                    return
        if mind.source[tile] < NEAR:
            after = mind.source[tile] + 1
            for i in range(4):
                direction = direction_of(mind, i)
                there = mind.near[4 * tile + direction] + 0
                if there >= 0 and mind.seen[there] != mind.mark:
                    mind.first[there] = direction if tile == start else mind.first[tile]
                    mind.source[there] = after
                    enter(there, mind)


@rule
def choose_ore(state: State, start: int, mind: Mind, orders: Many[Order]) -> None:
    """The free units of a tile go where they can dig for the largest part of their time, the way there included."""
    greed = mind.habits.greed + 0
    grab = mind.habits.grab + 0
    if grab > 0:
        survey(state, mind)
    while mind.free[start] > 0:
        best = NONE
        most = 0
        number = 0
        begin_search(mind)
        enter(start, mind)
        mind.first[start] = NONE
        mind.source[start] = 0
        at = 0
        while at < mind.called:
            tile = mind.queue[at] + 0
            at += 1
            steps = mind.source[tile] + 0
            if steps > 0:
                if best >= 0 and TIME * greed // (greed + steps) + grab * steps <= most:
                    break
                turns = min(greed, turns_at(state, tile, mind))
                worth = TIME * turns // (turns + steps)
                if grab > 0:
                    worth += grab * (mind.steps[start] - mind.steps[tile])
                if turns > 0 and worth > most:
                    best = tile
                    most = worth
                    number = max(1, 3 * state.cell[tile].ore // (2 * turns + 1) - mind.claimed[tile])
            if steps < mind.habits.look:
                for i in range(4):
                    direction = direction_of(mind, i)
                    there = mind.near[4 * tile + direction] + 0
                    if there >= 0 and mind.seen[there] != mind.mark:
                        mind.first[there] = direction if tile == start else mind.first[tile]
                        mind.source[there] = steps + 1
                        enter(there, mind)
        if best < 0:
            return
        sent = move(state, mind.first[best], start, number, mind, orders)
        mind.claimed[best] += sent
        if sent == 0:
            return


@rule
def turns_at(state: State, tile: int, mind: Mind) -> int:
    """How long one more digger would find ore on a tile; none where enemies stand."""
    cell = state.cell[tile]
    if cell.units > 0 and cell.owner != mind.seat:
        return 0
    return cell.ore // (mind.claimed[tile] + 1)


@rule
def room_for(state: State, tile: int, mind: Mind) -> int:
    """How many more diggers a tile could do with; none where enemies stand."""
    cell = state.cell[tile]
    if cell.ore == 0 or (cell.units > 0 and cell.owner != mind.seat):
        return 0
    return cell.ore // mind.habits.crowd + 1 - mind.claimed[tile]


@rule
def ore_steps(state: State, tile: int, mind: Mind) -> int:
    """The steps to the nearest ore where no enemy stands, or FAR."""
    if mind.ore == 0:
        return FAR
    tiles = state.width * state.height
    if mind.is_prospected == 0:
        mind.is_prospected = 1
        begin_search(mind)
        for there in range(tiles):
            cell = state.cell[there]
            if cell.ore > mind.habits.vein and (cell.units == 0 or cell.owner == mind.seat):
                enter(there, mind)
        measure(tiles, tiles, mind)
    return mind.steps[tiles + tile]


@rule
def trek(state: State, tile: int, mind: Mind, orders: Many[Order]) -> int:
    """The free units of a tile go towards the nearest ore, however far it is."""
    far = ore_steps(state, tile, mind)
    if far == 0 or far >= FAR:
        return 0
    way = descend(state.width * state.height, tile, mind)
    return move(state, way, tile, mind.free[tile], mind, orders) if way >= 0 else 0
