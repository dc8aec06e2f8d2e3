"""The page about the server says what is the case: its examples run, its messages exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from polemos.wire import table as wire
from unit.server.serving import Server
from unit.server.test_fuzz import OPERATIONS

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "server.md").read_text(encoding="utf-8")


def test_the_examples_of_the_page_run(small_server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    """Word for word, but for the address."""
    names: dict[str, object] = {}
    for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        code = code.replace("http://127.0.0.1:8000", small_server.address)
        exec(compile(code, "server.md", "exec"), names)
    client, bot = capsys.readouterr().out.splitlines()
    assert client.split()[0] in ("red", "blue", "None")
    assert bot


def test_every_message_is_named() -> None:
    for kind in (*get_args(wire.Says), *get_args(wire.Asks)):
        word = kind.__struct_config__.tag
        assert f"`{word}`" in PAGE or f'"type": "{word}"' in PAGE, word


def test_messages_of_the_page_are_messages() -> None:
    found = re.findall(r'`(\{"type": .*?\})`', PAGE)
    assert len(found) >= 8
    for text in found:
        filled = text.replace("[...]", "[]").replace('"step": N', '"step": 0').replace("...", '""')
        msgspec.json.decode(filled, type=wire.Asks)


def test_every_address_is_named() -> None:
    for path, methods in OPERATIONS.items():
        address = path.replace("{name}", "GAME").replace("{id}", "ID")
        for method in methods:
            assert f"{method.upper()} {address}" in PAGE, f"{method} {path}"


def test_every_field_of_a_wish_is_named() -> None:
    for field in msgspec.structs.fields(wire.OpenTable):
        assert f"`{field.name}`" in PAGE, field.name


def test_the_close_codes_are_those_of_the_server() -> None:
    from polemos.server.routes import live

    for code in (live.BAD, live.UNKNOWN, live.LIMIT):
        assert str(code) in PAGE
