"""Operators: who they are, what they can do, what the people concerned are told, and that nothing goes unrecorded."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import msgspec
import pytest
from click.testing import CliRunner
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import DBAPIError
from websockets.exceptions import ConnectionClosed

from polemos.cli.operator import command
from polemos.server import metrics
from polemos.server.office import health, pulse
from polemos.server.office.bans import Bans
from polemos.server.store import schema
from polemos.server.store.ledger import connect
from polemos.wire.office import BanRow, Figures, Times
from unit.server.parties import Party, a_wish
from unit.server.serving import Person, Refused, Server, Web, wait_for

_number = itertools.count()
DUEL: dict[str, Any] = {"people": ["red"], "bots": {"blue": "random"}, "options": {"turns": 9}}
CLOCKED: dict[str, Any] = {"clock": {"kind": "turn", "seconds": 600.0}}
LISTS = ("", "/health", "/people", "/tables", "/bots", "/reports", "/bans", "/audit", "/audit.jsonl")
BAN = {"act": "ban", "kind": "name", "target": "Mallory", "why": "spam"}
ELSEWHERE = "203.0.113.7"

Browse = Callable[..., Web]
Command = Callable[..., list[dict[str, Any]]]


def fresh(name: str = "Ada") -> str:
    return f"{name} {next(_number)}"


@pytest.fixture(scope="module")
def office(kind: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server behind a proxy, so that people can come from anywhere."""
    database = request.getfixturevalue("cluster").new() if kind == "postgresql" else None
    with Server(tmp_path_factory.mktemp("office"), database, behind="127.0.0.1") as running:
        yield running


@pytest.fixture
def browse(office: Server) -> Iterator[Browse]:
    """Browsers, each at an address of its own."""
    with ExitStack() as stack:

        def make(name: str | None = None, at: str = "198.51.100.1") -> Web:
            web = stack.enter_context(Web(office.address, browser=True, headers={"X-Forwarded-For": at}))
            if name is not None:
                web.sign_in(name)
            return web

        yield make


@pytest.fixture
def run(office: Server) -> Command:
    """`polemos operator` on the same database."""

    def doing(*words: str, fails: str | None = None) -> list[dict[str, Any]]:
        place = ["--folder", str(office.settings.folder)]
        if office.settings.database is not None:
            place += ["--database", office.settings.database]
        result = CliRunner().invoke(command, [words[0], *place, "--json", *words[1:]])
        if fails is not None:
            assert result.exit_code != 0
            assert fails in f"{result.output}{result.exception}"
            return []
        assert result.exit_code == 0, f"{result.output}{result.exception!r}"
        return [json.loads(line) for line in result.stdout.splitlines()]

    return doing


@pytest.fixture
def operator(browse: Browse, run: Command) -> Web:
    name = fresh("Olga")
    web = browse(name)
    run("add", name)
    wait_for(lambda: web.get("/api/me").json()["operator"])
    return web


def do(web: Web, **deed: Any) -> httpx.Response:
    return web.post("/api/operator/deeds", deed)


def done(web: Web, **deed: Any) -> None:
    answer = do(web, **deed)
    assert answer.status_code == 200, answer.text


def rows(web: Web, path: str, **query: Any) -> list[dict[str, Any]]:
    answer = web.get(f"/api/operator{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


# ---- who is an operator


def test_for_everyone_else_there_is_nothing_here(browse: Browse) -> None:
    for web in (browse(), browse(fresh())):
        for path in LISTS:
            answer = web.get(f"/api/operator{path}")
            assert (answer.status_code, answer.json()["word"]) == (404, "request/bad"), path
        assert do(web, **BAN).status_code == 404
        assert web.post("/api/operator/deeds", content=b"{").status_code == 404, "not even that a body was expected"
        assert web.get("/operator").status_code == 404
        assert web.get("/api/me").json()["operator"] is False


def test_an_operator_sees_the_lists_and_the_page(operator: Web) -> None:
    for path in LISTS:
        assert operator.get(f"/api/operator{path}").status_code == 200, path
    assert operator.get("/operator").status_code == 200


def test_a_command_makes_operators_and_unmakes_them(browse: Browse, run: Command) -> None:
    name = fresh()
    run("add", name, fails="There is no account")
    web = browse(name)
    assert run("add", name)[0] | {"id": 0, "at": 0, "by": ""} == {
        "id": 0, "at": 0, "by": "", "what": "add operator", "target": name, "why": "",
    }  # fmt: skip
    run("add", name, fails="already is an operator")
    wait_for(lambda: web.get("/api/operator").status_code == 200)
    run("remove", name)
    wait_for(lambda: web.get("/api/operator").status_code == 404)


def test_a_setting_names_operators_that_exist_when_the_server_starts(tmp_path: Path) -> None:
    with Server(tmp_path) as server, Web(server.address, browser=True) as web:
        web.sign_in("Olga")
        cookies = dict(web.client.cookies)
    with Server(tmp_path, operators="olga, Nobody") as server, Web(server.address) as web:
        web.client.cookies.update(cookies)
        assert web.get("/api/operator").status_code == 200
        with Web(server.address, browser=True) as late:
            late.sign_in("Nobody")
            assert late.get("/api/operator").status_code == 404, "nobody becomes an operator by signing up"


def test_deeds_need_the_token_of_our_page(operator: Web) -> None:
    token = operator.client.headers.pop("X-CSRF-Token")
    assert do(operator, **BAN).status_code == 403
    operator.client.headers["X-CSRF-Token"] = token
    elsewhere = operator.post("/api/operator/deeds", BAN, headers={"Origin": "https://evil.example"})
    assert elsewhere.status_code == 403
    assert rows(operator, "/bans") == []


# ---- bans


def test_a_banned_account_is_put_out_and_told_why(operator: Web, browse: Browse, office: Server) -> None:
    name = fresh("Mallory")
    mallory = browse(name)
    seated = mallory.open("skerries", **DUEL)
    cookie = {"Cookie": f"polemos={mallory.client.cookies['polemos']}"}
    with Person(office.address, seated["table"], seated["token"], cookie) as person:
        done(operator, act="ban", kind="account", target=name, why="cheats", seconds=86400)
        with pytest.raises(ConnectionClosed) as closed:
            person.until(lambda: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4403
        assert "cheats" in closed.value.rcvd.reason
    assert mallory.get("/api/me").json()["name"] is None
    again = mallory.post(
        "/api/session",
        {"name": name, "password": "correct horse"},
        headers={"X-CSRF-Token": mallory.get("/api/me").json()["csrf"]},
    )
    assert (again.status_code, again.json()["word"]) == (403, "account/banned")
    day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 86400))
    assert again.json()["why"].startswith(f"This account is banned until {day}")
    assert again.json()["why"].endswith("UTC: cheats")
    with pytest.raises(Refused, match="cheats"):
        Person(office.address, seated["table"], seated["token"])  # nor by the secret of the seat
    ban = rows(operator, "/bans")[0]
    done(operator, act="unban", ban=ban["id"], why="was a mistake")
    assert browse().post("/api/session", {"name": name, "password": "correct horse"}).status_code == 200
    assert rows(operator, "/bans") == []


def test_a_banned_name_is_refused_whatever_letters_it_is_made_of(operator: Web, browse: Browse) -> None:
    done(operator, act="ban", kind="name", target="Rude Word", why="not here")
    guest = browse()
    table = guest.open("skerries", people=["red"], **CLOCKED)["table"]
    for name in ("Rude Word", "rude-word", "Rude W0rd"):
        answer = guest.post(f"/api/tables/{table}/seats", {"seat": "blue", "name": name})
        assert (answer.status_code, answer.json()["why"]) == (403, "This name is banned: not here"), name
    answer = guest.post("/api/accounts", {"name": "rude word", "password": "correct horse"})
    assert (answer.status_code, answer.json()["word"]) == (403, "account/banned")
    done(operator, act="unban", ban=rows(operator, "/bans")[0]["id"], why="enough")
    guest.take(table, "blue", "Rude Word")


def test_a_banned_network_is_shut_out(operator: Web, browse: Browse, office: Server) -> None:
    guest = browse(at=ELSEWHERE)
    table = guest.open("skerries", **DUEL)
    with Person(office.address, table["table"], None, {"X-Forwarded-For": ELSEWHERE}) as watching:
        done(operator, act="ban", kind="address", target="203.0.113.0/24", why="floods", seconds=3600)
        with pytest.raises(ConnectionClosed):
            watching.until(lambda: False)
    answer = guest.get("/api/me")
    assert (answer.status_code, answer.json()["word"]) == (403, "account/banned")
    assert "floods" in answer.json()["why"]
    with pytest.raises(Refused, match="floods"):
        Person(office.address, table["table"], None, {"X-Forwarded-For": "203.0.113.200"})
    assert browse(at="203.0.114.7").get("/api/me").status_code == 200
    done(operator, act="unban", ban=rows(operator, "/bans")[0]["id"], why="enough")
    assert guest.get("/api/me").status_code == 200


def test_the_address_of_a_session_is_banned_without_being_shown(operator: Web, browse: Browse) -> None:
    name = fresh("Mallory")
    mallory = browse(name, at="192.0.2.77")
    person = rows(operator, "/people", text=name)[0]
    assert person["sessions"][0]["address"] == "192.0.2.*"
    assert [row["name"] for row in rows(operator, "/people", text="192.0.2.77")] == [name]
    assert [row["name"] for row in rows(operator, "/people", text="192.0.2.0/25")] == [name]
    assert rows(operator, "/people", text="192.0.2.128/25") == []
    done(operator, act="ban", kind="session", target=person["sessions"][0]["id"], why="floods")
    assert mallory.get("/api/me").status_code == 403
    assert "192.0.2.77" not in operator.get("/api/operator/bans").text
    assert "192.0.2.77" not in operator.get("/api/operator/audit").text
    done(operator, act="unban", ban=rows(operator, "/bans")[0]["id"], why="enough")


@pytest.mark.parametrize(
    ("deed", "why"),
    [
        ({"kind": "address", "target": "198.51.100.0/24"}, "lock yourself out"),
        ({"kind": "address", "target": "10.0.0.0/8"}, "too large"),
        ({"kind": "address", "target": "2001::/16"}, "too large"),
        ({"kind": "address", "target": "everyone"}, "isn't an address"),
        ({"kind": "account", "target": "Nobody Atall"}, "There is no account"),
        ({"kind": "session", "target": "0123456789ab"}, "no such session"),
        ({"kind": "session", "target": "%"}, "no such session"),
        ({"kind": "report", "target": "-1"}, "no such report"),
        ({"kind": "name", "target": "..."}, "needs a letter"),
        ({"kind": "name", "target": "Mallory", "why": "\u3164"}, "Give a reason"),
    ],
)
def test_bans_that_would_hit_others_are_refused(operator: Web, deed: dict[str, Any], why: str) -> None:
    answer = do(operator, **{"act": "ban", "why": "because", **deed})
    assert answer.status_code == 422
    assert why in answer.json()["why"]
    assert rows(operator, "/bans") == []


def test_operators_are_not_banned(operator: Web) -> None:
    name = operator.get("/api/me").json()["name"]
    for kind in ("account", "name"):
        assert "operator" in do(operator, act="ban", kind=kind, target=name, why="coup").json()["why"]


def test_a_ban_ends_by_itself() -> None:
    past, future = time.time() - 1, time.time() + 60
    found = [
        ("1", BanRow(1, "account", "Ada", "old", 0.0, past)),
        ("2", BanRow(2, "account", "Ben", "short", 0.0, future)),
        ("2", BanRow(3, "account", "Ben", "long", 0.0, None)),
        ("2001:db8::/32", BanRow(4, "address", "2001:db8::/32", "floods", 0.0, future)),
    ]
    bans = Bans(found)
    assert bans.of_account(1) is None
    ben = bans.of_account(2)
    assert ben is not None
    assert ben.why == "long", "the longest one counts"
    assert bans.of_address("2001:db8:1::1") is not None
    assert bans.of_address("2001:db9::1") is None
    assert bans.of_address("?") is None


# ---- people, sessions, quotas


def test_sessions_are_ended(operator: Web, browse: Browse, office: Server) -> None:
    name = fresh()
    ada = browse(name)
    table = ada.open("skerries", **DUEL)["table"]
    cookie = {"Cookie": f"polemos={ada.client.cookies['polemos']}"}
    with Person(office.address, table, None, cookie) as person:
        assert person.state["you"] == "red"
        done(operator, act="end sessions", name=name, why="lost her laptop")
        with pytest.raises(ConnectionClosed) as closed:
            person.until(lambda: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
    assert ada.get("/api/me").json()["name"] is None


def test_a_quota_limits_tables_and_bots(operator: Web, browse: Browse) -> None:
    name = fresh()
    ada = browse(name)
    done(operator, act="quota", name=name, what="tables", most=1, why="opens too many")
    ada.open("skerries", **DUEL)
    seats = {"red": {"kind": "person"}, "blue": {"kind": "bot", "bot": "random"}}
    wish = {"game": "skerries", "seats": seats}
    answer = ada.post("/api/tables", wish)
    assert (answer.status_code, answer.json()["why"]) == (
        409,
        "You can have at most 1 table at a time, and you have 1.",
    )
    done(operator, act="quota", name=name, what="tables", most=None, why="promised to behave")
    done(operator, act="quota", name=None, what="bots", most=1, why="busy evening")
    assert "at most 1 bot at" in ada.post("/api/tables", wish).json()["why"]
    assert rows(operator, "/people", text=name)[0]["quotas"] == {}
    done(operator, act="quota", name=name, what="bots", most=2, why="a tester")
    assert ada.post("/api/tables", wish).status_code == 201, "one's own quota comes first"
    done(operator, act="quota", name=None, what="bots", most=None, why="quiet again")


# ---- tables and bots


def test_a_closed_table_is_over_and_everyone_is_told(operator: Web, browse: Browse, office: Server) -> None:
    ada = browse()
    seated = ada.open("skerries", people=["red"], title="Ada & <b>Ben</b>", **CLOCKED)
    blue = ada.take(seated["table"], "blue", "Ben")
    with (
        Person(office.address, seated["table"], seated["token"]) as red,
        Person(office.address, seated["table"], blue["token"]) as ben,
        Person(office.address, seated["table"]) as watching,
    ):
        done(operator, act="close table", table=seated["table"], why="rude <i>title</i>")
        for person in (red, ben, watching):
            person.until(lambda: person.status == "over" and person.talk)  # noqa: B023
            assert person.state["card"]["closed"] == "rude <i>title</i>"
            assert person.state["may"] == []
            assert person.talk[-1]["who"] == "Umpire"
            assert person.talk[-1]["text"] == "An operator closed this table: rude <i>title</i>"
        with pytest.raises(Refused):
            red.file([], 0)
    assert ada.get(f"/api/tables/{seated['table']}/replay.jsonl.gz").status_code == 200
    assert do(operator, act="close table", table=seated["table"], why="again").status_code == 422


def test_a_table_nobody_has_joined_can_be_closed(operator: Web, browse: Browse) -> None:
    table = browse().open("skerries", people=["red"], listed=False, **CLOCKED)["table"]
    found = {row["id"]: row for row in rows(operator, "/tables", status="open", game="skerries")}
    assert found[table]["listed"] is False
    done(operator, act="close table", table=table, why="forgotten")
    assert browse().get(f"/api/tables/{table}").json()["status"] == "over"
    assert browse().post(f"/api/tables/{table}/seats", {"seat": "blue"}).status_code == 409


@pytest.mark.needs("monarchs")
def test_a_party_is_listed_and_closed(operator: Web, browse: Browse, run: Command, office: Server) -> None:
    party = Party(office, a_wish())
    try:
        queen = party["red"]
        [row] = [row for row in rows(operator, "/parties") if row["id"] == party.id]
        assert (row["game"], row["links"], row["used"], row["acts"]) == ("monarchs", 14, 2, 0)
        assert party.id in [row["id"] for row in run("parties")]
        run("close-party", party.id, "--why", "forgotten")
        wait_for(lambda: queen.listen()[-1]["type"] == "moved")
        assert queen.heard[-1]["why"] == "This party was closed: forgotten"
        assert party.web.get(f"/api/parties/{party.id}/sight", party.tokens["red"]).status_code == 410
        assert party.id not in [row["id"] for row in rows(operator, "/parties")]
        assert do(operator, act="close party", party=party.id, why="again").status_code == 422
    finally:
        party.close()


def test_tables_are_found_by_game_status_and_player(operator: Web, browse: Browse) -> None:
    name = fresh("Zenobia")
    table = browse(name).open("skerries", **DUEL)["table"]
    assert [row["id"] for row in rows(operator, "/tables", player=name[:9].lower())] == [table]
    row = rows(operator, "/tables", player=name, status="playing", game="skerries")[0]
    assert sorted(row["players"]) == sorted([name, "random"])
    assert rows(operator, "/tables", player=name, status="over") == []
    assert rows(operator, "/tables", player=name, game="chess") == []


def test_an_operator_watches_through_the_fog_like_any_spectator(operator: Web, browse: Browse, office: Server) -> None:
    ada = browse()
    seated = ada.open("skerries", **DUEL)
    path = f"/api/tables/{seated['table']}/frames"
    seen = operator.get(path).json()
    assert seen == browse().get(path).json()
    assert seen != ada.get(path, seated["token"]).json()
    cookie = {"Cookie": f"polemos={operator.client.cookies['polemos']}"}
    with Person(office.address, seated["table"], None, cookie) as watching:
        assert watching.state["you"] is None


def test_bots_are_listed_with_what_they_used_and_stopped(operator: Web, browse: Browse, office: Server) -> None:
    seated = browse().open("skerries", **DUEL)
    with Person(office.address, seated["table"], seated["token"]) as ada:
        ada.file([])
        ada.wait_for_step(1)

        def mine() -> list[dict[str, Any]]:
            return [bot for bot in rows(operator, "/bots") if bot["table"] == seated["table"]]

        assert [(bot["seat"], bot["bot"]) for bot in mine()] == [("blue", "random")]
        assert mine()[0]["answers"] >= 1
        done(operator, act="stop bot", table=seated["table"], seat="blue", why="runs wild")
        ada.until(lambda: ada.talk)
        assert ada.talk[-1]["text"] == "An operator stopped the bot random (blue): runs wild"
        assert mine() == []
        ada.file([])
        ada.until(lambda: ada.status == "over")
        assert ada.seat("blue")["why"] == "dropped out"
    assert do(operator, act="stop bot", table=seated["table"], seat="red", why="no").status_code == 422


# ---- reports


def test_a_report_has_the_lines_that_its_writer_could_see(operator: Web, browse: Browse, office: Server) -> None:
    ada = browse()
    seated = ada.open("skerries", people=["red"], name="Ada Lo", **CLOCKED)
    blue = ada.take(seated["table"], "blue", "Ben")
    with (
        Person(office.address, seated["table"], seated["token"]) as red,
        Person(office.address, seated["table"], blue["token"]) as ben,
    ):
        red.ask("say", text="to my side", to="side")
        ben.ask("say", text="<script>rude</script>")
        ben.ask("say", text="to our side", to="side")
    path = f"/api/tables/{seated['table']}/reports"
    said = {"about": "talk", "text": "Look\x1b[2J at\nthis", "seat": "blue", "lines": [1, 2, 3, 99]}
    assert ada.post(path, said, seated["token"]).status_code == 201
    report = next(row for row in rows(operator, "/reports") if row["table"] == seated["table"])
    assert [line["text"] for line in report["lines"]] == ["to my side", "<script>rude</script>"]
    assert (report["by"], report["target"], report["about"]) == ("Ada Lo (guest)", "Ben (blue)", "talk")
    assert report["text"] == "Look [2J at this"
    done(operator, act="report done", report=report["id"], why="warned him")
    assert report["id"] not in [row["id"] for row in rows(operator, "/reports")]
    assert report["id"] in [row["id"] for row in rows(operator, "/reports", done=True)]
    assert do(operator, act="report done", report=report["id"], why="again").status_code == 422


@pytest.mark.parametrize(
    "said",
    [
        {"about": "talk", "text": ""},
        {"about": "talk", "text": "\u3164"},
        {"about": "talk", "text": "x" * 501},
        {"about": "weather", "text": "rain"},
        {"about": "name", "text": "this one", "seat": "purple"},
        {"about": "talk", "text": "all of it", "lines": list(range(21))},
    ],
)
def test_reports_are_bounded(browse: Browse, said: dict[str, Any]) -> None:
    web = browse()
    table = web.open("skerries", **DUEL)["table"]
    assert web.post(f"/api/tables/{table}/reports", said).status_code in (400, 409)


@pytest.mark.usefixtures("unfilled")
def test_reports_are_rationed_by_address(tmp_path: Path) -> None:
    with Server(tmp_path, limits=1.0) as server, Web(server.address, browser=True) as web:
        table = web.open("skerries", **DUEL)["table"]
        said = {"about": "other", "text": "again"}
        codes = [web.post(f"/api/tables/{table}/reports", said).status_code for _ in range(6)]
        assert codes == [201] * 5 + [429]


def test_the_address_of_a_guest_is_banned_through_a_report(operator: Web, browse: Browse, office: Server) -> None:
    mallory = browse(at="192.0.2.99")
    seated = mallory.open("skerries", people=["red"], name="Mallory", **CLOCKED)
    with Person(office.address, seated["table"], seated["token"], {"X-Forwarded-For": "192.0.2.99"}):
        said = {"about": "name", "text": "rude", "seat": "red"}
        assert browse().post(f"/api/tables/{seated['table']}/reports", said).status_code == 201
    report = next(row for row in rows(operator, "/reports") if row["table"] == seated["table"])
    assert report["address"] == "192.0.2.*"
    done(operator, act="ban", kind="report", target=str(report["id"]), why="rude", seconds=3600)
    assert mallory.get("/api/me").status_code == 403
    done(operator, act="unban", ban=rows(operator, "/bans")[0]["id"], why="enough")


def test_a_report_needs_the_token_of_our_page(browse: Browse) -> None:
    web = browse()
    table = web.open("skerries", **DUEL)["table"]
    del web.client.headers["X-CSRF-Token"]
    assert web.post(f"/api/tables/{table}/reports", {"about": "other", "text": "x"}).status_code == 403


# ---- announcements


def test_an_announcement_is_for_everyone_until_it_ends(operator: Web, browse: Browse, office: Server) -> None:
    done(operator, act="announce", text="Restart at\n<b>six</b>", seconds=600)
    notice = browse().get("/api/notices").json()[0]
    assert notice["text"] == "Restart at <b>six</b>"
    assert 0 < notice["until"] - time.time() <= 600
    done(operator, act="end notice", notice=notice["id"], why="done early")
    assert browse().get("/api/notices").json() == []
    assert do(operator, act="announce", text="x", seconds=1).status_code == 400


# ---- the audit log


def test_every_deed_is_in_the_audit_log(operator: Web, browse: Browse) -> None:
    name, mine = fresh(), operator.get("/api/me").json()["name"]
    browse(name)
    done(operator, act="ban", kind="account", target=name, why="cheats", seconds=86400)
    done(operator, act="unban", ban=rows(operator, "/bans")[0]["id"], why="a mistake")
    done(operator, act="quota", name=name, what="tables", most=3, why="a start")
    found = [(row["by"], row["what"], row["target"], row["why"]) for row in rows(operator, "/audit")[:3]]
    assert found == [
        (mine, "quota", f"tables of {name}: 3", "a start"),
        (mine, "unban", f"account {name}", "a mistake"),
        (mine, "ban", f"account {name} for 1 day", "cheats"),
    ]
    exported = [json.loads(line) for line in operator.get("/api/operator/audit.jsonl").text.splitlines()]
    assert exported[-3:] == rows(operator, "/audit")[2::-1]
    older = rows(operator, "/audit", before=exported[-1]["id"])
    assert older[0] == exported[-2]


def test_a_refused_deed_is_not(operator: Web) -> None:
    before = rows(operator, "/audit")
    assert do(operator, act="unban", ban=10**9, why="?").status_code == 422
    assert rows(operator, "/audit") == before


def test_the_database_refuses_to_change_the_audit_log(operator: Web, office: Server) -> None:
    done(operator, act="quota", name=None, what="tables", most=None, why="a line in the log")
    engine = connect(office.settings.url)
    try:
        for statement in (delete(schema.audit), update(schema.audit).values(by="nobody")):
            with pytest.raises(DBAPIError, match="append only"), engine.begin() as connection:
                connection.execute(statement)
        with engine.connect() as connection:
            assert connection.execute(select(schema.audit.c.id)).first() is not None
    finally:
        engine.dispose()


# ---- health


def test_health_tells_what_the_server_does(operator: Web, browse: Browse, run: Command, office: Server) -> None:
    guest = browse()
    seated = guest.open("skerries", **DUEL)

    def whole() -> dict[str, Any]:
        found: dict[str, Any] = operator.get("/api/operator/health").json()["whole"]
        return found

    before = whole()
    with Person(office.address, seated["table"], seated["token"]) as ada, Person(office.address, seated["table"]):
        ada.file([])
        ada.wait_for_step(1)
        assert guest.get("/api/tables/nonsense").status_code == 404
        wait_for(lambda: whole()["sockets"] == {"player": 1, "spectator": 1})
        after = whole()
        found = operator.get("/api/operator/health").json()
        row = run("health")[0]
    assert after["orders"]["count"] > before["orders"]["count"]
    assert 0 < after["orders"]["p50"] <= after["orders"]["p99"]
    assert after["tables"]["playing"] >= 1
    assert after["refusals"]["table/unknown"] == before["refusals"].get("table/unknown", 0) + 1
    assert after["memory"] > 10_000_000
    assert 0 < after["writes"]["p50"] <= after["writes"]["p99"]
    assert set(after["queues"]) == {"writes", "work", "bots", "messages"}
    assert len(found["processes"]) == 1
    process = found["processes"][0]
    assert (row["id"], row["address"]) == (process["id"], process["address"]), "the command sees the same"
    assert row["renewed"] < health.SILENT
    unfinished = [table for table in run("tables") if table["status"] != "over"]
    assert process["owned"] == len(unfinished)
    if office.settings.database is None:
        assert (after["database"], process["address"]) == ("SQLite", "")
    else:
        member = office.app.state.company.member
        assert (after["database"], process["id"], process["address"]) == ("PostgreSQL", member.id, member.address)


def test_health_as_text(office: Server) -> None:
    place = ["--folder", str(office.settings.folder)]
    place += [] if office.settings.database is None else ["--database", office.settings.database]
    shown = CliRunner().invoke(command, ["health", *place])
    assert shown.exit_code == 0, shown.output
    for word in ("renewed", " min, version", "tables", "sockets", "queues", "orders", "bots", "database", "refusals"):
        assert word in shown.output


def test_without_a_server_there_is_no_health(tmp_path: Path) -> None:
    with Server(tmp_path):
        assert CliRunner().invoke(command, ["health", "--folder", str(tmp_path)]).exit_code == 0
    result = CliRunner().invoke(command, ["health", "--folder", str(tmp_path)])
    assert result.exit_code != 0
    assert "No server is running" in str(result.exception)


def test_health_is_told_even_without_the_database(operator: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(read: Any) -> None:
        raise DBAPIError("SELECT", {}, Exception("gone"))

    monkeypatch.setattr("polemos.server.routes.office.whole_health", fails)
    found = operator.get("/api/operator/health").json()
    assert found["whole"]["alerts"]["database"] == "The database doesn't answer."
    assert (len(found["processes"]), found["processes"][0]["owned"]) == (1, None)


def test_an_hour_is_kept_minute_by_minute(office: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1_000_000 * 60.0]
    monkeypatch.setattr(pulse, "time", SimpleNamespace(time=lambda: clock[0]))  # not that of all servers here
    recorder = pulse.Recorder(office.hall)
    kept = recorder.look()
    for minute in range(70):
        for _ in range(minute):
            metrics.REFUSALS.labels("test/kept").inc()
        metrics.ORDERS.labels("person").observe(0.12)
        clock[0] += 30
        recorder.look()
        clock[0] += 30
        kept = recorder.look()
    points = list(health.points([kept]))
    assert [point.at for point in points] == [(1_000_000 + minute) * 60.0 for minute in range(10, 70)]
    assert [point.refusals for point in points] == list(range(10, 70))
    assert {point.p50 for point in points} == {0.125}, "the middle of 100 to 150 ms"
    double = list(health.points([kept, kept]))
    assert [point.refusals for point in double] == [2 * minute for minute in range(10, 70)]
    figures = health.of([kept])
    assert figures.orders.count == 4, "of the last minutes; the one that has just begun is the fifth"
    assert figures.refusals["test/kept"] == sum(range(10, 70))
    assert figures.up == 70 * 60


def test_quantiles_are_those_of_prometheus() -> None:
    none = [0] * 17
    assert health.quantile(none, 0.99) is None
    assert health.quantile([100, *none[1:]], 0.99) == pytest.approx(0.00099)
    assert health.quantile([50, 50, *none[2:]], 0.5) == pytest.approx(0.001)
    assert health.quantile([50, 50, *none[2:]], 0.99) == pytest.approx(0.001 + 0.0015 * 49 / 50)
    assert health.quantile([*none[:16], 1], 0.5) == 30.0, "beyond the last bound"


def test_alerts_say_what_to_look_at() -> None:
    nothing = Times(0, None, None)
    well = Figures(
        "1", 60.0, 10**8, 0.1, 0.0, {}, {}, {"writes": 100}, Times(9, 0.01, 0.3), "SQLite", nothing, nothing, 0, {}, {}
    )
    assert health.alerts(well) == {}
    ill = msgspec.structs.replace(
        well, queues={"writes": 101}, orders=Times(9, 0.1, 0.42), failed=3, refusals={"server/broken": 2}
    )
    assert set(health.alerts(ill)) == {"server", "database", "orders", "queues"}
    assert "420 ms" in health.alerts(ill)["orders"]
    assert health.late("0123", 9.0) == {}
    assert "0123" in health.late("0123", 11.0)["server"]


# ---- commands


def test_commands_do_the_same_while_the_server_runs(browse: Browse, run: Command, office: Server) -> None:
    name = fresh("Mallory")
    mallory = browse(name)
    seated = mallory.open("skerries", **DUEL)
    assert [row["name"] for row in run("people", name)] == [name]
    assert [row["id"] for row in run("tables", "--player", name)] == [seated["table"]]
    assert seated["table"] in [row["table"] for row in run("bots")]
    mallory.post(f"/api/tables/{seated['table']}/reports", {"about": "bot", "text": "too weak"})
    report = next(row for row in run("reports") if row["table"] == seated["table"])
    assert run("done", str(report["id"]), "--why", "it is meant to be")[0]["what"] == "report done"
    with Person(office.address, seated["table"]) as watching:
        run("close", seated["table"], "--why", "maintenance")
        watching.until(lambda: watching.status == "over")
    run("announce", "Back soon", "--for", "30m")
    wait_for(lambda: [notice["text"] for notice in mallory.get("/api/notices").json()] == ["Back soon"])
    run("end-announcement", str(run("announcements")[0]["id"]), "--why", "back")
    assert run("ban", "account", name, "--for", "1d", "--why", "cheats")[0]["by"].endswith("(command)")
    wait_for(lambda: mallory.get("/api/me").json()["name"] is None)
    run("unban", str(run("bans")[0]["id"]), "--why", "enough")
    run("quota", name, "tables", "2", "--why", "a start")
    run("quota", name, "tables", "default", "--why", "enough")
    run("end-sessions", name, "--why", "to be safe")
    what = [row["what"] for row in run("audit")][-9:]
    assert what == [
        "report done", "close table", "announce", "end notice", "ban", "unban", "quota", "quota", "end sessions",
    ]  # fmt: skip


def test_commands_say_what_is_wrong(run: Command) -> None:
    run("ban", "account", "Nobody Atall", "--why", "x", fails="There is no account called 'Nobody Atall'")
    run("ban", "account", "Nobody Atall", fails="Missing option '--why'")
    run("ban", "name", "Mallory", "--for", "soon", "--why", "x", fails="Write a time such as 30m")
    run("unban", "999999", "--why", "x", fails="There is no ban 999999")
    run("quota", "everyone", "tables", "many", "--why", "x", fails="Write a number")


def test_commands_need_a_server(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, ["people", "--folder", str(tmp_path)])
    assert result.exit_code != 0
    assert "There is no server in the folder" in str(result.exception)
    assert list(tmp_path.iterdir()) == [], "nothing is created"


def test_text_from_outside_cannot_steer_a_terminal(office: Server) -> None:
    hostile = {"at": 1.0, "table_id": "0" * 12, "by": "\x1b[31mMallory", "about": "other"}
    hostile |= {"target": "", "address": "", "lines": b"[]"}
    engine = connect(office.settings.url)
    with engine.begin() as connection:
        connection.execute(insert(schema.reports).values(text="\x1b]0;owned\x07", **hostile))
    engine.dispose()
    words = ["reports", "--folder", str(office.settings.folder)]
    words += [] if office.settings.database is None else ["--database", office.settings.database]
    shown = CliRunner().invoke(command, words).output
    assert "Mallory" in shown
    assert not {"\x1b", "\x07"} & set(shown)
