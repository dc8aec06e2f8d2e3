"""Replays are kept for a time and a number; results stay."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from polemos.hosts.bundle import Bundle, File
from polemos.ladder import retention
from polemos.ladder.clock import now, writing
from polemos.ladder.files import Bundles, NoFile, Replays
from polemos.ladder.retention import STRAY, Keeper
from polemos.server.store import ladder as db
from polemos.server.store import schema
from unit.ladder.small import Small


@pytest.fixture
def replays(tmp_path: Path) -> Replays:
    return Replays(tmp_path / "replays")


def played(small: Small, replays: Replays, count: int) -> list[int]:
    """Games with replays and logs, oldest first."""
    for number in range(3):
        small.bot(f"bot {number}")
    while (small.one(select(func.count()).select_from(db.games))[0]) < count:
        small.scheduler.look()
        while jobs := small.claim(20):
            with writing(small.engine) as connection:
                for job in jobs:
                    digest = replays.put(f"game {job.id}".encode(), {0: b"a log"}, b"a picture")
                    connection.execute(
                        update(db.games)
                        .where(db.games.c.id == job.id)
                        .values(state="done", cause="played", done=now(), replay=digest)
                    )
    return [id for (id,) in small.rows(select(db.games.c.id).order_by(db.games.c.id))]


def kept(small: Small) -> dict[int, str]:
    return dict(small.rows(select(db.games.c.id, db.games.c.replay).where(db.games.c.replay.is_not(None))))


def test_old_replays_go_with_their_logs(small: Small, replays: Replays, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "MAX_AT_ONCE", 2)  # a few at a time, but all of them
    games = played(small, replays, 20)
    before = kept(small)
    old = games[:5]
    with writing(small.engine) as connection:
        connection.execute(update(db.games).where(db.games.c.id.in_(old)).values(done=now() - 1000))
    keeper = Keeper(small.engine, replays, age=900)
    assert keeper.look() == 5
    assert set(kept(small)) == set(games[5:])
    for id, digest in before.items():
        assert replays.path(digest).exists() == replays.log(digest, 0).exists() == (id not in old)
        assert replays.board(digest).exists() == (id not in old)
    assert keeper.look() == 0


def test_each_bot_keeps_its_newest(small: Small, replays: Replays) -> None:
    played(small, replays, 60)
    keeper = Keeper(small.engine, replays, per_bot=4)
    assert keeper.look() > 0
    there = kept(small)
    wanted: set[int] = set()
    for (bot,) in small.rows(select(db.bots.c.id)):
        own = select(db.seats.c.game_id).where(db.seats.c.bot_id == bot).order_by(db.seats.c.game_id.desc()).limit(4)
        wanted |= {id for (id,) in small.rows(own)}
    assert set(there) == wanted
    assert all(replays.path(digest).exists() for digest in there.values())
    played(small_again(small), replays, 90)
    keeper.look()
    assert all(replays.path(digest).exists() for digest in kept(small).values())
    assert len(kept(small)) <= 4 * 8


def small_again(small: Small) -> Small:
    """The same ladder, whose bots have other names from now on."""
    with writing(small.engine) as connection:
        connection.execute(update(db.bots).values(name=db.bots.c.name + "'"))
        connection.execute(
            update(schema.accounts).values(folded=schema.accounts.c.folded + "'", looks=schema.accounts.c.looks + "'")
        )
    return small


def test_replays_that_no_game_names_are_swept(small: Small, replays: Replays) -> None:
    games = played(small, replays, 6)
    fresh, stray = replays.put(b"fresh", {}), replays.put(b"stray", {1: b"log"})
    for digest in (stray, *kept(small).values()):
        os.utime(replays.path(digest), (1000.0, 1000.0))
    assert STRAY > 0
    assert Keeper(small.engine, replays).sweep() == 1
    assert not replays.path(stray).exists()
    assert not replays.log(stray, 1).exists()
    assert replays.path(fresh).exists()
    assert len(kept(small)) == len(games)


def test_nothing_is_left_of_replays_that_were_never_finished(
    small: Small, replays: Replays, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk they are written again every second; a server that is killed leaves some halfway."""
    played(small, replays, 6)
    begun = replays.put(b"begun", {0: b"log"}, b"a picture")
    replays.path(begun).rename(replays.path(begun).with_name(f".0123456789abcdef-{begun}.jsonl.gz"))

    def is_full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", is_full)
        with pytest.raises(OSError, match="No space left"):
            replays.put(b"full", {})
    left = list(replays.folder.rglob(f"*{begun}*"))
    assert len(left) == 3
    there = {path for path in replays.folder.rglob("*") if path.is_file()}
    assert len(there) == 3 + 3 * len(kept(small)), "nothing of what the disk had no room for"
    keeper = Keeper(small.engine, replays)
    keeper.sweep()
    assert {path for path in replays.folder.rglob("*") if path.is_file()} == there, "it may be finished yet"
    for path in there:
        os.utime(path, (1000.0, 1000.0))
    keeper.sweep()
    assert {path for path in replays.folder.rglob("*") if path.is_file()} == there - set(left)


# ---- files of bots


def test_the_files_of_a_bot_come_back_as_they_were(tmp_path: Path) -> None:
    bundle = Bundle(("/usr/bin/python3", "/bot/bot.py"), (File("bot.py", False, b"print()\n"),), "ab" * 16)
    bundles = Bundles(tmp_path / "bots")
    assert bundles.put(bundle) == bundle.digest
    assert bundles.get(bundle.digest) == bundle
    assert [path.name for path in (tmp_path / "bots").iterdir()] == [f"{bundle.digest}.bot"]


@pytest.mark.parametrize("digest", ["", "../../secret", "AB" * 16, "ab" * 17, f"{'ab' * 15}/x"])
def test_a_digest_cannot_lead_out_of_the_folder(tmp_path: Path, digest: str) -> None:
    with pytest.raises(NoFile):
        Bundles(tmp_path).get(digest)
    with pytest.raises(NoFile):
        Replays(tmp_path).path(digest)


def test_missing_files_are_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(NoFile, match="are not here"):
        Bundles(tmp_path).get("ab" * 16)
