"""9 What is seen."""

from __future__ import annotations

from polemos.games.monarchs.board import HEXES
from polemos.games.monarchs.rules.tables import degree, neighbour
from polemos.games.monarchs.state import NATIONS, OPEN, UMPIRE_EYES, Sight, State
from polemos.kernel.rule import entry, rule


@entry
def is_open(state: State) -> bool:
    """9.5, 9.6 In mode open, and after the end, everybody may know everything."""
    return state.mode == OPEN or state.reason != 0


@rule
def see(state: State, who: int, sight: Sight) -> None:
    """9.1 A nation sees what it owns and what lies next to it."""
    for hex in range(HEXES):
        if state.owner[hex] == who:
            sight.seen[hex] = 1
            for i in range(degree(hex)):
                sight.seen[neighbour(hex, i)] = 1


@entry
def look(state: State, who: int, sight: Sight) -> None:
    """9 Fills in all that may be known through these eyes, and nothing else."""
    everything = who == UMPIRE_EYES or is_open(state)
    sight.who = who
    sight.rules = state.rules
    sight.mode = state.mode
    sight.scoring = state.scoring
    sight.turn = state.turn
    sight.turns = state.turns
    sight.reason = state.reason
    mine = 0  # bits of `battles` that are told
    for nation in range(NATIONS):
        sight.places[nation] = state.places[nation]
        sight.dropped[nation] = state.dropped[nation]
        told = everything or nation == who
        sight.reported[nation] = told
        sight.score[nation] = state.score[nation] if told else 0
        sight.total[nation] = state.total[nation] if told else 0
        mine |= (9 << nation) if told else 0
    for hex in range(HEXES):
        sight.seen[hex] = everything
    if not everything:
        see(state, who, sight)
    for hex in range(HEXES):
        seen = sight.seen[hex]
        sight.owner[hex] = state.owner[hex] if seen else 0
        sight.regiments[hex] = state.regiments[hex] if seen else 0
        sight.battles[hex] = state.battles[hex] & mine
