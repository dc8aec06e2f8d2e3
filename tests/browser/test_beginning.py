"""The lobby's head and its own tables, presets of a new table, and what Watch shows."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.conftest import NewPage, Server
from browser.room import TABLE, Room, show_more, sit_down

pytestmark = pytest.mark.needs("demons")


def test_a_bot_is_easy_named_and_a_game_against_it_can_be_dismissed(server: Server, new_page: NewPage) -> None:
    page, other = new_page(), new_page()
    page.goto(server.address)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Four war games you can play right now")
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Demons"))
    expect(card).to_contain_text("You play Level 1")
    expect(card.get_by_role("button", name="Play Level 2 instead")).to_be_visible()
    sit_down(page, server.address, "Demons")
    expect(page.get_by_label("The table", exact=True)).to_contain_text("Level 1")
    table = page.url.rsplit("/", 1)[1]
    page.goto(f"{server.address}/watch")
    expect(page.get_by_text("listed here")).to_be_visible()
    expect(page.locator(f'a[href$="{table}"]')).to_have_count(0)  # not as a stranger's
    other.goto(f"{server.address}/watch")
    expect(other.locator(f'a[href="/table/{table}"]')).to_be_visible()
    page.goto(server.address)
    expect(page.locator(f'main a[href$="{table}"]')).to_have_count(1)  # listed once
    page.get_by_role("button", name="Dismiss, Demons").click()
    page.get_by_role("button", name="Give it up").click()
    expect(page.locator(f'main a[href="/table/{table}"]')).to_have_count(0)
    other.goto(f"{server.address}/watch?game=demons")
    row = other.get_by_role("listitem").filter(has=other.locator(f'a[href="/replay/{table}"]'))
    expect(row).to_contain_text(re.compile(r"Guest Red\s*lost"))
    expect(row).to_contain_text(re.compile(r"Level 1\s*won"))
    expect(row).to_contain_text(re.compile(r"\d{1,2} \w{3} 20\d\d"))


def test_after_two_losses_an_easier_bot_is_offered_where_the_game_ended(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(server.address)
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Demons"))
    card.get_by_role("button", name="Play Level 2 instead").click()
    page.wait_for_url(TABLE)
    room = Room(page)
    easier = page.get_by_role("button", name="Play Level 1, an easier bot")
    room.menu("Resign …", "Yes, resign")
    expect(room.over).to_be_visible()
    expect(easier).to_have_count(0)
    page.goto(server.address)
    expect(card).to_contain_text("You play Level 2")
    card.get_by_role("button", name="Play a bot now").click()
    page.wait_for_url(TABLE)
    room.menu("Resign …", "Yes, resign")
    easier.click()
    page.wait_for_url(TABLE)
    expect(page.get_by_label("The table", exact=True)).to_contain_text("Level 1")


def test_a_table_from_a_preset_with_a_map_and_a_bot(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{server.address}/play/demons")
    page.get_by_role("button", name=re.compile("^Quick")).click()
    expect(page.get_by_role("button", name=re.compile("^Skirmish"))).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name=re.compile("^Hourglass")).click()
    page.get_by_role("button", name="A bot").click()
    summary = page.get_by_role("complementary", name="The table")
    expect(summary).to_contain_text("Demons, Hourglass. You play Red against Level 1. No clock. Up to 150 turns.")
    expect(page.locator("summary")).to_contain_text("All at their defaults.")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(TABLE)
    expect(page.get_by_label("The table", exact=True)).to_contain_text("Hourglass, 150 turns")
    expect(Room(page).file_button).to_be_enabled()


@pytest.mark.needs("minions", "monarchs")
def test_the_summary_names_every_option_that_is_not_as_in_the_book(server: Server, new_page: NewPage) -> None:
    page = new_page()
    summary = page.get_by_role("complementary", name="The table")
    page.goto(f"{server.address}/play/minions")
    page.get_by_role("button", name=re.compile("^Quick")).click()
    expect(summary).to_contain_text("1 board, up to 200 turns.")
    page.locator("summary").click()
    page.get_by_label("Cards left in place").fill("0")
    page.get_by_label("Unit table", exact=True).select_option("Something else")
    expect(summary).to_contain_text("Unit table: your own. Cards left in place: 0.")
    page.goto(f"{server.address}/play/monarchs")
    expect(summary).to_contain_text("Up to 8 turns.")
    page.locator("summary").click()
    page.get_by_label("Turns", exact=True).fill("0")
    expect(summary).to_contain_text("Turns: 0.")


@pytest.mark.needs("monarchs")
def test_all_opponents_are_named_in_the_summary_as_at_the_table(server: Server, new_page: NewPage) -> None:
    page = new_page()
    summary = page.get_by_role("complementary", name="The table")
    page.goto(f"{server.address}/play/monarchs")
    page.get_by_role("button", name=re.compile("^Quick")).click()
    page.get_by_role("button", name="A bot").click()
    expect(summary).to_contain_text("against Level 1 (Green and Blue).")
    show_more(page)
    page.get_by_label("Who plays Green").select_option("Bot: Champion")
    page.get_by_label("Who plays Blue").select_option("Bot: Level 3")
    expect(summary).to_contain_text("against Champion (Green) and Level 3 (Blue).")
    expect(page.locator("summary")).to_contain_text("1 changed.")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(TABLE)
    bar = page.get_by_label("The table", exact=True)
    expect(bar).to_contain_text("Champion")
    expect(bar).to_contain_text("Level 3")


@pytest.mark.needs("monad")
def test_bots_for_people_are_offered_first_and_chance_last(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{server.address}/play/monad")
    show_more(page)
    names = page.get_by_label("Who plays Blue").get_by_role("option").all_inner_texts()
    bots = [name.removeprefix("Bot: ") for name in names if name.startswith("Bot: ")]
    assert bots[:6] == [*(f"Level {number}" for number in range(1, 6)), "Champion"]
    assert bots[-1] == "random"


def test_a_bad_replay_is_called_by_the_name_of_its_file(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{server.address}/replay")
    field = page.locator("input[type=file]")
    field.set_input_files({"name": "sunday.jsonl", "mimeType": "text/plain", "buffer": b"no replay"})
    expect(page.get_by_text("sunday.jsonl is not a Polemos replay")).to_be_visible()
    field.set_input_files({"name": "monday.jsonl", "mimeType": "text/plain", "buffer": b""})
    expect(page.get_by_text("monday.jsonl is empty.")).to_be_visible()
