"""Minions against our bots: whole games by mouse and by keys alone, a team of three, time, sealed bids."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from browser.conftest import NewPage, Server
from browser.minions import Minions, far
from browser.room import focused, open_table, tab_to

SEATS = {"Yellow": "You", "Blue": "Bot greedy"}
ENDS = re.compile(r"(Yellow|Blue) wins|draw", re.IGNORECASE)
MOST_MOVES = 3


def _sit(page: Page, server: Server, turns: int) -> Minions:
    open_table(page, server.address, "Minions", SEATS, boards=1, points=1, turns=turns)
    table = Minions(page)
    table.expect_turn(1)
    return table


# ---- by mouse


def test_a_whole_game_by_mouse(server: Server, new_page: NewPage) -> None:
    table = _sit(new_page(), server, turns=3)
    for turn in range(1, 4):
        table.expect_turn(turn)
        given = _fight(table) + _march(table) + _cast(table) + _spawn(table)
        expect(table.lines).to_have_count(given)
        expect(table.lines.get_by_role("alert")).to_have_count(0)
        expect(table.file_button).to_have_text(f"End the turn with {given} order{'s' if given > 1 else ''}")
        table.finish()
    expect(table.over).to_be_visible()
    expect(table.page.get_by_role("status").filter(has_text=ENDS).first).to_be_visible()


def _fight(table: Minions) -> int:
    """Whoever can attack at once does so."""
    given = 0
    for unit in table.cells("your .*can (move and )?attack")[:MOST_MOVES]:
        table.choose(unit.hex)
        table.hex(table.cells("attack it$")[0].hex).click()
        given += 1
        expect(table.lines).to_have_count(given)
        table.page.keyboard.press("Escape")
    return given


def _march(table: Minions) -> int:
    """The foremost units go nearer to the enemy necromancer, and attack from there if they can."""
    given = table.lines.count()
    before = given
    goal = table.cells("Blue .* necromancer")[0].hex
    ready = sorted((far(cell.hex, goal), cell.hex) for cell in table.cells("your (?!.*necromancer).*can move"))
    for _, start in ready[:MOST_MOVES]:
        table.choose(start)
        ways = sorted((far(cell.hex, goal), cell.hex) for cell in table.cells("move here$"))
        if not ways:
            continue
        table.hex(ways[0][1]).click()
        given += 1
        expect(table.line(f"move from {start} to {ways[0][1]}")).to_be_visible()
        table.page.keyboard.press("Escape")
    return given - before


def _cast(table: Minions) -> int:
    """The free spell, on the first card that takes it."""
    table.cards.first.click()
    expect(table.line("March|Tech")).to_have_count(1)
    return 1


def _spawn(table: Minions) -> int:
    """The Initiate of the reserve, or else a Zombie from the shop; there is no spawning in the first turn."""
    for name, orders in (("Initiate", 1), ("Zombie", 2)):
        good = table.good(name)
        if good.get_attribute("aria-disabled") == "true":
            continue
        if name == "Initiate" and "in the reserve" not in (good.get_attribute("aria-label") or ""):
            continue
        good.click()
        expect(good).to_have_attribute("aria-pressed", "true")
        room = table.cells("spawn here$")
        if not room:
            good.click()
            continue
        table.hex(room[0].hex).click()
        expect(table.line(f"spawn .* on {room[0].hex}")).to_be_visible()
        return orders
    return 0


def test_a_turn_by_finger(server: Server, new_page: NewPage) -> None:
    page = new_page(390, 844, touch=True)
    open_table(page, server.address, "Minions", SEATS, boards=1, points=1, turns=3)
    table = Minions(page)
    expect(table.file_button).to_have_text("End the turn without orders")
    start = table.cells("your Zombie.*can move")[-1].hex
    table.hex(start).tap()
    expect(table.hex(start)).to_have_attribute("aria-selected", "true")
    to = table.cells("move here$")[-1].hex
    table.hex(to).tap()
    expect(table.line(f"move from {start} to {to}")).to_be_visible()
    page.get_by_role("tab", name="Techline").tap()
    table.cards.first.tap()
    expect(table.line("March|Tech")).to_be_visible()
    page.get_by_role("tab", name=re.compile("^Board 1")).tap()
    table.file_button.tap()
    expect(table.file_button).to_have_text("End the turn without orders")
    page.get_by_role("tab", name="Record").tap()
    expect(table.record.get_by_role("heading").first).to_have_text("Turn 1")


# ---- by keys


def test_a_whole_game_by_keys_alone(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(server.address)
    _open_by_keys(page, boards=1, points=1, turns=2)
    table = Minions(page)
    table.expect_turn(1)
    tab_to(page, table.board)
    for turn in (1, 2):
        table.expect_turn(turn)
        assert focused(page, table.board), f"The focus was lost before turn {turn}."
        _order_by_keys(table)
        page.keyboard.press("Control+Enter")
    expect(table.over).to_be_visible()
    expect(page.get_by_role("status").filter(has_text=ENDS).first).to_be_visible()
    page.keyboard.press("Home")
    table.expect_moment("1")
    page.keyboard.press("End")
    table.expect_moment("End")


def _open_by_keys(page: Page, **numbers: int) -> None:
    """From the lobby through the form, from field to field."""
    keys = page.keyboard
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Minions"))
    link = card.get_by_role("link", name="Open a table")
    link.wait_for()
    tab_to(page, link)
    keys.press("Enter")
    blue = page.get_by_label("Who plays Blue")
    blue.wait_for()
    tab_to(page, blue)
    keys.type("Bot g")  # a list goes to what is typed
    expect(blue).to_have_value("bot:greedy")
    for option, value in numbers.items():
        tab_to(page, page.get_by_role("spinbutton", name=re.compile(f"^{option}", re.IGNORECASE)))
        keys.press("Control+a")
        keys.type(str(value))
    keys.press("Enter")


def _order_by_keys(table: Minions) -> None:
    """A march with the cursor, taken back and given again; a spell; a Zombie by its letter where there is a shop."""
    page, keys = table.page, table.page.keyboard
    start = table.cells("your Zombie.*can move")[-1].hex
    table.cursor_to(start)
    keys.press("Enter")
    expect(table.hex(start)).to_have_attribute("aria-selected", "true")
    to = table.cells("move here$")[-1].hex
    table.cursor_to(to)
    keys.press("Enter")
    line = table.line(f"move from {start} to {to}")
    expect(line).to_be_visible()
    keys.press("Control+z")
    expect(line).to_have_count(0)
    keys.press("Control+Shift+z")
    expect(line).to_be_visible()
    keys.press("Escape")
    keys.press("0")
    expect(table.cards.first).to_be_focused()
    keys.press("Enter")
    expect(table.line("March|Tech")).to_have_count(1)
    tab_to(page, table.board)
    zombie = table.good("Zombie")
    if zombie.get_attribute("aria-disabled") == "true":
        return
    keys.press("z")
    expect(zombie).to_have_attribute("aria-pressed", "true")
    room = table.cells("spawn here$")
    table.cursor_to(room[0].hex)
    keys.press("Enter")
    expect(table.line(f"spawn .* on {room[0].hex}")).to_be_visible()


# ---- a team


def _team(
    server: Server, new_page: NewPage, *, turns: int, minutes: float | None = None
) -> tuple[Minions, Minions, Minions]:
    """Ann opens a table of two boards and asks Bob and Cid into her seat; each takes a role."""
    ann, bob, cid = (Minions(new_page()) for _ in range(3))
    open_table(ann.page, server.address, "Minions", SEATS, name="Ann", minutes=minutes, boards=2, turns=turns)
    expect(ann.file_button).to_be_enabled()
    link = _invitation(ann, server)
    for table, name in ((bob, "Bob"), (cid, "Cid")):
        table.page.goto(link)
        table.page.get_by_label("Your name at the table").fill(name)
        table.press("Join")
        table.page.wait_for_url(re.compile(r"/table/\w+$"))
    for table, role in ((ann, "general"), (bob, "captain 1"), (cid, "captain 2")):
        table.tab("Side")
        table.press(f"Take {role}")
        expect(table.page.get_by_role("button", name=f"Lay down {role}")).to_be_visible()
        table.tab("Orders")
    return ann, bob, cid


def _invitation(table: Minions, server: Server) -> str:
    """What the menu copies, seen where it is pasted."""
    page = table.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.address)
    table.menu("Copy the invitation to your side")
    expect(page.get_by_role("dialog").get_by_role("button", name="Copied")).to_be_visible()
    page.keyboard.press("Escape")
    table.tab("Talk")
    box = page.get_by_role("textbox", name="Say something to the table")
    box.click()
    page.keyboard.press("Control+v")
    expect(box).to_have_value(re.compile("#crew="))
    link = box.input_value()
    box.fill("")
    table.tab("Orders")
    return link


def duty(table: Minions, name: str) -> Locator:
    """A row of the list of one's side: role, who, how far."""
    team = table.page.get_by_role("region", name="Yellow this turn")
    return team.get_by_role("listitem").filter(has_text=re.compile(f"^{name}"))


def test_a_team_of_three(server: Server, new_page: NewPage) -> None:
    """General and captains on one sheet: what is whose, who looks where, undo, talk, a board that is lost and reset."""
    ann, bob, cid = team = _team(server, new_page, turns=3)
    for table in team:
        for role, who in (("General", "Ann"), ("Board 1", "Bob"), ("Board 2", "Cid")):
            expect(duty(table, role)).to_contain_text("you" if (table, who) in zip(team, NAMES, strict=True) else who)
    _look_around(ann, bob, cid)
    _talk(ann, bob, cid)
    _undo(ann, bob)
    # Cid gives board 2 up: it is lost, and reset.
    cid.look_at(2)
    cid.press("Resign board 2")
    cid.page.get_by_role("button", name=re.compile("^Resign board 2: the other side gets a point")).click()
    expect(ann.line("2: resign")).to_be_visible()
    ann.cards.first.click()
    expect(cid.line("March|Tech")).to_be_visible()
    _all_done(ann, bob, cid)
    for table in team:
        table.expect_turn(2)
    _choose_again(ann, bob, cid)
    for table in team:
        table.expect_turn(3)


NAMES = ("Ann", "Bob", "Cid")


def _look_around(ann: Minions, bob: Minions, cid: Minions) -> None:
    """Each sees where the others look, and nobody orders what another does."""
    bob.look_at(2)
    start = bob.cells("your Zombie")[0].hex
    bob.hex(start).hover()
    expect(cid.tab_of(2)).to_have_accessible_name(re.compile("Bob looks here"))
    expect(duty(ann, "Board 2")).to_contain_text("Bob watches")
    bob.hex(start).click()
    expect(bob.said).to_contain_text("Board 2 is its captain's. Cid gives the orders there.")
    expect(bob.said.get_by_role("link", name="Rule 2.6")).to_be_visible()
    expect(bob.lines).to_have_count(0)
    bob.look_at(1)
    expect(cid.tab_of(2)).not_to_have_accessible_name(re.compile("Bob looks here"))


def _talk(ann: Minions, bob: Minions, cid: Minions) -> None:
    """Within the side."""
    bob.tab("Talk")
    bob.press("Own side")
    bob.page.get_by_role("textbox", name="Say something to your side").fill("Give board 2 up, Cid.")
    bob.press("Say")
    bob.tab("Orders")
    for table in (ann, cid):
        table.tab("Talk")
        expect(table.page.get_by_role("log", name="What was said")).to_contain_text("Give board 2 up, Cid.")
        table.tab("Orders")


def _undo(ann: Minions, bob: Minions) -> None:
    """What a captain orders is on everybody's sheet at once, and what is taken back is gone there too."""
    start = bob.cells("your Zombie.*can move")[-1].hex
    bob.choose(start)
    to = bob.cells("move here$")[-1].hex
    bob.hex(to).click()
    words = f"move from {start} to {to}"
    expect(ann.line(words)).to_be_visible()
    bob.press("Undo")
    expect(ann.line(words)).to_have_count(0)
    bob.press("Redo")
    expect(ann.line(words)).to_be_visible()


def _all_done(ann: Minions, bob: Minions, cid: Minions) -> None:
    """One after the other; the turn ends with the last."""
    bob.press("Done with board 1")
    expect(duty(ann, "Board 1")).to_contain_text("done")
    cid.press("Done with board 2")
    expect(duty(bob, "Board 2")).to_contain_text("done")
    ann.finish()


def _choose_again(ann: Minions, bob: Minions, cid: Minions) -> None:
    """After a reset the captain of the board chooses a necromancer and what is kept; the others only see it."""
    expect(ann.page.get_by_title("Points, of 2 that win")).to_contain_text("1")
    cid.look_at(2)
    choose = cid.page.get_by_role("group", name="Choose a necromancer on board 2")
    choose.get_by_role("radio").nth(1).click()
    choose.get_by_role("button", name=re.compile("^Choose ")).click()
    expect(bob.line("2: choose")).to_be_visible()
    for table in (ann, bob, cid):
        table.finish()


def test_a_team_runs_out_of_time(server: Server, new_page: NewPage) -> None:
    """The clock of the side is one clock: when it is empty, the turn passes, although only one of three was done."""
    team = ann, bob, _cid = _team(server, new_page, turns=40, minutes=0.15)
    bob.look_at(1)
    turn = _turn(ann) + 1
    ann.expect_turn(turn)  # nobody did anything; now the time is full
    expect(ann.page.get_by_role("timer")).to_be_visible()
    bob.press("Done with board 1")
    expect(duty(ann, "Board 1")).to_contain_text("done")
    for table in team:
        table.expect_turn(turn + 1)
    expect(duty(ann, "Board 1")).to_contain_text("thinking")


def _turn(table: Minions) -> int:
    found = re.search(r"\d+", table.page.get_by_role("heading", name=re.compile("^Orders for turn")).inner_text())
    assert found
    return int(found[0])


# ---- bids

SEALED = "Sealed bids before the match begins"


def test_sealed_bids(server: Server, new_page: NewPage) -> None:
    """The lower bid plays Blue with the average; nobody sees a bid before both are in."""
    ann, bob = Minions(new_page()), Minions(new_page())
    seats = {"Yellow": "You", "Blue": "Open, for whoever joins"}
    open_table(ann.page, server.address, "Minions", seats, name="Ann", ticked=(SEALED,), boards=1, turns=2)
    bob.page.goto(ann.page.url)
    bob.page.get_by_label("Your name at the table").fill("Bob")
    bob.press("Sit here")
    _bid(ann, 5)
    expect(ann.page.get_by_text("You have named 5.")).to_be_visible()
    expect(bob.page.get_by_text("You have named nothing yet.")).to_be_visible()
    _bid(bob, 8)
    expect(ann.page.get_by_text(re.compile("All bids are in. You play Blue"))).to_be_visible()
    bob.expect_turn(1)
    for table in (ann, bob):
        expect(table.page.get_by_text("the first team plays Blue, the second Yellow")).to_be_visible()
    bob.finish()
    ann.expect_turn(1)
    ann.finish()
    bob.expect_turn(2)


def _bid(table: Minions, number: int) -> None:
    field = table.page.get_by_role("region", name="Seats").get_by_role("spinbutton")
    field.fill(str(number))
    table.press("Name it")
