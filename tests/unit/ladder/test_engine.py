"""The whole engine with bots that are programs in the box: they are paired, play, are judged and rated."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine, func, select

from polemos.hosts.bundle import pack
from polemos.kernel.replay import read
from polemos.ladder import bots, fits, ladders
from polemos.ladder.clock import writing
from polemos.ladder.engine import Ladders
from polemos.ladder.players import Processes
from polemos.server.store import ladder as db
from unit.ladder.small import Small, close, expected, live

pytestmark = pytest.mark.slow

IDLER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "Idler"}), flush=True)
        print("hello from the idler", file=sys.stderr)
    elif message["type"] == "view":
        print(json.dumps({"type": "orders", "orders": []}), flush=True)
    else:
        break
"""
CRASHER = IDLER.replace('"orders": []', '"orders": [1 / 0]')


def program(running: Ladders, small: Small, folder: Path, name: str, source: str) -> int:
    """A bot with files, on the ladder."""
    home = folder / "sources" / name
    home.mkdir(parents=True)
    (home / "bot.py").write_text(source)
    digest = running.bundles.put(pack([sys.executable, str(home / "bot.py")]))
    author = small.author(f"author of {name}")
    with writing(small.engine) as connection:
        bot = bots.add(connection, "skerries", name, author)
        bots.passed(connection, bots.add_version(connection, bot, digest, language="Python"))
        ladders.enter_all(connection, bot)
    return bot


def wait(what: Callable[[], bool]) -> None:
    until = time.monotonic() + 150
    while not what():
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.3)


def test_programs_are_paired_played_judged_and_rated(engine: Engine, tmp_path: Path) -> None:
    small = Small(engine)
    running = Ladders(engine, tmp_path)
    idler = program(running, small, tmp_path, "Idler", IDLER)
    crasher = program(running, small, tmp_path, "Crasher", CRASHER)
    running.start(Processes(1))

    def played(bot: int) -> int:
        of = select(func.count()).where(db.seats.c.bot_id == bot, db.seats.c.rank.is_not(None))
        return int(small.one(of)[0])

    try:
        wait(lambda: played(idler) >= 4 and small.one(paused)[0] == 1)
        wait(lambda: small.one(untaken)[0] == 0 or played(idler) > 12)
    finally:
        running.stop()
    running.rate()
    assert close(live(small), expected(small))

    row = small.one(select(db.bots).where(db.bots.c.id == crasher))
    assert row.paused_by == "failures"
    assert row.failed >= 3
    assert row.why.endswith("The last time: crash.")
    ((account, text),) = small.rows(
        select(db.notices.c.account_id, db.notices.c.text).where(db.notices.c.kind == "paused")
    )
    assert account == row.account_id
    assert "ZeroDivisionError" in text  # for its author alone
    # Of its placement, only the games that a worker already had were played: none began after the pause.
    late = (
        select(func.count())
        .join_from(db.games, db.seats, db.seats.c.game_id == db.games.c.id)
        .where(db.seats.c.bot_id == crasher, db.seats.c.rank.is_not(None), db.games.c.begun > row.changed + 1)
    )
    assert small.one(late)[0] == 0

    of, seats = db.games.c, db.seats.c
    game, entry = small.one(
        select(of.replay, seats.entry)
        .join_from(db.games, db.seats, seats.game_id == of.id)
        .where(seats.bot_id == idler, of.cause == "played")
        .limit(1)
    )
    assert read(running.replays.path(game)).header.seats[["red", "blue"][entry]] == "Idler v1"
    assert running.replays.log(game, entry).exists()
    assert small.states().get("leased", 0) == 0  # given back when it stopped
    cpu = small.rows(select(seats.cpu).where(seats.bot_id == idler, seats.rank.is_not(None)))
    assert all(seconds > 0 for (seconds,) in cpu)

    assert fits.fit(engine, small.ladder) is not None


paused = select(func.count()).where(db.bots.c.state == "paused")
untaken = select(func.count()).where(db.games.c.taken == 0, db.games.c.state == "done")
