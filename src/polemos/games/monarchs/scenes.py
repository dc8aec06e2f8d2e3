"""A turn as a show: the stages of the book (2.1), as far as an audience was told of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from polemos.games.monarchs.rules import events as kinds
from polemos.games.monarchs.rules.events import CHRONICLE
from polemos.games.monarchs.view import View
from polemos.kernel.chronicle import Event
from polemos.kernel.scenes import Op, Stage, by_kind

_BATTLES = CHRONICLE.stages[kinds.BATTLES].name


def stages(before: View, events: Sequence[Event]) -> tuple[Stage, ...]:
    """The stages, with the armies that vanish from conquered land."""
    return tuple(
        replace(stage, beats=tuple(replace(beat, ops=_driven_off(before, events)) for beat in stage.beats))
        if stage.name == _BATTLES
        else stage
        for stage in by_kind(CHRONICLE, events)
    )


def _driven_off(before: View, events: Sequence[Event]) -> tuple[Op, ...]:
    """6.7 Of an army whose fate is not told, one thing is known after its hex is conquered: it stands there no more."""
    beaten = {(event.hex, event.nation) for event in CHRONICLE.those(kinds.beaten, events)}
    gone = Counter[str]()  # regiments that were seen to leave, by hex
    for event in CHRONICLE.those(kinds.marched, events):
        gone[event.hex] += event.number
    found = []
    for event in CHRONICLE.those(kinds.conquered, events):
        ground = before.hexes.get(event.hex)
        if ground is not None and ground.regiments > gone[event.hex] and (event.hex, ground.owner) not in beaten:
            found.append(Op("vanish", f"army {ground.owner}", event.hex))
    return tuple(found)
