"""How large hexes and tiles are, read from the page on every map we ship."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import NewPage, Server
from browser.room import Room, resize, sit_down

WIDTH = "cell => cell.getBoundingClientRect().width"
WIDE_ENOUGH = "([cell, least]) => cell.getBoundingClientRect().width >= least"  # a board is fitted a frame later


def ask(server: Server, path: str, wish: dict[str, Any]) -> Any:
    """Something of the tables, as programs do."""
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(f"{server.address}/api/tables{path}", json.dumps(wish).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def sit(page: Page, server: Server, game: str, seats: dict[str, str], **options: Any) -> None:
    """At a table against bots, with these options; the first seat is one's own."""
    mine, *others = seats
    wish = {
        "game": game,
        "options": options,
        "seats": {mine: {"kind": "person"}, **{seat: {"kind": "bot", "bot": seats[seat]} for seat in others}},
    }
    seated = ask(server, "", wish)
    page.goto(f"{server.address}/table/{seated['table']}#seat={seated['token']}")
    expect(page.get_by_role("combobox", name="Type an order")).to_be_editable()


# ---- Minions

WINDOWS = {(1280, 800): 34, (1024, 768): 30, (390, 844): 24}


@pytest.mark.needs("minions")
@pytest.mark.parametrize("boards", [1, 3, 8])
def test_hexes_of_minions(server: Server, new_page: NewPage, boards: int) -> None:
    """On the board in focus; all others stay in sight. With eight boards every map of the book is among them."""
    from polemos.games.minions import maps

    assert len(maps.BASIC) <= 8
    page = new_page()
    sit(page, server, "minions", {"yellow": "", "blue": "random"}, boards=boards)
    names = set()
    for (width, height), least in WINDOWS.items():
        resize(page, width, height)
        tabs = page.get_by_role("tablist", name="Boards").get_by_role("tab", name="Board")
        if boards > 1:
            expect(tabs).to_have_count(boards)
            for tab in tabs.all():
                expect(tab).to_be_in_viewport(ratio=1)
                assert tab.locator("svg").first.evaluate(WIDTH) > 24
        for board in range(boards):
            if boards > 1:
                tabs.nth(board).click()
                expect(tabs.nth(board)).to_have_attribute("aria-selected", "true")
                names.add(tabs.nth(board).locator(".vh").inner_text().split(", ")[1])
            hexes = page.get_by_role("grid").locator("[data-hex]")
            page.wait_for_function(WIDE_ENOUGH, arg=[hexes.first.element_handle(), least])
            expect(hexes.first).to_be_in_viewport(ratio=0.99)
            expect(hexes.last).to_be_in_viewport(ratio=0.99)
    assert boards < 8 or len(names) == len(maps.BASIC)


# ---- a finished game on a phone

# How much room the frame leaves around the board, in px: left, top, right, below; and how wide the board is.
AROUND = """board => {
  const box = board.getBoundingClientRect();
  const frame = board.closest(".room .in")?.closest(".room").getBoundingClientRect();
  let boxes = [...board.querySelectorAll("[role=gridcell]")].map(cell => cell.getBoundingClientRect());
  const fit = board.querySelector("[data-fit]")?.dataset.fit.split(" ").map(Number);
  if (fit) boxes = [new DOMRect(box.left + fit[1], box.top + fit[2], fit[0] * fit[3], fit[0] * fit[4])];
  const [left, top] = [Math.min(...boxes.map(b => b.left)), Math.min(...boxes.map(b => b.top))];
  const [right, bottom] = [Math.max(...boxes.map(b => b.right)), Math.max(...boxes.map(b => b.bottom))];
  return [left - frame.left, top - frame.top, frame.right - right, frame.bottom - bottom, right - left];
}"""


@pytest.mark.needs("demons", "minions", "monad", "monarchs")
@pytest.mark.parametrize("game", ["Demons", "Minions", "Monad", "Monarchs"])
def test_a_phone_shows_the_whole_board_of_a_finished_game(server: Server, new_page: NewPage, game: str) -> None:
    """As wide as the screen allows, without empty bands; the page scrolls."""
    page = new_page(390, 844, touch=True)
    sit_down(page, server.address, game)
    room = Room(page)
    room.menu("Resign …", "Yes, resign")
    expect(room.over).to_be_visible()
    page.reload()
    play = page.get_by_role("button", name="Play", exact=True)
    expect(play).to_be_visible()
    expect(room.board).to_be_visible()
    page.wait_for_function(f"() => ({AROUND})(document.querySelector('[role=grid]'))[4] > 330")
    *around, _ = room.board.evaluate(AROUND)
    assert all(-1 <= px <= 30 for px in around), around
    say, at = page.locator(".say").bounding_box(), play.bounding_box()
    assert say
    assert at
    assert 0 <= at["y"] - say["y"] - say["height"] <= 16
    assert page.locator("html").evaluate("page => page.scrollWidth") == 390
    rematch = page.get_by_role("button", name="Rematch")
    rematch.scroll_into_view_if_needed()
    expect(rematch).to_be_in_viewport(ratio=1)


# ---- 200 % zoom: half as many pixels

ZOOMED = (640, 400)
COLOURS = ("red", "blue", "green", "yellow")


@pytest.mark.needs("demons", "minions", "monad", "monarchs")
def test_tiles_at_twice_the_size(server: Server, new_page: NewPage) -> None:
    """They can still be hit; what does not fit into the frame is panned to."""
    from polemos.games.demons import ground as demons
    from polemos.games.monad import ground as monad

    page = new_page(*ZOOMED)
    tables: list[tuple[str, dict[str, str], dict[str, Any]]] = [
        *(("demons", {"red": "", "blue": "random"}, {"map": name}) for name in demons.shipped()),
        *(
            ("monad", dict.fromkeys(COLOURS[: monad.load(name).seats], "random"), {"map": name})
            for name in monad.shipped()
        ),
        ("minions", {"yellow": "", "blue": "random"}, {"boards": 8}),
        ("monarchs", {"red": "", "green": "random", "blue": "random"}, {}),
    ]
    for game, seats, options in tables:
        sit(page, server, game, seats, **options)
        page.wait_for_function(f"() => ({SIDE})() >= 24")
        page.wait_for_function(BEGIN)


# The side of a tile on the screen. A board on a canvas says how large it drew them, before the frame enlarged it.
SIDE = """() => {
  const drawn = document.querySelector("[data-side]");
  if (!drawn) return document.querySelector("[role=gridcell]")?.getBoundingClientRect().width ?? 0;
  return Number(drawn.dataset.side) * drawn.getBoundingClientRect().width / drawn.offsetWidth;
}"""


# Whether the frame shows the tile that one begins with.
BEGIN = """() => {
  const board = document.querySelector("[aria-activedescendant]");
  const here = board && document.getElementById(board.getAttribute("aria-activedescendant"));
  if (!here) return false;
  const frame = board.closest(".room").getBoundingClientRect();
  let at = here.getBoundingClientRect();
  if (board.dataset.cursor) {
    const box = board.getBoundingClientRect(), scale = box.width / board.offsetWidth;
    const [x, y] = board.dataset.cursor.split(" ").map((px) => px * scale), side = board.dataset.side * scale;
    at = new DOMRect(box.left + x, box.top + y, side, side);
  }
  const inside = (a, b, from, to) => a >= from - 1 && b <= to + 1;
  return inside(at.left, at.right, frame.left, frame.right) && inside(at.top, at.bottom, frame.top, frame.bottom);
}"""


# ---- the bar


@pytest.mark.needs("monad")
def test_all_seats_and_their_clocks_are_in_the_bar(server: Server, new_page: NewPage) -> None:
    """However long the names are: those give way, and the clocks don't."""
    wish = {"game": "monad", "seats": {seat: {"kind": "open"} for seat in COLOURS}, "options": {"map": "crown"}}
    clock = {"kind": "bank", "seconds": 36000, "increment": 10}
    table = ask(server, "", {**wish, "clock": clock})["table"]
    for seat in COLOURS:
        ask(server, f"/{table}/seats", {"seat": seat, "name": f"Maximiliane von der Heydenreich {seat.upper()}"})
    page = new_page()
    page.goto(f"{server.address}/table/{table}")
    bar = page.get_by_label("The table", exact=True)
    expect(bar.get_by_role("listitem")).to_have_count(4)
    for width in (1440, 1280, 1024, 900):
        resize(page, width, 768)
        box = bar.bounding_box()
        assert box
        for item in bar.get_by_role("listitem").all():
            here = item.bounding_box()
            assert here
            assert box["y"] <= here["y"]
            assert here["y"] + here["height"] <= box["y"] + box["height"]
        expect(bar.get_by_role("timer")).to_have_count(4)
        for one in bar.get_by_role("timer").all():
            expect(one).to_be_in_viewport(ratio=1)


# ---- the timeline of a running game


@pytest.mark.needs("demons", "minions", "monarchs")
def test_a_running_game_has_one_row_of_timeline(server: Server, new_page: NewPage) -> None:
    page = new_page()
    for game, seats in (
        ("minions", {"yellow": "", "blue": "random"}),
        ("demons", {"red": "", "blue": "random"}),
        ("monarchs", {"red": "", "green": "random", "blue": "random"}),
    ):
        sit(page, server, game, seats)
        for width, height in ((1440, 900), (1280, 800), (1024, 768)):
            resize(page, width, height)
            assert page.get_by_role("contentinfo").evaluate("foot => foot.clientHeight") <= 46
