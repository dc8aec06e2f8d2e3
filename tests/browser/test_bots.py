"""An author's whole path through the pages: bots in three languages, refused and accepted, a token, a page."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from browser.conftest import NewPage, Server
from browser.test_axe import NARROW, WIDE, check, sticks_out
from browser.test_operator import sign_up
from browser.test_traps import click_twice
from parcels import PASSES, PASSES_IN_C, zipped
from rated import rate_in

GAME = "skerries"
LONG = 240_000  # milliseconds: compilers on a busy machine
SHOTS = os.environ.get("POLEMOS_SHOTS")  # a folder for pictures of the pages, to compare with the mockups

# The bot that passes every turn, in JavaScript; and one that crashes on its first turn.
PASSES_IN_JS = """
require('readline').createInterface({input: process.stdin}).on('line', line => {
  if (line.includes('"type":"hello"')) console.log('{"type":"ready"}');
  else if (line.includes('"type":"view"')) console.log('{"type":"end"}');
});
"""
CRASHES = PASSES.replace("""print('{"type":"end"}', flush=True)""", "raise ValueError('7 archers')")


def manifest(name: str, language: str, start: str, build: str = "") -> str:
    lines = [f'name = "{name}"', f'game = "{GAME}"', f'language = "{language}"', f'start = "{start}"']
    return "\n".join([*lines, *([f'build = "{build}"'] if build else []), ""])


def shoot(page: Page, name: str) -> None:
    """Looks for faults that axe can find, and for anything that sticks out."""
    check(page, name)
    assert sticks_out(page) <= 0, f"{name}: something sticks out"
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)
        if name.endswith("-wide-light"):  # the other looks, for the eye alone
            for look, dark, (width, height) in (("wide-dark", True, WIDE), ("phone-light", False, NARROW)):
                page.emulate_media(color_scheme="dark" if dark else "light")
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_timeout(300)
                page.screenshot(path=f"{SHOTS}/{name.removesuffix('wide-light')}{look}.png", full_page=True)
            page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("article").filter(has=page.get_by_role("heading", name=title, exact=True))


def test_an_author(new_page: NewPage, own_server: Server, tmp_path: Path) -> None:
    server = own_server
    page = new_page(*WIDE, bypass_csp=True)
    page.goto(f"{server.address}/upload")
    expect(page.get_by_role("link", name="Sign in or create an account")).to_be_visible()
    sign_up(page, server, "Ada")
    page.goto(f"{server.address}/bots")
    expect(page.get_by_text("You have no bots yet.")).to_be_visible()
    shoot(page, "my-bots-empty-wide-light")

    # Python: a folder, with what is left out.
    folder = tmp_path / "falcon"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__" / "x.pyc").write_text("left out")
    (folder / "bot.py").write_text(PASSES)
    (folder / "bot.toml").write_text(manifest("Falcon", "python", "python3 bot.py"))
    page.get_by_role("link", name="Upload a bot").click()
    page.get_by_label("Folder").set_input_files(folder)
    falcon = card(page, "Falcon v1")
    expect(falcon.get_by_text("accepted", exact=True)).to_be_visible(timeout=LONG)
    # C: a zip, which is built; the page shows the build.
    c = manifest("Kite", "c", "./bot", "gcc -O2 -o bot bot.c && echo built by gcc >&2 && sleep 6")
    page.get_by_label("File").set_input_files(zipped(tmp_path / "kite.zip", {"bot.toml": c, "bot.c": PASSES_IN_C}))
    kite = card(page, "Kite v1")
    expect(kite.get_by_role("group", name="Build log")).to_contain_text("built by gcc", timeout=LONG)
    shoot(page, "upload-running-wide-light")
    # The server is killed halfway: the page waits for it, and the upload starts again by itself.
    server.kill()
    server.start()
    expect(kite.get_by_text("accepted", exact=True)).to_be_visible(timeout=LONG)
    # JavaScript: one file, for a game that is chosen.
    page.get_by_label("Game").select_option(GAME)
    js = tmp_path / "heron.js"
    js.write_text(PASSES_IN_JS)
    page.get_by_label("File").set_input_files(js)
    expect(card(page, "heron v1").get_by_text("accepted", exact=True)).to_be_visible(timeout=LONG)
    # One that crashes is refused, with the line; the version before keeps playing.
    (folder / "bot.py").write_text(CRASHES)
    page.get_by_label("Folder").set_input_files(folder)
    refused = card(page, "Falcon v2")
    expect(refused.get_by_text("refused", exact=True)).to_be_visible(timeout=LONG)
    expect(refused).to_contain_text("ValueError: 7 archers")
    expect(refused).to_contain_text("version 1 keeps playing")
    expect(refused.get_by_text("polemos debug trial-")).to_be_visible()
    shoot(page, "upload-wide-light")
    # And a better version.
    (folder / "bot.py").write_text(f"# better\n{PASSES}")
    page.get_by_label("Folder").set_input_files(folder)
    expect(card(page, "Falcon v3").get_by_text("accepted", exact=True)).to_be_visible(timeout=LONG)

    # My bots: pausing, and a token that is shown once.
    page.get_by_role("link", name="Bots", exact=True).click()
    row = page.get_by_role("row").filter(has_text="Kite")
    row.get_by_role("button", name="Pause").click()
    expect(row.get_by_text("paused", exact=True)).to_be_visible()
    page.get_by_label("Where you will use it").fill("my laptop")
    page.get_by_role("button", name="Create a token").click()
    token = page.get_by_text("polemos_")
    expect(token).to_be_visible()
    page.get_by_role("button", name="I have saved it").click()
    expect(token).to_have_count(0)
    revoke = page.get_by_role("button", name="Revoke … my laptop")
    click_twice(page, revoke)  # it asks, and the second click is no answer
    page.get_by_role("button", name="Keep it").click()
    expect(revoke).to_be_visible()
    shoot(page, "my-bots-wide-light")

    # The page of a bot with a past.
    page.get_by_role("link", name="Falcon", exact=True).click()
    expect(page.get_by_role("heading", name="Falcon")).to_be_visible()
    bot = int(page.url.rpartition("/")[2])
    feed = page.get_by_role("link", name="Feed").get_attribute("href")
    assert page.request.get(f"{server.address}{feed}").ok
    rate_in(server.folder, bot, GAME)
    page.reload()
    expect(page.get_by_role("img", name="Rating of Falcon. Version 3 stands at")).to_be_visible()
    expect(page.get_by_text("v3 is surely above v1")).to_be_visible()
    click_twice(page, page.get_by_role("button", name="Pause"))  # neither resumed nor anything else
    resume = page.get_by_role("button", name="Resume")
    expect(resume).to_be_enabled()
    resume.click()
    expect(page.get_by_role("button", name="Pause")).to_be_enabled()
    expect(page.get_by_text("index out of bounds")).to_be_visible()
    worst = page.get_by_role("button", name="Aspis, all maps: 10 % of 40 games")
    worst.focus()
    expect(page.get_by_text("Aspis, all maps: 10 % of 40 games, 95 % between 4 and 23: surely worse.")).to_be_visible()
    page.keyboard.press("ArrowRight")  # one stop for Tab, then arrows
    expect(page.get_by_role("button", name="Aspis, Hourglass")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("td > button[tabindex='0']")).to_be_focused()
    expect(page.locator("td > button[tabindex='0']")).to_have_count(1)
    shoot(page, "bot-wide-light")
    page.get_by_role("button", name="Play this one (version 1)").click()
    expect(page.get_by_role("row").filter(has_text="v1").get_by_text("plays now")).to_be_visible()
    page.get_by_role("button", name="Rename …").click()
    page.get_by_label("New name").fill("Peregrine")
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(page.get_by_role("heading", name="Peregrine")).to_be_visible()

    # On a phone, in the dark, by touch: the same pages. Others see no log lines and can change nothing.
    phone = new_page(*NARROW, touch=True, dark=True, bypass_csp=True)
    phone.goto(f"{server.address}/bots/{bot}")
    expect(phone.get_by_role("img", name="Rating of Peregrine")).to_be_visible()
    expect(phone.get_by_text("index out of bounds")).to_have_count(0)
    expect(phone.get_by_role("button", name="Rename …")).to_have_count(0)
    shoot(phone, "bot-phone-dark")
    phone.goto(f"{server.address}/account")
    phone.get_by_label("Name").fill("Ada")
    phone.get_by_label("Password").fill("a long walk home")
    phone.get_by_role("button", name="Sign in").click()
    expect(phone.get_by_role("link", name="Ada")).to_be_visible()
    for path, seen in (("upload", "Peregrine v2"), ("bots", "My bots"), (f"bots/{bot}", "Peregrine")):
        phone.goto(f"{server.address}/{path}")
        expect(phone.get_by_role("heading", name=seen).first).to_be_visible()
        shoot(phone, f"{path.partition('/')[0]}-own-phone-dark")
    phone.get_by_role("button", name="Delete …").tap()
    phone.get_by_role("button", name="Delete Peregrine").tap()
    expect(phone.get_by_role("heading", name="My bots")).to_be_visible()
    expect(phone.get_by_text("Peregrine")).to_have_count(0)
