"""10 Score and end."""

from __future__ import annotations

from polemos.games.monarchs.board import CENTRE, HEXES
from polemos.games.monarchs.rules import events
from polemos.games.monarchs.rules.dice import FOR_GAME, throw_here
from polemos.games.monarchs.state import MAX_TURNS, NATIONS, OTHERS_DROPPED, State, Work
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def hexes_of(state: State, nation: int) -> int:
    owned = 0
    for hex in range(HEXES):
        owned += state.owner[hex] == nation
    return owned


@rule
def is_last(state: State) -> bool:
    """10.4 The turn being played is the last: as agreed or announced, at the latest the fiftieth."""
    return state.turn == state.turns or state.turn >= MAX_TURNS


@rule
def score_turn(state: State, log: Log, work: Work) -> None:
    """10.1 Hexes owned and what was won and lost by fighting; 10.4 the last turn counts twice."""
    last = is_last(state)
    for nation in range(NATIONS):
        score = hexes_of(state, nation) + work.gain[nation]
        work.gain[nation] = 0
        state.score[nation] = score
        state.total[nation] += 2 * score if last else score
        events.scored(log, nation, score, state.total[nation])


@rule
def end_game(state: State, chance: Chance, log: Log, work: Work) -> None:
    """10.5 The nations in order, first to last; 10.6 those that dropped out stand behind."""
    for nation in range(NATIONS):
        state.places[nation] = nation
        work.drawn[nation] = 0
    for place in range(1, NATIONS):  # insertion sort of three
        i = place
        while i > 0 and comes_before(state, chance, state.places[i], state.places[i - 1], log, work):
            moved = state.places[i]
            state.places[i] = state.places[i - 1]
            state.places[i - 1] = moved
            i -= 1
    first = state.places[0]
    state.reason = reason_for(state, first)
    events.ended(log, first, state.reason, state.total[first])


@rule
def reason_for(state: State, first: int) -> int:
    """10.5 The hardest comparison that the winner had to win: an index into REASONS."""
    reason = OTHERS_DROPPED
    for other in range(NATIONS):
        if other != first and state.dropped[other] == state.dropped[first]:
            reason = (
                reason_before(state, first, other)
                if reason == OTHERS_DROPPED
                else max(reason, reason_before(state, first, other))
            )
    return reason


@rule
def reason_before(state: State, first: int, other: int) -> int:
    """10.5 By what a nation stands before another that did not drop out either."""
    if state.total[first] != state.total[other]:
        return 1
    if state.owner[CENTRE] == first or state.owner[CENTRE] == other:
        return 2
    if hexes_of(state, first) != hexes_of(state, other):
        return 3
    return 4


@rule
def comes_before(state: State, chance: Chance, one: int, other: int, log: Log, work: Work) -> bool:
    """10.5 Total, then the centre, then hexes, then a die; 10.6 who stayed comes before who dropped out."""
    if state.dropped[one] != state.dropped[other]:
        return state.dropped[one] == 0
    if state.total[one] != state.total[other]:
        return state.total[one] > state.total[other]
    if state.owner[CENTRE] == one or state.owner[CENTRE] == other:
        return state.owner[CENTRE] == one
    if hexes_of(state, one) != hexes_of(state, other):
        return hexes_of(state, one) > hexes_of(state, other)
    mine = 0
    yours = 0
    again = 0
    while mine == yours:
        mine = draw_for_game(chance, one, again, log, work)
        yours = draw_for_game(chance, other, again, log, work)
        again += 1
    return mine > yours


@rule
def draw_for_game(chance: Chance, nation: int, again: int, log: Log, work: Work) -> int:
    """10.5 A nation's die for the game: the same against each of the others, and told once."""
    die = throw_here(chance, work, FOR_GAME, CENTRE, nation, again)
    if again >= work.drawn[nation]:
        work.drawn[nation] = again + 1
        events.drawn_for_game(log, nation, CENTRE, again, die)
    return die
