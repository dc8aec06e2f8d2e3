"""What comes of a position if nobody orders anything more: the rules themselves are asked, so no figure is a guess."""

from __future__ import annotations

from collections.abc import Sequence

from polemos.games.demons.imagine import restored
from polemos.games.demons.notation import Order
from polemos.games.demons.orders import blank_sheets, enter
from polemos.games.demons.rules import turn
from polemos.games.demons.state import PLAYERS, TOSS, Orders, State, Work
from polemos.games.demons.view import Setting, View
from polemos.kernel.dice import Chance
from polemos.kernel.log import SILENT


def losses(setting: Setting, view: View, draft: Sequence[Order], turns: int) -> list[int]:
    """What the base of the player who looks loses turn by turn, with the draft as its orders of this turn.

    Nothing that the other player orders changes this turn's: units strike before towers shoot (2.2). Only if both
    provoke the demons (11.10), there may be less.
    """
    state = restored(setting, view)
    player = PLAYERS.index(view.who)
    sheets = blank_sheets()
    enter(state, player, draft, sheets.of[player])
    found = []
    for _ in range(turns):
        before = state.health[player]
        _play(state, sheets)
        found.append(before - state.health[player])
        sheets = blank_sheets()
    return found


def _play(state: State, sheets: Orders) -> None:
    """One whole turn, of one or two steps (2.4), unless the game is over before its end."""
    played = state.turn
    while state.turn == played and not state.reason and state.step < TOSS:
        turn.resolve(state, sheets, Chance(), SILENT, Work())
