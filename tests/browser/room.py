"""What every table shows beside its board, by the names that people and screen readers find it under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

TABLE = re.compile(r"/table/\w+$")

# Until board and panels have kept their places for so long that no timer of the page moves them any more. The page
# measures that: on a slow machine its timers are all late, and those that were set before this one come before it.
AT_REST = """async () => {
    const frames = async (many) => { while (many--) await new Promise(requestAnimationFrame); };
    const still = "[role=grid], [role=grid] > *, main > *, footer, dialog";
    const places = () => JSON.stringify([...document.querySelectorAll(still)].map((it) => it.getBoundingClientRect()));
    for (let before = "", now = null; before !== now; now = places()) {
        await frames(2);  // observers of sizes are told once per frame
        before = places();
        await new Promise((done) => setTimeout(done, 400));
        await frames(2);
    }
}"""

# A second click at a place, whatever stands there by then, so long after the first event of a kind. The page times it
# as it times whatever that event begins: on a slow machine, too, the shorter of two times is over first.
SECOND = """([x, y, after, first]) => {
    const click = () => {
        const at = document.elementFromPoint(x, y);
        const pointer = {bubbles: true, cancelable: true, clientX: x, clientY: y, pointerType: "mouse"};
        for (const kind of ["down", "up"]) {
            at?.dispatchEvent(new PointerEvent(`pointer${kind}`, pointer));
            at?.dispatchEvent(new MouseEvent(`mouse${kind}`, pointer));
        }
        at?.closest("a, button, input, label, summary")?.click();  // what is disabled takes none
    };
    window.second = new Promise((done) => {
        const begin = () => setTimeout(() => done(click()), after);
        addEventListener(first, begin, {capture: true, once: true});
    });
}"""

# Notes whether something has said some words, from now on: what is there for a moment only may be gone before a look.
NOTED = """([where, words]) => {
    window.noted = false;
    const said = (it) => it.innerText.includes(words);
    const look = () => (window.noted ||= [...document.querySelectorAll(where)].some(said));
    new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""


def sit_down(page: Page, address: str, game: str) -> None:
    """From the lobby to a table against our bots, by one click."""
    page.goto(address)
    page.get_by_role("article").filter(has=page.get_by_role("heading", name=game)).get_by_role(
        "button", name="Play a bot now"
    ).click()
    page.wait_for_url(TABLE)


def show_more(page: Page) -> None:
    """In the form for a new table: what most people need not see."""
    page.locator("summary").filter(has_text="More").click()


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
    show_more(page)
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


def at_rest(page: Page) -> None:
    """Waits until nothing is laid out any more: a hand that aims before that misses."""
    page.evaluate(AT_REST)


def resize(page: Page, width: int, height: int) -> None:
    """Gives the window another size, and waits until everything has found its place."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("([width, height]) => innerWidth === width && innerHeight === height", arg=[width, height])
    at_rest(page)


@contextmanager
def second_click(page: Page, at: tuple[float, float], after: int, first: str = "click") -> Iterator[None]:
    """What happens within is followed by a click, so many ms after its first event of a kind."""
    page.evaluate(SECOND, [*at, after, first])
    yield
    page.evaluate("window.second")


def type_to(field: Locator, words: str) -> None:
    """In a list that has the focus: goes to what is typed. Letters more than a second apart begin a new word."""
    for _ in range(20):
        field.page.keyboard.type(words)
        if (field.locator("option:checked").text_content() or "").strip().startswith(words):
            return
        field.page.wait_for_timeout(1500)  # until what was typed too slowly is forgotten
    raise AssertionError(f"The list does not go to {words}.")


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

    def expect_judged(self) -> None:
        """The umpire has answered: what is offered follows from the lines of the sheet."""
        expect(self.page.get_by_text("Saving draft.")).to_have_count(0)

    def expect_moment(self, label: str) -> None:
        """The timeline stands there."""
        expect(self.turns.locator("[aria-current=step]")).to_have_text(label)

    @contextmanager
    def saying(self, words: str, where: str = "button") -> Iterator[None]:
        """What is done within makes a button say this, if only for a moment: the page notes that it did."""
        self.page.evaluate(NOTED, [where, words])
        yield
        self.page.wait_for_function("() => window.noted")  # a function: the page evaluates no text again

    def copying(self) -> AbstractContextManager[None]:
        """What is done within copies something. A button says so for two seconds."""
        return self.saying("Copied")

    # ---- what a hand does

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=re.compile(f"^{name}")).click()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def speed(self, turns: int) -> None:
        """So many turns per second, where a game is short and one button goes through the speeds."""
        speed = self.page.get_by_role("button", name=re.compile("press to change"))
        for _ in range(8):
            if speed.inner_text() == f"{turns}/s":
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
