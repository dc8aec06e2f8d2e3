"""The ladder under load: boxed games a minute, what pairing costs, how long pages wait, and kills.

    python benchmarks/ladder.py games [--seconds 120] [--bots 200] [--turns 300] [--processes 2] [--database URL]
    python benchmarks/ladder.py pages [--bots 1000] [--games 1000000] [--database postgresql://...]
    python benchmarks/ladder.py kills [--kills 200] [--bots 20] [--turns 60] [--database postgresql://...]

`games` puts small Python bots on a ladder of Demons and plays in the box; it prints games a minute, the CPU share of
the thread that pairs and rates, and how long it took until every bot had its first rating. `pages` fills the tables
and times every query of `polemos.ladder.queries`, and the scheduler with that many bots. `kills` kills workers, the
referee and the whole engine at random moments, then checks that every game was counted once and that the ratings are
those of a clean run over the same games. Without `--database` it is SQLite in a fresh folder.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

from sqlalchemy import Engine, Table, func, insert, select, update

from polemos.arena.tournament.ratings import InOrder
from polemos.hosts.bundle import Bundle, pack
from polemos.ladder import bots, fits, ladders, queries
from polemos.ladder.bell import Bell
from polemos.ladder.clock import writing
from polemos.ladder.engine import Ladders
from polemos.ladder.files import Bundles
from polemos.ladder.live import Lives
from polemos.ladder.players import Processes
from polemos.ladder.rater import Rater
from polemos.ladder.rater import played as as_played
from polemos.ladder.scheduler import Scheduler
from polemos.server.ladder.pages import LadderPages
from polemos.server.ladder.search import Search
from polemos.server.store import ladder as db
from polemos.server.store import migrate, schema
from polemos.server.store.ledger import connect

GAME: Final = "demons"
BOT: Final = """
import json, random, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        dice = random.Random(message["seed"])
        print(json.dumps({"type": "ready", "options": True, "name": "small %d"}), flush=True)
    elif message["type"] == "view":
        some = [option["text"] for option in message["options"] or [] if not option["text"].startswith("resign")]
        orders = [dice.choice(some)] if some and dice.random() < %.2f else []
        print(json.dumps({"type": "orders", "orders": orders}), flush=True)
    elif message["type"] == "result":
        break
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["games", "pages", "kills", "engine"])
    parser.add_argument("--database")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--kills", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="polemos-ladder-") as name:
        folder = given.folder or Path(name)
        url = given.database or f"sqlite:///{folder / 'polemos.db'}"
        engine = connect(url)
        migrate.upgrade(engine)
        if given.part == "games":
            play(engine, folder, given)
        elif given.part == "pages":
            pages(engine, given)
        elif given.part == "kills":
            kill(engine, url, folder, given)
        else:
            serve(engine, folder, given.processes)
        engine.dispose()


# ---- bots and results


def bundle(folder: Path, number: int) -> Bundle:
    home = folder / "sources" / f"{number}"
    home.mkdir(parents=True, exist_ok=True)
    (home / "bot.py").write_text(BOT % (number, 0.05 + 0.9 * (number % 97) / 97))
    return pack([sys.executable, str(home / "bot.py")])


def filled(engine: Engine, count: int, folder: Path | None, options: dict[str, Any], **how: Any) -> int:
    """A ladder with so many bots."""
    with writing(engine) as connection:
        ladder = ladders.open_ladder(connection, GAME, options=options, **how)
        for number in range(count):
            row = {
                "name": f"author {number}",
                "folded": f"{number}",
                "looks": f"{number}",
                "password": "",
                "created": 0.0,
            }
            author = connection.execute(
                insert(schema.accounts).values(row).returning(schema.accounts.c.id)
            ).scalar_one()
            bot = bots.add(connection, GAME, f"small {number}", author)
            digest = f"{number:032x}" if folder is None else Bundles(folder / "bots").put(bundle(folder, number))
            bots.passed(connection, bots.add_version(connection, bot, digest, language="Python"))
            ladders.enter(connection, ladder, bot)
    return ladder


def count_of(engine: Engine, *which: Any) -> int:
    with engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(db.games).where(*which)).scalar_one())


# ---- games a minute


def play(engine: Engine, folder: Path, given: argparse.Namespace) -> None:
    filled(engine, given.bots, folder, {"turns": given.turns})
    running = Ladders(engine, folder)
    running.start(Processes(given.processes))
    pairing = next(thread for thread in running.threads if thread.name == "ladder")
    assert pairing.ident is not None
    clock = time.pthread_getcpuclockid(pairing.ident)
    _wait_for_first(engine)
    began, cpu, games, all_rated = time.monotonic(), time.clock_gettime(clock), count_of(engine, *PLAYED), None
    while time.monotonic() - began < given.seconds:
        time.sleep(1)
        with engine.connect() as connection:
            rated = connection.execute(select(func.count()).select_from(db.ratings)).scalar_one()
        if all_rated is None and rated >= given.bots:
            all_rated = time.monotonic() - began
    seconds = time.monotonic() - began
    games = count_of(engine, *PLAYED) - games
    share = (time.clock_gettime(clock) - cpu) / seconds
    running.stop()
    faults = count_of(engine, db.games.c.faulty > 0)
    broken = count_of(engine, db.games.c.lost > 0)
    print(f"{games / seconds * 60:.0f} boxed games of {given.turns} turns a minute ({games} in {seconds:.0f} s)")
    print(f"pairing and rating: {share:.1%} of a core; {faults} games with faults, {broken} that lost a lease")
    print("every bot had a rating after " + ("more time than that" if all_rated is None else f"{all_rated:.0f} s"))


PLAYED: Final = (db.games.c.cause == "played",)


def _wait_for_first(engine: Engine) -> None:
    """Rules are compiled and processes have started when the first games have been played."""
    until = time.monotonic() + 180
    while count_of(engine, *PLAYED) < 4 and time.monotonic() < until:
        time.sleep(0.2)


# ---- pages


def pages(engine: Engine, given: argparse.Namespace) -> None:
    ladder_id = filled(engine, given.bots, None, {})
    began = time.monotonic()
    invent(engine, ladder_id, given.games)
    print(f"{given.games:,} games of {given.bots:,} bots made up in {time.monotonic() - began:.0f} s")
    with engine.connect() as connection:
        ladder = ladders.one(connection, ladder_id)
    began = time.monotonic()
    fit = fits.fit(engine, ladder)  # longer than PostgreSQL lets a transaction wait, on a busy machine
    print(f"fit: {time.monotonic() - began:.1f} s")
    with engine.connect() as connection:
        bot, version = connection.execute(
            select(db.bots.c.id, db.bots.c.version_id).order_by(db.bots.c.id.desc()).limit(1)
        ).one()
    last = count_of(engine)
    statements = {
        "ladder": queries.table(ladder.id, ladder.season),
        "games of a bot": queries.games_of(bot),
        "games of a bot, further back": queries.games_of(bot, before=last // 2),
        "seats of 50 games": queries.seats_of(list(range(last - 50, last))),
        "standing of a bot": queries.standings(select(db.bots.c.id).where(db.bots.c.id == bot)),
        "opponents": queries.opponents(ladder.season, version, fit, 30),
        "results by map": queries.by_map(ladder.season, version),
        "all results of a bot": queries.results_of(bot, 5000),
        "curves": queries.curves(bot, ladder.id),
        "faults": queries.faults_of(bot),
        "times": queries.times_of(version),
        "versions": queries.versions(bot),
        "just finished": queries.finished(ladder.season),
        "playing": queries.playing(),
        "waiting": queries.waiting(),
        "results since the fit": queries.since_fit(ladder.season),
        "pace": queries.pace([ladder.season]),
        "seasons": queries.archive(ladder.id),
    }
    for name, statement in statements.items():

        def rows_of(statement: Any = statement) -> int:
            with engine.connect() as connection:
                return len(connection.execute(statement).all())

        timed(name, rows_of)
    with tempfile.TemporaryDirectory() as folder:
        for name in (f"small {given.bots - 1}", "small 1 vs small 2", "author 7"):
            timed(f"search for {name}", partial(searched, engine, Path(folder), name))
    bell = Bell(engine)
    scheduler = Scheduler(engine, bell)
    began, cpu = time.monotonic(), time.thread_time()
    paired = scheduler.look()
    print(f"a look of the scheduler: {paired} games paired in {(time.monotonic() - began) * 1000:.0f} ms,", end=" ")
    print(f"{(time.thread_time() - cpu) * 1000:.0f} ms of CPU")
    began = time.monotonic()
    rated = Rater(engine, ladder.season).look()
    print(f"live ratings, read again from the database: {time.monotonic() - began:.2f} s ({rated} games)")
    bell.close()


def timed(name: str, ask: Callable[[], int]) -> None:
    times, rows = [], 0
    for _ in range(20):
        began = time.perf_counter()
        rows = ask()
        times.append((time.perf_counter() - began) * 1000)
    print(f"{name:30} {rows:6} rows  median {median(times):6.1f} ms  worst {max(times):6.1f} ms")


def searched(engine: Engine, folder: Path, text: str) -> int:
    """All that a search asks, by a server that has just started and remembers no names."""
    found = Search(engine, LadderPages(engine, Lives(folder)))
    bots = found.bots(text, None)
    return len(bots) + len(found.people(text)) + len(found.games(text, bots))


FOR: Final = 3 * 86400.0  # seconds over which games are made up: a million are 230 a minute
FAULTY: Final = 0.01  # the share of bots that drop out of a game
WAITING, LEASED = 200, 40  # games besides, that wait or are being played


def invent(engine: Engine, ladder: int, count: int) -> None:
    """Games between random bots over the last days, with all that follows from them; the last ones are not over yet."""
    indexes = [index for table in (db.games, db.seats) for index in table.indexes]  # made afterwards: that is faster
    for index in indexes:
        index.drop(engine)
    with engine.connect() as connection:
        of = ladders.one(connection, ladder)
        versions = db.bot_versions.c
        field: dict[int, list[int]] = {}
        for bot, version in connection.execute(select(versions.bot_id, versions.id).order_by(versions.id)):
            field.setdefault(bot, []).append(version)
    dice, bots, at = random.Random(1), list(field), time.time()
    pairs: dict[tuple[int, int, str], list[int]] = {}
    tallies: dict[int, list[int]] = {}
    for start in range(0, count, 20_000):
        rows, seats = [], []
        for number in range(start + 1, min(count, start + 20_000) + 1):
            first, second = dice.sample(bots, 2)
            # A new version takes over for every bot at the same time.
            playing = [field[bot][(number - 1) * len(field[bot]) // count] for bot in (first, second)]
            won = dice.random() < 0.5
            row = _game_row(of, number, playing, won, count, at)
            played = row["state"] == "done"
            rows.append(row)
            for entry, bot in enumerate((first, second)):
                version, other, wins = playing[entry], playing[1 - entry], won == (entry == 0)
                fault = "crash: exit code 1: made up" if played and dice.random() < FAULTY else None
                place = (number, entry, bot, version, entry)
                result = (2 - wins, float(wins), fault, 0.5, row["done"]) if played else (None, None, None, 0.0, None)
                seats.append((*place, *result))
                if played:
                    cell = pairs.setdefault((version, other, row["map"]), [0, 0])
                    tally = tallies.setdefault(version, [0, 0, 0])
                    for sums in (cell, tally):
                        sums[0] += 1
                        sums[1] += wins
                    tally[2] += fault is not None
        put(engine, db.games, list(rows[0]), [tuple(row.values()) for row in rows])
        put(
            engine,
            db.seats,
            ["game_id", "entry", "bot_id", "version_id", "seat", "rank", "points", "fault", "cpu", "done"],
            seats,
        )
    names = ["season_id", "version_id", "other_id", "map", "games", "wins"]
    put(engine, db.pairs, names, [(of.season, *key, *sums) for key, sums in pairs.items()])
    names = ["season_id", "version_id", "games", "wins", "faults"]
    put(engine, db.tallies, names, [(of.season, version, *sums) for version, sums in tallies.items()])
    names = ["season_id", "version_id", "bot_id", "games", "base_games", "mu", "base_mu", "sigma", "base_sigma"]
    ratings = []
    for bot, own in field.items():
        for version in own:
            mu, games = dice.gauss(25, 4), tallies.get(version, [0])[0]
            ratings.append((of.season, version, bot, games, games, mu, mu, 1.0, 1.0))
    put(engine, db.ratings, names, ratings)
    for index in indexes:
        index.create(engine)
    with writing(engine) as connection:
        connection.execute(update(db.seasons).where(db.seasons.c.id == of.season).values(rated_to=count))
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT setval('ladder_games_id_seq', (SELECT max(id) FROM ladder_games))")
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")


def put(engine: Engine, table: Table, names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    """Many rows at once. PostgreSQL copies: it would end a transaction whose client is slow, as on a busy machine."""
    columns = ", ".join(f'"{name}"' for name in names)
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            holes = ", ".join("?" * len(names))
            connection.exec_driver_sql(f"INSERT INTO {table.name} ({columns}) VALUES ({holes})", list(rows))
            return
        driver: Any = connection.connection.driver_connection
        with driver.cursor() as cursor, cursor.copy(f"COPY {table.name} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)


def _game_row(of: Any, number: int, playing: Sequence[int], won: bool, count: int, at: float) -> dict[str, Any]:
    left = count - number
    state = "waiting" if left < WAITING else "leased" if left < WAITING + LEASED else "done"
    is_over, then = state == "done", at - FOR * left / count
    return {
        "id": number,
        "ladder_id": of.id,
        "season_id": of.season,
        "meeting": number // 2,
        "turn": number % 2,
        "seed": f"{number:064x}",
        "bot_seed": f"{number:064x}",
        "map": of.maps[number // 2 % len(of.maps)].name,
        "options": b"{}",
        "why": "neighbours on the ladder",
        "stage": "season",
        "priority": 3,
        "counts": True,
        "seating": ",".join(map(str, playing)),
        "created": then,
        "state": state,
        "lease": int(state != "waiting"),
        "begun": then,
        "expires": at + 86400 if state == "leased" else None,
        "done": then if is_over else None,
        "cause": "played" if is_over else "",
        "ranks": ("1,2" if won else "2,1") if is_over else "",
        "reason": "base destroyed" if is_over else "",
        "rule": "9.1" if is_over else "",
        "steps": 300 if is_over else 0,
        "fingerprint": f"{number:032x}" if is_over else "",
        "replay": f"{number:032x}" if is_over and left < count / 5 else None,  # fewer than each bot may keep
        "taken": int(is_over),
    }


# ---- kills


def serve(engine: Engine, folder: Path, processes: int) -> None:
    """The engine as a process of its own; it runs until its input ends."""
    running = Ladders(engine, folder, lease=5.0)
    running.start(Processes(processes))
    sys.stdin.read()
    running.stop()


def kill(engine: Engine, url: str, folder: Path, given: argparse.Namespace) -> None:
    filled(engine, given.bots, folder, {"turns": given.turns})
    dice = random.Random(1)
    words = [sys.executable, __file__, "engine", "--database", url, "--folder", str(folder)]
    words += ["--processes", str(given.processes)]

    def started() -> subprocess.Popen[bytes]:
        return subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)

    server = started()
    done = {"workers": 0, "engines": 0}
    while sum(done.values()) < given.kills:
        before = count_of(engine, *PLAYED)
        until = time.monotonic() + 20
        while count_of(engine, *PLAYED) == before and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(dice.uniform(0, 0.5))
        there = list(children(server.pid))
        if dice.random() < 0.1:
            server.kill()
            server.wait()
            server = started()
            done["engines"] += 1
        elif there:
            os.kill(dice.choice(there), signal.SIGKILL)
            done["workers"] += 1
    with engine.begin() as connection:
        connection.execute(update(db.ladders).values(state="paused"))
    until = time.monotonic() + 120
    while count_of(engine, db.games.c.state != "done") and time.monotonic() < until:
        time.sleep(0.5)
    time.sleep(3)  # for the last ratings
    assert server.stdin is not None
    server.stdin.close()
    server.wait(60)
    print(f"{done['workers']} workers and {done['engines']} engines were killed")
    check(engine)


def children(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").glob("*"):
        for child in (task / "children").read_text().split():
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                yield int(child)


def check(engine: Engine) -> None:
    played, left = count_of(engine, *PLAYED), count_of(engine, db.games.c.state != "done")
    given_up, lost = count_of(engine, db.games.c.cause == "broken"), count_of(engine, db.games.c.lost > 0)
    with engine.connect() as connection:
        seats = connection.execute(select(func.sum(db.tallies.c.games))).scalar_one()
        credited = connection.execute(select(func.sum(db.workers.c.games))).scalar_one()
        order = InOrder()
        of = db.games.c
        rows = connection.execute(select(of.id, of.seating, of.ranks, of.fingerprint).where(*PLAYED).order_by(of.id))
        for row in rows.mappings():
            order.take(as_played(row))
        found = connection.execute(select(db.ratings.c.version_id, db.ratings.c.mu, db.ratings.c.sigma)).all()
    wrong = sum(
        abs(order.skill(version).mu - mu) > 1e-9 or abs(order.skill(version).sigma - sigma) > 1e-9
        for version, mu, sigma in found
    )
    print(f"{played} games played, {lost} of them after losing a lease, {given_up} given up, {left} unfinished")
    print(f"counted once: {seats == 2 * played and credited == played}; ratings unlike a clean run: {wrong}")


if __name__ == "__main__":
    main()
