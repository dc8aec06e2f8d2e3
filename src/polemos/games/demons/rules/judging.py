"""Features of a position, for its learned judgement at the end of a playout. No paragraph of the book."""

from __future__ import annotations

from typing import Final

from polemos.games.demons.rules.arrivals import health_to_come, turns_to_wave
from polemos.games.demons.rules.lanes import goal_of, lane_of, steps_to
from polemos.games.demons.rules.scouting import LOOK, shortest, shots
from polemos.games.demons.rules.scripts import PAY, Purse, count_foes, count_pays, loss, period_of, survey_lanes
from polemos.games.demons.state import CHURCH, CROSSBOW, DEMON, HOUSE, MINIGUN, State
from polemos.kernel.judgement import Facts, octaves
from polemos.kernel.rule import rule

# What is said of each side, the seat's own and then the other's.
SIDE: Final = {
    "gold": "gold in the purse, in sixteenths of octaves",
    "houses": "houses",
    "end gold": "gold at the end of the game if the houses pay and nothing is bought, in sixteenths of octaves",
    "soon gold": "gold in 60 turns if the houses pay and nothing is bought, in sixteenths of octaves",
    "health": "health of the base",
    "guns": "towers that shoot",
    "worth": "prices of all towers",
    "churches": "churches",
    "weakest shots": "what the towers take each turn from a foe before the base, in sixtieths, on the weakest lane",
    "all shots": "the same, summed over all lanes",
    "mercenaries": "health of all mercenaries",
    "far mercenaries": "health of the mercenaries in the other half of their lanes",
    "queued": "mercenaries in the queues",
    "demons": "health of the demons that attack the base",
    "near demons": "health of the foes within ten steps of the base, mercenaries too",
    "coming": "health of the next demons of the portals that send to the base",
    "next wave": "turns until the next of them",
    "open lanes": "lanes with a foe that nothing stops",
    "loss": "what the base would lose if every foe were met as soon as it can be paid, up to 200",
}
SHARED: Final = {
    "left": "turns until the end",
    "left octaves": "the same in sixteenths of octaves",
    "shortest": "tiles of the shortest lane",
    "lanes": "lanes",
    "portals": "portals",
    "rich": "own gold in 60 turns of that of both, in thousandths",
    "rich at the end": "own gold at the end of that of both, in thousandths",
}
FEATURES: Final = {
    **SHARED,
    **{f"own {name}": says for name, says in SIDE.items()},
    **{f"other {name}": says for name, says in SIDE.items()},
}
SIDES: Final = len(SIDE)
FIRST: Final = len(SHARED)

SOON: Final = 60  # turns
NEAR: Final = 10  # steps
WORST: Final = 200


@rule
def income(state: State, player: int, turns: int) -> int:
    """Gold that comes from the houses within so many turns."""
    period = period_of(state)
    sum = 0
    for i in range(state.towers):
        tower = state.tower[i]
        if tower.owner == player and tower.kind == HOUSE and tower.cooldown <= turns:
            sum += PAY * (1 + (turns - tower.cooldown) // period)
    return sum


@rule
def describe_side(state: State, player: int, at: int, facts: Facts, purse: Purse) -> None:
    """The features of one side, from column `at` on."""
    left = state.turns - state.turn
    houses = count_pays(state, player, purse)
    guns = 0
    worth = 0
    churches = 0
    for i in range(state.towers):
        tower = state.tower[i]
        if tower.owner == player:
            worth += state.book.price[tower.kind]
            guns += CROSSBOW <= tower.kind <= MINIGUN
            churches += tower.kind == CHURCH
    weakest = -1
    shooting = 0
    for lane in range(state.lanes):
        here = shots(state, lane, player)
        shooting += here
        weakest = here if weakest < 0 else min(weakest, here)
    own = 0
    far = 0
    demons = 0
    near = 0
    for i in range(state.units):
        unit = state.unit[i]
        steps = steps_to(state, unit.tile, player)
        if unit.kind == player:
            own += unit.health
            far += unit.health if 2 * steps > state.lane[lane_of(state, unit.tile)].length else 0
        elif goal_of(unit.kind) == player:
            demons += unit.health if unit.kind >= DEMON else 0
            near += unit.health if steps <= NEAR else 0
    queued = 0
    for direction in range(4):
        queued += state.queue[player * 4 + direction]
    coming = 0
    wave = left
    for i in range(state.portals):
        if state.portal[i].target == player:
            coming += health_to_come(state, i)
            wave = min(wave, turns_to_wave(state, i))
    facts.of[at] = octaves(state.gold[player])
    facts.of[at + 1] = houses
    facts.of[at + 2] = octaves(state.gold[player] + income(state, player, left))
    facts.of[at + 3] = octaves(state.gold[player] + income(state, player, min(left, SOON)))
    facts.of[at + 4] = state.health[player]
    facts.of[at + 5] = guns
    facts.of[at + 6] = worth
    facts.of[at + 7] = churches
    facts.of[at + 8] = weakest
    facts.of[at + 9] = shooting
    facts.of[at + 10] = own
    facts.of[at + 11] = far
    facts.of[at + 12] = queued
    facts.of[at + 13] = demons
    facts.of[at + 14] = near
    facts.of[at + 15] = coming
    facts.of[at + 16] = wave
    facts.of[at + 17] = survey_lanes(state, player, LOOK, True, purse)
    count_foes(state, player, purse)
    facts.of[at + 18] = min(WORST, loss(state, state.gold[player], period_of(state), purse))


@rule
def part_of(mine: int, other: int) -> int:
    """Thousandths of both that are mine; ten are added to each."""
    return 1000 * (mine + 10) // (mine + other + 20)


@rule
def describe(state: State, player: int, facts: Facts, purse: Purse) -> None:
    """All features of a player."""
    left = state.turns - state.turn
    soon = min(left, SOON)
    other = 1 - player
    facts.of[0] = left
    facts.of[1] = octaves(left)
    facts.of[2] = state.lane[shortest(state)].length
    facts.of[3] = state.lanes
    facts.of[4] = state.portals
    facts.of[5] = part_of(
        state.gold[player] + income(state, player, soon), state.gold[other] + income(state, other, soon)
    )
    facts.of[6] = part_of(
        state.gold[player] + income(state, player, left), state.gold[other] + income(state, other, left)
    )
    describe_side(state, player, FIRST, facts, purse)
    describe_side(state, other, FIRST + SIDES, facts, purse)
