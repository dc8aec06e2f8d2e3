"""What was ordered outlives a reload of the page and a server that is killed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import NewPage, Server
from browser.monarchs import Monarchs, Way
from browser.room import open_table, sit_down

pytestmark = pytest.mark.needs("monarchs")

AGAINST_BOTS = {"Red": "You", "Green": "Bot: steady", "Blue": "Bot: raider"}


def _march(table: Monarchs, way: Way) -> None:
    table.march(way, 1)
    expect(table.line(way.start, way.to, 1)).to_be_visible()


def test_reload_in_the_middle_of_a_draft_and_of_a_filed_turn(server: Server, new_page: NewPage) -> None:
    """A second person does not file, so that the first one's turn stays filed."""
    page, other = new_page(), new_page()
    seats = AGAINST_BOTS | {"Green": "Open to anyone"}
    open_table(page, server.address, "Monarchs", seats, minutes=30, turns=1)
    table = Monarchs(page)
    other.goto(page.url)
    other.get_by_role("button", name="Sit here").click()
    table.expect_turn(1)
    first, second = table.plan(2)
    _march(table, first)
    table.typed.fill("nonsense")
    table.typed.press("Enter")
    expect(table.lines.nth(1).get_by_role("alert")).to_be_visible()
    page.reload()
    expect(table.line(first.start, first.to, 1)).to_be_visible()
    expect(table.lines.nth(1)).to_contain_text("nonsense")
    expect(table.lines.nth(1).get_by_role("alert")).to_be_visible()
    table.press("Remove order 2")
    _march(table, second)
    table.file(1)
    expect(page.get_by_text("Your orders are filed.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Your orders are filed.")).to_be_visible()
    for way in (first, second):
        expect(table.line(way.start, way.to, 1)).to_be_visible()
    there = Monarchs(other)
    there.file(1)
    expect(table.over).to_be_visible()


def test_the_server_is_killed_and_started_again(own_server: Server, new_page: NewPage) -> None:
    page = new_page()
    open_table(page, own_server.address, "Monarchs", AGAINST_BOTS, turns=2)
    table = Monarchs(page)
    table.expect_turn(1)
    table.file(1)
    table.expect_turn(2)
    first, second = table.plan(2)
    _march(table, first)
    expect(page.get_by_text("Draft, saved.")).to_be_visible()
    own_server.kill()
    lost = page.get_by_text("Connection lost.")
    expect(lost).to_be_visible()
    # The sheet stays open: what is ordered now goes out as soon as the server is back.
    _march(table, second)
    expect(page.get_by_text("Draft, saved in this browser.")).to_be_visible()
    own_server.start()
    expect(lost).to_have_count(0)
    expect(page.get_by_text("Draft, saved.")).to_be_visible()
    for way in (first, second):
        expect(table.line(way.start, way.to, 1)).to_be_visible()
    table.file(2)
    expect(table.over).to_be_visible()


def test_the_server_is_restarted(own_server: Server, new_page: NewPage) -> None:
    """The page says so, and comes back by itself when the server has said it should."""
    page = new_page()
    open_table(page, own_server.address, "Monarchs", AGAINST_BOTS, turns=2)
    table = Monarchs(page)
    table.expect_turn(1)
    table.file(1)
    table.expect_turn(2)
    own_server.stop()
    told = page.get_by_text("The server is restarting.")
    expect(told).to_be_visible()
    expect(page.get_by_text("Connection lost.")).to_have_count(0)
    own_server.start()
    expect(told).to_have_count(0)
    table.file(2)
    expect(table.over).to_be_visible()


def test_a_lobby_outlives_the_server(own_server: Server, new_page: NewPage) -> None:
    """A guest finds the own table in the lobby again, after server and page have both gone."""
    page = new_page()
    sit_down(page, own_server.address, "Monarchs")
    table = Monarchs(page)
    table.expect_turn(1)
    address = page.url
    own_server.kill()
    own_server.start()
    page.goto(own_server.address)
    page.get_by_role("link", name="Go to the table").click()
    table.expect_turn(1)
    assert page.url == address
    table.file(1)
    table.expect_turn(2)
