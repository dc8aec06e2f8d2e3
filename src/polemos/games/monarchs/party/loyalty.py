"""Loyalties: who serves which monarch (12.2), and understudies (12.15)."""

from __future__ import annotations

from msgspec.structs import replace

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party import acts
from polemos.games.monarchs.party.draws import draw
from polemos.games.monarchs.party.options import MAX_GUESTS, check_name
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.roles import GAMERUNNER, court_of, guest, is_courtier, others
from polemos.games.monarchs.party.state import Note, State


def dealt(state: State) -> dict[str, str]:
    """12.2 The loyalties that follow from the key: in each court one spy for each other nation, the rest loyal."""
    serves: dict[str, str] = {}
    key = state.setup.key
    for nation in NATIONS:
        drawn = sorted(state.courtiers(nation), key=lambda role: draw(key, "loyalty", role))
        masters = [*others(nation)] + [nation] * (len(drawn) - 2)
        serves.update(zip(drawn, masters, strict=True))
    return {role: serves[role] for role in state.all_courtiers}


def deal(state: State, act: acts.Deal) -> State:
    """12.2 The cards are dealt once, on the night."""
    if state.serves:
        raise Refused("The loyalties have been dealt.", rule="12.2")
    if act.cards is None:
        return replace(state, serves=dealt(state))
    if set(act.cards) != set(state.all_courtiers):
        raise Refused("Every courtier gets one card, and nobody else does.", rule="12.2")
    serves = {role: str(act.cards[role]) for role in state.all_courtiers}
    for nation in NATIONS:
        masters = [serves[role] for role in state.courtiers(nation)]
        if any(masters.count(other) != 1 for other in others(nation)):
            raise Refused(f"The {nation} court needs exactly one spy for each other court.", rule="12.2")
    return replace(state, serves=serves)


def is_loyal(state: State, role: str) -> bool:
    """12.2 Whether a courtier serves the monarch of their own court."""
    return state.serves[role] == court_of(role)


def join(state: State, act: acts.Join) -> State:
    """12.15 A guest can become anybody's understudy."""
    if len(state.names) > MAX_GUESTS:
        raise Refused("The party is full.", rule="12.1")
    check_name(act.name, {name.casefold() for name in state.names.values()})
    number = 1 + sum(court_of(role) is None for role in state.names)
    role = guest(number)
    return replace(state, names={**state.names, role: act.name}, rooms={**state.rooms, role: state.hall})


def stand_in(state: State, act: acts.Replace) -> State:
    """12.15 An understudy takes over everything that belongs to the role: card, errands, room, exclusions."""
    if court_of(act.guest) is not None or act.guest not in state.names:
        raise Refused("An understudy must be a guest of this party.", rule="12.15")
    if not (is_courtier(act.role) or act.role in NATIONS) or act.role not in state.names:
        raise Refused("An understudy takes over the role of a monarch or a courtier.", rule="12.15")
    comes, goes = state.names[act.guest], state.names[act.role]
    state = replace(state, names={**state.names, act.role: comes, act.guest: goes})
    if not (state.is_online and state.serves):
        return state
    # Online nobody sees a face: a host who plays could look at a card by changing places for a moment.
    note = Note(state.round, state.at, f"{comes} takes over the role of {goes}.")
    return replace(state, notices=(*state.notices, note))


def linked(state: State, act: acts.Linked) -> State:
    """12.26 Whoever holds a link reads its card: a host who plays could open somebody's, look, and send another."""
    if not state.is_online:
        raise Refused("In a house nobody has a link.", rule="12.26")
    if act.role != GAMERUNNER and act.role not in state.names:
        raise Refused("Nobody at this party has this role.", rule="12.1")
    whose = "the host" if act.role == GAMERUNNER else state.names[act.role]
    note = Note(
        state.round, state.at, f"The link of {whose} was {'moved to another phone' if act.is_moved else 'opened'}."
    )
    return replace(state, notices=(*state.notices, note))
