"""The pages of a ladder, of the queue and of a game between bots, on a wide screen and on a phone."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace
from playwright.sync_api import Page, Route, expect
from sqlalchemy import Engine, select, update

from browser.conftest import PATIENCE, NewPage, Server
from browser.room import show_more
from browser.test_axe import NARROW, WIDE, check, sticks_out
from browser.test_operator import expect_soon, run, sign_up
from polemos.ladder import fits, groups, results
from polemos.ladder.clock import writing
from polemos.ladder.files import Replays
from polemos.ladder.jobs import Job, Report
from polemos.ladder.judging import judge
from polemos.ladder.live import LIVE, Live, LiveFault, Lives
from polemos.ladder.playing import play_one
from polemos.ladder.rater import Rater
from polemos.server.store import ladder as db
from polemos.server.store import schema
from polemos.server.store.ledger import connect
from unit.ladder.small import Small, by_strength

# Rating, margin, rank from, rank to, band
RATED = {
    "Wren": (1790.0, 20.0, 1, 1, 1),
    "Heron": (1690.0, 25.0, 2, 3, 2),
    "Falcon": (1680.0, 30.0, 2, 3, 2),
    "settler": (1500.0, 0.0, 4, 4, 3),
    "random": (1400.0, 20.0, 5, 5, 4),
}
LOG = b"0\thello\n1\tplan a\n2\tplan b\n"


def filled(engine: Engine, folder: Path) -> tuple[int, Job]:
    """A ladder on which some are surely above others.

    Returns a game of Ada's bot that has a replay, and one that is being played.
    """
    small = Small(engine)
    with engine.connect() as connection:
        of = schema.accounts
        ada = connection.execute(select(of.c.id).where(of.c.name == "Ada")).scalar_one()
    small.bot("Falcon", ada)
    small.bot("Heron")
    small.bot("Wren")
    versions = dict(small.rows(select(db.bots.c.name, db.bots.c.version_id)))
    strengths = {versions[name]: float(-i) for i, name in enumerate(RATED)}
    for _ in range(3):
        small.scheduler.look()
        small.play_all(by_strength(strengths))
    Rater(engine, small.ladder.season).look()
    fits.fit(engine, small.ladder)
    with writing(engine) as connection:  # as after many more games
        of = db.fit_ratings
        for name, (elo, margin, first, last, band) in RATED.items():
            said: dict[str, float] = {"rank_from": first, "rank_to": last, "doubt_from": first, "doubt_to": last}
            said |= {"band": band, "elo": elo, "margin": margin, "placing": False}
            connection.execute(update(of).where(of.c.version_id == versions[name]).values(said))
    small.scheduler.look()
    job, other, *_ = [job for job in small.claim(40, seconds=3600.0) if _entry(job) is not None]
    _play(small, job, folder)
    return job.id, other


def _entry(job: Job) -> int | None:
    """Where Ada's bot is in a game."""
    return next((i for i, player in enumerate(job.players) if player.name.startswith("Falcon")), None)


def _play(small: Small, job: Job, folder: Path) -> None:
    """Plays a game with one of our bots in place of the programs, which have no files."""
    ours = replace(job, players=tuple(replace(player, builtin="random", digest=None) for player in job.players))
    folder.mkdir(exist_ok=True)
    report = play_one(ours, folder)
    assert isinstance(report, Report)
    entry = _entry(job)
    assert entry is not None
    digest = Replays(folder.parent / "ladder" / "replays").put(report.replay, {entry: LOG})
    with writing(small.engine) as connection:
        said = judge(ours, report)
        assert results.commit(connection, job, said, replay=digest, worker=small.worker, seconds=1.0) == "counted"


def test_a_ladder_its_queue_and_a_game(own_server: Server, new_page: NewPage) -> None:
    wide = new_page(*WIDE, bypass_csp=True)
    sign_up(wide, own_server, "Ada")
    engine = connect(f"sqlite:///{own_server.folder / 'polemos.db'}")
    game, played = filled(engine, own_server.folder / "out")
    searched(wide, own_server, game)
    ladder(wide, own_server)
    resorted(wide, own_server, engine)
    match(wide, own_server, game, mine=True)
    queue(wide, own_server)
    running(wide, own_server, played, mine=True)
    challenge(wide, own_server)
    season(wide, own_server)
    at_a_table(wide, own_server)
    printed(wide, own_server)

    narrow = new_page(*NARROW, dark=True, touch=True, bypass_csp=True)
    searched_by_finger(narrow, own_server)
    narrow.goto(f"{own_server.address}/ladder/skerries")
    row = narrow.locator("tr[data-bot]").filter(has_text="Falcon")
    row.locator("td").first.tap()
    expect(narrow.get_by_text("is somewhere between rank").or_(narrow.get_by_text("has rank"))).to_be_visible()
    proper(narrow, "ladder, phone")
    match(narrow, own_server, game, mine=False)
    running(narrow, own_server, played, mine=False)
    queue(narrow, own_server)
    season(narrow, own_server)
    operator(wide, own_server)
    in_a_group(wide, own_server, engine)
    engine.dispose()


def searched(page: Page, server: Server, game: int) -> None:
    """By keys alone: bots, people and matches, each with its address."""
    page.goto(server.address)
    field = page.get_by_role("combobox", name="Search for a bot, a person or a match")
    expect(field).to_be_visible()
    page.keyboard.press("/")
    expect(field).to_be_focused()
    page.keyboard.type("falc")
    bot = page.get_by_role("option", name=re.compile("^Falcon.*v1 by Ada"))
    expect(bot).to_have_attribute("href", re.compile(r"^/bots/\d+$"))
    proper(page, "search")
    page.keyboard.press("ArrowDown")
    expect(bot).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/bots/\d+$"))
    expect(page.get_by_role("option")).to_have_count(0)
    # A match by its number: Enter takes the best. Nothing is found where there is nothing.
    page.keyboard.press("/")
    expect(field).to_be_focused()
    page.keyboard.type("nobody at all")
    expect(page.get_by_text("Nothing found for “nobody at all”.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Nothing found for")).to_be_hidden()
    field.fill(f"#{game}")
    expect(page.get_by_role("option")).to_have_attribute("href", f"/match/{game}")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/match/{game}")


def searched_by_finger(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.get_by_role("button", name="Search").tap()
    expect(page.get_by_role("combobox", name="Search for a bot, a person or a match")).to_be_focused()
    page.keyboard.type("ada")
    found = page.get_by_role("option", name=re.compile("^Ada.*1 bot on the ladder of Skerries"))
    expect(found).to_be_visible()
    proper(page, "search, phone")
    found.tap()
    page.wait_for_url("**/ladder/skerries?author=Ada")
    expect(page.locator("tr[data-bot]")).to_have_count(1)


def in_a_group(page: Page, server: Server, engine: Engine) -> None:
    """The ladder of the people of a group; who is in none has nothing to choose from."""
    page.goto(f"{server.address}/ladder/skerries")
    expect(page.locator("tr[data-bot]").nth(3)).to_be_visible()
    expect(page.get_by_label("Group")).to_have_count(0)
    with writing(engine) as connection:
        of = db.bots.c
        ada, falcon = connection.execute(select(of.account_id, of.id).where(of.name == "Falcon")).one()
        public = connection.execute(select(db.ladders.c.id).where(db.ladders.c.circle == "")).scalar_one()
        group = groups.create(connection, ada, "Algorithms 2026", "class", public)
        groups.join(connection, group, ada, groups.find(connection, group).invite)
        groups.enter(connection, group, ada, falcon)
    page.reload()
    page.get_by_label("Group").select_option("Algorithms 2026")
    expect(page.locator("tr[data-bot]")).to_have_count(1)
    expect(page.get_by_text("Filtered: by members of Algorithms 2026.")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"group={group}\b"))
    proper(page, "ladder of a group's people")


def ladder(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/ladder/skerries")
    falcon = page.locator("tr[data-bot]").filter(has_text="Falcon")
    expect(falcon).to_contain_text("you")
    expect(page.get_by_role("rowgroup").filter(has_text="Band 2").first).to_be_visible()
    expect(falcon.get_by_role("img")).to_have_attribute("aria-label", re.compile(r"95 % between"))
    proper(page, "ladder")

    # The row cursor: the bracket follows, and the sentence says what is known.
    page.keyboard.press("Shift+M")
    expect(falcon.get_by_role("link")).to_be_focused()
    expect(page.locator(".say")).to_contain_text("Falcon")
    page.keyboard.press("Home")
    expect(page.locator("tr[data-bot]").first.get_by_role("link")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("tr[data-bot]").nth(1).get_by_role("link")).to_be_focused()
    page.keyboard.press("]")
    page.keyboard.press("Escape")
    expect(page.locator(".say")).to_contain_text("Select a row")

    # Filters are part of the address; ranks stay those of the whole ladder.
    rank = falcon.locator("td.rank").inner_text()
    page.keyboard.press("/")
    page.keyboard.type("falc")
    expect(page.locator("tr[data-bot]")).to_have_count(1)
    expect(page).to_have_url(re.compile("q=falc"))
    assert falcon.locator("td.rank").inner_text() == rank
    page.keyboard.type("zzz")
    page.get_by_role("button", name="Clear filters").click()
    expect(page.locator("tr[data-bot]").nth(3)).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert "Falcon" in download.value.path().read_text()


def match(page: Page, server: Server, game: int, *, mine: bool) -> None:
    held: list[Route] = []
    is_held = True
    page.route("**/record**", lambda route: held.append(route) if is_held else route.continue_())
    page.goto(f"{server.address}/match/{game}")
    expect(page.get_by_text("Loading the record")).to_be_visible()
    expect(page.get_by_text("has been deleted")).to_have_count(0)
    is_held = False  # one that comes meanwhile goes on, too
    for route in held:
        route.continue_()
    page.unroute("**/record**")
    expect(page.get_by_text("CPU a turn").first).to_be_visible()
    expect(page.locator("code")).to_contain_text(f"polemos debug {server.address}/match/{game} --turn 1 --seat ")
    if mine:
        log = page.get_by_role("region", name="Falcon's log").last
        expect(log).to_contain_text("plan a")
        page.keyboard.press(".")
        page.keyboard.press(".")
        expect(log.locator(".now")).to_contain_text("plan b")
        expect(page.locator("code")).to_contain_text("--turn 2")
    else:
        expect(page.get_by_text("Only Ada can read Falcon's log.")).to_be_visible()
        expect(page.get_by_text("plan a")).to_have_count(0)
    proper(page, "match")


def running(page: Page, server: Server, job: Job, *, mine: bool) -> None:
    """A game that its worker tells about: everybody sees board and faults, its author the log."""
    entry = _entry(job)
    assert entry is not None
    faults = (LiveFault(2, 1 - entry, "strike", "late"), LiveFault(3, entry, "void", "2"))
    board = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 40"><rect width="90" height="40"/></svg>'
    seats = ("red", "blue")
    live = Live(
        job.id, job.lease, 4, 12, seats, (0, 0), (0, 0), (0.25, 0.5), faults, board, {entry: b"plan a\nplan b\n"}
    )
    Lives(server.folder / "ladder" / LIVE).put(live)
    page.goto(f"{server.address}/match/{job.id}")
    expect(page.get_by_role("img", name="The board on turn 4 of 12")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Turn 2,")).to_contain_text("strike: late")
    expect(page.get_by_role("listitem").filter(has_text="Turn 3, Falcon")).to_contain_text("2 void lines")
    expect(page.get_by_role("group", name="Falcon's log")).to_have_count(int(mine))
    proper(page, "running game")
    if mine:
        expect(page.get_by_role("group", name="Falcon's log")).to_contain_text("plan b")
        Lives(server.folder / "ladder" / LIVE).put(replace(live, turn=5))
        expect(page.get_by_role("img", name="The board on turn 5 of 12")).to_be_visible()


def resorted(page: Page, server: Server, engine: Engine) -> None:
    """Results come in while somebody looks: figures change where they are, and rows move only when asked to."""
    page.goto(f"{server.address}/ladder/skerries")
    rows, falcon = page.locator("tr[data-bot]"), page.locator("tr[data-bot]").filter(has_text="Falcon")
    expect(rows.nth(2)).to_contain_text("Falcon")
    page.set_viewport_size({"width": WIDE[0], "height": 420})
    page.keyboard.press("Shift+M")
    page.evaluate("scrollTo(0, 150)")
    at = rows.all_inner_texts()
    with writing(engine) as connection:  # Falcon has won a lot since the last fit
        of, bots = db.ratings, db.bots
        ours = select(bots.c.version_id).where(bots.c.name == "Falcon").scalar_subquery()
        connection.execute(update(of).where(of.c.version_id == ours).values(mu=of.c.mu + 5))
    expect(falcon).not_to_contain_text("1680", timeout=2 * PATIENCE)
    assert [text.split()[1] for text in rows.all_inner_texts()] == [text.split()[1] for text in at]
    sort = page.get_by_role("button", name="Re-sort")
    expect(sort).to_be_enabled()
    before = falcon.bounding_box()
    page.keyboard.press("Shift+S")
    expect(rows.nth(1)).to_contain_text("Falcon")
    expect(falcon).to_contain_text("was 3rd")
    expect(rows.nth(2)).to_contain_text("was 2nd")
    expect(falcon.get_by_role("link")).to_be_focused()
    after = falcon.bounding_box()
    assert before
    assert after
    assert abs(before["y"] - after["y"]) <= 2, "the focused row stays where it was on the screen"
    expect(sort).to_be_disabled()
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})


def at_a_table(page: Page, server: Server) -> None:
    """From the page of a bot to a table where it has a seat. Its program has no files here: its own tests play it."""
    page.goto(f"{server.address}/ladder/skerries")
    page.locator("tr[data-bot]").get_by_role("link", name="Wren", exact=True).click()
    page.get_by_role("link", name="Play it").click()
    expect(page.get_by_role("heading", name="Open a table")).to_be_visible()
    show_more(page)
    chosen = page.get_by_label("Who plays Blue")
    expect(chosen.locator("option:checked")).to_have_text(re.compile(r"^Bot: Wren v1"))


def operator(page: Page, server: Server) -> None:
    """The ladders on the operator's page: paused and resumed, and a machine shut out, each with a reason."""
    run(server, "add", "Ada")
    expect_soon(page, f"{server.address}/operator")
    ladders = page.get_by_role("region", name="Ladders")
    row = ladders.get_by_role("listitem").filter(has_text="Skerries")
    for now, then in (("Pause", "Resume"), ("Resume", "Pause")):
        row.get_by_role("button", name=f"{now} …").click()
        page.get_by_label("Reason").fill("maintenance")
        page.get_by_role("button", name=now, exact=True).click()
        expect(row.get_by_role("button", name=f"{then} …")).to_be_visible()
    worker = ladders.get_by_role("listitem").filter(has_text="tester")
    expect(worker).to_contain_text("dropped out")
    worker.get_by_role("button", name="Shut out …").click()
    page.get_by_label("Reason").fill("too hot")
    page.get_by_role("button", name="Shut out", exact=True).click()
    expect(worker).to_contain_text("set aside: too hot")
    proper(page, "operator")


def printed(page: Page, server: Server) -> None:
    """On paper: the filters in words, no buttons and no live lists."""
    page.goto(f"{server.address}/ladder/skerries?q=falc")
    expect(page.locator("tr[data-bot]")).to_have_count(1)
    page.emulate_media(media="print")
    expect(page.get_by_text("Filtered: “falc”.")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("heading", name="Playing now")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(media="screen")


def queue(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/queue")
    expect(page.get_by_role("heading", name="Queue")).to_be_visible()
    expect(page.get_by_role("heading", name="Playing").first).to_be_visible()
    proper(page, "queue")


def challenge(page: Page, server: Server) -> None:
    """From the page of a bot to a challenge by one's own."""
    page.goto(f"{server.address}/ladder/skerries")
    page.locator("tr[data-bot]").get_by_role("link", name="Heron", exact=True).click()
    page.get_by_role("link", name="Challenge").click()
    expect(page.get_by_role("heading", name="Challenge Heron")).to_be_visible()
    expect(page.get_by_label("Your bot")).to_contain_text("Falcon v1 by you")
    proper(page, "new challenge")
    page.get_by_role("button", name="Play 2 games").click()
    expect(page.get_by_text("0 of 2 games played")).to_be_visible()
    proper(page, "challenge")


def season(page: Page, server: Server) -> None:
    ladder = page.request.get(f"{server.address}/api/ladders").json()[0]["id"]
    page.goto(f"{server.address}/seasons/{ladder}/1")
    expect(page.get_by_role("heading", name=re.compile("season 1$"))).to_be_visible()
    row = page.get_by_role("row").filter(has_text="Wren")
    expect(row).to_contain_text("1790 ±20")
    expect(row.get_by_role("img")).to_have_attribute("aria-label", "1790, 95 % between 1770 and 1810")
    proper(page, "season")


def proper(page: Page, what: str) -> None:
    check(page, what)
    assert sticks_out(page) <= 0, f"{what} scrolls sideways"
