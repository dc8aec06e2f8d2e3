"""5 What is seen."""

from __future__ import annotations

from polemos.kernel.rule import entry, rule
from skerries.rules.sea import is_next, skerries
from skerries.rules.turn import is_over
from skerries.state import UMPIRE_EYES, Sight, State


@entry
def look(state: State, who: int, sight: Sight) -> None:
    """5 Fills in what these eyes may see. All else stays zero, and nothing but the sight leaves the rules."""
    sight.who = who
    known = sight.known
    known.seats = state.seats
    known.turn = state.turn
    known.turns = state.turns
    for seat in range(state.seats):
        known.crews[seat].out = state.crews[seat].out
        known.crews[seat].points = state.crews[seat].points  # 5.2
    for place in range(skerries(state.seats)):
        if who == UMPIRE_EYES or is_over(state) or sees(state, who, place):
            sight.seen[place] = 1
            for seat in range(state.seats):
                known.crews[seat].boats[place] = state.crews[seat].boats[place]


@rule
def sees(state: State, who: int, place: int) -> bool:
    """5.1 A seat sees the skerries that its boats are on, and their neighbours."""
    if who < 0:
        return False
    for other in range(skerries(state.seats)):
        if state.crews[who].boats[other] > 0:
            if other == place or is_next(state.seats, other, place):
                return True
    return False
