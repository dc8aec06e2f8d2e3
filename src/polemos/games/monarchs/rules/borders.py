"""4 Border battles: two nations that march against each other over one border."""

from __future__ import annotations

from polemos.games.monarchs.rules import events
from polemos.games.monarchs.rules.dice import AT_BORDER, throw
from polemos.games.monarchs.rules.orders import group_over, is_ordered
from polemos.games.monarchs.rules.tables import behind, beyond, other_side
from polemos.games.monarchs.state import State, Work
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def fight_at_borders(state: State, chance: Chance, log: Log, work: Work) -> None:
    """4.1 Only groups of two nations in opposite directions over the same border fight; own armies change places."""
    for group in range(work.groups):
        border = work.group_at[group]
        facing = other_side(border)
        if is_ordered(facing, work) and border < facing:
            if state.owner[behind(border)] != state.owner[behind(facing)]:
                border_battle(state, chance, group, group_over(facing, work), log, work)


@rule
def border_battle(state: State, chance: Chance, group: int, facing: int, log: Log, work: Work) -> None:
    """4.3 The winner's group moves on; the loser's stays on its hex and loses nothing."""
    mine = work.group[group]
    yours = work.group[facing]
    wins = mine > yours
    if mine == yours:
        wins = wins_the_draw(state, chance, work.group_at[group], log, work)
    winner = group if wins else facing
    loser = facing if wins else group
    here = behind(work.group_at[winner])
    there = behind(work.group_at[loser])
    events.border_won(
        log,
        work.line[winner],
        state.owner[here],
        here,
        there,
        work.group[winner],
        state.owner[there],
        work.group[loser],
    )
    events.held(log, work.line[loser], state.owner[there], there, here, work.group[loser])
    state.regiments[there] += work.group[loser]
    work.group[loser] = 0


@rule
def wins_the_draw(state: State, chance: Chance, border: int, log: Log, work: Work) -> bool:
    """4.2 Equal numbers: the greater die; 6.5 equal dice are drawn again. No home ground and no blessing here."""
    a = behind(border)
    b = beyond(border)
    mine = 0
    yours = 0
    again = 0
    while mine == yours:
        mine = throw(chance, work, AT_BORDER, a, b, state.owner[a], again)
        yours = throw(chance, work, AT_BORDER, a, b, state.owner[b], again)
        events.drawn_at_border(log, state.owner[a], a, b, again, mine)
        events.drawn_at_border(log, state.owner[b], a, b, again, yours)
        again += 1
    return mine > yours
