"""The sheet answers at once, refused lines stay, and everything that is said leads to its paragraph."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from browser.conftest import NewPage, Server
from browser.monarchs import Monarchs
from browser.room import open_table, sit_down, tab_to

pytestmark = pytest.mark.needs("monarchs")


def test_orders_are_listed_and_bots_answer(server: Server, new_page: NewPage) -> None:
    """Typed and clicked; how fast is a matter of benchmarks."""
    page = new_page()
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    table.expect_turn(1)
    plan = table.plan(6)
    for way in plan[:3]:
        table.typed.fill(f"{way.start} {way.to} 1")
        page.keyboard.press("Enter")
        expect(table.line(way.start, way.to, 1)).to_be_visible()
    for way in plan[3:]:
        table.hex(way.start).click()
        table.hex(way.to).click()
        page.locator(".chooser").get_by_text("1", exact=True).click()
        expect(table.line(way.start, way.to, 1)).to_be_visible()
    for turn in range(1, 4):
        table.expect_turn(turn)
        table.file_button.click()
        expect(table.heading(turn + 1)).to_be_visible()


WRONG = ["a5 q5 1", "a5 b6 99", "g9 i9 1", "bless z9", "make peace"]


def test_a_refused_line_stays_until_it_is_right(server: Server, new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    table.expect_turn(1)
    for number, line in enumerate(WRONG):
        table.typed.fill(line)
        table.typed.press("Enter")
        fault = table.lines.nth(number).get_by_role("alert")
        expect(fault).to_be_visible()
        expect(fault.get_by_role("link", name=re.compile(r"^Rule \d"))).to_be_visible()
    expect(page.get_by_text(f"0 valid, {len(WRONG)} invalid")).to_be_visible()
    for _ in WRONG[1:-1]:
        table.press("Remove order 2")
    # One was understood and refused, the other was not understood: both can be edited as they were typed.
    for number, before, after in [(1, "A5.*Q5.*1", "a5 b6 2"), (2, "make peace", "bless b6")]:
        table.lines.nth(number - 1).get_by_title("Edit this order").click()
        box = page.get_by_role("textbox", name=f"Order {number}")
        expect(box).to_have_value(re.compile(before))
        box.fill(after)
        box.press("Enter")
    expect(table.line("A5", "B6", 2)).to_be_visible()
    expect(table.blessing("B6")).to_be_visible()
    expect(table.lines.get_by_role("alert")).to_have_count(0)
    expect(table.file_button).to_have_text("File 2 orders")


def test_refused_lines_are_left_out_only_when_asked_again(server: Server, new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    table.expect_turn(1)
    for line in ("a5 b6 1", "a5 q5 1"):
        table.typed.fill(line)
        table.typed.press("Enter")
    expect(table.lines.get_by_role("alert")).to_have_count(1)
    table.file_button.click()
    expect(table.file_button).to_have_text("File 1 order (1 invalid dropped)")
    table.expect_turn(1)
    table.file_button.click()
    table.expect_turn(2)


def test_every_refusal_and_every_event_leads_to_its_paragraph(server: Server, new_page: NewPage) -> None:
    page = new_page()
    seats = {"Red": "You", "Green": "Bot: steady", "Blue": "Bot: raider"}
    open_table(page, server.address, "Monarchs", seats, turns=2)
    table = Monarchs(page)
    table.expect_turn(1)
    table.typed.fill("a5 q5 1")
    table.typed.press("Enter")
    refusal = table.lines.get_by_role("alert").get_by_role("link")
    _opens_the_book(page, refusal)
    table.press("Remove order 1")
    for turn in (1, 2):
        table.file(turn)
    expect(table.over).to_be_visible()
    table.tab("Record")
    events = table.record.get_by_role("listitem")
    expect(table.board).to_have_accessible_name(re.compile("61 of 61 hexes in sight"))  # the record tells all, too
    links = events.get_by_role("link", name=re.compile(r"^Rule \d"))
    expect(events.nth(20)).to_be_visible()
    expect(events.filter(has_not=page.get_by_role("link", name=re.compile(r"^Rule \d")))).to_have_count(0)
    expect(links).to_have_count(events.count())
    paragraphs = {href for link in links.all() if (href := link.get_attribute("href"))}
    _opens_the_book(page, links.first)
    book = new_page()
    book.goto(f"{server.address}/games/monarchs")
    book.get_by_role("heading", name="Monarchs").first.wait_for()
    for href in sorted(paragraphs):
        path, _, number = href.partition("#")
        assert path == "/games/monarchs"
        expect(book.locator(f'[id="{number}"]').get_by_role("heading")).to_contain_text(number)
    _opens_the_book(page, page.get_by_role("status").get_by_role("link", name=re.compile("^Rule")))


def _opens_the_book(page: Page, link: Locator) -> None:
    """The link opens the book at its paragraph, which is marked; the table stays where it is."""
    number = (link.get_attribute("href") or "").partition("#")[2]
    with page.context.expect_page() as opened:
        link.click()
    book = opened.value
    paragraph = book.locator(f'[id="{number}"]')
    expect(paragraph.get_by_role("heading")).to_contain_text(number)
    expect(paragraph.get_by_role("heading")).to_be_in_viewport()
    book.close()


# Which turn the timeline and the heading of the sheet named at the same time, from now on.
SEEN = """() => {
    window.seen = [];
    const look = () => {
        const moment = document.querySelector("[aria-label=Turns] [aria-current=step]")?.textContent.trim();
        const headings = [...document.querySelectorAll("h2")].map((one) => one.textContent.trim());
        window.seen.push([moment, headings.find((words) => words.startsWith("Orders for turn"))]);
    };
    const all = {subtree: true, childList: true, characterData: true, attributes: true};
    new MutationObserver(look).observe(document.body, all);
}"""


class SlowLine:
    """A line on which sheets can be held up."""

    def __init__(self, page: Page) -> None:
        self.is_slow = False
        self._held: list[tuple[WebSocketRoute, str | bytes]] = []
        page.route_web_socket(re.compile("/live$"), self._between)

    def _between(self, socket: WebSocketRoute) -> None:
        def hear(message: str | bytes) -> None:
            if self.is_slow and '"type":"sheet"' in str(message):
                self._held.append((socket, message))
            else:
                socket.send(message)

        socket.connect_to_server().on_message(hear)

    def catch_up(self) -> None:
        self.is_slow = False
        for socket, message in self._held:
            socket.send(message)
        self._held.clear()


def test_the_heading_names_no_turn_before_its_sheet_is_there(server: Server, new_page: NewPage) -> None:
    """Keys that follow the heading act on the sheet that it names: the line between is slowed down to show it."""
    page = new_page()
    line = SlowLine(page)
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    table.expect_turn(1)
    line.is_slow = True
    page.evaluate(SEEN)
    page.keyboard.press("Control+Enter")
    table.expect_moment("2")  # the turn was played, and its map is shown
    expect(table.heading(2)).to_have_count(0)
    # The sheet of the turn before stays for a moment, until it gives way to who the table waits for.
    assert ["2", "Orders for turn 1"] in page.evaluate("window.seen")
    page.keyboard.press("Control+Enter")  # nothing is there that it could file
    line.catch_up()
    table.expect_turn(2)
    page.keyboard.press("Control+Enter")
    table.expect_turn(3)


def test_whoever_types_goes_on_typing_in_the_next_turn(server: Server, new_page: NewPage) -> None:
    """The sheet gives way to who the table waits for, and takes its focus along; but not from where somebody went."""
    page = new_page()
    line = SlowLine(page)
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    table.expect_turn(1)
    for turn, goes_elsewhere in ((1, False), (2, True)):
        table.typed.focus()
        line.is_slow = True
        page.keyboard.press("Control+Enter")
        expect(page.get_by_role("heading", name="Not your turn")).to_be_visible()
        expect(page.get_by_role("tabpanel")).to_be_focused()
        if goes_elsewhere:
            tab_to(page, table.board, key="Shift+Tab")
        line.catch_up()
        table.expect_turn(turn + 1)
        expect(table.board if goes_elsewhere else table.typed).to_be_focused()


def test_a_march_is_drawn_with_the_mouse_and_taken_back(server: Server, new_page: NewPage) -> None:
    """A drag from an army to its target orders; a right click takes back; a drag into nowhere orders nothing."""
    page = new_page()
    sit_down(page, server.address, "Monarchs")
    table = Monarchs(page)
    table.expect_turn(1)
    way = next(way for way in table.plan(9) if way.free > 1)
    table.hex(way.start).hover()
    page.mouse.down()
    table.hex(way.to).hover()
    page.mouse.up()
    page.locator(".chooser").get_by_text("2", exact=True).click()
    expect(table.line(way.start, way.to, 2)).to_be_visible()
    table.hex(way.start).click(button="right")
    expect(table.lines).to_have_count(0)
    table.hex(way.start).hover()
    page.mouse.down()
    table.hex(way.to).hover()
    table.turns.hover()
    page.mouse.up()
    expect(table.hex(way.start)).to_have_attribute("aria-selected", "true")
    expect(page.locator(".chooser")).to_have_count(0)
    expect(table.lines).to_have_count(0)
