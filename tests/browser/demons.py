"""Hands at a table of Demons: they read prices, gold and tiles, and order by mouse, by keys or by finger."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from browser.room import Room

GOLD = re.compile(r"^(-?\d+) gold left\.$")


class Demons(Room):
    """The board, the tools above the sheet, and the side."""

    # ---- what is to be seen

    @property
    def said(self) -> Locator:
        """The line under the board; messages stand above it."""
        return self.page.get_by_role("region", name="Board", exact=True).get_by_role("status").last

    @property
    def tools(self) -> Locator:
        return self.page.get_by_role("region", name="Build and hire")

    @property
    def range(self) -> Locator:
        """The lane tiles that the tower under the hand covers."""
        return self.board.locator("[data-range]")

    @property
    def time(self) -> Locator:
        return self.page.get_by_role("slider", name="Turn")

    @property
    def stages(self) -> Locator:
        return self.page.get_by_role("group", name="Stages of this turn")

    def tile(self, place: str) -> Locator:
        return self.page.get_by_role("gridcell", name=re.compile(rf"^{place}(, |$)"))

    def tower(self, kind: str) -> Locator:
        """A tower among the tools."""
        return self.tools.get_by_role("button", name=re.compile(f"^{kind}"))

    def way(self, direction: str) -> Locator:
        """A way for a mercenary among the tools."""
        return self.tools.get_by_role("button", name=f"Send a mercenary {direction}")

    def line(self, words: str) -> Locator:
        return self.lines.filter(has_text=re.compile(words))

    def gold(self) -> int:
        """What the lines of the sheet leave, as the foot of the sheet says it."""
        found = GOLD.match(self.page.get_by_text(GOLD).inner_text())
        assert found
        return int(found[1])

    def expect_gold(self, left: int) -> None:
        expect(self.page.get_by_text(GOLD)).to_have_text(f"{left} gold left.")

    def expect_time(self, words: str) -> None:
        """The timeline stands there."""
        expect(self.time).to_have_attribute("aria-valuetext", words)

    def goes_on(self, turn: int) -> bool:
        """Waits for the sheet of this turn, or for the end of the game."""
        expect(self.heading(turn).or_(self.over)).to_be_visible()
        if self.over.is_visible():
            return False
        expect(self.file_button).to_be_enabled()
        return True

    # ---- what a hand does

    def build(self, kind: str, place: str) -> None:
        """Picks a tower and puts it on a tile."""
        self.tower(kind).click()
        expect(self.tower(kind)).to_have_attribute("aria-pressed", "true")
        self.tile(place).click()
        expect(self.line(f"build a {kind.lower()} at {place}")).to_be_visible()

    def hire(self, direction: str) -> None:
        self.way(direction).click()
        expect(self.line(f"send a mercenary {direction}")).to_be_visible()

    def file(self, turn: int) -> None:
        """Files the sheet of a turn; the bot has filed already, so the turn is played."""
        self.expect_turn(turn)
        self.file_button.click()

    def cursor_to(self, goal: str) -> None:
        """Arrows, until the cursor of the keys is on a tile. The abyss is passed over."""
        self.page.keyboard.press("ArrowRight")  # the first only shows the cursor; any may
        for _ in range(40):
            here = (self.board.get_attribute("aria-activedescendant") or "").removeprefix("tile-")
            if here == goal:
                return
            self.page.keyboard.press(_towards(here, goal))
        raise AssertionError(f"The cursor does not come to {goal}.")


def _towards(here: str, goal: str) -> str:
    """The arrow that leads nearer: first to the row, then along it."""
    (x, y), (to_x, to_y) = ([int(part) for part in place.split(",")] for place in (here, goal))
    if y == to_y:
        return "ArrowRight" if to_x > x else "ArrowLeft"
    return "ArrowDown" if to_y > y else "ArrowUp"
