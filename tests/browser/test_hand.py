"""Less work for the hand: standing orders, kinds of stacks, going on until there is news, marks that explain."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.conftest import PATIENCE, NewPage, Server
from browser.demons import Demons
from browser.monad import Monad, Tile, open_monad
from browser.monarchs import Monarchs
from browser.room import at_rest, open_table, second_click, sit_down, tab_to
from browser.test_axe import IDS, LOOKS, NARROW, check

SMALL = 8
HOME = Tile(1, 1)


def _sit(page: Page, server: Server, **numbers: int) -> Monad:
    """Red on 1,1 of a small board, against a bot that stays at home."""
    seats = {"Red": "You", "Blue": "Bot: waiter"}
    open_monad(page, server.address, seats, texts={"Map": "duel"}, symmetry="Half a turn", **numbers)
    table = Monad(page, SMALL, SMALL)
    expect(table.file_button).to_be_enabled()
    return table


def _standing(page: Page) -> Locator:
    return page.get_by_role("region", name="Standing orders", exact=True)


def _lasting(page: Page) -> Locator:
    return page.get_by_role("group", name="Until told otherwise")


def _file(table: Monad, turn: int) -> None:
    """Files the sheet of a turn, and waits for the next sheet."""
    table.expect_turn(turn)
    table.file_button.click()
    table.expect_turn(turn + 1)


# ---- Monad: standing orders


@pytest.mark.needs("monad")
def test_standing_orders_write_every_sheet_until_told_otherwise(server: Server, new_page: NewPage) -> None:
    page = new_page()
    table = _sit(page, server, units=12, turns=30)
    table.click(HOME)
    table.build()
    expect(table.line("1 unit builds on 1,1")).to_be_visible()
    _file(table, 1)
    table.click(HOME)
    _lasting(page).get_by_role("button", name="Keep working").click()
    expect(_standing(page)).to_contain_text("Keep working on 1,1")
    expect(table.line("5 units work on 1,1")).to_be_visible()
    page.keyboard.press("Escape")
    _lasting(page).get_by_role("button", name="Keep mining").click()
    expect(_standing(page)).to_contain_text("Keep mining wherever units stand on ore")
    expect(table.line(r"\d units mine on 1,1")).to_be_visible()
    _file(table, 2)

    # They are plain lines of the next sheet, which can be changed.
    expect(table.lines).to_have_count(2)
    expect(_standing(page).get_by_text("2 orders on this sheet")).to_be_visible()
    page.get_by_role("button", name="Remove order 2").click()
    expect(table.lines).to_have_count(1)
    _file(table, 3)
    page.get_by_role("tab", name="Record").click()
    page.get_by_role("log", name="Record").get_by_text(re.compile("^Red")).first.click()
    expect(page.get_by_role("log", name="Record").get_by_text("work 1,1 5").first).to_be_visible()
    table.tab("Orders")

    # A reload forgets nothing and writes nothing twice.
    expect(table.lines).to_have_count(2)
    page.reload()
    table.expect_turn(4)
    expect(_standing(page).get_by_role("switch")).to_have_count(2)
    expect(table.lines).to_have_count(2)

    # What is switched off leaves the sheet; what is removed is gone.
    _standing(page).get_by_role("switch", name="Keep working on 1,1").click()
    expect(table.line("work on 1,1")).to_have_count(0)
    _standing(page).get_by_role("button", name=re.compile("^Remove: Keep mining")).click()
    expect(table.lines).to_have_count(0)
    _standing(page).get_by_role("switch", name="Keep working on 1,1").click()
    expect(table.line("5 units work on 1,1")).to_be_visible()


@pytest.mark.needs("monad")
def test_a_march_goes_its_way_by_itself_and_ends(server: Server, new_page: NewPage) -> None:
    page = new_page()
    table = _sit(page, server, units=6, turns=30)
    table.click(HOME)
    _lasting(page).get_by_role("button", name="March").click()
    expect(table.said).to_contain_text("March of 1,1. Choose the tile at the end of the route")
    table.click(Tile(1, 3))
    expect(table.said).to_contain_text("2 steps to 1,3. Choose it again to confirm")
    expect(page.locator("[data-route=drawn]")).to_have_count(1)
    table.click(Tile(2, 3))
    expect(table.said).to_contain_text("3 steps to 2,3.")
    table.click(Tile(2, 3))
    expect(_standing(page)).to_contain_text("March to 2,3 with 6 units")
    expect(page.locator("[data-route=kept]")).to_have_count(1)
    for turn, step in enumerate(("1,1 to 1,2", "1,2 to 1,3", "1,3 to 2,3"), 1):
        expect(table.line(f"6 units move from {step}")).to_be_visible()
        _file(table, turn)
    expect(_standing(page)).to_contain_text("Ended: Arrived on 2,3.")
    expect(table.lines).to_have_count(0)
    _file(table, 4)
    expect(_standing(page)).to_have_count(0)


@pytest.mark.needs("monad")
def test_a_front_is_fed_and_the_last_turn_repeated_by_keys_alone(server: Server, new_page: NewPage) -> None:
    page, keys = (page := new_page()), page.keyboard
    table = _sit(page, server, units=9, turns=30)
    tab_to(page, table.board)
    table.cursor_to(HOME)
    keys.press("Enter")
    keys.press("s")
    expect(page.get_by_role("group", name="Feed a front")).to_be_visible()
    for press in ("ArrowRight", "Enter", "Enter"):
        keys.press(press)
    expect(_standing(page)).to_contain_text("Send all from 1,1 to 2,1")
    expect(table.line("9 units move from 1,1 to 2,1")).to_be_visible()
    keys.press("Control+Enter")
    table.expect_turn(2)
    expect(_standing(page)).to_contain_text("Waits: No units to send.")
    table.cursor_to(Tile(2, 1))
    keys.press("Enter")
    keys.type("4m")
    expect(table.line("4 units mine on 2,1")).to_be_visible()
    keys.press("Control+Enter")
    table.expect_turn(3)
    keys.press("p")
    expect(table.said).to_contain_text("1 order of last turn repeated.")
    expect(table.line("4 units mine on 2,1")).to_be_visible()
    keys.press("p")
    expect(table.line(r"mine on 2,1")).to_have_count(2)  # for those that were idle still
    keys.press("Control+z")
    expect(table.lines).to_have_count(1)


@pytest.mark.needs("monad")
def test_stacks_are_selected_by_kind_and_a_block_is_explained(server: Server, new_page: NewPage) -> None:
    page = new_page()
    table = _sit(page, server, units=12, turns=30)
    table.click(HOME)
    table.order("Build")
    expect(table.tools).to_contain_text("A building takes a block of 2 by 2 tiles. 1,1 becomes its core")
    blocks = table.tools.get_by_role("group", name="Which way should the building extend?")
    expect(blocks.get_by_role("button")).to_have_text(
        ["right and down", "left and down", "left and up", "right and up"], use_inner_text=True
    )
    blocks.get_by_role("button", name="right and down").click()
    page.get_by_role("spinbutton", name="This many units").fill("4")
    page.keyboard.press("Enter")
    table.order("Move down")
    expect(table.line("4 units move from 1,1 to 1,2")).to_be_visible()
    _file(table, 1)
    kinds = table.tools.get_by_role("group", name="Select by kind")
    kinds.get_by_role("button", name="Cores").click()
    expect(table.inspector(HOME)).to_be_visible()
    kinds.get_by_role("button", name="Ore", exact=True).click()
    expect(table.inspector(Tile(1, 2))).to_be_visible()
    kinds.get_by_role("button", name="Front").click()
    expect(table.said).to_contain_text("Nothing to select: your stacks with an enemy next to them.")


@pytest.mark.needs("monad")
def test_standing_orders_by_finger(server: Server, new_page: NewPage) -> None:
    page = new_page(390, 844, touch=True)
    table = _sit(page, server, units=6, turns=30)
    table.tap(HOME)
    _lasting(page).get_by_role("button", name="March").tap()
    expect(table.said).to_contain_text("March of 1,1.")
    table.tap(Tile(3, 1))
    expect(table.said).to_contain_text("2 steps to 3,1.")
    page.get_by_role("button", name="Set the route").tap()
    expect(table.line("6 units move from 1,1 to 2,1")).to_be_visible()
    table.file_button.tap()
    expect(table.line("6 units move from 2,1 to 3,1")).to_be_visible()
    _standing(page).get_by_role("switch").tap()
    expect(table.lines).to_have_count(0)
    assert page.locator("html").evaluate("page => page.scrollWidth") == 390  # nothing moves sideways


# ---- Demons: going on


def _against_rusher(page: Page, server: Server, game: str) -> Demons:
    open_table(page, server.address, game, {"Red": "You", "Blue": "Bot: rusher"}, turns=60)
    table = Demons(page)
    table.expect_turn(0)
    return table


def _passed(page: Page) -> Locator:
    return page.get_by_role("log", name="Turns that passed").get_by_role("listitem")


@pytest.mark.needs("demons")
def test_going_on_until_something_can_be_built_or_an_enemy_is_near(server: Server, new_page: NewPage) -> None:
    page = new_page()
    table = _against_rusher(page, server, "Demons")
    while table.gold() >= 8:  # spends what there is
        table.hire("north") if table.gold() >= 20 else table.build("Crossbow", "3,6")
    on = page.get_by_role("region", name="Going on by itself")
    with table.saying("Stop (Esc)"):
        on.get_by_role("button", name=re.compile("^Go on until")).click()
    expect(on.get_by_role("status")).to_contain_text(
        re.compile(r"Stopped after \d+ turns?\. You can now (build|send) ")
    )
    turns = int(re.findall(r"Stopped after (\d+)", on.get_by_role("status").inner_text())[0])
    expect(_passed(page).first).to_contain_text("Turn 0. Red")
    table.expect_turn(turns)
    # What can be ordered now doesn't stop it again. In the end somebody stands at the gate.
    stopped = on.get_by_role("status").filter(has_text="Stopped")
    for _ in range(8):
        on.get_by_role("button", name=re.compile("^Go on until")).click()
        expect(stopped).to_be_visible(timeout=4 * PATIENCE)
        if "close to your base" in stopped.inner_text() or "your base:" in stopped.inner_text():
            break
    expect(stopped).to_contain_text(re.compile(r"damage|no damage"))
    place = page.locator("[data-danger]").first.get_attribute("data-danger")
    assert place is not None
    table.tile(place).hover()
    expect(table.said).to_contain_text(re.compile("your base"))


# Escape as soon as a turn has passed, before the next sheet is filed. The page does it: it goes on by itself, and a
# hand on a slow machine comes when the next turn is being played already, or when it has stopped.
STOPPED = """() => {
    const stop = () => {
        if (!document.querySelector("[aria-label='Turns that passed'] li")) return;
        watch.disconnect();
        window.dispatchEvent(new Event("stopping"));
        window.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", cancelable: true}));
    };
    const watch = new MutationObserver(stop);
    watch.observe(document.body, {subtree: true, childList: true});
}"""


@pytest.mark.needs("demons")
def test_going_on_can_be_stopped_at_any_time(server: Server, new_page: NewPage) -> None:
    page = new_page()
    table = _against_rusher(page, server, "Demons")
    table.hire("north")
    tab_to(page, table.board)
    on = page.get_by_role("region", name="Going on by itself")
    at_rest(page)
    box = on.get_by_role("button").bounding_box()
    assert box
    page.evaluate(STOPPED)
    # Whoever clicks Stop just when it stopped does not start it again: the button is not there at once.
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    with second_click(page, at, 100, "stopping"), table.saying("Stop (Esc)"):
        page.keyboard.press("o")
    expect(on.get_by_role("status")).to_contain_text("You stopped it.")
    turn = int(re.findall(r"Stopped after (\d+)", on.get_by_role("status").inner_text())[0])
    table.expect_turn(turn)
    page.wait_for_timeout(1500)  # longer than it would wait before the next one
    table.expect_turn(turn)


# ---- all games: what marks mean


@pytest.mark.needs("monarchs")
def test_alerts_and_odds_say_what_they_mean(server: Server, new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, server.address, "Monarchs")
    alert = page.get_by_role("region", name="Orders").get_by_role("button", name="You haven't blessed a hex yet.")
    words = page.get_by_role("tooltip").filter(has_text="adds half a regiment to its strength")
    expect(alert).to_be_visible()
    expect(words).to_be_hidden()
    alert.hover()
    expect(words).to_be_visible()
    page.mouse.move(2, 2)
    expect(words).to_be_hidden()
    tab_to(page, alert, most=120)
    expect(words).to_be_visible()
    page.keyboard.press("Escape")
    expect(words).to_be_hidden()
    expect(alert).to_have_accessible_description(re.compile("You may bless one hex each turn"))
    # The odds of an attack, by pointing at their figures.
    table = Monarchs(page)
    way = table.plan(1)[0]
    table.typed.fill(f"{way.start} {way.to} 1")
    table.typed.press("Enter")
    table.expect_judged()
    figures = table.lines.get_by_text(re.compile(r"against \d"))
    odds = page.get_by_role("tooltip").filter(has_text="chance")
    figures.hover()
    expect(odds).to_be_visible()
    page.mouse.move(2, 2)
    expect(odds).to_be_hidden()


@pytest.mark.needs("minions")
def test_what_an_alert_means_by_finger(server: Server, new_page: NewPage) -> None:
    page = new_page(390, 844, touch=True)
    sit_down(page, server.address, "Minions")
    alert = page.get_by_role("region", name="Orders").get_by_role("button", name=re.compile("placed your free spell"))
    alert.tap()
    words = page.get_by_role("tooltip").filter(has_text="The first spell of each turn is free")
    expect(words).to_be_visible()
    box = words.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= box["x"] + box["width"] <= 390


# ---- for everybody


@pytest.mark.needs("monad")
@pytest.mark.parametrize(("size", "dark"), LOOKS, ids=IDS)
def test_no_serious_fault(server: Server, new_page: NewPage, size: tuple[int, int], dark: bool) -> None:
    page = new_page(*size, dark=dark, touch=size == NARROW, bypass_csp=True)
    table = _sit(page, server, units=12, turns=30)
    table.click(HOME)
    table.order("Build")
    check(page, "Monad, a block")
    table.tools.get_by_role("group", name="Which way should the building extend?").get_by_role("button").first.click()
    _lasting(page).get_by_role("button", name="Feed").click()
    table.click(Tile(3, 1))
    check(page, "Monad, a route")
    page.get_by_role("button", name="Set the route").click()
    _lasting(page).get_by_role("button", name="Keep mining").click()
    expect(_standing(page).get_by_role("switch")).to_have_count(2)
    check(page, "Monad, standing orders")
