"""Which spells `champion` places: as `captain` does, but with an eye on the enemy's cards.

A card that the enemy is after is taken from it; a first card that beats its cards is better soon than a good one late.
"""

from __future__ import annotations

from typing import Final

from polemos.games.minions.bots.draft import Draft
from polemos.games.minions.bots.teching import RESERVE, is_owned
from polemos.games.minions.rules.techline import next_to_march, price_of_spell
from polemos.games.minions.search.tastes import worth_it
from polemos.games.minions.search.value import blow_of, reach_of
from polemos.games.minions.state import MARCH, MAX_CARDS, MAX_SPELLS, State

SOON: Final = 6  # spells before the enemy has a card, so that it is time to race
WORTH: Final = 0.2  # that a card must give the enemy above what it has
EDGE: Final = 1.27  # how much more a unit is worth that beats one of the enemy's


def race_for_spells(draft: Draft) -> None:
    """The free spell; one more to be the first at a card; and more of them from what the boards can hardly use."""
    for _ in range(MAX_SPELLS):
        state = draft.state
        card, contested = goal_of(state)
        price = price_of_spell(state)
        left = state.money[state.side] - price
        tie = (
            contested
            and card is not None
            and spells_to(state, state.side, card) == spells_to(state, 1 - state.side, card)
        )
        if price and left < (0 if tie else RESERVE * state.boards):
            return
        if card is None:
            if next_to_march(state) < 0 or not draft.spell(MARCH):
                return
        elif not draft.spell(card if state.spells[state.side * MAX_CARDS + card] == 1 else MARCH):
            return


def goal_of(state: State) -> tuple[int | None, bool]:
    """The card to go for, and whether the enemy is after it, too.

    What the enemy wants most and will soon have comes first, if one spell that is paid for is enough to be there first.
    """
    side = state.side
    if (first := at_hand(state)) is not None:
        return first, False
    mine, theirs = wanted_by(state, side), wanted_by(state, 1 - side)
    if mine is None or theirs is None or mine == theirs:
        return mine, mine is not None
    ours, others = spells_to(state, side, theirs), spells_to(state, 1 - side, theirs)
    gain = worth_to(state, 1 - side, state.card[theirs]) - best_owned(state, 1 - side)
    if others <= SOON and ours <= others + 1 and gain >= WORTH and spells_to(state, side, mine) > 1:
        return theirs, True
    return mine, False


def wanted_by(state: State, side: int) -> int | None:
    """The card that gives a side most above what it has, counted against the spells it takes."""
    had = best_owned(state, side)
    best, most = None, 0.0
    for card in range(state.cards):
        if 2 in (state.spells[card], state.spells[MAX_CARDS + card]):
            continue
        worth = worth_to(state, side, state.card[card])
        gain = max(worth - had, 0.02 * worth) / (spells_to(state, side, card) + 2)
        if gain > most:
            best, most = card, gain
    return best


def best_owned(state: State, side: int) -> float:
    return max((worth_to(state, side, type) for type in range(state.types) if is_owned(state, type, side)), default=0.0)


def at_hand(state: State) -> int | None:
    """For a side without a card: one that takes a single spell and beats the enemy's."""
    side, best, most = state.side, None, 0.0
    for card in range(state.cards):
        spells = state.spells[side * MAX_CARDS + card]
        if spells == 2:
            return None
        if spells == 1 and state.spells[(1 - side) * MAX_CARDS + card] != 2 and edge(state, side, state.card[card]) > 1:
            worth = worth_to(state, side, state.card[card])
            if worth > most:
                best, most = card, worth
    return best


def worth_to(state: State, side: int, type: int) -> float:
    """What a unit does for its price, against this enemy."""
    return worth_it(state, type) * edge(state, side, type)


def edge(state: State, side: int, type: int) -> float:
    """A unit that strikes one of the enemy's cards from where it can't be struck, and destroys it, is worth more."""
    row = state.type[type]
    if row.basic or row.cost == 0 or row.range == 0:
        return 1.0
    for card in range(state.cards):
        foe = state.card[card]
        if state.spells[(1 - side) * MAX_CARDS + card] == 2 and state.type[foe].range > 0:
            if reach_of(state, type) > reach_of(state, foe) and blow_of(state, type, foe) >= state.type[foe].defence:
                return EDGE
    return 1.0


def teched(state: State) -> tuple[int, ...]:
    """The cards of both sides."""
    return tuple(place for place in range(2 * MAX_CARDS) if state.spells[place] == 2)


def spells_to(state: State, side: int, card: int) -> int:
    """How many spells a side needs until it has teched a card."""
    placed = [state.spells[side * MAX_CARDS + place] for place in range(state.cards)]
    return 1 if placed[card] else card - placed.index(0) + 2
