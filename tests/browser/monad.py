"""Hands at a table of Monad: they read what is said of the board, and order by mouse, by keys or by finger."""

from __future__ import annotations

import re
from typing import NamedTuple

from playwright.sync_api import FloatRect, Locator, Page, expect

from browser.room import TABLE, Room, at_rest, show_more

STACK = re.compile(r'button "(?P<x>\d+),(?P<y>\d+), (?P<owner>\w+), (?P<units>[\d,]+) units?(?P<words>[^"]*)"')
LEFT, ABOVE, REST = 22, 18, 5  # pixels of the board beside its tiles: the coordinates
# Whether the board is drawn for the room that it has: it keeps its size for a moment while lines of text come and go.
FITTED = """() => {
    const board = document.querySelector("[role=grid]"), stage = board?.querySelector(".stage");
    return stage && stage.offsetWidth === board.clientWidth && stage.offsetHeight === board.clientHeight;
}"""


class Tile(NamedTuple):
    x: int
    y: int

    def __str__(self) -> str:
        return f"{self.x},{self.y}"


class Stack(NamedTuple):
    """A stack in words, as the list beside the board names it."""

    tile: Tile
    owner: str
    units: int
    words: str


def open_monad(
    page: Page,
    address: str,
    seats: dict[str, str],
    *,
    texts: dict[str, str] | None = None,
    symmetry: str = "Half a turn",
    **numbers: int,
) -> None:
    """From the lobby by the form, with the map that is wanted."""
    page.goto(address)
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Monad"))
    card.get_by_role("link", name="Open a table").click()
    show_more(page)
    for seat, who in seats.items():
        page.get_by_label(f"Who plays {seat}").select_option(who)
    for name, text in (texts or {}).items():
        if text == "random":
            page.get_by_role("button", name="all 15 maps").click()
            page.get_by_role("button", name=re.compile("^Random")).click()
        elif name == "Map":
            page.get_by_label("Your own map").fill(text)
        else:
            page.get_by_label(name, exact=True).select_option("Something else")
            page.get_by_label(f"{name}, something else").fill(text)
    page.get_by_label("Symmetry").select_option(symmetry)
    if len(seats) > 2:
        page.get_by_role("combobox", name="Seats", exact=True).select_option(str(len(seats)))
    for option, value in numbers.items():
        page.get_by_role("spinbutton", name=re.compile(f"^{option}", re.IGNORECASE)).fill(str(value))
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(TABLE)
    # What is offered to newcomers goes with the first order, and the board grows: a hand that aims just then misses.
    page.get_by_role("button", name=re.compile("^No(, thanks)?$")).click()
    at_rest(page)


class Monad(Room):
    """The board as a person sees it, so many tiles wide and high."""

    def __init__(self, page: Page, wide: int, high: int) -> None:
        super().__init__(page)
        self.wide, self.high = wide, high

    # ---- what is to be seen

    @property
    def said(self) -> Locator:
        """The line under the board; messages stand above it."""
        return self.page.get_by_role("region", name="Board", exact=True).get_by_role("status").last

    @property
    def tools(self) -> Locator:
        return self.page.get_by_role("group", name="Orders for selected tiles")

    @property
    def next_sheet(self) -> Locator:
        """The button under an empty sheet that can be filed."""
        return self.page.get_by_role("button", name="Pass this turn", disabled=False)

    def line(self, words: str) -> Locator:
        return self.lines.filter(has_text=re.compile(words))

    def inspector(self, tile: Tile) -> Locator:
        return self.page.get_by_role("region", name=f"Tile {tile}", exact=True)

    def stacks(self, owner: str = "yours") -> list[Stack]:
        """What stands where, from the list beside the board."""
        seats = self.page.get_by_role("group").filter(has=self.page.get_by_text("Stacks as text", exact=True))
        if seats.get_attribute("open") is None:
            seats.get_by_text("Stacks as text", exact=True).click()
        seats.get_by_role("button").first.wait_for()
        found = [
            Stack(Tile(int(one["x"]), int(one["y"])), one["owner"], int(one["units"].replace(",", "")), one["words"])
            for one in STACK.finditer(seats.aria_snapshot())
        ]
        return [stack for stack in found if stack.owner == owner]

    # ---- by mouse and by finger

    def place(self, tile: Tile) -> tuple[float, float]:
        """Where the middle of a tile is on the page, on a board that is not zoomed."""
        self.page.wait_for_function(FITTED)
        box = self.board.bounding_box()
        assert box is not None
        side, left, top = _fit(box, self.wide, self.high)
        return left + (tile.x + 0.5) * side, top + (tile.y + 0.5) * side

    def point(self, tile: Tile) -> None:
        self.page.mouse.move(*self.place(tile))
        expect(self.said).to_contain_text(str(tile))

    def click(self, tile: Tile) -> None:
        self.page.mouse.click(*self.place(tile))

    def tap(self, tile: Tile) -> None:
        self.page.touchscreen.tap(*self.place(tile))

    def drag(self, *tiles: Tile) -> None:
        """Over these tiles, from the first to the last."""
        start, *way = tiles
        self.page.mouse.move(*self.place(start))
        self.page.mouse.down()
        for tile in way:
            self.page.mouse.move(*self.place(tile), steps=4)
        self.page.mouse.up()

    def stroke(self, *tiles: Tile) -> None:
        """The same with a finger, which rests before it is lifted: a flick would swallow the next tap."""
        finger = self.page.context.new_cdp_session(self.page)
        for n, tile in enumerate([*tiles, tiles[-1]]):
            x, y = self.place(tile)
            kind = "touchMove" if n else "touchStart"
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
            self.page.wait_for_timeout(80)
        self.page.wait_for_timeout(150)
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        finger.detach()

    def order(self, name: str) -> None:
        """Presses one of the orders for the chosen tiles."""
        self.tools.get_by_role("button", name=name, exact=True).click()

    def build(self) -> None:
        """Founds a building on the chosen tile, with the first block that is offered."""
        self.order("Build")
        blocks = self.tools.get_by_role("group", name="Which way should the building extend?")
        blocks.get_by_role("button").first.click()

    # ---- by keys

    def cursor_to(self, tile: Tile) -> None:
        """By its name: digits, comma, digits."""
        self.page.keyboard.type(str(tile))
        expect(self.board).to_have_attribute("aria-activedescendant", f"tile-{tile.y * self.wide + tile.x}")


def _fit(box: FloatRect, wide: int, high: int) -> tuple[float, float, float]:
    """The side of a tile, and where the first one begins: whole pixels, in the middle of the board's room."""
    room, height = box["width"] - LEFT - REST, box["height"] - ABOVE - REST
    side = int(min(room / wide, height / high))
    return side, box["x"] + LEFT + (room - side * wide) / 2, box["y"] + ABOVE + (height - side * high) / 2
