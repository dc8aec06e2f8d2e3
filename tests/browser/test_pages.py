"""Light and dark, accounts, and how much a table costs to load."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Response, expect

from browser.conftest import NewPage, Server
from browser.monarchs import Monarchs
from browser.room import sit_down

MOST = 300_000  # bytes on the line for everything that a table loads


def _ground(page: Page) -> str:
    """The colour that the page is drawn on."""
    return str(page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor"))


def test_themes_follow_the_machine_until_somebody_chooses(server: Server, new_page: NewPage) -> None:
    light, dark = new_page(), new_page(dark=True)
    for page in (light, dark):
        page.goto(server.address)
        page.get_by_role("button", name="Play a bot now").first.wait_for()
    assert _ground(light) != _ground(dark)
    at_first = _ground(light)
    light.get_by_role("button", name="Dark theme").click()
    expect(light.get_by_role("button", name="Light theme")).to_be_visible()
    assert _ground(light) == _ground(dark)
    light.reload()
    expect(light.get_by_role("button", name="Light theme")).to_be_visible()
    assert _ground(light) == _ground(dark)
    light.keyboard.press("Shift+T")
    expect(light.get_by_role("button", name="Dark theme")).to_be_visible()
    assert _ground(light) == at_first


def test_an_account_keeps_its_tables(server: Server, new_page: NewPage) -> None:
    """Sign up, play, sign out; in another browser the account finds its table again, and nobody else does."""
    page = new_page()
    name = f"ada{server.port}"
    page.goto(server.address)
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("button", name="Make an account").click()
    _sign(page, name, "Make the account")
    expect(page.get_by_role("link", name=name)).to_be_visible()
    sit_down(page, server.address, "Monarchs")
    Monarchs(page).expect_turn(1)
    address = page.url
    page.goto(server.address)
    due = page.get_by_role("link", name="Go to the table")
    expect(due).to_be_visible()

    elsewhere = new_page()
    elsewhere.goto(f"{server.address}/account")
    _sign(elsewhere, name, "Sign in", password="not the password")
    expect(elsewhere.get_by_role("alert")).to_be_visible()
    _sign(elsewhere, name, "Sign in")
    elsewhere.get_by_role("link", name="Go to the table").click()
    table = Monarchs(elsewhere)
    table.expect_turn(1)
    assert elsewhere.url == address
    table.file(1)
    table.expect_turn(2)

    elsewhere.goto(f"{server.address}/account")
    elsewhere.get_by_role("button", name="Sign out").click()
    expect(elsewhere.get_by_role("link", name="Sign in")).to_be_visible()
    elsewhere.goto(server.address)
    expect(elsewhere.get_by_role("button", name="Play a bot now").first).to_be_visible()
    expect(elsewhere.get_by_role("link", name="Go to the table")).to_have_count(0)
    elsewhere.goto(address)
    expect(elsewhere.get_by_role("heading", name="You are watching")).to_be_visible()


def _sign(page: Page, name: str, button: str, password: str = "a long password") -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name=button).click()


def test_a_table_loads_little(server: Server, new_page: NewPage) -> None:
    first = new_page()
    sit_down(first, server.address, "Monarchs")
    Monarchs(first).expect_turn(1)
    fresh = new_page()
    got: list[Response] = []
    fresh.on("response", lambda response: got.append(response))
    fresh.goto(first.url)
    expect(fresh.get_by_role("heading", name="You are watching")).to_be_visible()
    fresh.wait_for_load_state("networkidle")
    sizes = {re.sub(r"^https?://[^/]+", "", it.url): it.request.sizes()["responseBodySize"] for it in got}
    assert any(path.endswith(".js") for path in sizes)
    assert 0 < sum(sizes.values()) < MOST, sizes
