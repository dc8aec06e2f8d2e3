"""8 Towers, part 3.5; 11.5 to 11.9 for the finals."""

from __future__ import annotations

from polemos.games.demons.rules import events
from polemos.games.demons.rules.dice import target_die
from polemos.games.demons.rules.lanes import clear_hurt, lane_of, steps_to
from polemos.games.demons.rules.march import bury
from polemos.games.demons.state import (
    BLUE,
    CANNON,
    CHURCH,
    DEMON,
    HOUSE,
    MAX_HEALTH,
    MINIGUN,
    Q2,
    Q3,
    Q4,
    Q5,
    Q6,
    Q7,
    RED,
    TOWERS_ACT,
    State,
    Work,
)
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log
from polemos.kernel.rule import entry, rule

HOUSE_GOLD = 12
CHURCH_HEALTH = 10
CHURCH_DAMAGE = 10
NOT_THROWN = -1  # the die of the best target so far


@rule
def towers(state: State, chance: Chance, log: Log, work: Work) -> None:
    """8.8 All act on the board as this part finds it; 11.7 in the finals one after the other."""
    clear_hurt(state, work)
    for i in range(state.towers):
        tower = state.tower[i]
        if state.quirks & Q2:
            if tower.cooldown > 0:
                tower.cooldown -= 1
            elif act(state, chance, i, log, work):
                tower.cooldown = state.book.cooldown[tower.kind]
        else:
            tower.cooldown -= 1
            if tower.cooldown <= 0:
                tower.cooldown = state.book.cooldown[tower.kind]  # 8.2 with or without a target
                act(state, chance, i, log, work)
    dead = 0
    for i in range(state.units):
        state.unit[i].health -= work.hurt[i]
        dead += state.unit[i].health <= 0
    if dead > 0:
        bury(state, TOWERS_ACT, log)


@rule
def act(state: State, chance: Chance, i: int, log: Log, work: Work) -> bool:
    """What a tower does; whether there was anything to do."""
    tower = state.tower[i]
    if tower.kind == HOUSE:
        state.gold[tower.owner] += HOUSE_GOLD
        events.income(log, tower.owner, tower.tile, HOUSE_GOLD)
        return True
    if state.units == 0:
        return False
    if tower.kind == CHURCH:
        return strengthen(state, i, log, work)
    if tower.kind == MINIGUN:
        return sweep(state, i, log, work)
    return shoot(state, chance, i, log, work)


@rule
def in_range(state: State, i: int, j: int) -> bool:
    """8.3 Whether tower i reaches unit j."""
    tower = state.tower[i]
    dx = state.tile[state.unit[j].tile].x - state.tile[tower.tile].x
    dy = state.tile[state.unit[j].tile].y - state.tile[tower.tile].y
    return reaches(state.rules, state.quirks, state.book.range[tower.kind], dx, dy)


@entry
def reaches(rules: int, quirks: int, reach: int, dx: int, dy: int) -> bool:
    """8.3 Steps, inclusive; 11.6 in the finals a circle whose east and south rim is never scanned."""
    if rules == 0:
        return abs(dx) + abs(dy) <= reach
    if quirks & Q3 and (dx == reach or dy == reach):
        return False
    return dx * dx + dy * dy <= reach * reach


@rule
def is_target(state: State, owner: int, j: int) -> bool:
    """8.4 Enemy mercenaries and all demons; 11.7 in the finals only demons aimed at the owner."""
    kind = state.unit[j].kind
    if kind < DEMON:
        return kind != owner
    return not state.quirks & Q6 or kind == DEMON + owner


@rule
def wound(state: State, i: int, j: int, damage: int, log: Log, work: Work) -> None:
    """11.7 In the finals a wound is felt by the next tower already; otherwise all wounds are summed."""
    if state.quirks & Q5:
        state.unit[j].health -= damage
    else:
        work.hurt[j] += damage
    tower = state.tower[i]
    unit = state.unit[j]
    events.shot(log, tower.owner, tower.kind, tower.tile, unit.tile, unit.kind, damage)


@rule
def sweep(state: State, i: int, log: Log, work: Work) -> bool:
    """8.6 The minigun hits every enemy in range."""
    tower = state.tower[i]
    found = False
    for j in range(state.units):
        if is_target(state, tower.owner, j) and in_range(state, i, j):
            found = True
            wound(state, i, j, state.book.damage[MINIGUN], log, work)
    return found


@rule
def shoot(state: State, chance: Chance, i: int, log: Log, work: Work) -> bool:
    """8.5 The crossbow and the cannon shoot at one target."""
    tower = state.tower[i]
    best = -1
    work.die = NOT_THROWN
    for j in range(state.units):
        if is_target(state, tower.owner, j) and in_range(state, i, j):
            if best < 0 or prefers(state, chance, i, j, best, log, work):
                best = j
    if best < 0:
        return False
    wound(state, i, best, state.book.damage[tower.kind], log, work)
    if tower.kind == CANNON and state.rules == 1:
        splash(state, i, best, log, work)
    return True


@rule
def prefers(state: State, chance: Chance, i: int, j: int, best: int, log: Log, work: Work) -> bool:
    """8.5 Fewest lane steps to the owner's base, more health, nearer to the tower, the owner's lower lane."""
    if state.quirks & Q4:
        return prefers_in_the_finals(state, chance, i, j, best, log, work)
    tower = state.tower[i]
    one = state.unit[j]
    other = state.unit[best]
    mine = steps_to(state, one.tile, tower.owner)
    yours = steps_to(state, other.tile, tower.owner)
    if mine != yours:
        return mine < yours
    if one.health != other.health:
        return one.health > other.health
    near = nearness(state, tower.tile, one.tile)
    far = nearness(state, tower.tile, other.tile)
    if near != far:
        return near < far
    return lane_number(state, one.tile, tower.owner) < lane_number(state, other.tile, tower.owner)


@rule
def nearness(state: State, a: int, b: int) -> int:
    return abs(state.tile[a].x - state.tile[b].x) + abs(state.tile[a].y - state.tile[b].y)


@rule
def lane_number(state: State, tile: int, player: int) -> int:
    """1.8 A lane's number as a player counts."""
    lane = lane_of(state, tile)
    return lane if player == RED else state.lane[lane].blue_number


@rule
def prefers_in_the_finals(state: State, chance: Chance, i: int, j: int, best: int, log: Log, work: Work) -> bool:
    """11.7 Lowest place on the lane for red, highest for blue; then health, damage, a die."""
    better = compare_in_the_finals(state, i, j, best)
    if better > 0:
        work.die = NOT_THROWN
    if better != 0:
        return better > 0
    # Every die is thrown once, and only where it decides.
    if work.die == NOT_THROWN:
        work.die = target_die(state, chance, i, best, log)
    die = target_die(state, chance, i, j, log)
    if die <= work.die:
        return False
    work.die = die
    return True


@rule
def compare_in_the_finals(state: State, i: int, j: int, best: int) -> int:
    """11.7 Above 0 if tower i prefers unit j to the best so far, below 0 if not, 0 if a die must decide."""
    owner = state.tower[i].owner
    one = state.unit[j]
    other = state.unit[best]
    mine = steps_to(state, one.tile, RED)
    yours = steps_to(state, other.tile, RED)
    if mine != yours:
        return mine - yours if owner == BLUE else yours - mine
    if one.health != other.health:
        return one.health - other.health
    return one.damage - other.damage


@rule
def splash(state: State, i: int, target: int, log: Log, work: Work) -> None:
    """11.8 The two lane neighbours of the target; at a lane's end the missing one is the target itself."""
    owner = state.tower[i].owner
    tile = state.unit[target].tile
    lane = state.lane[lane_of(state, tile)]
    for side in range(-1, 2, 2):
        beside = tile + side
        if lane.first <= beside < lane.first + lane.length:
            for j in range(state.units):
                if state.unit[j].tile == beside and state.unit[j].kind != owner:
                    wound(state, i, j, state.book.damage[CANNON], log, work)
        elif state.quirks & Q7:
            wound(state, i, target, state.book.damage[CANNON], log, work)


@rule
def strengthen(state: State, i: int, log: Log, work: Work) -> bool:
    """11.9 Allied mercenaries in range get health and damage, which stack."""
    tower = state.tower[i]
    found = False
    for j in range(state.units):
        unit = state.unit[j]
        if unit.kind == tower.owner and in_range(state, i, j):
            found = True
            if state.quirks & Q5:
                unit.health = min(unit.health + CHURCH_HEALTH, MAX_HEALTH)
            else:
                work.hurt[j] -= CHURCH_HEALTH  # 8.8 no other tower feels it this turn
            unit.damage = min(unit.damage + CHURCH_DAMAGE, MAX_HEALTH)
            events.strengthened(log, tower.owner, tower.tile, unit.tile, CHURCH_HEALTH, unit.health - work.hurt[j])
    return found
