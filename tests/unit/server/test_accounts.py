"""Accounts, cookies, tokens: who somebody is, and what others may not do in that name."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from polemos.server.store import schema
from polemos.server.words import folded, tidy
from unit.server.serving import Person, Refused, Server, Web

_number = itertools.count()


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
        ("a\u202eb", "correct horse", "2 to 30 characters"),
        ("a\x00b", "correct horse", "2 to 30 characters"),
        ("a\nb", "correct horse", None),  # as a blank
        ("\u3164\u3164", "correct horse", "2 to 30 characters"),
        ("a\u0301\u0301\u0301\u0301", "correct horse", "2 to 30 characters"),
        ("<b>bold</b>", "correct horse", "2 to 30 characters"),
        ("\u0430da", "correct horse", "one script"),
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
    for other in (name.lower(), name.upper(), name.replace("S", "\uff33"), f" {name}  "):
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


# ---- guessing


def test_guessing_passwords_is_slow(tmp_path: Path) -> None:
    with Server(tmp_path, limits=0.25) as server, Web(server.address) as web:
        web.post("/api/accounts", {"name": "Ada", "password": "correct horse"})
        web.client.cookies.clear()
        answers = [
            web.post("/api/session", {"name": name, "password": "guess"}) for name in ("Ada", "Bob", "Ada", "Ada")
        ]
        assert [answer.status_code for answer in answers[:2]] == [403] * 2
        last = answers[-1]
        assert last.status_code == 429
        assert last.json()["word"] == "limit/rate"
        assert last.json()["key"] == "sign-in"
        assert last.json()["seconds"] > 1
        assert int(last.headers["retry-after"]) >= last.json()["seconds"]
        assert answers[0].json() == answers[1].json(), "no word of whether the name exists"


def test_guessing_from_many_addresses_is_slow_too(tmp_path: Path) -> None:
    with Server(tmp_path, limits=0.25, behind="127.0.0.1") as server, Web(server.address) as web:
        guesses = [
            web.post("/api/session", {"name": name, "password": "guess"}, headers={"X-Forwarded-For": f"10.0.0.{i}"})
            for i, name in enumerate(["Ada", "ADA", " ada "] * 3)
        ]
        assert guesses[-1].status_code == 429
        assert guesses[-1].json()["key"] == "sign-in of this name"
        fine = web.post("/api/session", {"name": "Bob", "password": "guess"}, headers={"X-Forwarded-For": "10.0.0.99"})
        assert fine.status_code == 403


def test_a_forwarded_address_is_believed_only_from_the_proxy(tmp_path: Path) -> None:
    with Server(tmp_path, limits=0.25) as server, Web(server.address) as web:
        answers = [
            web.post("/api/session", {"name": f"n{i}", "password": "x"}, headers={"X-Forwarded-For": f"10.0.0.{i}"})
            for i in range(4)
        ]
        assert answers[-1].status_code == 429
