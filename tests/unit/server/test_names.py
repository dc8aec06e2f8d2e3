"""Names and passwords: what nobody may be called, what looks alike, what is guessed first."""

from __future__ import annotations

import doctest
import unicodedata
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, text

from polemos.server import names, passwords
from polemos.server.names import fault_in, is_reserved, looks
from polemos.server.routes import common
from polemos.server.store import migrate, schema
from polemos.server.store.ledger import connect
from polemos.server.words import tidy


@pytest.mark.parametrize("module", [names, passwords, common], ids=lambda module: module.__name__)
def test_examples_in_docstrings_run(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


# Every white space of Unicode, what has no width, and letters without ink.
BLANKS = "\t\n\x0b\x0c\r\x1c\x1f \x85\xa0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000"
UNSEEN = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2063\u2800\u3164\ufe0f\ufeff\uffa0"
)


@pytest.mark.parametrize("sign", BLANKS + UNSEEN, ids=lambda sign: f"U+{ord(sign):04X}")
def test_blanks_make_no_name(sign: str) -> None:
    assert tidy(sign * 3, 40) == ""
    assert looks(tidy(f"A{sign}da", 40)) == looks("Ada")
    assert tidy(f"{sign}Ada{sign}", 40) == "Ada"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ivan", "lvan"),  # a small L
        ("Ivan", "1van"),
        ("BOB", "\u0412\u041e\u0412"),  # Cyrillic
        ("Ada", "\U0001d49cda"),  # mathematical script
        ("Tom", "Torn"),
        ("Olga", "0lga"),
        ("PAT", "\u03a1\u0391\u03a4"),  # Greek
        ("Ada Lovelace", "ada_lovelace"),
        ("Ada Lovelace", "AdaLovelace"),
        ("Straße", "STRASSE"),
        ("\u00e9a", "e\u0301a"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert looks(one) == looks(other)


@pytest.mark.parametrize(("one", "other"), [("Ada", "Eda"), ("Ann", "Anna"), ("Jose", "José"), ("Olaf", "Olga")])
def test_names_that_do_not(one: str, other: str) -> None:
    assert looks(one) != looks(other)


@given(st.text(max_size=40))
def test_what_a_name_looks_like_is_stable(name: str) -> None:
    assert looks(looks(name)) == looks(name)
    assert looks(unicodedata.normalize("NFD", name)) == looks(unicodedata.normalize("NFC", name))


@pytest.mark.parametrize(
    "name",
    [
        "Umpire", "umpire", "UMPIRE", "The Umpire", "Umpire 2", "U m p i r e", "Ump1re", "Umplre", "Urnpire",
        "Polemos", "Polemos Team", "PO1EMOS", "admin", "Admin.", "adm1n", "\uff21dmin", "Administrator", "ADMlN99",
        "\u1d1c\u1d0d\u1d18\u026a\u0280\u1d07", "Moderator", "root", "system",
    ],
)  # fmt: skip
def test_reserved_names(name: str) -> None:
    assert is_reserved(name)
    assert "reserved" in str(fault_in(name))


@pytest.mark.parametrize(
    "name", ["Badminton", "Ada", "Rooter", "Empire", "Polly", "Systematic", "Servert", "田中さん", "Иван"]
)
def test_names_that_anybody_may_have(name: str) -> None:
    assert fault_in(name) is None


@pytest.mark.parametrize("name", ["\u0430da", "Ada Иван", "\u03b1da", "Ad\u0430 7"])
def test_mixed_scripts(name: str) -> None:
    assert "one script" in str(fault_in(name))


@pytest.mark.parametrize("name", ["...", "- -", "!!"])
def test_signs_alone_are_no_name(name: str) -> None:
    assert "letter" in str(fault_in(name))


# ---- passwords


@pytest.mark.parametrize(
    "password",
    ["password", "Password", "PASSWORD1", "iloveyou", "sunshine", "qwertyuiop", "12345678", "87654321", "aaaaaaaa",
     "abababab", "football1!", "princess2024", "superman!!", "abcdefgh", "trustno1", "11111111111", "qwerty123"],
)  # fmt: skip
def test_common_passwords(password: str) -> None:
    assert passwords.fault_in(password, "Ann") is not None


@pytest.mark.parametrize("password", ["correct horse", "a8Gh!xx2", "four words of mine", "ünïcödé wörd"])
def test_other_passwords(password: str) -> None:
    assert passwords.fault_in(password, "Ann") is None


def test_a_name_is_no_password() -> None:
    assert "name" in str(passwords.fault_in("ada-lovelace1", "Ada Lovelace"))
    assert passwords.fault_in("ada lovelace wrote programs", "Ada Lovelace") is None


def test_a_filter_knows_what_it_was_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    made = passwords.bloom(["zebra crossing", "Lorem Ipsum", "short"])
    monkeypatch.setattr(passwords, "_filter", lambda: made)
    assert passwords.is_common("Zebra Crossing")
    assert passwords.is_common("lorem ipsum 7")
    assert not passwords.is_common("dolor sit amet")
    assert len(made) == passwords.BITS // 8


# ---- accounts from before


def test_accounts_that_already_look_alike_stay(
    tmp_path_factory: pytest.TempPathFactory, kind: str, request: pytest.FixtureRequest
) -> None:
    """Names from before could differ in a letter that looks the same."""
    from alembic import command

    database = request.getfixturevalue("cluster").new() if kind == "postgresql" else None
    engine = connect(database or f"sqlite:///{tmp_path_factory.mktemp('old') / 'polemos.db'}")
    with engine.begin() as connection:
        config = migrate.configured()
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        for id, name in enumerate(["Ivan", "lvan", "--", "Ada"], 1):
            connection.execute(
                text("INSERT INTO accounts (id, name, folded, password, created) VALUES (:id, :name, :name, 'x', 0)"),
                {"id": id, "name": name},
            )
        connection.execute(text("INSERT INTO sessions (id, account_id, created) VALUES ('x', 4, 0)"))
    migrate.upgrade(engine)
    with engine.begin() as connection:
        assert connection.execute(text("SELECT account_id FROM sessions")).scalar() == 4
        kept = {row.name: row.looks for row in connection.execute(schema.accounts.select())}
        assert set(kept) == {"Ivan", "lvan", "--", "Ada"}
        assert kept["Ivan"] == looks("Ivan")
        assert kept["Ada"] == looks("Ada")
        assert len(set(kept.values())) == 4
        row = {"name": "Eve", "folded": "eve", "looks": looks("Eve"), "password": "x", "created": 0.0, "id": 9}
        connection.execute(insert(schema.accounts).values(**row))
    engine.dispose()
