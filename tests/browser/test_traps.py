"""Traps that cost a game: second clicks, what appears under the pointer, lines that collide, words that are stale."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.conftest import NewPage, Server
from browser.demons import Demons
from browser.minions import RUSH, SEATS, Minions, invitation, open_with
from browser.monarchs import Monarchs
from browser.room import TABLE, Room, at_rest, open_table, resize, second_click, sit_down
from browser.test_axe import sticks_out

MOUSE_HELD = 350  # ms between two clicks of an old or a young hand


def box(locator: Locator) -> tuple[float, float, float, float]:
    found = locator.bounding_box()
    assert found
    return found["x"], found["y"], found["width"], found["height"]


def click_twice(page: Page, button: Locator, at: tuple[float, float] | None = None) -> None:
    """Two clicks at one place, in the middle unless told, whatever stands there by then."""
    button.click(trial=True)  # what has just appeared takes no click, and the first one should count
    x, y, width, height = box(button)
    at = at or (x + width / 2, y + height / 2)
    with second_click(page, at, MOUSE_HELD):  # how fast a hand is, is what this is about
        page.mouse.click(*at)


# ---- filing


@pytest.mark.needs("monarchs")
def test_two_clicks_on_file_file_one_turn(server: Server, new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    table.expect_turn(1)
    way = table.plan(1)[0]
    table.typed.fill(f"{way.start} {way.to} 1")
    table.typed.press("Enter")
    expect(table.file_button).to_have_text("File 1 order")
    click_twice(page, table.file_button)
    table.expect_turn(2)  # the button takes clicks again
    expect(table.heading(2)).to_be_visible()
    expect(table.file_button).to_have_text("Pass this turn")
    # The server knows that too: a sheet names the step it is for.


@pytest.mark.needs("monarchs")
def test_enter_held_down_on_file_files_one_turn(server: Server, new_page: NewPage) -> None:
    page = new_page()
    sent: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    table.expect_turn(1)
    table.file_button.focus()
    page.keyboard.down("Enter")
    table.expect_turn(2)  # the button takes clicks again
    expect(table.file_button).to_be_focused()
    for _ in range(3):
        page.keyboard.down("Enter")  # as a keyboard repeats it
    page.keyboard.up("Enter")
    way = table.plan(1)[0]
    table.typed.fill(f"{way.start} {way.to} 1")
    table.typed.press("Enter")
    expect(table.file_button).to_have_text("File 1 order")
    table.expect_judged()
    expect(table.heading(2)).to_be_visible()
    assert len([frame for frame in sent if '"file"' in str(frame)]) == 1


@pytest.mark.needs("monarchs")
def test_filing_moves_no_button(server: Server, new_page: NewPage) -> None:
    """While others still think, the sheet can be taken back; the button for that comes under nobody's pointer."""
    red, green = Monarchs(new_page(1280, 800)), Monarchs(new_page(390, 844))
    seats = {"Red": "You", "Green": "Open to anyone", "Blue": "Bot: holder"}
    open_table(red.page, server.address, "Monarchs", seats, name="Ada", minutes=30)
    green.page.goto(red.page.url)
    green.page.get_by_label("Your name at the table").fill("Ben")
    green.press("Sit here")
    for table in (red, green):
        expect(table.file_button).to_be_enabled()
        file = table.page.get_by_role("button", name=re.compile(r"^Filed?\b|^Pass"))
        table.typed.fill(table.typed.get_attribute("placeholder") or "")
        table.typed.press("Enter")
        expect(table.file_button).to_have_text("File 1 order")
        still = [file, table.board, table.page.get_by_role("button", name="Undo")]
        at_rest(table.page)
        before = [box(one) for one in still]
        x, y, width, height = before[0]
        for right in (width / 2, width - 12):
            click_twice(table.page, file, (x + right, y + height / 2))
            expect(file).to_have_text("Filed: 1 order")
            assert [box(one) for one in still] == before
            table.press("Withdraw")
            expect(table.file_button).to_have_text("File 1 order")
            expect(table.file_button).to_be_enabled()


@pytest.mark.needs("monarchs")
def test_two_clicks_on_the_last_sheet_ask_for_no_rematch(server: Server, new_page: NewPage) -> None:
    """On a phone the button for it comes where the sheet's was."""
    page = new_page(390, 844)
    open_table(page, server.address, "Monarchs", {"Red": "You", "Green": "Bot: steady", "Blue": "Bot: raider"}, turns=1)
    table = Monarchs(page)
    expect(table.file_button).to_be_enabled()
    address = page.url
    click_twice(page, table.file_button)
    expect(table.over).to_be_visible()
    again = page.get_by_role("button", name="Rematch")
    again.click(trial=True)  # it takes clicks, half a second after it came
    assert page.url == address


@pytest.mark.needs("monarchs")
def test_passing_asks_once_until_told_not_to(server: Server, new_page: NewPage) -> None:
    page = new_page(asks=True)
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    table.expect_turn(1)
    at_rest(page)
    where = box(table.file_button)
    click_twice(page, table.file_button)
    expect(page.get_by_text("You can still give orders.")).to_be_visible()
    sure = page.get_by_role("button", name="Yes, pass this turn")
    expect(sure).to_be_enabled()  # but not at once
    assert box(sure) == where
    expect(table.heading(1)).to_be_visible()
    page.get_by_role("checkbox", name="Don't ask again").check()
    sure.click()
    table.expect_turn(2)
    table.file_button.click()
    table.expect_turn(3)
    # The menu has it back.
    table.menu()
    page.get_by_role("dialog").get_by_role("checkbox", name="Ask before passing a turn").check()
    page.keyboard.press("Escape")
    table.file_button.click()
    expect(sure).to_be_visible()


# ---- what can't be undone


@pytest.mark.needs("monarchs")
@pytest.mark.parametrize(
    ("size", "touch"), [((1440, 900), False), ((768, 1024), True), ((390, 844), True)], ids=["wide", "tablet", "phone"]
)
def test_two_clicks_on_resign_do_not_resign(
    server: Server, new_page: NewPage, size: tuple[int, int], touch: bool
) -> None:
    page = new_page(*size, touch=touch)
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    expect(table.file_button).to_be_enabled()
    table.menu()
    dialog = page.get_by_role("dialog")
    resign = dialog.get_by_role("button", name="Resign …")
    at_rest(page)
    before = box(resign), box(dialog)
    click_twice(page, resign)
    expect(dialog.get_by_role("button", name="Yes, resign")).to_be_visible()
    assert (box(resign), box(dialog)) == before
    dialog.get_by_role("button", name="Cancel").click()
    page.keyboard.press("Escape")
    expect(table.file_button).to_be_enabled()


@pytest.mark.needs("minions")
def test_nothing_moves_when_messages_and_rows_of_buttons_come_and_go(server: Server, new_page: NewPage) -> None:
    """The introduction is declined, a unit is chosen, an order is given and taken back, a board is nearly resigned."""
    page = new_page(1280, 800)
    open_table(page, server.address, "Minions", SEATS, boards=3)
    table = Minions(page)
    expect(table.file_button).to_be_enabled()

    def places() -> list[tuple[float, float, float, float]]:
        still = [table.hex("a0"), table.hex("j9"), table.tab_of(3), table.cards.first, table.file_button]
        more = page.get_by_role("button", name="More for board 1")
        return [box(one) for one in [*still, more]]

    at_rest(page)
    before = places()
    click_twice(page, page.get_by_role("button", name="No, thanks"))
    expect(page.get_by_text("New to Minions?")).to_have_count(0)
    assert places() == before
    start = table.a_cell("your Zombie.*can move")
    table.choose(start)
    expect(page.get_by_role("button", name="Swap places …")).to_be_visible()
    assert places() == before
    to = table.a_cell("move here$")
    table.hex(to).click()
    expect(table.lines).to_have_count(1)
    table.expect_judged()
    expect(table.file_button).to_be_enabled()
    assert places() == before
    more = page.get_by_role("button", name="More for board 1")
    more.click()
    click_twice(page, page.get_by_role("button", name="Resign board 1 …"))
    expect(page.get_by_role("button", name="Yes, resign board 1")).to_be_visible()
    assert places() == before
    expect(table.line("resign")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo").click()
    expect(table.lines).to_have_count(0)
    assert places() == before


@pytest.mark.needs("monarchs")
def test_an_offer_that_is_answered_or_withdrawn_moves_nothing(server: Server, new_page: NewPage) -> None:
    """And the click that answered it lands on nothing else."""
    red, green = Monarchs(new_page()), Monarchs(new_page())
    seats = {"Red": "You", "Green": "Open to anyone", "Blue": "Open to anyone"}
    open_table(red.page, server.address, "Monarchs", seats, name="Ada", minutes=30, turns=2)
    blue = Monarchs(new_page())
    expect(red.page.get_by_text("Time: 30 min per turn.")).to_be_visible()  # before anybody sits down
    for table, name in ((green, "Ben"), (blue, "Cy")):
        table.page.goto(red.page.url)
        table.page.get_by_label("Your name at the table").fill(name)
        table.page.get_by_role("button", name=re.compile("^Sit here")).first.click()
        expect(red.page.get_by_role("listitem", name=f": {name}")).to_be_visible()  # the next one takes another seat
    green.expect_turn(1)
    red.expect_turn(1)
    green.press("No, thanks")
    at_rest(green.page)
    before = [box(one) for one in (green.board, green.file_button)]
    red.menu("Offer a draw")
    decline = green.page.get_by_role("button", name="Decline")
    expect(decline).to_be_visible()
    assert [box(one) for one in (green.board, green.file_button)] == before
    red.page.get_by_role("button", name="Withdraw your offer of a draw").click()
    expect(decline).to_have_count(0)
    red.menu("Offer a draw")
    decline.click(trial=True)  # it takes clicks, half a second after it came
    click_twice(green.page, decline)
    expect(decline).to_have_count(0)
    assert [box(one) for one in (green.board, green.file_button)] == before
    green.expect_turn(1)


@pytest.mark.needs("monarchs")
def test_a_turn_that_was_taken_back_is_played_again(server: Server, new_page: NewPage) -> None:
    """Both go on at once, and so does whoever watches."""
    red, green, guest = Monarchs(new_page()), Monarchs(new_page()), Monarchs(new_page())
    seats = {"Red": "You", "Green": "Open to anyone", "Blue": "Bot: holder"}
    open_table(
        red.page,
        server.address,
        "Monarchs",
        seats,
        name="Ada",
        minutes=30,
        ticked=("Allow takebacks when everyone agrees",),
    )
    green.page.goto(red.page.url)
    green.page.get_by_label("Your name at the table").fill("Ben")
    green.press("Sit here")
    guest.page.goto(red.page.url)
    for turn in (1, 2):
        for table in (red, green):
            table.file(turn)
    red.expect_turn(3)
    green.expect_turn(3)
    green.menu("Offer a takeback")
    red.press("Accept")
    for table in (red, green):
        table.expect_turn(2)
        expect(table.hex("G5")).to_be_visible()
    expect(guest.hex("G5")).to_be_visible()
    for table in (red, green):
        table.file(2)
    red.expect_turn(3)
    green.expect_turn(3)


@pytest.mark.needs("minions")
def test_the_board_of_a_phone_stays_while_the_other_side_thinks(server: Server, new_page: NewPage) -> None:
    ann, bob = Minions(new_page(390, 844, touch=True)), Minions(new_page())
    seats = {"Yellow": "You", "Blue": "Open to anyone"}
    open_table(ann.page, server.address, "Minions", seats, name="Ann", minutes=30, boards=1, turns=1)
    bob.page.goto(ann.page.url)
    bob.page.get_by_label("Your name at the table").fill("Bob")
    bob.press("Sit here")
    expect(ann.file_button).to_be_enabled()
    panel = ann.page.get_by_role("region", name="Orders and record")
    at_rest(ann.page)
    before = [box(one) for one in (ann.hex("a0"), ann.hex("j9"), panel)]
    ann.file_button.tap()
    bob.expect_turn(1)
    expect(ann.page.get_by_role("tab", name="Table")).to_be_visible()  # instead of the orders
    assert [box(one) for one in (ann.hex("a0"), ann.hex("j9"), panel)] == before


SIZES = [(1280, 800), (1024, 768), (390, 844)]


@pytest.mark.needs("demons", "minions", "monad", "monarchs")
@pytest.mark.parametrize("game", ["Minions", "Monad", "Demons", "Monarchs"])
def test_the_end_of_a_game_moves_no_board(server: Server, new_page: NewPage, game: str) -> None:
    """Neither does going back to a turn and to the end again. A page that is loaded later is laid out for reading."""
    page = new_page()
    sit_down(page, server.address, game)
    table = Minions(page) if game == "Minions" else Room(page)
    expect(table.file_button).to_be_enabled()

    def places() -> dict[tuple[int, int], tuple[float, float, float, float]]:
        found = {}
        for width, height in SIZES:
            resize(page, width, height)
            found[width, height] = box(table.board)
            assert sticks_out(page) <= 0, f"something sticks out at {width} px"
        return found

    before = places()
    table.menu("Resign …", "Yes, resign")
    expect(table.over).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert places() == before
    page.keyboard.press("Home")
    assert places() == before
    page.keyboard.press("End")
    assert places() == before


# ---- teams


@pytest.mark.needs("minions")
def test_the_role_of_someone_who_left_can_be_taken_over(server: Server, new_page: NewPage) -> None:
    """Against a bot without a clock the table would otherwise wait for ever."""
    ann, bob = Minions(new_page()), Minions(new_page())
    open_table(ann.page, server.address, "Minions", SEATS, name="Ann", boards=2)
    expect(ann.file_button).to_be_enabled()
    bob.page.goto(invitation(ann, server.address))
    bob.page.get_by_label("Your name at the table").fill("Bob")
    bob.press("Join")
    bob.tab("Team")
    click_twice(bob.page, bob.page.get_by_role("button", name="Take this role: captain 1"))  # it isn't given up again
    expect(bob.page.get_by_role("button", name="Give up this role: captain 1")).to_be_visible()
    ann.tab("Team")
    expect(ann.page.get_by_role("button", name="Take this role: captain 1")).to_have_count(0)
    ann.press("Take this role: captain 2")
    expect(ann.page.get_by_role("button", name="Take over")).to_have_count(0)
    bob.page.close()
    ann.press("Take over as captain 1")
    expect(ann.page.get_by_role("button", name="Give up this role: captain 1")).to_be_visible()
    ann.tab("Orders")
    ann.finish()
    ann.expect_turn(2)


@pytest.mark.needs("minions")
def test_two_clicks_on_done_are_done_with_one_board(server: Server, new_page: NewPage) -> None:
    """The second neither takes it back nor ends another board, which comes to the same place."""
    ann, bob = Minions(new_page()), Minions(new_page())
    open_table(ann.page, server.address, "Minions", SEATS, name="Ann", boards=3)
    expect(ann.file_button).to_be_enabled()
    bob.page.goto(invitation(ann, server.address))
    bob.page.get_by_label("Your name at the table").fill("Bob")
    bob.press("Join")
    for table, roles in ((ann, ("captain 1", "captain 2")), (bob, ("captain 3",))):
        table.tab("Team")
        for role in roles:
            table.press(f"Take this role: {role}")
            expect(table.page.get_by_role("button", name=f"Give up this role: {role}")).to_be_visible()
        table.tab("Orders")
    done = ann.page.get_by_role("region", name="Yellow this turn")
    ann.look_at(1)
    click_twice(ann.page, ann.page.get_by_role("button", name="Done with board 1"))
    expect(done).to_contain_text("1 of 3 done")
    click_twice(bob.page, bob.page.get_by_role("button", name="Done with board 3"))
    expect(done).to_contain_text("2 of 3 done")
    expect(bob.page.get_by_role("button", name="Done with board 3")).to_have_count(0)  # Bob is told, too
    click_twice(bob.page, bob.page.get_by_role("button", name="Board 3 is done").first)
    expect(done).to_contain_text("1 of 3 done")
    expect(ann.page.get_by_role("button", name="Done with board 2")).to_be_enabled()


# ---- typed lines


@pytest.mark.needs("demons", "minions", "monad", "monarchs")
@pytest.mark.parametrize("game", ["Minions", "Monad", "Demons", "Monarchs"])
def test_the_placeholder_is_an_order(server: Server, new_page: NewPage, game: str) -> None:
    page = new_page()
    sit_down(page, server.address, game)
    table = Room(page)
    expect(table.typed).to_be_editable()
    example = table.typed.get_attribute("placeholder") or ""
    table.typed.fill(example)
    table.typed.press("Enter")
    expect(table.lines).to_have_count(1)
    expect(page.get_by_role("button", name=re.compile(r"1 order\b"))).to_be_visible()
    expect(table.lines.get_by_role("alert")).to_have_count(0)


@pytest.mark.needs("demons")
def test_a_second_build_replaces_the_first_also_when_typed(server: Server, new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, server.address, "Demons")
    table = Demons(page)
    expect(table.typed).to_be_editable()
    site = table.typed.get_attribute("placeholder") or ""
    assert site.startswith("build")
    for text in ("build cannon 99,99", "build canon 1,1"):
        table.typed.fill(text)
        table.typed.press("Enter")
        expect(table.lines.get_by_role("alert")).to_have_count(1)
        expect(table.lines).to_have_count(1)
    for _ in range(2):
        table.typed.fill(site)
        table.typed.press("Enter")
        expect(table.lines.get_by_role("alert")).to_have_count(0)
        expect(table.lines).to_have_count(1)
        expect(table.file_button).to_have_text("File 1 order")
    # Once the gold is spent, the line offers nothing that it would refuse.
    table.file(0)
    table.expect_turn(1)
    table.typed.fill(table.typed.get_attribute("placeholder") or "")
    table.typed.press("Enter")
    table.expect_gold(0)
    table.file(1)
    table.expect_turn(2)
    expect(table.typed).to_have_attribute("placeholder", "Type an order")


# ---- stale words


@pytest.mark.needs("minions")
def test_words_of_minions_are_those_of_now(server: Server, new_page: NewPage) -> None:
    """The card of a unit that is taken back, and the spells of a card."""
    page = new_page()
    table = open_with(page, server.address, SEATS_BLUE, {**RUSH})
    expect(table.file_button).to_be_enabled()
    card = table.cards.first
    card.click()
    expect(table.line("March|Tech")).to_have_count(1)
    expect(table.said).to_contain_text("you have 1 spell")
    page.get_by_role("button", name="Undo").click()
    expect(table.lines).to_have_count(0)
    # A unit that was spawned and taken back has no card. First there must be room for it.
    table.choose(table.a_cell("your Zombie.*can move"))
    table.hex(table.a_cell("move here$")).click()
    expect(table.lines).to_have_count(1)
    page.keyboard.press("Escape")
    table.good("Initiate").click()
    expect(table.good("Initiate")).to_have_attribute("aria-pressed", "true")
    to = table.a_cell("spawn here$")
    table.hex(to).click()
    expect(table.hex(to)).to_have_accessible_name(re.compile("your Initiate, spawned"))
    table.hex(to).hover()
    expect(table.card).to_contain_text("spawned this turn")
    page.get_by_role("button", name="Undo").click()
    expect(table.hex(to)).not_to_have_accessible_name(re.compile("Initiate"))
    page.mouse.move(1, 1)
    expect(table.card).to_have_count(0)


SEATS_BLUE = {"Yellow": "Bot: random", "Blue": "You"}


@pytest.mark.needs("minions")
def test_another_table_begins_with_its_first_board(server: Server, new_page: NewPage) -> None:
    """What was done and looked at elsewhere is not done here. On a phone the board is there, not the techline."""
    page = new_page(390, 844)
    page.goto(server.address)

    def sit() -> Minions:
        card = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Minions"))
        card.get_by_role("link", name="Open a table").click()
        page.get_by_role("button", name=re.compile("^Teams")).click()
        page.get_by_role("button", name="A bot", exact=True).click()
        page.get_by_role("button", name="Open the table").click()
        page.wait_for_url(TABLE)
        table = Minions(page)
        expect(table.file_button).to_be_enabled()
        return table

    table = sit()
    table.press("Done with board 1")
    expect(table.tab_of(1)).to_have_accessible_name(re.compile(", done,"))
    table.look_at(3)
    page.get_by_role("tab", name="Techline").click()
    expect(page.get_by_role("grid")).to_have_count(0)
    page.get_by_role("link", name="Back").click()
    table = sit()
    expect(table.board).to_have_accessible_name(re.compile("^Board 1,"))
    expect(page.get_by_role("tab", name=re.compile("done"))).to_have_count(0)
