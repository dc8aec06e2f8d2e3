"""Where the evening stands and what comes next, for the gamerunners: also after a crash, or at a second laptop."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party import guesses, reveal, rounds
from polemos.games.monarchs.party.errands import are_orders_closed, is_closed
from polemos.games.monarchs.party.roles import DESK
from polemos.games.monarchs.party.state import State

Next = Literal["deal", "collect", "release", "orders", "play", "guesses", "reveal", "nothing"]


class Stage(Struct, frozen=True, omit_defaults=True):
    """What the gamerunners do next, and who they are waiting for."""

    next: Next
    courts: tuple[str, ...] = ()  # whose orders or guesses are missing
    at_desk: tuple[str, ...] = ()  # carriers who wait there


def stage(state: State, at: int) -> Stage:
    """12.7 to 12.10, 12.17, 12.27 The next step of the evening, at this wall time: the end of a round is not an act."""
    state = replace(state, at=max(state.at, at))
    at_desk = tuple(role for role in sorted(state.names) if state.rooms[role] == DESK)
    unguessed = tuple(nation for nation in NATIONS if nation not in state.guesses)
    if reveal.is_over(state):
        return Stage("nothing")
    if guesses.is_open(state):
        return Stage("reveal")
    if rounds.needs_collecting(state):
        missing = tuple(nation for nation in NATIONS if not is_closed(state, nation))
        return Stage("collect", missing) if missing else Stage("play")
    if not state.serves:
        return Stage("deal")
    if state.played < state.round:
        if not are_orders_closed(state):
            return Stage("orders", tuple(nation for nation in NATIONS if not is_closed(state, nation)), at_desk)
        if state.is_last and unguessed and not state.is_online:
            return Stage("guesses", unguessed, at_desk)
        return Stage("play", (), at_desk)
    if state.is_last and state.round:
        return Stage("guesses", unguessed)
    return Stage("release", (), at_desk)
