"""Minions against our bots: whole games won and lost, by mouse and by keys alone; a turn by finger."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from browser.conftest import NewPage, Server
from browser.minions import RUSH, Keys, Minions, Mouse, Rush, open_with
from browser.room import focused, open_table, tab_to, type_to

WEAK = {"Yellow": "Bot: random", "Blue": "You"}
STRONG = {"Yellow": "You", "Blue": "Bot: greedy"}
LONGEST = 14  # turns; five are enough as a rule


def _win(table: Minions, hand: Mouse) -> None:
    """Turn by turn, until the enemy necromancer is destroyed: one point, and the game is won."""
    plan = Rush(table, hand)
    for turn in range(1, LONGEST):
        table.expect_turn(turn)
        assert isinstance(hand, Keys) is focused(table.page, table.board), f"The focus was lost before turn {turn}."
        plan.turn(turn)
        expect(table.over.or_(table.heading(turn + 1))).to_be_visible()
        if table.over.count():
            break
    expect(table.over).to_be_visible()
    expect(table.said).to_contain_text("Blue wins: on points")
    expect(table.said.get_by_role("link", name="Rule 12.6")).to_be_visible()
    _shows_how_it_ended(table)
    table.tab("Record")
    expect(table.record).to_contain_text("Yellow's Basic necromancer on")
    expect(table.record).to_contain_text("Blue wins board 1 and has 1 point.")


def _shows_how_it_ended(table: Minions) -> None:
    """The last position and its figures, not the board as it was reset, and the turn that the timeline shows too."""
    assert table.cells("Harpy")
    assert not table.cells("Yellow .*necromancer")
    results = table.page.get_by_role("list", name="Results").get_by_role("listitem")
    expect(results).to_have_count(2)
    values = [re.search(r"Value of units (\d+)", one.inner_text()) for one in results.all()]
    assert len({found[1] for found in values if found}) == 2


def test_a_whole_game_won_by_mouse(server: Server, new_page: NewPage) -> None:
    table = open_with(new_page(), server.address, WEAK, RUSH)
    _win(table, Mouse(table))


def test_a_whole_game_won_by_keys_alone(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(server.address)
    _open_by_keys(page)
    table = Minions(page)
    table.expect_turn(1)
    tab_to(page, table.board)
    _win(table, Keys(table))
    page.keyboard.press("Home")
    table.expect_moment("1")
    page.keyboard.press("End")
    table.expect_moment("End")


def _open_by_keys(page: Page) -> None:
    """From the lobby through the form, from field to field."""
    keys = page.keyboard
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Minions"))
    link = card.get_by_role("link", name="Open a table")
    link.wait_for()
    tab_to(page, link)
    keys.press("Enter")
    more = page.locator("summary").filter(has_text="More")
    more.wait_for()
    tab_to(page, more)
    keys.press("Enter")
    for seat, who in WEAK.items():
        field = page.get_by_label(f"Who plays {seat}")
        field.wait_for()
        tab_to(page, field)
        type_to(field, who)
        expect(field.locator("option:checked")).to_have_text(who)
    for option in ("Boards", "Points", "Techline", "Spell price", "Money"):  # as they stand in the form
        field = page.get_by_label(re.compile(f"^{option}")).first
        tab_to(page, field)
        if option == "Techline":
            type_to(field, "Something else")
            tab_to(page, page.get_by_label(f"{option}, something else"))
        keys.press("Control+a")
        keys.type(RUSH[option])
    keys.press("Enter")


def test_a_game_lost_with_all_its_warnings(server: Server, new_page: NewPage) -> None:
    """Who does nothing against a rich enemy is warned of everything, and loses by the rules."""
    page = new_page()
    table = open_with(page, server.address, STRONG, RUSH | {"Money": "60"})
    warned = set()
    for turn in range(1, LONGEST):
        table.expect_turn(turn)
        said = " ".join(table.alerts.all_inner_texts())
        for words, rule in WARNINGS.items():
            if re.search(f"{words}.*Rule {rule}", said):
                warned.add(words)
        if "in danger" in said:
            expect(table.hex("c2")).to_have_accessible_name(re.compile("in danger"))
        if turn == 3:
            _review(table)
        table.finish()
        expect(table.over.or_(table.heading(turn + 1))).to_be_visible()
        if table.over.count():
            break
    expect(table.said).to_contain_text("Blue wins: on points")
    assert warned == set(WARNINGS)


WARNINGS = {
    "You haven't placed your free spell": "8.2",
    r"You have \d+ money to spend": "2.5",
    r"The enemy holds \d graveyards on board 1": "12.3",
    "Your necromancer on c2, board 1, is in danger": "12.1",
}


def _review(table: Minions) -> None:
    """The opponent's turn as it was played: each order with the position after it, and back."""
    page = table.page
    now = table.board.aria_snapshot()
    deeds = page.get_by_role("group").filter(has_text="Blue's last turn, order by order").get_by_role("listitem")
    expect(deeds.first).to_be_visible()
    table.press("Next order")
    expect(table.said).to_contain_text("Order 1 of")
    expect(table.said).to_contain_text(deeds.first.inner_text())
    assert table.board.aria_snapshot() != now
    expect(table.file_button).to_be_visible()
    deeds.last.get_by_role("button").click()
    expect(table.said).to_contain_text("End of the turn.")
    table.press("Previous order")
    expect(table.said).not_to_contain_text("End of the turn.")
    table.press("Back to now")
    expect(table.said).to_have_text(re.compile("Your turn"))
    expect(table.board.get_by_role("gridcell", name=re.compile("can move")).first).to_be_attached()


def test_a_turn_by_finger(server: Server, new_page: NewPage) -> None:
    page = new_page(390, 844, touch=True)
    open_table(page, server.address, "Minions", STRONG, boards=1, points=1, turns=3)
    table = Minions(page)
    expect(table.file_button).to_have_text("End turn")
    start = table.a_cell("your Zombie.*can move")
    table.hex(start).tap()
    expect(table.hex(start)).to_have_attribute("aria-selected", "true")
    to = table.a_cell("move here$")
    table.hex(to).tap()
    expect(table.line(f"move from {start} to {to}")).to_be_visible()
    page.get_by_role("tab", name="Techline").tap()
    table.cards.first.tap()
    expect(table.line("March|Tech")).to_be_visible()
    page.get_by_role("tab", name=re.compile("^Board 1")).tap()
    table.file_button.tap()
    expect(table.file_button).to_have_text("End turn")
    page.get_by_role("tab", name="Record").tap()
    expect(table.record.get_by_role("heading").first).to_have_text("Turn 1")
