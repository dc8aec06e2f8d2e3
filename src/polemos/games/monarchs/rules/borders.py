"""4 Border battles: two nations that march against each other over one border."""

from __future__ import annotations

from polemos.games.monarchs.rules import events
from polemos.games.monarchs.rules.dice import AT_BORDER, throw
from polemos.games.monarchs.rules.tables import beyond, other_side
from polemos.games.monarchs.state import State, Work
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def fight_at_borders(state: State, chance: Chance, log: Log, work: Work) -> None:
    """4.1 Only groups of two nations in opposite directions over the same border fight; own armies change places."""
    for i in range(work.groups):
        border = work.group_at[i]
        facing = other_side(border)
        if work.group[facing] > 0 and border < facing:
            if state.owner[border // 6] != state.owner[facing // 6]:
                border_battle(state, chance, border, facing, log, work)


@rule
def border_battle(state: State, chance: Chance, border: int, facing: int, log: Log, work: Work) -> None:
    """4.3 The winner's group moves on; the loser's stays on its hex and loses nothing."""
    mine = work.group[border]
    yours = work.group[facing]
    wins = mine > yours
    if mine == yours:
        wins = wins_the_draw(state, chance, border, log, work)
    winner = border if wins else facing
    loser = facing if wins else border
    here = winner // 6
    there = loser // 6
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
    state.regiments[loser // 6] += work.group[loser]
    work.group[loser] = 0


@rule
def wins_the_draw(state: State, chance: Chance, border: int, log: Log, work: Work) -> bool:
    """4.2 Equal numbers: the greater die; 6.5 equal dice are drawn again. No home ground and no blessing here."""
    a = border // 6
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
