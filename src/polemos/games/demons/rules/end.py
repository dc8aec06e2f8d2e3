"""9 The end."""

from __future__ import annotations

from polemos.games.demons.rules import events
from polemos.games.demons.rules.dice import toss
from polemos.games.demons.state import (
    ALL_EQUAL,
    BASE_DESTROYED,
    BLUE,
    BY_CALL,
    COIN,
    DROPPED_OUT,
    FELL,
    HEALTHIER_BASE,
    HIRING,
    NOBODY,
    Q14,
    RED,
    TOSS,
    State,
)
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log
from polemos.kernel.rule import entry, rule


@rule
def check(state: State, chance: Chance, log: Log) -> bool:
    """9.1, 9.2 After the mercenaries' and the demons' turn: has a base fallen?"""
    red = state.health[RED] <= 0
    blue = state.health[BLUE] <= 0
    if red and blue:
        compare(state, chance, log)
    elif red or blue:
        end(state, BLUE if red else RED, BASE_DESTROYED, log)
    return is_decided(state)


@rule
def is_decided(state: State) -> bool:
    """9.1, 9.4 The game has ended, or waits for nothing but the coin."""
    return state.reason != 0 or state.step >= TOSS


@rule
def limit(state: State, chance: Chance, log: Log) -> None:
    """9.5 After the last turn the comparison decides; with limit_by_hp the bases' health comes first."""
    if state.limit_by_hp != 0 and state.health[RED] != state.health[BLUE]:
        end(state, RED if state.health[RED] > state.health[BLUE] else BLUE, HEALTHIER_BASE, log)
    else:
        compare(state, chance, log)


@rule
def end(state: State, winner: int, reason: int, log: Log) -> None:
    state.winner = winner
    state.reason = reason
    events.ended(log, winner, reason)


@rule
def compare(state: State, chance: Chance, log: Log) -> None:
    """9.3 Gold, towers, their prices, mercenaries, their health; 9.4 then a draw, or the coin."""
    for what in range(5):
        red = measure(state, RED, what)
        blue = measure(state, BLUE, what)
        if red != blue:
            end(state, RED if red > blue else BLUE, 2 + what, log)
            return
    if state.coin == BY_CALL:
        state.step = TOSS
        events.awaited(log)
    elif state.coin != 0:
        end(state, RED if red_wins_the_toss(state, chance, log) else BLUE, COIN, log)
    else:
        end(state, NOBODY, ALL_EQUAL, log)


@rule
def red_wins_the_toss(state: State, chance: Chance, log: Log) -> bool:
    """9.4 The higher die; equal ones are drawn again."""
    red = 0
    blue = 0
    again = 0
    while red == blue:
        red = toss(state, chance, RED, again, log)
        blue = toss(state, chance, BLUE, again, log)
        again += 1
    return red > blue


@rule
def fall(state: State, chance: Chance, log: Log) -> None:
    """9.4 The coin as it was called. Random play has nobody who could call it, and throws dice."""
    winner = state.step - FELL
    if winner < 0:
        winner = RED if red_wins_the_toss(state, chance, log) else BLUE
    state.step = HIRING if state.two_decisions != 0 else 0
    end(state, winner, COIN, log)


@entry
def is_level(state: State) -> bool:
    """9.3, 9.5 Whether nothing differs, so that only a coin can decide."""
    for compared in range(5):
        if measure(state, RED, compared) != measure(state, BLUE, compared):
            return False
    return state.limit_by_hp == 0 or state.turn < state.turns or state.health[RED] == state.health[BLUE]


@rule
def measure(state: State, player: int, what: int) -> int:
    """One of the five figures of 9.3; 11.13 in the finals those who fell this turn still count."""
    if what == 0:
        return state.gold[player]
    figure = 0
    if what < 3:
        for i in range(state.towers):
            if state.tower[i].owner == player:
                figure += 1 if what == 1 else state.book.price[state.tower[i].kind]
        return figure
    for i in range(state.units):
        if state.unit[i].kind == player:
            figure += 1 if what == 3 else state.unit[i].health
    if state.quirks & Q14:
        figure += state.fallen[player] if what == 3 else state.fallen_health[player]
    return figure


@rule
def drop_out(state: State, chance: Chance, log: Log) -> bool:
    """9.6 Who drops out loses; if both do, the comparison decides."""
    if state.dropped[RED] != 0 and state.dropped[BLUE] != 0:
        compare(state, chance, log)
    elif state.dropped[RED] != 0 or state.dropped[BLUE] != 0:
        end(state, BLUE if state.dropped[RED] != 0 else RED, DROPPED_OUT, log)
    return is_decided(state)
