"""No page has a serious fault for people who use screen readers, keys or strong contrast."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import NewPage, Server
from browser.monarchs import Monarchs
from browser.room import open_table, sit_down
from search import NIGHTLY

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
WIDE, NARROW = (1440, 900), (390, 844)
# Both widths and both colour schemes; at night with each other, too.
LOOKS = [(WIDE, False), (NARROW, True), *([(WIDE, True), (NARROW, False)] if NIGHTLY else [])]
IDS = [f"{'narrow' if size == NARROW else 'wide'}-{'dark' if dark else 'light'}" for size, dark in LOOKS]
pytestmark = [pytest.mark.needs("monarchs"), pytest.mark.parametrize(("size", "dark"), LOOKS, ids=IDS)]


def sticks_out(page: Page) -> int:
    """By how much a page is wider than the screen. A phone's window grows with what is in it, its screen does not."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - Math.min(innerWidth, screen.width)")
    return wide


def check(page: Page, what: str) -> None:
    """What axe finds, with the elements it means."""
    assert AXE.exists(), "axe-core is missing: tools/web installs it with what builds the pages"
    page.add_script_tag(path=AXE)
    found = page.evaluate("async () => (await axe.run({resultTypes: ['violations']})).violations")
    grave = [
        f"{what}: {fault['help']} ({fault['id']}, {fault['impact']}): "
        + "; ".join(f"{node['target']} {node['failureSummary']}" for node in fault["nodes"][:4])
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]
    assert grave == []


@pytest.fixture
def page(new_page: NewPage, size: tuple[int, int], dark: bool) -> Page:
    return new_page(*size, dark=dark, touch=size == NARROW, bypass_csp=True)


def test_pages_to_read_and_to_fill_in(page: Page, server: Server) -> None:
    for path, seen in [
        ("/", "Play a bot now"),
        ("/play/monarchs", "Open the table"),
        ("/watch", "All"),
        ("/account", "Create an account"),
    ]:
        page.goto(server.address + path)
        page.get_by_role("button", name=seen).first.wait_for()
        check(page, path)
    page.get_by_role("button", name="Create an account").click()
    page.get_by_role("button", name="Create account").wait_for()
    check(page, "/account, new")
    for path, heading in [("/replay", "Replay"), ("/games", "Rules"), ("/nowhere", "Page not found")]:
        page.goto(server.address + path)
        page.get_by_role("heading", name=heading).first.wait_for()
        check(page, path)
    page.goto(f"{server.address}/games/monarchs#6.4")
    page.locator('[id="6.4"]').wait_for()
    check(page, "/games/monarchs")


def test_a_table_from_the_first_order_to_its_record(page: Page, server: Server) -> None:
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    expect(table.file_button).to_be_visible()
    check(page, "table")
    way = table.plan(1)[0]
    table.hex(way.start).click()
    table.hex(way.to).click()
    page.get_by_role("group", name=f"{way.start} to {way.to}, how many?").wait_for()
    check(page, "table, how many")
    page.keyboard.press("1")
    for line in ("a5 q5 1", "make peace"):
        table.typed.fill(line)
        table.typed.press("Enter")
    expect(table.lines.get_by_role("alert")).to_have_count(2)
    check(page, "table, refused lines")
    for tab in ("Record", "Charts", "Chat"):
        table.tab(tab)
        check(page, f"table, {tab}")
    table.menu()
    check(page, "table, menu")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keyboard shortcuts").wait_for()
    check(page, "table, keys")


def test_a_table_that_waits_and_one_that_is_over(page: Page, server: Server, size: tuple[int, int]) -> None:
    open_table(page, server.address, "Monarchs", {"Red": "You"})
    page.get_by_role("heading", name="Waiting for 2 more").wait_for()
    check(page, "table, open")
    open_table(page, server.address, "Monarchs", {"Red": "You", "Green": "Bot: steady", "Blue": "Bot: raider"}, turns=1)
    table = Monarchs(page)
    table.file_button.click()
    expect(table.over).to_be_visible()
    check(page, "table, over")
    page.goto(page.url.replace("/table/", "/replay/"))
    table.expect_moment("1")
    page.wait_for_load_state("networkidle")  # the rest of the frames
    table.press("Next turn")
    table.expect_moment("End")
    expect(table.record.get_by_role("listitem").first).to_be_visible()
    check(page, "replay")
