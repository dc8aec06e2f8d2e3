"""Ratings of people: by rated matches between people who are signed in, once each, and apart from bots."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from openskill.models import PlackettLuce
from sqlalchemy import select

from polemos import registry
from polemos.kernel.verdict import Verdict
from polemos.ladder import people
from polemos.ladder.rater import shown
from polemos.server.store import people as db
from polemos.server.store import schema
from polemos.server.tables import rated
from polemos.server.tables.acts import Act, Closed, Dropped, Filed, Ran, Sat
from polemos.server.tables.table import Table
from polemos.wire.table import ClockRule, OpenTable
from unit.server.conftest import Sit
from unit.server.serving import Person, Server, Web

GAME = "skerries"
CLOCK = {"kind": "turn", "seconds": 3600.0}
PEOPLE = f"/api/ladder/{GAME}/people"
_number = itertools.count()


@pytest.fixture
def two(server: Server) -> Iterator[tuple[Web, Web]]:
    """Two people who are signed in."""
    with ExitStack() as stack:
        ann, bob = (stack.enter_context(Web(server.address, browser=True)) for _ in range(2))
        ann.sign_in(f"Ann {next(_number)}")
        bob.sign_in(f"Bob {next(_number)}")
        yield ann, bob


def begun(ann: Web, bob: Web, sit: Sit, **wish: Any) -> tuple[Person, Person]:
    red = ann.open(GAME, people=["red"], clock=CLOCK, **{"rated": True, **wish})
    return sit(red), sit(bob.take(red["table"], "blue"))


def resigned(loser: Person, winner: Person) -> None:
    loser.act("resign")
    winner.file([])
    winner.until(lambda: winner.status == "over")


def result(server: Server, table: str) -> Any:
    with server.hall.ledger.engine.connect() as connection:
        return connection.execute(select(db.results).where(db.results.c.table_id == table)).one_or_none()


def rows(web: Web, *names: str) -> dict[str, Any]:
    found = {row["name"]: row for row in web.get(PEOPLE).json()["people"]}
    return {name: found.get(name) for name in names}


def test_a_rated_match_counts_once_for_both(server: Server, two: tuple[Web, Web], sit: Sit) -> None:
    engine = server.hall.ledger.engine
    names = [web.get("/api/me").json()["name"] for web in two]
    red, blue = begun(*two, sit)
    assert red.state["card"]["rated"]
    resigned(blue, red)
    assert (result(server, red.table).ranks, result(server, red.table).taken) == ("1,2", 0)
    again, other = begun(*two, sit)
    again.act("offer draw")
    other.until(lambda: other.state["offers"])
    other.ask("answer", what="draw", yes=True)
    again.until(lambda: again.status == "over")
    assert result(server, again.table).ranks == "1,1"
    assert people.rate(engine) >= 2
    assert people.rate(engine) == 0, "nothing counts twice"

    # openskill itself: Ann wins, then a draw.
    model = PlackettLuce()
    skills = [[model.rating()], [model.rating()]]
    for ranks in ([1.0, 2.0], [1.0, 1.0]):
        skills = model.rate(skills, ranks=ranks)
    ann, bob = rows(two[0], *names).values()
    for row, (skill,) in zip((ann, bob), skills, strict=True):
        rating, margin = shown(skill.mu, skill.sigma, None)
        assert (row["rating"], row["margin"]) == pytest.approx((rating, margin), abs=0.06)
    assert [(row["games"], row["wins"], row["draws"]) for row in (ann, bob)] == [(2, 1, 1), (2, 0, 1)]
    assert ann["rating"] > 1500 > bob["rating"]
    page = two[0].get(PEOPLE).json()
    assert (page["rules"], page["all_rules"]) == ("usual", ["usual"])
    assert two[0].get(f"{PEOPLE}?rules=other").json()["people"] == []
    assert two[0].get("/api/ladder/chess/people").status_code == 404

    # Somebody who deletes their account is not in the table any more, not even by matches that were not rated yet.
    third, fourth = begun(*two, sit)
    resigned(fourth, third)
    assert two[1].post("/api/account/deletion", {"password": "correct horse"}).is_success
    assert rows(two[0], *names)[names[1]] is None
    people.rate(engine)
    assert [name for name in rows(two[0], *names) if rows(two[0], name)[name] is not None] == names[:1]
    assert not [row for row in two[0].get(PEOPLE).json()["people"] if "deleted" in row["name"]]


def test_other_matches_are_not_rated(server: Server, two: tuple[Web, Web], sit: Sit) -> None:
    red, blue = begun(*two, sit, rated=False)
    assert not red.state["card"]["rated"]
    resigned(blue, red)
    assert result(server, red.table) is None


@pytest.mark.parametrize(
    ("accounts", "last", "counts"), [((1, 2), False, True), ((1, 1), False, False), ((1, 2), True, False)]
)
def test_a_match_that_an_operator_ended_or_one_person_played_does_not_count(
    accounts: tuple[int, int], last: bool, counts: bool
) -> None:
    wish = OpenTable(GAME, clock=ClockRule("turn", 60), rated=True)
    table = Table("0" * 12, registry.load(GAME), wish, "00" * 16, 0.0)
    for seat, account in zip(table.seats, accounts, strict=True):
        table.carry_out(Sat(seat, "person", seat, "", account), 0.0)
    ending: list[Act] = [Dropped("blue", str(Verdict("resigned"))), Filed("red", []), Ran()]
    for act in [Closed("maintenance")] if last else ending:
        assert rated.ended(table, 1.0) == []
        table.carry_out(act, 1.0)
    assert table.status == "over"
    assert bool(rated.ended(table, 1.0)) == counts


def test_who_can_play_a_rated_match(server: Server, two: tuple[Web, Web]) -> None:
    ann, bob = two

    def refused(web: Web, **wish: Any) -> str:
        seats = {"red": {"kind": "person"}, **wish.pop("seats", {})}
        answer = web.post("/api/tables", {"game": GAME, "seats": seats, "clock": CLOCK, "rated": True, **wish})
        assert answer.status_code == 409, answer.text
        return str(answer.json()["why"])

    assert "Only matches between people" in refused(ann, seats={"blue": {"kind": "bot", "bot": "random"}})
    assert "Only matches between people" in refused(ann, seats={"blue": {"kind": "program"}})
    assert "usual rules" in refused(ann, options={"turns": 2})
    with Web(server.address, browser=True) as guest:
        assert "Sign in to open a rated table" in refused(guest)
        table = ann.open(GAME, people=["red"], clock=CLOCK, rated=True, options={"seats": 3})["table"]
        taken = guest.post(f"/api/tables/{table}/seats", {"seat": "blue", "name": "Eve"})
        assert (taken.status_code, "Sign in to take a seat" in taken.json()["why"]) == (409, True)
    mine = ann.post(f"/api/tables/{table}/seats", {"seat": "blue", "name": "Ann again"})
    assert (mine.status_code, "you already have a seat" in mine.json()["why"]) == (409, True)
    bob.take(table, "green")
    listed = {card["id"]: card["rated"] for card in bob.get("/api/tables").json()}
    assert listed[table]


def test_a_rematch_is_rated_too(server: Server, two: tuple[Web, Web], sit: Sit) -> None:
    red, blue = begun(*two, sit)
    resigned(red, blue)
    next_red = two[0].post(f"/api/tables/{red.table}/rematch", token=red.token).json()
    next_blue = two[1].post(f"/api/tables/{red.table}/rematch", token=blue.token).json()
    first, second = sit(next_red), sit(next_blue)
    assert first.state["card"]["rated"]
    resigned(second, first)
    with server.hall.ledger.engine.connect() as connection:
        ids = connection.execute(select(schema.accounts.c.id).order_by(schema.accounts.c.id.desc()).limit(2)).scalars()
        assert sorted(result(server, first.table).people.split(",")) == sorted(map(str, ids))
