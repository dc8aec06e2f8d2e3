"""What every table shows beside its board, by the names that people and screen readers find it under."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

TABLE = re.compile(r"/table/\w+$")


def sit_down(page: Page, address: str, game: str) -> None:
    """From the lobby to a table against our bots, by one click."""
    page.goto(address)
    page.get_by_role("article").filter(has=page.get_by_role("heading", name=game)).get_by_role(
        "button", name="Play a bot now"
    ).click()
    page.wait_for_url(TABLE)


def open_table(
    page: Page,
    address: str,
    game: str,
    seats: dict[str, str],
    *,
    name: str = "",
    minutes: float | None = None,
    ticked: tuple[str, ...] = (),
    **numbers: int,
) -> None:
    """From the lobby by the form: who sits where, the time for a turn, what is ticked, what the game leaves open."""
    page.goto(address)
    page.get_by_role("article").filter(has=page.get_by_role("heading", name=game)).get_by_role(
        "link", name="Open a table"
    ).click()
    for seat, who in seats.items():
        page.get_by_label(f"Who plays {seat}").select_option(who)
    page.get_by_label("Your name at the table").fill(name)
    if minutes is not None:
        page.get_by_role("button", name="Per turn").click()
        page.get_by_label("Minutes per turn").fill(str(minutes))
    for words in ticked:
        page.get_by_role("checkbox", name=words).check()
    for option, value in numbers.items():
        page.get_by_role("spinbutton", name=re.compile(f"^{option}", re.IGNORECASE)).fill(str(value))
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(TABLE)


class Room:
    """The page of a table or a record."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def path(self) -> str:
        return urlsplit(self.page.url).path

    # ---- what is to be seen

    @property
    def board(self) -> Locator:
        return self.page.get_by_role("grid")

    @property
    def lines(self) -> Locator:
        """The lines of the sheet, in words."""
        return self.page.get_by_role("list", name="Your orders", exact=True).get_by_role("listitem")

    @property
    def typed(self) -> Locator:
        return self.page.get_by_role("combobox", name="Type an order")

    @property
    def file_button(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile(r"^(File |Pass)"))

    @property
    def record(self) -> Locator:
        return self.page.get_by_role("log", name="Record")

    @property
    def over(self) -> Locator:
        return self.page.get_by_role("heading", name="The game is over")

    @property
    def turns(self) -> Locator:
        return self.page.get_by_role("group", name="Turns", exact=True)

    def heading(self, turn: int) -> Locator:
        return self.page.get_by_role("heading", name=re.compile(rf"^Orders for turn {turn}( |$)"))

    def expect_turn(self, turn: int) -> None:
        """The sheet of this turn is there to be written."""
        expect(self.heading(turn)).to_be_visible()
        expect(self.file_button).to_be_enabled()

    def expect_moment(self, label: str) -> None:
        """The timeline stands there."""
        expect(self.turns.locator("[aria-current=step]")).to_have_text(label)

    # ---- what a hand does

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=re.compile(f"^{name}")).click()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def speed(self, turns: int) -> None:
        """So many turns per second, where a game is short and one button goes through the speeds."""
        speed = self.page.get_by_role("button", name=re.compile("press to change"))
        for _ in range(8):
            if speed.inner_text() == f"{turns}x":
                return
            speed.click()
        raise AssertionError(f"No speed of {turns} turns per second.")

    def menu(self, *names: str) -> None:
        """The table's menu, and what is chosen there."""
        self.page.get_by_label("The table", exact=True).get_by_role("button", name="Menu", exact=True).click()
        for name in names:
            self.page.get_by_role("dialog").get_by_role("button", name=name).click()

    def say(self, text: str) -> None:
        self.tab("Chat")
        self.page.get_by_role("textbox", name="Message to everyone").fill(text)
        self.press("Send")


def focused(page: Page, locator: Locator) -> bool:
    return locator.and_(page.locator(":focus")).count() > 0


def tab_to(page: Page, locator: Locator, *, most: int = 60, key: str = "Tab") -> None:
    """Tab, until something has the focus."""
    for _ in range(most):
        if focused(page, locator):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{most} times {key} did not come to {locator}.")
