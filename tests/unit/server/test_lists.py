"""Lists of tables: what has been played is listed after a restart too, and bids are no reason to fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from polemos.server.tables import hall
from unit.server.serving import Server, Web, wait_for

GAME = {"bots": {"red": "random", "blue": "random"}, "options": {"turns": 5}}


def played(web: Web, **query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = web.get("/api/tables", params={"status": "over", **query}).json()
    return found


def test_played_tables_are_listed_after_a_restart(tmp_path: Path, database: str | None) -> None:
    with Server(tmp_path, database) as first, Web(first.address) as web:
        shown = [web.open("skerries", title=f"Game {n}", **GAME)["table"] for n in range(2)]
        hidden = web.open("skerries", listed=False, **GAME)["table"]
        wait_for(lambda: len(played(web)) == 2)
        wait_for(lambda: web.get(f"/api/tables/{hidden}").json()["status"] == "over")
        before = played(web)
    with Server(tmp_path, database) as again, Web(again.address) as web:
        wait_for(lambda: len(played(web)) == 2)
        assert played(web) == before
        assert {card["id"] for card in played(web, game="skerries")} == set(shown)
        assert played(web, game="nothing") == []
        assert web.get("/api/tables", params={"status": "playing"}).json() == []
        assert again.hall.keepers == {}, "they are listed, not loaded"
        assert web.get(f"/api/tables/{shown[0]}").json()["status"] == "over"
        assert len(played(web)) == 2, "one that is in memory again is listed once"


def test_only_so_many_are_remembered(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(hall, "MAX_PLAYED", 1)
    with Server(tmp_path) as first, Web(first.address) as web:
        ids = [web.open("skerries", **GAME)["table"] for _ in range(3)]
        wait_for(lambda: len(played(web)) == 3)
    with Server(tmp_path) as again, Web(again.address) as web:
        wait_for(lambda: played(web))
        assert [card["id"] for card in played(web)] == ids[-1:], "the newest"


@pytest.mark.needs("minions")
def test_a_table_that_takes_bids_is_listed(web: Web) -> None:
    table = web.open(
        "minions", people=["yellow"], bots={"blue": "random"}, options={"boards": 1}, sealed=True, name="Ann"
    )["table"]
    found = web.get("/api/tables", params={"status": "sealed"}).json()
    assert table in [card["id"] for card in found]
    card = web.get("/api/games/minions").json()
    assert card["sealed"]
    assert not web.get("/api/games/skerries").json()["sealed"]
