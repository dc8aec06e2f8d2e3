"""A database of an earlier version: every table stands as it stood, and is played on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from websockets.sync.client import connect

from kept.seen import REPLAYS, TABLES, changes, digest, kept, told_changes, without_giving_up
from kept.visits import bot_address, copied, hello, visit
from polemos import registry
from polemos.cli.common import prepare
from polemos.kernel import replay
from unit.server.serving import Person, Server, Web, wait_for

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

THEN: dict[str, dict[str, Any]] = kept(TABLES / "told.json.gz")
OVER = sorted(title for title, table in THEN.items() if table["told"][""]["card"]["status"] == "over")

Sit = Callable[[str, str], Person]


def serving() -> Iterator[Server]:
    for name in registry.names():
        prepare(registry.load(name))
    with copied() as folder, Server(folder) as running:
        yield running


@pytest.fixture(scope="module")
def untouched() -> Iterator[Server]:
    """A server on a copy of the database, at whose tables nobody does anything."""
    yield from serving()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Another one, for tests that play on; each has tables of its own."""
    yield from serving()


@pytest.fixture
def web(server: Server) -> Iterator[Web]:
    with Web(server.address) as client:
        yield client


@pytest.fixture
def sit(server: Server) -> Iterator[Sit]:
    """Somebody of a table by name."""
    with ExitStack() as stack:

        def make(title: str, name: str) -> Person:
            table = THEN[title]
            return stack.enter_context(Person(server.address, table["id"], table["tokens"][name]))

        yield make


# ---- as it stood


@pytest.mark.parametrize("title", THEN)
def test_a_kept_table_stands_as_it_stood(title: str, untouched: Server) -> None:
    """Status, seats, verdicts in words, sheets, talk, notes, offers, and every position as each audience saw it."""
    table, found = THEN[title], list[str]()
    with Web(untouched.address) as web:
        for who, before in table["told"].items():
            now, name = visit(untouched, web, table["id"], table["tokens"].get(who)), who or "spectator"
            assert len(before["frames"]) == len(now["frames"])
            for old, new in zip(before["frames"], now["frames"], strict=True):
                where = f"{name}, frame {old['number']}"
                found += told_changes(table["game"], old["events"], new["events"], where)
                found += changes({**old, "events": None}, {**new, "events": None}, where)
            found += changes({**without_giving_up(before), "frames": None}, {**now, "frames": None}, name)
    assert found == []


def test_between_them_they_have_every_state() -> None:
    told = [one for table in THEN.values() for one in table["told"].values()]
    assert {one["card"]["status"] for one in told} == {"open", "sealed", "playing", "paused", "over"}
    assert {table["game"] for table in THEN.values()} == {"demons", "minions", "monad", "monarchs"}
    assert {one["sheet"].get("state") for one in told} == {None, "empty", "draft", "filed", "locked"}
    why = {seat["why"] for one in told for seat in one["card"]["seats"]}
    assert why == {"", "resigned", "ran out of time", "dropped out (3 strikes)"}
    reasons = {one["card"]["outcome"]["reason"] for one in told if one["card"]["outcome"]}
    assert {"draw agreed", "the other dropped out", "the other side gave up", "limit of turns"} <= reasons
    assert {what for one in told for what in one["state"]["offers"]} == {"draw", "take back"}
    assert any(one["state"]["notes"] for one in told)
    assert {line["to"] for one in told for line in one["talk"]} == {"table", "side"}
    assert any(seat["crew"] for one in told for seat in one["state"]["card"]["seats"])
    assert any(one["card"]["next"] for one in told)


def test_the_lists_have_the_kept_tables(untouched: Server) -> None:
    with Web(untouched.address) as web:
        wait_for(lambda: len(web.get("/api/tables").json()) == len(THEN) - 1)  # those that are over are read by and by
        listed = {card["id"]: card["status"] for card in web.get("/api/tables").json()}
    hidden = THEN["monad over by agreement"]["id"]
    assert listed == {
        table["id"]: table["told"][""]["card"]["status"] for table in THEN.values() if table["id"] != hidden
    }


# ---- what is over


@pytest.mark.parametrize("title", OVER)
def test_a_kept_match_that_is_over_can_be_had(title: str, untouched: Server) -> None:
    table = THEN[title]
    told, game = table["told"][""], registry.load(table["game"])
    with Web(untouched.address) as web, TemporaryDirectory() as folder:
        record = web.get(f"/api/tables/{table['id']}/record").json()
        path = Path(folder) / "replay.jsonl.gz"
        path.write_bytes(web.get(f"/api/tables/{table['id']}/replay.jsonl.gz").content)
        sent = web.post("/api/replays", content=path.read_bytes())
        read = replay.read(path)
    assert [digest(frame["view"]) for frame in record["frames"]] == [frame["view"] for frame in told["frames"]]
    assert list(changes(told["card"]["outcome"], record["outcome"])) == []
    assert list(changes(told["state"]["setting"], record["setting"])) == []
    assert replay.verify(read, game) == len(told["frames"]) - 1
    assert sent.json()["frames"] == record["frames"]
    before = REPLAYS / f"{title.replace(' ', '-')}.jsonl.gz"
    was, now = (json.loads(msgspec.json.encode(one)) for one in (replay.read(before), read))
    assert list(changes(was, now)) == []


# ---- played on


def test_a_seat_at_an_open_table_is_taken(web: Web, sit: Sit) -> None:
    web.take(THEN["demons open"]["id"], "blue", "Eve")
    assert sit("demons open", "Ann").status == "playing"


def test_a_filed_sheet_counts_and_a_draft_is_filed(sit: Sit) -> None:
    ann, bob = sit("demons playing", "Ann"), sit("demons playing", "Bob")
    assert (ann.sheet["state"], bob.sheet["state"]) == ("draft", "filed")
    drafted, filed = ([line["text"] for line in one.sheet["lines"]] for one in (ann, bob))
    step = ann.step
    ann.file(drafted)
    ann.until(lambda: step + 1 in ann.frames)
    assert ann.frames[step + 1]["orders"] == {"red": drafted, "blue": filed}
    assert [fault["order"] for fault in ann.frames[step + 1]["faults"]["red"]][-1:] == ["dance"]


def test_in_the_fog_the_other_sheet_stays_hidden(sit: Sit) -> None:
    ann, bob = sit("monarchs playing", "Ann"), sit("monarchs playing", "Bob")
    filed = [line["text"] for line in ann.sheet["lines"]]
    bob.file([line["text"] for line in bob.sheet["lines"]])
    for person in (ann, bob):
        person.until(lambda person=person: 3 in person.frames)  # type: ignore[misc]
    assert ann.frames[3]["orders"] == {"red": filed}
    assert list(bob.frames[3]["orders"]) == ["green"]


def test_one_who_has_resigned_goes_with_the_step(sit: Sit) -> None:
    title = "monarchs with one who will go"
    ann, bob, cid = (sit(title, name) for name in ("Ann", "Bob", "Cid"))
    assert [person.seat("blue")["why"] for person in (ann, bob, cid)] == ["", "", "resigned"]
    ann.file([])
    bob.file([])
    for person in (ann, bob):
        person.until(lambda person=person: 2 in person.frames)  # type: ignore[misc]
        person.until(lambda person=person: person.seat("blue")["why"] == "resigned")  # type: ignore[misc]
        assert person.frames[2]["dropped"] == {"blue": "resigned"}


def test_offers_are_answered(sit: Sit) -> None:
    ann, bob = sit("monad with offers", "Ann"), sit("monad with offers", "Bob")
    assert ann.state["offers"] == {"draw": "red", "take back": "blue"}
    ann.ask("answer", what="take back", yes=True)
    ann.until(lambda: ann.step == 1 and not ann.state["offers"])
    ann.act("offer draw")
    bob.until(lambda: bob.step == 1 and bob.state["offers"] == {"draw": "red"})
    bob.ask("answer", what="draw", yes=True)
    ann.until(lambda: ann.status == "over")
    assert ann.state["card"]["outcome"]["reason"] == "draw agreed"


def test_a_pause_ends(sit: Sit) -> None:
    ann = sit("monad paused", "Ann")
    assert ann.status == "paused"
    ann.act("resume")
    ann.until(lambda: ann.status == "playing" and ann.sheet["state"] == "draft")
    ann.file([line["text"] for line in ann.sheet["lines"]])
    ann.wait_for_step(2)


def test_the_last_bid_begins_the_match(sit: Sit) -> None:
    """Minions 14.2: the lower bid plays Blue, and begins with the mean of both."""
    ann, bob = sit("minions sealed", "Ann"), sit("minions sealed", "Bob")
    assert (ann.state["bidding"]["yours"], bob.state["bidding"]["yours"]) == (5, None)
    bob.ask("bid", bid=9)
    ann.until(lambda: ann.state["you"] == "blue" and ann.status == "playing")
    bob.until(lambda: bob.state["you"] == "yellow" and 0 in bob.frames)
    assert bob.frames[0]["view"]["money"]["blue"] == 7


def test_a_match_after_bids_goes_on(sit: Sit) -> None:
    ann = sit("minions playing after bids", "Ann")
    assert (ann.state["you"], ann.sheet["state"]) == ("blue", "draft")
    drafted = [line["text"] for line in ann.sheet["lines"]]
    ann.file(drafted)
    ann.until(lambda: 2 in ann.frames)
    assert ann.frames[2]["orders"] == {"blue": drafted}


def test_a_crew_ends_its_turn(sit: Sit) -> None:
    ann, bob, cid = (sit("minions of a crew", name) for name in ("Ann", "Bob", "Cid"))
    assert [person.state["roles"] for person in (ann, bob, cid)] == [["general"], ["captain 1"], ["captain 2"]]
    drafted = [line["text"] for line in ann.sheet["lines"]]
    assert sorted(line["role"] for line in ann.sheet["lines"]) == ["captain 1", "captain 2"]
    cid.ask("done", role="captain 2")
    assert cid.step == 2
    ann.ask("done", role="general")
    ann.until(lambda: 3 in ann.frames)
    assert ann.frames[3]["orders"] == {"yellow": drafted}


def test_a_program_comes_back(server: Server, sit: Sit) -> None:
    table = THEN["demons with a program"]
    said = hello(server, table["id"], table["tokens"]["first"])
    assert said["resumed"] == table["hello"]["resumed"], "what it saw before"
    assert not list(changes(table["hello"], said)), "its setting may say more"
    ann = sit("demons with a program", "Ann")
    with connect(bot_address(server, table["id"], table["tokens"]["first"]), max_size=1 << 24) as socket:
        socket.recv(timeout=60)
        socket.send('{"type": "ready", "options": true}')
        view = json.loads(socket.recv(timeout=60))
        assert view["view"]["who"] == "red"
        assert [fault["order"] for fault in view["faults"]] == ["dance"]
        socket.send(json.dumps({"type": "orders", "orders": []}))
        ann.file([])
        ann.until(lambda: 3 in ann.frames)
    assert ann.frames[3]["orders"] == {"red": [], "blue": []}


def test_a_rematch_is_played_and_another_one_opened(web: Web, sit: Sit) -> None:
    assert THEN["demons over by play"]["told"][""]["card"]["next"] == THEN["demons rematch"]["id"]
    ann = sit("demons rematch", "Ann")
    ann.file([])
    ann.wait_for_step(2)
    over = THEN["minions over by resigning"]
    answer = web.post(f"/api/tables/{over['id']}/rematch", token=over["tokens"]["Bob"])
    assert answer.status_code == 201, answer.text
    assert answer.json()["seat"] == "yellow", "the colours are exchanged"


def test_an_account_signs_in_and_finds_its_table(server: Server) -> None:
    with Web(server.address, browser=True) as web:
        web.sign_in("Rosalind", "correct horse", new=False)
        due = web.get("/api/me").json()["due"]
    assert [card["id"] for card in due] == [THEN["demons of an account"]["id"]]
