"""Random play in compiled code: for measuring, for searching, for testing. No paragraph of the book."""

from __future__ import annotations

from polemos.games.monarchs.board import HEXES
from polemos.games.monarchs.rules.tables import degree, neighbour
from polemos.games.monarchs.rules.turn import turn
from polemos.games.monarchs.state import BLESS, GOOD, MARCH, NATIONS, Sheets, State, Work
from polemos.kernel.dice import Chance, mix, scatter
from polemos.kernel.log import Log
from polemos.kernel.record import Many, u64
from polemos.kernel.rule import entry, rule


@rule
def invent(state: State, sheets: Sheets, key: u64, work: Work) -> None:
    """A random sheet for each nation: a blessing, and for five of eight armies a march of some of its regiments.

    In random play a nation has eleven to twelve armies, so this makes about eight lines.
    """
    for nation in range(NATIONS):
        sheet = sheets.of[nation]
        line = sheet.lines[0]
        line.kind = BLESS
        line.fault = GOOD
        line.target = scatter(key, 64 + nation) % HEXES
        sheet.count = 1
    armies = 0
    for hex in range(HEXES):
        work.army[armies] = hex
        armies += state.regiments[hex] > 0
    for i in range(armies):
        hex = work.army[i]
        sheet = sheets.of[state.owner[hex]]
        line = sheet.lines[sheet.count]
        bits = scatter(key, i)
        line.kind = MARCH
        line.fault = GOOD
        line.origin = hex
        line.target = neighbour(hex, ((bits & 0xFFFF) * degree(hex)) >> 16)
        line.number = 1 + (((bits >> 16 & 0xFFFF) * state.regiments[hex]) >> 16)
        sheet.count += (bits >> 32 & 7) < 5


@entry
def invent_orders(state: State, sheets: Sheets, key: u64, work: Work) -> None:
    invent(state, sheets, key, work)


@entry
def rollout(
    states: Many[State],
    start: State,
    key: u64,
    steps: int,
    sheets: Sheets,
    chance: Chance,
    log: Log,
    work: Work,
) -> int:
    """Plays `steps` turns of random games, state by state; a finished game starts again. Counts the games."""
    count = len(states)
    games = 0
    at = 0
    for step in range(steps):
        if states[at].reason != 0:
            states[at] = start
            games += 1
        chance.key = mix(key ^ step)
        invent(states[at], sheets, chance.key, work)
        turn(states[at], sheets, chance, log, work)
        at += 1
        if at == count:
            at = 0
    return games


@entry
def invent_many(states: Many[State], sheets: Many[Sheets], key: u64, work: Work) -> None:
    """Random sheets for each of the states."""
    for i in range(len(states)):
        invent(states[i], sheets[i], mix(key ^ i), work)


@entry
def adjudicate_many(
    states: Many[State], sheets: Many[Sheets], chance: Chance, log: Log, work: Work, scratch: Many[State]
) -> None:
    """One turn for each of the states with its sheets; the results go to `scratch`. For measuring."""
    for i in range(len(states)):
        scratch[i] = states[i]
        chance.key = mix(chance.key)
        turn(scratch[i], sheets[i], chance, log, work)
