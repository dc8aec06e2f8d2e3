"""The plain table: a game that brings nothing for the browser is played by its picture, its options and typed lines."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.conftest import NewPage, Server
from browser.room import Room, focused, open_table, sit_down, tab_to
from browser.test_axe import check

TURNS = 8
WINS = re.compile(r"(Red|Blue) wins|draw", re.IGNORECASE)
WIDE, NARROW = (1440, 900), (390, 844)


class Skerries(Room):
    """The sea as a person sees it: each place is read out with what is there."""

    def place(self, name: str) -> Locator:
        return self.page.get_by_role("gridcell", name=re.compile(f"^{name}: "))

    @property
    def offered(self) -> Locator:
        return self.page.get_by_role("region", name="Legal orders")

    def boats(self) -> dict[str, int]:
        """Where the boats of red are."""
        cells = re.findall(r'gridcell "(\w+): red (\d)"', self.board.aria_snapshot())
        return {place: int(number) for place, number in cells}

    def question(self, start: str, to: str) -> Locator:
        return self.page.get_by_role("group", name=f"{start} to {to}, how many?")

    def line(self, text: str, number: int) -> Locator:
        return self.lines.filter(has_text=text).filter(has_text=re.compile(rf"\b{number}\b"))


def test_a_whole_game_by_mouse_and_its_record(server: Server, new_page: NewPage, tmp_path: Path) -> None:
    page = new_page()
    sit_down(page, server.address, "Skerries")
    table = Skerries(page)
    for turn in range(1, TURNS + 1):
        table.expect_turn(turn)
        _order_by_mouse(table)
        table.file_button.click()
    expect(table.over).to_be_visible()
    results = page.get_by_role("list", name="Results").get_by_role("listitem")
    expect(results).to_have_count(2)
    points = [int(found[1]) for text in results.all_inner_texts() if (found := re.search(r"Points (\d+)", text))]
    assert points == sorted(points, reverse=True)
    assert len(points) == 2
    _walk_through(table)
    _take_the_record_home(table, server, Skerries(new_page()), tmp_path)


def _order_by_mouse(table: Skerries) -> None:
    """From a place with boats, to the first place that is offered, one boat less than there are."""
    start, boats = next((place, boats) for place, boats in table.boats().items() if boats > 0)
    table.place(start).click()
    expect(table.place(start)).to_have_attribute("aria-selected", "true")
    first = table.offered.get_by_role("button", name=re.compile(f"^{start}-")).first
    to = (first.get_attribute("aria-label") or first.inner_text()).removeprefix(f"{start}-").split()[0]
    table.place(to).click()
    number = max(1, boats - 1)
    if boats > 1:  # of one boat it is not asked how many
        table.question(start, to).get_by_role("button", name=f"{start} to {to}, {number}").click()
    expect(table.line(f"{start}-{to}", number)).to_be_visible()
    expect(table.file_button).to_have_text("File 1 order")


def _walk_through(table: Skerries) -> None:
    """Turns, stages and charts, as at any table."""
    page = table.page
    table.tab("Record")
    table.expect_moment("End")
    table.press("First turn")
    table.expect_moment("1")
    expect(table.place("A1")).to_have_accessible_name("A1: red 5")
    expect(table.place("B1")).to_have_accessible_name("B1: blue 5")  # the game is over: nothing is hidden
    table.press("Next turn")
    table.expect_moment("2")
    page.keyboard.press("]")
    expect(page.get_by_role("status").filter(has_text="Rowing.")).to_contain_text(re.compile(r"Red rows \d"))
    page.keyboard.press("Escape")
    table.tab("Charts")
    expect(page.get_by_role("img", name=re.compile("^Points over the turns"))).to_be_visible()


def _take_the_record_home(table: Skerries, server: Server, other: Skerries, folder: Path) -> None:
    """The downloaded replay can be given to the page of replays, which draws it by the same pictures."""
    table.tab("Table")
    with table.page.expect_download() as download:
        table.page.get_by_role("link", name="Download the replay").click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    other.page.goto(f"{server.address}/replay")
    with other.page.expect_file_chooser() as chooser:
        other.page.get_by_text("Drop a replay file here, or choose one").click()
    chooser.value.set_files(file)
    other.expect_moment("1")
    expect(other.place("A1")).to_have_accessible_name("A1: red 5")


def test_a_turn_by_keys_alone(server: Server, new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, server.address, "Skerries")
    table = Skerries(page)
    table.expect_turn(1)
    tab_to(page, table.board)  # the cursor is where something can be ordered
    page.keyboard.press("Enter")
    expect(table.place("A1")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowRight")
    assert _is_under_cursor(table, "A3")
    page.keyboard.press("2")
    expect(table.line("A1-A3", 2)).to_be_visible()
    table.expect_judged()  # until then all boats are offered again
    assert focused(page, table.board)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    assert _is_under_cursor(table, "A2")
    page.keyboard.press("Enter")
    expect(table.question("A1", "A2")).to_be_visible()
    page.keyboard.press("Enter")  # all that are left
    expect(table.line("A1-A2", 3)).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Delete")
    expect(table.lines).to_have_count(1)
    table.expect_judged()
    page.keyboard.press("a")  # a letter begins a typed line
    expect(table.typed).to_have_value("a")
    page.keyboard.type("1-b2 1")
    page.keyboard.press("Enter")
    expect(table.line("A1-B2", 1)).to_be_visible()
    page.keyboard.type("a1-b1 1")
    page.keyboard.press("Enter")
    expect(table.lines.get_by_role("alert")).to_contain_text("2.2")
    page.keyboard.press("Control+z")
    expect(table.lines).to_have_count(2)
    page.keyboard.press("Control+Enter")
    table.expect_turn(2)
    expect(page.get_by_text("Red rows 2 boats from A1 to A3.").first).to_be_visible()


def _is_under_cursor(table: Skerries, name: str) -> bool:
    return table.place(name).get_attribute("id") == table.board.get_attribute("aria-activedescendant")


def test_the_list_follows_the_chosen_place_and_takes_numbers(server: Server, new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, server.address, "Skerries")
    table = Skerries(page)
    table.expect_turn(1)
    expect(table.offered).to_contain_text("3 legal orders")
    table.place("B2").click()
    expect(table.offered).to_contain_text("1 legal order")
    table.offered.get_by_role("button", name="A1-B2 4").click()
    expect(table.line("A1-B2", 4)).to_be_visible()
    table.place("M").click()
    expect(table.offered).to_contain_text("no legal orders")
    table.offered.get_by_role("button", name="Show all").click()
    expect(table.offered).to_contain_text("3 legal orders")
    table.lines.get_by_role("button", name="One more in order 1").click()
    expect(table.line("A1-B2", 5)).to_be_visible()
    expect(table.offered).to_contain_text("no legal orders")


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_eight_seats_and_nothing_that_axe_finds(
    server: Server, new_page: NewPage, size: tuple[int, int], dark: bool
) -> None:
    page = new_page(*size, dark=dark, touch=size == NARROW, bypass_csp=True)
    others = ("Blue", "Green", "Yellow", "Violet", "Brown", "Grey", "White")
    open_table(page, server.address, "Skerries", {"Red": "You", **dict.fromkeys(others, "Bot: settler")})
    table = Skerries(page)
    expect(table.file_button).to_be_enabled()
    table.place("A1").click()
    table.place("A3").click()
    table.question("A1", "A3").get_by_role("button", name="A1 to A3, 2").click()
    expect(table.line("A1-A3", 2)).to_be_visible()
    check(page, "plain table, ordering")
    expect(table.board.get_by_role("gridcell")).to_have_count(25)
    colours = {_paint(page, f"--{seat.lower()}-piece") for seat in ("Red", *others)}
    assert len(colours) == 8
    assert _paint(page, "--page") == ("rgb(20, 23, 26)" if dark else "rgb(245, 242, 234)")
    table.file_button.click()
    expect(table.place("A3")).to_have_accessible_name("A3: red 2")
    check(page, "plain table, after a turn")


def _paint(page: Page, name: str) -> str:
    """A colour of the style sheet as a picture shows it that was drawn by its name."""
    found: str = page.evaluate(
        """name => {
            const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
            shape.setAttribute("fill", `var(${name})`);
            document.querySelector("[role=grid] g").append(shape);
            const fill = getComputedStyle(shape).fill;
            shape.remove();
            return fill;
        }""",
        name,
    )
    return found


def test_a_page_with_one_replay_holds_its_pictures(new_page: NewPage, tmp_path: Path) -> None:
    for words in (
        ("match", "skerries", "settler", "settler", "--seed", "page", "-o", "turns=3", "--out", str(tmp_path)),
        ("replay", "{}", "--html", str(tmp_path / "game.html")),
    ):
        files = [str(path) for path in tmp_path.glob("**/*.jsonl*")]
        command = [word.format(*files) for word in words]
        subprocess.run([sys.executable, "-m", "polemos", *command], check=True, capture_output=True, timeout=300)
    page = new_page()
    page.context.set_offline(True)
    page.goto((tmp_path / "game.html").as_uri())
    table = Skerries(page)
    table.expect_moment("1")
    expect(table.place("B1")).to_have_accessible_name("B1: blue 5")
    table.press("Next turn")
    table.expect_moment("2")
    expect(table.place("A1")).not_to_have_accessible_name("A1: red 5")
    expect(page.get_by_text(re.compile(r"rows \d boats? from")).first).to_be_visible()
