"""A whole class competition over HTTP: invitation, bots, dates, lock, tournament, results; and who is shown what."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select, update

from polemos.hosts.bundle import pack
from polemos.ladder import bots, fits, ladders, seasons
from polemos.ladder.clock import now, writing
from polemos.ladder.files import Bundles
from polemos.ladder.ladders import Map
from polemos.ladder.tournaments import Tournaments
from polemos.server.store import ladder as db
from polemos.server.store import schema
from unit.ladder.small import Small, by_strength
from unit.server.serving import Person, Server, Web

MAPS = (Map("short", {"turns": 3}), Map("long", {"turns": 8}))
HOSTILE = "=HYPERLINK(1)\u202e<img src=x>"
Browse = Callable[[str | None], Web]


@pytest.fixture
def club(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    database = request.getfixturevalue("cluster").new() if kind == "postgresql" else None
    with Server(tmp_path, database) as running:
        yield running


@pytest.fixture
def browse(club: Server) -> Iterator[Browse]:
    with ExitStack() as stack:

        def make(name: str | None = None) -> Web:
            web = stack.enter_context(Web(club.address, browser=True))
            if name is not None:
                web.sign_in(name)
            return web

        yield make


def account(engine: Engine, name: str) -> int:
    with engine.connect() as connection:
        return int(connection.execute(select(schema.accounts.c.id).where(schema.accounts.c.name == name)).scalar_one())


def upload(engine: Engine, author: str, name: str) -> int:
    """A bot with a version that passed, as if it had been uploaded."""
    with writing(engine) as connection:
        bot = bots.add(connection, "skerries", name, account(engine, author))
        bots.passed(connection, bots.add_version(connection, bot, f"{bot:032x}", language="Python"))
    return bot


def act(web: Web, group: str, status: int = 200, /, **deed: Any) -> dict[str, Any]:
    answer = web.post(f"/api/groups/{group}/acts", deed)
    assert answer.status_code == status, answer.text
    return answer.json()  # type: ignore[no-any-return]


def test_a_whole_class_competition(club: Server, browse: Browse) -> None:
    engine = club.hall.ledger.engine
    small = Small(engine, maps=MAPS)
    olga, stranger = browse("Olga"), browse(None)
    (public,) = olga.get("/api/groups/ladders").json()
    made = olga.post("/api/groups", {"name": " Algorithms\u202e II ", "kind": "class", "ladder": public["id"]})
    assert made.status_code == 201
    group = made.json()["id"]
    assert made.json()["name"] == "Algorithms II"

    # People ask to join by the link; the organiser lets them in.
    invite = made.json()["tools"]["invite"]
    act(olga, group, act="entrance", asks=True, logs="organiser")
    act(olga, group, act="dates", sign_up=4e9, lock_at=4e9)
    students = {name: browse(name) for name in ("Ann", "Ben", "Cem", "Dua")}
    for name, web in students.items():
        assert web.get(f"/api/invitations/{invite}").json()["logs"] == "organiser"  # said before they join
        assert web.post(f"/api/invitations/{invite}").json()["role"] == "asked"
        assert web.get(f"/api/groups/{group}").json()["inside"] is None
        if name != "Dua":
            act(olga, group, act="let in", who=name)
    act(olga, group, act="remove", who="Dua")
    act(olga, group, act="entrance", asks=False, logs="organiser")
    assert students["Dua"].post(f"/api/invitations/{invite}").json()["role"] == "asked"  # not the way in again
    assert browse("Eve").post(f"/api/invitations/{invite}").json()["role"] == "member"
    act(olga, group, act="remove", who="Eve")
    act(olga, group, act="new link")
    assert stranger.get(f"/api/invitations/{invite}").status_code == 404

    # Each enters a bot; the later one is stronger.
    numbers = {}
    for name in ("Ann", "Ben", "Cem"):
        numbers[name] = upload(engine, name, f"bot of {name}")
        page = act(students[name], group, act="enter", bot=numbers[name])
        assert [bot["entered"] for bot in page["inside"]["own"]] == [True]
    refusal = act(students["Ann"], group, 409, act="enter", bot=numbers["Ben"])
    assert "no such bot" in refusal["why"]
    assert act(olga, group, act="remind")["role"] == "organiser"
    act(olga, group, act="announce", text=HOSTILE)
    page = students["Ann"].get(f"/api/groups/{group}").json()
    assert [news["text"] for news in page["inside"]["news"]] == ["=HYPERLINK(1) <img src=x>"]
    assert page["tools"] is None

    # They play, and are rated.
    strengths = {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}
    for _ in range(4):
        small.scheduler.look()
        small.play_all(by_strength(strengths))
    with engine.connect() as connection:
        ladder = ladders.one(connection, page["inside"]["ladder"])
    fits.fit(engine, ladder)
    shown = olga.get(f"/api/groups/{group}").json()["inside"]["bots"]
    assert shown[0]["name"] == "bot of Cem"
    assert shown[0]["member"] == "Cem"
    table = list(csv.DictReader(io.StringIO(olga.get(f"/api/groups/{group}/ladder.csv").text)))
    assert [row["name"] for row in table] == [row["name"] for row in shown]

    # The lock falls by itself; one member has extra time.
    act(olga, group, act="extra time", who="Ben", seconds=3600)
    with writing(engine) as connection:
        connection.execute(update(db.bot_versions).values(created=now() - 10))
        connection.execute(update(schema.groups.groups).values(lock_at=now() - 1, sign_up=now() - 1))
    looker = Tournaments(engine, small.bell)
    looker.look()
    locked = {bot["name"]: bot["locked"] for bot in olga.get(f"/api/groups/{group}").json()["inside"]["bots"]}
    assert [locked[f"bot of {name}"] for name in ("Ann", "Ben", "Cem")] == [True, False, True]
    late = students["Dua"].post(f"/api/groups/{group}/ask")
    assert (late.status_code, "closed" in late.json()["why"]) == (409, True)
    assert "locked" in act(students["Ann"], group, 409, act="withdraw")["why"]
    assert "extra time" in act(olga, group, 409, act="start")["why"]
    act(olga, group, act="lock")

    # The tournament: round robin, four games a meeting.
    plan = {"games": 4, "maps": 1, "starts": None}
    for system, rounds in (("swiss", 7), ("knock-out", None)):
        changed = act(olga, group, act="final", system=system, rounds=7, **plan)
        assert changed["inside"]["final"]["rounds"] == rounds, "the form keeps a number that it doesn't show any more"
    act(olga, group, act="final", system="round-robin", rounds=None, games=4, maps=1, starts=None)
    act(olga, group, act="start")
    for _ in range(20):
        looker.look()
        small.play_all(by_strength(strengths))
    page = students["Ann"].get(f"/api/groups/{group}/tournaments/1").json()
    assert page["over"]
    assert [(row["name"], row["member"], row["points"]) for row in page["rows"]] == [
        ("bot of Cem v1", "Cem", 8.0),
        ("bot of Ben v1", "Ben", 4.0),
        ("bot of Ann v1", "Ann", 0.0),
    ]
    assert (page["played"], len(page["meetings"]), len(page["maps"])) == (12, 3, 1)
    # As `small.result_of` says: a quarter of a second in each of eight games.
    assert [(row["forfeits"], row["strikes"], row["cpu"]) for row in page["rows"]] == [(0, 0, 2.0)] * 3
    for table_name, lines in (("standings", 4), ("crosstable", 4), ("games", 13)):
        answer = olga.get(f"/api/groups/{group}/tournaments/1/{table_name}.csv")
        assert answer.headers["content-type"].startswith("text/csv")
        assert len(answer.text.splitlines()) == lines
    standings = csv.DictReader(io.StringIO(olga.get(f"/api/groups/{group}/tournaments/1/standings.csv").text))
    assert [row["member"] for row in standings] == ["Cem", "Ben", "Ann"], "marks are given to people"
    assert olga.get(f"/api/groups/{group}/tournaments/2").status_code == 404
    assert olga.get(f"/api/groups/{group}/tournaments/1/passwords.csv").status_code == 404

    # Members and the organiser read the games; logs are read by authors, and by the organiser, who said so in time.
    entrants = {row["member"]: row["entrant"] for row in page["rows"]}
    both = sorted((entrants["Ben"], entrants["Cem"]))
    game = next(meeting["games"][0] for meeting in page["meetings"] if meeting["players"] == both)
    for web, count in ((olga, 2), (students["Cem"], 1), (students["Ann"], 0)):
        seen = web.get(f"/api/ladder/games/{game['game']}")
        assert (seen.status_code, len(seen.json()["mine"])) == (200, count)
        assert set(seen.json()["readers"].values()) == {"Olga"}  # everybody is told
        assert seen.json()["group"] == group

    # Whoever is not a member sees name, organiser and dates, and can do nothing.
    for web in (stranger, browse("Mallory"), students["Dua"]):
        page = web.get(f"/api/groups/{group}").json()
        assert (page["name"], page["organiser"], page["inside"], page["tools"]) == ("Algorithms II", "Olga", None, None)
        for path in ("ladder.csv", "tournaments/1", "tournaments/1/games.csv"):
            assert web.get(f"/api/groups/{group}/{path}").status_code == 404
        parts = ("", "/challenge", "/seasons", "/seasons/1", "/seasons/1/table.csv", "/table.csv", "/trends")
        inner = [f"ladders/{ladder.id}{path}" for path in parts]
        for path in (*inner, f"ladder/games/{game['game']}"):
            assert web.get(f"/api/{path}").status_code == 404
        bot = web.get(f"/api/ladder-bots/{numbers['Cem']}").json()
        assert (bot["name"], bot["recent"], bot["rating"]) == ("bot of Cem", [], None)  # nothing of the group
    deeds: list[dict[str, Any]] = [
        {"act": "lock"},
        {"act": "start"},
        {"act": "let in", "who": "Mallory"},
        {"act": "announce", "text": "hello"},
        {"act": "dates", "sign_up": None, "lock_at": None},
    ]
    for deed in deeds:
        assert act(students["Ann"], group, 403, **deed)["word"] == "request/forbidden"
        act(browse(f"Mallory {deed['act']}"), group, 404, **deed)
        assert stranger.post(f"/api/groups/{group}/acts", deed).status_code == 403
    bad: list[dict[str, Any]] = [
        {"act": "dates", "sign_up": "NaN", "lock_at": None},
        {"act": "final", "system": "lottery", "rounds": None, "games": 4, "maps": 0, "starts": None},
        {"act": "extra time", "who": "Ann", "seconds": -1},
        {"act": "announce", "text": "x" * 1001},
        {"act": "conquer"},
    ]
    for deed in bad:
        act(olga, group, 400, **deed)
    assert "nobody" in act(olga, group, 409, act="let in", who="\x00" + HOSTILE)["why"]
    for path in ("groups/%00", "groups/..%2f..", f"invitations/{'x' * 4000}", "invitations/%ff"):
        assert stranger.get(f"/api/{path}").status_code == 404


def test_challenges_have_a_quota_and_a_season_leaves_an_archive(club: Server, browse: Browse) -> None:
    engine = club.hall.ledger.engine
    small = Small(engine, maps=MAPS, final_meetings=16)  # so that everybody has been placed
    ann = browse("Ann")
    mine, other = upload(engine, "Ann", "Falcon"), small.bot("Heron")
    with writing(engine) as connection:
        ladders.enter_all(connection, mine)
    form = ann.get(f"/api/ladders/{small.id}/challenge").json()
    assert [bot["own"] for bot in form["bots"] if bot["name"] in ("Falcon", "Heron")] == [True, False]
    wish = {"ladder": small.id, "bots": [mine, other], "map": "long", "meetings": 5, "counts": True}
    assert browse(None).post("/api/challenges", wish).status_code == 403
    answer = ann.post("/api/challenges", wish)
    assert answer.status_code == 201
    id = answer.json()["id"]
    assert len(answer.json()["games"]) == 10
    strengths = {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}
    small.play_all(by_strength(strengths))
    page = browse(None).get(f"/api/challenges/{id}").json()
    assert {bot["name"]: score for bot, score in zip(page["bots"], page["score"], strict=True)} == {
        "Falcon": 0.0,
        "Heron": 10.0,
    }
    assert page["by"] == "Ann"
    assert {(*game["faults"], *game["strikes"], *game["cpu"]) for game in page["games"]} == {("", "", 0, 0, 0.25, 0.25)}
    ours = next(bot["bot"] for bot in form["bots"] if not bot["author"])  # a scrimmage against one of ours
    assert ann.post("/api/challenges", {**wish, "bots": [mine, ours], "counts": False}).status_code == 201
    second = upload(engine, "Ann", "Kite")
    with writing(engine) as connection:
        ladders.enter_all(connection, second)
    refusals: list[tuple[dict[str, Any], str]] = [
        ({"bots": [mine, second]}, "same author"),
        ({"map": "moon"}, "short, long"),
        ({"bots": [mine, 10**6]}, "can't play now"),
        ({"bots": [mine, other, other]}, "2 seats"),
    ]
    for change, words in refusals:
        assert words in ann.post("/api/challenges", {**wish, **change}).json()["why"]
    for number in (999_999, 10**30):
        for path in (f"challenges/{number}", f"ladders/{number}/challenge", f"ladders/{small.id}/seasons/{number}"):
            assert ann.get(f"/api/{path}").status_code == 404
    assert ann.post("/api/challenges", {**wish, "bots": [mine, 10**30]}).status_code == 400
    for _ in range(2):
        assert ann.post("/api/challenges", {**wish, "meetings": 25}).status_code == 201
    refused = ann.post("/api/challenges", wish)
    assert refused.status_code == 422
    assert "120 games an hour" in refused.json()["why"]

    # The season ends: versions are locked, a final is played, the table stands still, and the next season begins.
    with writing(engine) as connection:
        connection.execute(update(db.seasons).values(ends=now() - 1))
    strengths = {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}
    assert seasons.look(engine, small.ladder) == "final"
    assert "Challenges do not count" in browse("Ben").post("/api/challenges", {**wish, "counts": True}).json()["why"]
    assert ann.get(f"/api/ladders/{small.id}/seasons/1").json()["season"]["phase"] == "final"
    while seasons.look(engine, small.ladder) != "over":
        assert small.scheduler.look() > 0
        small.play_all(by_strength(strengths))
    page = browse(None).get(f"/api/ladders/{small.id}/seasons/1").json()
    assert [card["phase"] for card in page["seasons"]] == ["open", "over"]
    assert page["season"]["winners"][0] == "Kite"  # the strongest that is not ours
    assert {row["name"] for row in page["rows"] if not row["ours"]} == {"Falcon", "Heron", "Kite"}
    assert all(row["rank_from"] is None or row["rank_from"] <= row["rank_to"] for row in page["rows"])
    lines = browse(None).get(f"/api/ladders/{small.id}/seasons/1/table.csv").text.splitlines()
    assert len(lines) == 1 + len(page["rows"])
    kite = next(row for row in page["rows"] if row["name"] == "Kite")
    assert (kite["faults"], kite["strikes"], kite["cpu"]) == (0, 0, kite["games"] * 0.25)  # as `small.result_of` says
    assert lines[0].endswith('"games","faults","strikes","void lines","cpu seconds"')
    assert browse(None).get(f"/api/ladders/{small.id}/seasons/3").status_code == 404


IDLER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "Idler"}), flush=True)
    elif message["type"] == "view":
        print(json.dumps({"type": "orders", "orders": []}), flush=True)
    else:
        break
"""


def test_people_play_a_bot_of_the_ladder_at_a_table(small_server: Server, tmp_path: Path) -> None:
    engine, folder = small_server.hall.ledger.engine, small_server.settings.folder
    (tmp_path / "bot.py").write_text(IDLER)
    digest = Bundles(folder / "ladder" / "bots").put(pack([sys.executable, str(tmp_path / "bot.py")]))
    with Web(small_server.address, browser=True) as web:
        web.sign_in("Isolde")
        with writing(engine) as connection:
            bot = bots.add(connection, "skerries", "Idler", account(engine, "Isolde"))
            version = bots.add_version(connection, bot, digest, language="Python")
            wish: dict[str, Any] = {"game": "skerries", "options": {"turns": 3}}
            wish["seats"] = {"red": {"kind": "person"}, "blue": {"kind": "bot", "bot": f"Idler v1 #{bot}"}}
        refused = web.post("/api/tables", wish)
        assert "has no bot called" in refused.json()["why"]  # it has not passed its trial
        with writing(engine) as connection:
            bots.passed(connection, version)
        for wrong in (f"Idle v1 #{bot}", f"Idler v2 #{bot}", f"Idler v1 #{bot + 1}"):
            seats = {**wish["seats"], "blue": {"kind": "bot", "bot": wrong}}
            assert web.post("/api/tables", {**wish, "seats": seats}).status_code == 409
        seated = web.open("skerries", people=["red"], bots={"blue": f"Idler v1 #{bot}"}, options={"turns": 3})
        with Person(small_server.address, seated["table"], seated["token"]) as person:
            for step in range(3):
                person.wait_for_step(step)
                person.file([])
            person.until(lambda: person.status == "over")
            assert person.seat("blue")["player"] == f"Idler v1 #{bot}"
            assert "dropped" not in str(person.state["card"])
