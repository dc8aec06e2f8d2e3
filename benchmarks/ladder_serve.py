"""The ladder inside `polemos serve`: games a minute while people look at pages, and kills.

    python -m benchmarks.ladder_serve load [--bots 200] [--turns 300] [--seconds 120] [--workers 2] [--postgres]
    python -m benchmarks.ladder_serve kills [--kills 200] [--bots 20] [--turns 60] [--postgres]

`load` starts a server with small Python bots on a ladder of Demons, asks for its pages all the while, and prints games
a minute, how long pages took, how long a new version waited for its first rating, and what pairing and rating cost.
`kills` runs a server that plays itself and a `polemos worker` beside it, kills one of them, one of their processes or
(with --postgres) the database at random moments, and checks that every game counted once and that the ratings are those
of a clean run over the same games. With --postgres, a PostgreSQL of its own is started in the folder; otherwise SQLite.
"""

from __future__ import annotations

import argparse
import os
import pwd
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from benchmarks.ladder import PLAYED, bundle, check, children, count_of, filled
from sqlalchemy import Engine, select, update
from sqlalchemy.exc import SQLAlchemyError

from polemos.ladder import bots
from polemos.ladder.clock import writing
from polemos.ladder.files import Bundles
from polemos.server.store import ladder as db
from polemos.server.store import migrate
from polemos.server.store.ledger import connect

TOKEN: Final = "a token for this benchmark"
READERS: Final = 6
PAUSE: Final = 0.25  # seconds between two requests of a reader


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["load", "kills"])
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--bots", type=int)
    parser.add_argument("--turns", type=int)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kills", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="polemos-ladder-") as name:
        folder = Path(name)
        with database(folder, given.postgres) as where:
            {"load": load, "kills": kills}[given.part](folder, where, given)


# ---- databases and servers


class Database:
    """SQLite, or a PostgreSQL of our own that can be killed."""

    def __init__(self, folder: Path, postgres: bool) -> None:
        self.postgres = postgres
        self._home = folder / "pg"
        self.url = f"sqlite:///{folder / 'polemos.db'}"
        self.process: subprocess.Popen[bytes] | None = None
        self._how: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self._how = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        if postgres:
            if not self._home.exists():
                self._make()
            self.start()
            self.url = f"postgresql:///postgres?host={self._home}&user=umpire"

    def _make(self) -> None:
        self._home.mkdir()
        if os.geteuid() == 0:  # it refuses to be root
            self._home.parent.chmod(0o755)
            os.chown(self._home, self._how["user"], self._how["group"])
        words = [_program("initdb"), "-D", str(self._home / "data"), "-A", "trust", "-U", "umpire", "-E", "UTF8"]
        subprocess.run(words, check=True, capture_output=True, cwd=self._home, **self._how)
        with (self._home / "data" / "postgresql.conf").open("a") as settings:
            settings.write(f"listen_addresses=''\nunix_socket_directories='{self._home}'\nmax_connections=100\n")

    def start(self) -> None:
        with (self._home / "log").open("ab") as log:
            words = [_program("postgres"), "-D", str(self._home / "data")]
            self.process = subprocess.Popen(
                words, stdout=log, stderr=log, cwd=self._home, start_new_session=True, **self._how
            )
        words = [_program("pg_isready"), "-q", "-h", str(self._home), "-U", "umpire", "-d", "postgres"]
        while subprocess.run(words, check=False).returncode != 0:
            time.sleep(0.1)

    def kill(self) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        time.sleep(0.5)  # its children notice that it is gone
        (self._home / "data" / "postmaster.pid").unlink(missing_ok=True)
        self.start()

    def stop(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(20)


def _program(name: str) -> str:
    known = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    found = shutil.which(name) or (str(known[0]) if known else None)
    assert found is not None, "No PostgreSQL here"
    return found


@contextmanager
def database(folder: Path, postgres: bool) -> Iterator[Database]:
    made = Database(folder, postgres)
    try:
        engine = connect(made.url)
        migrate.upgrade(engine)
        engine.dispose()
        yield made
    finally:
        made.stop()


class Program:
    """A command of ours as a process that can be killed with everything that it started."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._words, self._log = words, folder / f"{words[0]}.log"
        self.port = 0
        self.start()

    def start(self) -> None:
        words = [sys.executable, "-m", "polemos", *self._words]
        words += ["--port", str(self.port)] if self._words[0] == "serve" else []
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, start_new_session=True)
        assert self.process.stdout is not None
        line = next((line.decode() for line in self.process.stdout), "")
        assert line, self._log.read_text()
        if found := re.search(r":(\d+)/", line):
            self.port = int(found[1])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        if self.process.returncode is None:  # or its number may be that of somebody else
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def end(self) -> None:
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(60)
        self.kill()


def server(folder: Path, where: Database, workers: int) -> Program:
    return Program(
        folder,
        *("serve", "--no-exhibition", "--bot-processes", "0", "--folder", str(folder), "--limits", "1000"),
        *("--database", where.url, "--ladder-workers", str(workers), "--metrics-token", TOKEN),
    )


def get(address: str, token: str = "") -> bytes:
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"} if token else {})
    with urllib.request.urlopen(request, timeout=30) as answer:
        data: bytes = answer.read()
        return data


# ---- games a minute while people look


class Reader(threading.Thread):
    """Somebody who looks at pages, one after another."""

    def __init__(self, base: str, paths: list[str]) -> None:
        super().__init__(daemon=True)
        self._base, self._paths = base, paths
        self.times: list[float] = []
        self.failed = 0
        self.over = threading.Event()

    def run(self) -> None:
        dice = random.Random(self.ident)
        while not self.over.wait(PAUSE):
            began = time.perf_counter()
            try:
                get(self._base + dice.choice(self._paths))
                self.times.append(time.perf_counter() - began)
            except OSError:
                self.failed += 1


def load(folder: Path, where: Database, given: argparse.Namespace) -> None:
    engine, count, turns = connect(where.url), given.bots or 200, given.turns or 300
    ladder = filled(engine, count, folder / "ladder", {"turns": turns}, rules="short")
    running = server(folder, where, given.workers)
    _wait(lambda: count_of(engine, *PLAYED) >= 4, 300)
    paths = [f"/api/ladders/{ladder}", f"/api/ladders/{ladder}/trends", "/api/ladder/queue", "/api/ladders"]
    paths += [f"/api/ladder/games/{number}" for number in range(1, 5)] + ["/api/ladder/bots/5/results.atom"]
    readers = [Reader(running.address, paths) for _ in range(READERS)]
    began, games, cpu = time.monotonic(), count_of(engine, *PLAYED), spent(running)
    for reader in readers:
        reader.start()
    time.sleep(given.seconds / 2)
    waited = _first_rating(engine, folder)
    time.sleep(max(0.0, given.seconds - (time.monotonic() - began)))
    seconds = time.monotonic() - began
    played, used = count_of(engine, *PLAYED) - games, spent(running) - cpu
    for reader in readers:
        reader.over.set()
        reader.join()
    times = sorted(time for reader in readers for time in reader.times)
    failed = sum(reader.failed for reader in readers)
    running.end()
    print(f"{played / seconds * 60:.0f} boxed games of {turns} turns a minute ({played} in {seconds:.0f} s)")
    print(f"{len(times)} pages: p50 {_share(times, 0.5)}, p99 {_share(times, 0.99)}, {failed} failed")
    print(
        f"pairing and rating: {used / seconds:.1%} of a core; a new version had its first rating after {waited:.1f} s"
    )
    print(f"{count_of(engine, db.games.c.lost > 0)} games lost a lease")
    engine.dispose()


def _share(times: list[float], share: float) -> str:
    return f"{times[min(len(times) - 1, int(len(times) * share))] * 1000:.0f} ms" if times else "none"


def _first_rating(engine: Engine, folder: Path) -> float:
    """Uploads a new version of a bot, past its trial, and waits for its rating."""
    with writing(engine) as connection:
        bot = connection.execute(select(db.bots.c.id).where(db.bots.c.account_id.is_not(None)).limit(1)).scalar_one()
        digest = Bundles(folder / "ladder" / "bots").put(bundle(folder / "ladder", 12345))
        version = bots.add_version(connection, bot, digest, language="Python")
        bots.passed(connection, version)
    began = time.monotonic()
    rated = select(db.ratings.c.games).where(db.ratings.c.version_id == version)

    def is_rated() -> bool:
        with engine.connect() as connection:
            return connection.execute(rated).first() is not None

    _wait(is_rated, 600)
    return time.monotonic() - began


def spent(running: Program) -> float:
    """CPU seconds that the server has spent on pairing and rating."""
    text = get(f"{running.address}/metrics", TOKEN).decode()
    found = re.findall(r'^polemos_ladder_cpu_seconds_total\{chore="(pair|rate)"\} (\S+)$', text, re.MULTILINE)
    return sum(float(seconds) for _, seconds in found)


def _wait(what: Any, seconds: float) -> None:
    until = time.monotonic() + seconds
    while not what() and time.monotonic() < until:
        time.sleep(0.1)


# ---- kills


def kills(folder: Path, where: Database, given: argparse.Namespace) -> None:
    engine, dice = connect(where.url), random.Random(1)
    filled(engine, given.bots or 20, folder / "ladder", {"turns": given.turns or 60}, rules="short")
    running = server(folder, where, given.workers)
    words = ["--folder", str(folder), "--database", where.url]
    token = subprocess.run(
        [sys.executable, "-m", "polemos", "operator", "add-worker", "elsewhere", *words],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    cache = folder / "cache"
    worker = Program(
        folder, "worker", "--server", running.address, "--token", token, "--processes", "1", "--folder", str(cache)
    )
    done = dict.fromkeys(("processes", "servers", "workers", "databases"), 0)
    while sum(done.values()) < given.kills:
        before = _played(engine)
        _wait(lambda before=before: _played(engine) > before, 60)
        time.sleep(dice.uniform(0, 0.5))
        chance = dice.random()
        if chance < 0.1:
            running.kill()
            running.start()
            done["servers"] += 1
        elif chance < 0.2:
            worker.kill()
            worker.start()
            done["workers"] += 1
        elif chance < 0.35 and where.postgres:
            where.kill()
            engine.dispose()
            done["databases"] += 1
        elif there := [*children(running.process.pid), *children(worker.process.pid)]:
            with suppress(ProcessLookupError):
                os.kill(dice.choice(there), signal.SIGKILL)
            done["processes"] += 1
    with writing(engine) as connection:
        connection.execute(update(db.ladders).values(state="paused"))
    _wait(lambda: not count_of(engine, db.games.c.state != "done"), 300)
    _wait(lambda: not count_of(engine, *PLAYED, db.games.c.taken == 0), 60)
    worker.end()
    running.end()
    print("killed: " + ", ".join(f"{count} {what}" for what, count in done.items() if count))
    check(engine)
    engine.dispose()


def _played(engine: Engine) -> int:
    """While the database may be down."""
    while True:
        try:
            return int(count_of(engine, *PLAYED))
        except SQLAlchemyError:
            time.sleep(0.2)


if __name__ == "__main__":
    main()
