"""The JSON Schema of a game's messages, and of the requests that all games share."""

from __future__ import annotations

from typing import Any

import msgspec

from polemos.kernel.game import Option
from polemos.kernel.outcome import Outcome
from polemos.wire.adjudicate import Failure, Rejected, Request


def schema(game: Any) -> dict[str, Any]:
    """One document: `messages` names the type of each message, `$defs` describes the types."""
    types = {
        "options": game.options_type,
        "setting": game.setting_type,
        "view": game.view_type,
        "order": game.order_type,
        "event": game.event_type,
        "option": Option,
        "outcome": Outcome,
        "request": Request,
        "rejected": Rejected,
        "failure": Failure,
    }
    schemas, definitions = msgspec.json.schema_components(types.values(), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{game.title}, edition {game.edition}",
        "messages": dict(zip(types, schemas, strict=True)),
        "$defs": definitions,
    }
