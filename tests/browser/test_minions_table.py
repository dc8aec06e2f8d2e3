"""What a hand can do at a table of Minions: loops, taking back, figures in words, keys, resigning and choosing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import NewPage, Server
from browser.minions import Minions, open_with
from browser.room import at_rest, open_table, sit_down, tab_to
from browser.test_axe import IDS, LOOKS, NARROW, check

SEATS = {"Yellow": "You", "Blue": "Bot: greedy"}


@pytest.fixture
def table(server: Server, new_page: NewPage) -> Minions:
    """Yellow's first turn on Blackened Shores: a necromancer on c2 and Zombies around it."""
    page = new_page()
    open_table(page, server.address, "Minions", SEATS, boards=1, points=2)
    table = Minions(page)
    table.expect_turn(1)
    return table


def expect_lines(table: Minions, *words: str) -> None:
    """The lines of the sheet, in words and in order, all lawful."""
    expect(table.lines).to_have_count(len(words))
    for number, text in enumerate(words):
        expect(table.lines.nth(number)).to_contain_text(text)
    expect(table.lines.get_by_role("alert")).to_have_count(0)
    table.expect_judged()


# ---- the first order


def test_somebody_who_never_saw_the_game_gives_an_order(server: Server, new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, server.address, "Minions")
    table = Minions(page)
    table.expect_turn(1)
    table.press("No, thanks")
    expect(table.said).to_contain_text("Your turn. Select one of your units")
    table.hex("c3").hover()
    expect(table.said).to_contain_text("Zombie c3, yours, can move.")
    table.hex("c3").click()
    expect(table.said).to_contain_text(re.compile(r"It has \d hexes to move to"))
    table.hex("c4").hover()
    expect(table.said).to_contain_text("Zombie c3 to c4.")
    table.hex("c4").click()
    expect_lines(table, "board 1: move from c3 to c4")


# ---- drags


def test_units_go_round_by_a_drag_over_them(table: Minions) -> None:
    table.drag("d2", "c3", "c2", "d2")
    expect_lines(table, "d2-c3, c3-c2, c2-d2")
    expect(table.hex("d2")).to_have_accessible_name(re.compile("your Basic necromancer, moved"))
    expect(table.hex("c2")).to_have_accessible_name(re.compile("your Zombie, moved"))
    table.page.keyboard.press("Control+z")
    expect(table.hex("c2")).to_have_accessible_name(re.compile("your Basic necromancer, can move"))


def test_units_go_round_by_keys_and_by_clicks(table: Minions) -> None:
    keys = table.page.keyboard
    tab_to(table.page, table.board)
    for number, hex in enumerate(("d2", "c3", "c2", "d2")):
        table.cursor_to(hex)
        keys.press("Shift+Enter")
        if number < 3:
            expect(table.hex(hex)).to_have_accessible_name(re.compile(f"number {number + 1} of the ring"))
    expect_lines(table, "d2-c3, c3-c2, c2-d2")
    keys.press("Control+z")
    expect_lines(table)
    table.choose("b2")
    table.press("Swap places …")
    table.hex("b3").click()
    expect(table.said).to_contain_text("b2 to b3 to b2.")
    table.press("Rotate")
    expect_lines(table, "b2 and b3 swap places")


def test_a_drag_moves_and_changes_places_and_else_does_nothing(table: Minions) -> None:
    table.drag("c3", "c4")
    expect_lines(table, "move from c3 to c4")
    table.drag("c2", "d1")
    expect_lines(table, "move from c3 to c4", "d1 and c2 swap places")
    table.drag("d2", "h2")  # too far
    expect_lines(table, "move from c3 to c4", "d1 and c2 swap places")


# ---- taking back


def test_orders_are_taken_back_one_by_one(table: Minions) -> None:
    """What rested on an order goes with it and is named; undo brings all of it back."""
    for start, to in (("c3", "c4"), ("b3", "c3"), ("d1", "e1")):
        table.choose(start)
        table.hex(to).click()
        expect(table.hex(to)).to_have_accessible_name(re.compile("moved"))
        table.page.keyboard.press("Escape")
    all_three = ("move from c3 to c4", "move from b3 to c3", "move from d1 to e1")
    expect_lines(table, *all_three)
    table.press("Remove order 1")
    expect_lines(table, "move from d1 to e1")
    expect(table.said).to_contain_text("Also dropped, because no longer possible: 1: b3 → c3 (5.6).")
    table.press("Undo")
    expect_lines(table, *all_three)
    table.press("Redo")
    expect_lines(table, "move from d1 to e1")
    # By a right click on the unit, and by Delete.
    table.hex("e1").click(button="right")
    expect_lines(table)
    table.page.keyboard.press("Control+z")
    expect_lines(table, "move from d1 to e1")
    tab_to(table.page, table.board)
    table.cursor_to("e1")
    table.page.keyboard.press("Delete")
    expect_lines(table)


def test_a_board_a_spell_and_everything_are_taken_back(table: Minions) -> None:
    for start, to in (("c3", "c4"), ("d1", "e1")):
        table.choose(start)
        table.hex(to).click()
        expect(table.hex(to)).to_have_accessible_name(re.compile("moved"))
        table.page.keyboard.press("Escape")
    table.cards.first.click()
    moves = ("move from c3 to c4", "move from d1 to e1")
    expect_lines(table, *moves, "March")
    table.more("Clear board 1")
    expect_lines(table, "March")
    table.press("Undo")
    expect_lines(table, *moves, "March")
    table.more("Clear all orders")
    expect_lines(table)
    table.page.keyboard.press("Control+z")
    expect_lines(table, *moves, "March")
    skeleton = table.page.get_by_role("toolbar", name="Techline").get_by_role("button", name=re.compile("^Skeleton"))
    expect(skeleton).to_have_accessible_name(re.compile("you have 1 spell"))  # the march has come to it again
    skeleton.click(button="right", force=True)  # no further spell can be paid: it is not pressed, only taken back
    expect_lines(table, *moves)
    expect(table.cards.first).to_have_accessible_name(re.compile("^Skeleton"))


# ---- figures in words


def test_figures_in_words_on_hover_and_on_focus(table: Minions) -> None:
    page, keys = table.page, table.page.keyboard
    table.hex("c2").hover()
    expect(table.said).to_contain_text(
        "Basic necromancer c2, yours, can move. Attack 1 back, defence 7, speed 1, range 1."
    )
    expect(table.card).to_contain_text("Basic necromancer")
    expect(table.card).to_contain_text(re.compile(r"Defence\s*7"))
    table.good("Initiate").hover()
    expect(table.said).to_contain_text(
        "Initiate. 1 in your reserve, can't be spawned yet (no spawning here this turn). Costs 3, 3 more than you have."
    )
    expect(table.card).to_contain_text("Moves or attacks, not both.")
    line = page.get_by_role("toolbar", name="Techline")
    line.get_by_role("button", name=re.compile("^Serpent")).hover()
    expect(table.said).to_contain_text("Serpent, card 2, cost 4: blue has 0 spells, you have 0 spells.")
    expect(table.card).to_contain_text("One attack of 3 damage")
    page.mouse.move(5, 5)
    # The same without a pointer.
    tab_to(page, table.board)
    table.cursor_to("h7")
    expect(table.said).to_contain_text("Basic necromancer h7, Blue. Attack 1 back, defence 7")
    expect(table.card).to_contain_text("h7")
    keys.press("0")
    expect(table.said).to_contain_text(
        "Skeleton, card 1, cost 4: blue has 0 spells, you have 0 spells. March here, with your free spell."
    )
    expect(table.card).to_contain_text("Skeleton")
    tab_to(page, table.good("Zombie"))
    expect(table.said).to_contain_text("Zombie. Costs 2, 2 more than you have. Attack 1, defence 1, speed 1, range 1.")
    expect(table.card).to_contain_text("Zombie")


def test_figures_in_words_by_a_long_press(server: Server, new_page: NewPage) -> None:
    page = new_page(390, 844, touch=True)
    open_table(page, server.address, "Minions", SEATS, boards=1)
    table = Minions(page)
    expect(table.file_button).to_be_enabled()
    at_rest(page)
    table.hex("c2").click(delay=900)  # a mouse that is held down is no finger
    expect(table.card).to_have_count(0)
    box = table.hex("c2").bounding_box()
    assert box
    finger = page.context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(table.card).to_contain_text("Basic necromancer")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(table.card).to_be_visible()
    table.press("Close")
    expect(table.card).to_have_count(0)


# ---- buying


def test_buying_and_spawning_by_keys(server: Server, new_page: NewPage) -> None:
    """A letter takes a unit up, twice buys it; held while a hex is chosen it spawns, and buys first if need be."""
    page = new_page()
    seats = {"Yellow": "Bot: random", "Blue": "You"}
    table = open_with(page, server.address, seats, {"Boards": "1", "Money": "9"})
    table.expect_turn(1)
    keys = page.keyboard
    table.choose("h6")
    to = table.a_cell("move here$")
    table.hex(to).click()
    expect(table.hex(to)).to_have_accessible_name(re.compile("moved"))
    keys.press("Escape")
    keys.press("z")
    expect(table.good("Zombie")).to_have_attribute("aria-pressed", "true")
    keys.press("z")
    expect(table.lines.last).to_contain_text("buy Z")
    expect(table.good("Zombie")).to_have_accessible_name(re.compile("1 in the reserve"))
    table.good("Zombie").click(button="right")
    expect_lines(table, "move from h6")
    keys.press("Escape")
    keys.down("i")
    table.hex("h6").click()
    keys.up("i")
    expect(table.hex("h6")).to_have_accessible_name(re.compile("your Initiate, spawned this turn"))
    expect(table.lines.last).to_contain_text("spawn I on h6")
    expect(table.good("Initiate")).to_have_attribute("aria-pressed", "false")


# ---- resigning and choosing


def test_a_board_is_resigned_and_a_necromancer_chosen(table: Minions) -> None:
    """Asked again before; taken back like any order; then the board is reset, and one chooses anew."""
    page = table.page
    sure = page.get_by_role("button", name="Yes, resign board 1")
    table.more("Resign board 1 …")
    expect(sure).to_be_visible()
    table.press("Cancel")
    expect(sure).to_have_count(0)
    expect_lines(table)
    table.resign(1)
    expect_lines(table, "board 1: resign the board")
    table.press("Remove order 1")
    table.resign(1)
    expect_lines(table, "board 1: resign the board")
    table.finish()
    table.expect_turn(2)
    expect(page.get_by_role("paragraph").filter(has_text=re.compile("^Points.* of 2$"))).to_contain_text("1")
    expect(table.said).to_contain_text("Choose a necromancer")
    choice = page.get_by_role("group", name="Choose a necromancer on board 1")
    choice.get_by_role("radio", name="Deadly").hover()
    expect(table.said).to_contain_text("Deadly necromancer.")
    expect(table.card).to_contain_text("Deadly necromancer")
    choice.get_by_role("radio", name="Deadly").click()
    choice.get_by_role("radio", name="Initiate").click()
    choice.get_by_role("button", name="Choose Deadly, keep Initiate").click()
    expect_lines(table, "choose the Deadly necromancer and keep I")
    expect(table.hex("c2")).to_have_accessible_name(re.compile("your Deadly necromancer, can move"))
    expect(choice).to_have_count(0)
    # The second board given up is the second point: the game is lost.
    table.resign(1)
    table.finish()
    expect(table.over).to_be_visible()
    expect(table.said).to_contain_text("Blue wins: on points")
    # Both sides move in a turn: their moves are told apart.
    for side in ("Yellow", "Blue"):
        expect(table.turns.get_by_role("button", name=f"Turn 1, {side}", exact=True)).to_be_visible()


# ---- typed lines


def test_typed_lines_and_their_refusals(table: Minions) -> None:
    for line, rule in (
        ("1 move c2-f2", "5.8"),
        ("1 buy Z", "9.1"),
        ("2 move c3-c4", "4.3"),
        ("tech 3", "8.5"),
        ("hello", "4.3"),
    ):
        table.typed.fill(line)
        table.typed.press("Enter")
        expect(table.lines.last.get_by_role("alert")).to_be_visible()
        expect(table.lines.last.get_by_role("link", name=f"Rule {rule}", exact=True)).to_be_visible()
    for _ in range(4):
        table.press("Remove order 1")
    table.lines.last.get_by_title("Edit this order").click()
    box = table.page.get_by_role("textbox", name="Order 1")
    box.fill("1 move c3-c4")
    box.press("Enter")
    expect_lines(table, "move from c3 to c4")


# ---- for everybody


@pytest.mark.parametrize(("size", "dark"), LOOKS, ids=IDS)
def test_no_serious_fault_for_screen_readers_keys_and_contrast(
    server: Server, new_page: NewPage, size: tuple[int, int], dark: bool
) -> None:
    page = new_page(*size, dark=dark, touch=size == NARROW, bypass_csp=True)
    seats = {"Yellow": "Bot: random", "Blue": "You"}
    table = open_with(page, server.address, seats, {"Boards": "2", "Points": "2", "Money": "40", "Turns": "2"})
    expect(table.file_button).to_be_enabled()
    check(page, "start")
    table.hex("h6").click()
    check(page, "a unit chosen")
    table.hex(table.a_cell("move here$")).click()
    table.typed.fill("1 move h7-a0")
    table.typed.press("Enter")
    expect(table.lines.get_by_role("alert")).to_have_count(1)
    check(page, "a refused line")
    _tabs(table, size == NARROW)
    table.press("Remove order 2")
    page.keyboard.press("Escape")
    table.more("Resign board 1 …")
    check(page, "asked again")
    table.press("Yes, resign board 1")
    expect(table.lines).to_have_count(2)
    table.finish()
    expect(table.lines).to_have_count(0)
    expect(page.get_by_role("group", name="Choose a necromancer on board 1")).to_be_visible()
    check(page, "the choice of a necromancer")
    table.finish()
    expect(table.over).to_be_visible()
    check(page, "over")


def _tabs(table: Minions, narrow: bool) -> None:
    page: Page = table.page
    for tab in ("Details", "Legend", "Record", "Charts", "Chat") if narrow else ("Record", "Charts", "Chat"):
        table.tab(tab)
        check(page, tab)
    table.tab("Orders")
    if narrow:
        page.get_by_role("tab", name="Techline").click()
        check(page, "techline")
        table.look_at(1)
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keyboard shortcuts").wait_for()
    check(page, "keys")
    page.keyboard.press("Escape")
