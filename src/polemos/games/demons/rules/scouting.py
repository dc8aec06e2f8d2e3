"""What the scripted players of batches know of the ground and the lanes, and how they fill in a sheet. No paragraph."""

from __future__ import annotations

from typing import Final

from polemos.games.demons.rules.arrivals import MERCENARY_HEALTH, turns_to_wave
from polemos.games.demons.rules.lanes import goal_of, lane_of, steps_to
from polemos.games.demons.rules.phases import why_not_build, why_not_hire
from polemos.games.demons.state import (
    BLUE,
    BUILDERS,
    CROSSBOW,
    GOOD,
    HIRING,
    HOUSE,
    KINDS,
    MAX_LANES,
    MAX_PORTALS,
    MAX_TILES,
    MINIGUN,
    RED,
    Order,
    State,
)
from polemos.kernel.dice import scatter
from polemos.kernel.record import Array, Record, i8, i16, i32, size, u64
from polemos.kernel.rule import rule

POST: Final = 2  # steps from a base: where its attackers stand (5.4, 6.5)
BLOW: Final = 7  # health that a demon takes from a mercenary in a turn
SHARE: Final = 60  # shots are counted in sixtieths: cooldowns are divisors of it
NONE: Final = -1
FAR: Final = 9999
LOOK: Final = 18  # turns for which a purse is reckoned ahead
MAX_FOES: Final = MAX_LANES * (LOOK + POST) + 2 * MAX_PORTALS


class Foe(Record):
    """A unit that attacks a base, or a demon that will come out of a portal."""

    due: i16  # turns until it stands where it can strike
    steps: i16  # to the base
    health: i32
    lane: i8


class Survey(Record):
    """What a map is worth to both players, worked out once, and what stands on the lanes at the moment."""

    of: i32  # 1 + the number of the starting position whose map this is
    worth: Array[i16] = size(2 * KINDS * MAX_TILES)  # what a tower would cover, in quarters
    due: Array[i32] = size(MAX_LANES)  # turns until a foe strikes whom nobody stops, or FAR
    health: Array[i32] = size(MAX_LANES)  # of that foe
    cost: Array[i32] = size(MAX_LANES)  # of an attack
    houses: Array[i32] = size(2)  # by player
    foes: i16
    foe: Array[Foe] = size(MAX_FOES)  # who can strike within LOOK turns, the first one first
    pay: Array[i32] = size(LOOK + 1)  # gold that comes in after so many turns


@rule
def survey(state: State, of: int, found: Survey) -> None:
    """How much of the lanes towers would cover from each tile: more near your base, most before its gate."""
    found.of = of
    for tile in range(state.path, state.tiles):
        player = state.tile[tile].kind
        for kind in range(CROSSBOW, MINIGUN + 1):
            worth = 0
            for path in range(state.path):
                if distance(state, tile, path) <= state.book.range[kind]:
                    steps = steps_to(state, path, player)
                    half = state.lane[lane_of(state, path)].length // 2
                    worth += 20 if steps == POST else 4 if steps <= half else 1
            found.worth[(player * KINDS + kind) * MAX_TILES + tile] = worth


@rule
def distance(state: State, a: int, b: int) -> int:
    return abs(state.tile[a].x - state.tile[b].x) + abs(state.tile[a].y - state.tile[b].y)


@rule
def first_place(state: State, player: int, key: u64) -> int:
    """The piece of land that is looked at first, for an order of chance; a map may have none."""
    return scatter(key, 8 + player) % max(1, state.tiles - state.path)


@rule
def site(state: State, player: int, kind: int, quiet: bool, first: int, found: Survey) -> int:
    """The free tile that covers most, or least; equals are taken in an order of chance. NONE if there is none."""
    best = NONE
    most = 0
    land = state.tiles - state.path
    for i in range(land):
        tile = state.path + (first + i if first + i < land else first + i - land)
        if state.tile[tile].kind == player and state.tile[tile].tower == 0:
            worth = found.worth[(player * KINDS + kind) * MAX_TILES + tile]
            if best < 0 or (worth < most if quiet else worth > most):
                best = tile
                most = worth
    return NONE if not quiet and most < 4 else best


@rule
def gate(state: State, lane: int, player: int) -> int:
    """The tile of a lane from which a player's base is attacked."""
    row = state.lane[lane]
    return row.first + POST - 1 if player == RED else row.first + row.length - POST


@rule
def shots(state: State, lane: int, player: int) -> int:
    """What a player's towers take each turn from a foe before the base, in sixtieths."""
    sum = 0
    for i in range(state.towers):
        tower = state.tower[i]
        if tower.owner == player and CROSSBOW <= tower.kind <= MINIGUN:
            if distance(state, tower.tile, gate(state, lane, player)) <= state.book.range[tower.kind]:
                sum += SHARE * state.book.damage[tower.kind] // max(1, state.book.cooldown[tower.kind])
    return sum


@rule
def guards(state: State, lane: int, player: int, before: int) -> int:
    """What a player's mercenaries nearer to the base than `before` can take from a demon until they fall."""
    strength = 0
    for i in range(state.units):
        unit = state.unit[i]
        if unit.kind == player and lane_of(state, unit.tile) == lane and steps_to(state, unit.tile, player) < before:
            strength += state.book.mercenary_damage * ((unit.health + BLOW - 1) // BLOW)
    queued = state.queue[player * 4 + exit_of(state, lane, player)]
    return strength + queued * state.book.mercenary_damage * ((MERCENARY_HEALTH + BLOW - 1) // BLOW)


@rule
def exit_of(state: State, lane: int, player: int) -> int:
    """The direction in which a lane leaves a player's base."""
    return state.lane[lane].red_exit if player == RED else state.lane[lane].blue_exit


@rule
def watch(state: State, player: int, within: int, shooting: bool, found: Survey) -> int:
    """Notes for each lane when the first unstopped enemy strikes; the lane where that is soonest, or NONE.

    Towers that shoot are counted on if `shooting`."""
    soonest = NONE
    for lane in range(state.lanes):
        found.due[lane] = FAR
        stopped = NONE if shooting else 0  # towers are many, and most lanes are quiet: they are counted when it matters
        wounds = 0
        for i in range(state.units):
            j = i if player == RED else state.units - 1 - i  # the nearest first: units are sorted by tile
            unit = state.unit[j]
            if goal_of(unit.kind) != player or lane_of(state, unit.tile) != lane or found.due[lane] != FAR:
                continue
            steps = steps_to(state, unit.tile, player)
            due = max(0, steps - POST)
            if due <= within:
                if stopped < 0:
                    stopped = shots(state, lane, player)
                wounds += max(0, SHARE * unit.health - stopped * min(4, due))
                if wounds > SHARE * guards(state, lane, player, steps):
                    found.due[lane] = due
                    found.health[lane] = unit.health
        if found.due[lane] != FAR and (soonest < 0 or found.due[lane] < found.due[soonest]):
            soonest = lane
    return soonest


@rule
def hire(state: State, player: int, lane: int, gold: int, order: Order) -> int:
    """Hires down a lane, if that is lawful; the gold that is left."""
    if lane < 0 or order.hire >= 0 or state.step == BUILDERS:
        return gold
    direction = exit_of(state, lane, player)
    if why_not_hire(state, player, direction, gold) != GOOD:
        return gold
    order.hire = direction
    return gold - state.book.mercenary_price


@rule
def build(state: State, player: int, kind: int, tile: int, gold: int, order: Order) -> int:
    """Builds a tower, if that is lawful; the gold that is left."""
    if tile < 0 or order.build >= 0 or state.step == HIRING:
        return gold
    if why_not_build(state, player, kind, tile, gold) != GOOD:
        return gold
    order.build = kind
    order.build_at = tile
    return gold - state.price[player * KINDS + kind]


@rule
def count_towers(state: State, player: int, houses: bool) -> int:
    """A player's houses, or all other towers."""
    count = 0
    for i in range(state.towers):
        count += state.tower[i].owner == player and (state.tower[i].kind == HOUSE) == houses
    return count


@rule
def count_houses(state: State, found: Survey) -> None:
    """The houses of both players, at one go."""
    found.houses[RED] = 0
    found.houses[BLUE] = 0
    for i in range(state.towers):
        if state.tower[i].kind == HOUSE:
            found.houses[state.tower[i].owner] += 1


@rule
def demon_next(state: State, player: int) -> int:
    """A lane with a portal that sends a demon to the player in this turn or the next, or NONE."""
    for i in range(state.portals):
        portal = state.portal[i]
        if portal.target == player and (portal.queued > 0 or turns_to_wave(state, i) == 0):
            return lane_of(state, portal.tile)
    return NONE


@rule
def shortest(state: State) -> int:
    best = 0
    for lane in range(1, state.lanes):
        if state.lane[lane].length < state.lane[best].length:
            best = lane
    return best
