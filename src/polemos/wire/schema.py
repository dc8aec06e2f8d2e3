"""The JSON Schema of a game's messages, and of the requests shared by all games."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from polemos.kernel.game import Option
from polemos.kernel.outcome import Outcome
from polemos.wire.adjudicate import Failure, Rejected, Request
from polemos.wire.bot import CONVERSATION


def schema(game: Any) -> dict[str, Any]:
    """One document: `messages` names the type of each message, `$defs` describes the types."""
    position = msgspec.defstruct("Position", [("setting", game.setting_type), ("view", game.view_type)])
    views = dict[str, game.view_type]
    told = dict[str, list[game.chronicle.event_type]]
    fields: list[tuple[str, Any]] = [
        ("position", position),
        ("text", str),
        ("events", list[game.chronicle.event_type]),
        ("rejected", list[Rejected]),
        ("to_act", list[str]),
        ("outcome", Outcome | None),
        ("views", views),
        ("told", told),
        ("digest", str),
    ]
    answer = msgspec.defstruct("Answer", [*fields, ("id", Any, None)])
    some = [(name, kind | UnsetType, UNSET) for name, kind in fields]
    lean = msgspec.defstruct("LeanAnswer", [*some, ("id", Any, None)])
    types = {
        "position": position,
        "answer": answer,
        "answer/lean": lean,
        "options": game.options_type,
        "setting": game.setting_type,
        "view": game.view_type,
        "order": game.order_type,
        "event": game.chronicle.event_type,
        "option": Option,
        "outcome": Outcome,
        "request": Request,
        "rejected": Rejected,
        "failure": Failure,
        **{f"bot/{name}": said for name, said in CONVERSATION.items()},
    }
    schemas, definitions = msgspec.json.schema_components(types.values(), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{game.title}, edition {game.edition}",
        "messages": dict(zip(types, schemas, strict=True)),
        "$defs": definitions,
    }
