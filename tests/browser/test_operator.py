"""The operator's page, reports and announcements, by mouse and keyboard, on a wide screen and on a phone."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from playwright.sync_api import Locator, Page, expect

from browser.conftest import NewPage, Server
from browser.room import at_rest, sit_down
from browser.test_axe import IDS, LOOKS, NARROW, check
from polemos.cli.operator import command
from unit.server.serving import Process

pytestmark = [pytest.mark.needs("monarchs"), pytest.mark.parametrize(("size", "dark"), LOOKS, ids=IDS)]
HOSTILE = "<img src=x onerror=alert(1)>"


def run(server: Server, *words: str) -> None:
    result = CliRunner().invoke(command, [words[0], "--folder", str(server.folder), *words[1:]])
    assert result.exit_code == 0, f"{result.output}{result.exception!r}"


def sign_up(page: Page, server: Server | Process, name: str) -> None:
    page.goto(f"{server.address}/account")
    page.get_by_role("button", name="Create an account").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill("a long walk home")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("link", name=name)).to_be_visible()


def test_a_report_a_ban_and_an_announcement(
    new_page: NewPage, own_server: Server, size: tuple[int, int], dark: bool
) -> None:
    server, look = own_server, str(LOOKS.index((size, dark)))
    operator, guest = f"Olga {look}", f"Mallory {look}"
    page = new_page(*size, dark=dark, touch=size == NARROW, bypass_csp=True)
    sign_up(page, server, operator)
    page.goto(f"{server.address}/operator")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    run(server, "add", operator)

    # A player reports something from the menu of the table.
    other = new_page(*size, dark=dark, touch=size == NARROW, bypass_csp=True)
    sign_up(other, server, guest)
    sit_down(other, server.address, "Monarchs")
    table = other.url.rpartition("/")[2]
    other.get_by_role("button", name="Menu").click()
    other.get_by_role("button", name="Report to the operators").click()
    other.get_by_label("What is wrong?").fill(f"{HOSTILE} {look}")
    check(other, "report")
    other.get_by_role("button", name="Send report").click()
    expect(other.get_by_text("Thank you.")).to_be_visible()
    other.get_by_role("button", name="Close", exact=True).last.click()
    board = other.get_by_role("grid").first
    at_rest(other)
    before = board.bounding_box()

    # The operator reads it, and closes it with the keyboard alone.
    expect_soon(page, f"{server.address}/operator")
    report = page.get_by_role("listitem").filter(has_text=f"{HOSTILE} {look}")
    expect(report).to_be_visible()
    check(page, "operator")
    health = page.get_by_role("list", name="Health")
    expect(health.get_by_role("listitem").filter(has_text="Server")).to_contain_text("1 process, up")
    expect(health.get_by_role("listitem").filter(has_text="SQLite")).to_contain_text("Writes: p50")
    expect(page.get_by_role("img", name="Sockets, last hour: 1")).to_be_visible()
    processes = page.get_by_role("region", name="Processes").get_by_role("row")
    expect(processes).to_have_count(2)
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0, "nothing sticks out"
    report.get_by_role("button", name="Done").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Reason").focus()
    check(page, "why")
    page.keyboard.type("looked at it")
    page.keyboard.press("Enter")
    expect(report).to_have_count(0)

    # An announcement comes to the table without moving the board.
    text = f"Restart at six, {look}"
    page.get_by_label("Text").fill(text)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("listitem").filter(has_text=text).first).to_be_visible()
    other.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(other.get_by_role("button", name=text)).to_be_visible()
    assert board.bounding_box() == before
    check(other, "announcement")
    other.get_by_role("button", name="Hide this announcement").click()
    expect(other.get_by_role("button", name=text)).to_have_count(0)

    # The table is closed, and the account banned: its owner is told why.
    row = page.get_by_role("listitem").filter(has=page.get_by_text(f"table {table}"))
    row.get_by_role("button", name="Close").first.click()
    page.get_by_label("Reason").fill("maintenance")
    page.get_by_role("button", name="Close table").click()
    expect(other.get_by_text("An operator closed this table.").first).to_be_visible()
    person = page.get_by_role("listitem").filter(has_text=guest).filter(has_text="signed in")
    person.get_by_role("button", name="Ban …").last.click()
    page.get_by_label("Reason").fill("cheats")
    page.get_by_role("button", name="Ban", exact=True).click()
    expect(other.get_by_role("heading", name="You're banned")).to_be_visible()
    expect(other.get_by_text("cheats")).to_be_visible()
    expect(page.get_by_text(f"account {guest} for 1 day (cheats)")).to_be_visible()


def test_an_announcement_leaves_the_bar_free(
    new_page: NewPage, own_server: Server, size: tuple[int, int], dark: bool
) -> None:
    text = "We restart at six, for a minute."
    run(own_server, "announce", text)
    page = new_page(*size, dark=dark, touch=size == NARROW)
    shown = page.get_by_role("button", name=text)
    told = f"{own_server.address}/api/notices"
    for _ in range(120):  # the server looks every two seconds
        if text in page.request.get(told).text():
            break
        page.wait_for_timeout(500)
    page.goto(own_server.address)
    expect(shown).to_be_visible()
    bar = page.get_by_role("banner")
    assert all_free(bar, 6) >= 6
    page.get_by_role("link", name="Watch", exact=True).click()
    expect(page.get_by_role("heading", name="Watch", exact=True)).to_be_visible()
    sit_down(page, own_server.address, "Monarchs")
    expect(shown).to_be_visible()
    bar = page.get_by_label("The table", exact=True)
    expect(bar.get_by_role("button", name="Menu")).to_be_visible()
    assert all_free(bar, 2) >= 2
    shown.click()
    expect(page.get_by_role("dialog").get_by_text(text)).to_be_visible()


def all_free(bar: Locator, least: int) -> int:
    """How many links and buttons are in a bar. Nothing may lie over any of them."""
    found = bar.locator("a:visible, button:visible")
    expect(found.nth(least - 1)).to_be_visible()  # some wait for what the server says
    for one in found.all():
        one.click(trial=True)
    return found.count()


def expect_soon(page: Page, address: str) -> None:
    """The server looks at the database every two seconds."""
    page.goto(address)
    there = page.get_by_role("heading", name="Operator", exact=True)
    for _ in range(60):
        expect(there.or_(page.get_by_role("heading", name="Page not found"))).to_be_visible()
        if there.is_visible():
            return
        page.wait_for_timeout(500)
        page.reload()
    raise AssertionError("the page of the operator did not appear")
