"""Demons against our bots: whole games by mouse and by keys, by finger; prices, ranges, portals, stages, music."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.conftest import NewPage, Server
from browser.demons import Demons
from browser.room import at_rest, focused, open_table, tab_to, type_to
from browser.test_axe import IDS, LOOKS, NARROW, check

SEATS = {"Red": "You", "Blue": "Bot: random"}
ENDS = re.compile(r"(Red|Blue) wins: .*Rule 9\.[23]\s*$")
MAX_TURNS = 60  # nobody holds out so long who leaves lanes to the demons
CANNONS = ["4,6", "3,6"]  # where red meets the second wave of Twin Gates


def _sit(page: Page, server: Server, seats: dict[str, str] = SEATS, turns: int = 0) -> Demons:
    """A table on Twin Gates; 0 turns are as many as the book says."""
    open_table(page, server.address, "Demons", seats, turns=turns)
    table = Demons(page)
    table.expect_turn(0)
    return table


# ---- whole games


def test_a_whole_game_by_mouse_until_a_base_falls(server: Server, new_page: NewPage) -> None:
    table = _sit(new_page(), server)
    sites, turn = iter(CANNONS), 0
    while table.goes_on(turn):
        assert turn < MAX_TURNS
        if table.gold() >= 20:
            table.hire("east" if turn else "north")
            expect(table.file_button).to_have_text("File 1 order")
        elif table.gold() >= 10 and (site := next(sites, None)):
            table.build("Cannon", site)
            expect(table.file_button).to_have_text("File 1 order")
        table.file_button.click()
        turn += 1
    assert turn > 10
    _won_or_lost(table)
    _walk_through(table, turn)


def _won_or_lost(table: Demons) -> None:
    """Not by the last turn: a base has fallen, and the board shows which."""
    expect(table.said).to_have_text(ENDS)
    expect(table.page.get_by_role("gridcell", name=re.compile("(red|blue) base, 0 health")).first).to_be_visible()


def _walk_through(table: Demons, turns: int) -> None:
    """Back and forth in what was played; the charts follow."""
    table.expect_time("End of the game")
    table.press("First turn")
    table.expect_time("Turn 0")
    table.press("Next turn")
    table.expect_time("Turn 1")
    expect(table.tile("7,1")).to_have_accessible_name(re.compile("demon attacking red"))
    table.page.get_by_role("button", name="60 turns per second").click()
    table.press("Play")
    table.expect_time("End of the game")
    table.tab("Charts")
    for figure in ("Base health", "Gold in hand", "Income per 10 turns", "Tower value", "Mercenaries", "Danger"):
        expect(table.page.get_by_role("img", name=re.compile(f"^{figure} over the turns"))).to_be_visible()
    table.tab("Record")
    expect(table.record.get_by_role("heading").first).to_have_text(f"Turn {turns - 1}")


def test_a_whole_game_by_keys_alone(server: Server, new_page: NewPage) -> None:
    page, keys = (page := new_page()), page.keyboard
    page.goto(server.address)
    _open_by_keys(page)
    table = Demons(page)
    table.expect_turn(0)
    tab_to(page, table.board)
    turn = 0
    while table.goes_on(turn):
        assert turn < MAX_TURNS
        # Whoever played with the cursor goes on with it: no turn takes the focus away.
        assert focused(page, table.board), f"The focus was lost before turn {turn}."
        _order_by_keys(table, turn)
        keys.press("Control+Enter")
        turn += 1
    assert turn > 10
    _won_or_lost(table)
    keys.press("Home")
    table.expect_time("Turn 0")
    keys.press(".")
    table.expect_time("Turn 1")
    keys.press("End")
    table.expect_time("End of the game")


def _open_by_keys(page: Page) -> None:
    """From the lobby through the form, from field to field."""
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Demons"))
    link = card.get_by_role("link", name="Open a table")
    link.wait_for()
    tab_to(page, link)
    page.keyboard.press("Enter")
    more = page.locator("summary").filter(has_text="More")
    more.wait_for()
    tab_to(page, more)
    page.keyboard.press("Enter")
    blue = page.get_by_label("Who plays Blue")
    blue.wait_for()
    tab_to(page, blue)
    type_to(blue, "Bot: ra")
    expect(blue).to_have_value("bot:random")
    tab_to(page, page.get_by_role("button", name="Open the table"))
    page.keyboard.press("Enter")


def _order_by_keys(table: Demons, turn: int) -> None:
    """Letters hire and take up, Enter builds, Delete destroys, and what was done can be undone."""
    keys = table.page.keyboard
    if turn == 0:
        keys.press("n")
        expect(table.line("send a mercenary north")).to_be_visible()
        keys.press("Control+z")
        expect(table.lines).to_have_count(0)
        keys.press("Control+Shift+z")
        expect(table.line("send a mercenary north")).to_be_visible()
    elif turn == 10:
        keys.press("x")
        expect(table.tower("Crossbow")).to_have_attribute("aria-pressed", "true")
        table.cursor_to("3,2")
        expect(table.said).to_contain_text("Build a crossbow at 3,2. 8 gold")
        expect(table.range).to_be_visible()
        keys.press("Enter")
        expect(table.line("build a crossbow at 3,2")).to_be_visible()
    elif turn == 12:
        table.cursor_to("3,2")
        keys.press("Delete")
        expect(table.line("destroy the tower at 3,2")).to_be_visible()
    elif turn == 14:
        expect(table.tile("3,2")).not_to_have_accessible_name(re.compile("red crossbow"))
        keys.press("l")
        expect(table.line("send a mercenary north").get_by_role("alert")).to_be_visible()
        keys.press("l")
        expect(table.lines).to_have_count(0)


def test_a_turn_by_finger(server: Server, new_page: NewPage) -> None:
    page = new_page(390, 844, touch=True)
    open_table(page, server.address, "Demons", SEATS, turns=3)
    table = Demons(page)
    expect(table.file_button).to_have_text("Pass this turn")
    table.tower("Crossbow").tap()
    expect(table.said).to_contain_text(re.compile(r"Crossbow for 8 gold\. Choose one of the \d+ tiles with a dot\."))
    table.tile("3,2").tap()
    expect(table.line("build a crossbow at 3,2")).to_be_visible()
    # A tile that is chosen first asks what to build there, in place of the crossbow.
    table.tile("0,1").tap()
    page.get_by_role("button", name="Build a house at 0,1 for 10 gold").tap()
    expect(table.line("build a house at 0,1")).to_be_visible()
    expect(table.lines).to_have_count(1)
    table.expect_gold(10)
    assert page.locator("html").evaluate("page => page.scrollWidth") == 390  # nothing moves sideways
    table.file_button.tap()
    expect(page.get_by_text("turn 1 of 3")).to_be_visible()
    page.get_by_role("tab", name="Record").tap()
    expect(table.record.get_by_role("heading").first).to_have_text("Turn 0")
    expect(table.record.get_by_text("Red builds a house on 0,1 for 10 gold.")).to_be_visible()
    page.get_by_role("tab", name="Sides").tap()
    expect(page.get_by_role("region", name="Portals")).to_contain_text("next wave in 9 turns")


# ---- orders by mouse


def test_build_destroy_and_hire(server: Server, new_page: NewPage) -> None:
    table = _sit(new_page(), server, turns=3)
    page = table.page
    table.build("Crossbow", "3,2")
    table.expect_gold(12)
    # Another building takes its place: one builder a turn. The tile first, then the tower.
    table.tile("0,1").click()
    page.get_by_role("button", name="Build a house at 0,1 for 10 gold").click()
    expect(table.line("build a house at 0,1")).to_be_visible()
    expect(table.lines).to_have_count(1)
    table.expect_gold(10)
    table.tile("0,1").click(button="right")
    expect(table.lines).to_have_count(0)
    table.tile("0,0").click()
    page.get_by_role("button", name="Destroy the house at 0,0").click()
    expect(table.line("destroy the tower at 0,0")).to_be_visible()
    table.expect_gold(25)
    # The base, then the first tile of a lane.
    table.tile("2,4").click()
    expect(page.get_by_role("group", name="Send a mercenary, 20 gold")).to_be_visible()
    table.tile("2,3").hover()
    expect(table.said).to_contain_text("Send a mercenary north. 20 gold, 5 left.")
    table.tile("2,3").click()
    expect(table.line("send a mercenary north")).to_be_visible()
    expect(table.way("north")).to_have_attribute("aria-pressed", "true")
    table.expect_gold(5)
    expect(table.file_button).to_have_text("File 2 orders")
    table.file(0)
    table.expect_turn(1)
    expect(table.tile("0,0")).not_to_have_accessible_name(re.compile("house"))
    expect(table.tile("2,3")).to_have_accessible_name(re.compile("red mercenary, 20 health"))
    table.tab("Record")
    expect(table.record).to_contain_text("Red destroys the house on 0,0")


def test_prices_and_ranges_are_told_before_anything_is_ordered(server: Server, new_page: NewPage) -> None:
    table = _sit(new_page(), server, turns=3)
    expect(table.said).to_contain_text("Your orders are due. Pick a tower")
    table.tower("Cannon").hover()
    expect(table.said).to_have_text("Cannon for 10 gold. Shoots every 5 turns, 3 damage, range 3.")
    table.tower("Minigun").hover()
    expect(table.said).to_contain_text("Minigun for 25 gold.")
    expect(table.said).to_contain_text("You have 20 gold and can't build it now.")
    table.way("east").hover()
    expect(table.said).to_contain_text("Send a mercenary east. 20 gold, 0 left. It has 20 health")
    expect(table.range).to_have_count(0)
    table.tower("Cannon").click()
    table.tile("3,2").hover()
    expect(table.said).to_contain_text("Build a cannon at 3,2. 10 gold, 10 left.")
    expect(table.said).to_contain_text("range 3: covers 10 lane tiles.")
    expect(table.range).to_be_visible()
    table.tile("5,3").hover()
    expect(table.range).to_have_count(0)
    table.tile("3,2").click()
    table.file(0)
    table.expect_turn(1)
    table.tile("3,2").hover()
    expect(table.said).to_contain_text("Red cannon at 3,2. Shoots in 3 turns, 3 damage, range 3: covers 10 lane tiles.")
    expect(table.said).to_contain_text("Press Delete to destroy it and get 5 gold back.")
    expect(table.range).to_be_visible()


def test_a_refused_order_stays_until_it_is_right(server: Server, new_page: NewPage) -> None:
    table = _sit(new_page(), server, turns=3)
    page = table.page
    table.build("Cannon", "5,3")
    fault = table.lines.get_by_role("alert")
    expect(fault).to_contain_text("5,3 is not your land.")
    expect(table.said).to_contain_text("5,3 is not your land.")
    expect(table.tile("5,3")).to_have_accessible_name(re.compile("invalid order: Cannon at 5,3"))
    with page.context.expect_page() as opened:
        fault.get_by_role("link", name="Rule 3.3").click()
    paragraph = opened.value.locator('[id="3.3"]').get_by_role("heading")
    expect(paragraph).to_contain_text("Your own territory")
    expect(paragraph).to_be_in_viewport()
    opened.value.close()
    table.lines.get_by_title("Edit this order").click()
    box = page.get_by_role("textbox", name="Order 1")
    expect(box).to_have_value("build cannon 5,3")
    box.fill("build cannon 3,3")
    box.press("Enter")
    expect(table.line("build a cannon at 3,3")).to_be_visible()
    expect(fault).to_have_count(0)
    table.expect_gold(10)
    # What is left does not pay a mercenary: that is said of this line only.
    table.hire("east")
    expect(table.line("send a mercenary").get_by_role("alert")).to_contain_text(
        "it costs more than you have left of your 20 gold."
    )
    expect(table.file_button).to_have_text("File 1 order")
    table.press("Remove order 1")
    expect(fault).to_have_count(0)
    table.expect_gold(0)


def test_portals_count_down_and_name_their_next_target(server: Server, new_page: NewPage) -> None:
    table = _sit(new_page(), server, turns=12)
    portals = table.page.get_by_role("region", name="Portals")
    expect(portals).to_contain_text("7,1 next wave this turn: a demon with 10 health that attacks red")
    expect(table.page.get_by_text("Demons come this turn")).to_be_visible()
    table.tile("7,1").hover()
    expect(table.said).to_have_text("Portal at 7,1. Next wave this turn: a demon with 10 health that attacks red.")
    table.file(0)
    table.expect_turn(1)
    table.tile("7,1").hover()
    expect(table.said).to_contain_text("Demon attacking red at 7,1. 10 health")
    for turn in (1, 2):
        table.file(turn)
        table.expect_turn(turn + 1)
    expect(table.page.get_by_text("Demons in 7 turns")).to_be_visible()
    portals.get_by_role("button", name=re.compile("^red 7,7|^Red 7,7")).click()
    expect(table.tile("7,7")).to_have_attribute("aria-selected", "true")
    expect(table.said).to_contain_text("Portal at 7,7. Next wave in 7 turns: a demon with 10 health that attacks red.")


def test_directions_by_the_compass_or_from_the_own_base(server: Server, new_page: NewPage) -> None:
    table = _sit(new_page(), server, {"Red": "Bot: random", "Blue": "You"}, turns=3)
    red, blue = (table.page.get_by_role("gridcell", name=re.compile(f"{seat} base")) for seat in ("red", "blue"))
    assert _left(red) < _left(blue)
    table.hire("west")
    table.press("From your base")
    expect(table.way("west")).to_have_count(0)
    expect(table.way("ahead")).to_have_attribute("aria-pressed", "true")
    assert _left(blue) < _left(red)  # who goes ahead goes to the right
    table.hire("left")
    expect(table.lines).to_have_count(1)
    table.file(0)
    table.expect_turn(1)
    # Blue's left is south: the half-turn of Twin Gates makes it red's north.
    expect(table.tile("12,5")).to_have_accessible_name(re.compile("blue mercenary"))
    table.press("Compass")
    assert _left(red) < _left(blue)
    expect(table.way("south")).to_be_visible()


def _left(tile: Locator) -> float:
    box = tile.bounding_box()
    assert box is not None
    return box["x"]


# ---- what was played


def test_a_turn_stage_by_stage(server: Server, new_page: NewPage) -> None:
    table = _sit(new_page(), server)
    keys = table.page.keyboard
    for turn in range(3):
        if turn == 0:
            table.build("Crossbow", "3,2")
        table.file(turn)
        table.expect_turn(turn + 1)
    table.press("First turn")
    table.press("Next turn")
    table.expect_time("Turn 1")
    expect(table.stages.get_by_role("button").first).to_have_text("Build")
    names = table.stages.get_by_role("button").all_inner_texts()
    assert "Arrivals" in names
    pictures = set()
    for name in names:
        table.stages.get_by_role("button", name=name).click()
        expect(table.stages.locator("[aria-current=step]")).to_have_text(name)
        pictures.add(table.board.screenshot())
    assert len(pictures) == len(names)  # each shows something else
    keys.press("[")
    expect(table.stages.locator("[aria-current=step]")).to_have_text(names[-2])
    keys.press("]")
    expect(table.stages.locator("[aria-current=step]")).to_have_text(names[-1])
    keys.press("]")
    expect(table.stages.locator("[aria-current=step]")).to_have_count(0)
    table.expect_time("Turn 1")
    table.press("Back to live")
    table.expect_turn(3)


def test_music_is_off_until_it_is_asked_for(server: Server, new_page: NewPage) -> None:
    table = _sit(new_page(), server, turns=3)
    page = table.page
    music = page.get_by_role("button", name=re.compile("^Music "))
    expect(music).to_have_text("Music off")
    expect(music).to_have_attribute("aria-pressed", "false")
    music.click()
    expect(music).to_have_text("Music on")
    expect(music).to_have_attribute("aria-pressed", "true")
    volume = page.get_by_role("slider", name="Music volume")
    volume.focus()
    volume.press("Home")
    expect(volume).to_have_value("0")
    table.file(0)
    table.expect_turn(1)
    expect(music).to_have_text("Music on")
    music.click()
    expect(music).to_have_text("Music off")
    expect(volume).to_have_count(0)


def test_a_thousand_turns_can_be_scrubbed(new_page: NewPage, tmp_path: Path) -> None:
    polemos = [sys.executable, "-m", "polemos"]
    match = ["match", "demons", "keeper", "keeper", "--seed", "7", "--out", str(tmp_path), "--workers", "1"]
    subprocess.run([*polemos, *match], check=True, capture_output=True, timeout=300)
    (replay,) = tmp_path.glob("**/*.jsonl.gz")
    subprocess.run([*polemos, "replay", str(replay), "--html", str(tmp_path / "game.html")], check=True, timeout=300)
    page = new_page()
    page.goto((tmp_path / "game.html").as_uri())
    table = Demons(page)
    table.expect_time("Turn 0")
    at_rest(page)
    box = table.time.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 2, y)
    page.mouse.down()
    for part in (0.25, 0.5, 0.75, 0.4):
        page.mouse.move(box["x"] + part * box["width"], y, steps=20)
        page.wait_for_function(NEAR, arg=1000 * part)
    page.mouse.up()
    page.keyboard.press("End")
    table.expect_time("End of the game")
    expect(table.said).to_have_text(re.compile(r"Red wins: more gold\. Rule 9\.5"))
    _play_with_motion(table)


# Whether timeline and board both are near a turn, and at the same.
NEAR = """turn => {
    const now = document.querySelector("[role=slider][aria-label=Turn]").getAttribute("aria-valuenow");
    const said = document.querySelector("[role=grid]").getAttribute("aria-label");
    return Math.abs(now - turn) < 10 && said.includes(`turn ${now} of 1000`);
}"""
# Notes which turns fly by from now on, and whether stages are offered meanwhile.
FLIGHT = """() => {
    window.flown = {turns: new Set(), staged: false};
    const look = () => {
        const buttons = [...document.querySelectorAll("button")];
        if (!buttons.some((one) => one.ariaLabel === "Pause")) return;
        window.flown.turns.add(document.querySelector("[role=grid]").getAttribute("aria-label"));
        if (window.flown.turns.size === 1) return;  // it has not moved yet
        window.flown.staged ||= document.querySelector("[aria-label='Stages of this turn']") !== null;
    };
    new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""


def _play_with_motion(table: Demons) -> None:
    """Who wants motion sees the stages of each turn one after the other, as long as turns do not fly by."""
    page = table.page
    page.emulate_media(reduced_motion="no-preference")
    box = table.time.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    page.mouse.click(box["x"] + 0.4 * box["width"], y)  # all stages have something
    table.press("Play")
    table.stages.locator("[aria-current=step]").wait_for()
    table.press("Pause")
    page.get_by_role("button", name="60 turns per second").click()
    page.mouse.click(box["x"] + 0.95 * box["width"], y)
    page.wait_for_function(NEAR, arg=950)
    page.evaluate(FLIGHT)
    table.press("Play")
    table.expect_time("End of the game")  # however long a look takes, the page has noted what it showed
    assert page.evaluate("() => window.flown.turns.size") > 1
    assert page.evaluate("() => window.flown.staged") is False


# ---- somebody who never saw it


def test_a_newcomer_is_offered_the_introduction_once(server: Server, new_page: NewPage) -> None:
    table = _sit(new_page(), server, turns=3)
    before = table.page.url
    table.press("Learn it by playing")
    steps = table.page.get_by_role("region", name="Introduction")
    expect(steps).to_contain_text("step 1 of 7")
    expect(steps.get_by_role("link", name=re.compile(r"^Rule \d"))).to_be_visible()
    assert table.page.url != before  # a table of its own
    table.page.goto(before)
    expect(table.file_button).to_be_enabled()
    expect(table.page.get_by_role("button", name="Learn it by playing")).to_have_count(0)


@pytest.mark.parametrize(("size", "dark"), LOOKS, ids=IDS)
def test_no_serious_fault_for_people_with_other_means(
    server: Server, new_page: NewPage, size: tuple[int, int], dark: bool
) -> None:
    page = new_page(*size, dark=dark, touch=size == NARROW, bypass_csp=True)
    open_table(page, server.address, "Demons", SEATS, turns=12)
    table = Demons(page)
    expect(table.file_button).to_have_text("Pass this turn")
    check(page, "table")
    table.tower("Cannon").click()
    table.tile("5,3").click()
    expect(table.lines.get_by_role("alert")).to_be_visible()
    table.hire("east")
    check(page, "table, a refused line and a mercenary")
    table.file_button.click()
    table.file_button.click()  # without the line that is refused
    for tab in ("Record", "Charts", *(("Sides", "Legend") if size == NARROW else ())):
        table.tab(tab)
        check(page, f"table, {tab}")
