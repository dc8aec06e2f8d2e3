"""Orders on their way to the desk, and maps on their way back (12.4 to 12.8).

In a house the gamerunners see a carrier when they come to the desk, so that is when they count as the carrier. Online
they count from the moment the monarch gives them the sheet or sends them for the map: so nothing that a monarch is told
depends on whether they ever arrive.
"""

from __future__ import annotations

from msgspec.structs import replace

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party import acts, carriers
from polemos.games.monarchs.party.carriers import sheet_in_hand
from polemos.games.monarchs.party.courts import left_room, must_be_known, must_stay, with_maps_presented
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.roles import DESK, court_of, is_courtier
from polemos.games.monarchs.party.state import Change, Errand, Fetched, Sent, State, Trip
from polemos.games.monarchs.party.times import SECOND, spoken


def with_errand(state: State, nation: str, errand: Errand) -> State:
    return replace(state, orders={**state.orders, nation: errand})


def goes_to(state: State, role: str, room: str) -> State:
    return replace(state, rooms={**state.rooms, role: room})


def waits_until(state: State, arrived: int) -> int:
    """12.6 When a carrier who arrived then has waited long enough."""
    return arrived + state.options.holding_seconds * SECOND


def must_wait(state: State, arrived: int) -> None:
    """12.6 Every carrier waits at the desk, changed sheet or not."""
    if (wait := waits_until(state, arrived) - state.now) > 0:
        raise Refused(f"Every carrier waits at the desk first: {spoken(wait)} more.", rule="12.6")


# ---- orders


def write(state: State, act: acts.Write) -> State:
    """12.4 The monarch's own sheet; it can be changed until it is given away."""
    if state.errand(act.court).given is not None:
        raise Refused("You have given your sheet away and can't change it any more.", rule="12.5")
    state = replace(state, sheets={**state.sheets, act.court: act.lines})
    errand = state.errand(act.court)
    if state.is_online or errand.arrived is None:
        return state
    # In a house the carrier is often at the desk before the gamerunners note the monarch's copy.
    return with_errand(state, act.court, replace(errand, written=act.lines))


def give(state: State, act: acts.Give) -> State:
    """12.4 The monarch gives the sheet to a courtier in the court, who carries it from then on."""
    if not state.is_online:
        raise Refused("In a house sheets are given by hand.", rule="12.26")
    if state.released is None:
        raise Refused("No round is running yet.", rule="12.7")
    if state.errand(act.court).given is not None:
        raise Refused("You have given away your sheet for this round.", rule="12.5")
    must_be_known(state, act.to)
    if court_of(act.to) != act.court:
        raise Refused("Only the courtiers of a court carry its orders and maps.", rule="12.3")
    carriers.check(state, act.to)
    if state.rooms[act.to] != act.court:
        raise Refused(f"{state.names[act.to]} is not in your court.", rule="12.4")
    lines = state.sheets.get(act.court, ())
    errand = Errand(carrier=act.to, written=lines, given=state.at, carried=lines)
    unused = {court: sheet for court, sheet in state.sheets.items() if court != act.court}
    state = replace(state, sheets=unused, last_carrier={**state.last_carrier, act.court: act.to})
    state = left_room(state, act.to)  # 12.13 carrying comes first
    return with_errand(state, act.court, errand)


def alter(state: State, act: acts.Alter) -> State:
    """12.4 A carrier may change the sheet until it is handed in."""
    errand, court = sheet_in_hand(state, act.role), court_of(act.role)
    if errand is None or court is None:
        raise Refused("You have no sheet in your hands.", rule="12.4")
    changes = (*errand.changes, Change(state.at, act.lines))
    return with_errand(state, court, replace(errand, carried=act.lines, changes=changes))


def arrive(state: State, act: acts.Arrive) -> State:
    """12.6 A carrier comes to the desk: with orders, or for the map."""
    must_be_known(state, act.role)
    if state.rooms[act.role] == DESK:
        raise Refused(f"{state.names[act.role]} is at the desk already.", rule="12.6")
    if state.is_online:
        must_stay(state, act.role)
    state = left_room(state, act.role)
    return bring_orders(state, act.role) if act.errand == "orders" else come_for_map(state, act.role)


def bring_orders(state: State, role: str) -> State:
    """12.5 The first sheet that reaches the desk counts. 12.8 The arrival decides whether it is late."""
    if state.released is None:
        raise Refused("No round is running yet.", rule="12.7")
    court = court_of(role)
    if state.is_online:
        # Nothing else is told to somebody without a sheet: not even that another one has come with it.
        in_hand = sheet_in_hand(state, role)
        if in_hand is None or court is None:
            raise Refused("You have no sheet to deliver.", rule="12.4")
        errand = in_hand
    else:
        if court is not None and state.errand(court).arrived is not None:
            raise Refused(f"The {court} court has sent its sheet for this round. The first one counts.", rule="12.5")
        court = carriers.check(state, role)
        errand = Errand(carrier=role, written=state.sheets.get(court))
        state = replace(state, last_carrier={**state.last_carrier, court: role})
    is_late = state.is_time_over
    state = with_errand(state, court, replace(errand, arrived=state.now, is_late=is_late))
    return goes_to(state, role, state.hall if is_late else DESK)


def hand_in(state: State, act: acts.HandIn) -> State:
    """12.4 The sheet counts as it is handed in."""
    court = court_of(act.role)
    if court is None or state.errand(court).carrier != act.role or state.errand(court).arrived is None:
        raise Refused("Only the carrier of this round can hand in a sheet, at the desk.", rule="12.4")
    errand = state.errand(court)
    assert errand.arrived is not None
    if errand.handed is not None:
        raise Refused("This sheet has been handed in.", rule="12.5")
    if errand.is_late:
        raise Refused(f"{state.names[act.role]} came too late. The {court} court has no orders.", rule="12.8")
    must_wait(state, errand.arrived)
    if state.is_online == (act.lines is not None):
        raise Refused("In a house gamerunners type the sheet; online it is the one in your hands.", rule="12.26")
    delivered = errand.carried if act.lines is None else act.lines
    errand = replace(errand, handed=state.now, delivered=delivered)
    return goes_to(with_errand(state, court, errand), act.role, state.hall)


def correct(state: State, act: acts.Correct) -> State:
    """12.5 Gamerunners may correct their own typing, never what was delivered."""
    errand = state.errand(act.court)
    if not act.reason.strip():
        raise Refused("Give a reason; it is kept in the journal.", rule="12.25")
    if errand.delivered is None:
        raise Refused(f"The {act.court} court has handed in nothing that could be corrected.", rule="12.5")
    if state.played == state.round:
        raise Refused("The turn has been played. Strike that first.", rule="12.25")
    corrected = (*errand.corrected, act.reason)
    return with_errand(state, act.court, replace(errand, delivered=act.lines, corrected=corrected))


def is_closed(state: State, nation: str) -> bool:
    """12.10 Whether nothing more can come from this court in this round."""
    errand = state.errand(nation)
    if errand.arrived is None:
        return errand.delivered is not None or state.is_time_over
    return errand.handed is not None or errand.is_late


def are_orders_closed(state: State) -> bool:
    """12.10 Whether nothing more can come from any court in this round."""
    return all(is_closed(state, nation) for nation in NATIONS)


# ---- maps


def is_map_there(state: State, nation: str) -> bool:
    """12.6 Whether a courtier of this court who is at the desk gets a map now. 12.18 The last one stays locked."""
    return not state.is_last_played and state.fetched.get(nation, -1) < state.played


def has_map_until(state: State, trip: Trip) -> int:
    """12.6 Until when a fetcher waits at the desk, counted from when they have the map."""
    return waits_until(state, max(trip.came, state.ready))


def must_have_next_map(state: State, nation: str) -> None:
    """12.3 A court fetches its next map after it has sent its orders, or when their time is over."""
    if state.is_last and state.round:
        raise Refused("This is the last round: no map follows before the reveal.", rule="12.18")
    if state.round and state.errand(nation).carrier is None and not state.is_time_over:
        raise Refused("The next map is fetched once the orders are on their way.", rule="12.3")


def send(state: State, act: acts.Send) -> State:
    """12.3 The monarch sends one courtier for each map."""
    if not state.is_online:
        raise Refused("In a house you send someone by word of mouth.", rule="12.26")
    must_be_known(state, act.to)
    if court_of(act.to) != act.court:
        raise Refused("Only the courtiers of a court carry its orders and maps.", rule="12.3")
    carriers.check(state, act.to)
    if state.rooms[act.to] != act.court:
        raise Refused(f"{state.names[act.to]} is not in your court.", rule="12.4")
    wanted = max(state.round - 1, 0)
    if act.court in state.sent:
        wanted = max(wanted, state.sent[act.court].map + 1)
    if wanted > state.round:
        raise Refused("You have sent someone for the next map.", rule="12.3")
    if wanted == state.round:
        must_have_next_map(state, act.court)
    return replace(
        left_room(state, act.to),  # 12.13 carrying comes first
        sent={**state.sent, act.court: Sent(act.to, wanted)},
        last_fetcher={**state.last_fetcher, act.court: act.to},
    )


def come_for_map(state: State, role: str) -> State:
    """12.6 A courtier comes for the map, and waits with it like one who brings orders."""
    court = court_of(role)
    if state.is_online and (court is None or court not in state.sent or state.sent[court].role != role):
        raise Refused("Your monarch has not sent you for the map.", rule="12.3")
    if court is not None and court in state.fetching:
        raise Refused(f"Somebody of the {court} court is waiting for its map already.", rule="12.3")
    if state.is_online:
        assert court is not None
        if state.fetched.get(court, -1) >= state.sent[court].map:
            raise Refused("You have fetched the map already.", rule="12.3")
    else:
        court = carriers.check(state, role)
        if state.fetched.get(court, -1) >= state.round - 1:
            must_have_next_map(state, court)
        state = replace(state, last_fetcher={**state.last_fetcher, court: role})
    return goes_to(replace(state, fetching={**state.fetching, court: Trip(role, state.now)}), role, DESK)


def leave(state: State, act: acts.Leave) -> State:
    """12.6 A carrier leaves the desk with the map, once maps are released and the minute is over."""
    court = court_of(act.role)
    if court is None or court not in state.fetching or state.fetching[court].role != act.role:
        raise Refused("Only someone who came for a map leaves with one.", rule="12.6")
    number = state.played
    if not is_map_there(state, court) or state.played != state.round - 1:
        raise Refused("The maps have not been released yet.", rule="12.7")
    must_wait(state, max(state.fetching[court].came, state.ready))
    state = replace(
        state,
        fetching={nation: trip for nation, trip in state.fetching.items() if nation != court},
        fetched={**state.fetched, court: number},
        maps={**state.maps, act.role: (*state.maps.get(act.role, ()), number)},
        departures=(*state.departures, Fetched(number, court, state.names[act.role], state.at)),
    )
    return goes_to(state, act.role, state.hall)


def present(state: State, act: acts.Present) -> State:
    """12.4 A courtier gives the monarch the maps they carry, as they are."""
    if not is_courtier(act.role) or not state.maps.get(act.role):
        raise Refused("You have no map in your hands.", rule="12.4")
    if state.rooms[act.role] != court_of(act.role):
        raise Refused("You are not in your court.", rule="12.4")
    return with_maps_presented(state, act.role)
