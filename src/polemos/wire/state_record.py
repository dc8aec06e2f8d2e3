"""The position as bytes, for bots that look ahead with `libpolemos`."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from msgspec import UNSET, UnsetType

from polemos.kernel.game import AnyGame
from polemos.kernel.layout import layout
from polemos.wire.bot import StateRecord


def state_record(game: AnyGame, setting: Any, view: Any, seed: int) -> StateRecord:
    """A state that agrees with the view. Nothing else goes into it, so it cannot tell more than the view does.

    What the view hides is drawn from the bot's own seed and the turn: every turn another guess, the same every time.
    """
    state = game.imagine(setting, view, f"{seed} {view.turn}")
    return StateRecord(layout(game.state_type), b64encode(state.raw()).decode())


def state_record_if(asked: bool, game: AnyGame, setting: Any, view: Any, seed: int) -> StateRecord | UnsetType:
    """The same for a message: nothing for a bot that did not ask."""
    return state_record(game, setting, view, seed) if asked else UNSET
