"""What a scripted player has in mind: its habits, the position as it sees it, and the list in the making. No paragraph.

Everything here is filled again for each list; only the map is kept, because it stays the same for a whole game.
"""

from __future__ import annotations

from typing import Final

from polemos.games.monad.rules.board import block_tile, core_of, is_open, neighbour
from polemos.games.monad.rules.play import put
from polemos.games.monad.state import BLOCKED, BUILD, MAX_TILES, MINE, MOVE, WORK, Order, State
from polemos.kernel.record import Array, Many, Record, i8, i16, i32, i64, size
from polemos.kernel.rule import rule

NONE: Final = -1
FAR: Final = 9999  # steps to what cannot be reached
NEAR: Final = 5  # steps that are looked at first
HABITS: Final = 9  # policies with habits of their own,
GUESTS: Final = 24  # and habits that a search is given to try, or grows, behind them
TRAITS: Final = (
    "most",
    "crowd",
    "helper",
    "fetch",
    "alarm",
    "sure",
    "reserve",
    "local",
    "brave",
    "wave",
    "lead",
    "press",
    "ahead",
    "walk",
    "party",
    "apart",
    "poor",
    "shy",
    "greed",
    "look",
    "vein",
    "grab",
    "calm",
    "dodge",
    "rally",
    "chase",
    "prey",
)  # the fields of `Habits`
COLUMNS: Final = len(TRAITS)


class Habits(Record):
    """How a scripted player differs from others."""

    most: i32  # buildings that it wants
    crowd: i32  # turns of digging that a unit wants to find where it goes
    helper: i32  # worth of a free unit near a site, in twelfths of an ore
    fetch: i32  # steps from which workers and guards are fetched
    alarm: i32  # steps from a core at which an enemy is reckoned with
    sure: i32  # hundredths: how much more than the enemy has it must have to march; 0: it always does, with everybody
    reserve: i32  # and so many units besides
    local: i32  # 1: it counts the enemies near the core it goes for, 0: all that a rival has
    brave: i32  # hundredths of the strongest rival's units that it must have to let idle units go to war
    wave: i32  # so many of them go together
    lead: i32  # hundredths of all rivals' units that it must have to attack any stack
    press: i32  # hundredths of what an attack needs that it must have
    ahead: i32  # turns of digging for which it plans buildings in fresh ore; 0: it builds only where units stand
    walk: i32  # what each step to such a site takes from its worth
    party: i32  # units that go there together
    apart: i32  # steps around a core within which ore is not fresh any more
    poor: i32  # a site must be worth more than this
    shy: i32  # and so many steps away from the enemy
    greed: i32  # turns of digging beyond which ore is as good as any; 0: diggers go to the nearest that has room
    look: i32  # steps within which it looks for the best ore then
    vein: i32  # ore that a tile must have to be worth a longer way
    grab: i32  # thousandths of a digger's time that a step nearer to the enemy is worth: ore there is gone first
    calm: i32  # hundredths of a rival's units that it must have to reckon with the next step of that rival alone
    dodge: i32  # steps that it goes out of its way where a sixteenth as many as it has itself guard a target
    rally: i32  # steps from a target at which units wait until they are enough; 0: they wait beside it
    chase: i32  # steps from which units are called against foreign stacks near an own core; 0: nobody goes after them
    prey: i32  # hundredths of its own units that such a stack has at most


class Mind(Record):
    """A player's view of the position. Lists are in reading order unless they say otherwise."""

    habits: Habits
    told: i8  # 1: the habits of all policies are there
    temper: Array[i32] = size((HABITS + GUESTS) * COLUMNS)
    map: i64  # a stamp of the map whose neighbours are noted
    seat: i32
    stacks: i32
    cores: i32
    sites: i32  # places behind the cores where a building is to be
    reserved: i64  # stock for them
    raids: i32  # behind the sites: foreign stacks that are hunted
    foes: i32
    targets: i32
    ore: i64  # on the whole map
    count: i32  # orders given
    limit: i32  # and how many there may be
    stock: i64  # not yet spent
    mark: i32  # of the latest search
    turned: i32  # which way round it looks, from a key
    called: i32  # tiles in the queue
    is_surveyed: i8  # `steps` are those to the targets of this turn
    is_prospected: i8  # and so are those to the ore
    near: Array[i16] = size(4 * MAX_TILES)  # neighbours by direction, -1 where nobody goes
    across: Array[i16] = size(4 * MAX_TILES)  # the far corner of the block in a direction, -1 if it does not fit
    x: Array[i8] = size(MAX_TILES)
    y: Array[i8] = size(MAX_TILES)
    stack: Array[i16] = size(MAX_TILES)  # own stacks
    core: Array[i16] = size(MAX_TILES)  # own cores
    foe: Array[i16] = size(MAX_TILES)  # foreign stacks
    target: Array[i16] = size(MAX_TILES)  # cores of rivals, and units of those who have none
    delay: Array[i16] = size(MAX_TILES)  # by target: steps by which it counts as further away
    aim: Array[i16] = size(MAX_TILES)  # by tile: the nearest target
    free: Array[i32] = size(MAX_TILES)  # own units without an order
    lack: Array[i64] = size(MAX_TILES)  # by core: units that are missing there
    claimed: Array[i32] = size(MAX_TILES)  # own units that dig there, or are on their way to
    covered: Array[i8] = size(MAX_TILES)  # part of a building, or of one that was ordered
    steps: Array[i16] = size(3 * MAX_TILES)  # by tile: to the nearest target, to the nearest ore, and for passing use
    rich: Array[i32] = size(MAX_TILES)  # what a site is worth
    poor: Array[i32] = size(MAX_TILES)  # the same, one blur before
    seen: Array[i32] = size(MAX_TILES)  # by the search with this mark
    first: Array[i8] = size(MAX_TILES)  # its first direction
    source: Array[i16] = size(MAX_TILES)  # where a search over several tiles came from
    queue: Array[i16] = size(MAX_TILES)


@rule
def stamp_of(state: State) -> int:
    """Tells maps apart by their size and blocked tiles. States can be written from outside, so nothing less will do."""
    stamp = state.width << 8 | state.height
    for tile in range(state.width * state.height):
        if state.cell[tile].field == BLOCKED:
            stamp = stamp * 31 + tile + 1 & 0xFFFFFFFFFFFF
    return stamp


@rule
def learn_map(state: State, mind: Mind) -> None:
    """Notes the neighbours of all tiles, unless this is the map that they were noted of."""
    stamp = stamp_of(state)
    if mind.map == stamp:
        return
    mind.map = stamp
    mind.mark = 0
    for tile in range(state.width * state.height):
        mind.x[tile] = tile % state.width
        mind.y[tile] = tile // state.width
        for direction in range(4):
            there = neighbour(state, tile, direction)
            mind.near[4 * tile + direction] = there if is_open(state, there) else NONE
            fits = 1
            for which in range(4):
                if not is_open(state, block_tile(state, tile, direction, which)):
                    fits = 0
            mind.across[4 * tile + direction] = block_tile(state, tile, direction, 3) if fits == 1 else NONE


@rule
def wake(state: State, seat: int, turned: int, count: int, limit: int, mind: Mind) -> None:
    """Looks at the position; no order is given yet. The list has `count` orders of others."""
    learn_map(state, mind)
    mind.seat = seat
    mind.turned = turned & 3
    mind.count = count
    mind.limit = limit
    mind.stock = state.stock[seat]
    mind.stacks = 0
    mind.cores = 0
    mind.sites = 0
    mind.reserved = 0
    mind.raids = 0
    mind.foes = 0
    mind.targets = 0
    mind.ore = 0
    mind.is_surveyed = 0
    mind.is_prospected = 0
    if mind.mark > 1 << 29:
        mind.mark = 0
    if mind.mark == 0:
        for tile in range(state.width * state.height):
            mind.seen[tile] = 0
    for tile in range(state.width * state.height):
        cell = state.cell[tile]
        mind.free[tile] = 0
        mind.claimed[tile] = 0
        mind.covered[tile] = cell.building != 0
        mind.ore += cell.ore
        if cell.units > 0:
            if cell.owner == seat:
                mind.stack[mind.stacks] = tile
                mind.stacks += 1
                mind.free[tile] = cell.units
            else:
                note_foe(state, tile, mind)
        if cell.building > 0:
            note_core(state, tile, mind)


@rule
def note_foe(state: State, tile: int, mind: Mind) -> None:
    owner = state.cell[tile].owner
    mind.foe[mind.foes] = tile
    mind.foes += 1
    if state.buildings[owner] == 0 and state.forfeited[owner] == 0:
        mind.target[mind.targets] = tile
        mind.targets += 1


@rule
def note_core(state: State, tile: int, mind: Mind) -> None:
    owner = core_of(state.cell[tile].building)
    if owner == mind.seat:
        mind.core[mind.cores] = tile
        mind.lack[mind.cores] = 0
        mind.cores += 1
    elif owner >= 0 and state.forfeited[owner] == 0:
        mind.target[mind.targets] = tile
        mind.targets += 1


# ---- orders


@rule
def order(
    state: State, word: int, direction: int, tile: int, number: int, mind: Mind, orders: Many[Order]
) -> int:  # fmt: skip
    """Puts an order on the list, for no more units than are free; says for how many."""
    number = min(number, mind.free[tile])
    if number <= 0 or mind.count >= mind.limit:
        return 0
    put(orders, mind.count, mind.seat, word, direction, tile, tile % state.width, number)
    mind.count += 1
    mind.free[tile] -= number
    return number


@rule
def move(state: State, direction: int, tile: int, number: int, mind: Mind, orders: Many[Order]) -> int:
    return order(state, MOVE, direction, tile, number, mind, orders)


@rule
def toil(state: State, tile: int, number: int, mind: Mind, orders: Many[Order]) -> int:
    """6.1 Units on an own core work."""
    return order(state, WORK, 0, tile, number, mind, orders)


@rule
def mine(state: State, tile: int, number: int, mind: Mind, orders: Many[Order]) -> int:
    """7.1 No more than there is ore."""
    dug = order(state, MINE, 0, tile, min(number, state.cell[tile].ore - mind.claimed[tile]), mind, orders)
    mind.claimed[tile] += dug
    return dug


@rule
def found(state: State, tile: int, direction: int, mind: Mind, orders: Many[Order]) -> bool:
    """5 A building, paid from what is left of the stock."""
    if mind.stock < state.cost or order(state, BUILD, direction, tile, 1, mind, orders) == 0:
        return False
    mind.stock -= state.cost
    for which in range(4):
        mind.covered[block_tile(state, tile, direction, which)] = 1
    return True


@rule
def site(tile: int, mind: Mind) -> int:
    """5.2, 5.3 A direction in which a building fits, or NONE. Blocks on even tiles first, which leaves no gaps."""
    fits = NONE
    if mind.covered[tile] != 0:
        return fits
    for direction in range(4):
        corner = mind.across[4 * tile + direction] + 0
        if corner >= 0:
            aside = mind.x[corner] - mind.x[tile]
            if mind.covered[corner] + mind.covered[tile + aside] + mind.covered[corner - aside] == 0:
                if (min(mind.x[corner], mind.x[tile]) | min(mind.y[corner], mind.y[tile])) & 1 == 0:
                    return direction
                if fits < 0:
                    fits = direction
    return fits


# ---- ways


@rule
def gap(one: int, other: int, mind: Mind) -> int:
    """Steps between two tiles if nothing is in the way."""
    return abs(mind.x[one] - mind.x[other]) + abs(mind.y[one] - mind.y[other])


@rule
def begin_search(mind: Mind) -> None:
    mind.mark += 1
    mind.called = 0


@rule
def enter(tile: int, mind: Mind) -> None:
    """A tile joins the search; only once."""
    mind.seen[tile] = mind.mark
    mind.queue[mind.called] = tile
    mind.called += 1


@rule
def direction_of(mind: Mind, i: int) -> int:
    """The four directions in this player's own order, so that games differ."""
    return i + mind.turned & 3


@rule
def measure(at: int, tiles: int, mind: Mind) -> None:
    """Fills in the steps from every tile to those in the queue, from place `at` of the table on."""
    for tile in range(tiles):
        mind.steps[at + tile] = FAR
    for i in range(mind.called):
        mind.steps[at + mind.queue[i]] = 0
    next = 0
    while next < mind.called:
        tile = mind.queue[next] + 0
        next += 1
        after = mind.steps[at + tile] + 1
        for direction in range(4):
            there = mind.near[4 * tile + direction] + 0
            if there >= 0 and mind.seen[there] != mind.mark:
                mind.steps[at + there] = after
                enter(there, mind)


@rule
def descend(at: int, tile: int, mind: Mind) -> int:
    """A direction in which the steps of the table grow fewer, or NONE."""
    here = mind.steps[at + tile]
    for i in range(4):
        direction = direction_of(mind, i)
        there = mind.near[4 * tile + direction] + 0
        if there >= 0 and mind.steps[at + there] < here:
            return direction
    return NONE
