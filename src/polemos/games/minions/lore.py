"""What scripts know of the units and maps of a match before it begins."""

from __future__ import annotations

from typing import Final

from polemos.games.minions.search.scripts import Lore
from polemos.games.minions.search.tastes import tastes_of, worth_it
from polemos.games.minions.state import State

MERIT: Final = 1000  # units of what a type does for its price


def learn(state: State, lore: Lore) -> None:
    """Fills it in, once for a match."""
    if not lore.known:
        lore.known, lore.tastes = 1, tastes_of(state)
        for type in range(state.types):
            lore.merit[type] = round(MERIT * worth_it(state, type))
