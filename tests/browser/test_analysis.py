"""A finished game is analysed from its page: the value by turn, turning points by mouse and keys, and words for it."""

from __future__ import annotations

import json
import re
import time
import urllib.request

import pytest
from playwright.sync_api import Locator, expect

from browser.conftest import PATIENCE, NewPage, Server
from browser.room import at_rest

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


# ---- how it looks, whatever was found

LONG = "Red's orders cost 22 points of 100 (± 8). Better: " + "; ".join(
    f"build house {x},{y}" for y in (0, 2, 3) for x in range(4)
)


def _made_up() -> dict[str, object]:
    """An analysis of forty turns."""
    values = [0.5 + 0.4 * (1 - abs(step - 20) / 20) for step in range(41)]
    plans = [
        {"orders": ["build house 1,0"], "share": share, "value": 0.5, "ahead": 0.1, "margin": 0.02}
        for share in (0.6, 0.0)
    ]
    look = {"step": 0, "turn": 0, "given": ["build cannon 4,3"], "value": 0.4, "cost": 0.1, "margin": 0.02}
    return {
        "analysis": 2,
        "game": "demons",
        "edition": 1,
        "seats": ["red", "blue"],
        "steps": 40,
        "scripts": ["keeper"],
        "playouts": 100,
        "whole": True,
        "standings": [
            {"step": step, "turn": step, "values": {"red": red, "blue": 1 - red}, "margins": {"red": 0.1, "blue": 0.1}}
            for step, red in enumerate(values)
        ],
        "looks": [
            {**look, "seat": "red", "share": 0.4, "plans": plans},
            {**look, "seat": "blue", "share": 0.0, "plans": plans},
        ],
        "points": [
            {"step": step, "turn": step, "seat": "red", "change": -0.2, "kind": "mistake", "words": words}
            for step, words in ((0, "Red falls from 50 to 40."), (0, LONG), (20, LONG))
        ],
    }


def _box(of: Locator) -> tuple[float, float, float, float]:
    """Left, top, right, bottom."""
    found = of.bounding_box()
    assert found
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


IS_WHOLE = "words => words.scrollHeight <= words.clientHeight + 1"


def test_nothing_covers_the_curve_and_all_words_can_be_read(server: Server, new_page: NewPage) -> None:
    table = _finished(server)
    card = {"state": "done", "done": 1, "of": 1, "why": "", "analysis": _made_up()}
    for width, height in ((1280, 800), (1024, 768), (390, 844)):
        narrow = width < 760
        page = new_page(width, height, touch=narrow)
        page.route("**/analysis", lambda route: route.fulfill(json=card))
        page.goto(f"{server.address}/replay/{table}")
        strip = page.get_by_role("region", name="Value by turn")
        expect(page.get_by_role("grid")).to_be_visible()
        at_rest(page)
        plot, key = strip.locator(".plot"), strip.locator(".key")
        expect(key).to_contain_text(re.compile(r"above\s+Red ahead\s+below\s+Blue ahead"))
        left, _, right, bottom = _box(plot)
        assert _box(key)[1] >= bottom
        assert left <= _box(key)[0]
        assert _box(key)[2] <= right + 1
        if height >= 800 and not narrow:
            assert 64 <= _box(plot)[3] - _box(plot)[1] <= 72
        # Several turning points in one step: the words are those of the one that was chosen.
        marks = strip.get_by_role("group", name="Turning points").get_by_role("button")
        words = strip.locator(".point")
        expect(words).to_contain_text("1. Red falls")
        before = [_box(one) for one in (plot, page.get_by_role("button", name="Next turn"), *marks.all())]
        marks.nth(1).click()
        expect(words).to_contain_text("2. Red's orders cost 22 points")
        expect(marks.nth(1)).to_have_attribute("aria-current", "step")
        expect(marks.first).not_to_have_attribute("aria-current", "step")
        assert before == [_box(one) for one in (plot, page.get_by_role("button", name="Next turn"), *marks.all())]
        if not narrow:
            continue
        # On a phone they are there as a whole; whoever only comes by gets two lines that say there is more.
        assert words.evaluate(IS_WHOLE)
        marks.nth(2).click()
        expect(words).to_contain_text("3. Red's")
        assert words.evaluate(IS_WHOLE)
        page.get_by_role("button", name="Previous turn").click()
        expect(words).to_have_count(0)
        page.get_by_role("button", name="Next turn").click()
        expect(words).to_contain_text("3. Red's")
        assert not words.evaluate(IS_WHOLE)
        assert words.evaluate("words => getComputedStyle(words).webkitLineClamp") == "2"


def test_how_often_is_told_only_where_there_is_a_mixture(server: Server, new_page: NewPage) -> None:
    page = new_page()
    card = {"state": "done", "done": 1, "of": 1, "why": "", "analysis": _made_up()}
    page.route("**/analysis", lambda route: route.fulfill(json=card))
    page.goto(f"{server.address}/replay/{_finished(server)}")
    page.get_by_role("tab", name="Analysis").click()
    red, blue = (page.get_by_role("table").nth(i).get_by_role("row") for i in (0, 1))
    expect(red).to_have_text([re.compile(one) for one in ("^How often", r"^40 %.*As played", r"^60 %", "^–")])
    expect(blue).to_have_text([re.compile(one) for one in ("^Share", r"^40.*As played", "^50", "^50")])
