"""Random games in compiled code, for measuring and for the tests that look at many positions."""

from __future__ import annotations

from polemos.kernel.dice import Chance, mix, scatter
from polemos.kernel.log import Log
from polemos.kernel.record import Many, u64
from polemos.kernel.rule import entry, rule
from skerries.rules.sea import skerries
from skerries.rules.turn import fault, is_over, turn
from skerries.state import GOOD, MAX_LINES, Sheets, State


@rule
def invent(state: State, seat: int, sheets: Sheets, key: u64) -> None:
    """Some boats of every skerry row to a place drawn at random, if they may."""
    sheet = sheets.of[seat]
    sheet.count = 0
    for origin in range(skerries(state.seats)):
        boats = state.crews[seat].boats[origin]
        bits = scatter(key, seat * 32 + origin)
        if boats > 0 and sheet.count < MAX_LINES:
            line = sheet.lines[sheet.count]
            line.origin = origin
            line.number = 1 + (bits & 0xFFFF) % boats
            for i in range(skerries(state.seats)):
                line.target = ((bits >> 16 & 0xFFFF) + i) % skerries(state.seats)
                line.fault = fault(state, seat, origin, line.target, line.number)
                if line.fault == GOOD:
                    sheet.count += bits >> 32 & 1
                    break


@entry
def rollout(states: Many[State], start: State, key: u64, steps: int, sheets: Sheets, chance: Chance, log: Log) -> int:
    """Plays so many random turns over the states; a finished game starts again. Counts the games."""
    games = 0
    for step in range(steps):
        at = step % len(states)
        if is_over(states[at]):
            states[at] = start
            games += 1
        chance.key = mix(key ^ step)
        for seat in range(states[at].seats):
            invent(states[at], seat, sheets, chance.key)
        turn(states[at], sheets, chance, log)
    return games
