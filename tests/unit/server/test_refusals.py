"""Requests that cannot be read are answered with what would be right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from polemos.server.app import make_app
from polemos.server.routes.live import _read
from polemos.server.settings import Settings
from polemos.server.tables.table import Refusal


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    with TestClient(
        make_app(Settings(folder=tmp_path_factory.mktemp("server"), exhibition=False, ladder=False))
    ) as made:
        yield made


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"game": 7}, "game: Expected `str`, got `int`. It must be a text."),
        (
            {"game": "x", "clock": {"kind": "fast"}},
            "clock.kind: Invalid enum value 'fast'. It must be one of bank, none, turn.",
        ),
        (
            {"game": "x", "seats": {"red": {"kind": "ghost"}}},
            "seats[...].kind: Invalid enum value 'ghost'. It must be one of bot, kept, open, person, program.",
        ),
        ({"game": "x", "listed": "yes"}, "listed: Expected `bool`, got `str`. It must be true or false."),
        (
            {"game": "x", "more": 1},
            "the body: Object contains unknown field `more`. It must be an object with game, seats, options, title, "
            "name, clock, take_back, listed, sealed, pace, rated, lesson.",
        ),
    ],
    ids=repr,
)
def test_a_body_is_told_what_would_be_right(client: TestClient[Litestar], body: dict[str, Any], why: str) -> None:
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 400
    assert answer.json() == {"word": "request/bad", "why": why}


@pytest.mark.parametrize(
    ("address", "why"),
    [
        (
            "/api/tables?status=lost",
            "status: Invalid enum value 'lost'. It must be one of open, over, paused, playing, sealed or null.",
        ),
        ("/api/tables/x/frames?from=-1", "from: Expected `int` >= 0. It must be a whole number from 0 to 10000000."),
        (
            "/api/games/skerries/picture.svg?theme=pink",
            "theme: Invalid enum value 'pink'. It must be one of dark, light.",
        ),
    ],
)
def test_an_address_is_told_what_would_be_right(client: TestClient[Litestar], address: str, why: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 400
    assert answer.json() == {"word": "request/bad", "why": why}


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (b'{"type": "dance"}', "type cannot be 'dance'. It must be one of act, "),
        (b"{}", "type cannot be null. It must be one of act, "),
        (b'{"type": "join", "packed": 1}', "packed cannot be 1. It must be true or false."),
        (b'{"type": "withdraw", "seat": "blue"}', "There is no field 'seat' in withdraw. The fields are "),
        (b"[1]", "Expected `object`, got `array`."),
        (b"{", "Input data was truncated."),
    ],
)
def test_a_message_at_a_table_is_told_what_would_be_right(message: bytes, why: str) -> None:
    with pytest.raises(Refusal) as refusal:
        _read(message)
    assert refusal.value.why.startswith(f"That isn't a message for a table: {why}")


@pytest.mark.needs("demons")
def test_a_table_has_nobody_who_could_toss_a_coin(client: TestClient[Litestar]) -> None:
    answer = client.post("/api/tables", json={"game": "demons", "options": {"coin": "call"}})
    assert answer.status_code == 422
    assert answer.json()["word"] == "options/bad"
    assert "can wait for a call of the umpire" in answer.json()["why"]


@pytest.mark.needs("demons")
def test_a_map_of_the_original_competition_is_taken_at_a_table(client: TestClient[Litestar]) -> None:
    from unit.games.demons.old_maps import file

    options = {"rules": "finals-2025", "map": file("map_gnarly"), "turns": 5}
    bots = {seat: {"kind": "bot", "bot": "random"} for seat in ("red", "blue")}
    answer = client.post("/api/tables", json={"game": "demons", "options": options, "seats": bots})
    assert answer.status_code == 201, answer.text
