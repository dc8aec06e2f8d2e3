"""Every kind of act at a table, as people see it over the socket."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from polemos.server.tables import clocks
from unit.server.conftest import Sit
from unit.server.serving import Person, Refused, Server, Web, wait_for

TURN = {"kind": "turn", "seconds": 600.0}
THREE = {"seats": 3}
SHORT = {"seats": 3, "turns": 2}
ONE = {"people": ["red"], "bots": {"blue": "random"}}


def two(web: Web, sit: Sit, game: str = "skerries", **wish: Any) -> tuple[Person, Person]:
    """Two people at a table of two."""
    first = web.open(game, name="Ann", **{"clock": TURN, "people": ["red"], **wish})
    ann, bob = sit(first), sit(web.take(first["table"], "blue", "Bob"))
    ann.until(lambda: ann.sheet["state"] == "empty")
    return ann, bob


# ---- opening and sitting down


def test_a_table_is_opened_and_filled(web: Web, sit: Sit) -> None:
    seated = web.open(
        "skerries", options=THREE, people=["red"], bots={"blue": "settler"}, clock=TURN, title="An evening", name="Ann"
    )
    assert seated["seat"] == "red"
    ann = sit(seated)
    assert ann.status == "open"
    assert ann.may == ["leave"]
    card = web.get(f"/api/tables/{seated['table']}").json()
    assert (card["title"], card["status"], card["clock"]["kind"]) == ("An evening", "open", "turn")
    assert [(seat["kind"], seat["player"]) for seat in card["seats"]] == [
        ("person", "Ann"),
        ("bot", "settler"),
        ("open", ""),
    ]
    assert seated["table"] in [listed["id"] for listed in web.get("/api/tables?game=skerries&status=open").json()]
    taken = web.post(f"/api/tables/{seated['table']}/seats", {"seat": "red"})
    assert (taken.status_code, taken.json()["word"]) == (409, "table/refused")
    bob = sit(web.take(seated["table"], "green", "Bob"))
    ann.until(lambda: ann.status == "playing")
    assert ann.seat("green")["player"] == "Bob"
    assert bob.state["you"] == "green"
    ann.until(lambda: ann.sheet["state"] == "empty")
    assert ann.sheet["options"]


def test_others_hear_who_sits_down_and_who_leaves_again(web: Web, sit: Sit) -> None:
    ann = sit(web.open("skerries", options=THREE, people=["red"], clock=TURN))
    bob = sit(web.take(ann.table, "green", "Bob"))
    ann.until(lambda: ann.seat("green")["player"] == "Bob")
    assert bob.act("leave")["type"] == "ack"
    ann.until(lambda: ann.seat("green")["kind"] == "open")
    with pytest.raises(Refused, match="belong to a seat at this table"):
        sit(ann.table, bob.token)
    web.take(ann.table, "green", "Cid")


def test_who_has_left_a_seat_does_not_speak_for_whoever_sits_there_next(web: Web, sit: Sit) -> None:
    ann = sit(web.open("skerries", options=THREE, people=["red"], clock=TURN))
    seated = web.take(ann.table, "green", "Bob")
    bob, window = sit(seated), sit(seated)
    bob.act("leave")
    window.until(lambda: window.state["you"] is None)
    assert bob.state["you"] is None
    eve = sit(web.take(ann.table, "green", "Eve"))
    web.take(ann.table, "blue", "Cid")
    eve.until(lambda: eve.sheet["state"] == "empty")
    for gone in (bob, window):
        gone.until(lambda gone=gone: gone.status == "playing")  # type: ignore[misc]
        gone.listen()
        assert (gone.state["you"], gone.may) == (None, [])
        assert gone.sheet["state"] == "locked", "no sheet came after the one before the match"
        with pytest.raises(Refused, match="You are only watching"):
            gone.file([])


def test_an_unlisted_table_is_not_listed(web: Web) -> None:
    seated = web.open("skerries", listed=False, **ONE)
    assert seated["table"] not in [card["id"] for card in web.get("/api/tables").json()]
    assert web.get(f"/api/tables/{seated['table']}").status_code == 200


def test_who_watches_does_not_act(web: Web, sit: Sit) -> None:
    seated = web.open("skerries", **ONE)
    watcher = sit(seated["table"])
    assert (watcher.state["you"], watcher.may) == (None, [])
    asks: dict[str, dict[str, Any]] = {
        "file": {"lines": [], "step": 0},
        "draft": {"lines": []},
        "act": {"what": "resign"},
        "say": {"text": "hello"},
        "note": {"place": "a", "text": "b"},
    }
    for kind, fields in asks.items():
        with pytest.raises(Refused, match="You are only watching"):
            watcher.ask(kind, **fields)


# ---- sheets


def test_filing_refiling_and_withdrawing(web: Web, sit: Sit) -> None:
    ann, bob = two(web, sit)
    ann.file(["A1-A2 1"])
    assert ann.sheet["state"] == "filed"
    first = ann.sheet["lines"]
    ann.file(["A1-A3 2", "nonsense"])
    assert ann.sheet["lines"] != first
    assert [line["fault"] is None for line in ann.sheet["lines"]][1] is False
    assert ann.sheet["lines"][1]["fault"]["why"]
    ann.ask("withdraw")
    assert ann.sheet["state"] == "draft", "it can be changed and filed again"
    assert len(ann.sheet["lines"]) == 2
    with pytest.raises(Refused, match="filed a sheet to withdraw"):
        ann.ask("withdraw")
    bob.file([])
    bob.listen()
    assert bob.step == 0
    ann.file([])
    bob.wait_for_step(1)
    assert ann.step == bob.step == 1
    assert ann.frames[1]["orders"] == {"red": []}
    assert bob.frames[1]["orders"] == {"blue": []}, "in the mist everybody sees their own"
    with pytest.raises(Refused, match="another turn"):
        ann.file([], step=0)


def test_a_draft_is_kept_over_a_reconnect(web: Web, sit: Sit) -> None:
    ann, bob = two(web, sit)
    answer = ann.ask("draft", lines=["A1-A2 1", {"order": "row", "from": "A1", "to": "A3", "number": 1}, "what"])
    assert (answer["type"], answer["state"], len(answer["lines"])) == ("sheet", "draft", 3)
    ann.close()
    again = sit(ann.table, ann.token)
    again.until(lambda: again.sheet)
    assert again.sheet["lines"] == answer["lines"]
    bob.listen()
    assert not any(re.search(r"A1-A[23]", raw.decode()) for raw in bob.raw[3:] if b'"sheet"' not in raw)
    again.file([])
    bob.file([])
    again.wait_for_step(1)
    again.until(lambda: again.sheet["step"] == 1)
    assert again.sheet["state"] == "empty", "the next turn begins with an empty sheet"


def test_two_windows_of_one_person_see_the_same(web: Web, sit: Sit) -> None:
    ann, bob = two(web, sit)
    window = sit(ann.table, ann.token)
    ann.file(["A1-A2 1"])
    window.until(lambda: window.sheet["state"] == "filed")
    assert window.sheet["lines"] == ann.sheet["lines"]
    bob.file([])
    window.wait_for_step(1)


def test_frames_are_fetched_and_come_by_themselves(web: Web, sit: Sit) -> None:
    ann = sit(web.open("skerries", **ONE))
    for step in range(4):
        ann.file([])
        ann.wait_for_step(step + 1)
    fetched = web.get(f"/api/tables/{ann.table}/frames?from=1&to=4", ann.token).json()
    assert [frame["number"] for frame in fetched] == [1, 2, 3]
    assert fetched == [ann.frames[number] for number in (1, 2, 3)]
    assert web.get(f"/api/tables/{ann.table}/frames?from=99&to=120").json() == []


# ---- leaving the match


def test_resigning_ends_a_match_of_two(web: Web, sit: Sit) -> None:
    ann, bob = two(web, sit)
    ann.act("resign")
    bob.file([])
    bob.until(lambda: bob.status == "over")
    assert bob.state["card"]["outcome"]["winner"] == "blue"
    ann.until(lambda: ann.status == "over")
    assert ann.may == ["rematch"]


@pytest.mark.needs("minions")
def test_resigning_out_of_turn(web: Web, sit: Sit) -> None:
    yellow = sit(web.open("minions", people=["yellow"], clock=TURN))
    blue = sit(web.take(yellow.table, "blue"))
    yellow.until(lambda: yellow.status == "playing")
    blue.until(lambda: blue.status == "playing")
    mine, other = (yellow, blue) if "file" in yellow.may else (blue, yellow)
    with pytest.raises(Refused, match="can't give orders now"):
        other.file([])
    other.act("resign")
    mine.until(lambda: mine.seat(other.state["you"])["why"] == "resigned")
    mine.file([])
    mine.until(lambda: mine.status == "over")
    assert mine.state["card"]["outcome"]["winner"] == mine.state["you"]


def test_who_resigns_among_bots_lets_them_play_on(web: Web, sit: Sit) -> None:
    red = sit(web.open("skerries", options=THREE, people=["red"], bots={"green": "settler", "blue": "random"}))
    red.act("resign")
    red.until(lambda: red.status == "over")
    assert red.state["card"]["outcome"]["places"][-1] == "red"


# ---- pauses, draws, taking back


def test_a_pause_of_one_person_among_bots(web: Web, sit: Sit, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = sit(web.open("skerries", clock=TURN, **ONE))
    ann.act("pause")
    assert ann.status == "paused"
    left = ann.clock["left"]["red"]
    monkeypatch.setattr(clocks, "_BEGAN", clocks._BEGAN + 700.0)  # longer than the turn may take
    server.ring(ann.table)
    with pytest.raises(Refused, match="paused"):
        ann.file([])
    ann.act("resume")
    assert ann.status == "playing"
    # It counts again, which a slow machine may take a while to tell. The pause did not count.
    assert left - 300 < ann.clock["left"]["red"] <= left
    ann.file([])
    ann.wait_for_step(1)
    assert ann.frames[1]["orders"]["red"] == []


def test_two_people_cannot_pause(web: Web, sit: Sit) -> None:
    ann, _ = two(web, sit)
    assert "pause" not in ann.may
    with pytest.raises(Refused, match=r"You can't 'pause' now\. You can: resign, offer draw"):
        ann.act("pause")


def test_a_draw_offered_declined_offered_accepted(web: Web, sit: Sit) -> None:
    ann, bob = two(web, sit)
    with pytest.raises(Refused, match="Nobody has offered you a draw"):
        bob.ask("answer", what="draw", yes=True)
    ann.act("offer draw")
    bob.until(lambda: bob.state["offers"] == {"draw": "red"})
    assert "offer draw" not in bob.may
    bob.ask("answer", what="draw", yes=False)
    ann.until(lambda: ann.state["offers"] == {})
    ann.act("offer draw")
    bob.until(lambda: bob.state["offers"])
    bob.ask("answer", what="draw", yes=True)
    ann.until(lambda: ann.status == "over")
    assert ann.state["card"]["outcome"]["reason"] == "draw agreed"
    replay = web.get(f"/api/tables/{ann.table}/replay.jsonl.gz")
    record = web.post("/api/replays", content=replay.content)
    assert record.status_code == 200
    assert record.json()["outcome"]["reason"] == "draw agreed"


@pytest.mark.needs("monad")
def test_who_has_resigned_has_no_share_of_a_draw(web: Web, sit: Sit) -> None:
    """Also before the step with which it drops out."""
    first = web.open("monad", clock=TURN, people=["red"], options={"seats": 3, "turns": 20})
    seats = web.get(f"/api/tables/{first['table']}").json()["seats"]
    taken = [web.take(first["table"], seat["seat"]) for seat in seats if seat["kind"] == "open"]
    ann, bob, cid = sit(first), *map(sit, taken)
    cid.act("resign")
    ann.until(lambda: ann.seat(taken[1]["seat"])["why"])
    ann.act("offer draw")
    bob.until(lambda: bob.state["offers"])
    bob.ask("answer", what="draw", yes=True)
    ann.until(lambda: ann.status == "over")
    outcome = ann.state["card"]["outcome"]
    assert outcome["points"] == {"red": 0.5, taken[0]["seat"]: 0.5, taken[1]["seat"]: 0.0}
    assert outcome["places"][-1] == taken[1]["seat"]
    replay = web.get(f"/api/tables/{ann.table}/replay.jsonl.gz")
    record = web.post("/api/replays", content=replay.content)
    assert record.status_code == 200, record.text
    assert record.json()["outcome"] == outcome


def test_whoever_has_a_seat_open_twice_writes_one_sheet(web: Web, sit: Sit) -> None:
    """In two tabs, or on a phone beside the desk: what one has written, the other has, too."""
    first = web.open("skerries", clock=TURN, **ONE)
    desk, phone = sit(first), sit(first)
    phone.until(lambda: phone.sheet["state"] == "empty")
    desk.ask("draft", lines=["A1-A2 1"])
    phone.until(lambda: [line["text"] for line in phone.sheet["lines"]] == ["A1-A2 1"])
    phone.ask("draft", lines=[])
    desk.until(lambda: desk.sheet["lines"] == [])


def test_taking_back_with_a_bot(web: Web, sit: Sit) -> None:
    ann = sit(web.open("skerries", take_back=True, **ONE))
    ann.file(["A1-A2 1"])
    ann.wait_for_step(1)
    ann.act("offer take back")
    ann.until(lambda: ann.step == 0)
    assert ann.sheet["step"] == 0
    ann.frames.clear()
    ann.file([])
    ann.until(lambda: ann.step == 1)
    assert ann.frames[1]["orders"]["red"] == []
    assert [frame["number"] for frame in web.get(f"/api/tables/{ann.table}/frames", ann.token).json()] == [0, 1]


def test_taking_back_with_two_people(web: Web, sit: Sit) -> None:
    ann, bob = two(web, sit, take_back=True)
    ann.file([])
    bob.file([])
    ann.wait_for_step(1)
    ann.act("offer take back")
    bob.until(lambda: bob.state["offers"] == {"take back": "red"})
    bob.ask("answer", what="take back", yes=True)
    ann.until(lambda: ann.step == 0)
    bob.until(lambda: bob.step == 0)
    with pytest.raises(Refused, match="another turn"):
        ann.file([], step=1)


def test_what_was_written_for_a_turn_goes_when_the_one_before_is_taken_back(web: Web, sit: Sit) -> None:
    ann, bob = two(web, sit, take_back=True)
    ann.file([])
    bob.file([])
    ann.wait_for_step(1)
    ann.ask("draft", lines=["A1-A2 1"])
    ann.until(lambda: ann.sheet["step"] == 1 and ann.sheet["lines"])
    bob.act("offer take back")
    ann.until(lambda: ann.state["offers"])
    ann.ask("answer", what="take back", yes=True)
    ann.until(lambda: ann.step == 0)
    assert (ann.sheet["step"], ann.sheet["lines"]) == (0, [])


def test_a_table_without_taking_back(web: Web, sit: Sit) -> None:
    ann = sit(web.open("skerries", **ONE))
    ann.file([])
    ann.wait_for_step(1)
    with pytest.raises(Refused):
        ann.act("offer take back")


# ---- afterwards


def test_a_rematch(web: Web, sit: Sit) -> None:
    ann, bob = two(web, sit, title="Best of two")
    assert web.post(f"/api/tables/{ann.table}/rematch", token=ann.token).status_code == 409, "not before the end"
    bob.act("resign")
    ann.file([])
    ann.until(lambda: ann.status == "over")
    assert web.post(f"/api/tables/{ann.table}/rematch").status_code == 409, "nor for those who watch"
    seated = web.post(f"/api/tables/{ann.table}/rematch", token=ann.token).json()
    assert seated["seat"] == "blue", "the colours are exchanged"
    bob.until(lambda: bob.state["card"]["next"] == seated["table"])
    kept = next(seat for seat in web.get(f"/api/tables/{seated['table']}").json()["seats"] if seat["seat"] == "red")
    assert (kept["kind"], kept["player"]) == ("kept", "Bob")
    stranger = web.post(f"/api/tables/{seated['table']}/seats", {"seat": "red", "name": "Eve"})
    assert stranger.status_code == 409
    assert "kept for Bob" in stranger.json()["why"]
    joined = web.post(f"/api/tables/{ann.table}/rematch", token=bob.token).json()
    assert (joined["table"], joined["seat"]) == (seated["table"], "red"), "the second who asks sits down at the first's"
    assert web.post(f"/api/tables/{ann.table}/rematch", token=bob.token).status_code == 409, "once"
    again = sit(seated)
    assert again.status == "playing"
    assert again.state["card"]["title"] == "Best of two"
    assert again.seat("blue")["player"] == "Ann"


def test_a_seat_is_not_kept_for_ever(web: Web, sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = two(web, sit)
    bob.act("resign")
    ann.file([])
    ann.until(lambda: ann.status == "over")
    seated = web.post(f"/api/tables/{ann.table}/rematch", token=ann.token).json()
    monkeypatch.setattr("polemos.server.tables.table.KEPT", 0.0)
    assert web.take(seated["table"], "red", "Eve")["seat"] == "red"


def test_nobody_keeps_seats_at_a_table_of_their_own(web: Web) -> None:
    wish = {
        "game": "skerries",
        "seats": {"red": {"kind": "kept", "bot": "Bob"}},
        "clock": {"kind": "turn", "seconds": 60},
    }
    assert web.post("/api/tables", wish).status_code == 409


def test_the_record_says_who_resigned(web: Web, sit: Sit) -> None:
    ann, bob = two(web, sit)
    bob.act("resign")
    ann.file([])
    ann.until(lambda: ann.status == "over" and 1 in ann.frames)
    assert ann.frames[1]["dropped"] == {"blue": "resigned"}
    assert ann.seat("blue")["why"] == "resigned"
    assert ann.seat("red")["why"] == ""


def test_everything_is_shown_after_the_end(web: Web, sit: Sit) -> None:
    red = sit(web.open("skerries", people=["red"], bots={"green": "settler", "blue": "random"}, options=SHORT))
    assert web.get(f"/api/tables/{red.table}/replay.jsonl.gz").status_code == 409
    while red.status != "over":
        step = red.step
        red.file([])
        red.wait_for_step(step + 1)
    record = web.get(f"/api/tables/{red.table}/record").json()
    assert record["who"] == "umpire"
    assert set(record["frames"][1]["orders"]) == {"red", "green", "blue"}
    assert record["seats"]["green"] == "settler"
    replay = web.get(f"/api/tables/{red.table}/replay.jsonl.gz")
    assert replay.headers["content-type"] == "application/gzip"
    shown = web.post("/api/replays", content=replay.content).json()
    assert shown["frames"] == record["frames"]
    with pytest.raises(Refused, match="the table is over"):
        red.file([])
    with pytest.raises(Refused, match="the table is over"):
        red.ask("draft", lines=["x"])


# ---- talk and notes


def test_talk_at_the_table_and_on_the_side(web: Web, sit: Sit) -> None:
    ann, bob = two(web, sit)
    partner, watcher = sit(ann.table, ann.token), sit(ann.table)
    ann.ask("say", text="  good \u202eluck\n\n ")
    for person in (bob, partner, watcher):
        person.listen()
        assert (person.talk[0]["text"], person.talk[0]["who"], person.talk[0]["to"]) == ("good luck", "Ann", "table")
    ann.ask("say", text="attack at dawn", to="side")
    partner.until(lambda: len(partner.talk) == 2)
    bob.ask("say", text="thanks")
    watcher.until(lambda: len(watcher.talk) == 2)
    assert [line["text"] for line in bob.talk] == ["good luck", "thanks"]
    with pytest.raises(Refused, match="The message is empty"):
        ann.ask("say", text=" \t ")
    late = sit(ann.table, ann.token)
    late.until(lambda: len(late.talk) == 3)
    assert [line["number"] for line in late.talk] == [1, 2, 3]
    stranger = sit(ann.table)
    stranger.until(lambda: len(stranger.talk) == 2)


def test_notes_are_for_ones_own_eyes(web: Web, sit: Sit) -> None:
    ann, bob = two(web, sit)
    ann.ask("note", place="3,4", text="weak\x00 here")
    assert ann.state["notes"] == {"3,4": "weak here"}
    ann.ask("note", place="3,4", text="strong")
    ann.ask("note", place="5,5", text="x" * 1000)
    assert ann.state["notes"] == {"3,4": "strong", "5,5": "x" * 200}
    ann.ask("note", place="5,5", text="")
    bob.listen()
    assert not any(b"strong" in raw or b"weak" in raw for raw in bob.raw)
    again = sit(ann.table, ann.token)
    assert again.state["notes"] == {"3,4": "strong"}


# ---- clocks


def test_a_turn_that_is_slept_over_is_an_empty_one(web: Web, sit: Sit, server: Server) -> None:
    ann, bob = two(web, sit)
    assert ann.clock["left"]["red"] <= 600.0
    bob.file(["B1-B2 1"])
    server.ring(ann.table)
    ann.wait_for_step(1)
    bob.wait_for_step(1)
    assert ann.frames[1]["orders"]["red"] is None
    assert bob.frames[1]["orders"]["blue"] is not None
    assert ann.status == "playing"


def test_an_empty_bank_loses(web: Web, sit: Sit, server: Server) -> None:
    ann, bob = two(web, sit, clock={"kind": "bank", "seconds": 600.0, "increment": 600.0})
    ann.file([])
    bob.file([])
    ann.wait_for_step(1)
    bob.file([])
    assert bob.clock["left"]["blue"] > 600.0, "with its increments"
    server.ring(ann.table)
    bob.until(lambda: bob.status == "over")
    assert bob.state["card"]["outcome"]["winner"] == "blue"
    assert ann.until(lambda: ann.status == "over")


def test_who_never_comes_holds_nobody_up(web: Web, sit: Sit, server: Server) -> None:
    """Three people, one of whom has left: the others play on by the clock."""
    red = sit(web.open("skerries", people=["red"], clock=TURN, options=SHORT))
    green = sit(web.take(red.table, "green"))
    web.take(red.table, "blue")
    red.until(lambda: red.status == "playing")
    while red.status != "over":
        step = red.step
        red.file([])
        green.file([], step=step)
        server.ring(red.table)
        red.wait_for_step(step + 1)
        green.wait_for_step(step + 1)
    frames = web.get(f"/api/tables/{red.table}/frames").json()
    assert [frame["orders"]["blue"] for frame in frames[1:]] == [None, None]


def test_without_a_clock_nothing_ends(web: Web, sit: Sit) -> None:
    ann = sit(web.open("skerries", **ONE))
    assert ann.clock == {"left": {}, "running": []}
    refused = web.post("/api/tables", {"game": "skerries", "seats": {"red": {"kind": "person"}}})
    assert "needs a clock" in refused.json()["why"]


# ---- accounts


def test_a_seat_is_found_again_by_account(server: Server, web: Web) -> None:
    with Web(server.address, browser=True) as ada, Web(server.address, browser=True) as eve:
        ada.sign_in(f"Ada {server.port} {time.monotonic_ns() % 10**9}")
        eve.sign_in(f"Eve {server.port} {time.monotonic_ns() % 10**9}")
        seated = ada.open("skerries", **ONE)
        assert ada.get(f"/api/tables/{seated['table']}").json()["seats"][0]["you"] is True
        assert eve.get(f"/api/tables/{seated['table']}").json()["seats"][0]["you"] is False
        assert [card["id"] for card in ada.get("/api/me").json()["due"]] == [seated["table"]]
        assert eve.get("/api/me").json()["due"] == []
        cookie = {"Cookie": f"polemos={ada.client.cookies['polemos']}"}
        with Person(server.address, seated["table"], headers=cookie) as mine:
            assert mine.state["you"] == "red"
            mine.file([])
        assert ada.ask("DELETE", "/api/session").json()["name"] is None
        assert wait_for(lambda: ada.get("/api/me").json()["due"] == [])
