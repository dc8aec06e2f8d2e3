"""Workers, referee and server are killed in the middle, again and again: every game is counted, and counted once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Engine, func, select, update

from polemos.kernel.replay import read
from polemos.ladder import ladders, leases, losses
from polemos.ladder.clock import now, writing
from polemos.ladder.files import Replays
from polemos.ladder.jobs import Report
from polemos.ladder.ladders import Map
from polemos.ladder.leases import Held
from polemos.ladder.pairing import Chosen
from polemos.ladder.playing import play_one
from polemos.ladder.scheduler import field_of, meetings, pair
from polemos.server.store import ladder as db
from unit.ladder.small import Small, close, expected, live

pytestmark = [pytest.mark.slow, pytest.mark.long]
SCRIPT = Path(__file__).with_name("serve.py")
MEETINGS = 80
KILLS = 3  # of processes that play or adjudicate
SERVER_KILLS = 1
STILL = 90.0  # seconds without a game


def paired(small: Small) -> None:
    """Games of our own bots, which are the same whenever they are played."""
    ladder = small.ladder
    with writing(small.engine) as connection:
        # The tester plays nothing here. Games that the server lost would wait for it as long as it seems to be there.
        connection.execute(update(db.workers).values(seen=now() - losses.PRESENT))
        field = field_of(connection, ladder)
        for _ in range(MEETINGS):
            number = meetings(connection, ladder.id, 1)
            chosen = Chosen(tuple(field), "to be killed")
            pair(connection, ladder, number, chosen, Map("any"), stage="season", priority=0)


def started(url: str, folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), url, str(folder), "2"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def children(pid: int) -> list[int]:
    """The processes that a server has started, without those that only watch over them."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*"):
        with suppress(OSError):  # a thread may end at any time
            for child in (task / "children").read_text().split():
                with suppress(OSError):  # and so may a process
                    if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                        found.append(int(child))
    return found


def born(pid: int) -> str | None:
    """When a process began, in ticks; None if there is none. Another process may get its number soon."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return None


def end(server: subprocess.Popen[bytes], how: signal.Signals | None) -> None:
    """Kills a server, or tells it to stop."""
    assert server.stdin is not None
    if how is not None:
        server.send_signal(how)
    server.stdin.close()
    server.wait(120)


def left(small: Small) -> int:
    (count,) = small.one(select(func.count()).where(db.games.c.state != leases.DONE))
    return int(count)


def test_every_game_is_counted_once_whoever_is_killed(engine: Engine, tmp_path: Path, database: str | None) -> None:
    random = Random(5)
    small = Small(engine, turns=50)
    paired(small)
    url = database or f"sqlite:///{tmp_path / 'polemos.db'}"
    server = started(url, tmp_path)
    seen: set[tuple[int, str | None]] = set()
    try:
        for number in range(KILLS + SERVER_KILLS):
            wait_down_to(max(0, left(small) - 3), lambda: left(small))
            time.sleep(random.uniform(0, 0.2))
            seen.update((pid, born(pid)) for pid in children(server.pid))
            if number == 2:
                end(server, signal.SIGKILL)
                server = started(url, tmp_path)
            elif there := children(server.pid):
                with suppress(ProcessLookupError):
                    os.kill(random.choice(there), signal.SIGKILL)
        wait_down_to(0, lambda: left(small))
        wait_down_to(0, lambda: int(small.one(select(func.count()).where(db.games.c.taken == 0))[0]))
    finally:
        end(server, None)
    check(small, tmp_path)
    gone = time.monotonic() + 60
    while any(born(pid) == since for pid, since in seen if since) and time.monotonic() < gone:
        time.sleep(0.1)
    assert not [pid for pid, since in seen if since and born(pid) == since], "a process outlived its server"


def wait_down_to(number: int, count: Callable[[], int]) -> None:
    """Waits for as long as it goes on, however slowly: on a busy machine only standing still is a failure."""
    last, since = count(), time.monotonic()
    while last > number:
        assert time.monotonic() < since + STILL, f"nothing has happened for {STILL:.0f} s, and {last} are left"
        time.sleep(0.05)
        if (now := count()) != last:
            last, since = now, time.monotonic()


def check(small: Small, folder: Path) -> None:
    games = MEETINGS * 2
    of = db.games.c
    assert small.rows(select(of.state, of.cause, func.count()).group_by(of.state, of.cause)) == [
        ("done", "played", games)
    ]
    assert [count for (count,) in small.rows(select(db.tallies.c.games))] == [games, games]
    assert [count for (count,) in small.rows(select(db.pairs.c.games))] == [games, games]
    assert small.one(select(func.sum(db.workers.c.games))) == (games,)
    ranks = small.rows(select(db.seats.c.rank).where(db.seats.c.rank.is_(None)))
    assert ranks == []
    (lost,) = small.one(select(func.sum(of.lost)))
    assert lost > 0, "nothing was killed in the middle"

    # Ratings are those of a run in which nothing happened.
    assert close(live(small), expected(small))
    replays = Replays(folder / "replays")
    rows = small.rows(select(of.id, of.lease, of.fingerprint, of.ranks, of.replay).order_by(of.id))
    for id, lease, course, places, digest in rows[:: games // 12]:
        with small.engine.connect() as connection:
            (job,) = leases.jobs(connection, [Held(id, lease)])
            assert ladders.one(connection, small.id).id == small.id
        again = play_one(job, folder)
        assert isinstance(again, Report)
        assert (again.claim.fingerprint, ",".join(map(str, again.claim.ranks))) == (course, places)
        assert read(replays.path(digest)).header.game == "skerries"
