"""Each introduction, played to its end by mouse, by finger and by keys: always there where its ring is."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.conftest import NewPage, Server
from browser.demons import Demons
from browser.minions import Minions
from browser.monad import Monad, Tile
from browser.monarchs import Monarchs
from browser.room import TABLE, Room, tab_to

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

GAMES: dict[str, Callable[[Page], Room]] = {
    "Monarchs": Monarchs,
    "Demons": Demons,
    "Monad": lambda page: Monad(page, 8, 8),
    "Minions": Minions,
}
EACH = list(GAMES)
STAGE = """document.querySelector('.lesson').innerText
    + JSON.stringify(document.querySelector('.lesson-mark')?.getBoundingClientRect() ?? null)"""
COLLECT = """() => {
    const look = () => window.titles.add(document.querySelector('.lesson h2').innerText);
    window.titles = new Set();
    look();
    const all = {subtree: true, childList: true, characterData: true};
    new MutationObserver(look).observe(document.querySelector('.lesson'), all);
}"""
# The same, once it stands still: the ring is put around its place a frame after that is known.
STILL = f"""async () => {{
    const frames = async (many) => {{ while (many--) await new Promise(requestAnimationFrame); }};
    for (let before = null; ; ) {{
        const now = {STAGE};
        if (now === before) return now;
        before = now;
        await frames(3);
    }}
}}"""
MOST = 40  # moves; the longest introduction has fewer


class Learner:
    """Somebody who does what the introduction says, and nothing else."""

    def __init__(self, page: Page, game: str) -> None:
        self.page, self.room = page, GAMES[game](page)

    @property
    def panel(self) -> Locator:
        return self.page.get_by_role("region", name="Introduction")

    @property
    def now(self) -> Locator:
        """What is to be done now."""
        return self.panel.locator("li.now")

    @property
    def ring(self) -> Locator:
        return self.page.locator(".lesson-mark")

    @property
    def next(self) -> Locator:
        return self.panel.get_by_role("button", name="Next")

    @property
    def end(self) -> Locator:
        return self.panel.get_by_role("button", name="Play on here")

    def stage(self) -> str:
        """Where the introduction stands, and what is marked: one of them changes with every move."""
        return str(self.page.evaluate(STILL))

    def press(self, button: Locator, hand: str) -> None:
        if hand == "touch":
            button.tap()
        elif hand == "keyboard":
            tab_to(self.page, button)
            self.page.keyboard.press("Enter")
        else:
            button.click()

    def middle(self) -> tuple[float, float]:
        """Where the ring is."""
        box = self.ring.bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def play(self, hand: str) -> list[str]:
        """Plays it to the end by one kind of hand alone; the steps by their titles."""
        self.page.evaluate(COLLECT)
        for _ in range(MOST):
            expect(self.next.or_(self.end).or_(self.ring).first).to_be_visible()
            before = self.stage()
            if self.end.is_visible():
                return list(self.page.evaluate("[...window.titles]"))
            if self.next.is_visible():
                self.press(self.next, hand)
            else:
                HANDS[hand](self)
            self.page.wait_for_function(f"before => ({STAGE}) !== before", arg=before)
            # What is marked follows from the umpire's answer, and from the next turn.
            self.room.expect_judged()
            expect(self.panel.get_by_text("The turn is being played")).to_have_count(0)
        raise AssertionError(f"It does not end: {self.stage()}")


def by_mouse(learner: Learner) -> None:
    learner.page.mouse.click(*learner.middle())


def by_finger(learner: Learner) -> None:
    learner.page.touchscreen.tap(*learner.middle())


def by_keys(learner: Learner) -> None:
    """As the step says: "arrow keys to G5, Enter", "b, then Enter", "Ctrl Enter"."""
    page, room = learner.page, learner.room
    said = learner.now.locator("kbd").inner_text()
    if said == "Ctrl Enter":
        return page.keyboard.press("Control+Enter")
    tab_to(page, room.board)
    if place := re.search(r"arrow keys to (\w+(?:,\d+)?)", said):
        assert isinstance(room, Monarchs | Demons | Minions)
        room.cursor_to(place[1])
    elif tile := re.match(r"(\d+),(\d+), then Enter", said):
        assert isinstance(room, Monad)
        room.cursor_to(Tile(int(tile[1]), int(tile[2])))
    elif key := re.match(r"([a-z0-9*])(?:, then Enter)?$", said):
        page.keyboard.press(key[1])
        if key[1] == "0":  # goes to the techline
            expect(page.get_by_role("toolbar", name="Techline").locator(":focus")).to_have_count(1)
    for _ in range(said.count("Enter")):
        page.keyboard.press("Enter")
    return None


def begin(page: Page, server: Server, game: str) -> Learner:
    """From the page of the game."""
    page.goto(f"{server.address}/games/{game.lower()}")
    page.get_by_role("button", name="Learn it by playing").click()
    page.wait_for_url(TABLE)
    learner = Learner(page, game)
    expect(learner.panel).to_contain_text("step 1 of 7")
    return learner


HANDS = {"mouse": by_mouse, "touch": by_finger, "keyboard": by_keys}


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("game", EACH)
def test_it_is_played_to_its_end(server: Server, new_page: NewPage, game: str, hand: str) -> None:
    touch = hand == "touch"
    page = new_page(390 if touch else 1280, 844 if touch else 800, touch=touch, asks=True)
    learner = begin(page, server, game)
    assert len(learner.play(hand)) == 7
    learner.press(learner.end, hand)
    expect(learner.panel).to_have_count(0)
    expect(learner.room.file_button).to_be_enabled()
