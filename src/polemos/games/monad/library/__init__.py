"""Monad in `libpolemos`: the records and rules that programs in C use."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from polemos.games.monad import state
from polemos.games.monad.rules import choices, play, sight, turn
from polemos.games.monad.state import MAX_TILES, Choice, Order, Sight, State
from polemos.kernel.capabilities.in_library import Library, constants_in

LIBRARY: Final = Library(
    folder=Path(__file__).parent,
    records=(State, Order, Sight, Choice),
    rules={
        "resolve": turn.resolve,
        "judge": turn.judge,
        "look": sight.look,
        "options": choices.list_choices,
        "invent": play.invent_orders,
    },
    constants={**constants_in(state), "MAX_INVENTED": 2 * MAX_TILES + 2, "CHOICES_A_TILE": 9},
    names={"SEAT_NAMES": state.SEATS, "DIRECTION_NAMES": state.DIRECTIONS, "REASONS": state.REASONS},
)
