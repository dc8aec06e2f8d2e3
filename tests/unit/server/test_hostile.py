"""Whatever is sent: a clear refusal, never a failure of ours, and the table goes on."""

from __future__ import annotations

import gzip
import hashlib
import http.client
import io
import json
import logging
import random
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, WebSocketException

from polemos import registry
from polemos.kernel import replay
from polemos.kernel.match import Match
from polemos.kernel.playing import play
from polemos.kernel.rooms import bots_of
from polemos.wire import adjudicate
from unit.server.serving import Person, Refused, Server, Web, dial

DEEP = "[" * 100_000 + "]" * 100_000
DEEPISH = "[" * 900 + "]" * 900  # just within what can be read at all
ONE: dict[str, Any] = {"people": ["red"], "bots": {"blue": "random"}}


@pytest.fixture(autouse=True)
def nothing_breaks(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever is said to the server, it has nothing to note."""
    yield
    noted = [record for when in ("setup", "call") for record in caplog.get_records(when)]
    assert not [record.getMessage() for record in noted if record.levelno >= logging.ERROR]


def is_refusal(answer: Any) -> bool:
    """A status of the asker's fault, with a word and a reason, and nothing of our insides."""
    body = answer.json()
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.text[:300])
    assert body["word"]
    assert body["why"]
    assert not any(word in answer.text for word in ("Traceback", "site-packages", ".py", "sqlalchemy", "psycopg"))
    return True


# ---- requests

BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "not UTF-8": b'{"game": "\xff"}',
    "a number": b"7",
    "null": b"null",
    "a list": b"[]",
    "deep": b'{"game": "skerries", "options": {"turns": ' + DEEP.encode() + b"}}",
    "deepish": b'{"game": "skerries", "options": {"turns": ' + DEEPISH.encode() + b"}}",
    "unknown field": b'{"game": "skerries", "more": 1}',
    "wrong type": b'{"game": 7}',
    "no such game": b'{"game": "chess"}',
    "no such option": b'{"game": "skerries", "options": {"nope": 1}}',
    "bad option": b'{"game": "skerries", "options": {"turns": "many"}}',
    "a huge number": b'{"game": "skerries", "options": {"turns": 123456789012345678901234567890}}',
    "a surrogate": b'{"game": "skerries", "title": "\\ud800x"}',
    "nul in the name of the game": b'{"game": "demons\\u0000"}',
    "no such seat": b'{"game": "skerries", "seats": {"purple": {}}}',
    "no such kind": b'{"game": "skerries", "seats": {"red": {"kind": "king"}}}',
    "a clock for ever": b'{"game": "skerries", "clock": {"kind": "turn", "seconds": 1e300}}',
    "a clock backward": b'{"game": "skerries", "clock": {"kind": "bank", "seconds": 60, "increment": -60}}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
@pytest.mark.parametrize("content", ["application/json", "text/plain", "application/x-msgpack", ""])
def test_bad_wishes(web: Web, body: bytes, content: str) -> None:
    assert is_refusal(web.post("/api/tables", content=body, headers={"Content-Type": content} if content else {}))


@pytest.mark.parametrize("path", ["/api/tables", "/api/session", "/api/accounts", "/api/tables/000000000000/seats"])
def test_a_body_that_is_too_large(web: Web, path: str) -> None:
    answer = web.post(path, content=b'{"name": "' + b"x" * (2 << 20) + b'"}')
    assert is_refusal(answer)
    assert answer.status_code == 413


IDS = [
    "%00",
    "0",
    "0" * 12,
    "0" * 1000,
    "..",
    "%2e%2e%2f%2e%2e",
    "zzzzzzzzzzzz",
    "%f0%9f%a6%84",
    "'; DROP TABLE acts; --",
    "%ff",
]


@pytest.mark.parametrize("id", IDS, ids=[id[:12] for id in IDS])
def test_tables_that_do_not_exist(server: Server, web: Web, id: str) -> None:
    for path in (f"/api/tables/{id}", f"/api/tables/{id}/frames", f"/api/tables/{id}/record"):
        answer = web.get(path)
        if answer.headers["content-type"] == "application/json":  # some of these are other addresses altogether
            assert is_refusal(answer) or path == "/api/tables/.."
    assert is_refusal(web.post(f"/api/tables/{id}/seats", {"seat": "red"}))
    assert is_refusal(web.post(f"/api/tables/{id}/rematch"))
    with pytest.raises((Refused, OSError, WebSocketException)):
        Person(server.address, id)


@pytest.mark.parametrize(
    "query", ["from=-1", "from=x", "from=1e9", "to=99999999999999999999", "from=5&to=1", "from=1&from=2"]
)
def test_strange_ranges(web: Web, query: str) -> None:
    seated = web.open("skerries", **ONE)
    answer = web.get(f"/api/tables/{seated['table']}/frames?{query}")
    assert answer.status_code == 200 or is_refusal(answer)


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/assets/../../settings.py",
        "/assets/..%2f..%2fsettings.py",
        "/..%5c..%5csettings.py",
        "/%00",
        "//etc/passwd",
        "/" + "a" * 5000,
        "/./settings.py",
        "/settings.py",
        "/static/index.html",
        "/.git/config",
        "/assets/",
        "/%ff%fe",
    ],
)
def test_pages_hold_no_way_out(server: Server, path: str) -> None:
    """Every address that is no file of the client is the one page of it."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.putrequest("GET", path, skip_host=False)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    assert answer.status in (200, 400, 404)
    assert b"root:" not in body
    assert b"class Settings" not in body
    assert b"[core]" not in body


def test_strange_paths_are_not_remembered(small_server: Server) -> None:
    from polemos.server.routes import pages

    with Web(small_server.address) as web:
        for number in range(50):
            web.get(f"/nowhere/{number}")
    assert not any("nowhere" in name for name in pages.built_files())


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "BREW"])
def test_strange_methods(web: Web, method: str) -> None:
    answer = web.ask(method, "/api/tables")
    assert answer.status_code in (204, 400, 404, 405, 501), answer.status_code


# ---- replays


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """A good replay, line by line, without its chain."""
    game = registry.load("skerries")
    match = Match(game, {"turns": 2}, seed=1)
    play(match, {seat: bots_of(game)["settler"](match.setting, seat, 1) for seat in match.seats})
    path = tmp_path_factory.mktemp("replay") / "replay.jsonl"
    replay.write(path, match, dict.fromkeys(match.seats, "settler"))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        del line["chain"]
    return lines


def chained(lines: list[Any]) -> bytes:
    """As a replay whose chain of digests fits."""
    chain, written = "", b""
    for line in lines:
        body = json.dumps(line, separators=(",", ":")).encode()[:-1]
        chain = hashlib.blake2b(chain.encode() + body, digest_size=16).hexdigest()
        written += body + f',"chain":"{chain}"}}\n'.encode()
    return written


def test_a_good_replay_is_shown(web: Web, played: list[dict[str, Any]]) -> None:
    answer = web.post("/api/replays", content=chained(played))
    assert answer.status_code == 200
    assert len(answer.json()["frames"]) == 3


FILES = {
    "nothing": b"",
    "no replay": b"hello",
    "no gzip": b"\x1f\x8b\x00\x00",
    "half a gzip": gzip.compress(b'{"polemos":1}\n' * 1000)[:40],
    "a bomb": gzip.compress(b"\0" * (64 << 20)),
    "a bomb of lines": gzip.compress(b'{"polemos":' + b"[" * (20 << 20)),
    "bombs in a row": gzip.compress(b"\n" * (10 << 20)) * 3,
    "deep": b'{"polemos":' + DEEP.encode(),
    "a header alone": chained([{"polemos": 1}]),
    "zeros": b"\0" * 100_000,
}


@pytest.mark.parametrize("data", FILES.values(), ids=FILES.keys())
def test_files_that_are_no_replays(small_server: Server, data: bytes) -> None:
    with Web(small_server.address) as web:
        began = time.process_time()  # the server is in this process, and others may have the cores
        assert is_refusal(web.post("/api/replays", content=data))
        assert time.process_time() - began < 10


def test_a_replay_that_is_too_large(small_server: Server) -> None:
    with Web(small_server.address) as web:
        assert web.post("/api/replays", content=b"x" * (17 << 20)).status_code == 413


STRANGE: list[Any] = [
    None,
    -1,
    0,
    10**30,
    1.5,
    "",
    "x" * 1000,
    "\u0000",
    [],
    {},
    [[]],
    {"red": 1},
    True,
    "chess",
    "skerries",
]


@pytest.mark.parametrize("seed", range(60))
def test_replays_with_a_lie_in_them(small_server: Server, played: list[dict[str, Any]], seed: int) -> None:
    """One value anywhere is another one, and the chain fits: it is refused in words, or makes no difference."""
    chance = random.Random(seed)
    lines = json.loads(json.dumps(played))
    places: list[tuple[Any, Any]] = []

    def collect(value: Any) -> None:
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, part in inner:
            places.append((value, key))
            collect(part)

    collect(lines)
    holder, key = chance.choice(places)
    if chance.random() < 0.2:
        del holder[key]
    else:
        holder[key] = chance.choice(STRANGE)
    with Web(small_server.address) as web:
        answer = web.post("/api/replays", content=chained(lines))
        assert answer.status_code == 200 or is_refusal(answer)


# ---- the umpire for others


GARBAGE = [
    b"",
    b"{",
    b"null",
    b"{}",
    b'{"setup": {}, "position": "start"}',
    b'{"setup": {"turns": -1}}',
    b'{"position": "nonsense"}',
    b'{"position": {"setting": {}, "view": {}}}',
    b'{"position": "start", "orders": {"nobody": []}}',
    b'{"position": "start", "orders": {"red": [' + DEEPISH.encode() + b"]}}",
    b'{"position": "start", "orders": {"red": [7, null, [], {}]}, "seed": 1}',
    b'{"setup": ' + DEEP.encode() + b"}",
    b'{"id": {"error": {"word": 1}}, "setup": {}, "seed": 1}',
    b'{"id": "' + b"x" * 5000 + b'", "setup": 7}',
    b'{"position": "start", "dice": {"nope": 1}}',
    b'{"position": "start", "calls": ["last", "last", "turns 99999"]}',
    b'{"setup": {}, "seed": "\\u0000"}',
    b"\xff\xfe",
]


@pytest.mark.parametrize("game", registry.names())
@pytest.mark.parametrize("body", GARBAGE, ids=[str(i) for i in range(len(GARBAGE))])
def test_adjudicating_is_that_of_the_command_byte_for_byte(small_server: Server, game: str, body: bytes) -> None:
    with Web(small_server.address) as web:
        answer = web.post(f"/api/adjudicate/{game}", content=body)
        wanted = adjudicate.answer(registry.load(game), body)
        seeded = b'"seed"' in body or answer.status_code != 200
        if seeded:
            assert answer.content == wanted
        failed = "error" in msgspec.json.decode(wanted)
        assert answer.status_code == (422 if failed else 200)
        assert answer.headers["content-type"] == "application/json"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_adjudicating_anything(small_server: Server, body: bytes) -> None:
    with Web(small_server.address) as web:
        answer = web.post("/api/adjudicate/skerries", content=body)
        assert answer.content == adjudicate.answer(registry.load("skerries"), body)
        assert answer.status_code == 422


def test_a_whole_match_by_request(small_server: Server) -> None:
    """Each position from the one before, as a program without any state of its own would play."""
    game = registry.load("skerries")
    with Web(small_server.address) as web:
        body: dict[str, Any] = {"setup": {"turns": 3}, "seed": 5, "id": 0}
        reply: dict[str, Any] = {}
        for step in range(4):
            raw = json.dumps(body).encode()
            answer = web.post("/api/adjudicate/skerries", content=raw)
            assert answer.content == adjudicate.answer(game, raw)
            reply = answer.json()
            assert reply["id"] == step
            orders = {seat: ["A1-A2 1"] for seat in reply["to_act"]}
            body = {"position": reply["position"], "orders": orders, "seed": f"turn {step}", "id": step + 1}
        assert reply["outcome"]


def test_a_request_that_is_too_large(small_server: Server) -> None:
    with Web(small_server.address) as web:
        assert web.post("/api/adjudicate/skerries", content=b" " * (2 << 20)).status_code == 413
        assert is_refusal(web.post("/api/adjudicate/chess", content=b"{}"))


# ---- the socket


MESSAGES: dict[str, str | bytes] = {
    "nothing": "",
    "no JSON": "{",
    "binary": b"\x00\x01",
    "binary JSON": b'{"type": "withdraw"}',
    "a number": "7",
    "no type": "{}",
    "unknown type": '{"type": "explode"}',
    "wrong id": '{"type": "withdraw", "id": "x"}',
    "huge id": '{"type": "withdraw", "id": 123456789012345678901234567890}',
    "unknown field": '{"type": "withdraw", "seat": "blue"}',
    "no lines": '{"type": "file", "step": 0}',
    "lines of nothing": '{"type": "file", "lines": null, "step": 0}',
    "step of nothing": '{"type": "file", "lines": [], "step": null}',
    "far step": '{"type": "file", "lines": [], "step": 99999999999999999999}',
    "no such act": '{"type": "act", "what": "explode"}',
    "act with signs": '{"type": "act", "what": "\\u0000\\u202e' + "x" * 1000 + '"}',
    "act file": '{"type": "act", "what": "file"}',
    "act rematch": '{"type": "act", "what": "rematch"}',
    "no such offer": '{"type": "answer", "what": "world", "yes": true}',
    "no such side": '{"type": "say", "text": "x", "to": "all"}',
    "deep": '{"type": "draft", "lines": ' + DEEP + "}",
    "join again": '{"type": "join"}',
    "surrogate": '{"type": "say", "text": "\\ud800"}',
}


def test_messages_that_make_no_sense(web: Web, sit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is refused with a reason, and the next good one is served."""
    monkeypatch.setattr("polemos.server.routes.live.PAUSE", 0.0)
    person: Person = sit(web.open("skerries", **ONE))
    for name, message in MESSAGES.items():
        person.heard.clear()
        person.send(message)
        said = person.until(lambda: next((said for said in person.heard if said["type"] == "refused"), None))
        assert said["word"] in ("table/refused", "order/notation"), (name, said)
        assert len(said["why"]) < 400
        assert "Traceback" not in said["why"]
    person.file([])
    person.wait_for_step(1)


LINES: dict[str, list[Any]] = {
    "other types": [7, None, True, 1.5, [], {}, [[]], {"order": None}, {"order": {"order": {}}}],
    "signs": ["\u0000", "\u202e", "\ud7ff", "\U0010ffff", "a\nb", ";;;", "\t" * 100],
    "long": ["x" * 100_000],
    "many": ["x"] * 20_000,
    "deep": [json.loads(DEEPISH)],
    "wide": [{str(i): i for i in range(5000)}],
    "huge numbers": [{"order": "row", "number": 10**40}, 10**40, -(10**40), 1e308],
    "a text": list("A1-A2 1"),
}


@pytest.mark.parametrize("game", registry.names())
def test_sheets_that_make_no_sense(server: Server, web: Web, sit: Any, game: str) -> None:
    """They are drafted, filed, kept and carried out as void lines; and they can be read from disk again."""
    facts = registry.load(game).facts
    seats = facts.seats[: max(2, facts.min_seats)]
    person: Person = sit(web.open(game, people=[seats[0]], bots=dict.fromkeys(seats[1:], "random")))
    for lines in LINES.values():
        if person.status == "over":
            break
        person.until(lambda: person.status == "over" or "file" in person.may)
        sheet = person.ask("draft", lines=lines)
        assert all(line["fault"] is not None for line in sheet["lines"])
        step = person.step
        person.file(lines, step=step)
        person.wait_for_step(step + 1)
    person.until(lambda: person.status == "over" or "file" in person.may)
    kept = server.hall.keepers[person.table].table
    again = server.hall._table(person.table)
    assert again.match.state.digest() == kept.match.state.digest()
    assert again.match.steps == kept.match.steps


def test_a_message_that_is_too_large(web: Web, sit: Any) -> None:
    person: Person = sit(web.open("skerries", **ONE))
    with suppress(ConnectionClosed):
        person.send('{"type": "draft", "lines": ["' + "x" * (2 << 20) + '"]}')
    with pytest.raises(ConnectionClosed):
        person.until(lambda: False)
    again: Person = sit(person.table, person.token)
    again.file([])


@pytest.mark.parametrize("first", ["{", "7", '{"type": "withdraw"}', '{"type": "join", "token": 7}', b"\x00"])
def test_a_first_message_that_is_none(server: Server, web: Web, first: str | bytes) -> None:
    seated = web.open("skerries", **ONE)
    with dial(f"ws{server.address[4:]}/api/tables/{seated['table']}/live") as socket:
        socket.send(first)
        said = json.loads(socket.recv(timeout=60))
        assert (said["type"], said["re"]) == ("refused", 0)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=60)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404


def test_one_who_says_nothing_is_let_go(server: Server, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polemos.server.routes.live.FIRST", 0.2)
    seated = web.open("skerries", **ONE)
    with dial(f"ws{server.address[4:]}/api/tables/{seated['table']}/live") as socket:
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=60)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4400


@pytest.mark.parametrize("name", ["spectator", "red", "blue", "random", "program", "None", "__proto__", "0"])
def test_names_are_no_keys(server: Server, web: Web, sit: Any, name: str) -> None:
    """Whatever somebody is called, seats stay who they are."""
    ann: Person = sit(
        web.open("skerries", options={"seats": 3}, people=["red"], clock={"kind": "turn", "seconds": 600.0}, name=name)
    )
    bob: Person = sit(web.take(ann.table, "green", name))
    cid: Person = sit(web.take(ann.table, "blue", name))
    for person in (ann, bob, cid):
        person.until(lambda person=person: person.status == "playing")  # type: ignore[misc]
        person.file([str(person.state["you"])])
    for person in (ann, bob, cid):
        person.wait_for_step(1)
        seat = person.state["you"]
        assert person.frames[1]["orders"] == {seat: [seat]}
        assert person.frames[1]["view"]["who"] == seat


# ---- floods


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with narrow limits."""
    with Server(tmp_path_factory.mktemp("strict"), limits=0.2, behind="127.0.0.1") as running:
        yield running


@pytest.mark.usefixtures("unfilled")
def test_every_limit_says_which_and_how_long(strict: Server, played: list[dict[str, Any]]) -> None:
    wish = {"game": "skerries", "seats": {"blue": {"kind": "bot", "bot": "random"}}}
    floods: dict[str, Any] = {
        "tables": lambda web: web.post("/api/tables", wish),
        "parties": lambda web: web.post("/api/parties", {"game": "skerries", "wish": {}}),
        "adjudicate": lambda web: web.post("/api/adjudicate/skerries", content=b"{}"),
        "replays": lambda web: web.post("/api/replays", content=b"hello"),
        "frames": lambda web: web.get("/api/tables/000000000000/frames"),
        "records": lambda web: web.get("/api/tables/000000000000/record"),
        "sign-up": lambda web: web.post("/api/accounts", {"name": "x", "password": "x"}),
    }
    for number, (key, ask) in enumerate(floods.items()):
        with Web(strict.address, headers={"X-Forwarded-For": f"10.0.0.{number}"}) as web:
            answers = [ask(web) for _ in range(60)]
            last = answers[-1]
            assert last.status_code == 429, key
            body = last.json()
            assert (body["word"], body["key"]) == ("limit/rate", key)
            assert body["seconds"] >= 1
            assert str(round(body["seconds"])) in body["why"]
            assert answers[0].status_code != 429
    with Web(strict.address) as web:
        tries = (web.get("/api/games/skerries") for _ in range(150))
        refused = next(answer for answer in tries if answer.status_code == 429)
        assert refused.json()["key"] == "requests"


@pytest.mark.usefixtures("unfilled")
def test_a_flood_at_the_table_is_told_to_wait(tmp_path: Path) -> None:
    with Server(tmp_path, limits=0.2) as server, Web(server.address) as web:
        seated = web.open("skerries", **ONE)
        with Person(server.address, seated["table"], seated["token"]) as person:
            for id in range(1, 20):
                person.send({"type": "note", "place": "a", "text": "x", "id": id})
            refused = person.until(lambda: [said for said in person.heard if said["type"] == "refused"])
            assert (refused[0]["word"], refused[0]["key"]) == ("limit/rate", "messages")
            assert refused[0]["seconds"] >= 1
            assert refused[0]["re"] > 1


@pytest.mark.usefixtures("unfilled")
def test_talk_has_a_limit_of_its_own(tmp_path: Path) -> None:
    with Server(tmp_path, limits=0.5) as server, Web(server.address) as web:
        seated = web.open("skerries", **ONE)
        with Person(server.address, seated["table"], seated["token"]) as person:
            said = flood(person, "say", 20, text="hello")
            assert said["key"] == "talk"
            person.file([])


def flood(person: Person, kind: str, times: int, **fields: Any) -> dict[str, Any]:
    """Asks the same until it is refused."""
    for _ in range(times):
        try:
            person.ask(kind, **fields)
        except Refused as refused:
            return refused.said
    raise AssertionError("it was never refused")


@pytest.mark.needs("minions")
@pytest.mark.usefixtures("unfilled")
def test_long_sheets_count_more(tmp_path: Path) -> None:
    """A few that take the server's time are as much as many that do not."""
    with Server(tmp_path, limits=1.0) as server, Web(server.address) as web:
        seated = web.open("minions", people=["yellow"], bots={"blue": "random"})
        with Person(server.address, seated["table"], seated["token"]) as person:
            assert flood(person, "draft", 20, lines=["x"] * 4000)["key"] == "messages"


def test_many_notes_are_too_many(web: Web, sit: Any) -> None:
    person: Person = sit(web.open("skerries", **ONE))
    for number in range(100):
        person.ask("note", place=str(number), text="x")
    with pytest.raises(Refused, match="at most 100 notes"):
        person.ask("note", place="100", text="x")
    person.ask("note", place="5", text="changed")


def test_buffers_do_not_grow_for_ever() -> None:
    from polemos.server.limits import MAX_KEYS, Buckets

    buckets = Buckets()
    for number in range(MAX_KEYS + 500):
        buckets.take("requests", str(number))
    assert len(buckets._buckets) <= MAX_KEYS


def test_a_whole_file_in_memory_is_never_larger_than_it_may_be() -> None:
    from polemos.server.routes.umpire import _check_size
    from polemos.wire.records import TooLarge

    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as file:
        for _ in range(300):
            file.write(b"\0" * (1 << 20))
    with pytest.raises(TooLarge):
        _check_size(packed.getvalue())
