"""Analyses on the server: of finished matches only, made in the background, kept, and few at a time."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from polemos import registry
from polemos.kernel import replay
from polemos.kernel.match import AnyMatch, Match
from polemos.search.analysis import FORMAT, Depth
from polemos.server import analyses
from polemos.server.analyses import Analyses
from polemos.server.limits import TooMany
from polemos.server.thinking import thread
from unit.server.serving import Person, Server, Web, wait_for

CLOCK = {"kind": "turn", "seconds": 600}
TINY = Depth(positions=3, worlds=8, turns=1, playouts=100, checks=20)


@pytest.fixture
def web(small_server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    monkeypatch.setattr(analyses, "DEPTH", TINY)
    with Web(small_server.address) as client:
        yield client


def finished(web: Web, server: Server, game: str, **wish: Any) -> str:
    """A table whose match one side has given up after a turn."""
    seated = web.open(game, people=["red", "blue"], clock=CLOCK, **wish)
    other = web.take(seated["table"], "blue", "Bob")
    with (
        Person(server.address, seated["table"], seated["token"]) as red,
        Person(server.address, seated["table"], other["token"]) as blue,
    ):
        for _ in range(2):
            step = red.step
            red.file([])
            blue.file([])
            red.wait_for_step(step + 1)
            blue.wait_for_step(step + 1)
        assert web.get(f"/api/tables/{seated['table']}/analysis").status_code == 409
        blue.act("resign")
        red.file([])
        red.until(lambda: red.status == "over")
    table: str = seated["table"]
    return table


def played(folder: Path) -> Path:
    """The replay of a match in which nobody ordered anything."""
    match: AnyMatch = Match(registry.load("skerries"), {}, seed=1)
    while match.outcome is None:
        match.run()
    written = folder / "game.jsonl"
    replay.write(written, match, dict.fromkeys(match.seats, "nobody"))
    return written


@pytest.mark.needs("demons")
def test_a_finished_match_is_analysed_once_for_all(web: Web, small_server: Server) -> None:
    table = finished(web, small_server, "demons", options={"map": "skirmish"})
    path = f"/api/tables/{table}/analysis"
    assert web.get(path).json()["state"] == "none"
    asked = web.post(path, {})
    assert asked.status_code == 202
    assert asked.json()["state"] in ("waiting", "running", "done")
    card = wait_for(lambda: (found := web.get(path).json())["state"] == "done" and found, 60)
    found = card["analysis"]
    assert (found["game"], found["seats"]) == ("demons", ["red", "blue"])
    assert found["standings"][-1]["values"] == {"red": 1.0, "blue": 0.0}
    assert web.post(path, {}).json() == card
    kept = list((small_server.settings.folder / "analyses").iterdir())
    assert [file.suffix for file in kept] == [".gz"]


def test_a_game_that_cannot_be_searched_says_so_kindly(web: Web, small_server: Server) -> None:
    table = finished(web, small_server, "skerries")
    path = f"/api/tables/{table}/analysis"
    for answer in (web.get(path), web.post(path, {})):
        assert answer.json()["state"] == "impossible"
        assert answer.json()["why"].startswith("Skerries can't be analysed yet")


@pytest.mark.needs("demons")
def test_one_visitor_has_few_waiting_and_failures_are_told(tmp_path: Path) -> None:
    async def act() -> None:
        made, gate = Analyses(tmp_path, thread), asyncio.Event()

        async def read() -> bytes:
            await gate.wait()
            return b"nonsense"

        for i in range(analyses.MAX_OWN):
            made.begin(f"match-{i}", "a", read)
        assert made.card("demons", "match-0").state == "waiting"
        made.begin("match-0", "a", read)  # it is on its way already
        with pytest.raises(TooMany):
            made.begin("another", "a", read)
        made.begin("another", "b", read)
        gate.set()
        while made.card("demons", "match-0").state in ("waiting", "running"):
            await asyncio.sleep(0.01)
        failed = made.card("demons", "match-0")
        assert (failed.state, "is not a Polemos replay" in failed.why) == ("failed", True)
        await made.close()

    asyncio.run(act())
    wait_for(lambda: not list(tmp_path.glob("*.part")))  # another one may be in its thread


@pytest.mark.needs("demons")
def test_what_runs_when_the_server_stops_ends_soon_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the next server would tell for a while that an analysis is running."""
    ended = threading.Event()

    def endless(*_: Any, progress: Callable[[int, int], None]) -> None:
        try:
            while True:
                progress(1, 2)
                time.sleep(0.001)
        finally:
            ended.set()

    async def act() -> None:
        made = Analyses(tmp_path, thread)

        async def read() -> bytes:
            return written.read_bytes()

        made.begin("match", "a", read)
        while (card := made.card("demons", "match")).state != "running":
            assert card.state != "failed", card.why
            await asyncio.sleep(0.01)
        await made.close()

    written = played(tmp_path)
    monkeypatch.setattr(analyses, "TELL", 0.0)
    monkeypatch.setattr(analyses, "analyse", endless)
    asyncio.run(act())
    assert ended.wait(60)
    wait_for(lambda: not list(tmp_path.glob("*.part")))
    assert not list(tmp_path.glob("*.json.gz"))


@pytest.mark.needs("demons")
def test_what_another_server_analyses_goes_on_when_this_one_stops(tmp_path: Path) -> None:
    """Both were asked for the same match, and have the same folder."""
    note = tmp_path / f"match-{FORMAT}.json.part"

    async def act() -> None:
        made = Analyses(tmp_path, thread)

        async def read() -> bytes:
            note.write_text("3 9 another")  # it has begun there meanwhile
            await asyncio.Event().wait()
            return b""

        made.begin("match", "a", read)
        while not note.exists():
            await asyncio.sleep(0.01)
        assert made.card("demons", "match").done == 3
        await made.close()

    asyncio.run(act())
    assert note.exists()


def test_only_the_latest_results_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "KEPT", 2)
    for i in range(4):
        path = tmp_path / f"{i}.json.gz"
        path.write_bytes(b"")
        os.utime(path, (i, i))
    analyses._tidy(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2.json.gz", "3.json.gz"]


def test_the_note_of_progress_stays_fresh_while_nothing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise another process of the server would take this one for dead and begin again."""
    written = played(tmp_path)
    note = tmp_path / "match.json.part"

    def silent(*_: Any, **__: Any) -> dict[str, int]:
        os.utime(note, (1, 1))
        until = time.monotonic() + 60
        while note.stat().st_mtime == 1:
            assert time.monotonic() < until
            time.sleep(0.01)
        return {}

    monkeypatch.setattr(analyses, "FRESH", 0.2)
    monkeypatch.setattr(analyses, "analyse", silent)
    analyses.work(written.read_bytes(), str(tmp_path / "match.json.gz"))
    assert not note.exists()
