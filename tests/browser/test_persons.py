"""Persons at one table, each in a browser of their own."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import NewPage, Server
from browser.monarchs import Monarchs
from browser.room import open_table

pytestmark = pytest.mark.needs("monarchs")

TURNS = 2


def test_two_persons_and_a_bot(server: Server, new_page: NewPage) -> None:
    """From an open table over its end to a rematch, in which one resigns."""
    ada, ben = new_page(), new_page()
    seats = {"Red": "You", "Green": "Open to anyone", "Blue": "Bot: raider"}
    open_table(ada, server.address, "Monarchs", seats, name="Ada", minutes=30, turns=TURNS)
    expect(ada.get_by_role("heading", name="Waiting for 1 more player")).to_be_visible()
    assert "seat=" not in ada.url
    red = Monarchs(ada)
    green = _join(ben, ada.url, "Green", "Ben")
    for table in (red, green):
        table.expect_turn(1)
        expect(table.page.get_by_role("listitem", name="Green: Ben")).to_be_visible()
    expect(red.board).to_have_accessible_name(re.compile("^Map as red sees it"))
    expect(green.board).to_have_accessible_name(re.compile("^Map as green sees it"))
    _talk(red, green)
    for turn in range(1, TURNS + 1):
        _turn(red, green, turn)
    for table in (red, green):
        expect(table.over).to_be_visible()
        expect(table.board).to_have_accessible_name(re.compile("61 of 61 hexes in sight"))
    _rematch(red, green)


def test_three_persons_and_an_offer_that_is_declined(server: Server, new_page: NewPage) -> None:
    """A draw takes people in all seats: it is offered, declined by one, offered again and accepted by all."""
    pages = [new_page() for _ in range(3)]
    open_table(pages[0], server.address, "Monarchs", {"Red": "You"}, minutes=30, turns=3)
    red = Monarchs(pages[0])
    expect(pages[0].get_by_role("heading", name="Waiting for 2 more")).to_be_visible()
    green = _join(pages[1], pages[0].url, "Green", "Ben")
    blue = _join(pages[2], pages[0].url, "Blue", "Cleo")
    red.expect_turn(1)
    red.menu("Offer a draw")
    expect(red.page.get_by_text("You offered a draw.")).to_be_visible()
    for table in (green, blue):
        expect(table.page.get_by_text(re.compile("offers a draw"))).to_be_visible()
    blue.press("Decline")
    for table in (red, green, blue):
        expect(table.page.get_by_text(re.compile("offer(s|ed) a draw"))).to_have_count(0)
    green.menu("Offer a draw")
    for table in (red, blue):
        expect(table.page.get_by_text(re.compile("offers a draw"))).to_be_visible()
        table.press("Accept")
    for table in (red, green, blue):
        expect(table.over).to_be_visible()
        expect(table.page.get_by_text("It's a draw.")).to_be_visible()
        expect(table.page.get_by_role("list", name="Results").get_by_text("drew")).to_have_count(3)


def _join(page: Page, address: str, seat: str, name: str) -> Monarchs:
    """Opens the address that was shared, says a name and sits down."""
    page.goto(address)
    return _sit(page, seat, name)


def _sit(page: Page, seat: str, name: str) -> Monarchs:
    page.get_by_label("Your name at the table").fill(name)
    page.get_by_role("listitem").filter(has_text=re.compile(f"^{seat}")).get_by_role("button", name="Sit here").click()
    table = Monarchs(page)
    expect(page.get_by_role("listitem", name=f"{seat}: {name}")).to_be_visible()
    return table


def _talk(red: Monarchs, green: Monarchs) -> None:
    red.say("Shall we spare each other?")
    expect(green.page.get_by_role("tab", name="Chat 1")).to_be_visible()
    green.tab("Chat")
    expect(green.page.get_by_role("log", name="Messages")).to_contain_text("Shall we spare each other?")
    green.say("Never.")
    expect(red.page.get_by_role("log", name="Messages")).to_contain_text("Never.")
    for table in (red, green):
        table.tab("Orders")


def _turn(red: Monarchs, green: Monarchs, turn: int) -> None:
    """Both order; the turn is played when the second has filed, and not before."""
    for table in (red, green):
        table.expect_turn(turn)
        way = table.plan(1)[0]
        number = 1 if way.free <= 10 else way.free
        table.march(way, number)
        expect(table.line(way.start, way.to, number)).to_be_visible()
    red.file(turn)
    expect(red.page.get_by_text("Your orders are filed.")).to_be_visible()
    expect(red.heading(turn)).to_be_visible()
    green.file(turn)


def _rematch(red: Monarchs, green: Monarchs) -> None:
    """One asks for it, the other finds it; whoever resigns has lost, and the others play on."""
    before = red.path
    red.press("Rematch")
    green.press("Join the rematch")
    red.expect_turn(1)
    green.expect_turn(1)
    assert red.path == green.path != before
    green.menu("Resign …", "Yes, resign")
    for turn in range(1, TURNS + 1):
        red.file(turn)
    for table in (red, green):
        expect(table.over).to_be_visible()
    results = red.page.get_by_role("list", name="Results")
    expect(results.get_by_role("listitem").filter(has_text="Ben")).to_contain_text("resigned")
    red.menu()
    expect(red.page.get_by_role("dialog").get_by_text("Ben, resigned")).to_be_visible()
