"""9 What is seen."""

from __future__ import annotations

from polemos.games.monarchs.board import HEXES
from polemos.games.monarchs.rules.tables import degree, neighbour
from polemos.games.monarchs.state import OPEN, Sight, State
from polemos.kernel.rule import entry, rule


@entry
def is_open(state: State) -> bool:
    """9.5, 9.6 In mode open, and after the end, everybody may know everything."""
    return state.mode == OPEN or state.reason != 0


@rule
def sees(state: State, nation: int, hex: int) -> bool:
    """9.1 A nation sees what it owns and what lies next to it; 9.5, 9.6 in mode open and after the end all is seen."""
    if is_open(state) or state.owner[hex] == nation:
        return True
    for i in range(degree(hex)):
        if state.owner[neighbour(hex, i)] == nation:
            return True
    return False


@entry
def look(state: State, nation: int, sight: Sight) -> None:
    """9.1 All hexes that a nation sees."""
    for hex in range(HEXES):
        sight.seen[hex] = sees(state, nation, hex)
