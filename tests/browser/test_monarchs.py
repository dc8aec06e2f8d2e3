"""Whole games of Monarchs against our bots, by mouse and by keys alone; a turn by finger."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Page, expect

from browser.conftest import NewPage, Server
from browser.monarchs import Monarchs
from browser.room import focused, sit_down, tab_to

TURNS = 8
WINS = re.compile(r"(Red|Green|Blue) wins|draw", re.IGNORECASE)


def test_a_whole_game_by_mouse_and_its_record(server: Server, new_page: NewPage, tmp_path: Path) -> None:
    page = new_page()
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    for turn in range(1, TURNS + 1):
        table.expect_turn(turn)
        _order(table, most=3)
        table.file(turn)
    expect(table.over).to_be_visible()
    expect(page.get_by_role("status").filter(has_text=WINS)).to_be_visible()
    _told_who_won(table)
    _walk_through(table)
    _link_to_a_moment(table, server, new_page())
    _take_the_record_home(table, server, new_page(), tmp_path)


def _told_who_won(table: Monarchs) -> None:
    """The winner by name, and each seat with its place and its points, from the most to the least."""
    winner = WINS.search(table.page.get_by_role("status").filter(has_text=WINS).inner_text())
    assert winner is not None
    words = "You won." if winner[1] == "Red" else f"{winner[1]} won."
    expect(table.page.get_by_text(words)).to_be_visible()
    results = table.page.get_by_role("list", name="Results").get_by_role("listitem")
    expect(results).to_have_count(3)
    for place, word in enumerate(("won", "second", "third")):
        expect(results.nth(place)).to_contain_text(word)
    points = [int(found[1]) for text in results.all_inner_texts() if (found := re.search(r"Points (-?\d+)", text))]
    assert len(points) == 3
    assert points == sorted(points, reverse=True)
    expect(results.filter(has_text="you")).to_contain_text("Guest Red")


def _order(table: Monarchs, most: int) -> None:
    """Some marches and a blessing, each seen on the sheet and on the map."""
    plan = table.plan(most)
    for way in plan:
        number = max(1, way.free - 1) if way.free <= 10 else way.free
        table.march(way, number)
        expect(table.line(way.start, way.to, number)).to_be_visible()
        expect(table.hex(way.start)).to_have_accessible_name(re.compile(f"{number} ordered to {way.to}"))
    if plan:
        table.bless(plan[0].to)
        expect(table.blessing(plan[0].to)).to_be_visible()
        expect(table.file_button).to_have_text(f"File {len(plan) + 1} orders")


def _walk_through(table: Monarchs) -> None:
    """Steps, seeking and playing. Every turn has its events, the newest first."""
    page = table.page
    table.tab("Record")
    table.expect_moment("End")
    expect(table.record.get_by_role("heading").first).to_have_text(f"Turn {TURNS}")
    table.press("Previous turn")
    table.expect_moment(str(TURNS))
    expect(table.record.get_by_role("heading").first).to_have_text(f"Turn {TURNS - 1}")
    table.turns.get_by_role("button", name="Turn 3").click()
    table.expect_moment("3")
    table.press("Next turn")
    table.expect_moment("4")
    _in_one_row(table)
    table.press("First turn")
    table.expect_moment("1")
    expect(table.record).to_have_text("The game begins here. Go on to read what happens.")
    table.speed(60)
    table.press("Play")
    table.expect_moment("End")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    table.tab("Charts")
    expect(page.get_by_role("img", name=re.compile("^Points over the turns"))).to_be_visible()
    _labels_apart(page)
    table.press("First turn")
    _labels_apart(page)  # where all begin with the same


def _in_one_row(table: Monarchs) -> None:
    """The buttons of all turns stand beside each other: a second row would push the board about from turn to turn."""
    boxes = [button.bounding_box() for button in table.turns.get_by_role("button").all()]
    assert len(boxes) == TURNS + 1
    assert len({box["y"] for box in boxes if box}) == 1


def _labels_apart(page: Page) -> None:
    """No label of a chart stands upon another, however near the lines are."""
    for figure in ("Points", "Hexes"):
        boxes = [
            label.bounding_box()
            for label in page.get_by_role("list", name=f"{figure} now").get_by_role("listitem").all()
        ]
        tops = sorted(box["y"] for box in boxes if box)
        assert len(tops) == 3
        assert all(below - above >= 12 for above, below in pairwise(tops)), (figure, tops)


def _link_to_a_moment(table: Monarchs, server: Server, other: Page) -> None:
    """What the link button copies opens the same turn in another browser, and all of it: the game is over."""
    page = table.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.address)
    table.turns.get_by_role("button", name="Turn 5").click()
    with table.copying():
        table.press("Link")
    table.tab("Chat")
    box = page.get_by_role("textbox", name="Message to everyone")
    box.click()
    page.keyboard.press("Control+v")
    expect(box).to_have_value(re.compile(r"/replay/\w+\?turn=5$"))
    other.goto(box.input_value())
    there = Monarchs(other)
    there.expect_moment("5")
    expect(there.board).to_have_accessible_name(re.compile("61 of 61 hexes in sight"))


def _take_the_record_home(table: Monarchs, server: Server, other: Page, folder: Path) -> None:
    """The downloaded replay can be given to the page of replays, which plays it."""
    table.tab("Table")
    with table.page.expect_download() as download:
        table.page.get_by_role("link", name="Download the replay").click()
    assert download.value.suggested_filename.endswith(".jsonl.gz")
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    other.goto(f"{server.address}/replay")
    with other.expect_file_chooser() as chooser:
        other.get_by_text("Drop a replay file here, or choose one").click()
    chooser.value.set_files(file)
    there = Monarchs(other)
    there.expect_moment("1")
    there.press("Next turn")
    there.expect_moment("2")
    expect(there.record.get_by_role("listitem").first).to_be_visible()
    with other.expect_download() as again:
        there.press("Download")
    assert Path(again.value.path()).read_bytes() == file.read_bytes()


def test_a_stage_of_the_last_turn_gives_way_to_orders(server: Server, new_page: NewPage) -> None:
    """Who looks at the battles of the last turn goes back to the present by a click on the map, or by Escape."""
    page = new_page()
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    table.expect_turn(1)
    _order(table, most=3)
    table.file(1)
    table.expect_turn(2)
    stages = page.get_by_role("group", name="Stages of this turn")
    chosen = stages.locator("[aria-current=step]")
    stages.get_by_role("button").first.click()
    expect(chosen).to_have_count(1)
    page.mouse.move(5, 5)
    expect(page.get_by_text("go back to your orders")).to_be_visible()
    table.hex("A5").click()
    expect(chosen).to_have_count(0)
    expect(table.hex("A5")).to_have_attribute("aria-selected", "true")
    stages.get_by_role("button").first.click()
    expect(chosen).to_have_count(1)
    page.keyboard.press("Escape")
    expect(chosen).to_have_count(0)
    table.march(table.plan(1)[0], 1)
    expect(table.lines).to_have_count(1)


def test_a_whole_game_by_keys_alone(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(server.address)
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Monarchs"))
    play = card.get_by_role("button", name="Play a bot now")
    play.wait_for()
    tab_to(page, play)
    page.keyboard.press("Enter")
    table = Monarchs(page)
    table.expect_turn(1)
    tab_to(page, table.board)
    for turn in range(1, TURNS + 1):
        table.expect_turn(turn)
        # Whoever played with the cursor goes on with it: no turn takes the focus away.
        assert focused(page, table.board), f"The focus was lost before turn {turn}."
        _order_by_keys(table)
        page.keyboard.press("Control+Enter")
    expect(table.over).to_be_visible()
    # The record by keys: from the timeline back, from anywhere to the start and the end.
    page.keyboard.press("Home")
    table.expect_moment("1")
    page.keyboard.press(".")
    table.expect_moment("2")
    page.keyboard.press(",")
    table.expect_moment("1")
    page.keyboard.press("End")
    table.expect_moment("End")


def _order_by_keys(table: Monarchs) -> None:
    """Three ways to order: cursor and digit, cursor and Enter twice, and a typed line; then a blessing."""
    page, keys = table.page, table.page.keyboard
    plan = table.plan(3)
    for n, way in enumerate(plan[:2]):
        table.cursor_to(way.start)
        keys.press("Enter")
        expect(table.hex(way.start)).to_have_attribute("aria-selected", "true")
        table.cursor_to(way.to)
        number = way.free if n or way.free > 9 else 1
        if n or way.free > 9:
            keys.press("Enter")
            if way.free > 1:
                keys.press("Enter")
        else:
            keys.press("1")
        expect(table.line(way.start, way.to, number)).to_be_visible()
    for way in plan[2:]:
        keys.type(f"{way.start} {way.to} {way.free}".lower())
        keys.press("Enter")
        expect(table.line(way.start, way.to, way.free)).to_be_visible()
        tab_to(page, table.board, key="Shift+Tab")
    if plan:
        table.cursor_to(plan[0].to)
        keys.press("*")
        expect(table.blessing(plan[0].to)).to_be_visible()
        keys.press("Control+z")
        expect(table.blessing(plan[0].to)).to_have_count(0)
        keys.press("Control+Shift+z")
        expect(table.blessing(plan[0].to)).to_be_visible()


def test_a_turn_by_finger(server: Server, new_page: NewPage) -> None:
    page = new_page(390, 844, touch=True)
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    head = page.get_by_label("The table", exact=True)
    expect(head).to_contain_text("turn 1 of 8")
    expect(head).not_to_contain_text("8 turns")  # it is told once
    expect(table.file_button).to_be_enabled()  # the map offers what the sheet can take
    way = table.plan(1)[0]
    table.hex(way.start).tap()
    expect(table.hex(way.start)).to_have_attribute("aria-selected", "true")
    table.hex(way.to).tap()
    number = page.get_by_role("group", name=f"{way.start} to {way.to}, how many?")
    number.get_by_role("button", name=re.compile("^2 regiments")).tap()
    expect(table.line(way.start, way.to, 2)).to_be_visible()
    table.hex(way.to).tap()
    page.get_by_role("button", name="+0.5 in a battle on this hex").tap()
    expect(table.blessing(way.to)).to_be_visible()
    assert page.locator("html").evaluate("page => page.scrollWidth") == 390  # nothing moves sideways
    table.file_button.tap()
    expect(page.get_by_text("turn 2 of 8")).to_be_visible()
    page.get_by_role("tab", name="Record").tap()
    expect(table.record.get_by_role("heading").first).to_have_text("Turn 1")
    expect(table.record.get_by_text(f"Red blesses {way.to}.")).to_be_visible()
