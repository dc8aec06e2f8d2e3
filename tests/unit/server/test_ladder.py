"""The ladder in a server: its pages, a worker on another machine that may lie, the operator's commands."""

from __future__ import annotations

import csv
import io
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import msgspec
import pytest
from click.testing import CliRunner
from sqlalchemy import select

from polemos.cli.operator import command
from polemos.hosts.bundle import pack
from polemos.ladder import bots, ladders
from polemos.ladder.clock import writing
from polemos.ladder.engine import Ladders
from polemos.ladder.jobs import Job
from polemos.ladder.leases import Aside
from polemos.ladder.live import MAX_PICTURE, Live, LiveFault
from polemos.ladder.players import Crew, Processes
from polemos.ladder.remote import Asked, HttpSource, Lease, Leases, NotAllowed, Sent
from polemos.server.store import ladder as db
from polemos.server.store import schema
from unit.server.serving import PATIENT, Server, Web

pytestmark = pytest.mark.slow

IDLER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "Idler"}), flush=True)
        print("a secret plan", file=sys.stderr, flush=True)
    elif message["type"] == "view":
        print(json.dumps({"type": "orders", "orders": []}), flush=True)
    else:
        break
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that schedules, but plays nothing itself."""
    with Server(tmp_path_factory.mktemp("ladder"), ladder=True, ladder_workers=0) as server:
        engine = ladders_of(server)
        wait_for(lambda: engine.duty.is_held)
        with writing(engine.engine) as connection:  # short games, so that it is quick
            ladders.open_ladder(connection, "skerries", rules="short", options={"seats": 2, "turns": 6})
        yield server


def ladders_of(server: Server) -> Ladders:
    found: Ladders = server.app.state.ladders
    return found


def wait_for(what: Callable[[], object], seconds: float = 120.0) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.1)


def run(server: Server, *words: str) -> str:
    folder = ("--folder", str(server.settings.folder))
    result = CliRunner().invoke(command, [words[0], *folder, *words[1:]])
    assert result.exit_code == 0, f"{result.output}{result.exception!r}"
    return result.output.strip()


def short(web: Web) -> int:
    return next(int(one["id"]) for one in web.get("/api/ladders").json() if one["rules"] == "short")


def uploaded(server: Server, name: str, author: str, folder: Path) -> int:
    """A bot with files, on the ladder with short games."""
    engine = ladders_of(server)
    home = folder / name
    home.mkdir(parents=True)
    (home / "bot.py").write_text(IDLER)
    digest = engine.bundles.put(pack([sys.executable, str(home / "bot.py")]))
    accounts = schema.accounts
    with writing(engine.engine) as connection:
        account = connection.execute(select(accounts.c.id).where(accounts.c.name == author)).scalar_one()
        bot = bots.add(connection, "skerries", name, account)
        bots.passed(connection, bots.add_version(connection, bot, digest, language="Python"))
        rows = connection.execute(select(db.ladders.c.id).where(db.ladders.c.rules == "short"))
        ladders.enter(connection, rows.scalar_one(), bot)
    return bot


def queued(web: Web) -> list[dict[str, Any]]:
    """The games that are being played."""
    found: list[dict[str, Any]] = web.get("/api/ladder/queue").json()["playing"]
    return found


def results(web: Web, bot: int) -> int:
    answer = web.get(f"/api/ladder/bots/{bot}/results.csv")
    assert answer.status_code == 200, answer.text
    return len(answer.text.splitlines()) - 1


def test_a_worker_elsewhere_plays_and_everything_is_shown(running: Server, tmp_path: Path) -> None:
    with Web(running.address) as web, Web(running.address) as other:
        web.sign_in("Ada")
        other.sign_in("Ben")
        bot = uploaded(running, "Idler", "Ada", tmp_path)
        token = run(running, "add-worker", "oak")
        source = HttpSource(running.address, token, tmp_path / "cache", 1)
        stop = threading.Event()
        crew = threading.Thread(
            target=Crew(source, Processes(1), folder=str(tmp_path / "cache")).run, args=(stop,), daemon=True
        )
        crew.start()
        try:
            wait_for(lambda: results(web, bot) >= 4)
        finally:
            stop.set()
            crew.join(60)
            source.close()

        # The ladder: our bots and Ada's, with a live rating at once.
        wait_for(lambda: _row(web, "Idler")["games"] >= 4)  # type: ignore[operator]
        page = web.get(f"/api/ladders/{short(web)}").json()
        rows = {row["name"]: row for row in page["rows"]}
        assert rows["Idler"]["author"] == "Ada"
        wait_for(lambda: _row(web, "Idler").get("rating") is not None)
        assert any("Idler" in {name for _, name, _ in meeting["bots"]} for meeting in page["finished"])
        table = list(csv.DictReader(io.StringIO(web.get(f"/api/ladders/{short(web)}/table.csv").text)))
        assert {line["bot"] for line in table} == set(rows)

        # A game: its record for everyone, its log for its author alone.
        feed = ElementTree.fromstring(web.get(f"/api/ladder/bots/{bot}/results.atom").content)
        entry = feed.find("{http://www.w3.org/2005/Atom}entry/{http://www.w3.org/2005/Atom}id")
        assert entry is not None
        assert entry.text is not None
        game = int(entry.text.rpartition("/")[2])
        shown = web.get(f"/api/ladder/games/{game}").json()
        (mine,) = shown["mine"]
        assert shown["game"]["worker"] == "oak"
        assert other.get(f"/api/ladder/games/{game}").json()["mine"] == []
        assert "a secret plan" in web.get(f"/api/ladder/games/{game}/logs/{mine}").text
        assert web.get(f"/api/ladder/games/{game}/logs/{1 - mine}").status_code == 403
        with Web(running.address) as nobody:
            for reader in (other, nobody):
                refused = reader.get(f"/api/ladder/games/{game}/logs/{mine}")
                assert (refused.status_code, "secret plan" in refused.text) == (403, False)
        record = other.get(f"/api/ladder/games/{game}/record").json()
        assert record["outcome"] is not None
        assert other.get(f"/api/ladder/games/{game}/replay.jsonl.gz").content[:2] == b"\x1f\x8b"
        last = other.get(f"/api/ladder/games/{game}/board.svg")
        assert (last.status_code, last.text[:4]) == (200, "<svg")
        assert "sandbox" in last.headers["content-security-policy"]
        recent = web.get(f"/api/ladder-bots/{bot}").json()["recent"]
        assert {row["seat"] for row in recent if row["state"] == "done"} <= {"red", "blue"}
        for number in (0, 999999, 1 << 63, 10**40):
            for path in (f"ladder/games/{number}", f"ladder/bots/{number}/results.csv", f"ladders/{number}"):
                assert other.get(f"/api/{path}").status_code == 404, path

        assert "Idler v1" in other.get(f"/match/{game}").text  # for links to it
        assert "Idler, a bot for Skerries" in other.get(f"/bots/{bot}").text
        picture = f"/api/ladder-bots/{bot}/preview.png"
        assert f'<meta property="og:image" content="{running.address}{picture}"' in other.get(f"/bots/{bot}").text
        assert other.get(picture).content[:8] == b"\x89PNG\r\n\x1a\n"
        assert other.get("/api/ladder-bots/999999/preview.png").status_code == 404
        file = f"/api/ladder/bots/{bot}/results.csv"
        assert len(other.get(f"{file}?before=1").text.splitlines()) == 1  # the heads alone
        assert other.get(f"{file}?before={1 << 70}").status_code == 200
        assert "Skerries ladder" in other.get("/ladder/skerries").text
        queue = web.get("/api/ladder/queue").json()
        assert queue["engine"]["machines"] >= 1  # others may have been tried here before
        assert "oak" in run(running, "workers")

        # An operator pauses the bot: its author is told why, and can't resume it.
        run(running, "pause-bot", str(bot), "--why", "It floods its log.")
        assert web.get(f"/api/ladder-bots/{bot}").json()["paused_by"] == "operator"
        assert "It floods its log." in web.get("/api/my/bots").json()["notices"][0]["text"]
        refused = web.post(f"/api/my/bots/{bot}", {"act": "resume"})
        assert (refused.status_code, refused.json()["word"]) == (403, "bot/paused-by-operator")
        run(running, "resume-bot", str(bot), "--why", "It is fixed.")
        assert web.get(f"/api/ladder-bots/{bot}").json()["state"] == "active"


def _row(web: Web, name: str) -> dict[str, object]:
    rows = web.get(f"/api/ladders/{short(web)}").json()["rows"]
    return next(row for row in rows if row["name"] == name)


def test_what_a_worker_says_is_not_believed(running: Server, tmp_path: Path) -> None:
    author = Web(running.address)
    author.sign_in("Cleo")
    uploaded(running, "Sloth", "Cleo", tmp_path)
    secret, second = run(running, "add-worker", "liar"), run(running, "add-worker", "thief")
    at = f"{running.address}/api/ladder/worker"

    def say(what: str, message: object, token: str = secret) -> httpx.Response:
        data = message if isinstance(message, bytes) else msgspec.msgpack.encode(message)
        return httpx.post(f"{at}/{what}", content=data, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENT)

    def claimed() -> list[Job]:
        return msgspec.msgpack.decode(say("claim", Asked(4, 1)).content, type=list[Job])

    jobs: list[Job] = []
    until = time.monotonic() + 120
    while not jobs and time.monotonic() < until:  # our own bots meet each other, too
        jobs = [job for job in claimed() if any(player.digest is not None for player in job.players)]
    job = jobs[0]
    # Without its token, with another's, or with nonsense, nothing happens.
    assert say("claim", Asked(1, 1), "wrong").status_code == 403
    for nonsense in (b"", b"\xc1", b"\xff" * 1000, msgspec.msgpack.encode({"count": 10**9, "places": 1})):
        assert say("claim", nonsense).status_code == 400
    huge = {"held": [{"id": 2**63, "lease": 1}]}
    assert say("renew", huge).status_code == 400
    assert say("back", Leases((Lease(job.id, job.lease),)), second).status_code == 200
    forged = Sent(job.id, job.lease, b"not a replay", {}, (1, 2), "x", 1.0)
    assert msgspec.msgpack.decode(say("report", forged, second).content) == {"taken": False}
    assert say("report", msgspec.structs.replace(forged, lease=job.lease + 1)).status_code == 202
    digest = next(player.digest for player in job.players if player.digest is not None)

    def bundle(name: str, token: str) -> int:
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.get(f"{at}/bundles/{name}", headers=headers, timeout=PATIENT).status_code

    assert (bundle(digest, second), bundle(digest, secret)) == (404, 200)
    assert bundle("..%2f..%2fsecret", second) in (400, 404)

    # How far a game is can be said by its worker alone, and counts for nothing. Logs are for authors.
    entry = next(i for i, player in enumerate(job.players) if player.digest is not None)
    faults = (LiveFault(3, entry, "strike", "late"),)
    live = Live(
        job.id, job.lease, 4, 6, ("red", "blue"), (1, 0), (0, 0), (0.5, 0.5), faults, "<svg/>", {entry: b"plan"}
    )
    path = f"/api/ladder/games/{job.id}"
    with author, Web(running.address) as nobody:
        assert msgspec.msgpack.decode(say("live", live, second).content) == {"shown": False}
        assert nobody.get(path).json()["so_far"] is None
        for wrong in ({"seats": ("red", "mauve")}, {"cpu": (0.5,)}):  # pages need not show that
            assert say("live", msgspec.structs.replace(live, **wrong)).status_code == 200
            assert nobody.get(path).json()["so_far"] is None
        assert say("live", msgspec.structs.replace(live, picture="x" * (MAX_PICTURE + 1))).status_code == 400
        assert msgspec.msgpack.decode(say("live", live).content) == {"shown": True}
        shown = nobody.get(path).json()["so_far"]
        assert (shown["turn"], shown["turns"], shown["logs"]) == (4, 6, {})
        assert shown["faults"] == [{"turn": 3, "entry": entry, "kind": "strike", "why": "late"}]
        assert author.get(path).json()["so_far"]["logs"] == {str(entry): "plan"}
        board = nobody.get(f"{path}/board.svg")
        assert board.text == "<svg/>"
        assert "sandbox" in board.headers["content-security-policy"]  # whoever plays may have drawn anything
        wait_for(lambda: [one["at_turn"] for one in queued(nobody) if one["id"] == job.id] == [4])
        told = next(one["bots"] for one in queued(nobody) if one["id"] == job.id)
        assert [(bot["strikes"], bot["cpu"], bot["fault"]) for bot in told] == [(1, 0.5, None), (0, 0.5, None)]

    # A result that its replay does not have puts the worker aside, and the game is played by others.
    assert msgspec.msgpack.decode(say("report", forged).content) == {"taken": True}
    wait_for(lambda: say("claim", Asked(1, 1)).status_code == 403)
    source = HttpSource(running.address, secret, tmp_path / "cache", 1)
    with pytest.raises(Aside):
        source.claim(1)
    with pytest.raises(NotAllowed):
        HttpSource(running.address, "no such token", tmp_path / "cache", 1).claim(1)
    with ladders_of(running).engine.connect() as connection:
        of = db.games.c
        row = connection.execute(select(of.state, of.worker_id).where(of.id == job.id)).one()
    assert tuple(row) == ("waiting", None)
    listed = next(line for line in run(running, "workers").splitlines() if "liar" in line)
    assert "aside" in listed
    run(running, "let-in", listed.split()[0], "--why", "forgiven")
    assert say("claim", Asked(1, 1)).status_code == 200
    number = next(line.split()[0] for line in run(running, "workers").splitlines() if "thief" in line)
    run(running, "shut-out", number, "--why", "stole a look")
    assert say("claim", Asked(1, 1), second).status_code == 403


@pytest.mark.needs("demons")
def test_ladders_open_by_themselves_and_can_be_paused(running: Server) -> None:
    with Web(running.address) as web:
        wait_for(lambda: {one["game"] for one in web.get("/api/ladders").json()} >= {"demons", "skerries"})
        cards = {one["game"]: one for one in web.get("/api/ladders").json() if one["rules"] == "usual"}
        assert cards["demons"]["maps"][0] == "Twin Gates"
        assert cards["demons"]["bots"] == 4
        number = str(cards["demons"]["id"])
        run(running, "pause-ladder", number, "--why", "maintenance")
        wait_for(lambda: web.get(f"/api/ladders/{number}").json()["engine"]["state"] == "paused")
        run(running, "resume-ladder", number, "--why", "done")


@pytest.mark.needs("demons")
def test_other_rules_get_a_ladder_of_their_own(running: Server) -> None:
    with Web(running.address) as web:
        wait_for(lambda: ("demons", "finals-2025") in {(one["game"], one["rules"]) for one in listed(web)})
        card = next(one for one in listed(web) if one["rules"] == "finals-2025")
        assert (card["title"], card["bots"]) == ("Demons (Finals of 2025)", 4)
        assert len(card["maps"]) > 1
        page = web.get(f"/api/ladders/{card['id']}").json()
        usual = next(one for one in listed(web) if (one["game"], one["rules"]) == ("demons", "usual"))
        ours = web.get(f"/api/ladders/{usual['id']}").json()["rows"]
        assert {row["name"] for row in page["rows"]} == {row["name"] for row in ours}
        bot = page["rows"][0]["bot"]
        shown = [web.get(f"/api/ladder-bots/{bot}", params={"ladder": id}).json() for id in (card["id"], 0)]
        assert [one["ladder"] for one in shown] == [card["id"], usual["id"]]
        assert [one["rules"] for one in shown[0]["ladders"]] == ["usual", "finals-2025"]


def listed(web: Web) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = web.get("/api/ladders").json()
    return found
