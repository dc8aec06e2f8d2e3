"""The page of the bot protocol and its schema say what the messages are."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from polemos import registry
from polemos.wire.bot import CONVERSATION, PROTOCOL, Budget, Hello, Ready
from polemos.wire.schema import schema

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "bots.md").read_text(encoding="utf-8")


def test_every_message_of_the_page_is_one() -> None:
    block = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    met = []
    for line in block[1].splitlines():
        kind = msgspec.json.decode(line)["type"]
        message = msgspec.json.decode(line, type=CONVERSATION[kind])
        again = msgspec.to_builtins(message)
        assert set(msgspec.json.decode(line)) <= set(again), "no field that does not exist"
        met.append(kind)
    assert set(met) == set(CONVERSATION), "a complete conversation"
    assert met[0] == "hello"
    assert met[-1] == "result"


def test_the_budget_of_the_page_is_the_usual_one() -> None:
    for field in msgspec.structs.fields(Budget):
        assert f"`{field.name}`" in PAGE, field.name
    hello = re.search(r'^\{"type":"hello".*$', PAGE, re.MULTILINE)
    assert hello is not None
    assert msgspec.json.decode(hello[0], type=Hello).budget == Budget()


@pytest.mark.parametrize("name", registry.names())
def test_the_schema_has_every_message(name: str) -> None:
    messages = schema(registry.load(name))["messages"]
    assert {f"bot/{kind}" for kind in CONVERSATION} <= set(messages)


def test_the_schema_says_what_a_record_is() -> None:
    found = schema(registry.load("skerries"))["$defs"]
    assert set(found["StateRecord"]["required"]) == {"layout", "state"}
    for message in ("Seen", "Update"):
        assert found[message]["properties"]["record"] == {"$ref": "#/$defs/StateRecord"}
        assert "record" not in found[message]["required"]
    assert found["Ready"]["properties"]["record"] == {"type": "boolean", "default": False}


def test_unknown_fields_are_ignored() -> None:
    assert msgspec.json.decode(b'{"type":"ready","later":1}', type=Ready) == Ready(PROTOCOL)


def test_the_budget_in_words_names_every_limit() -> None:
    sizes = {"memory": 6 << 20, "scratch": 7 << 20, "line": 8 << 10, "log": 9 << 10}
    words = Budget(start=1, bank=2, turn=0.003, wall_factor=4, wall_extra=5, **sizes)
    assert words.words() == (
        "start 1 s, CPU 2 s plus 3 ms per turn, wall clock 4 times that plus 5 s per answer"
        " and 120 s plus 0.5 s per turn for all, memory 6 MB, scratch 7 MB, line 8 kB, log 9 kB"
    )
