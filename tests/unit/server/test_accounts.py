"""Accounts, cookies, tokens: who somebody is, and what others may not do in that name."""

from __future__ import annotations

import asyncio
import itertools
import string
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import psycopg
import pytest
from litestar.datastructures import Headers
from sqlalchemy import event, select
from websockets.exceptions import ConnectionClosed

from polemos.kernel.errors import PolemosError
from polemos.server.accounts import MAX_WAITING
from polemos.server.app import make_app
from polemos.server.routes.common import address
from polemos.server.settings import Settings
from polemos.server.store import schema
from polemos.server.words import folded, tidy
from unit.server.serving import Person, Refused, Server, Web, run, wait_for

_number = itertools.count()
CLOCKED: dict[str, Any] = {"clock": {"kind": "turn", "seconds": 600.0}}


def fresh(name: str = "Ada") -> str:
    return f"{name} {next(_number)}"


@pytest.fixture
def ada(server: Server) -> Iterator[Web]:
    with Web(server.address, browser=True) as browser:
        yield browser


def test_signing_up_out_and_in(server: Server, ada: Web) -> None:
    name = fresh()
    assert ada.get("/api/me").json()["name"] is None
    assert ada.sign_in(name)["name"] == name
    assert ada.get("/api/me").json()["name"] == name
    assert ada.ask("DELETE", "/api/session").json()["name"] is None
    ada.client.headers["X-CSRF-Token"] = ada.get("/api/me").json()["csrf"]
    assert ada.get("/api/me").json()["name"] is None
    assert ada.sign_in(name.upper(), new=False)["name"] == name, "case does not matter"
    with Web(server.address) as program:
        assert program.post("/api/accounts", {"name": name, "password": "something else"}).status_code == 403


@pytest.mark.parametrize(
    ("name", "password", "why"),
    [
        ("", "correct horse", "2 to 30 characters"),
        ("x", "correct horse", "2 to 30 characters"),
        ("x" * 31, "correct horse", "2 to 30 characters"),
        ("a\u202eb", "correct horse", None),  # as a blank
        ("a\x00b", "correct horse", None),
        ("a\nb", "correct horse", None),
        (".-.", "correct horse", "letter or a digit"),
        ("\u3164\u3164", "correct horse", "2 to 30 characters"),
        ("a\u0301\u0301\u0301\u0301", "correct horse", "2 to 30 characters"),
        ("<b>bold</b>", "correct horse", "2 to 30 characters"),
        ("\u0430da", "correct horse", "one script"),
        ("Umpire", "correct horse", "reserved"),
        ("po1emos", "correct horse", "reserved"),
        ("ada", "Password1", "tried first"),
        ("ada lovelace", "AdaLovelace1", "your name"),
        ("ada", "short", "8 to 200"),
        ("ada", "x" * 201, "8 to 200"),
    ],
)
def test_names_and_passwords_that_are_none(web: Web, name: str, password: str, why: str | None) -> None:
    answer = web.post("/api/accounts", {"name": name, "password": password})
    if why is None:
        assert answer.status_code in (201, 403)
    else:
        assert (answer.status_code, answer.json()["word"]) == (403, "account/refused")
        assert why in answer.json()["why"]


def test_names_that_look_the_same_are_the_same(ada: Web) -> None:
    name = fresh("Straße")
    ada.sign_in(name)
    number = name.split()[1]
    alike = f"Stra\u00df\u0435 {number}"  # with a Cyrillic letter
    for other in (name.lower(), name.upper(), name.replace("S", "\uff33"), f" {name}  ", name.replace(" ", "-"), alike):
        answer = ada.post("/api/accounts", {"name": other, "password": "correct horse"})
        assert answer.status_code == 403, other
        assert "taken" in answer.json()["why"] or "script" in answer.json()["why"]


def test_a_guest_cannot_take_the_name_of_an_account(server: Server, ada: Web, web: Web) -> None:
    name = fresh()
    ada.sign_in(name)
    wish = {"game": "skerries", "seats": {"red": {"kind": "person"}, "blue": {"kind": "bot", "bot": "random"}}}
    answer = web.post("/api/tables", {**wish, "name": f" {name.upper()}\u200b"})
    assert (answer.status_code, answer.json()["word"]) == (403, "request/forbidden")
    assert ada.post("/api/tables", {**wish, "name": name}).status_code == 201
    seated = ada.open("skerries", people=["red"], bots={"blue": "random"})
    assert web.get(f"/api/tables/{seated['table']}").json()["seats"][0]["player"] == name


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Ann\t\n Bee ", "Ann Bee"),
        ("a\u202eb\u2066c\x00d", "a b c d"),
        ("\u3164\u2800\u200b", ""),
        ("e\u0301\u0301\u0301\u0301\u0301", "\u00e9\u0301\u0301"),
        ("x" * 100, "x" * 40),
    ],
)
def test_names_of_guests_are_tidied(web: Web, given: str, kept: str) -> None:
    assert tidy(given, 40) == kept
    seated = web.open("skerries", people=["red"], bots={"blue": "random"}, name=given, title=given)
    card = web.get(f"/api/tables/{seated['table']}").json()
    assert card["seats"][0]["player"] == (kept or "red")
    assert card["title"] == tidy(given, 60)


def test_folding_is_stable() -> None:
    for name in ("Ada", "ǅ", "ﬁne", "ΑΣ", "İ", "ß"):
        assert folded(folded(name)) == folded(name)


# ---- what is kept of secrets


def test_passwords_cookies_and_tokens_are_kept_as_hashes(server: Server, ada: Web) -> None:
    name = fresh()
    ada.sign_in(name, "correct horse battery")
    seated = ada.open("skerries", people=["red"], bots={"blue": "random"})
    rows = [
        str(dict(row)) for table in schema.metadata.tables.values() for row in server.hall.ledger.read(select(table))
    ]
    kept = "\n".join(rows)
    assert name in kept
    for secret in ("correct horse battery", ada.client.cookies["polemos"], seated["token"]):
        assert secret not in kept
    assert "$argon2id$" in kept


def test_a_session_outlives_the_server(tmp_path: Path, database: str | None) -> None:
    with Server(tmp_path, database) as server, Web(server.address, browser=True) as ada:
        ada.sign_in("Ada")
        cookie, csrf = ada.client.cookies["polemos"], ada.client.headers["X-CSRF-Token"]
    with Server(tmp_path, database) as server:
        headers = {"Cookie": f"polemos={cookie}", "X-CSRF-Token": csrf}
        with Web(server.address, headers=headers) as again:
            assert again.get("/api/me").json()["name"] == "Ada"
            assert again.ask("DELETE", "/api/session").status_code == 200
            assert again.get("/api/me").json()["name"] is None
    assert (tmp_path / "secret").stat().st_mode & 0o077 == 0


# ---- other sites


def test_a_change_needs_what_only_our_page_knows(server: Server, ada: Web) -> None:
    ada.sign_in(fresh())
    del ada.client.headers["X-CSRF-Token"]
    wish = {"game": "skerries", "seats": {"blue": {"kind": "bot", "bot": "random"}}}
    for given in ({}, {"X-CSRF-Token": ""}, {"X-CSRF-Token": "0" * 64}, {"X-CSRF-Token": "\xe9"}):
        for method, path in (("POST", "/api/tables"), ("DELETE", "/api/session"), ("POST", "/api/session")):
            answer = ada.ask(
                method, path, json=wish if path == "/api/tables" else {"name": "a", "password": "b"}, headers=given
            )
            assert (answer.status_code, answer.json()["word"]) == (403, "request/forbidden")
    with Web(server.address, browser=True) as eve:
        answer = ada.post("/api/tables", wish, headers={"X-CSRF-Token": eve.client.headers["X-CSRF-Token"]})
        assert answer.status_code == 403, "another browser's is none"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://", ""])
def test_other_sites_are_refused(server: Server, web: Web, origin: str) -> None:
    """Even without a cookie: nobody shall sign a visitor in, or speak for one."""
    answer = web.post("/api/session", {"name": "a", "password": "b"}, headers={"Origin": origin})
    assert (answer.status_code, answer.json()["word"]) == (403, "request/forbidden")
    seated = web.open("skerries", people=["red"], bots={"blue": "random"})
    with pytest.raises(Refused) as refused:
        Person(server.address, seated["table"], seated["token"], headers={"Origin": origin})
    assert refused.value.said["word"] == "request/forbidden"


def test_our_own_page_is_welcome(server: Server, web: Web) -> None:
    seated = web.post(
        "/api/tables",
        {"game": "skerries", "seats": {"red": {"kind": "person"}, "blue": {"kind": "bot", "bot": "random"}}},
        headers={"Origin": server.address},
    ).json()
    with Person(server.address, seated["table"], seated["token"], headers={"Origin": server.address}) as person:
        assert person.state["you"] == "red"


def test_a_cookie_that_somebody_else_chose_opens_nothing(server: Server, ada: Web) -> None:
    """Fixation: the cookie changes when somebody signs in, and the old one is worth nothing."""
    before = ada.client.cookies["polemos"]
    ada.sign_in(fresh())
    after = ada.client.cookies["polemos"]
    assert before != after
    with Web(server.address, headers={"Cookie": f"polemos={before}"}) as eve:
        assert eve.get("/api/me").json()["name"] is None
    first = after
    ada.sign_in(fresh())
    with Web(server.address, headers={"Cookie": f"polemos={first}"}) as eve:
        assert eve.get("/api/me").json()["name"] is None, "signing in again closes what was open"


@pytest.mark.parametrize("cookie", ["x", "a" * 5000, "..%2f", "'; DROP TABLE accounts; --", "\xe9" * 32])
def test_cookies_that_are_none_are_replaced(server: Server, cookie: str) -> None:
    with Web(server.address, headers={"Cookie": f"polemos={cookie}"}) as web:
        answer = web.get("/api/me")
        assert answer.status_code == 200
        assert answer.json()["name"] is None
        assert f"polemos={cookie};" not in answer.headers["set-cookie"]


def test_the_cookie_is_out_of_reach_of_scripts(ada: Web) -> None:
    given = ada.get("/api/me").headers["set-cookie"].lower()
    assert "httponly" in given
    assert "samesite=lax" in given


def test_over_https_the_cookie_stays_there(tmp_path: Path) -> None:
    with Server(tmp_path, secure=True) as server, Web(server.address) as web:
        assert "secure" in web.get("/api/me").headers["set-cookie"].lower()


def test_a_wrong_token_is_refused_everywhere(server: Server, web: Web) -> None:
    seated = web.open("skerries", people=["red"], bots={"blue": "random"})
    other = web.open("skerries", people=["red"], bots={"blue": "random"})
    at = f"/api/tables/{seated['table']}"
    for token in ("wrong", other["token"], seated["token"][:-1], seated["token"].swapcase(), "\xe9", "x" * 5000):
        for path in (at, f"{at}/frames", f"{at}/record"):
            answer = web.get(path, token)
            assert (answer.status_code, answer.json()["word"]) == (403, "table/forbidden"), token
        with pytest.raises(Refused):
            Person(server.address, seated["table"], token)
    assert web.post(f"{at}/rematch", token="wrong").status_code == 403


def test_answers_are_kept_by_nobody_on_the_way(ada: Web) -> None:
    answer = ada.get("/api/me")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Umpire", "reserved"),
        ("  the\u3000ADM1N ", "reserved"),
        ("P\u043elemos", "one script"),
        ("\u200b...\u200b", "letter or a digit"),
    ],
)
def test_names_that_no_guest_may_have(web: Web, name: str, why: str) -> None:
    wish = {"game": "skerries", "seats": {"red": {"kind": "person"}}, "clock": {"kind": "turn", "seconds": 600.0}}
    for answer in (
        web.post("/api/tables", {**wish, "name": name}),
        web.post(f"/api/tables/{web.open('skerries', **CLOCKED)['table']}/seats", {"seat": "red", "name": name}),
    ):
        assert (answer.status_code, answer.json()["word"]) == (403, "request/forbidden")
        assert why in answer.json()["why"]


def test_a_guest_cannot_look_like_an_account(ada: Web, web: Web) -> None:
    name = fresh("lvan")  # with a small L
    ada.sign_in(name)
    number = name.split()[1]
    for other in (f"Ivan {number}", f"\u0406van {number}", f"1van-{number}", f"\u2028lv\u00ada\u200bn {number}"):
        answer = web.post("/api/tables", {"game": "skerries", **CLOCKED, "name": other})
        assert answer.status_code == 403, other
    answer = ada.post("/api/tables", {"game": "skerries", **CLOCKED, "name": f"Ivan {number}"})
    assert answer.status_code == 201, "one may look like oneself"


# ---- guessing


def guess(web: Web, name: str, where: str, password: str = "guess", **headers: str) -> int:
    web.client.cookies.clear()
    given = {"X-Forwarded-For": where, **headers}
    return web.post("/api/session", {"name": name, "password": password}, headers=given).status_code


@pytest.mark.usefixtures("unfilled")
def test_guessing_passwords_is_slow(tmp_path: Path) -> None:
    with Server(tmp_path, limits=0.5) as server, Web(server.address) as web:
        web.post("/api/accounts", {"name": "Ada", "password": "correct horse"})
        web.client.cookies.clear()
        answers = [
            web.post("/api/session", {"name": name, "password": "guess"})
            for name in ("Ada", "Bob", "ADA", " ada ", "Ada")
        ]
        assert [answer.status_code for answer in answers] == [403] * 4 + [429]
        last = answers[-1]
        assert last.json()["word"] == "limit/rate"
        assert last.json()["key"] == "sign-in of this name"
        assert last.json()["seconds"] > 1
        assert int(last.headers["retry-after"]) >= last.json()["seconds"]
        assert answers[0].json() == answers[1].json(), "no word of whether the name exists"


@pytest.mark.usefixtures("unfilled")
def test_guessing_many_names_is_slow_too(tmp_path: Path) -> None:
    with Server(tmp_path, limits=0.1, behind="127.0.0.1") as server, Web(server.address) as web:
        guesses = [guess(web, f"Name {i}", "10.0.0.1") for i in range(4)]
        assert guesses == [403, 403, 403, 429]
        assert guess(web, "Name 9", "10.0.0.2") == 403


@pytest.mark.usefixtures("unfilled")
def test_guesses_do_not_lock_out_the_owner(tmp_path: Path) -> None:
    """However many there are, from however many addresses."""
    with Server(tmp_path, limits=0.5, behind="127.0.0.1") as server, Web(server.address) as web:
        web.post("/api/accounts", {"name": "Ada", "password": "correct horse"}, headers={"X-Forwarded-For": "10.9.9.9"})
        web.client.cookies.clear()
        for place in range(20):
            guesses = [guess(web, "Ada", f"10.0.0.{place}") for _ in range(4)]
            assert guesses == [403, 403, 403, 429], "each address is slowed down"
        assert guess(web, "Ada", "10.1.1.1", "correct horse") == 200, "the owner is not, from anywhere else"


@pytest.mark.usefixtures("unfilled")
def test_a_browser_that_has_signed_in_before_is_not_slowed_down(tmp_path: Path) -> None:
    """Even behind the same address as one who guesses."""
    with Server(tmp_path, limits=0.5, behind="127.0.0.1") as server, Web(server.address) as web:
        made = web.post(
            "/api/accounts", {"name": "Ada", "password": "correct horse"}, headers={"X-Forwarded-For": "10.0.0.1"}
        )
        device = made.cookies["polemos-device"]
        web.client.cookies.clear()
        while guess(web, "Ada", "10.0.0.1") != 429:
            pass
        assert guess(web, "Ada", "10.0.0.1", "correct horse") == 429
        known = {"Cookie": f"polemos-device={device}"}
        assert guess(web, "Ada", "10.0.0.1", "correct horse", **known) == 200
        for mark in (device[:-1], f"x{device}", "x.y", ".", device.replace(".", "")):
            assert guess(web, "Ada", "10.0.0.1", "correct horse", Cookie=f"polemos-device={mark}") == 429, mark
        assert guess(web, "Bob", "10.0.0.1", **known) == 403
        while guess(web, "Ada", "10.0.0.1", **known) != 429:  # a stolen mark does not allow any number of guesses
            pass


@pytest.mark.usefixtures("unfilled")
def test_right_passwords_do_not_count(tmp_path: Path) -> None:
    with Server(tmp_path, limits=0.5) as server, Web(server.address) as web:
        web.post("/api/accounts", {"name": "Ada", "password": "correct horse"})
        for _ in range(8):
            web.client.cookies.clear()
            answer = web.post("/api/session", {"name": "Ada", "password": "correct horse"})
            assert answer.status_code == 200


@pytest.mark.usefixtures("unfilled")
def test_one_network_of_version_6_is_one_address(tmp_path: Path) -> None:
    with Server(tmp_path, limits=0.5, behind="127.0.0.1") as server, Web(server.address) as web:
        guesses = [guess(web, "Ada", f"2001:db8:1:2::{place}") for place in range(1, 5)]
        assert guesses == [403, 403, 403, 429]
        assert guess(web, "Ada", "2001:db8:1:3::1") == 403


def test_passwords_hold_up_nobody_else(tmp_path: Path) -> None:
    """While many sign in, cookies that have to be looked up on disk are still known."""
    with Server(tmp_path) as server, Web(server.address, browser=True) as ada:
        ada.sign_in("Ada")
        accounts = server.app.state.accounts
        hasher, goes_on = accounts._hasher, threading.Event()

        class Slow:
            def verify(self, *given: str) -> bool:
                goes_on.wait(60)
                return bool(hasher.verify(*given))

        accounts._hasher = Slow()

        def sign_in() -> int:
            with Web(server.address) as web:
                return web.post("/api/session", {"name": "Ada", "password": "correct horse"}).status_code

        with ThreadPoolExecutor(60) as crowd:
            try:
                waiting = [crowd.submit(sign_in) for _ in range(60)]
                wait_for(lambda: sum(one.done() for one in waiting) == 60 - MAX_WAITING)
                assert {one.result() for one in waiting if one.done()} == {429}, "more than a few do not even wait"
                accounts._known.clear()
                assert ada.get("/api/me").json()["name"] == "Ada"
            finally:
                goes_on.set()
            assert Counter(one.result() for one in waiting) == {200: MAX_WAITING, 429: 60 - MAX_WAITING}


# ---- proxies


@pytest.mark.parametrize(
    ("behind", "lines", "expected"),
    [
        (None, ["10.0.0.1"], "127.0.0.1"),
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["10.0.0.1"], "10.0.0.1"),
        ("127.0.0.1", ["6.6.6.6, 10.0.0.1"], "10.0.0.1"),
        ("127.0.0.1", ["6.6.6.6", "10.0.0.1"], "10.0.0.1"),  # a proxy may add a line of its own
        ("127.0.0.1", ["6.6.6.6, 10.0.0.1:4711"], "10.0.0.1"),
        ("127.0.0.1", ["[2001:db8::1]:80"], "2001:db8::1"),
        ("127.0.0.1", ["6.6.6.6, unknown"], "127.0.0.1"),
        ("127.0.0.1", ["6.6.6.6,"], "127.0.0.1"),
        ("127.0.0.1, 10.0.0.0/8", ["6.6.6.6, 192.0.2.7, 10.0.0.1"], "192.0.2.7"),
        ("127.0.0.1, 10.0.0.0/8", ["10.0.0.2, 10.0.0.1"], "10.0.0.2"),
        ("10.0.0.1", ["6.6.6.6"], "127.0.0.1"),  # not from the proxy
        ("127.0.0.0/8", ["x" * 5000, "::ffff:10.0.0.1"], "10.0.0.1"),
    ],
)
def test_only_the_last_hop_that_is_trusted_counts(behind: str | None, lines: list[str], expected: str) -> None:
    settings = Settings(Path("unused"), behind=behind)
    connection: Any = SimpleNamespace(
        client=SimpleNamespace(host="127.0.0.1"),
        app=SimpleNamespace(state=SimpleNamespace(settings=settings)),
        headers=Headers([(b"x-forwarded-for", line.encode()) for line in lines]),
    )
    assert address(connection) == expected


def test_a_proxy_that_is_no_address_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PolemosError, match="doesn't name a proxy"):
        make_app(Settings(tmp_path, behind="my proxy"))


@pytest.mark.usefixtures("unfilled")
def test_a_forwarded_address_is_believed_only_from_the_proxy(tmp_path: Path) -> None:
    with Server(tmp_path, limits=0.1) as server, Web(server.address) as web:
        answers = [
            web.post("/api/session", {"name": f"n{i}", "password": "x"}, headers={"X-Forwarded-For": f"10.0.0.{i}"})
            for i in range(4)
        ]
        assert answers[-1].status_code == 429


# ---- signing out


def end_of(person: Person) -> tuple[int, str]:
    """Why a connection ends that has something to end it."""
    with suppress(ConnectionClosed):
        while True:
            person.socket.recv(timeout=60)
    code, reason = person.socket.close_code, person.socket.close_reason
    return code or 0, reason or ""


def test_sockets_end_when_somebody_signs_out(server: Server, ada: Web) -> None:
    """In all tabs of this browser, wherever they look; others stay."""
    name = fresh()
    ada.sign_in(name)
    cookie = {"Cookie": f"polemos={ada.client.cookies['polemos']}"}
    seated = ada.open("skerries", people=["red"], bots={"blue": "random"})
    other = ada.open("skerries", people=["red"], bots={"blue": "random"})
    with ExitStack() as stack:
        mine = [
            stack.enter_context(Person(server.address, seated["table"], headers=cookie)),
            stack.enter_context(Person(server.address, seated["table"], seated["token"], headers=cookie)),
            stack.enter_context(Person(server.address, other["table"], headers=cookie)),
        ]
        assert [person.state["you"] for person in mine] == ["red"] * 3
        elsewhere = stack.enter_context(Web(server.address, browser=True))
        elsewhere.sign_in(name, new=False)
        again = {"Cookie": f"polemos={elsewhere.client.cookies['polemos']}"}
        others = [
            stack.enter_context(Person(server.address, seated["table"], headers=again)),
            stack.enter_context(Person(server.address, seated["table"], seated["token"])),
        ]
        assert ada.ask("DELETE", "/api/session").status_code == 200
        for person in mine:
            assert end_of(person) == (4401, "You have signed out.")
        for person in others:
            person.ask("note", place="a", text="still here")
        late = stack.enter_context(Person(server.address, seated["table"], headers=cookie))
        assert late.state["you"] is None, "the cookie is worth nothing any more"


def test_signing_in_again_ends_the_sockets_of_before(server: Server, ada: Web) -> None:
    ada.sign_in(fresh())
    cookie = {"Cookie": f"polemos={ada.client.cookies['polemos']}"}
    seated = ada.open("skerries", people=["red"], bots={"blue": "random"})
    with Person(server.address, seated["table"], headers=cookie) as person:
        ada.sign_in(fresh())
        assert end_of(person)[0] == 4401


def test_a_session_that_ends_while_it_is_looked_up_stays_ended(server: Server, ada: Web) -> None:
    """A slow read of the database must not bring it back."""
    ada.sign_in(fresh())
    cookie, accounts = ada.client.cookies["polemos"], server.app.state.accounts
    fetch, under_way, ended = accounts._ledger.fetch, threading.Event(), threading.Event()

    async def slow(statement: Any) -> Any:
        found = await fetch(statement)
        under_way.set()
        await asyncio.to_thread(ended.wait, 60)
        return found

    accounts._known.clear()
    with ThreadPoolExecutor(1) as thread, pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "_fetch", slow)
        asking = thread.submit(lambda: ada.get("/api/me", headers={"Cookie": f"polemos={cookie}"}).json()["name"])
        assert under_way.wait(60)
        run(accounts.end_session(cookie))
        ended.set()
        assert asking.result() is None
    assert ada.get("/api/me", headers={"Cookie": f"polemos={cookie}"}).json()["name"] is None


# ---- a disk that is full


def test_a_full_disk_refuses_new_accounts(tmp_path: Path, database: str | None) -> None:
    with Server(tmp_path, database) as server, Web(server.address) as web:
        engine = server.hall.ledger.engine
        if database is None:

            @event.listens_for(engine, "connect")
            def _no_room(connection: Any, record: object) -> None:
                connection.execute("PRAGMA max_page_count=1")  # as many as there are
        else:
            with psycopg.connect(database, autocommit=True) as connection:
                name = connection.info.dbname
                connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
        engine.dispose()
        letters = sorted({*string.ascii_lowercase} - {*"ilmowv"})  # of which no two look alike
        names = [f"Ann {one}{other}" for one in letters for other in letters]
        refused: httpx.Response | None = None
        while refused is None:
            web.client.cookies.clear()
            answer = web.post("/api/accounts", {"name": names.pop(), "password": "correct horse"})
            refused = None if answer.status_code == 201 else answer
        assert (refused.status_code, refused.json()["word"]) == (503, "server/unwritten")
        assert "set-cookie" not in refused.headers
        accounts = [row["name"] for row in server.hall.ledger.read(select(schema.accounts.c.name))]
        sessions = server.hall.ledger.read(select(schema.sessions.c.id))
        assert len(accounts) == len(sessions), "an account and its first session are written together"
