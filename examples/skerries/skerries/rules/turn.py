"""2 to 4 A turn, from the sheets to the points."""

from __future__ import annotations

from polemos.kernel.dice import Chance, roll, turn_key
from polemos.kernel.log import Log
from polemos.kernel.record import u64
from polemos.kernel.rule import entry, rule
from skerries.rules import events
from skerries.rules.sea import harbour, is_next, ring, skerries
from skerries.state import BEACON, GOOD, HARBOUR, NOT_NEXT, TOO_MANY, UNREADABLE, Sheet, Sheets, State


@entry
def turn(state: State, sheets: Sheets, chance: Chance, log: Log) -> None:
    """3 One turn, in place."""
    for seat in range(state.seats):
        read(state, seat, sheets.of[seat])  # 2
    for seat in range(state.seats):
        row(state, seat, sheets.of[seat], log)  # 3.1
    key = turn_key(chance, state.turn)
    for place in range(skerries(state.seats)):
        meet(state, place, chance, key, log)  # 3.2 to 3.4
    for seat in range(state.seats):
        score(state, seat, log)  # 4.1
    state.turn += 1


@entry
def read(state: State, seat: int, sheet: Sheet) -> None:
    """2.3 From the top: the boats of a good line put to sea, and are not there for the next one."""
    for i in range(sheet.count):
        line = sheet.lines[i]
        if line.fault != UNREADABLE:
            line.fault = fault(state, seat, line.origin, line.target, line.number)
        if line.fault == GOOD:
            state.crews[seat].boats[line.origin] -= line.number


@entry
def fault(state: State, seat: int, origin: int, target: int, number: int) -> int:
    """What is wrong with a line, if anything. Whoever lists lawful orders asks this too."""
    foreign = target != BEACON and ring(target) == HARBOUR and target != harbour(seat)
    if foreign or not is_next(state.seats, origin, target):
        return NOT_NEXT  # 2.2
    return GOOD if number <= state.crews[seat].boats[origin] else TOO_MANY  # 2.3


@rule
def row(state: State, seat: int, sheet: Sheet, log: Log) -> None:
    """3.1 The boats arrive."""
    for i in range(sheet.count):
        line = sheet.lines[i]
        if line.fault == GOOD:
            state.crews[seat].boats[line.target] += line.number
            events.rowed(log, i + 1, seat, line.origin, line.target, line.number)


@rule
def meet(state: State, place: int, chance: Chance, key: u64, log: Log) -> None:
    """3.2 Several seats on one skerry throw for it; 3.4 all but the holder return home."""
    crews = 0
    for seat in range(state.seats):
        crews += state.crews[seat].boats[place] > 0
    if crews < 2:
        return
    highest = 0
    holder = -1
    for seat in range(state.seats):
        boats = state.crews[seat].boats[place]
        if boats > 0:
            die = 1 + (6 * roll(chance, key, 0, place, seat, 0) >> 32)
            events.threw(log, seat, place, die, die + boats)
            if die + boats > highest:
                highest = die + boats
                holder = seat
            elif die + boats == highest:
                holder = -1  # 3.3
    for seat in range(state.seats):
        crew = state.crews[seat]
        boats = crew.boats[place]
        if boats > 0 and seat != holder:
            crew.boats[place] = 0
            crew.boats[harbour(seat)] += boats
            events.returned(log, seat, place, harbour(seat), boats)


@rule
def score(state: State, seat: int, log: Log) -> None:
    """4.1 One for each outer and inner skerry, three for the beacon."""
    crew = state.crews[seat]
    gain = 3 if crew.boats[BEACON] > 0 else 0
    for place in range(1, skerries(state.seats)):
        gain += crew.boats[place] > 0 and ring(place) != HARBOUR
    crew.points += gain
    if not crew.out:
        events.scored(log, seat, gain, crew.points)


@entry
def is_over(state: State) -> bool:
    """4.2 All turns were played, or 4.3 fewer than two seats are left."""
    left = 0
    for seat in range(state.seats):
        left += not state.crews[seat].out
    return state.turn > state.turns or left < 2
