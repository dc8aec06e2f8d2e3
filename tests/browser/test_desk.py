"""An evening at the gamerunners' desk, from the names to the reveal, with keys and clicks; and a kill in between.

`POLEMOS_PICTURES=docs/pictures/party pytest tests/browser/test_desk.py` takes the pictures of docs/start/party.md.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import LONGEST, PATIENCE, SERVE, NewPage
from browser.test_axe import check
from desk.houses import NAMES, NATIONS

pytestmark = [pytest.mark.slow, pytest.mark.needs("monarchs")]

SHEETS = {
    "red": ["g5 h4 3", "f4 h4 1", "a5 c6 2", "bless h4"],  # the third is void: there is no hex C6
    "green": ["k5 i5 2"],
    "blue": ["m1 l2 1"],
}
LATER = {"red": ["a5 b6 1"], "green": ["m9 l8 1"], "blue": ["m1 k1 1"]}
PICTURES = os.environ.get("POLEMOS_PICTURES")
Shoot = Callable[[Page, str], None]


def photograph(page: Page, name: str) -> None:
    """Looks at a page: nothing on it is hard to read, and there is a picture for the documents if they are wanted."""
    check(page, name)
    if PICTURES is not None:
        for image in page.locator("img").all():
            expect(image).not_to_have_js_property("naturalWidth", 0)
        page.screenshot(path=Path(PICTURES) / f"{name}.png")


class DeskServer:
    """`polemos desk` in a folder; it can be killed and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.link = ""
        self._process: subprocess.Popen[str] | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, str(SERVE), "desk", str(self.folder), "--no-browse", "--port", str(self.port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        assert self._process.stdout is not None
        line = next(line for line in self._process.stdout if "desk is at" in line)
        self.link = line.split()[-1]
        self.port = int(re.findall(r":(\d+)/desk", self.link)[0])
        until = time.monotonic() + 180
        while True:
            try:
                urllib.request.urlopen(f"{self.address}/api/desk/clock", timeout=5).close()
                return
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def kill(self) -> None:
        assert self._process is not None
        if self._process.returncode is None:  # or its number may be that of somebody else
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(60)
        if self._process.stdout is not None:
            self._process.stdout.close()


@pytest.fixture
def longest() -> int:
    return 2 * LONGEST


@pytest.fixture(autouse=True)
def _patient() -> Iterator[None]:
    """An act may wait behind the drawing of three pages, which takes long on a busy machine."""
    expect.set_options(timeout=2 * PATIENCE)
    yield
    expect.set_options(timeout=PATIENCE)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[DeskServer]:
    running = DeskServer(tmp_path / "party")
    yield running
    running.kill()


def sit_down(page: Page, house: DeskServer, name: str) -> None:
    page.goto(house.link)
    page.get_by_label("Your name, for the register").fill(name)
    page.get_by_role("button", name="Sit down at the desk").click()


def set_up(page: Page) -> None:
    page.get_by_label("Title of the evening").fill("Long Winter")
    page.get_by_label("Seconds at the desk").fill("1")
    for nation in NATIONS:
        monarch, courtiers = NAMES[nation]
        court = page.locator("section", has_text=f"{nation.capitalize()} court")
        court.get_by_label("Monarch").fill(monarch)
        court.get_by_label("Courtiers").fill("\n".join(courtiers))
    page.get_by_label("Understudies and guests").fill("Piet")


def print_maps(page: Page) -> None:
    with page.expect_popup(
        timeout=4 * PATIENCE
    ) as opened:  # it comes with the three maps, which a busy machine has to draw
        page.get_by_role("button", name="Print the three maps").click()
    opened.value.close()


def release(page: Page) -> None:
    """The maps are printed and fetched, and the round starts."""
    print_maps(page)
    drawn: list[str] = []
    page.on("request", lambda request: drawn.append(request.url) if "/api/desk/pages/" in request.url else None)
    for nation in range(3):
        page.locator(".res3 > section").nth(nation).locator("button.tag").first.click()
        expect(page.locator(".res3 > section").nth(nation)).to_contain_text("is here for it")
    assert drawn == [], "nobody's page changes because somebody comes for it"
    page.get_by_role("button", name="Release maps").click()
    for nation in range(3):
        court = page.locator(".three > section").nth(nation)
        court.get_by_role("button", name="Leaves with the map").click()
        expect(court).to_contain_text("Who is at the door?")


def check_in(page: Page) -> None:
    """By keys: the court, then the first who may carry."""
    for nation in NATIONS:
        page.keyboard.press(nation[0])
        page.keyboard.press("1")
        expect(page.get_by_label(f"{nation.capitalize()} court", exact=True)).to_contain_text(
            re.compile("waiting|arrived")
        )


def file_sheet(page: Page) -> None:
    """The button takes nothing right after a sheet has been opened, and its key neither."""
    expect(page.locator(".foot .primary")).to_be_enabled()
    page.keyboard.press("Control+Enter")


def type_sheets(page: Page, sheets: dict[str, list[str]], watch: Callable[[Page], None] | None = None) -> None:
    """All three have waited; the sheets are typed one after the other. `watch` is called when Red's has been typed."""
    expect(page.locator("h3", has_text="may hand in now")).to_have_count(3)
    for _ in NATIONS:
        button = page.get_by_role("button", name=re.compile("Type (Red|Green|Blue)'s sheet"))
        expect(button).to_be_enabled()
        nation = re.findall("(Red|Green|Blue)", button.inner_text())[0].lower()
        page.keyboard.press("Enter")
        expect(page.get_by_label(f"A line of {nation.capitalize()}'s sheet")).to_be_focused()
        for text in sheets[nation]:
            page.keyboard.type(text)
            page.keyboard.press("Enter")
        expect(page.locator(".sheet li:not(.none)")).to_have_count(len(sheets[nation]))
        if watch is not None and nation == "red":
            watch(page)
        file_sheet(page)
        expect(page.get_by_label(f"{nation.capitalize()} court", exact=True)).to_contain_text("Filed")


def watch_red(page: Page) -> None:
    """The void line is marked with its reason; covering leaves the clock alone and loses nothing."""
    expect(page.locator(".why")).to_contain_text(re.compile("C6", re.IGNORECASE))
    expect(page.get_by_role("button", name="File as delivered, 1 void")).to_be_visible()
    expect(page.locator(".sheet li").first).to_contain_text("0 left on G5")
    photograph(page, "entry")
    page.keyboard.type("e3 d")  # half a line
    page.keyboard.press("Backquote")
    expect(page.get_by_text("Covered.")).to_be_visible()
    photograph(page, "covered")
    text = page.locator("body").inner_text()
    assert not re.search(r"\bred\b|ines|h4|\bvoid\b|long winter", text, re.IGNORECASE), text
    page.keyboard.press("Backquote")
    expect(page.get_by_label("A line of Red's sheet")).to_have_value("e3 d")
    expect(page.locator(".why")).to_be_visible()
    page.get_by_label("A line of Red's sheet").fill("")


def read_twice(page: Page) -> None:
    """A sheet that is typed a second time is filed once both readings agree."""
    sheet, differ = page.locator(".sheet li:not(.none)"), page.get_by_role("button", name="The two readings differ")
    page.keyboard.press("F2")
    expect(sheet).to_have_count(0)
    page.keyboard.type("a5 b6 2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("first reading: A5-B6 1")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(differ).to_be_visible()
    page.keyboard.press("ArrowUp")
    page.get_by_label("A line of Red's sheet").fill("a5 b6 1")
    page.keyboard.press("Enter")
    expect(sheet).to_have_count(1)
    expect(differ).to_have_count(0)


def play(page: Page, number: int) -> None:
    expect(page.get_by_role("button", name=f"Play turn {number}")).to_be_enabled()
    page.keyboard.press("Control+Enter")


def test_an_evening_at_the_desk(house: DeskServer, new_page: NewPage) -> None:
    shoot = photograph
    page = new_page(1280, 800, bypass_csp=True)  # for axe
    page.goto(f"{house.address}/desk")
    expect(page.get_by_role("status")).to_contain_text("gamerunners' desk")  # without the link
    sit_down(page, house, "Anna")
    set_up(page)
    shoot(page, "set-up")
    page.get_by_role("button", name="Open the evening").click()
    expect(page.get_by_text("Then deal the loyalties")).to_be_visible()
    assert page.title() == "Polemos desk"
    shoot(page, "before")
    page.get_by_role("button", name="Deal the loyalties").click()
    expect(page.get_by_alt_text("Red's page for turn 1")).to_be_visible()
    papers = page.request.get(
        f"{house.address}/api/desk/papers.pdf", timeout=6 * PATIENCE
    )  # 41 pages, on a busy machine
    assert papers.body().startswith(b"%PDF")
    shoot(page, "first-maps")
    release(page)

    wall = new_page(1280, 720, bypass_csp=True)
    wall.goto(f"{house.address}/clock")
    expect(wall.get_by_role("timer")).to_contain_text("Round 1.")
    assert not any(name in wall.content() for name in ("Red", "Ines", "Kit", "Long Winter"))
    shoot(wall, "clock")

    page.get_by_text("Ines's own copy, for the replay").click()
    page.get_by_label("Red's own copy").fill("g5 h4 3; f4 h4 1; a5 b6 2; bless h4")
    page.get_by_role("button", name="Keep it sealed").first.click()
    expect(page.get_by_label("Red's own copy")).to_have_value("")
    page.get_by_text("Ines's own copy, for the replay").click()
    check_in(page)
    shoot(page, "arrivals")
    type_sheets(page, SHEETS, watch_red)
    shoot(page, "preview")
    play(page, 1)
    expect(page.get_by_text("Turn 1 played.")).to_be_visible()

    house.kill()  # everything that was confirmed is on disk
    house.start()
    expect(page.locator(".resumed")).to_contain_text("Turn played")
    expect(page.get_by_alt_text("Red's page for turn 2")).not_to_have_js_property("naturalWidth", 0)
    shoot(page, "after-a-kill")
    did = page.get_by_role("list", name="What turn 1 did")
    expect(did).to_have_count(0)
    page.get_by_role("button", name="What turn 1 did").click()
    expect(did).to_contain_text("Red wins the battle on H4.")
    page.keyboard.press("Backquote")
    page.keyboard.press("Backquote")
    expect(did).to_have_count(0)
    page.get_by_role("button", name="Got it").click()

    # a typing error is found while somebody is here for the new map: the turn is taken back and one sheet corrected
    page.locator(".res3 > section").first.locator("button.tag").first.click()
    expect(page.locator(".res3 > section").first).to_contain_text("is here for it")
    page.get_by_role("button", name="Back to the sheets").click()
    page.get_by_label("Reason, kept in the journal").fill("typed 1, paper says 2")
    page.get_by_role("button", name="Take the turn back").click()
    page.get_by_role("button", name="Correct Blue").click()
    page.get_by_role("button", name="Delete line 1").click()
    page.locator('[data-hex="M1"]').click()
    page.locator('[data-hex="L2"]').click()
    page.locator(".c button", has_text="2").click()
    expect(page.locator(".sheet li").first).to_contain_text("1 left on M1")
    page.get_by_label("Why is it typed again?").fill("typed 1, paper says 2")
    file_sheet(page)
    play(page, 1)
    print_maps(page)
    shoot(page, "release")
    page.get_by_role("button", name="Release maps").click()
    expect(page.get_by_text("map is still here").first).to_be_visible()

    register(page, shoot)
    second_desk(house, new_page, page)
    pause(page, wall)

    # the last round is called after its maps went out: that warns, and wants a reason
    page.get_by_role("button", name="Call the last round").click()
    expect(page.get_by_text("Careful")).to_be_visible()
    page.get_by_label("Reason, kept in the journal").fill("it is late")
    page.get_by_role("button", name="Call it").click()
    expect(wall.get_by_role("timer")).to_contain_text("Last round.")
    red = page.locator(
        ".three > section"
    ).first  # whoever had come when the turn was taken back did not have to come again
    red.get_by_role("button", name="Leaves with the map").click()
    expect(red).to_contain_text("Who is at the door?")
    red.locator(".pick button").first.click()
    for nation in (1, 2):
        section = page.locator(".three > section").nth(nation)
        section.locator("summary").click()
        section.get_by_role("button", name="with orders").first.click()
    type_sheets(page, LATER, read_twice)

    screen = page.context.new_page()
    screen.set_viewport_size({"width": 1920, "height": 1080})
    screen.goto(f"{house.address}/screen")
    expect(screen.get_by_text("The reveal begins soon.")).to_be_visible()
    come_late_for_a_map(page, house)
    guesses(page, shoot)
    expect(page.get_by_label("Blue court", exact=True)).to_contain_text("may leave")
    page.get_by_role("button", name="leaves with Blue's map").click()  # nothing else is in the way of the turn
    play(page, 2)
    expect(page.get_by_text("The guesses are locked.")).to_be_visible()
    reveal(screen, shoot)


def test_first_orders_that_were_collected_before_the_party(house: DeskServer, new_page: NewPage) -> None:
    """12.29 They can be typed again until the turn is played; cards and the fingerprint are printed after it."""
    page = new_page(1280, 800)
    sit_down(page, house, "Anna")
    set_up(page)
    page.get_by_label("The first orders are collected before the party").check()
    page.get_by_role("button", name="Open the evening").click()
    for number, nation in enumerate(NATIONS):
        expect(page.get_by_role("button", name=f"Type {nation.capitalize()}'s sheet")).to_be_enabled()
        page.keyboard.press("Enter")
        expect(page.get_by_label(f"A line of {nation.capitalize()}'s sheet")).to_be_focused()
        page.keyboard.type(LATER[nation][0])
        page.keyboard.press("Enter")
        expect(page.locator(".sheet li:not(.none)")).to_have_count(1)
        file_sheet(page)
        expect(page.locator(".nat", has_text="Filed")).to_have_count(number + 1)
    page.get_by_role("button", name="Correct Red").click()
    expect(page.locator(".sheet li:not(.none)")).to_have_count(1)
    page.keyboard.type("bless a5")
    page.keyboard.press("Enter")
    expect(page.locator(".sheet li:not(.none)")).to_have_count(2)
    file_sheet(page)
    play(page, 1)
    page.get_by_role("button", name="Deal the loyalties").click()
    expect(page.get_by_role("button", name="Cards, forms and rules")).to_be_visible()
    expect(page.get_by_text("They show the fingerprint of tonight's dice")).to_be_visible()


def register(page: Page, shoot: Shoot) -> None:
    page.get_by_role("button", name="Register").click()
    page.get_by_label("A new ruling").fill("A 7 may have a bar.")
    page.get_by_role("button", name="Add").click()
    expect(page.locator(".bk")).to_contain_text("A 7 may have a bar. Anna")
    page.get_by_role("button", name="More for Kit").click()
    page.get_by_role("button", name="Red dismisses").click()
    expect(page.locator(".pp")).not_to_have_count(0)
    expect(page.get_by_text("dismissed from Red until")).to_be_visible()
    page.get_by_role("button", name="More for Kit").click()
    page.get_by_role("button", name="to Red court").click()
    expect(page.get_by_role("alert")).to_contain_text("Kit is dismissed from the red court. Rule 12.12.")
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="More for Piet").click()  # guests come and go, too
    page.get_by_role("button", name="Green lets in").click()
    expect(page.locator(".hi")).to_contain_text("Green lets Piet in")
    assert "serves" not in page.locator(".courts").inner_text()
    page.locator("h1").click()
    page.keyboard.down("l")
    expect(page.get_by_text("serves").first).to_be_visible()
    page.keyboard.up("l")
    expect(page.get_by_text("serves")).to_have_count(0)
    expect(page.locator(".low3 tbody tr", has_text="Red").last.locator("td").nth(3)).to_have_text(
        re.compile(r"\d\d:\d\d")
    )
    shoot(page, "register")
    page.get_by_label("Search the register").fill("bar")
    expect(page.locator(".bk li")).to_have_count(1)
    page.get_by_label("Search the register").fill("no such ruling")
    expect(page.locator(".bk li")).to_have_count(0)
    page.get_by_label("Search the register").fill("")
    page.get_by_role("button", name="Desk", exact=True).click()


def second_desk(house: DeskServer, new_page: NewPage, page: Page) -> None:
    other = new_page(820, 1180, touch=True)
    sit_down(other, house, "Luca")
    expect(page.get_by_text("Luca is at the desk too")).to_be_visible()
    expect(other.get_by_text("Anna is at the desk too")).to_be_visible()
    expect(other.locator(".foot").get_by_role("button", name="Cover")).to_be_visible()  # where the thumb is
    other.close()
    expect(page.get_by_text("Luca is at the desk too")).to_have_count(0)


def pause(page: Page, wall: Page) -> None:
    for button, told in (("Pause", "Paused for everyone."), ("Resume", "Round 2.")):
        page.get_by_role("button", name=f"{button} all").click()
        page.get_by_role("button", name=button, exact=True).click()
        expect(wall.get_by_role("timer")).to_contain_text(told)
        expect(page.get_by_role("timer", name="Round clock")).to_contain_text(told.split()[0])


def come_late_for_a_map(page: Page, house: DeskServer) -> None:
    """Somebody is at the desk with the map of this round when all sheets are in."""
    carriers = page.request.get(f"{house.address}/api/desk").json()["card"]["carriers"]["blue"]
    act = {"act": "arrive", "role": next(one["role"] for one in carriers if "why" not in one), "errand": "map"}
    assert page.request.post(f"{house.address}/api/desk/acts", data={"act": act}).ok


def guesses(page: Page, shoot: Shoot) -> None:
    expect(page.get_by_text("Ask each monarch in person.")).to_be_visible()
    for nation in NATIONS:
        others = [other for other in NATIONS if other != nation]
        for number, other in enumerate(others, 1):
            select = page.get_by_label(f"{nation.capitalize()} says who serves {other.capitalize()}")
            select.select_option(f"{nation}-{number}")
        if nation == "blue":
            shoot(page, "guesses")
        page.get_by_role("button", name=f"Lock {nation.capitalize()}'s guess").click()


def reveal_next(screen: Page) -> None:
    """Whatever has just been revealed stands alone for a moment: nobody reveals two things by pressing twice."""
    expect(screen.locator("footer .r button").last).to_be_enabled()
    screen.keyboard.press("Space")


def reveal(screen: Page, shoot: Shoot) -> None:
    covered = screen.get_by_label("covered")
    expect(screen.get_by_role("button", name="Start")).to_be_enabled()
    screen.get_by_role("button", name="Start").dblclick()
    expect(covered).to_have_count(14)
    for left in range(13, -1, -1):
        if screen.locator(".gr .t:not(:has(.cover))").count() % 5 == 0:
            reveal_next(screen)  # the points of a monarch's guess
            expect(screen.locator(".tot b")).to_have_count((15 - left - 1) // 5)
        reveal_next(screen)
        expect(covered).to_have_count(left)
        if left == 3:
            shoot(screen, "reveal-guesses")
    reveal_next(screen)
    expect(screen.locator(".tot b")).to_have_count(3)
    reveal_next(screen)
    expect(screen.locator(".mcard.win")).to_have_count(1)
    reveal_next(screen)
    expect(screen.locator(".lt tbody tr")).to_have_count(15)
    shoot(screen, "reveal-scores")
    for number in range(3):
        reveal_next(screen)
        expect(screen.locator(".w h2")).to_have_count(number + 1)
    shoot(screen, "reveal-raffle")
    assert "opens after the last draw" in screen.locator(".prov").inner_text()
    reveal_next(screen)
    expect(screen.locator(".prov")).not_to_contain_text("opens after")
    reveal_next(screen)
    expect(screen.get_by_role("heading", name="Turn 1, Red")).to_be_visible()
    screen.keyboard.press("r")
    expect(screen.get_by_role("heading", name="As Ines ordered it")).to_be_visible()
    expect(screen.get_by_alt_text("as they were delivered")).to_be_visible()
    expect(screen.locator(".mid .cut")).to_contain_text(["A5-B6 2"])
    expect(screen.locator(".mid .new").first).to_contain_text("a5 c6 2")
    shoot(screen, "reveal-replay")
    reveal_next(screen)
    expect(screen.get_by_role("heading", name="Turn 2, Red")).to_be_visible()
