"""A guest finds back to a table that no list shows."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.conftest import NewPage, Server
from browser.room import show_more


def test_a_table_that_is_not_listed_stands_among_ones_own(server: Server, new_page: NewPage) -> None:
    ada, ben = new_page(), new_page()
    ada.goto(server.address)
    card = ada.get_by_role("article").filter(has=ada.get_by_role("heading", name="Skerries"))
    card.get_by_role("link", name="Open a table").click()
    show_more(ada)
    ada.get_by_label("Who plays Blue").select_option("Bot: random")
    ada.get_by_label("Title").fill("Behind closed doors")
    ada.get_by_role("checkbox", name="Show in the lobby").uncheck()
    ada.get_by_role("button", name="Open the table").click()
    ada.wait_for_url("**/table/*")
    table = ada.url
    for page in (ada, ben):
        page.goto(server.address)
        expect(page.get_by_role("heading", name="Skerries")).to_be_visible()
    own = ada.get_by_role("region", name="Your tables")
    expect(own.get_by_text("Behind closed doors")).to_be_visible()
    expect(own.get_by_text("Your orders are due.")).to_be_visible()
    expect(ben.get_by_text("Behind closed doors")).to_have_count(0)
    own.get_by_role("link", name="Go to the table").click()
    expect(ada).to_have_url(table)
