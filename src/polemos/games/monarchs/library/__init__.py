"""Monarchs in `libpolemos`: the records and rules that programs in C use."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from polemos.games.monarchs import state
from polemos.games.monarchs.board import DIRECTIONS, HEXES, NAMES, NATIONS
from polemos.games.monarchs.rules import choices, play, sight, turn
from polemos.games.monarchs.state import Choice, Sheets, Sight, State
from polemos.kernel.capabilities.in_library import Library, constants_in

LIBRARY: Final = Library(
    folder=Path(__file__).parent,
    records=(State, Sheets, Sight, Choice),
    rules={
        "resolve": turn.resolve,
        "judge": turn.judge,
        "look": sight.look,
        "options": choices.list_choices,
        "invent": play.invent_orders,
    },
    constants={**constants_in(state), "MAX_CHOICES": HEXES * DIRECTIONS + HEXES},
    names={"NATION_NAMES": NATIONS, "HEX_NAMES": NAMES, "REASONS": state.REASONS},
)
