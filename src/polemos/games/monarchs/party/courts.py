"""Rooms: coming and going, dismissals, summons and crowding (12.11 to 12.14)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party import acts
from polemos.games.monarchs.party.carriers import is_carrying
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.roles import DESK, court_of, is_courtier, is_monarch
from polemos.games.monarchs.party.state import State, Stay, Summons, is_role, is_room
from polemos.games.monarchs.party.times import SECOND, spoken

MAX_IN_COURT: Final = 3  # of a court's own courtiers (12.14)


def must_be_known(state: State, role: str) -> None:
    if not is_role(state, role):
        raise Refused(f"Nobody at this party has the role {role[:20]!r}.", rule="12.1")


def in_room(state: State, room: str) -> tuple[str, ...]:
    """Everybody who is in a room."""
    return tuple(role for role in state.names if state.rooms[role] == room)


def is_common(state: State, room: str) -> bool:
    return room in state.options.common


# ---- coming and going


def enter(state: State, act: acts.Enter) -> State:
    """12.11 Somebody goes to another room."""
    role, room = act.role, act.room
    must_be_known(state, role)
    if not is_room(state, room) or room == DESK:
        raise Refused(
            "You can go to a court or a room of the common area. Carriers check in at the desk.", rule="12.11"
        )
    if is_monarch(role):
        raise Refused("Monarchs stay in their courts.", rule="12.11")
    if state.rooms[role] == room:
        raise Refused(f"{state.names[role]} is there already.", rule="12.11")
    if state.rooms[role] == DESK:
        raise Refused("A carrier at the desk waits until the errand is done.", rule="12.6")
    must_stay(state, role)
    must_follow(state, role, room)
    state = left_room(state, role)
    if room in NATIONS:
        must_be_let_in(state, role, room)
        state = arrived_in(state, role, room)
        if court_of(role) == room and not state.is_online:
            state = with_maps_presented(state, role)
    return replace(state, rooms={**state.rooms, role: room})


def must_stay(state: State, role: str) -> None:
    """12.13 Whoever was summoned stays for a minute."""
    if role in state.stays and (rest := state.stays[role].until - state.now) > 0:
        raise Refused(f"You were summoned and have to stay: {spoken(rest)} more.", rule="12.13")


def must_follow(state: State, role: str, room: str) -> None:
    """12.13 A summons can't be refused, except by someone who carries a sheet or a map."""
    if is_carrying(state, role):
        return
    for nation in NATIONS:
        if is_called(state, role, nation) and room != nation:
            raise Refused(f"You are summoned to the {nation} court and have to go there.", rule="12.13")


def left_room(state: State, role: str) -> State:
    """12.13 A summons is over when the summoned person leaves the court."""
    return ended_summons(state, state.stays[role].court, role) if role in state.stays else state


def must_be_let_in(state: State, role: str, nation: str) -> None:
    """12.11 to 12.14 What the door of a court says."""
    if is_barred(state, role, nation):
        raise Refused(f"{state.names[role]} is dismissed from the {nation} court.", rule="12.12")
    if court_of(role) == nation:
        if is_full(state, nation):
            raise Refused(f"{MAX_IN_COURT} of the court's courtiers are in it already.", rule="12.14")
    elif role not in state.admitted.get(nation, ()) and not is_called(state, role, nation):
        raise Refused("You can enter another court only if its monarch lets you in or summons you.", rule="12.11")


def arrived_in(state: State, role: str, nation: str) -> State:
    """A leave to enter is used up; the minute of a summons starts."""
    admitted = tuple(other for other in state.admitted.get(nation, ()) if other != role)
    state = replace(state, admitted={**state.admitted, nation: admitted})
    if not is_called(state, role, nation):
        return state
    stay = Stay(nation, state.now + state.options.summons_seconds * SECOND)
    summons = {**state.summons, nation: Summons(role, state.now)}
    return replace(state, summons=summons, stays={**state.stays, role: stay})


def with_maps_presented(state: State, role: str) -> State:
    """12.4 The maps in a courtier's hands are the monarch's now."""
    court = court_of(role)
    assert court is not None
    maps = {other: numbers for other, numbers in state.maps.items() if other != role}
    if role in state.maps:
        maps[court] = tuple(sorted({*maps.get(court, ()), *state.maps[role]}))
    return replace(state, maps=maps)


def admit(state: State, act: acts.Admit) -> State:
    """12.11 A monarch lets somebody of another court in, once."""
    must_be_known(state, act.role)
    if court_of(act.role) == act.court or is_monarch(act.role):
        raise Refused("You can let in courtiers of the other courts, and guests.", rule="12.11")
    admitted = tuple(sorted({*state.admitted.get(act.court, ()), act.role}))
    return replace(state, admitted={**state.admitted, act.court: admitted})


# ---- dismissals


def is_barred(state: State, role: str, nation: str) -> bool:
    """12.12 Whether a dismissal still holds."""
    dismissed = state.dismissed.get(nation, {})
    if role not in dismissed:
        return False
    ends = dismissed[role]
    return ends is None or state.now < ends


def dismiss(state: State, act: acts.Dismiss) -> State:
    """12.12 Whoever is dismissed leaves at once, and stays away for the time given or for good."""
    must_be_known(state, act.role)
    if is_monarch(act.role):
        raise Refused("A monarch can't be dismissed.", rule="12.12")
    if act.seconds is not None and state.is_february:
        raise Refused("In the party of February 2022 a dismissal lasts until it is lifted.", rule="12.28")
    ends = None if act.seconds is None else state.now + act.seconds * SECOND
    dismissed = {**state.dismissed.get(act.court, {}), act.role: ends}
    state = replace(state, dismissed={**state.dismissed, act.court: dismissed})
    admitted = tuple(role for role in state.admitted.get(act.court, ()) if role != act.role)
    state = replace(state, admitted={**state.admitted, act.court: admitted})
    if is_summoned(state, act.role, act.court) or state.rooms[act.role] == act.court:
        state = ended_summons(state, act.court, act.role)
    if state.rooms[act.role] == act.court:
        state = replace(state, rooms={**state.rooms, act.role: state.hall})
    return state


def recall(state: State, act: acts.Recall) -> State:
    """12.12 The monarch may end a dismissal at any time."""
    if not is_barred(state, act.role, act.court):
        raise Refused("Your court has not dismissed them.", rule="12.12")
    dismissed = {role: ends for role, ends in state.dismissed[act.court].items() if role != act.role}
    return replace(state, dismissed={**state.dismissed, act.court: dismissed})


# ---- summons


def stays_until(state: State, summons: Summons) -> int | None:
    """12.13 Until when a summoned person stays; None before they have come."""
    return None if summons.came is None else summons.came + state.options.summons_seconds * SECOND


def is_summoned(state: State, role: str, nation: str) -> bool:
    return nation in state.summons and state.summons[nation].role == role


def is_called(state: State, role: str, nation: str) -> bool:
    """12.13 Whether this person is summoned and has not come yet."""
    return is_summoned(state, role, nation) and state.summons[nation].came is None


def is_summons_over(state: State, nation: str) -> bool:
    """12.13 Whether the court's last summons is done: the minute is over, or the person has gone."""
    summons = state.summons.get(nation)
    if summons is None:
        return True
    ends = stays_until(state, summons)
    return ends is not None and (state.now >= ends or state.rooms[summons.role] != nation)


def summon(state: State, act: acts.Summon) -> State:
    """12.13 A monarch summons one person at a time, out of the common area."""
    if state.is_february:
        raise Refused("The party of February 2022 has no summons.", rule="12.28")
    must_be_known(state, act.role)
    if not is_summons_over(state, act.court):
        raise Refused("You can summon one person at a time.", rule="12.13")
    is_near = not is_monarch(act.role) and is_common(state, state.rooms[act.role])
    is_called_elsewhere = any(is_called(state, act.role, other) for other in NATIONS)
    if not is_near or is_carrying(state, act.role) or is_called_elsewhere:
        # One sentence for all reasons: a monarch does not learn where people are, or what they are doing.
        raise Refused(f"{state.names[act.role]} can't come now. Ask again later.", rule="12.13")
    if court_of(act.role) == act.court and is_full(state, act.court):
        raise Refused(f"{MAX_IN_COURT} of the court's courtiers are in it already.", rule="12.14")
    # 12.12 A summons ends a dismissal.
    dismissed = {role: ends for role, ends in state.dismissed.get(act.court, {}).items() if role != act.role}
    state = replace(state, dismissed={**state.dismissed, act.court: dismissed})
    return replace(state, summons={**state.summons, act.court: Summons(act.role)})


def call_off(state: State, act: acts.CallOff) -> State:
    """12.13 A monarch may withdraw a summons, and let a summoned person go early."""
    if act.court not in state.summons:
        raise Refused("You have summoned nobody.", rule="12.13")
    return ended_summons(state, act.court, state.summons[act.court].role)


def ended_summons(state: State, nation: str, role: str) -> State:
    """Nothing of a summons is left, whether the person has come or not."""
    is_this = is_summoned(state, role, nation)
    summons = {other: call for other, call in state.summons.items() if not (is_this and other == nation)}
    return replace(state, summons=summons, stays={other: stay for other, stay in state.stays.items() if other != role})


# ---- crowding


def is_full(state: State, nation: str) -> bool:
    """12.14 Whether no further courtier of the court's own may enter it."""
    own = [role for role in in_room(state, nation) if is_courtier(role) and court_of(role) == nation]
    return not state.is_february and len(own) >= MAX_IN_COURT
