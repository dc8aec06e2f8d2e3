"""The page about the server says what is the case: its examples run, its messages exist."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from polemos.wire import table as wire
from polemos.wire.party import PartyAsks
from unit.server.serving import Server, Web
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
    tables, parties = PAGE.split("## A party online")
    for page, kind, least in ((tables, wire.Asks, 8), (parties, PartyAsks, 3)):
        found = re.findall(r'`(\{"type": .*?\})`', page)
        assert len(found) >= least
        for text in found:
            filled = (
                text.replace("[...]", "[]")
                .replace('"step": N', '"step": 0')
                .replace("TOKEN", '""')
                .replace("...", '""')
            )
            msgspec.json.decode(filled, type=kind)


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
    from polemos.server.tables.listeners import SIGNED_OUT, TOO_SLOW

    for code in (live.BAD, live.UNKNOWN, live.LIMIT, live.LATER, SIGNED_OUT[0], TOO_SLOW[0]):
        assert str(code) in PAGE


# ---- the page that the server writes itself


def test_the_description_brings_everything_along(small_server: Server) -> None:
    """It has no scripts, loads nothing from elsewhere, and is forbidden to."""
    with Web(small_server.address) as web:
        answer = web.get("/api/schema")
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    page = _Read()
    page.feed(answer.text)
    assert "script" not in page.tags
    assert not page.tags & {"iframe", "img", "object", "embed", "link", "form"}
    assert all(link.startswith(("#", "/api/")) for link in page.links)
    assert {link[1:] for link in page.links if link.startswith("#")} <= page.ids, "links lead somewhere"
    assert not re.search(r"\son\w+=", answer.text)
    assert "http://" not in answer.text
    assert "https://" not in answer.text


def test_the_description_names_every_request_and_message(small_server: Server) -> None:
    with Web(small_server.address) as web:
        text, schema = web.get("/api/schema").text, web.get("/api/schema/openapi.json").json()
    for path, methods in schema["paths"].items():
        for method, of in methods.items():
            assert f"{method.upper()} {path}" in text
            assert html.escape(of["summary"]) in text
    for name in schema["components"]["schemas"]:
        assert f"id='{html.escape(name)}'" in text


def test_answers_for_programs_are_no_pages(small_server: Server) -> None:
    """Whatever somebody manages to put into one, a browser that opens it runs nothing."""
    with Web(small_server.address) as web:
        for path in ("/api/games", "/api/schema/openapi.json", "/api/nothing", "/api/tables/x"):
            assert "default-src 'none'" in web.get(path).headers["content-security-policy"], path


class _Read(HTMLParser):
    """The tags, links and anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: set[str] = set()
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name in ("href", "src"):
                self.links.add(value or "")
            if name == "id":
                self.ids.add(value or "")
