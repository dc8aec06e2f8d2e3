"""The final guess, and results that stay locked until it is made (12.17, 12.18)."""

from __future__ import annotations

from msgspec.structs import replace

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party import acts
from polemos.games.monarchs.party.errands import are_orders_closed
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.roles import others
from polemos.games.monarchs.party.state import State


def guess(state: State, act: acts.Guess) -> State:
    """12.17 After the last orders each monarch names both spies, and the nation that each of them serves."""
    if not state.is_last or not state.round:
        raise Refused("Monarchs guess after the orders of the last round.", rule="12.17")
    # Online a refusal must not betray whether all sheets are in: monarchs guess when the turn has been played.
    if state.played < state.round and (state.is_online or not are_orders_closed(state)):
        raise Refused("Orders of the last round can still come. Monarchs guess after them.", rule="12.17")
    if act.court in state.guesses:
        raise Refused("This guess is locked.", rule="12.17")
    if set(act.spies) != set(others(act.court)):
        raise Refused("Name one courtier for each of the two other nations.", rule="12.17")
    named = [role for role in act.spies.values() if role is not None]
    if len(named) < len(act.spies) and not state.options.abstain:
        raise Refused("Name both spies: nobody may abstain at this party.", rule="12.17")
    if not set(named) <= set(state.courtiers(act.court)):
        raise Refused("Spies are courtiers of your own court.", rule="12.17")
    if len(set(named)) < len(named):
        raise Refused("Name two different courtiers.", rule="12.17")
    spies: dict[str, str | None] = {nation: act.spies[nation] for nation in NATIONS if nation in act.spies}
    return replace(state, guesses={**state.guesses, act.court: spies})


def are_in(state: State) -> bool:
    return len(state.guesses) == len(NATIONS)


def must_be_in(state: State) -> None:
    """12.18 Nothing of the last turn is shown before all three guesses are in."""
    if missing := [nation for nation in NATIONS if nation not in state.guesses]:
        raise Refused(f"The results stay locked until these courts have guessed: {', '.join(missing)}.", rule="12.18")


def are_results_locked(state: State) -> bool:
    """12.18 Whether the last turn has been played and not all guesses are in."""
    return state.is_last_played and not are_in(state)


def is_open(state: State) -> bool:
    """12.18 Whether the results of the last turn may be shown."""
    return state.is_last_played and are_in(state)
