"""Who may carry orders and maps (12.3)."""

from __future__ import annotations

from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.roles import court_of, is_courtier
from polemos.games.monarchs.party.state import Errand, State


def why_not(state: State, role: str) -> str | None:
    """12.3 Why this courtier may not carry now; None if they may. The same holds for orders and for maps."""
    court = court_of(role)
    assert court is not None
    if state.last_carrier.get(court) == role:
        return f"{state.names[role]} carried the last orders of the {court} court."
    if state.last_fetcher.get(court) == role:
        return f"{state.names[role]} fetched the last map of the {court} court."
    return None


def may_carry(state: State, nation: str) -> tuple[str, ...]:
    """12.3 The courtiers who may carry the next orders, or fetch the next map."""
    return tuple(role for role in state.courtiers(nation) if why_not(state, role) is None)


def check(state: State, role: str) -> str:
    """12.3 The court for which this role may carry now; refuses everybody else."""
    court = court_of(role)
    if court is None or not is_courtier(role):
        raise Refused("Only the courtiers of a court carry its orders and maps.", rule="12.3")
    if (why := why_not(state, role)) is not None:
        others = ", ".join(state.names[other] for other in may_carry(state, court))
        raise Refused(f"{why} You can use {others}.", rule="12.3")
    return court


def sheet_in_hand(state: State, role: str) -> Errand | None:
    """12.4 The sheet that this courtier carries, if they do."""
    court = court_of(role)
    if court is None or not is_courtier(role):
        return None
    errand = state.errand(court)
    is_carrying = errand.carrier == role and errand.carried is not None and errand.handed is None
    return errand if is_carrying and not errand.is_late else None


def is_carrying(state: State, role: str) -> bool:
    """12.13 Whether this courtier has a sheet or a map in hand, which comes before a summons."""
    return sheet_in_hand(state, role) is not None or (is_courtier(role) and bool(state.maps.get(role)))
