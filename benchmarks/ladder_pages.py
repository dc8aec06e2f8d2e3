"""Every page of the ladder inside `polemos serve`, over tables with very many games.

    python -m benchmarks.ladder_pages [--bots 1000] [--games 1000000] [--postgres] [--folder FOLDER] [--times 12]

It fills the tables with games of three days, up to this moment, of bots with two versions each, a fit for every hour,
games that wait and games that are being played. Then it starts a server and asks for every page, one at a time, more
than a second apart, since answers are kept for a second. It prints the time until the whole answer was there, and the
CPU time that the server and its database took meanwhile, so whatever they did in the background is among it. With
--folder, the tables stay there, and the next run uses them again. With --postgres, a PostgreSQL of its own is started
in the folder; otherwise it is SQLite.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, suppress
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, Final

from benchmarks.ladder import count_of, filled, invent
from benchmarks.ladder_serve import Database, Program, database, server
from sqlalchemy import Engine, insert, literal, select, update

from polemos.ladder import bots, fits, ladders
from polemos.ladder.clock import writing
from polemos.ladder.ladders import Map
from polemos.server.store import groups as store
from polemos.server.store import ladder as db
from polemos.server.store import schema
from polemos.server.store.ledger import connect

MAPS: Final = tuple(Map(f"map {number}") for number in range(1, 5))
HOURS: Final = 72  # with a fit each
NAME, PASSWORD = "Rosalind", "correct horse"  # the account that asks
OWN: Final = 10  # of the bots are hers
AUTHORS: Final = select(db.bots.c.id).where(db.bots.c.account_id.is_not(None))
KEPT: Final = 1.1  # seconds between two requests


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--bots", type=int, default=1000)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--times", type=int, default=12)
    given = parser.parse_args()
    with ExitStack() as until:
        folder = given.folder or Path(until.enter_context(tempfile.TemporaryDirectory(prefix="polemos-ladder-")))
        folder.mkdir(parents=True, exist_ok=True)
        where = until.enter_context(database(folder, given.postgres))
        engine = connect(where.url)
        if not count_of(engine):
            fill(engine, given.bots, given.games)
        running = server(folder, where, 0)
        until.callback(running.end)
        time.sleep(20)  # a server that has just started looks at everything once
        person = Person(running, folder, where, engine)
        ask(running, where, engine, person, given.times)
        engine.dispose()


# ---- filling


def fill(engine: Engine, count: int, games: int) -> None:
    began = time.monotonic()
    ladder = filled(engine, count, None, {}, rules="full", maps=MAPS)
    with writing(engine) as connection:
        for bot in connection.execute(AUTHORS).scalars().all():
            bots.passed(connection, bots.add_version(connection, bot, f"{bot:064x}", language="Rust"))
    invent(engine, ladder, games)
    print(f"{games:,} games of {count:,} bots made up in {time.monotonic() - began:.0f} s", flush=True)
    began = time.monotonic()
    with engine.connect() as connection:
        found = ladders.one(connection, ladder)
    first = fits.fit(engine, found)
    assert first is not None
    print(f"a fit in {time.monotonic() - began:.0f} s", flush=True)
    _every_hour(engine, first, found.season)
    with writing(engine) as connection:
        connection.execute(update(db.ladders).values(state="paused"))  # nothing but pages


def _every_hour(engine: Engine, first: int, season: int) -> None:
    """The same fit once more for every hour; the last is half an hour old."""
    of, at = db.fit_ratings, time.time()
    columns = [column for column in of.c if column.name != "fit_id"]
    with writing(engine) as connection:
        games = connection.execute(select(db.fits.c.games).where(db.fits.c.id == first)).scalar_one()
        connection.execute(update(db.fits).where(db.fits.c.id == first).values(at=at - (HOURS + 0.5) * 3600))
        fit = first
        for hours in reversed(range(HOURS)):
            row = {"season_id": season, "at": at - (hours + 0.5) * 3600, "games": games}
            fit = connection.execute(insert(db.fits).values(row).returning(db.fits.c.id)).scalar_one()
            copied = select(literal(fit), *columns).where(of.c.fit_id == first)
            connection.execute(insert(of).from_select(["fit_id", *(column.name for column in columns)], copied))
        connection.execute(update(db.seasons).where(db.seasons.c.id == season).values(fit_id=fit))


# ---- asking


class Person:
    """Somebody with ten of the bots, who is an operator and runs a group with all of the bots in it."""

    def __init__(self, running: Program, folder: Path, where: Database, engine: Engine) -> None:
        self._base = running.address
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        said = {"name": NAME, "password": PASSWORD}
        try:
            me = self._post("/api/accounts", said)
        except urllib.error.HTTPError:  # she is known already
            self._post("/api/session", said)
        me = json.loads(self.get("/api/me"))
        words = ["--folder", str(folder), "--database", where.url]
        subprocess.run(
            [sys.executable, "-m", "polemos", "operator", "add", NAME, *words], check=False, capture_output=True
        )
        with engine.connect() as connection:
            id = connection.execute(select(schema.accounts.c.id).where(schema.accounts.c.name == NAME)).scalar_one()
            self.ladder = connection.execute(
                select(db.ladders.c.id).where(db.ladders.c.rules == "full", db.ladders.c.circle == "")
            ).scalar_one()
            group = connection.execute(select(store.groups.c.id)).scalar()
        if group is None:
            new = {"name": "Everybody", "kind": "club", "ladder": self.ladder}
            group = json.loads(self._post("/api/groups", new, me["csrf"]))["id"]
            self._settle(engine, id, group)
        self.group: str = group

    def _settle(self, engine: Engine, account: int, group: str) -> None:
        of = db.entries
        with writing(engine) as connection:
            last = connection.execute(AUTHORS.order_by(db.bots.c.id.desc()).limit(OWN)).scalars().all()
            connection.execute(update(db.bots).where(db.bots.c.id.in_(last)).values(account_id=account))
            ladder = connection.execute(select(store.groups.c.ladder_id)).scalar_one()
            there = select(of.c.bot_id).where(of.c.ladder_id == ladder)
            rest = select(literal(ladder), of.c.bot_id, of.c.entered)
            rest = rest.where(of.c.ladder_id == self.ladder, of.c.bot_id.not_in(there))
            connection.execute(insert(of).from_select(["ladder_id", "bot_id", "entered"], rest))
            connection.execute(update(db.ladders).values(state="paused"))

    def _post(self, path: str, body: dict[str, Any], csrf: str = "") -> bytes:
        headers = {"Content-Type": "application/json", **({"X-CSRF-Token": csrf} if csrf else {})}
        request = urllib.request.Request(self._base + path, json.dumps(body).encode(), headers)
        with self._opener.open(request, timeout=60) as answer:
            data: bytes = answer.read()
            return data

    def get(self, path: str) -> bytes:
        """As a browser asks: answers may be compressed."""
        request = urllib.request.Request(self._base + path, headers={"Accept-Encoding": "gzip"})
        with self._opener.open(request, timeout=60) as answer:
            data: bytes = answer.read()
            return data


def ask(running: Program, where: Database, engine: Engine, person: Person, times: int) -> None:
    with engine.connect() as connection:
        bot = connection.execute(AUTHORS.order_by(db.bots.c.id.desc()).limit(1)).scalar_one()
        last = connection.execute(select(db.games.c.id).order_by(db.games.c.id.desc()).limit(1)).scalar_one()
    ladder = person.ladder
    paths = {
        "ladders": "/api/ladders",
        "ladder": f"/api/ladders/{ladder}",
        "trends": f"/api/ladders/{ladder}/trends",
        "table as CSV": f"/api/ladders/{ladder}/table.csv",
        "queue": "/api/ladder/queue",
        "game": f"/api/ladder/games/{last // 2}",
        "game that is played": f"/api/ladder/games/{last - 220}",
        "bot": f"/api/ladder-bots/{bot}",
        "results as a feed": f"/api/ladder/bots/{bot}/results.atom",
        "results as CSV": f"/api/ladder/bots/{bot}/results.csv",
        "my bots": "/api/my/bots",
        "challenge": f"/api/ladders/{ladder}/challenge",
        "seasons": f"/api/ladders/{ladder}/seasons",
        "season": f"/api/ladders/{ladder}/seasons/1",
        "season as CSV": f"/api/ladders/{ladder}/seasons/1/table.csv",
        "group": f"/api/groups/{person.group}",
        "people": "/api/ladder/demons/people",
        "search for a bot": "/api/search?q=small+77",
        "search for a meeting": "/api/search?q=small+1+vs+small+2",
        "search for a match": f"/api/search?q=%23{last // 2}",
        "for operators": "/api/operator/ladder",
    }
    for name, path in paths.items():
        clock, cpu, size = [], [], len(person.get(path))
        for _ in range(times):
            time.sleep(KEPT)
            began, before = time.perf_counter(), cpu_of(running, where)
            person.get(path)
            clock.append((time.perf_counter() - began) * 1000)
            time.sleep(0.02)  # until it has noted that the answer is sent
            cpu.append((cpu_of(running, where) - before) * 1000)
        clock.sort()
        cpu.sort()
        print(f"{name:20} {size:9,} bytes  {_half(clock)}  CPU {_half(cpu)}", flush=True)
    before, start = cpu_of(running, where), time.monotonic()
    time.sleep(15)
    idle = (cpu_of(running, where) - before) / (time.monotonic() - start)
    print(f"with nobody asking: {idle:.1%} of a core")


def _half(times: list[float]) -> str:
    return f"median {times[len(times) // 2]:5.0f} ms, worst {times[-1]:5.0f} ms"


def cpu_of(running: Program, where: Database) -> float:
    """CPU seconds of the server and its database so far."""
    processes = [running.process.pid]
    if where.process is not None:
        main = where.process.pid
        processes += [main, *map(int, Path(f"/proc/{main}/task/{main}/children").read_text().split())]
    found = 0
    for process in processes:
        for task in Path(f"/proc/{process}/task").glob("*/schedstat"):
            with suppress(OSError):  # a thread that has just ended
                found += int(task.read_text().split()[0])
    return found / 1e9


if __name__ == "__main__":
    main()
