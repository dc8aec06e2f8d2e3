"""A class from its first member to its results, in the browser: the organiser at a desk, a student with a phone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from sqlalchemy import Engine, select

from browser.conftest import NewPage, Server
from browser.test_axe import NARROW, WIDE, check, sticks_out
from browser.test_operator import sign_up
from browser.test_traps import click_twice
from polemos.ladder import bots
from polemos.ladder.clock import writing
from polemos.ladder.tournaments import Tournaments
from polemos.server.store import ladder as db
from polemos.server.store import schema
from polemos.server.store.ledger import connect
from unit.ladder.small import Small, by_strength

HOSTILE = "<img src=x onerror=alert(1)>"


def upload(engine: Engine, author: str, name: str) -> None:
    """A bot with a version that passed, as if it had been uploaded."""
    with writing(engine) as connection:
        of = schema.accounts.c
        account = connection.execute(select(of.id).where(of.name == author)).scalar_one()
        bot = bots.add(connection, "skerries", name, account)
        bots.passed(connection, bots.add_version(connection, bot, f"{bot:032x}", language="Python"))


def fits_the_screen(page: Page) -> None:
    assert sticks_out(page) <= 0, "nothing sticks out"


def test_a_class_competition_without_a_shell(new_page: NewPage, own_server: Server) -> None:
    engine = connect(f"sqlite:///{own_server.folder / 'polemos.db'}")
    small = Small(engine)
    olga, ann, ben = (
        new_page(*WIDE, bypass_csp=True),
        new_page(*NARROW, dark=True, touch=True, bypass_csp=True),
        new_page(*WIDE, dark=True, bypass_csp=True),
    )
    for page, name in ((olga, "Olga"), (ann, "Ann"), (ben, "Ben")):
        sign_up(page, own_server, name)
    olga.goto(f"{own_server.address}/groups")
    olga.get_by_label("Name").fill("Algorithms II")
    check(olga, "new group")
    olga.get_by_role("button", name="Create group").click()
    tools = olga.get_by_role("complementary")
    expect(tools.get_by_text("only you see this")).to_be_visible()
    tools.get_by_label("I can read the logs of bots").check()
    link = own_server.address + "/j/" + (tools.locator("code").inner_text().rpartition("/")[2])
    tools.get_by_label("Lock", exact=True).fill("2099-11-27T18:00")
    tools.get_by_label("Lock", exact=True).blur()
    expect(olga.get_by_role("region", name="Dates")).to_contain_text("until the versions lock, Fri 27 Nov, 18:00")

    # Students ask to join, are told who reads logs, and see nothing more until they are let in.
    for page, name in ((ann, "Ann"), (ben, "Ben")):
        page.goto(link)
        expect(page.get_by_text("Olga can read the logs that your bot writes in games of this group.")).to_be_visible()
        expect(page.get_by_role("heading", name="Ladder")).to_have_count(0)
        check(page, "invitation")
        page.get_by_role("button", name="Ask to join").click()
        expect(page.get_by_role("heading", name="You have asked to join")).to_be_visible()
        upload(engine, name, f"Bot of {name}")
        olga.reload()
        row = tools.get_by_role("listitem").filter(has_text=name)
        row.get_by_role("button", name="Let in").click()
        expect(row).to_contain_text("no bot yet")
        page.reload()
        page.get_by_role("button", name=f"Bot of {name} v1").click()
        expect(page.get_by_role("button", name=f"Bot of {name} v1: entered")).to_be_visible()
        expect(page.get_by_role("complementary")).to_have_count(0)
        fits_the_screen(page)
        check(page, "group of a member")

    # An announcement, and the lock, with the keyboard alone.
    tools.get_by_role("button", name="Announce").click()
    olga.get_by_label("Text").fill(HOSTILE)
    olga.get_by_role("dialog").get_by_role("button", name="Announce").click()
    expect(olga.get_by_role("listitem").filter(has_text=HOSTILE)).to_be_visible()
    tools.get_by_role("button", name="Lock now").focus()
    olga.keyboard.press("Enter")
    check(olga, "lock")
    olga.get_by_role("dialog").get_by_role("button", name="Lock now").focus()
    olga.keyboard.press("Enter")
    expect(olga.get_by_text("locked, this version counts")).to_have_count(2)
    check(olga, "group of the organiser")

    # The tournament is played, and everybody reads its results.
    tools.get_by_role("button", name="Tournament").click()
    olga.get_by_label("System").select_option("Round robin")
    check(olga, "tournament settings")
    olga.get_by_role("button", name="Start now").click()
    expect(olga.get_by_role("link", name=re.compile("Round robin of .*, being played"))).to_be_visible()
    strengths = {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}
    looker = Tournaments(engine, small.bell)
    for _ in range(4):
        looker.look()
        small.play_all(by_strength(strengths))
    ann.reload()
    ann.get_by_role("link", name=re.compile("Round robin of")).click()
    expect(ann.get_by_text("Bot of Ben v1 won.")).to_be_visible()
    expect(ann.get_by_role("row").nth(1)).to_contain_text("Bot of Ben v1")
    fits_the_screen(ann)
    check(ann, "results")
    with ann.expect_download() as download:
        ann.get_by_role("link", name="standings.csv").click()
    assert download.value.path().read_text().splitlines()[1].startswith("1,")
    expect(ann.get_by_role("row").nth(1)).to_contain_text("0 faults, 0 strikes, 250 ms a game")

    # Another one by mistake; a second organiser; then the group is renamed, and closed.
    tools.get_by_role("button", name="Tournament").click()
    olga.get_by_role("button", name="Start now").click()
    tools.get_by_role("button", name="Stop it").click()
    olga.get_by_role("dialog").get_by_role("button", name="Stop it").click()
    expect(olga.get_by_role("link", name=re.compile("Round robin of .*, stopped"))).to_be_visible()
    tools.get_by_role("button", name="More about Ben").click()
    check(olga, "member")
    olga.get_by_role("button", name="Make a second organiser").click()
    expect(tools.get_by_role("listitem").filter(has_text="Ben")).to_contain_text("second organiser")
    ben.reload()
    expect(ben.get_by_role("complementary")).to_contain_text("You help to run it.")
    tools.get_by_role("button", name="Rename").click()
    olga.get_by_role("dialog").get_by_label("Name").fill("Algorithms III")
    olga.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(olga.get_by_role("heading", name="Algorithms III")).to_be_visible()
    tools.get_by_role("button", name="Close").click()
    check(olga, "closing")
    olga.get_by_role("button", name="Close it for good").click()
    expect(olga.get_by_text("This group is closed.")).to_be_visible()
    ann.goto(olga.url)
    expect(ann.get_by_text("What was played stays here for its members.")).to_be_visible()
    expect(ann.locator("tr[data-bot]").first).to_be_visible()
    fits_the_screen(ann)
    engine.dispose()


def test_second_clicks_answer_nobody_else(new_page: NewPage, own_server: Server) -> None:
    """What comes under the pointer after a click, or takes it back, isn't what the second click was meant for."""
    engine = connect(f"sqlite:///{own_server.folder / 'polemos.db'}")
    Small(engine)  # there is a ladder to make a group for
    engine.dispose()
    olga, ann, ben = (new_page() for _ in range(3))
    for page, name in ((olga, "Olga"), (ann, "Ann"), (ben, "Ben")):
        sign_up(page, own_server, name)
    olga.goto(f"{own_server.address}/groups")
    olga.get_by_label("Name").fill("Algorithms II")
    olga.get_by_role("button", name="Create group").click()
    tools = olga.get_by_role("complementary")
    link = own_server.address + "/j/" + (tools.locator("code").inner_text().rpartition("/")[2])
    for page in (ann, ben):
        page.goto(link)
        click_twice(page, page.get_by_role("button", name="Ask to join"))
        expect(page.get_by_role("button", name="Withdraw")).to_be_enabled()
        expect(page.get_by_role("heading", name="You have asked to join")).to_be_visible()
    olga.reload()
    let_in = tools.get_by_role("button", name="Let in")
    expect(let_in).to_have_count(2)
    click_twice(olga, let_in.first)
    expect(let_in).to_have_count(1)
    expect(let_in).to_be_enabled()
    expect(let_in).to_have_count(1)
    let_in.click()
    expect(let_in).to_have_count(0)
    ann.reload()
    click_twice(ann, ann.get_by_role("button", name="Leave the group …"))
    expect(ann.get_by_role("button", name="Leave: my bot leaves its ladder too")).to_be_enabled()
