"""Hands at a table of Minions: they read what the boards offer, and order by mouse or by keys."""

from __future__ import annotations

import re
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

from browser.room import TABLE, Room, show_more, tab_to

CELL = re.compile(r'gridcell "(?P<hex>[a-j]\d)(?P<words>[^"]*)"')
FILES = "abcdefghij"
SEATS = {"Yellow": "You", "Blue": "Bot: greedy"}


class Cell(NamedTuple):
    """A hex in words, as the grid names it."""

    hex: str
    words: str


def far(one: str, other: str) -> int:
    """Steps between two hexes."""
    x, y = FILES.index(one[0]) - FILES.index(other[0]), int(one[1]) - int(other[1])
    return max(abs(x), abs(y), abs(x + y))


def open_with(page: Page, address: str, seats: dict[str, str], options: dict[str, str]) -> Minions:
    """From the lobby by the form, with options by their names there."""
    page.goto(f"{address}/play/minions")
    show_more(page)
    for seat, who in seats.items():
        page.get_by_label(f"Who plays {seat}").select_option(who)
    for name, value in options.items():
        if name == "Techline":
            page.get_by_label(name, exact=True).select_option("Something else")
            page.get_by_label(f"{name}, something else").fill(value)
        else:
            page.get_by_label(re.compile(f"^{name}")).fill(value)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(TABLE)
    return Minions(page)


class Minions(Room):
    """One board in focus, the techline above it, reserve and shop below."""

    # ---- what is to be seen

    @property
    def file_button(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile(r"^(End turn|Done with my part)"))

    @property
    def said(self) -> Locator:
        """The line under the board; messages stand above it."""
        return self.page.get_by_role("region", name="Board", exact=True).get_by_role("status").last

    @property
    def cards(self) -> Locator:
        """Cards of the techline that can take a spell now."""
        line = self.page.get_by_role("toolbar", name="Techline")
        return line.get_by_role("button", name=re.compile("with your free spell"))

    @property
    def card(self) -> Locator:
        """Figures and words of a unit."""
        return self.page.get_by_role("region", name="Unit", exact=True)

    @property
    def alerts(self) -> Locator:
        """What the sheet warns of, each with its paragraph."""
        return self.page.get_by_role("region", name="Orders").get_by_role("paragraph").filter(has_text="Rule")

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

    def a_cell(self, words: str) -> str:
        """One of these hexes, as soon as there is one: what can be ordered changes when the umpire has answered."""
        self.expect_judged()
        expect(self.board.get_by_role("gridcell", name=re.compile(words)).first).to_be_attached()
        return self.cells(words)[0].hex

    def line(self, words: str) -> Locator:
        return self.lines.filter(has_text=re.compile(words))

    # ---- what a hand does

    def look_at(self, board: int) -> None:
        self.tab_of(board).click()
        expect(self.board).to_have_accessible_name(re.compile(f"^Board {board},"))

    def more(self, name: str) -> None:
        """From the menu of the board in focus."""
        self.page.get_by_role("button", name=re.compile("^More for board")).click()
        self.page.get_by_role("group", name=re.compile("^More for board")).get_by_role("button", name=name).click()

    def resign(self, board: int) -> None:
        """Asked again, elsewhere."""
        self.more(f"Resign board {board} …")
        self.press(f"Yes, resign board {board}")

    def choose(self, hex: str) -> None:
        self.hex(hex).click()
        expect(self.hex(hex)).to_have_attribute("aria-selected", "true")

    def _middle(self, hex: str) -> tuple[float, float]:
        box = self.hex(hex).bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, *hexes: str) -> None:
        """With the button held down, over the hexes one after the other."""
        mouse = self.page.mouse
        for number, name in enumerate(hexes):
            mouse.move(*self._middle(name), steps=1 if number == 0 else 4)
            if number == 0:
                mouse.down()
        mouse.up()

    def finish(self) -> None:
        """Ends the turn, or one's own part of it."""
        self.file_button.click()

    # ---- what a hand does by keys

    def cursor_to(self, goal: str) -> None:
        """Arrows, until the cursor of the keys is on a hex."""
        turned = self._middle("h7")[1] > self._middle("c2")[1]  # Blue's board stands on its head
        self.page.keyboard.press("ArrowRight")  # the first only shows the cursor; any may
        for _ in range(30):
            here = (self.board.get_attribute("aria-activedescendant") or "").removeprefix("hex-")
            if here == goal:
                return
            self.page.keyboard.press(_towards(here, goal, turned=turned))
        raise AssertionError(f"The cursor does not come to {goal}.")


def _towards(here: str, goal: str, *, turned: bool) -> str:
    """The arrow that leads nearer: first to the rank, then along it."""
    if here[1] == goal[1]:
        return "ArrowRight" if (goal[0] > here[0]) != turned else "ArrowLeft"
    return "ArrowUp" if (goal[1] > here[1]) != turned else "ArrowDown"


# ---- two ways to do the same


class Mouse:
    """Orders by clicks and drags."""

    def __init__(self, table: Minions) -> None:
        self.table = table
        self._drags = False

    def choose(self, hex: str) -> None:
        self.table.hex(hex).click()

    def go(self, start: str, target: str) -> None:
        """The chosen unit goes somewhere or attacks: by a click and by a drag in turn."""
        self._drags = not self._drags
        if self._drags:
            self.table.drag(start, target)
        else:
            self.choose(target)

    def cast(self) -> None:
        """A spell on the first card that takes one."""
        self.table.cards.first.click()

    def take_up(self, name: str) -> None:
        self.table.good(name).click()

    def put_down(self, name: str) -> None:
        self.table.good(name).click()

    def let_go(self) -> None:
        """What is chosen is so no longer."""
        self.table.expect_judged()  # what was destroyed is no longer chosen
        chosen = self.table.board.get_by_role("gridcell", selected=True)
        if chosen.count():
            chosen.click()

    def finish(self) -> None:
        self.table.finish()


class Keys(Mouse):
    """The same by keys alone; the focus is on the board before and after."""

    def choose(self, hex: str) -> None:
        self.table.cursor_to(hex)
        self.table.page.keyboard.press("Enter")

    def go(self, start: str, target: str) -> None:
        self.choose(target)

    def cast(self) -> None:
        page = self.table.page
        page.keyboard.press("0")
        expect(self.table.cards.first).to_be_focused()
        page.keyboard.press("Enter")
        tab_to(page, self.table.board)

    def take_up(self, name: str) -> None:
        letter = self.table.good(name).locator("kbd").inner_text()
        self.table.page.keyboard.press(letter.lower())

    def put_down(self, name: str) -> None:
        self.let_go()

    def let_go(self) -> None:
        self.table.page.keyboard.press("Escape")

    def finish(self) -> None:
        self.table.page.keyboard.press("Control+Enter")


# ---- a plan that wins

# Harpies first: they fly over everything and strike from two hexes away. All other cards behind them.
RUSH = {"Techline": "YSPWGTHXKAUJVMLOCRQBED", "Money": "999", "Spell price": "0", "Boards": "1", "Points": "1"}
RAIDERS = 4  # spawned in a turn
MAX = 9  # that do something in a turn: some stand too far behind


class Rush:
    """Blue runs for Yellow's necromancer with Harpies, spawned next to an Initiate that goes ahead."""

    def __init__(self, table: Minions, hand: Mouse) -> None:
        self.table = table
        self.hand = hand

    @property
    def goal(self) -> str | None:
        """Where the enemy necromancer stands; None once it is destroyed."""
        self.table.expect_judged()  # until then the board shows and offers what was there before the last order
        found = self.table.cells("Yellow .*necromancer")
        return found[0].hex if found else None

    def turn(self, number: int) -> None:
        if number == 1:
            self._step("Zombie")
            for count in (1, 2):
                self.table.expect_judged()  # until then a card offers the spell that it has already
                self.hand.cast()
                expect(self.table.line("March|Tech")).to_have_count(count)
            self._spawn("Initiate")
        else:
            for start in self._sorted("your Harpy.*can (move|attack)")[:MAX]:
                self._raid(start)
            self._step("Initiate")
            if self.goal:
                spawned = [self._spawn("Harpy") for _ in range(RAIDERS)]
                assert spawned[0] or number > 2, "There is no room for a Harpy."
        self.hand.finish()

    def _sorted(self, words: str) -> list[str]:
        """The hexes of these words, the nearest to the enemy necromancer first."""
        goal = self.goal
        return (
            [hex for _, hex in sorted((far(cell.hex, goal), cell.hex) for cell in self.table.cells(words))]
            if goal
            else []
        )

    def _nearest(self, words: str) -> str | None:
        return next(iter(self._sorted(words)), None)

    def _order(self, start: str, hex: str) -> None:
        before = self.table.lines.count()
        self.hand.go(start, hex)
        expect(self.table.lines).to_have_count(before + 1)

    def _step(self, name: str) -> None:
        """The foremost unit of this name goes nearer."""
        start = self._nearest(f"your {name}.*can move")
        if start is None:
            return
        self.hand.choose(start)
        expect(self.table.hex(start)).to_have_attribute("aria-selected", "true")
        to = self._nearest("move here$")
        if to is not None:
            self._order(start, to)
        self.hand.let_go()

    def _raid(self, start: str) -> None:
        """A Harpy goes nearer, if it can, and strikes whoever is nearest to the necromancer, best itself."""
        goal = self.goal
        if goal is None:
            return
        self.hand.choose(start)
        expect(self.table.hex(start)).to_have_attribute("aria-selected", "true")
        to = self._nearest("move here$")
        if to is not None and far(to, goal) < far(start, goal):
            self._order(start, to)
            expect(self.table.hex(to)).to_have_accessible_name(re.compile("your Harpy, moved"))
            start = to
        target = self._nearest("attack it$")
        if target is not None:
            self._order(start, target)
        self.hand.let_go()

    def _spawn(self, name: str) -> bool:
        """Where it is nearest to the enemy, if there is room."""
        self.hand.take_up(name)
        expect(self.table.good(name)).to_have_attribute("aria-pressed", "true")
        to = self._nearest("spawn here$")
        if to is None:
            self.hand.put_down(name)
            return False
        self.hand.choose(to)
        expect(self.table.hex(to)).to_have_accessible_name(re.compile(f"your {name}, spawned"))
        return True


def invitation(table: Minions, address: str) -> str:
    """What the menu copies, seen where it is pasted."""
    page = table.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    with table.copying():
        table.menu("Copy team invitation")
    page.keyboard.press("Escape")
    table.tab("Chat")
    box = page.get_by_role("textbox", name="Message to everyone")
    box.click()
    page.keyboard.press("Control+v")
    expect(box).to_have_value(re.compile("#crew="))
    link = box.input_value()
    box.fill("")
    table.tab("Orders")
    return link
