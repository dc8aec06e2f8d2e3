"""Demons in `libpolemos`: the records and rules that programs in C use."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from polemos.games.demons import state
from polemos.games.demons.rules import choices, play, sight, turn
from polemos.games.demons.state import KINDS, MAX_TILES, Choice, Orders, Sight, State
from polemos.kernel.capabilities.in_library import Library, constants_in

LIBRARY: Final = Library(
    folder=Path(__file__).parent,
    records=(State, Orders, Sight, Choice),
    rules={
        "resolve": turn.resolve,
        "judge": turn.judge,
        "look": sight.look,
        "options": choices.list_choices,
        "invent": play.invent,
    },
    constants={**constants_in(state), "MAX_CHOICES": MAX_TILES * KINDS + 5},
    names={"PLAYER_NAMES": state.PLAYERS, "TOWER_NAMES": state.TOWERS, "REASONS": state.REASONS},
)
