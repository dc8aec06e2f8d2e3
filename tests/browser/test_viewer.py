"""`polemos replay FILE --html PAGE`: one page that plays a match without a server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.conftest import NewPage
from browser.monarchs import Monarchs

pytestmark = pytest.mark.needs("monarchs")

TURNS = 3


def _polemos(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "polemos", *words], check=True, capture_output=True, timeout=300)


def test_a_page_with_one_replay_needs_no_server(new_page: NewPage, tmp_path: Path) -> None:
    bots = ("steady", "raider", "holder")
    _polemos("match", "monarchs", *bots, "--seed", "page", "-o", f"turns={TURNS}", "--out", str(tmp_path))
    (replay,) = tmp_path.glob("**/*.jsonl*")
    _polemos("replay", str(replay), "--html", str(tmp_path / "game.html"))
    page = new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(True)
    page.goto((tmp_path / "game.html").as_uri())
    table = Monarchs(page)
    table.expect_moment("1")
    table.press("Next turn")
    table.expect_moment("2")
    expect(table.record.get_by_role("listitem").first).to_be_visible()
    table.press("Previous turn")
    table.expect_moment("1")
    table.press("Play")
    table.expect_moment("End")
    page.keyboard.press(",")
    table.expect_moment(str(TURNS))
    table.tab("Charts")
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert len([url for url in asked if url.startswith("file:")]) == 1
