"""Features of a position, for its learned judgement at the end of a playout. No paragraph of the book."""

from __future__ import annotations

from typing import Final

from polemos.games.monad.rules.board import core_of
from polemos.games.monad.rules.end import is_in
from polemos.games.monad.state import State
from polemos.kernel.judgement import Facts, octaves
from polemos.kernel.rule import rule

# What is said of the seat, and of the rival with the most units.
SIDE: Final = {
    "units": "units, in sixteenths of octaves",
    "buildings": "buildings, in sixteenths of octaves",
    "stock": "buildings that the stock would pay, in sixteenths",
    "stacks": "stacks, in sixteenths of octaves",
    "largest": "units of the largest stack, in sixteenths of octaves",
    "points": "points on its cores, in sixteenths of octaves",
    "on ore": "units that stand on ore, in sixteenths of octaves",
    "ore": "ore under its units, in sixteenths of octaves",
    "close": "units within four steps of foreign cores, in sixteenths of octaves",
    "alarm": "foreign units within four steps of its cores, in sixteenths of octaves",
    "middle": "how far its units stand from its cores on average, in sixteenths of steps",
}
SHARED: Final = {
    "left": "turns to come, in sixteenths of octaves",
    "tiles": "tiles of the map, in sixteenths of octaves",
    "all ore": "ore on the map, in sixteenths of octaves",
    "cost": "the price of a building, in sixteenths of octaves",
    "rivals": "rivals with units or buildings",
    "unit share": "thousandths of all units that are the seat's",
    "building share": "thousandths of all buildings that are the seat's",
    "stock share": "thousandths of all stocks that are the seat's",
    "unit lead": "octaves by which it has more units than the strongest rival, in sixteenths",
    "building lead": "octaves by which it has more buildings than the strongest rival, in sixteenths",
}
FEATURES: Final = {
    **SHARED,
    **{f"own {name}": says for name, says in SIDE.items()},
    **{f"rival {name}": says for name, says in SIDE.items()},
}
SIDES: Final = len(SIDE)
FIRST: Final = len(SHARED)

CLOSE: Final = 4  # steps


@rule
def steps_between(state: State, one: int, other: int) -> int:
    width = state.width
    return abs(one % width - other % width) + abs(one // width - other // width)


@rule
def describe_side(state: State, seat: int, at: int, facts: Facts) -> None:
    """The features of one player, from column `at` on."""
    tiles = state.width * state.height
    stacks = 0
    largest = 0
    points = 0
    digging = 0
    ore = 0
    close = 0
    alarm = 0
    way = 0
    for core in range(tiles):
        owner = core_of(state.cell[core].building)
        if owner < 0:
            continue
        if owner == seat:
            points += state.cell[core].points
        for row in range(max(0, core // state.width - CLOSE), min(state.height, core // state.width + CLOSE + 1)):
            wide = CLOSE - abs(row - core // state.width)
            x = core % state.width
            first = row * state.width + max(0, x - wide)
            for tile in range(first, row * state.width + min(state.width, x + wide + 1)):
                cell = state.cell[tile]
                if cell.units > 0:
                    if owner == seat:
                        alarm += cell.units if cell.owner != seat else 0
                    elif cell.owner == seat:
                        close += cell.units
    home = home_of(state, seat)
    for tile in range(tiles):
        cell = state.cell[tile]
        if cell.units > 0 and cell.owner == seat:
            stacks += 1
            largest = max(largest, cell.units)
            if cell.ore > 0:
                digging += cell.units
                ore += cell.ore
            way += cell.units * steps_between(state, tile, home)
    facts.of[at] = octaves(state.units[seat])
    facts.of[at + 1] = octaves(state.buildings[seat])
    facts.of[at + 2] = 16 * min(state.stock[seat], 100 * state.cost) // max(1, state.cost)
    facts.of[at + 3] = octaves(stacks)
    facts.of[at + 4] = octaves(largest)
    facts.of[at + 5] = octaves(points)
    facts.of[at + 6] = octaves(digging)
    facts.of[at + 7] = octaves(ore)
    facts.of[at + 8] = octaves(close)
    facts.of[at + 9] = octaves(alarm)
    facts.of[at + 10] = 16 * way // max(1, state.units[seat])


@rule
def home_of(state: State, seat: int) -> int:
    """The tile in the middle of a player's cores; where it began, if there are none."""
    x = 0
    y = 0
    count = 0
    for tile in range(state.width * state.height):
        if core_of(state.cell[tile].building) == seat:
            x += tile % state.width
            y += tile // state.width
            count += 1
    return state.start[seat] + 0 if count == 0 else y // count * state.width + x // count


@rule
def thousandths(mine: int, all: int) -> int:
    return 1000 * mine // all if all > 0 else 0


@rule
def describe(state: State, seat: int, facts: Facts) -> None:
    """All features of a seat."""
    ore = 0
    for tile in range(state.width * state.height):
        ore += state.cell[tile].ore
    rival = (seat + 1) % state.seats
    rivals = 0
    units = 0
    buildings = 0
    stocks = 0
    for i in range(state.seats):
        other = (seat + i) % state.seats
        if not is_in(state, other):
            continue
        units += state.units[other]
        buildings += state.buildings[other]
        stocks += state.stock[other]
        if other != seat and state.units[other] + state.buildings[other] > 0:
            rivals += 1
            if state.units[other] > state.units[rival]:
                rival = other
    facts.of[0] = octaves(state.turns - state.turn)
    facts.of[1] = octaves(state.width * state.height)
    facts.of[2] = octaves(ore)
    facts.of[3] = octaves(state.cost)
    facts.of[4] = rivals
    facts.of[5] = thousandths(state.units[seat], units)
    facts.of[6] = thousandths(state.buildings[seat], buildings)
    facts.of[7] = thousandths(state.stock[seat], stocks)
    facts.of[8] = octaves(state.units[seat]) - octaves(state.units[rival])
    facts.of[9] = octaves(state.buildings[seat]) - octaves(state.buildings[rival])
    describe_side(state, seat, FIRST, facts)
    describe_side(state, rival, FIRST + SIDES, facts)
