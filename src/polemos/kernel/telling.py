"""Who is told what about a step. Everything that a seat learns about a match passes through here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from polemos.kernel.capabilities.fog import Fog
from polemos.kernel.capabilities.staging import Staging
from polemos.kernel.chronicle import Event
from polemos.kernel.game import UMPIRE, Game, S, V
from polemos.kernel.scenes import Stage, by_kind


def told(game: Game[S, Any, Any, Any], after: S, events: Sequence[Event], who: str) -> list[Event]:
    """The events of the step leading to a state, as `who` may know them."""
    if not isinstance(game, Fog):
        return list(events)
    found = (game.witness(after, event, who) for event in events)
    return [event for event in found if event is not None]


def tells_faults(game: Game[S, Any, Any, Any], state: S, who: str, whose: str) -> bool:
    """Whether `who` is told the void lines of the seat `whose`."""
    if who == UMPIRE:
        return True
    return game.tells_faults(state, who, whose) if isinstance(game, Fog) else who == whose


def stages(
    game: Game[Any, Any, Any, V], setting: Any, before: Callable[[], V], events: Sequence[Event]
) -> tuple[Stage, ...]:
    """The scene of a turn, from the view before it and the events told, both for the same audience."""
    if isinstance(game, Staging):
        return game.stages(setting, before(), events)
    return by_kind(game.chronicle, events)
