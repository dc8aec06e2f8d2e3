"""What the search finds on ladders, on both databases: what everybody can see, and one's own."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine, insert, select, update

from polemos.ladder import bots, groups, ladders
from polemos.ladder.clock import now, writing
from polemos.ladder.live import Lives
from polemos.server.ladder.pages import LadderPages
from polemos.server.ladder.search import MAX_BOTS, MAX_MATCHES, Search
from polemos.server.store import ladder as db
from polemos.server.store import people, schema
from unit.ladder.small import Small, by_strength


def search(small: Small, tmp_path: Path) -> Search:
    """One that remembers nothing."""
    return Search(small.engine, LadderPages(small.engine, Lives(tmp_path / "live")))


def names(found: Search, text: str, account: int | None = None) -> list[str]:
    return [bot.name for bot in found.bots(text, account)]


def test_bots_are_found_by_name_the_best_first(engine: Engine, tmp_path: Path) -> None:
    small = Small(engine)
    ada = small.author("Ada")
    for name in ("Firewall", "Long Wall", "Wallaby", "Wall", "Straße 7"):
        small.bot(name, ada)
    found = search(small, tmp_path)
    assert names(found, "wall") == ["Wall", "Wallaby", "Long Wall", "Firewall"]
    assert names(found, " LONG  wall ") == ["Long Wall"]
    assert names(found, "STRASSE") == ["Straße 7"]
    assert names(found, "ada long") == ["Long Wall"], "with the author's name"
    assert names(found, "ada") == [], "a person, not a bot"
    assert names(found, "%") == names(found, "_") == names(found, "  ") == []
    assert "settler" in names(found, "settler")
    for number in range(10):
        small.bot(f"Legion {number}", ada)
    assert len(names(search(small, tmp_path), "legion")) == MAX_BOTS


def test_what_is_private_is_found_by_nobody_else(engine: Engine, tmp_path: Path) -> None:
    small = Small(engine)
    ada, ben = small.author("Ada"), small.author("Ben")
    with writing(engine) as connection:
        untried = bots.add(connection, "skerries", "Secret untried", ada)
        group = groups.create(connection, ada, "A class", "class", small.id)
        inside = connection.execute(select(db.ladders.c.id).where(db.ladders.c.circle == group)).scalar_one()
        homework = bots.add(connection, "skerries", "Secret homework", ada)
        bots.passed(connection, bots.add_version(connection, homework, "1" * 32))
        ladders.enter(connection, inside, homework)
        gone = bots.add(connection, "skerries", "Secret gone", ada)
        bots.passed(connection, bots.add_version(connection, gone, "2" * 32))
        ladders.enter(connection, small.id, gone)
        connection.execute(update(db.bots).where(db.bots.c.id == gone).values(state="deleted"))
    found = search(small, tmp_path)
    assert names(found, "secret") == names(found, "secret", ben) == []
    assert sorted(names(found, "secret", ada)) == ["Secret homework", "Secret untried"]
    assert found.people("ada") == [], "she has nothing on a public ladder"
    mine = found.bots("secret", ada)
    assert found.games("secret", mine) == []
    assert untried in {bot.id for bot in mine}


def test_people_are_found_if_a_ladder_shows_them(engine: Engine, tmp_path: Path) -> None:
    small = Small(engine)
    ada, ben, _ = (small.author(name) for name in ("Ada", "Adam", "Adamant"))
    small.bot("Palisade", ada)
    small.bot("Rampart", ada)
    with writing(engine) as connection:
        connection.execute(update(schema.accounts).values(password="a hash"))
        row = {"game": "skerries", "rules": "usual", "account_id": ben, "mu": 25.0, "sigma": 8.0, "last": now()}
        connection.execute(insert(people.ratings).values(row))
    found = search(small, tmp_path).people("AD")
    assert [(one.name, one.bots, one.rated) for one in found] == [
        ("Ada", {"skerries": 2}, ()),
        ("Adam", {}, ("skerries",)),
    ]
    with writing(engine) as connection:  # as a deleted account
        connection.execute(update(schema.accounts).where(schema.accounts.c.id == ben).values(password=""))
    assert [one.name for one in search(small, tmp_path).people("ad")] == ["Ada"]


def test_games_are_found_by_their_bots(engine: Engine, tmp_path: Path) -> None:
    small = Small(engine)
    one, other, third = (small.bot(name) for name in ("Aspis", "Bulwark", "Cinder"))
    strengths = {version: float(version) for (version,) in small.rows(select(db.bot_versions.c.id))}
    for _ in range(8):
        small.scheduler.look()
        small.play_all(by_strength(strengths))
    found = search(small, tmp_path)
    met = found.games("aspis vs bulwark", [])
    assert 0 < len(met) <= MAX_MATCHES
    assert all({bot.bot for bot in game.bots} == {one, other} for game in met)
    assert met == found.games("Bulwark against ASPIS", []) == found.games("aspis v bul", [])
    assert [game.id for game in met] == sorted((game.id for game in met), reverse=True)
    assert found.games("aspis vs nobody", []) == found.games("vs aspis", []) == []
    last = found.games("cinder", found.bots("cinder", None))
    assert last
    assert all(third in {bot.bot for bot in game.bots} for game in last)
