"""Strikes, void lines, drop-outs and times in the viewer: seen, heard and reached by keyboard."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.conftest import NewPage

# It hands in nonsense in the second turn, nothing readable in the fourth, and dies in the last but one.
CLUMSY = """
import json, sys
asked = 0
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "hello":
        print('{"type":"ready","name":"Icarus <b>"}', flush=True)
        continue
    if kind != "view":
        break
    asked += 1
    if asked == int(sys.argv[1]):
        raise ValueError("the wax <b>has</b> melted")
    if asked == 4:
        print("wings", flush=True)
    else:
        print(json.dumps({"type": "orders", "orders": ["nonsense", "more"] if asked == 2 else []}), flush=True)
"""


def exported(folder: Path, turns: int) -> Path:
    """A match that the clumsy bot does not finish, as a page."""
    (folder / "icarus").mkdir()
    (folder / "icarus" / "bot.py").write_text(CLUMSY)
    bot = f"python3 {folder}/icarus/bot.py {turns - 1}"
    for words in (
        ("match", "skerries", bot, "settler", "settler", "-o", f"turns={turns}", "--seed", "7", "--out", str(folder)),
        ("replay", str(folder / "game-00001.jsonl.gz"), "--html", str(folder / "game.html")),
    ):
        subprocess.run([sys.executable, "-m", "polemos", *words], check=True, capture_output=True, timeout=300)
    return folder / "game.html"


@pytest.mark.parametrize("width", [1440, 390])
def test_marks_on_a_long_timeline_say_what_happened(new_page: NewPage, tmp_path: Path, width: int) -> None:
    page = new_page()
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(exported(tmp_path, 30).as_uri())
    faults = page.get_by_role("group", name="Faults").get_by_role("button")
    expect(faults.first).to_be_visible()
    said = [str(one.get_attribute("aria-label")) for one in faults.all()]
    assert any("Turn 2: Red: 2 void lines" in words for words in said), said
    assert any("Turn 4: Red sent an unreadable answer: JSON is malformed" in words for words in said), said
    crash = "Turn 29: Red dropped out (crash): exit code 1: ValueError: the wax <b>has</b> melted"
    assert said[-1] == crash
    for one in faults.all():
        box = one.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
    faults.first.focus()
    expect(page.locator(".tl-hint")).to_contain_text("Turn 2: Red: 2 void lines")
    for _ in said[1:]:
        page.keyboard.press("ArrowRight")
    expect(faults.last).to_be_focused()
    expect(page.locator(".tl-hint")).to_have_text(crash)
    hint = page.locator(".tl-hint").bounding_box()
    assert hint is not None
    assert hint["x"] >= 0
    assert hint["x"] + hint["width"] <= width
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Record").click()
    record = page.get_by_role("log", name="Record")
    expect(record).to_contain_text("Red dropped out (crash): exit code 1: ValueError: the wax <b>has</b> melted")
    expect(record.get_by_text("on the clock").first).to_be_attached()


def test_few_turns_have_their_marks_on_the_buttons(new_page: NewPage, tmp_path: Path) -> None:
    page = new_page()
    page.goto(exported(tmp_path, 8).as_uri())
    turns = page.get_by_role("group", name="Turns").get_by_role("button")
    struck = turns.filter(has=page.locator(".strike"))
    expect(struck).to_have_count(1)
    assert "Red sent an unreadable answer" in str(struck.get_attribute("aria-label"))
    struck.focus()
    expect(page.locator(".tl-hint")).to_contain_text("Turn 4: Red sent an unreadable answer")
    page.keyboard.press("Escape")


def test_time_and_faults_are_added_up_beside_the_charts(new_page: NewPage, tmp_path: Path) -> None:
    page = new_page()
    page.goto(exported(tmp_path, 8).as_uri())
    page.get_by_role("tab", name="Charts").click()
    for chart in ("CPU time per turn, ms", "Time on the clock per turn, ms"):
        expect(page.get_by_role("img", name=chart)).to_be_visible()
    rows = page.get_by_role("table", name="Time and faults").get_by_role("row")
    expect(rows).to_have_count(4)
    expect(rows.nth(1)).to_contain_text("Icarus b")
    cells = rows.nth(1).get_by_role("cell").all_inner_texts()
    assert cells[-2:] == ["1", "2"]
    assert all(cell.endswith(("ms", "s")) for cell in cells[-5:-2])
