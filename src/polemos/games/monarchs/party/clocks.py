"""All clocks of the evening at once, for the gamerunners (12.6, 12.7, 12.13, 12.16)."""

from __future__ import annotations

from msgspec import Struct

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party import courts, errands, times
from polemos.games.monarchs.party.state import State
from polemos.games.monarchs.party.times import SECOND, Until


class Clocks(Struct, frozen=True, omit_defaults=True):
    """Deadlines for the gamerunners' screens. Those that are over stay until somebody does something about them."""

    is_paused: bool = False
    round: Until | None = None
    evening: Until | None = None
    holding: dict[str, Until] = {}  # by carrier at the desk
    summons: dict[str, Until] = {}  # by summoned person in a court


def evening_ends(state: State) -> int | None:
    """12.16 When the evening has lasted three hours, in party time; None before the first maps are released."""
    return None if state.opened is None else state.opened + state.options.evening_seconds * SECOND


def clocks(state: State) -> Clocks:
    """Every clock that runs now."""
    holding = {}
    for nation in NATIONS:
        errand, trip = state.errand(nation), state.fetching.get(nation)
        if errand.carrier is not None and errand.arrived is not None and errand.handed is None and not errand.is_late:
            holding[errand.carrier] = errands.waits_until(state, errand.arrived)
        if trip is not None:
            holding[trip.role] = errands.has_map_until(state, trip)
    summons = {}
    for call in state.summons.values():
        if (ends := courts.stays_until(state, call)) is not None:
            summons[call.role] = ends

    def shown(deadline: int | None) -> Until | None:
        return None if deadline is None else times.until(state.clock, deadline)

    return Clocks(
        state.clock.stopped is not None,
        shown(state.due),
        shown(evening_ends(state)),
        {role: times.until(state.clock, ends) for role, ends in sorted(holding.items())},
        {role: times.until(state.clock, ends) for role, ends in sorted(summons.items())},
    )
