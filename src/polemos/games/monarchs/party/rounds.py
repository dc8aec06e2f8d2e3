"""Rounds: maps are released, orders come in, the turn is played (12.7 to 12.10, 12.16, 12.29)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party import acts, guesses
from polemos.games.monarchs.party.clocks import evening_ends
from polemos.games.monarchs.party.errands import is_closed, with_errand
from polemos.games.monarchs.party.options import MAX_ROUNDS
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.state import Delivery, Errand, Lines, Note, State
from polemos.games.monarchs.party.times import SECOND


def release(state: State, act: acts.Release) -> State:
    """12.7 All carriers with maps are released at the same moment, and the clock starts for all courts."""
    if not state.serves:
        raise Refused("Deal the loyalties first.", rule="12.2")
    if state.played < state.round or needs_collecting(state):
        raise Refused("The turn has not been played yet.", rule="12.10")
    if state.is_last and state.round:
        guesses.must_be_in(state)
        raise Refused("The last turn has been played. Start the reveal.", rule="12.27")
    if state.played == MAX_ROUNDS:
        raise Refused(f"A party has at most {MAX_ROUNDS} rounds.", rule="12.16")
    round = state.played + 1
    return replace(
        state,
        round=round,
        released=state.now,
        opened=state.now if state.opened is None else state.opened,
        is_last=act.last or round in (state.options.rounds, MAX_ROUNDS),
        orders={},
        sheets=state.sheets if state.is_online else {},  # online a sheet stays until it is given away
        deliveries=deliveries(state),
    )


def passes_the_evening(state: State, at: int) -> bool:
    """12.16 Whether a round released at this party time would still run when the evening is over."""
    mark = evening_ends(state)
    return mark is not None and at + state.options.round_seconds * SECOND >= mark


def announce_last(state: State, act: acts.Last) -> State:
    """12.16 The last round may be announced late, with a reason, as long as its turn has not been played."""
    if not act.reason.strip():
        raise Refused("The maps are out and do not show this. Give a reason.", rule="12.16")
    if state.released is None or state.played == state.round:
        raise Refused("No round is running. Announce the last one when you release its maps.", rule="12.16")
    if state.is_last:
        raise Refused("This round has been announced as the last.", rule="12.16")
    note = Note(state.round, state.at, "This round is the last. It counts twice.")
    in_vain = [nation for nation in state.fetching if state.fetched.get(nation, -1) >= state.played]
    return without_fetchers(replace(state, is_last=True, notices=(*state.notices, note)), in_vain)


def without_fetchers(state: State, nations: Iterable[str]) -> State:
    """12.18 Nobody waits for a map that is not fetched any more."""
    gone = {nation: state.fetching[nation].role for nation in nations}
    return replace(
        state,
        fetching={nation: trip for nation, trip in state.fetching.items() if nation not in gone},
        rooms={**state.rooms, **dict.fromkeys(gone.values(), state.hall)},
    )


# ---- orders


def needs_collecting(state: State) -> bool:
    """12.29 Whether the first turn is still to be played from orders collected before the party."""
    return state.options.collected and state.played == 0


def collect(state: State, act: acts.Collect) -> State:
    """12.29 A monarch's first orders, given to a gamerunner in person."""
    if not needs_collecting(state):
        raise Refused("Orders are brought by carriers.", rule="12.29")
    return with_errand(state, act.court, Errand(written=act.lines, delivered=act.lines))


def sheets_to_play(state: State) -> dict[str, Lines | None]:
    """12.8 The sheets with which the turn is played, as delivered; None: no orders."""
    return {nation: state.errand(nation).delivered for nation in NATIONS}


def play(state: State, act: acts.Play) -> State:
    """12.10 The turn is played once no further orders can come."""
    is_collected = needs_collecting(state)
    if not is_collected and (state.released is None or state.played == state.round):
        raise Refused("There is no turn to play now.", rule="12.10")
    for nation in NATIONS:
        if not is_closed(state, nation):
            raise Refused(f"The {nation} court's orders can still come, or are waiting at the desk.", rule="12.10")
        # Online a fetcher who comes so late gets the new map: waiting for them would tell everybody that they came.
        if not state.is_online and nation in state.fetching and state.fetched.get(nation, -1) < state.played:
            raise Refused(f"Let the {nation} court's fetcher leave with the map first.", rule="12.10")
    standing = act.standing
    if set(standing.total) != set(NATIONS) or set(standing.hexes) != set(NATIONS):
        raise Refused("The standing of the board names all three nations.", rule="12.10")
    if standing.centre not in (None, *NATIONS):
        raise Refused("The centre belongs to a nation or to nobody.", rule="12.10")
    played = state.played + 1
    is_last = state.is_last or (is_collected and state.options.rounds == played)
    state = replace(state, played=played, round=played, ready=drawn_at(state), is_last=is_last, standing=standing)
    return without_fetchers(state, state.fetching) if is_last else state


def drawn_at(state: State) -> int:
    """12.6 When the maps of the turn that is played now count as drawn.

    Online this is a full second after the deadline: a server first takes the sheets of carriers who still stand at the
    desk, and how many those are could otherwise be read from the deadlines that follow, to the millisecond.
    """
    if not state.is_online or state.due is None:
        return state.now
    return state.now - (state.now - state.due) % SECOND


def deliveries(state: State) -> tuple[Delivery, ...]:
    """The register of orders: those of earlier rounds, then those of this one."""
    found = list(state.deliveries)
    for nation in NATIONS:
        if nation in state.orders:
            errand = state.orders[nation]
            name = None if errand.carrier is None else state.names[errand.carrier]
            found.append(Delivery(max(state.round, 1), nation, name, errand))
    return tuple(found)
