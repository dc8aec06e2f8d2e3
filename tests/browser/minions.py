"""Hands at a table of Minions: they read what the boards offer, and order by mouse or by keys."""

from __future__ import annotations

import re
from typing import NamedTuple

from playwright.sync_api import Locator, expect

from browser.room import Room

CELL = re.compile(r'gridcell "(?P<hex>[a-j]\d)(?P<words>[^"]*)"')
FILES = "abcdefghij"


class Cell(NamedTuple):
    """A hex in words, as the grid names it."""

    hex: str
    words: str


def far(one: str, other: str) -> int:
    """Steps between two hexes."""
    x, y = FILES.index(one[0]) - FILES.index(other[0]), int(one[1]) - int(other[1])
    return max(abs(x), abs(y), abs(x + y))


class Minions(Room):
    """One board in focus, the techline above it, reserve and shop below."""

    # ---- what is to be seen

    @property
    def file_button(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile(r"^(End the turn|Done with my part)"))

    @property
    def said(self) -> Locator:
        """The line under the board; messages stand above it."""
        return self.page.get_by_role("region", name="Board", exact=True).get_by_role("status").last

    @property
    def cards(self) -> Locator:
        """Cards of the techline that can take a spell now."""
        line = self.page.get_by_role("toolbar", name="Techline")
        return line.get_by_role("button", name=re.compile("with the free spell"))

    def good(self, name: str) -> Locator:
        """A unit in the reserve or the shop."""
        shop = self.page.get_by_role("group", name=re.compile("^Reserve and shop"))
        return shop.get_by_role("button", name=re.compile(f"^{name}, "))

    def hex(self, name: str) -> Locator:
        return self.page.get_by_role("gridcell", name=re.compile(f"^{name}(,|$)"))

    def tab_of(self, board: int) -> Locator:
        return self.page.get_by_role("tab", name=re.compile(f"^Board {board},"))

    def cells(self, words: str) -> list[Cell]:
        """The hexes whose names have these words."""
        found = (Cell(cell["hex"], cell["words"]) for cell in CELL.finditer(self.board.aria_snapshot()))
        return [cell for cell in found if re.search(words, cell.words)]

    def line(self, words: str) -> Locator:
        return self.lines.filter(has_text=re.compile(words))

    # ---- what a hand does

    def look_at(self, board: int) -> None:
        self.tab_of(board).click()
        expect(self.board).to_have_accessible_name(re.compile(f"^Board {board},"))

    def choose(self, hex: str) -> None:
        self.hex(hex).click()
        expect(self.hex(hex)).to_have_attribute("aria-selected", "true")

    def finish(self) -> None:
        """Ends the turn, or one's own part of it."""
        self.file_button.click()

    def cursor_to(self, goal: str) -> None:
        """Arrows, until the cursor of the keys is on a hex. Yellow's board is not turned: up is up."""
        self.page.keyboard.press("ArrowRight")  # the first only shows the cursor; any may
        for _ in range(30):
            here = (self.board.get_attribute("aria-activedescendant") or "").removeprefix("hex-")
            if here == goal:
                return
            self.page.keyboard.press(_towards(here, goal))
        raise AssertionError(f"The cursor does not come to {goal}.")


def _towards(here: str, goal: str) -> str:
    """The arrow that leads nearer: first to the rank, then along it."""
    if here[1] == goal[1]:
        return "ArrowRight" if goal[0] > here[0] else "ArrowLeft"
    return "ArrowUp" if goal[1] > here[1] else "ArrowDown"
