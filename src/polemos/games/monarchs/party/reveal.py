"""The reveal, step by step (12.27): nothing is known before its turn."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.party import acts, guesses, raffle, scores
from polemos.games.monarchs.party.loyalty import is_loyal
from polemos.games.monarchs.party.raffle import Winner
from polemos.games.monarchs.party.refusal import Refused
from polemos.games.monarchs.party.scores import CourtierScore
from polemos.games.monarchs.party.state import State


class Item(Struct, frozen=True, tag_field="shown", tag=str.lower):
    """One thing that the big screen shows."""


class Loyalty(Item, frozen=True):
    """What the monarch said about a courtier, and the truth. A nation; None for loyal, or not named."""

    court: str
    role: str
    said: str | None
    spy_for: str | None


class Bonus(Item, frozen=True):
    court: str
    points: int


class Monarchs(Item, frozen=True):
    """The scores of nations and monarchs, and the winner."""

    nations: dict[str, int]
    monarchs: dict[str, int]
    winner: str
    why: str


class Courtiers(Item, frozen=True):
    """The scores of all courtiers, best first, with their tickets."""

    scores: tuple[CourtierScore, ...]
    tickets: dict[str, int]


class Won(Item, frozen=True):
    """A winning courtier."""

    winner: Winner


class Key(Item, frozen=True):
    """The key of the evening: everybody can check all dice and draws now."""

    key: str


AnyItem = Loyalty | Bonus | Monarchs | Courtiers | Won | Key


def items(state: State) -> tuple[AnyItem, ...]:
    """12.27 Everything that the reveal shows, in its order."""
    assert guesses.is_open(state)
    assert state.standing is not None
    key = state.setup.key
    monarchs = scores.monarchs(state)
    found: list[AnyItem] = []
    for court in NATIONS:
        said = {role: nation for nation, role in state.guesses[court].items() if role is not None}
        for role in state.courtiers(court):
            spy_for = None if is_loyal(state, role) else state.serves[role]
            found.append(Loyalty(court, role, said.get(role), spy_for))
        found.append(Bonus(court, monarchs[court] - state.standing.total[court]))
    found.append(Monarchs(state.standing.total, monarchs, *scores.winning_monarch(monarchs, state.standing, key)))
    courtiers = scores.courtier_scores(state)
    ranked = tuple(sorted(courtiers, key=lambda courtier: -courtier.score))
    tickets = {courtier.role: raffle.tickets(courtier.score, state.is_february) for courtier in courtiers}
    found.append(Courtiers(ranked, tickets))
    won = raffle.winners({courtier.role: courtier.score for courtier in courtiers}, key, state.is_february)
    found += [Won(winner) for winner in won]
    found.append(Key(key))
    return tuple(found)


def length(state: State) -> int:
    """How many things are shown: this follows from the number of courtiers alone."""
    return len(state.all_courtiers) + len(NATIONS) + 2 + raffle.WINNERS + 1


def reveal(state: State, act: acts.Reveal) -> State:
    """12.27 The next thing is shown, once all three guesses are in."""
    if not state.is_last_played:
        raise Refused("The last turn has not been played yet.", rule="12.27")
    guesses.must_be_in(state)
    if is_over(state):
        raise Refused("Everything has been shown.", rule="12.27")
    return replace(state, revealed=state.revealed + 1)


def shown(state: State) -> tuple[AnyItem, ...]:
    """12.27 What has been shown so far."""
    return items(state)[: state.revealed] if state.revealed else ()


def is_over(state: State) -> bool:
    """12.27 Whether everything has been shown: from then on everybody may know everything."""
    return state.revealed == length(state)
