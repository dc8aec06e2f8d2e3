"""2 The turn: the stages in their order."""

from __future__ import annotations

from polemos.games.monarchs.board import HEXES
from polemos.games.monarchs.rules.battles import fight_in_hexes
from polemos.games.monarchs.rules.borders import fight_at_borders
from polemos.games.monarchs.rules.moves import move
from polemos.games.monarchs.rules.orders import read_sheet, read_sheets
from polemos.games.monarchs.rules.retreats import respawn, retreat
from polemos.games.monarchs.rules.score import end_game, is_last, score_turn
from polemos.games.monarchs.state import Sheet, Sheets, State, Work
from polemos.kernel.dice import Chance, turn_key
from polemos.kernel.log import Log
from polemos.kernel.rule import entry, rule


@rule
def turn(state: State, sheets: Sheets, chance: Chance, log: Log, work: Work) -> None:
    """2.1 One turn, from the sheets to the score."""
    work.turn_key = turn_key(chance, state.turn)
    clear_battles(state)
    read_sheets(state, sheets, log, work)  # 3
    fight_at_borders(state, chance, log, work)  # 4
    move(state, log, work)  # 5
    fight_in_hexes(state, chance, log, work)  # 6, 7
    retreat(state, chance, log, work)  # 8
    respawn(state, work)  # 8.1
    score_turn(state, log, work)  # 10.1
    if is_last(state):
        state.turns = state.turn
        end_game(state, chance, log, work)  # 10.5
    state.turn += 1


@rule
def clear_battles(state: State) -> None:
    """9.4 Victories and defeats are those of the turn just played."""
    for hex in range(HEXES):
        state.battles[hex] = 0


@entry
def resolve(state: State, sheets: Sheets, chance: Chance, log: Log, work: Work) -> None:
    """One turn, for callers from Python."""
    turn(state, sheets, chance, log, work)


@entry
def judge(state: State, nation: int, sheet: Sheet, work: Work) -> None:
    """Marks the faults of one sheet. Works on a copy of the state that the caller throws away."""
    work.groups = 0
    read_sheet(state, nation, sheet, work)
