"""The JSON Schema of every game: valid JSON, closed under its references, and true of real messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from polemos import registry
from polemos.wire.adjudicate import answer
from polemos.wire.bot import CONVERSATION
from polemos.wire.schema import schema
from properties.driver import as_bytes, every_example, everybody, random_match

GAMES = [registry.load(name) for name in registry.names()]
MESSAGES = {"options", "setting", "view", "order", "event", "option", "outcome", "request", "rejected", "failure"}
MESSAGES |= {"answer", "answer/lean", "position"} | {f"bot/{kind}" for kind in CONVERSATION}

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)

TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}


def valid(value: Any, rule: Any, definitions: dict[str, Any]) -> bool:
    """A validator for the part of JSON Schema that is used here; an unknown keyword raises."""
    for keyword, wanted in rule.items():
        match keyword:
            case "$ref":
                good = valid(value, definitions[wanted.removeprefix("#/$defs/")], definitions)
            case "anyOf":
                good = any(valid(value, one, definitions) for one in wanted)
            case "type":
                good = isinstance(value, TYPES[wanted]) and (wanted == "boolean" or not isinstance(value, bool))
            case "enum":
                good = value in wanted
            case "const":
                good = value == wanted
            case "properties":
                good = all(valid(value[name], one, definitions) for name, one in wanted.items() if name in value)
            case "required":
                good = all(name in value for name in wanted)
            case "additionalProperties":
                more = [value[name] for name in value if name not in rule.get("properties", {})]
                good = (
                    not more if wanted is False else wanted is True or all(valid(v, wanted, definitions) for v in more)
                )
            case "items":
                rest = value[len(rule.get("prefixItems", ())) :]
                good = not rest if wanted is False else all(valid(item, wanted, definitions) for item in rest)
            case "prefixItems":
                good = all(valid(item, one, definitions) for item, one in zip(value, wanted, strict=False))
            case "minItems":
                good = len(value) >= wanted
            case "maxItems":
                good = len(value) <= wanted
            case "minimum":
                good = value >= wanted
            case "maximum":
                good = value <= wanted
            case "pattern":
                good = re.search(wanted, value) is not None
            case "title" | "description" | "default" | "discriminator" | "$comment" | "examples" | "words":
                good = True
            case _:
                raise AssertionError(f"unknown keyword {keyword}")
        if not good:
            return False
    return True


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "$ref":
                yield inner
            else:
                yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


@every_game
def test_the_schema_is_json_and_names_every_message(game: Any) -> None:
    document = msgspec.json.decode(msgspec.json.encode(schema(game)))
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert document["title"] == f"{game.title}, edition {game.edition}"
    assert set(document["messages"]) == MESSAGES
    assert document == msgspec.json.decode(msgspec.json.encode(schema(game)))


@every_game
def test_every_reference_leads_to_a_definition_and_every_definition_is_used(game: Any) -> None:
    document = schema(game)
    used = {reference.removeprefix("#/$defs/") for reference in references(document)}
    assert used == set(document["$defs"])


@every_example
def test_the_messages_of_a_real_match_are_as_the_schema_says(game: Any, options: dict[str, Any]) -> None:
    document = msgspec.json.decode(msgspec.json.encode(schema(game)))
    match = random_match(game, options, 5, steps=4)

    def assert_valid(message: Any, kind: str) -> None:
        plain = msgspec.json.decode(as_bytes(message))
        assert valid(plain, document["messages"][kind], document["$defs"]), (kind, plain)

    assert_valid(match.options, "options")
    assert_valid(match.setting, "setting")
    for state in match.history:
        for who in everybody(game, state):
            view = game.observe(state, who)
            assert_valid(view, "view")
            for option in game.options(match.setting, view)[:20]:
                assert_valid(option, "option")
                assert_valid(option.order, "order")
    for step, events in zip(match.steps, match.happened, strict=True):
        for event in events:
            assert_valid(event, "event")
        for seat, texts in step.orders.items():
            for line in game.check(match.history[step.step - 1], seat, texts or ()).lines:
                if line.order is not None:
                    assert_valid(line.order, "order")
    while match.outcome is None:
        match.run()
    assert_valid(match.outcome, "outcome")


@every_game
def test_requests_and_answers_are_as_the_schema_says(game: Any) -> None:
    document = msgspec.json.decode(msgspec.json.encode(schema(game)))
    kinds, definitions = document["messages"], document["$defs"]
    setup = {"setup": game.examples[0], "seed": 1, "id": "x"}
    first = msgspec.json.decode(answer(game, msgspec.json.encode(setup)))
    seat = first["to_act"][0]
    step = {"position": first["position"], "orders": {seat: ["no order"]}, "seed": 1}
    second = msgspec.json.decode(answer(game, msgspec.json.encode(step)))
    lean = msgspec.json.decode(answer(game, msgspec.json.encode({**step, "fields": ["rejected", "told"]})))
    failures = [
        {"id": 7},
        {"id": "x", "setup": {}, "more": 1},
        {"position": ""},
        {"position": first["position"], "orders": {"nobody": []}},
    ]
    assert valid(setup, kinds["request"], definitions)
    assert valid(step, kinds["request"], definitions)
    assert valid(first["views"][seat], kinds["view"], definitions)
    assert valid(second["rejected"][0], kinds["rejected"], definitions)
    assert valid(first, kinds["answer"], definitions)
    assert valid(second, kinds["answer"], definitions)
    assert valid(lean, kinds["answer/lean"], definitions)
    assert not valid(lean, kinds["answer"], definitions)
    for request in failures:
        failure = msgspec.json.decode(answer(game, msgspec.json.encode(request)))
        assert "error" in failure
        assert valid(failure, kinds["failure"], definitions)
        assert not valid(failure, kinds["answer"], definitions)
    wrong_ones: list[object] = [{"move": 1}, {"orders": []}, {"seed": []}]
    for message in wrong_ones:
        assert not valid(message, kinds["request"], definitions)


@every_game
def test_the_schema_refuses_what_is_no_message(game: Any) -> None:
    document = msgspec.json.decode(msgspec.json.encode(schema(game)))
    others: list[object]
    for kind in MESSAGES - {"request", "options", "option"}:
        others = [None, 5, [], "text"] if kind == "answer/lean" else [None, 5, [], {}, "text"]
        for wrong in others:
            assert not valid(wrong, document["messages"][kind], document["$defs"]), (kind, wrong)
