"""8 Losses and retreats, on the owners after all battles."""

from __future__ import annotations

from polemos.games.monarchs.rules import events
from polemos.games.monarchs.rules.dice import FOR_RETREAT, throw
from polemos.games.monarchs.rules.tables import base, degree, homeward, neighbour
from polemos.games.monarchs.state import BY_REGIMENTS, NATIONS, State, Work
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def retreat(state: State, chance: Chance, log: Log, work: Work) -> None:
    """8.2 Each beaten army goes together to one friendly hex; 8.6 nothing is fought or taken on the way."""
    for i in range(work.defeats):
        lost = work.defeat[i]
        beaten = 1
        if lost.rest > 0:
            hex = refuge(state, chance, lost.place, lost.nation, log, work)
            if hex >= 0:
                state.regiments[hex] += lost.rest
                events.retreated(log, lost.nation, lost.place, hex, lost.rest)
            else:
                beaten += lost.rest
                work.home[lost.nation] += lost.rest
                events.no_refuge(log, lost.nation, lost.place, lost.rest)
        if state.scoring == BY_REGIMENTS:
            work.gain[lost.nation] -= 2 * beaten  # 10.1
            work.gain[lost.victor] += 2 * beaten  # 10.2


@rule
def refuge(state: State, chance: Chance, place: int, nation: int, log: Log, work: Work) -> int:
    """8.4 Of the friendly neighbours the nearest to home, by the lowest die among equals; -1 if there is none (8.5)."""
    nearest = 99
    equals = 0  # bit i: neighbour i is among the nearest
    for i in range(degree(place)):
        hex = neighbour(place, i)
        if state.owner[hex] == nation:
            steps = homeward(nation, hex)
            if steps < nearest:
                nearest = steps
                equals = 1 << i
            elif steps == nearest:
                equals |= 1 << i
    if equals == 0:
        return -1
    again = 0
    while equals & (equals - 1) != 0:
        lowest = 1 << 33
        in_it = equals
        for i in range(degree(place)):
            if in_it >> i & 1:
                hex = neighbour(place, i)
                die = throw(chance, work, FOR_RETREAT, place, hex, nation, again)
                events.drawn_for_retreat(log, nation, place, hex, again, die)
                if die < lowest:
                    lowest = die
                    equals = 1 << i
                elif die == lowest:
                    equals |= 1 << i
        again += 1
    for i in range(degree(place)):
        if equals >> i & 1:
            return neighbour(place, i)
    return -1


@rule
def respawn(state: State, work: Work) -> None:
    """8.1 What was lost stands on the home base at the end of the same turn."""
    for nation in range(NATIONS):
        state.regiments[base(nation)] += work.home[nation]
        work.home[nation] = 0
