"""4 Border battles: two nations that march against each other over one border."""

from __future__ import annotations

from polemos.games.monarchs.rules.dice import throw
from polemos.games.monarchs.rules.events import AT_BORDER, BORDER_WON, HELD
from polemos.games.monarchs.rules.tables import beyond, other_side
from polemos.games.monarchs.state import State, Work
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log, emit
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
    here = work.group[border]
    there = work.group[facing]
    wins = here > there
    if here == there:
        wins = wins_the_draw(state, chance, border, log, work)
    winner = border if wins else facing
    loser = facing if wins else border
    emit(
        log,
        BORDER_WON,
        state.owner[winner // 6],
        state.owner[loser // 6],
        winner // 6,
        loser // 6,
        work.group[winner],
        work.group[loser],
    )
    emit(log, HELD, state.owner[loser // 6], -1, loser // 6, winner // 6, work.group[loser], 0)
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
        mine = throw(chance, work, log, AT_BORDER, a, b, state.owner[a], again)
        yours = throw(chance, work, log, AT_BORDER, a, b, state.owner[b], again)
        again += 1
    return mine > yours
