"""The C header: what it says of records, and when two layouts are the same."""

from __future__ import annotations

import re
from typing import Any

import pytest

from polemos import registry
from polemos.kernel.capabilities.in_library import InLibrary
from polemos.kernel.layout import fields_of, layout, with_parts
from polemos.kernel.record import Array, Record, i8, i16, i64, size
from polemos.library.build import library_of
from polemos.library.header import header, structure

GAMES = [name for name in registry.names() if isinstance(registry.load(name), InLibrary)]


class Leg(Record):
    """A leg of it."""

    toes: i8  # five, as a rule
    length: i16


class Beast(Record):
    legs: Array[Leg] = size(4)
    case: i64
    teeth: Array[Array[i8]] = size(2, 16)
    wild: bool


def test_a_structure_has_its_fields_comments_and_offsets() -> None:
    text = structure(Leg, "zoo")
    assert text.startswith("/* A leg of it. */\ntypedef struct {\n    int8_t toes; /* five, as a rule */\n")
    assert "sizeof(polemos_zoo_leg) == 4," in text
    assert "offsetof(polemos_zoo_leg, length) == 2," in text
    text = structure(Beast, "zoo")
    assert "    polemos_zoo_leg legs[4];\n    int64_t case_;\n    int8_t teeth[2][16];\n    bool wild;\n" in text
    assert "offsetof(polemos_zoo_beast, case_) == 16," in text


def test_parts_come_before_the_whole() -> None:
    assert with_parts(Beast) == [Leg, Beast]
    assert [(f.name, f.shape) for f in fields_of(Beast)] == [
        ("legs", (4,)),
        ("case", ()),
        ("teeth", (2, 16)),
        ("wild", ()),
    ]


def test_a_layout_changes_with_every_name_place_and_size() -> None:
    def made(**hints: Any) -> str:
        sizes = {name: size(*shape) for name, (_, *shape) in hints.items() if shape}
        body = {"__annotations__": {name: kind for name, (kind, *_) in hints.items()}, "__module__": __name__, **sizes}
        kind: Any = type(Record)
        return layout(kind("Made", (Record,), body))

    layouts = [
        made(a=(i8,), b=(i16,)),
        made(b=(i16,), a=(i8,)),
        made(a=(i8,), c=(i16,)),
        made(a=(i16,), b=(i16,)),
        made(a=(i8,), b=(i16,), c=(i8,)),
        made(a=(i8,), b=(Array[i16], 1)),
        made(a=(i8,), b=(Array[i16], 2)),
        made(a=(i8,), b=(Leg,)),
    ]
    assert len(set(layouts)) == len(layouts)
    assert made(a=(i8,), b=(i16,)) == layouts[0]


@pytest.mark.parametrize("name", GAMES)
def test_the_header_of_a_game_is_complete(name: str) -> None:
    game = registry.load(name)
    text = header(game, library_of(game))
    for call in ("edition", "layout", "state_size", "look", "options", "resolve", "playout", "winner", "write"):
        assert re.search(rf"^\w.*polemos_{name}_{call}\(", text, re.MULTILINE), call
    for record in with_parts(game.state_type, game.sight_type):
        word = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", record.__name__).lower()
        assert f"}} polemos_{name}_{word};" in text
        for field in fields_of(record):
            assert f"offsetof(polemos_{name}_{word}, {field.name}) == {field.offset}," in text
