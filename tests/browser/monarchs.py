"""Hands at a table of Monarchs: they read what the map offers, and order by mouse, by keys or by finger."""

from __future__ import annotations

import re
from typing import NamedTuple

from playwright.sync_api import Locator, expect

from browser.room import Room

CELL = re.compile(r'gridcell "(?P<hex>[A-Q][1-9]), (?P<words>[^"]*)"')
FREE = re.compile(r"(\d+) free")
REACH = re.compile(r"you can (attack|march here) from ((?:[A-Q][1-9], )*[A-Q][1-9])")


class Way(NamedTuple):
    """A march that the map offers."""

    start: str
    to: str
    free: int
    attack: bool


class Monarchs(Room):
    """The map as a person sees it."""

    def hex(self, name: str) -> Locator:
        return self.page.get_by_role("gridcell", name=re.compile(f"^{name}, "))

    def ways(self) -> list[Way]:
        """All marches that are offered onto land of others, which come first, or of nobody."""
        cells = {found["hex"]: found["words"] for found in CELL.finditer(self.board.aria_snapshot())}
        free = {name: int(found[1]) for name, words in cells.items() if (found := FREE.search(words))}
        offered = [
            Way(start, name, free[start], reach[1] == "attack")
            for name, words in cells.items()
            if not words.startswith("yours") and (reach := REACH.search(words))
            for start in reach[2].split(", ")
            if free.get(start)
        ]
        return sorted(offered, key=lambda way: (not way.attack, way.to))

    def plan(self, most: int) -> list[Way]:
        """One march for each of the strongest armies at the front."""
        chosen: dict[str, Way] = {}
        for way in sorted(self.ways(), key=lambda way: -way.free):
            chosen.setdefault(way.start, way)
        return list(chosen.values())[:most]

    def line(self, start: str, to: str, number: int) -> Locator:
        """The line that says this march in words."""
        regiments = f"{number} regiment{'s' if number > 1 else ''}"
        return self.lines.filter(has_text=f"march from {start} to {to} with {regiments}")

    def blessing(self, name: str) -> Locator:
        return self.lines.filter(has_text=f"bless {name}")

    # ---- by mouse

    def march(self, way: Way, number: int) -> None:
        """Army, target, and how many if that is asked for."""
        self.hex(way.start).click()
        expect(self.hex(way.start)).to_have_attribute("aria-selected", "true")
        self.hex(way.to).click()
        if way.free > 1:
            self.page.locator(".chooser").get_by_text(str(number), exact=True).click()

    def bless(self, name: str) -> None:
        """The sun beside a chosen hex."""
        self.hex(name).click()
        self.page.locator("[data-bless]").click()

    def file(self, turn: int) -> None:
        """Files the sheet of a turn; the turn is played when all have filed."""
        self.expect_turn(turn)
        self.file_button.click()

    # ---- by keys

    def cursor_to(self, name: str) -> None:
        """Arrows, until the cursor of the keys is on a hex."""
        self.page.keyboard.press("ArrowRight")  # the first only shows the cursor; any may
        for _ in range(30):
            here = (self.board.get_attribute("aria-activedescendant") or "").removeprefix("hex-")
            if here == name:
                return
            self.page.keyboard.press(_towards(here, name))
        raise AssertionError(f"The cursor does not come to {name}.")


def _towards(here: str, goal: str) -> str:
    """The arrow that leads nearer. Hexes of the next row lie half a step aside; Shift takes the other of two."""
    if here[1] == goal[1]:
        return "ArrowRight" if goal[0] > here[0] else "ArrowLeft"
    return "ArrowUp" if goal[1] > here[1] else "ArrowDown"
