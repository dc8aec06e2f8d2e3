"""Minions in `libpolemos`: the records and rules that programs in C use."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from polemos.games.minions import state
from polemos.games.minions.giving import MAX_REFUSED
from polemos.games.minions.lawful import MAX_CHOICES
from polemos.games.minions.rules import choices, play, sight, turn
from polemos.games.minions.state import Choice, Order, Sight, State
from polemos.kernel.capabilities.in_library import Library, constants_in

LIBRARY: Final = Library(
    folder=Path(__file__).parent,
    records=(State, Order, Sight, Choice),
    rules={
        "apply": turn.apply,
        "end": turn.end,
        "look": sight.look,
        "orders": choices.list_orders,
        "spells": choices.list_spells,
        "random_turn": play.play_random_turn,
    },
    constants={**constants_in(state), "MAX_CHOICES": MAX_CHOICES, "MAX_REFUSED": MAX_REFUSED},
    names={"SIDE_NAMES": state.SIDES, "HEX_NAMES": state.HEX_NAMES, "REASONS": state.REASONS},
)
