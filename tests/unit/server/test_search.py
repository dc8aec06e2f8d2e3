"""The search over HTTP: listed tables, matches by number, and nothing that whoever asks may not see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select, update

from polemos.ladder import groups
from polemos.ladder.clock import writing
from polemos.server.store import ladder as db
from polemos.server.store import schema
from unit.ladder.small import Small, by_strength
from unit.server.serving import Server, Web

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a ladder that is not run: its games are made up."""
    with Server(tmp_path_factory.mktemp("search")) as server:
        small = Small(server.hall.ledger.engine)
        for name in ("Aspis", "Bulwark"):
            small.bot(name)
        strengths = {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}
        small.scheduler.look()
        small.play_all(by_strength(strengths))
        yield server


def search(web: Web, text: str) -> dict[str, Any]:
    answer = web.get("/api/search", params={"q": text})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


NOTHING: dict[str, Any] = {"bots": [], "people": [], "games": [], "tables": []}


def test_tables_are_found_if_they_are_listed(searched: Server) -> None:
    with Web(searched.address) as web:
        bots = {"blue": "random"}
        shown = web.open("skerries", people=["red"], bots=bots, title="Tuesday evening", name="Zoe")
        web.open("skerries", people=["red"], bots=bots, title="Tuesday in private", name="Zoe", listed=False)
        for text in ("tuesday", "EVENING", "zoe", shown["table"]):
            assert [card["id"] for card in search(web, text)["tables"]] == [shown["table"]], text
        assert search(web, "wednesday") == NOTHING


def test_a_match_by_its_number(searched: Server) -> None:
    engine = searched.hall.ledger.engine
    with Web(searched.address) as ada, Web(searched.address) as nobody:
        ada.sign_in("Ada")
        with engine.connect() as connection:
            number = connection.execute(select(db.games.c.id).where(db.games.c.cause == "played").limit(1)).scalar_one()
            account = connection.execute(select(schema.accounts.c.id).where(schema.accounts.c.name == "Ada"))
            own = account.scalar_one()
        for text in (str(number), f"#{number}", f" Match {number}"):
            assert [game["id"] for game in search(nobody, text)["games"]] == [number]
        met = search(nobody, "aspis vs bulwark")
        assert {bot["name"] for game in met["games"] for bot in game["bots"]} == {"Aspis", "Bulwark"}
        # In a group it is found by whoever belongs to it.
        with writing(engine) as connection:
            public = connection.execute(select(db.games.c.ladder_id).where(db.games.c.id == number)).scalar_one()
            group = groups.create(connection, own, "A class", "class", public)
            inside = connection.execute(select(db.ladders.c.id).where(db.ladders.c.circle == group)).scalar_one()
            connection.execute(update(db.games).where(db.games.c.id == number).values(ladder_id=inside))
        searched.app.state.ladder_pages._lists._made.clear()  # ladders are remembered for a second
        assert search(nobody, f"#{number}")["games"] == []
        assert [game["id"] for game in search(ada, f"#{number}")["games"]] == [number]


@pytest.mark.parametrize("text", ["", "   ", "#0", "9" * 18, "%", "\x00", "\u202e", "' OR 1=1 --"])
def test_odd_texts_find_nothing(searched: Server, text: str) -> None:
    with Web(searched.address) as web:
        assert search(web, text) == NOTHING
        assert web.get("/api/search", params={"q": "a" * 81}).status_code == 400
