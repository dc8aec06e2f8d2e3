"""Monad against our bots: whole games by mouse and by keys alone, four players, areas, replays, a phone."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import PATIENCE, NewPage, Server
from browser.monad import Monad, Tile, open_monad
from browser.room import focused, tab_to, type_to
from browser.test_axe import IDS, LOOKS, NARROW, check

ENDS = re.compile(r"(Red|Blue|Green|Yellow) wins|draw|share first place", re.IGNORECASE)
SMALL = 8
DRAWN = {"Map": "random", "Size": f"{SMALL}x{SMALL}"}


def _sit(page: Page, server: Server, bot: str = "pathfinder", **numbers: int) -> Monad:
    """Red against a bot on a small board; red begins on 1,1 and blue on 6,1."""
    seats = {"Red": "You", "Blue": f"Bot: {bot}"}
    open_monad(page, server.address, seats, texts=DRAWN, symmetry="Left mirrors right", **numbers)
    expect(page.get_by_role("grid")).to_be_visible()
    return Monad(page, SMALL, SMALL)


# ---- a whole game


def test_a_game_won_by_mouse(server: Server, new_page: NewPage) -> None:
    """Thirty units found a building and march on the other core; whoever alone has buildings wins (9.1)."""
    table = _sit(new_page(), server, units=30, defence=1, turns=20)
    table.expect_turn(1)
    start, core = Tile(1, 1), Tile(6, 1)
    table.point(start)
    expect(table.said).to_contain_text("1,1, yours, 30 units.")
    table.click(start)
    expect(table.said).to_contain_text("30 of 30 units idle. You can move up, right, down, left")
    table.build()
    expect(table.line("1 unit builds on 1,1")).to_be_visible()
    for turn in range(1, 13):
        table.expect_turn(turn)
        _march(table, core)
        table.file_button.click()
        expect(table.over.or_(table.next_sheet)).to_be_visible()
        if table.over.is_visible():
            break
    expect(table.over).to_be_visible()
    expect(table.page.get_by_role("status").filter(has_text="Red wins").first).to_be_visible()
    _walk_through(table)


def _march(table: Monad, core: Tile) -> None:
    """The largest stack takes a step towards the other core: it is chosen, then the neighbour is clicked."""
    stack = max(table.stacks(), key=lambda stack: stack.units)
    if table.page.get_by_role("region", name="Tile").count():
        table.page.keyboard.press("Escape")
    x, y = stack.tile
    to = Tile(x + (core.x > x) - (core.x < x), y) if x != core.x else Tile(x, y + (core.y > y) - (core.y < y))
    table.click(stack.tile)
    expect(table.inspector(stack.tile)).to_be_visible()
    table.click(to)
    expect(table.line(f"move from {stack.tile} to {to}")).to_be_visible()
    expect(table.said).to_contain_text("Ordered.")
    if to == core:
        expect(table.lines.get_by_text("would destroy the building there")).to_be_visible()


def _walk_through(table: Monad) -> None:
    """The record of the game: to its start, by steps, and played at the highest speed."""
    page = table.page
    table.press("First turn")
    table.expect_moment("1")
    table.press("Next turn")
    table.expect_moment("2")
    table.speed(240)
    table.press("Play")
    table.expect_moment("End")
    table.tab("Charts")
    for title in ("Units", "Buildings", "Tiles", "Stock"):
        expect(page.get_by_role("img", name=re.compile(f"^{title} over the turns"))).to_be_visible()


def test_a_game_by_keys_alone(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(server.address)
    _open_by_keys(page, Turns=3, Units=12)
    table = Monad(page, SMALL, SMALL)
    table.expect_turn(1)
    tab_to(page, table.board)
    for turn in (1, 2, 3):
        table.expect_turn(turn)
        assert focused(page, table.board), f"The focus was lost before turn {turn}."
        _order_by_keys(table, turn)
        page.keyboard.press("Control+Enter")
    expect(table.over).to_be_visible()
    expect(page.get_by_role("status").filter(has_text=ENDS).first).to_be_visible()
    page.keyboard.press("Home")
    table.expect_moment("1")
    page.keyboard.press(".")
    table.expect_moment("2")
    page.keyboard.press("End")
    table.expect_moment("End")


def _open_by_keys(page: Page, **numbers: int) -> None:
    """From the lobby through the form, from field to field."""
    keys = page.keyboard
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Monad"))
    link = card.get_by_role("link", name="Open a table")
    link.wait_for()
    tab_to(page, link)
    keys.press("Enter")
    for name in (re.compile("^all 15 maps$"), re.compile("^Random")):
        page.get_by_role("button", name=name).wait_for()
        tab_to(page, page.get_by_role("button", name=name))
        keys.press("Enter")
    tab_to(page, page.locator("summary").filter(has_text="More"))
    keys.press("Enter")
    blue = page.get_by_label("Who plays Blue")
    blue.wait_for()
    tab_to(page, blue)
    type_to(blue, "Bot: o")
    expect(blue).to_have_value("bot:overlord")
    size = page.get_by_label("Size", exact=True)
    tab_to(page, size)
    type_to(size, "Some")
    fields = [page.get_by_label("Size, something else")]
    fields += [page.get_by_role("spinbutton", name=re.compile(f"^{name}")) for name in numbers]
    for field, value in zip(fields, [DRAWN["Size"], *numbers.values()], strict=True):
        tab_to(page, field)
        keys.press("Control+a")
        keys.type(str(value))
    keys.press("Enter")


def _order_by_keys(table: Monad, turn: int) -> None:
    """A tile by its name, an order by its letter, a number before it; then all that are left; a typed line once."""
    page, keys = table.page, table.page.keyboard
    home = Tile(1, 1)
    table.cursor_to(home)
    keys.press("Enter")
    expect(table.inspector(home)).to_be_visible()
    if turn == 1:
        keys.press("b")
        expect(page.get_by_role("group", name="Build on 1,1, which way should it extend?")).to_be_visible()
        keys.press("Enter")
        expect(table.line("1 unit builds on 1,1")).to_be_visible()
        keys.type("3r")
        expect(table.line("3 units move from 1,1 to 2,1")).to_be_visible()
        keys.press("Control+z")
        expect(table.lines).to_have_count(1)
        keys.press("Control+Shift+z")
        expect(table.lines).to_have_count(2)
    else:
        keys.type("1w")
        expect(table.line("1 unit works on 1,1")).to_be_visible()
    keys.press("f")  # all that have idle units
    keys.press("d")
    expect(table.line(r"move from \d,\d to \d,\d").first).to_be_visible()
    expect(table.page.get_by_text("All your units have orders.")).to_be_visible()
    expect(table.lines.get_by_role("alert")).to_have_count(0)


def test_four_players_at_one_table(server: Server, new_page: NewPage) -> None:
    page = new_page()
    seats = {"Red": "You", "Blue": "Bot: overlord", "Green": "Bot: fortifier", "Yellow": "Bot: streamer"}
    open_monad(page, server.address, seats, texts={"Map": "random", "Size": "16x16"}, turns=3, units=4)
    table = Monad(page, 16, 16)
    start = Tile(1, 1)
    for turn in (1, 2, 3):
        table.expect_turn(turn)
        if turn == 1:
            assert {len(table.stacks(owner)) for owner in ("yours", "Blue", "Green", "Yellow")} == {1}
            table.click(start)
            table.build()
            expect(table.line("builds? on 1,1")).to_be_visible()
        elif turn == 2:
            table.click(start)
            table.order("Work")
            expect(table.line("works? on 1,1")).to_be_visible()
        table.file_button.click()
    expect(table.over).to_be_visible()
    expect(page.get_by_role("status").filter(has_text=ENDS).first).to_be_visible()
    for name in ("overlord", "fortifier", "streamer"):
        expect(page.get_by_role("rowheader", name=name)).to_be_visible()
    table.tab("Charts")
    units = page.get_by_role("figure").filter(has_text="Units")
    for seat in ("Red", "Blue", "Green", "Yellow"):
        expect(units.get_by_role("img", name=seat)).to_be_visible()


# ---- areas


def _spread(table: Monad, *letters: str) -> None:
    """All stacks send halves into a direction, turn after turn: 1, 2, 4, 6, 9 stacks."""
    table.expect_turn(1)
    tab_to(table.page, table.board)
    for turn, letter in enumerate(letters, 1):
        table.expect_turn(turn)
        table.page.keyboard.press("h")
        table.page.keyboard.press("e")
        expect(table.said).to_contain_text("idle. ")
        table.page.keyboard.press(letter)
        expect(table.said).to_contain_text("Ordered.")
        table.page.keyboard.press("Control+Enter")
    table.expect_turn(len(letters) + 1)
    table.page.keyboard.press("a")


def test_one_stroke_orders_an_area(server: Server, new_page: NewPage) -> None:
    table = _sit(new_page(), server, bot="waiter", units=34, turns=20)
    _spread(table, "r", "d", "r", "d")
    page = table.page
    table.order("Box")
    table.drag(Tile(0, 0), Tile(3, 3))
    expect(table.said).to_contain_text("9 tiles of yours. 34 units idle.")
    table.order("Move right")
    expect(table.lines).to_have_count(9)
    expect(table.said).to_contain_text("Ordered. 9 tiles: 34 units move right.")
    expect(table.file_button).to_have_text("File 9 orders")
    expect(page.get_by_text("Draft, saved.")).to_be_visible()
    # The brush takes what it touches, and a new order takes the place of the old one.
    table.order("Brush")
    table.drag(Tile(1, 1), Tile(1, 2), Tile(1, 3))
    expect(table.said).to_contain_text("3 tiles of yours. 0 units idle.")
    table.order("Move down")
    expect(table.line(r"move from 1,\d to 1,\d")).to_have_count(3)
    expect(table.lines).to_have_count(9)
    table.order("Cancel orders")
    expect(table.lines).to_have_count(6)
    expect(table.said).to_contain_text("Cancelled. 3 orders removed.")
    # Undo brings the stroke back as one step.
    table.press("Undo")
    expect(table.line(r"move from 1,\d to 1,\d")).to_have_count(3)
    # A drag out of a chosen area moves all of it.
    table.order("Point")
    table.drag(Tile(1, 2), Tile(2, 2))
    expect(table.line(r"move from 1,\d to 2,\d")).to_have_count(3)


def test_what_an_area_cannot_do_is_explained(server: Server, new_page: NewPage) -> None:
    table = _sit(new_page(), server, bot="waiter", units=40, turns=20)
    _spread(table, "r", "d", "u")
    table.order("Box")
    table.drag(Tile(0, 0), Tile(3, 0))
    expect(table.said).to_contain_text("2 tiles of yours.")
    table.page.keyboard.press("u")
    faults = table.lines.get_by_role("alert")
    expect(faults).to_have_count(2)
    expect(faults.first.get_by_role("link", name=re.compile(r"^Rule 4\.\d"))).to_be_visible()
    expect(table.said.get_by_role("link", name=re.compile(r"^Rule 4\.\d"))).to_be_visible()
    # A lawful order takes the place of the refused one.
    table.order("Move down")
    expect(faults).to_have_count(0)
    expect(table.lines).to_have_count(2)
    # Half of the area can: the others are counted.
    table.drag(Tile(0, 0), Tile(3, 1))
    table.order("Cancel orders")
    table.order("Work")
    expect(faults.first).to_contain_text("6.1")


def test_a_sheet_of_many_lines(server: Server, new_page: NewPage) -> None:
    """The first lines are drawn, the latest wherever they stand, and the others when they are asked for."""
    page = new_page()
    seats = {"Red": "You", "Blue": "Bot: waiter"}
    texts = {"Map": "random", "Size": "24x24"}
    open_monad(page, server.address, seats, texts=texts, units=1_000_000, turns=40)
    table = Monad(page, 24, 24)
    _spread(table, *"rdrdrdrdrdrdrdrd")  # 9 by 9
    page.keyboard.press("e")
    page.keyboard.press("r")
    expect(table.said).to_contain_text("Ordered. 81 tiles")
    expect(table.file_button).to_have_text("File 81 orders")
    more = page.get_by_role("button", name=re.compile(r"^Show \d+ more$"))
    expect(more).to_be_visible()
    assert table.lines.count() < 80
    more.click()
    expect(more).to_have_count(0)
    expect(table.lines).to_have_count(81)
    table.file_button.click()
    table.expect_turn(18)


# ---- a record


def _polemos(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "polemos", *words], check=True, capture_output=True, timeout=300)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of four bots, as a page that plays it."""
    folder = tmp_path_factory.mktemp("match")
    bots = ("pathfinder", "overlord", "streamer", "fortifier")
    options = ("map=random", "size=32x32", "seats=4", "turns=80")
    wished = [part for option in options for part in ("-o", option)]
    _polemos("match", "monad", *bots, "--seed", "page", *wished, "--out", str(folder))
    (replay,) = folder.glob("**/*.jsonl*")
    _polemos("replay", str(replay), "--html", str(folder / "game.html"))
    return folder / "game.html"


def test_a_record_at_high_speed(new_page: NewPage, recorded: Path) -> None:
    page = new_page()
    page.goto(recorded.as_uri())
    table = Monad(page, 32, 32)
    time = page.get_by_role("slider", name="Turn")
    expect(time).to_have_attribute("aria-valuetext", "Turn 1")
    page.get_by_role("button", name="240 turns per second").click()
    table.press("Play")
    expect(time).to_have_attribute("aria-valuetext", "End of the game")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(table.record.get_by_role("heading").first).to_have_text("Turn 80")
    # Seeking by the strip, and on with keys.
    box = time.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(time).to_have_attribute("aria-valuetext", re.compile(r"^Turn (40|41|42)$"))
    expect(table.record.get_by_role("heading").first).to_have_text(re.compile(r"^Turn (39|40|41)$"))
    middle = time.get_attribute("aria-valuenow")
    page.keyboard.press(".")
    page.keyboard.press(",")
    expect(time).to_have_attribute("aria-valuenow", str(middle))


def test_a_tile_is_inspected_and_the_board_shows_what_is_wanted(new_page: NewPage, recorded: Path) -> None:
    page = new_page()
    page.goto(f"{recorded.as_uri()}?turn=50")
    table = Monad(page, 32, 32)
    expect(page.get_by_role("slider", name="Turn")).to_have_attribute("aria-valuetext", "Turn 50")
    stack = max(table.stacks("Red"), key=lambda stack: stack.units)
    table.point(stack.tile)
    expect(table.said).to_contain_text(f"Red, {stack.units} unit")
    table.click(stack.tile)
    tile = table.inspector(stack.tile)
    expect(tile.get_by_role("definition").first).to_contain_text(f"{stack.units} unit")
    expect(tile.get_by_text(re.compile(r"^Ore left \(\d+ at the start\)$"))).to_be_visible()
    expect(tile.get_by_role("heading", name="Orders in turn 50")).to_be_visible()
    tile.get_by_role("button", name="Close").click()
    expect(tile).to_have_count(0)
    _overlays(table)


def _overlays(table: Monad) -> None:
    """Each way to look at the board looks different from the one before, and the key says what it means."""
    page = table.page
    page.mouse.move(2, 2)  # nothing is pointed at
    expect(page.get_by_text("Ore 0 to 50")).to_be_visible()
    seen = [table.board.screenshot()]
    for press in ("Off", "Numbers"):
        page.get_by_role("group", name="Ore").get_by_role("button", name=press).click()
        _sees_another(table, seen)
    page.get_by_role("switch", name="Who controls the land").click()
    expect(page.get_by_text("Control: the nearest player within 3 steps")).to_be_visible()
    _sees_another(table, seen)
    page.get_by_role("switch", name="Orders as arrows").click()
    _sees_another(table, seen)


def _sees_another(table: Monad, seen: list[bytes]) -> None:
    """The board comes to look as it did not before: it is painted a frame later."""
    until = time.monotonic() + PATIENCE / 1000
    while (picture := table.board.screenshot()) in seen:
        assert time.monotonic() < until, "The board looks as before."
        table.page.wait_for_timeout(100)
    seen.append(picture)


# ---- a phone


def test_a_game_by_finger(server: Server, new_page: NewPage) -> None:
    page = new_page(390, 844, touch=True)
    table = _sit(page, server, bot="waiter", units=20, turns=2)
    expect(page.get_by_text("turn 1 of 2")).to_be_visible()
    home, beside = Tile(1, 1), Tile(2, 1)
    table.tap(home)
    expect(table.said).to_contain_text("1,1, yours. 20 of 20 units idle.")
    table.tools.get_by_role("button", name="Build").tap()
    table.tools.get_by_role("group", name="Which way should the building extend?").get_by_role("button").first.tap()
    expect(table.line("builds? on 1,1")).to_be_visible()
    table.tap(beside)
    expect(table.line("19 units move from 1,1 to 2,1")).to_be_visible()
    assert page.locator("html").evaluate("page => page.scrollWidth") == 390  # nothing moves sideways
    table.file_button.tap()
    expect(page.get_by_text("turn 2 of 2")).to_be_visible()
    expect(table.file_button).to_have_text("Pass this turn")
    table.tools.get_by_role("button", name="Brush").tap()
    table.stroke(Tile(0, 1), home, beside, Tile(3, 1))
    expect(table.said).to_contain_text("2 tiles of yours. 20 units idle.")
    table.tools.get_by_role("button", name="Move down").tap()
    expect(table.lines).to_have_count(2)
    page.get_by_role("tab", name="Record").tap()
    expect(table.record.get_by_role("heading").first).to_have_text("Turn 1")
    page.get_by_role("tab", name="Seats").tap()
    expect(page.get_by_role("rowheader", name="waiter")).to_be_visible()
    page.get_by_role("tab", name=re.compile("^Orders")).tap()
    table.file_button.tap()
    expect(table.over).to_be_visible()


# ---- for everybody


@pytest.mark.parametrize(("size", "dark"), LOOKS, ids=IDS)
def test_no_serious_fault(server: Server, new_page: NewPage, size: tuple[int, int], dark: bool) -> None:
    page = new_page(*size, dark=dark, touch=size == NARROW, bypass_csp=True)
    table = _sit(page, server, bot="waiter", units=20, turns=2)
    expect(table.file_button).to_be_visible()
    check(page, "Monad")
    table.click(Tile(1, 1))
    expect(table.said).to_contain_text("20 of 20 units idle.")
    check(page, "Monad, a stack chosen")
    table.order("Work")
    expect(table.lines.get_by_role("alert")).to_have_count(1)
    check(page, "Monad, refused")
    table.file_button.click()
    table.file_button.click()
    expect(table.file_button).to_have_text("Pass this turn")
    for tab in ("Seats", "Legend", "Record", "Charts") if size == NARROW else ("Record", "Charts"):
        table.tab(tab)
        check(page, f"Monad, {tab}")
    table.tab("Orders")
    table.file_button.click()
    expect(table.over).to_be_visible()
    check(page, "Monad, over")
