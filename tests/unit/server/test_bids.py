"""Numbers named in secret before a match begins: Minions 14.2 to 14.5."""

from __future__ import annotations

from typing import Any

import pytest

from unit.server.conftest import Sit
from unit.server.serving import Person, Refused, Web

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
    with pytest.raises(Refused, match="Nothing is asked for"):
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
    answer = web.post("/api/tables", {"game": "demons", "sealed": True, "clock": TURN})
    assert answer.status_code == 409
    assert "asks for nothing in secret" in answer.json()["why"]
