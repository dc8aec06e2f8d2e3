"""6 Hex battles and 7 home bases: who holds each hex that somebody entered."""

from __future__ import annotations

from polemos.games.monarchs.rules import events
from polemos.games.monarchs.rules.dice import IN_HEX, QUARTER, throw_here
from polemos.games.monarchs.rules.tables import base_of
from polemos.games.monarchs.state import BY_BATTLES, NATIONS, NOBODY, State, Work
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def fight_in_hexes(state: State, chance: Chance, log: Log, work: Work) -> None:
    """6.1 Every hex that somebody entered is decided, with the owners of the start of the turn."""
    work.defeats = 0
    for field in range(work.fields):
        hex = work.field[field]
        work.entered[hex] = 0
        owner = state.owner[hex]
        at = field * 4
        work.force[at + owner] += state.regiments[hex]  # those who stayed
        red = work.force[at] > 0
        green = work.force[at + 1] > 0
        blue = work.force[at + 2] > 0
        alone = green + 2 * blue  # the nation, if there is but one
        host = base_of(hex)
        if red + green + blue == 1 and host in (NOBODY, alone):
            occupy(state, field, alone, log, work)
        elif host != NOBODY:
            settle(state, field, host, log, work)  # 7.1 whatever the numbers, even with nobody there
        else:
            settle(state, field, strongest(state, chance, field, log, work), log, work)


@rule
def occupy(state: State, field: int, nation: int, log: Log, work: Work) -> None:
    """5.2 One nation alone: the hex is its own, without dice."""
    hex = work.field[field]
    present = work.force[field * 4 + nation]
    work.force[field * 4 + nation] = 0
    if state.owner[hex] != nation:
        events.taken(log, nation, hex, present, state.owner[hex])
    state.owner[hex] = nation
    state.regiments[hex] = present


@rule
def strength(state: State, field: int, nation: int, work: Work) -> int:
    """6.2 In quarters, without the die: regiments, 6.3 home ground for the owner, 6.4 blessing."""
    hex = work.field[field]
    return 4 * work.force[field * 4 + nation] + (state.owner[hex] == nation) + 2 * (work.blessed[nation] == hex)


@rule
def strongest(state: State, chance: Chance, field: int, log: Log, work: Work) -> int:
    """6.1 One comparison of all who are there; 6.6 an advantage of a whole regiment needs no dice."""
    best = -1
    second = -1
    leader = NOBODY
    for nation in range(NATIONS):
        if work.force[field * 4 + nation] > 0:
            mine = strength(state, field, nation, work)
            if mine > best:
                second = best
                best = mine
                leader = nation
            elif mine > second:
                second = mine
    if best - second >= 4:
        return leader
    return wins_by_dice(state, chance, field, log, work)


@rule
def wins_by_dice(state: State, chance: Chance, field: int, log: Log, work: Work) -> int:
    """6.2 The greatest sum of strength and die; 6.5 the tied, and only they, draw again."""
    hex = work.field[field]
    tied = 0  # bit n: nation n is still in it
    for nation in range(NATIONS):
        if work.force[field * 4 + nation] > 0:
            tied |= 1 << nation
    leader = NOBODY
    again = 0
    while tied & (tied - 1) != 0:
        best = -1
        in_it = tied
        for nation in range(NATIONS):
            if in_it >> nation & 1:
                die = throw_here(chance, work, IN_HEX, hex, nation, again)
                events.drawn_in_hex(log, nation, hex, again, die)
                sum = strength(state, field, nation, work) * QUARTER + die
                if sum > best:
                    best = sum
                    leader = nation
                    tied = 1 << nation
                elif sum == best:
                    tied |= 1 << nation
        again += 1
    return leader


@rule
def settle(state: State, field: int, winner: int, log: Log, work: Work) -> None:
    """6.7 The winner owns the hex; 8.1 every other army there loses one regiment and must go."""
    hex = work.field[field]
    owner = state.owner[hex]
    present = work.force[field * 4 + winner]
    for nation in range(NATIONS):
        there = work.force[field * 4 + nation]
        work.force[field * 4 + nation] = 0
        if there > 0 and nation != winner:
            defeat(state, hex, nation, there, winner, log, work)
    state.battles[hex] |= 1 << winner
    if state.scoring == BY_BATTLES:
        work.gain[winner] += 1
    if base_of(hex) == NOBODY:
        events.won(log, winner, hex, present)
    else:
        events.base_held(log, winner, hex, present)
    if owner != winner:
        events.conquered(log, winner, hex, present, owner)
    state.owner[hex] = winner
    state.regiments[hex] = present


@rule
def defeat(state: State, hex: int, nation: int, there: int, winner: int, log: Log, work: Work) -> None:
    """8.1 An army is beaten: one regiment goes home, the rest waits for its retreat."""
    work.home[nation] += 1
    lost = work.defeat[work.defeats]
    lost.place = hex
    lost.nation = nation
    lost.rest = there - 1
    lost.victor = winner
    work.defeats += 1
    state.battles[hex] |= 8 << nation
    if state.scoring == BY_BATTLES:
        work.gain[nation] -= 1
    events.beaten(log, nation, hex, there, winner)
    events.sent_home(log, nation, hex, 1)
