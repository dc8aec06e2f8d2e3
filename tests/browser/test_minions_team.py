"""Minions with several persons: a team of three on two boards, time, sealed bids."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from browser.conftest import PATIENCE, NewPage, Server
from browser.minions import SEATS, Minions, invitation
from browser.room import open_table

# ---- a team


def _team(
    server: Server, new_page: NewPage, *, turns: int, minutes: float | None = None
) -> tuple[Minions, Minions, Minions]:
    """Ann opens a table of two boards and asks Bob and Cid into her seat; each takes a role."""
    ann, bob, cid = (Minions(new_page()) for _ in range(3))
    open_table(ann.page, server.address, "Minions", SEATS, name="Ann", minutes=minutes, boards=2, turns=turns)
    expect(ann.file_button).to_be_enabled()
    link = invitation(ann, server.address)
    for table, name in ((bob, "Bob"), (cid, "Cid")):
        table.page.goto(link)
        table.page.get_by_label("Your name at the table").fill(name)
        table.press("Join")
        table.page.wait_for_url(re.compile(r"/table/\w+$"))
    for table, role in ((ann, "general"), (bob, "captain 1"), (cid, "captain 2")):
        table.tab("Team")
        table.press(f"Take this role: {role}")
        expect(table.page.get_by_role("button", name=f"Give up this role: {role}")).to_be_visible()
        table.tab("Orders")
    return ann, bob, cid


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
    cid.resign(2)
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
    start = bob.a_cell("your Zombie")
    bob.hex(start).hover()
    expect(cid.tab_of(2)).to_have_accessible_name(re.compile("Bob is looking here"))
    expect(duty(ann, "Board 2")).to_contain_text("Bob is watching")
    cid.look_at(2)
    expect(cid.board.get_by_text("Bob", exact=True).last).to_be_visible()  # at the hex
    bob.hex(start).click()
    expect(bob.said).to_contain_text("Board 2 belongs to its captain. Cid gives the orders there.")
    expect(bob.said.get_by_role("link", name="Rule 2.6")).to_be_visible()
    expect(bob.lines).to_have_count(0)
    bob.look_at(1)
    expect(cid.tab_of(2)).not_to_have_accessible_name(re.compile("Bob is looking here"))
    expect(cid.board.get_by_text("Bob", exact=True)).to_have_count(0)


def _talk(ann: Minions, bob: Minions, cid: Minions) -> None:
    """Within the side."""
    bob.tab("Chat")
    bob.press("Your team")
    bob.page.get_by_role("textbox", name="Message to your team").fill("Give board 2 up, Cid.")
    bob.press("Send")
    bob.tab("Orders")
    for table in (ann, cid):
        table.tab("Chat")
        expect(table.page.get_by_role("log", name="Messages")).to_contain_text("Give board 2 up, Cid.")
        table.tab("Orders")


def _undo(ann: Minions, bob: Minions) -> None:
    """What a captain orders is on everybody's sheet at once, and what is taken back is gone there too."""
    start = bob.a_cell("your Zombie.*can move")
    bob.choose(start)
    to = bob.a_cell("move here$")
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
    expect(ann.page.get_by_role("paragraph").filter(has_text=re.compile("^Points.* of 2$"))).to_contain_text("1")
    cid.look_at(2)
    choose = cid.page.get_by_role("group", name="Choose a necromancer on board 2")
    choose.get_by_role("radio").nth(1).click()
    choose.get_by_role("button", name=re.compile("^Choose ")).click()
    expect(bob.line("2: choose")).to_be_visible()
    for table in (ann, bob, cid):
        table.finish()


def test_a_captain_orders_only_the_own_board(server: Server, new_page: NewPage) -> None:
    """What a captain types for another's role is refused with the paragraph, counts for nothing and can be struck."""
    _, bob, cid = _team(server, new_page, turns=3)
    for text, words in (("2 resign", "2: resign"), ("march", "March")):
        bob.typed.fill(text)
        bob.typed.press("Enter")
        fault = bob.line(words).get_by_role("alert")
        expect(fault.get_by_role("link", name="Rule 2.6")).to_be_visible()
        bob.press("Remove order 1")
        expect(bob.lines).to_have_count(0)
    # The own board obeys, and nothing is left of the other lines.
    bob.typed.fill("1 resign")
    bob.typed.press("Enter")
    expect(cid.line("1: resign")).to_be_visible()
    expect(bob.lines.get_by_role("alert")).to_have_count(0)
    expect(cid.lines).to_have_count(1)


def test_a_team_runs_out_of_time(server: Server, new_page: NewPage) -> None:
    """The clock of the side is one clock: when it is empty, the turn passes, although only one of three was done."""
    team = ann, bob, _cid = _team(server, new_page, turns=40, minutes=0.3)
    bob.look_at(1)
    turn = _turn(bob, after=_turn(bob))  # nobody did anything; now the time is full
    expect(bob.file_button).to_be_enabled()
    expect(ann.page.get_by_role("timer")).to_be_visible()
    bob.press("Done with board 1")
    expect(duty(ann, "Board 1")).to_contain_text("done")
    for table in team:
        assert _turn(table, after=turn)  # or a later one: no page has to be looked at in time
    expect(duty(ann, "Board 1")).to_contain_text("thinking")


def _turn(table: Minions, *, after: int = -1) -> int:
    """The turn that orders are due for, once it is a later one."""
    later = """after => {
        const headings = [...document.querySelectorAll("h2")].map((one) => one.textContent);
        const turn = Number(headings.map((words) => /^Orders for turn (\\d+)/.exec(words)?.[1]).find(Boolean) ?? -1);
        return turn > after && {turn};
    }"""
    found: int = table.page.wait_for_function(later, arg=after, timeout=2 * PATIENCE).json_value()["turn"]
    return found


# ---- bids

SEALED = "Sealed bids before the match"


def test_sealed_bids(server: Server, new_page: NewPage) -> None:
    """The lower bid plays Blue with the average; nobody sees a bid before both are in."""
    ann, bob = Minions(new_page()), Minions(new_page())
    seats = {"Yellow": "You", "Blue": "Open to anyone"}
    open_table(ann.page, server.address, "Minions", seats, name="Ann", minutes=30, ticked=(SEALED,), boards=1, turns=2)
    bob.page.goto(ann.page.url)
    bob.page.get_by_label("Your name at the table").fill("Bob")
    bob.press("Sit here")
    _bid(ann, 5)
    expect(ann.page.get_by_text("Your bid is 5.")).to_be_visible()
    expect(bob.page.get_by_text("You haven't placed a bid yet.")).to_be_visible()
    _bid(bob, 8)
    expect(ann.page.get_by_text(re.compile("All bids are in. You play Blue"))).to_be_visible()
    bob.expect_turn(1)
    for table in (ann, bob):
        expect(table.page.get_by_text("the first team plays Blue and the second Yellow")).to_be_visible()
    bob.finish()
    ann.expect_turn(1)
    ann.finish()
    bob.expect_turn(2)


def _bid(table: Minions, number: int) -> None:
    field = table.page.get_by_role("region", name="Seats").get_by_role("spinbutton")
    field.fill(str(number))
    table.press("Place bid")
