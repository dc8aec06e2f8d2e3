"""Numbers named in secret before a match begins: Minions 14.2 to 14.5."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from polemos.server.tables import clocks
from unit.server.conftest import Sit
from unit.server.serving import Person, Refused, Server, Web, dial

pytestmark = pytest.mark.needs("minions")

TURN = {"kind": "turn", "seconds": 600.0}


def pair(web: Web, sit: Sit, **wish: Any) -> tuple[Person, Person]:
    """Ann opens the table and sits at yellow; Bob takes blue."""
    seated = web.open(
        "minions",
        **{"people": ["yellow"], "options": {"boards": 1}, "name": "Ann", "clock": TURN, "sealed": True, **wish},
    )
    ann, bob = sit(seated), sit(web.take(seated["table"], "blue", "Bob"))
    ann.until(lambda: ann.status == "sealed")
    return ann, bob


def test_nobody_is_told_what_the_other_has_named(web: Web, sit: Sit) -> None:
    ann, bob = pair(web, sit)
    watcher = sit(ann.table)
    bob.until(lambda: bob.state["card"]["watching"] == 1)  # who comes and goes is told a moment later
    bob.ask("looking", at="")  # whatever was on its way to him has arrived
    before = len(bob.raw)
    assert ann.state["bidding"]["asked"]["rule"] == "14.2"
    ann.ask("bid", bid=4321)
    ann.until(lambda: ann.state["bidding"]["yours"] == 4321)
    bob.ask("looking", at="")
    assert bob.state["bidding"]["yours"] is None
    assert not any(b"4321" in said for said in [*bob.raw, *watcher.raw])
    assert len(bob.raw) == before + 1, "not even that there was a bid"


def test_the_lower_bid_plays_blue_with_the_average(web: Web, sit: Sit) -> None:
    ann, bob = pair(web, sit)
    ann.ask("bid", bid=5)
    bob.ask("bid", bid=8)
    bob.until(lambda: bob.status == "playing")
    ann.until(lambda: ann.state["you"] == "blue")
    assert bob.state["you"] == "yellow", "they have changed seats"
    assert ann.seat("yellow")["player"] == "Bob"
    assert ann.state["setting"]["sides"] == {"first": "blue", "second": "yellow"}
    assert ann.state["setting"]["money"] in (6, 7)
    bob.until(lambda: bob.sheet["state"] == "empty")
    bob.file([])
    ann.until(lambda: ann.sheet["state"] == "empty")
    ann.file([])
    again = sit(ann.table, ann.token)
    assert again.state["you"] == "blue", "the link leads to the new seat"


def test_a_bid_can_be_changed_until_all_are_in(web: Web, sit: Sit) -> None:
    ann, bob = pair(web, sit)
    ann.ask("bid", bid=5)
    with pytest.raises(Refused, match="from 0 to 9999"):
        ann.ask("bid", bid=10000)
    ann.ask("bid", bid=9)
    bob.ask("bid", bid=7)
    ann.until(lambda: ann.status == "playing")
    assert ann.state["you"] == "yellow"
    assert ann.state["setting"]["money"] == 8
    with pytest.raises(Refused, match="bid now"):
        ann.ask("bid", bid=1)


def test_bots_bid_what_is_usual_and_silence_is_a_usual_bid(web: Web, sit: Sit) -> None:
    ann = sit(web.open("minions", people=["yellow"], bots={"blue": "random"}, options={"boards": 2}, sealed=True))
    ann.until(lambda: ann.status == "sealed")
    ann.ask("bid", bid=13)
    ann.until(lambda: ann.status == "playing")
    assert ann.state["you"] == "yellow"
    assert ann.state["setting"]["money"] in (12, 13)
    cid, _dan = pair(web, sit, clock={"kind": "turn", "seconds": 1.0})
    cid.until(lambda: cid.status == "playing")
    assert cid.state["setting"]["money"] == 6


def test_only_games_that_ask_may_be_asked(web: Web) -> None:
    answer = web.post("/api/tables", {"game": "skerries", "sealed": True, "clock": TURN})
    assert answer.status_code == 409
    assert "has no secret bids" in answer.json()["why"]


# ---- what is a seat's own does not change hands with it


def test_nothing_is_kept_for_a_seat_that_may_change_hands(web: Web, sit: Sit) -> None:
    """Notes, side talk and drafts belong to a seat; before the match begins others may come to sit there."""
    ann, bob = pair(web, sit)
    own: list[tuple[str, dict[str, Any]]] = [
        ("note", {"place": "a", "text": "mine"}),
        ("say", {"text": "mine", "to": "side"}),
        ("draft", {"lines": ["mine"]}),
    ]
    for kind, fields in own:
        with pytest.raises(Refused):
            ann.ask(kind, **fields)
    ann.ask("say", text="hello")
    ann.ask("bid", bid=5)
    bob.ask("bid", bid=8)
    bob.until(lambda: bob.status == "playing")
    bob.until(lambda: bob.talk)
    ann.until(lambda: ann.state["you"] == "blue")
    ann.ask("note", place="a", text="anns")
    ann.ask("say", text="anns", to="side")
    bob.listen()
    assert not any(b"anns" in raw for raw in bob.raw)
    assert sit(bob.table, bob.token).state["notes"] == {}
    assert sit(ann.table, ann.token).state["notes"] == {"a": "anns"}


def test_a_seat_that_was_left_in_time_keeps_nothing(web: Web, sit: Sit) -> None:
    ann = sit(web.open("skerries", people=["red"], clock=TURN))
    with pytest.raises(Refused):
        ann.ask("note", place="a", text="mine")
    ann.act("leave")
    eve = sit(web.take(ann.table, "red", "Eve"))
    assert eve.state["notes"] == {}


def test_a_program_plays_in_the_seat_that_it_has_won(server: Server, web: Web, sit: Sit) -> None:
    """It is greeted when the seats are known, and never sees or orders for the other one."""
    seated = web.open(
        "minions",
        people=["yellow"],
        seats={"blue": {"kind": "program"}},
        options={"boards": 1},
        clock=TURN,
        sealed=True,
    )
    ann = sit(seated)
    taken = web.take(seated["table"], "blue", "theirs")
    url = f"ws{server.address[4:]}/api/bots/{taken['table']}/{taken['token']}"
    with dial(url, max_size=1 << 24) as program:
        ann.until(lambda: ann.status == "sealed")
        usual = ann.state["bidding"]["asked"]["usual"]
        ann.ask("bid", bid=max(0, usual - 2))
        ann.until(lambda: ann.status == "playing")
        assert ann.state["you"] == "blue"
        hello = json.loads(program.recv(timeout=60))
        assert (hello["type"], hello["seat"]) == ("hello", "yellow")
        assert hello["setting"] == ann.state["setting"]
        program.send('{"type": "ready"}')
        view = json.loads(program.recv(timeout=60))
        assert view["view"]["who"] == "yellow"
        program.send('{"type": "orders", "orders": []}')
        ann.wait_for_step(1)
        assert ann.frames[1]["orders"] == {"yellow": []}


def test_bids_survive_the_server(tmp_path: Path, database: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are on disk, still secret, and the time to bid did not run meanwhile."""
    with Server(tmp_path, database) as server, Web(server.address) as web:
        seated = web.open("minions", people=["yellow"], options={"boards": 1}, clock=TURN, sealed=True)
        taken = web.take(seated["table"], "blue")
        with Person(server.address, seated["table"], seated["token"]) as ann:
            ann.ask("bid", bid=5)
    monkeypatch.setattr(clocks, "_BEGAN", clocks._BEGAN + 700.0)  # longer than they have for it
    with Server(tmp_path, database) as server:
        with Person(server.address, taken["table"], taken["token"]) as bob:
            assert bob.status == "sealed"
            assert bob.state["bidding"]["yours"] is None
            bob.ask("bid", bid=8)
            bob.until(lambda: bob.status == "playing")
            assert bob.state["you"] == "yellow"
        with Person(server.address, seated["table"], seated["token"]) as ann:
            assert ann.state["you"] == "blue"
