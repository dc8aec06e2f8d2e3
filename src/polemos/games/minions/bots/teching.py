"""Which spells to place: towards the card that promises most for its price, soonest."""

from __future__ import annotations

from typing import Final

from polemos.games.minions.bots.draft import Draft
from polemos.games.minions.rules.techline import next_to_march, price_of_spell
from polemos.games.minions.search.tastes import worth_it
from polemos.games.minions.state import MARCH, MAX_CARDS, MAX_SPELLS, State

RESERVE: Final = 15  # money for each board that is not spent on spells


def place_spells(draft: Draft) -> None:
    """The free spell, and more of them from what the boards can hardly use."""
    for _ in range(MAX_SPELLS):
        state = draft.state
        price = price_of_spell(state)
        card = next_spell(state)
        left = state.money[state.side] - price
        if card is None or (price and left < RESERVE * state.boards) or not draft.spell(card):
            return


def next_spell(state: State) -> int | None:
    """Tech the wanted card, or march towards it; None when nothing is left to want."""
    card = wanted(state)
    if card is None:
        return MARCH if next_to_march(state) >= 0 else None
    return card if state.spells[state.side * MAX_CARDS + card] == 1 else MARCH


def wanted(state: State) -> int | None:
    """The card that gives most for its price above what can be bought already, counted against the turns it takes."""
    side = state.side
    had = max((worth_it(state, type) for type in range(state.types) if is_owned(state, type, side)), default=0.0)
    best, most = None, 0.0
    for card in range(state.cards):
        spells = state.spells[side * MAX_CARDS + card]
        if spells == 2 or state.spells[(1 - side) * MAX_CARDS + card] == 2:
            continue
        turns = 1 if spells else card - next_to_march(state) + 2
        gain = max(worth_it(state, state.card[card]) - had, 0.02 * worth_it(state, state.card[card])) / (turns + 2)
        if gain > most:
            best, most = card, gain
    return best


def is_owned(state: State, type: int, side: int) -> bool:
    """Whether the side can buy the type, or will be able to next turn."""
    if state.type[type].basic:
        return True
    return any(state.card[card] == type and state.spells[side * MAX_CARDS + card] == 2 for card in range(state.cards))
