"""A turn as a show: the stages of the book (2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from polemos.games.demons.rules import events as kinds
from polemos.games.demons.rules.events import CHRONICLE
from polemos.games.demons.view import View
from polemos.kernel.chronicle import Event
from polemos.kernel.scenes import Op, Stage, by_kind

_HIRE: Final = CHRONICLE.stages[kinds.HIRE].name
# What counts down in a part, whether anything happens there or not, is seen with it: it then stands as after the turn.
_COUNT_DOWN: Final = {
    CHRONICLE.stages[kinds.ARRIVALS].name: Op("change", "portal"),
    CHRONICLE.stages[kinds.SHOTS].name: Op("change", "tower"),
}


def stages(before: View, events: Sequence[Event]) -> tuple[Stage, ...]:
    """The stages, with the demons that are banished, and with waves and cooldowns."""
    return tuple(
        replace(stage, beats=tuple(replace(beat, ops=ops) for beat in stage.beats)) if ops else stage
        for stage in by_kind(CHRONICLE, events)
        for ops in [_beside(stage.name, before, events)]
    )


def _beside(stage: str, before: View, events: Sequence[Event]) -> tuple[Op, ...]:
    """What the kinds of events do not show by themselves."""
    if stage == _HIRE and CHRONICLE.those(kinds.banished, events):
        # 11.10 Nobody has moved yet: all that are in sight before the turn vanish.
        return tuple(Op("vanish", "unit", f"{unit.x},{unit.y}") for unit in before.units if unit.kind == "demon")
    return (_COUNT_DOWN[stage],) if stage in _COUNT_DOWN else ()
