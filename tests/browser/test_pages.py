"""Light, dark and paper, accounts, the lobby, phones, sounds, and how much a table costs to load."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import Page, Response, expect

from browser.conftest import PATIENCE, NewPage, Server
from browser.monarchs import Monarchs
from browser.room import Room, open_table, show_more, sit_down
from polemos import registry

MAX = 300_000  # bytes on the line for everything that a table loads


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


@pytest.mark.needs("monad")
def test_seats_of_a_new_table_and_their_number_agree(server: Server, new_page: NewPage) -> None:
    """Whoever takes a seat fills up those before it, an empty one empties those behind it, and the option follows."""
    page = new_page()
    page.goto(server.address)
    page.get_by_role("article").filter(has=page.get_by_role("heading", name="Monad")).get_by_role(
        "link", name="Open a table"
    ).click()
    show_more(page)
    blue, green, yellow = (page.get_by_label(f"Who plays {seat}") for seat in ("Blue", "Green", "Yellow"))
    number = page.get_by_role("combobox", name="Seats", exact=True)
    expect(green).to_have_value("none")
    expect(blue.get_by_role("option", name="Nobody")).to_have_count(0)  # two are the fewest
    yellow.select_option("Bot: random")
    expect(number).to_have_value("4")
    expect(green).to_have_value("open")
    green.select_option("Nobody (leave this seat out)")
    expect(number).to_have_value("2")
    expect(yellow).to_have_value("none")
    number.select_option("3")
    expect(green).to_have_value("open")
    expect(yellow).to_have_value("none")
    blue.select_option("Bot: random")
    green.select_option("Bot: random")
    page.get_by_role("button", name="Open the table").click()
    Room(page).expect_turn(1)
    expect(page.get_by_label("The table", exact=True)).to_contain_text("3 players")


@pytest.mark.needs("monarchs")
def test_an_account_keeps_its_tables(server: Server, new_page: NewPage) -> None:
    """Sign up, play, sign out; in another browser the account finds its table again, and nobody else does."""
    page = new_page()
    name = f"ada{server.port}"
    page.goto(server.address)
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("button", name="Create an account").click()
    _sign(page, name, "Create account")
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
    tab = elsewhere.context.new_page()
    tab.goto(address)
    Monarchs(tab).expect_turn(2)

    elsewhere.goto(f"{server.address}/account")
    elsewhere.get_by_role("button", name="Sign out").click()
    expect(tab.get_by_role("heading", name="You are watching")).to_be_visible()  # by itself
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


@pytest.mark.needs("monarchs")
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
    assert 0 < sum(sizes.values()) < MAX, sizes


BOTS = {"Green": "Bot: steady", "Blue": "Bot: raider"}


@pytest.mark.needs("monarchs")
def test_the_lobby_says_what_is_due_and_how_long_still(server: Server, new_page: NewPage) -> None:
    page, other = new_page(), new_page()
    seats = {"Red": "You", "Green": "Open to anyone", "Blue": "Bot: raider"}
    open_table(page, server.address, "Monarchs", seats, minutes=30, turns=2)
    table = Monarchs(page)
    other.goto(page.url)
    other.get_by_role("button", name="Sit here").click()
    table.expect_turn(1)
    # Who says no name is called after the seat.
    expect(page.get_by_role("listitem", name="Red: Guest Red")).to_be_visible()
    expect(page.get_by_role("listitem", name="Green: Guest Green")).to_be_visible()
    address = page.url
    page.goto(server.address)
    mine = page.get_by_role("region", name="Your tables")
    expect(mine.get_by_text("Your orders are due.")).to_be_visible()
    expect(mine).to_contain_text("You command Red")
    expect(mine.get_by_role("timer")).to_have_text(re.compile(r"2\d:\d\d|30:00"))
    mine.get_by_role("link", name="Go to the table").click()
    expect(page).to_have_url(address)
    table.file(1)
    expect(page.get_by_text("Your orders are filed.")).to_be_visible()
    page.goto(server.address)
    expect(mine.get_by_text("Waiting for the other players.")).to_be_visible()
    expect(mine.get_by_role("timer")).to_have_count(0)
    Monarchs(other).file(1)
    expect(mine.get_by_text("Your orders are due.")).to_be_visible()  # without a reload


@pytest.mark.needs("monarchs")
def test_a_text_is_there_to_be_copied_when_the_browser_refuses(server: Server, new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, server.address, "Monarchs")
    room = Room(page)
    room.expect_turn(1)
    page.context.grant_permissions([])  # nothing is granted: the clipboard neither
    room.press("Link")
    by_hand = page.get_by_role("textbox", name="Copy this by hand")
    expect(by_hand).to_be_focused()
    expect(by_hand).to_have_value(re.compile(r"/replay/\w+\?turn=1$"))
    expect(page.get_by_role("button", name="Copied")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(by_hand).to_have_count(0)
    expect(page.get_by_role("button", name="Link", exact=True)).to_be_visible()


@pytest.mark.needs("monarchs")
def test_no_two_buttons_of_a_table_have_one_name(server: Server, new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, server.address, "Monarchs")
    room = Room(page)
    room.expect_turn(1)
    for tab in ("Orders", "Record", "Charts", "Chat"):
        room.tab(tab)
        names = Counter(re.findall(r'- button "([^"]*)"', page.locator("body").aria_snapshot()))
        assert names, tab
        assert {name for name, times in names.items() if times > 1} == set(), tab


@pytest.mark.needs("monarchs")
@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 740)])
def test_on_a_phone_the_thumb_reaches_everything(server: Server, new_page: NewPage, width: int, height: int) -> None:
    page = new_page(width, height, touch=True)
    open_table(page, server.address, "Monarchs", {"Red": "You"})
    room = Room(page)
    expect(page.get_by_role("button", name="Copy link")).to_be_in_viewport(ratio=1)
    guest = new_page(width, height, touch=True)
    guest.goto(page.url)
    seats = guest.get_by_role("button", name="Sit here")
    expect(seats).to_have_count(2)
    for button in seats.all():
        expect(button).to_be_in_viewport(ratio=1)
    open_table(page, server.address, "Monarchs", {"Red": "You"} | BOTS, turns=1)
    expect(room.file_button).to_be_in_viewport(ratio=1)
    for tab in page.get_by_role("tab").all():
        expect(tab).to_be_in_viewport(ratio=1)
    room.file_button.tap()
    expect(room.over).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Rematch")).to_be_in_viewport(ratio=1)
    assert page.locator("html").evaluate("page => page.scrollWidth") == width


def test_books_stand_in_rows_of_two(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{server.address}/games")
    books = page.get_by_role("main").get_by_role("link")
    expect(books).to_have_count(len(registry.names()))
    # All at once: pictures that come between two looks push what is below them.
    boxes = books.evaluate_all("all => all.map((one) => one.getBoundingClientRect()).map(({x, y}) => [x, y])")
    assert len({x for x, _ in boxes}) == 2
    assert len({y for _, y in boxes}) == (len(boxes) + 1) // 2


@pytest.mark.needs("demons", "minions", "monad", "monarchs")
@pytest.mark.parametrize("game", ["demons", "minions", "monad", "monarchs"])
def test_a_book_begins_with_three_pictures(game: str, server: Server, new_page: NewPage) -> None:
    """In the colours of the theme, light on paper, and never wider than a phone."""
    page = new_page(390, 844, touch=True, dark=True)
    page.goto(f"{server.address}/games/{game}")
    for heading in ("What you see", "What you order", "How it ends"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    drawn = page.locator('img[src*="/book/pictures/"]')
    expect(drawn).to_have_count(3)
    for theme in ("dark", "light"):
        page.emulate_media(media="screen" if theme == "dark" else "print")
        for one in drawn.all():
            one.scroll_into_view_if_needed()
            drawn_in = "([it, theme]) => it.complete && it.naturalWidth > 0 && it.currentSrc.includes(`theme=${theme}`)"
            page.wait_for_function(drawn_in, arg=[one.element_handle(), theme])
    page.emulate_media(media="screen")
    assert page.locator("html").evaluate("page => page.scrollWidth") == 390
    page.get_by_role("link", name="At a glance").click()
    expect(page.get_by_role("heading", name="What you see")).to_be_in_viewport()


@pytest.mark.needs("monarchs")
def test_paper_is_white_and_its_ink_black(server: Server, new_page: NewPage) -> None:
    page = new_page(dark=True)
    sit_down(page, server.address, "Monarchs")
    Room(page).expect_turn(1)
    assert _ground(page) != "rgb(255, 255, 255)"
    page.emulate_media(media="print")
    assert _ground(page) == "rgb(255, 255, 255)"
    expect(page.get_by_role("img", name="The map in black and white")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    # Where somebody chose dark by hand, too; and what has no page of its own for the printer.
    page.emulate_media(media="screen")
    page.goto(f"{server.address}/games/monarchs")
    for theme in ("Light theme", "Dark theme"):
        page.get_by_role("button", name=theme).click()
    page.emulate_media(media="print")
    assert _ground(page) == "rgb(255, 255, 255)"
    ink = page.get_by_role("heading", name="Monarchs", exact=True).evaluate("it => getComputedStyle(it).color")
    assert ink == "rgb(0, 0, 0)"


@pytest.mark.needs("monarchs")
def test_sounds_are_off_until_they_are_asked_for(server: Server, new_page: NewPage) -> None:
    """The browser says which tones it is given to play: none before, some for each turn and each refusal after."""
    page = new_page()
    tones: list[object] = []
    browser = page.context.new_cdp_session(page)
    browser.on("WebAudio.audioNodeCreated", lambda it: tones.append(it))
    browser.send("WebAudio.enable")
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    for turn in (1, 2):
        table.file(turn)
    table.expect_turn(3)
    assert tones == []
    table.menu()
    switch = page.get_by_role("checkbox", name=re.compile("^Sounds"))
    expect(switch).not_to_be_checked()
    switch.check()  # it says at once how it sounds
    page.keyboard.press("Escape")
    at_first = _heard(page, tones, 0)
    table.file(3)
    table.expect_turn(4)
    by_turn = _heard(page, tones, at_first)
    table.typed.fill("make peace")
    table.typed.press("Enter")
    expect(table.lines.get_by_role("alert")).to_be_visible()
    _heard(page, tones, by_turn)
    page.reload()
    table.menu()
    expect(switch).to_be_checked()


def _heard(page: Page, tones: list[object], before: int) -> int:
    """How many tones the browser has told of, once there are more than before and no others come."""
    for _ in range(PATIENCE // 500):
        now = len(tones)
        page.wait_for_timeout(500)
        if before < now == len(tones):
            return now
    raise AssertionError(f"{len(tones)} tones, no more than {before}.")
