"""8 Techline and spells."""

from __future__ import annotations

from polemos.games.minions.rules import events
from polemos.games.minions.state import COPYCAT, MARCH, MAX_CARDS, Order, State
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def spells_under(state: State, side: int, card: int) -> int:
    return state.spells[side * MAX_CARDS + card]


@rule
def next_to_march(state: State) -> int:
    """8.4 The first card without a spell of the mover, or -1."""
    for card in range(state.cards):
        if spells_under(state, state.side, card) == 0:
            return card
    return -1


@rule
def price_of_spell(state: State) -> int:
    """8.2, 8.3 The first of a turn is free."""
    return 0 if state.placed == 0 else state.spell_price * state.boards


@rule
def spell_fault(state: State, spell: int) -> int:
    """8.3 to 8.9 Why one spell is refused."""
    if spell == MARCH:
        if next_to_march(state) < 0:
            return 809
    elif spell < 0 or spell >= state.cards:
        return 809
    elif spells_under(state, state.side, spell) != 1:
        return 805
    elif spells_under(state, 1 - state.side, spell) == 2 and not may_copy(state, spell):
        return 806
    return 803 if state.money[state.side] < price_of_spell(state) else 0


@rule
def may_copy(state: State, card: int) -> bool:
    """17.2 Whether the mover may tech a card that the enemy has teched: the Copycat, or any if it owns that."""
    for other in range(state.cards):
        if state.type[state.card[other]].letter == COPYCAT:
            return other == card or spells_under(state, state.side, other) == 2
    return False


@rule
def place(state: State, spell: int) -> int:
    """8.4, 8.5 Places one spell, paid at once; tells the card."""
    card = next_to_march(state) if spell == MARCH else spell
    state.money[state.side] -= price_of_spell(state)
    state.placed += 1
    state.spells[state.side * MAX_CARDS + card] += 1
    if spell != MARCH:
        state.teched[card] = 1
    return card


@rule
def spells(state: State, order: Order, log: Log) -> int:
    """8.8 A list of spells from left to right, all or none (4.5)."""
    money = state.money[state.side]
    for i in range(order.count):
        fault = spell_fault(state, order.start[i])
        if fault != 0:
            unplace(state, order, i)
            state.money[state.side] = money
            return fault
        order.target[i] = place(state, order.start[i])
    for i in range(order.count):
        card = order.target[i]
        if order.start[i] == MARCH:
            events.marched(log, order.line, state.side, card, state.card[card])
        else:
            events.teched(log, order.line, state.side, card, state.card[card])
    if money > state.money[state.side]:
        events.paid(log, order.line, state.side, money - state.money[state.side])
    return 0


@rule
def unplace(state: State, order: Order, count: int) -> None:
    """Takes back what a refused list has placed so far."""
    for i in range(count):
        state.placed -= 1
        state.spells[state.side * MAX_CARDS + order.target[i]] -= 1
        if order.start[i] != MARCH:
            state.teched[order.target[i]] = 0
