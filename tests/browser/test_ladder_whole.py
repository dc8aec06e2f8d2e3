"""The whole ladder: a server on PostgreSQL and two workers; bots in three languages, uploaded through the page, are
rated; a worker and the server are killed; the table is right.
"""

from __future__ import annotations

import faulthandler
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Locator, Page, expect
from sqlalchemy import Engine, func, select

from browser.conftest import NewPage
from browser.test_axe import WIDE
from browser.test_bots import GAME, LONG, PASSES_IN_JS, card, manifest
from browser.test_operator import sign_up
from parcels import PASSES, PASSES_IN_C, zipped
from polemos.cli.operator import command
from polemos.ladder.leases import DONE, LEASED
from polemos.server.store import ladder as db
from polemos.server.store.ledger import connect
from unit.ladder.small import Small, close, expected, live
from unit.server.conftest import cluster as cluster
from unit.server.postgres import Postgres
from unit.server.serving import Process

pytestmark = [pytest.mark.slow, pytest.mark.long]

NAMES = ("Falcon", "Kite", "heron")
PENDING = 3.0  # seconds until whatever was reported counts
LONGEST = 1200  # seconds; a lease alone takes a minute to expire


class Books(Small):
    """The database of a running server, to be compared with what its pages say."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine


class Worker:
    """`polemos worker` as on another machine."""

    def __init__(self, server: Process, folder: Path, name: str) -> None:
        secret = operate(server, "add-worker", name)
        self.name = name
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "polemos", "worker", "--server", server.address),
                *("--processes", "1", "--folder", str(folder / name)),
            ],
            env={**os.environ, "POLEMOS_WORKER_TOKEN": secret},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def is_caught(self, books: Books) -> bool:
        """Stops it, and looks whether that was in the middle of a game; if not, it goes on."""
        os.killpg(self.process.pid, signal.SIGSTOP)
        time.sleep(PENDING)
        if playing(books, self.name):
            return True
        os.killpg(self.process.pid, signal.SIGCONT)
        return False

    def end(self, how: signal.Signals) -> None:
        """With everything that it has started."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, how)
        self.process.wait(60)


def operate(server: Process, *words: str) -> str:
    assert server.database is not None
    at = ("--folder", str(server.folder), "--database", server.database)
    done = CliRunner().invoke(command, [words[0], *at, *words[1:]])
    assert done.exit_code == 0, f"{done.output}{done.exception!r}"
    return done.output.strip()


def wait_for(what: Callable[[], object], why: str, seconds: float = 300.0) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, why
        time.sleep(0.2)


@pytest.fixture
def running(cluster: Postgres, tmp_path: Path) -> Iterator[Process]:
    """A server that plays nothing itself."""
    server = Process(tmp_path, cluster.new(), "--ladder", "--ladder-workers", "0", "--limits", "1000")
    yield server
    server.kill()


@pytest.fixture
def books(running: Process) -> Iterator[Books]:
    assert running.database is not None
    engine = connect(running.database)
    yield Books(engine)
    engine.dispose()


@contextmanager
def workers(server: Process, folder: Path, *names: str) -> Iterator[list[Worker]]:
    hired = [Worker(server, folder, name) for name in names]
    try:
        yield hired
    finally:
        for worker in hired:
            worker.end(signal.SIGKILL)


def test_from_uploads_in_three_languages_to_a_table_that_survives(
    running: Process, books: Books, new_page: NewPage, tmp_path: Path
) -> None:
    faulthandler.dump_traceback_later(LONGEST, exit=True)  # instead of the limit of other tests
    page = new_page(*WIDE)
    sign_up(page, running, "Ada")
    upload(page, running, tmp_path)
    with workers(running, tmp_path, "oak", "ash") as (oak, ash):
        page.goto(f"{running.address}/ladder/{GAME}")
        for name in NAMES:
            expect(row_of(page, name).locator("td.rating")).to_contain_text(re.compile(r"\d{3,4}"), timeout=LONG)
        wait_for(lambda: playing(books, "ash") and ash.is_caught(books), "the second worker plays nothing")
        ash.end(signal.SIGKILL)
        running.kill()
        before = played(books)
        running.start()
        wait_for(lambda: played(books) > before, "nothing is played after the server was killed")

        # No more games; those of the dead worker are played by the other one, once its leases have expired.
        number = next(line.split()[0] for line in operate(running, "ladders").splitlines() if GAME in line)
        operate(running, "pause-ladder", number, "--why", "to be counted")
        of = db.games.c
        wait_for(lambda: count(books, of.state != DONE) == 0, "games are left")
        wait_for(lambda: count(books, of.taken == 0) == 0, "games are not rated")
        oak.end(signal.SIGTERM)
    check(books)
    compare(page, running, books)


def upload(page: Page, server: Process, folder: Path) -> None:
    """Python as a folder, C as a zip that is built, JavaScript as a file for a game that is chosen."""
    python = folder / "falcon"
    python.mkdir()
    (python / "bot.py").write_text(PASSES)
    (python / "bot.toml").write_text(manifest("Falcon", "python", "python3 bot.py"))
    c = manifest("Kite", "c", "./bot", "gcc -O2 -o bot bot.c")
    js = folder / "heron.js"
    js.write_text(PASSES_IN_JS)
    page.goto(f"{server.address}/upload")
    page.get_by_label("Folder").set_input_files(python)
    expect(card(page, "Falcon v1").get_by_text("accepted", exact=True)).to_be_visible(timeout=LONG)
    page.get_by_label("File").set_input_files(zipped(folder / "kite.zip", {"bot.toml": c, "bot.c": PASSES_IN_C}))
    expect(card(page, "Kite v1").get_by_text("accepted", exact=True)).to_be_visible(timeout=LONG)
    page.get_by_label("Game").select_option(GAME)
    page.get_by_label("File").set_input_files(js)
    expect(card(page, "heron v1").get_by_text("accepted", exact=True)).to_be_visible(timeout=LONG)


def row_of(page: Page, name: str) -> Locator:
    return page.locator("tr[data-bot]").filter(has=page.get_by_role("link", name=name, exact=True))


# ---- the database


def count(books: Books, *which: object) -> int:
    (found,) = books.one(select(func.count()).select_from(db.games).where(*which))  # type: ignore[arg-type]
    return int(found)


def played(books: Books) -> int:
    return count(books, db.games.c.cause == "played")


def playing(books: Books, worker: str) -> int:
    theirs = select(db.workers.c.id).where(db.workers.c.name == worker).scalar_subquery()
    return count(books, db.games.c.state == LEASED, db.games.c.worker_id == theirs)


def check(books: Books) -> None:
    """Every game counts once, wherever it counts, and ratings are those of a run in which nothing happened."""
    of, seats = db.games.c, db.seats.c
    assert count(books, of.cause == "broken") == 0
    assert count(books, of.lost > 0) > 0, "nothing was killed in the middle"
    by_version = (
        select(seats.version_id, func.count())
        .join_from(db.seats, db.games, of.id == seats.game_id)
        .where(of.cause == "played")
        .group_by(seats.version_id)
    )
    tallies, pairs = db.tallies.c, db.pairs.c
    assert dict(books.rows(select(tallies.version_id, tallies.games))) == dict(books.rows(by_version))
    (met,) = books.one(select(func.sum(pairs.games)))
    assert met == 2 * played(books)  # each of the two against the other
    assert close(live(books), expected(books))


def compare(page: Page, server: Process, books: Books) -> None:
    """The table on the page has what is in the database."""
    page.goto(f"{server.address}/ladder/{GAME}")
    bots, tallies = db.bots.c, db.tallies.c
    games = dict(
        books.rows(
            select(bots.name, tallies.games).join_from(db.bots, db.tallies, tallies.version_id == bots.version_id)
        )
    )
    assert set(NAMES) <= games.keys()
    for name in NAMES:
        expect(row_of(page, name).locator("td.games")).to_have_text(str(games[name]))
        expect(row_of(page, name).locator("td.author")).to_have_text("Ada")
    people = page.get_by_role("region", name="People")
    expect(people).to_contain_text("Nobody has finished a rated match")
    expect(people).not_to_contain_text("Falcon")
