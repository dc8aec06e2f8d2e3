"""Features of a position, for its learned judgement at the end of a playout. No paragraph of the book."""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.board import CENTRE, HEXES
from polemos.games.monarchs.rules.score import hexes_of
from polemos.games.monarchs.rules.tables import base, degree, neighbour
from polemos.games.monarchs.state import NATIONS, State
from polemos.kernel.judgement import Facts
from polemos.kernel.rule import rule

# What is said of each nation: the seat's own, then of the others the one that is ahead, then the one that is behind.
SIDE: Final = {
    "hexes": "hexes that it owns",
    "regiments": "regiments",
    "armies": "hexes with regiments",
    "largest": "regiments of its largest army",
    "front": "regiments beside foreign hexes",
    "threatened": "hexes that more foreign regiments stand beside than own ones are on",
    "goals": "foreign hexes that more of its regiments stand beside than are on them",
    "score": "points of the last turn",
    "home": "regiments on its home base and beside it",
    "centre": "1: it owns the centre",
}
SHARED: Final = {
    "played": "turns played",
    "left": "turns to come, 0 while the last is not announced",
    "announced": "1: the last turn is known",
    "lead": "total of the seat, less that of the other who is ahead",
    "lead to come": "the same at the end if everybody keeps their hexes; 6 turns if it is not known",
    "second lead": "total of the seat, less that of the other who is behind",
    "second lead to come": "the same at the end if everybody keeps their hexes",
}
FEATURES: Final = {
    **SHARED,
    **{f"own {name}": says for name, says in SIDE.items()},
    **{f"first {name}": says for name, says in SIDE.items()},
    **{f"second {name}": says for name, says in SIDE.items()},
}
SIDES: Final = len(SIDE)
FIRST: Final = len(SHARED)

USUAL: Final = 6  # turns that are taken to remain while the last is not announced


@rule
def rest_of(state: State) -> int:
    """Turns that will still be counted; the last one twice (10.4)."""
    return USUAL if state.turns == 0 else max(0, state.turns - state.turn + 1) + 1


@rule
def outlook(state: State, nation: int) -> int:
    """The total at the end if everybody keeps their hexes."""
    return state.total[nation] + rest_of(state) * hexes_of(state, nation)


@rule
def describe_side(state: State, nation: int, at: int, facts: Facts) -> None:
    """The features of one nation, from column `at` on."""
    hexes = 0
    regiments = 0
    armies = 0
    largest = 0
    front = 0
    threatened = 0
    goals = 0
    for hex in range(HEXES):
        mine = state.owner[hex] == nation
        here = state.regiments[hex]
        own = 0
        foreign = 0
        is_border = False
        for i in range(degree(hex)):
            there = neighbour(hex, i)
            if state.owner[there] == nation:
                own += state.regiments[there]
            else:
                foreign += state.regiments[there]
                is_border = True
        if mine:
            hexes += 1
            regiments += here
            armies += here > 0
            largest = max(largest, here)
            front += here if is_border else 0
            threatened += foreign > here
        else:
            goals += own > here
    home = base(nation)
    near = state.regiments[home] + 0 if state.owner[home] == nation else 0
    for i in range(degree(home)):
        there = neighbour(home, i)
        near += state.regiments[there] if state.owner[there] == nation else 0
    facts.of[at] = hexes
    facts.of[at + 1] = regiments
    facts.of[at + 2] = armies
    facts.of[at + 3] = largest
    facts.of[at + 4] = front
    facts.of[at + 5] = threatened
    facts.of[at + 6] = goals
    facts.of[at + 7] = state.score[nation]
    facts.of[at + 8] = near
    facts.of[at + 9] = state.owner[CENTRE] == nation


@rule
def describe(state: State, nation: int, facts: Facts) -> None:
    """All features of a nation."""
    first = (nation + 1) % NATIONS
    second = (nation + 2) % NATIONS
    ahead = outlook(state, first)
    behind = outlook(state, second)
    if behind > ahead:
        first, second = second, first
        ahead, behind = behind, ahead
    mine = outlook(state, nation)
    facts.of[0] = state.turn - 1
    facts.of[1] = 0 if state.turns == 0 else state.turns - state.turn + 1
    facts.of[2] = state.turns > 0
    facts.of[3] = state.total[nation] - state.total[first]
    facts.of[4] = mine - ahead
    facts.of[5] = state.total[nation] - state.total[second]
    facts.of[6] = mine - behind
    describe_side(state, nation, FIRST, facts)
    describe_side(state, first, FIRST + SIDES, facts)
    describe_side(state, second, FIRST + 2 * SIDES, facts)
