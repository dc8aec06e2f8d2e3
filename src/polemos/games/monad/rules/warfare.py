"""The wars of scripted players, in the manner of the bot `overlord`: they guard cores, gather beside those of the
enemy, and strike only with so many that it falls whatever the enemy does.
"""

from __future__ import annotations

from typing import Final

from polemos.games.monad.rules.board import core_of
from polemos.games.monad.rules.end import is_in
from polemos.games.monad.rules.fights import strength
from polemos.games.monad.rules.minds import (
    FAR,
    NONE,
    Mind,
    begin_search,
    descend,
    enter,
    gap,
    mine,
    move,
)
from polemos.games.monad.state import Order, State
from polemos.kernel.record import Many
from polemos.kernel.rule import rule

AROUND: Final = 3  # steps from a core that a raid reckons with
GUARDS: Final = 2  # steps from a target within which enemies guard it
RAIDS: Final = 16  # foreign stacks, the most that are hunted at a time; the lists of places have room for them
PROWL: Final = 4  # steps from a core within which they are hunted
DETOUR: Final = 60  # steps, the most that somebody goes out of the way of guards


@rule
def is_rival(state: State, seat: int, mind: Mind) -> bool:
    return seat != mind.seat and is_in(state, seat)


@rule
def is_foe(state: State, tile: int, mind: Mind) -> bool:
    return state.cell[tile].units > 0 and state.cell[tile].owner != mind.seat


@rule
def guard(state: State, mind: Mind, orders: Many[Order]) -> None:
    """Keeps on every core what it needs against the enemies near it, and notes how many are missing."""
    if mind.foes == 0:
        return
    for i in range(mind.cores):
        core = mind.core[i] + 0
        wanted = 0
        for seat in range(state.seats):
            if is_rival(state, seat, mind):
                reach = mind.habits.alarm + 0
                if 100 * state.units[mind.seat] > mind.habits.calm * state.units[seat]:
                    reach = 1
                wanted = max(wanted, near_by(state, core, seat, reach, mind) - state.defence + 1)
        if wanted > 0:
            here = state.cell[core].units + 0 if state.cell[core].owner == mind.seat else 0
            busy = here - mind.free[core]
            kept = max(0, wanted - busy)
            kept -= mine(state, core, kept, mind, orders)
            mind.free[core] -= min(kept, mind.free[core])
            mind.lack[i] = max(mind.lack[i], wanted - here)


@rule
def near_by(state: State, tile: int, seat: int, reach: int, mind: Mind) -> int:
    """Units of a player within so many steps of a tile, as the crow flies."""
    count = 0
    x = mind.x[tile] + 0
    y = mind.y[tile] + 0
    for row in range(max(0, y - reach), min(state.height, y + reach + 1)):
        wide = reach - abs(row - y)
        for there in range(row * state.width + max(0, x - wide), row * state.width + min(state.width, x + wide + 1)):
            if state.cell[there].units > 0 and state.cell[there].owner == seat:
                count += state.cell[there].units
    return count


@rule
def strike(state: State, mind: Mind, orders: Many[Order]) -> None:
    """All who stand free beside a target take it, if it falls even when all enemies beside it come to help.

    An even exchange is good for the one who has more than all others: such a one attacks any stack.
    """
    for i in range(mind.targets):
        attack(state, mind.target[i], mind, orders)
    others = 0
    for seat in range(state.seats):
        if is_rival(state, seat, mind):
            others += state.units[seat]
    if 100 * state.units[mind.seat] > mind.habits.lead * others:
        for i in range(mind.foes):
            if is_in(state, state.cell[mind.foe[i]].owner):
                attack(state, mind.foe[i], mind, orders)


@rule
def attack(state: State, target: int, mind: Mind, orders: Many[Order]) -> bool:
    """All who stand free beside a target move there, if they are enough."""
    force = 0
    for direction in range(4):
        there = mind.near[4 * target + direction] + 0
        if there >= 0:
            force += mind.free[there]
    if force == 0 or force < force_for(state, target, mind):
        return False
    for direction in range(4):
        there = mind.near[4 * target + direction] + 0
        if there >= 0 and mind.free[there] > 0:
            move(state, direction + 2 & 3, there, mind.free[there], mind, orders)
    return True


@rule
def force_for(state: State, target: int, mind: Mind) -> int:
    """Units that an attack needs, if all enemies beside the target come to help."""
    wanted = state.cell[target].units + 0
    for direction in range(4):
        there = mind.near[4 * target + direction] + 0
        if there >= 0 and is_foe(state, there, mind):
            wanted += state.cell[there].units
    owner = core_of(state.cell[target].building)
    if owner >= 0 and owner != mind.seat:
        wanted = strength(state, wanted)
    return (mind.habits.press * wanted + 99) // 100


@rule
def hunt(state: State, mind: Mind, orders: Many[Order]) -> None:
    """Small foreign stacks near own cores are attacked, or else they are places where units are missing for it."""
    if mind.habits.chase == 0:
        return
    first = mind.cores + mind.sites
    for i in range(mind.foes):
        tile = mind.foe[i] + 0
        if mind.raids < RAIDS and is_prey(state, tile, mind) and not attack(state, tile, mind, orders):
            mind.core[first + mind.raids] = tile
            mind.lack[first + mind.raids] = force_for(state, tile, mind)
            mind.raids += 1


@rule
def is_prey(state: State, tile: int, mind: Mind) -> bool:
    """Whether a stack is small enough to be hunted, and near enough to a core to be a danger."""
    units = state.cell[tile].units + 0
    if not is_in(state, state.cell[tile].owner) or 100 * units > mind.habits.prey * state.units[mind.seat]:
        return False
    for i in range(mind.cores):
        if gap(tile, mind.core[i], mind) <= PROWL:
            return True
    return False


@rule
def cost_of_war(state: State, rival: int, mind: Mind) -> int:
    """What it takes to do away with a rival for good, or with the core that lies nearest; 0 if nothing is there."""
    home = mind.core[0] + 0
    nearest = NONE
    way = FAR
    for i in range(mind.targets):
        target = mind.target[i] + 0
        owner = core_of(state.cell[target].building)
        if owner == rival or (owner < 0 and state.cell[target].owner == rival):
            steps = gap(home, target, mind)
            if steps < way:
                way = steps
                nearest = target
    if nearest < 0:
        return 0
    if mind.habits.local != 0:
        there = strength(state, near_by(state, nearest, rival, AROUND, mind))
    else:
        there = state.units[rival] + state.buildings[rival] * (state.defence + way)
    return mind.habits.sure * there // 100 + mind.habits.reserve


@rule
def plan(state: State, mind: Mind) -> int:
    """The rival that would be easiest to deal with, or NONE."""
    best = NONE
    least = 0
    if mind.cores == 0:
        return best
    for rival in range(state.seats):
        if is_rival(state, rival, mind):
            cost = cost_of_war(state, rival, mind)
            if cost > 0 and (best < 0 or cost < least):
                best = rival
                least = cost
    return best


@rule
def dares(state: State, mind: Mind) -> bool:
    """Whether idle units may go to war: not if a rival has too many more."""
    for seat in range(state.seats):
        if is_rival(state, seat, mind) and 100 * state.units[mind.seat] < mind.habits.brave * state.units[seat]:
            return False
    return True


@rule
def bystander(state: State, rival: int, mind: Mind) -> int:
    """Units of the strongest of the others: whoever fights while they look on must be able to stand against them."""
    most = 0
    for seat in range(state.seats):
        if seat != rival and is_rival(state, seat, mind):
            most = max(most, state.units[seat])
    return most


@rule
def guards_of(state: State, target: int, mind: Mind) -> int:
    """Enemies near a target, those in it included."""
    owner = core_of(state.cell[target].building)
    if owner < 0:
        owner = state.cell[target].owner + 0
    return near_by(state, target, owner, GUARDS, mind)


@rule
def survey(state: State, mind: Mind) -> None:
    """The steps from every tile to the nearest target; one that is well guarded counts as further away."""
    if mind.is_surveyed != 0:
        return
    mind.is_surveyed = 1
    most = 0
    for i in range(mind.targets):
        mind.delay[i] = 0
        if mind.habits.dodge > 0:
            guards = guards_of(state, mind.target[i], mind)
            mind.delay[i] = min(DETOUR, mind.habits.dodge * guards // max(1, state.units[mind.seat] >> 4))
            most = max(most, mind.delay[i])
    begin_search(mind)
    for tile in range(state.width * state.height):
        mind.steps[tile] = FAR
    next = 0
    steps = 0
    while steps <= most or next < mind.called:
        if steps <= most:
            for i in range(mind.targets):
                target = mind.target[i] + 0
                if mind.delay[i] == steps and mind.seen[target] != mind.mark:
                    mind.steps[target] = steps
                    mind.aim[target] = target
                    enter(target, mind)
        while next < mind.called and mind.steps[mind.queue[next]] == steps:
            tile = mind.queue[next] + 0
            next += 1
            for direction in range(4):
                there = mind.near[4 * tile + direction] + 0
                if there >= 0 and mind.seen[there] != mind.mark:
                    mind.steps[there] = steps + 1
                    mind.aim[there] = mind.aim[tile]
                    enter(there, mind)
        steps += 1


@rule
def march(state: State, number: int, mind: Mind, orders: Many[Order]) -> None:
    """So many free units, those first who have the shortest way, go to war."""
    mind.is_surveyed = 0
    survey(state, mind)
    for i in range(mind.called):  # the queue of the survey has the tiles in the order of their steps
        if number <= 0:
            return
        tile = mind.queue[i] + 0
        if mind.free[tile] > 0:
            number -= advance(state, tile, number, mind, orders)


@rule
def advance(state: State, tile: int, number: int, mind: Mind, orders: Many[Order]) -> int:
    """Free units of a tile take a step towards the nearest target, or wait beside it until they are enough."""
    survey(state, mind)
    if mind.steps[tile] >= FAR or mind.aim[tile] == tile:
        return 0
    far = gap(tile, mind.aim[tile], mind)
    if far > 1 and not waits(state, tile, far, mind):
        return move(state, descend(0, tile, mind), tile, number, mind, orders)
    number = min(number, mind.free[tile])
    dug = mine(state, tile, number, mind, orders)
    mind.free[tile] -= number - dug
    return number


@rule
def waits(state: State, tile: int, far: int, mind: Mind) -> bool:
    """Whether units near their target wait for others, because together they are too few for it."""
    if far != mind.habits.rally:
        return False
    wanted = strength(state, guards_of(state, mind.aim[tile], mind))
    return near_by(state, tile, mind.seat, GUARDS, mind) < wanted
