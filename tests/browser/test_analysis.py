"""A finished game is analysed from its page: the value by turn, turning points by mouse and keys, and words for it."""

from __future__ import annotations

import json
import re
import time
import urllib.request

import pytest
from playwright.sync_api import expect

from browser.conftest import PATIENCE, NewPage, Server

pytestmark = pytest.mark.needs("demons")


IN_ONE_ROW = """line => [...line.children].every(part => {
    const [at, all] = [part.getBoundingClientRect(), line.getBoundingClientRect()];
    return at.top >= all.top - 1 && at.bottom <= all.bottom + 1;
})"""


def _finished(server: Server) -> str:
    """A short game of Demons between two of our bots, of which one throws away its gold at once."""
    seats = {"red": {"kind": "bot", "bot": "rusher"}, "blue": {"kind": "bot", "bot": "keeper"}}
    wish = {"game": "demons", "seats": seats, "options": {"map": "skirmish", "turns": 40}}
    asked = urllib.request.Request(
        f"{server.address}/api/tables", json.dumps(wish).encode(), {"Content-Type": "application/json"}
    )
    table: str = json.load(urllib.request.urlopen(asked))["table"]
    until = time.monotonic() + 180
    while json.load(urllib.request.urlopen(f"{server.address}/api/tables/{table}"))["status"] != "over":
        assert time.monotonic() < until, "the bots did not finish"
        time.sleep(0.05)
    return table


def test_the_timeline_of_a_finished_game_shows_where_it_turned(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{server.address}/replay/{_finished(server)}")
    page.get_by_role("button", name="Analyse", exact=True).click()
    strip = page.get_by_role("region", name="Value by turn")
    points = strip.get_by_role("group", name="Turning points").get_by_role("button")
    expect(points.first).to_be_visible(timeout=5 * PATIENCE)
    expect(page.get_by_role("button", name="Analyse", exact=True)).to_have_count(0)
    first = points.first
    expect(first).to_have_accessible_name(re.compile(r"Turning point 1, turn \d+: (Red|Blue)"))
    turn = re.search(r"turn (\d+)", first.get_attribute("aria-label") or "")
    assert turn is not None
    first.focus()
    page.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-current", "step")
    expect(page.get_by_role("slider", name="Turn")).to_have_attribute("aria-valuetext", f"Turn {turn[1]}")
    expect(strip.locator(".words")).to_contain_text("1.")
    if points.count() > 1:
        page.keyboard.press("ArrowRight")
        expect(points.nth(1)).to_be_focused()
    # Between turning points the line says how it stands, in one row that has room for it.
    page.keyboard.press("End")
    words = strip.locator(".words")
    expect(words).to_contain_text(re.compile(r"Red (0|100).*Blue (0|100)", re.DOTALL))
    assert words.evaluate(IN_ONE_ROW)
    page.get_by_role("tab", name="Analysis").click()
    expect(page.get_by_role("heading", name="Value now")).to_be_visible()
    page.get_by_text("All values as a table").click()
    expect(page.get_by_role("row", name=re.compile("^End (100 0|0 100)"))).to_be_visible()
    page.reload()  # it is kept
    expect(points.first).to_be_visible()
