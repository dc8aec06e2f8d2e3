"""Parties online: personal links, what each role is sent, rooms and talk, and servers that stop in between."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from polemos.server.parties.house import House, PartyClosed
from polemos.server.parties.keeper import PartyKeeper
from unit.server.parties import NATIONS, Party, Phone, a_wish
from unit.server.serving import Refused, Server, wait_for

pytestmark = pytest.mark.needs("monarchs")
Hold = Callable[..., Party]


@pytest.fixture
def hold(small_server: Server) -> Iterator[Hold]:
    held: list[Party] = []

    def make(**wish: Any) -> Party:
        held.append(Party(small_server, a_wish(**wish)))
        return held[-1]

    yield make
    house: House = small_server.app.state.house
    for party in held:
        party.close()
        with suppress(PartyClosed):  # its clocks would run on into other tests
            in_house(house, house.end(party.id, "the test is over"))


def in_house(house: House, doing: Coroutine[Any, Any, None]) -> None:
    """Does something where the server runs."""
    assert house._sweeping is not None
    asyncio.run_coroutine_threadsafe(doing, house._sweeping.get_loop()).result(timeout=60)


# ---- links


def test_a_personal_link_works_once(hold: Hold) -> None:
    party = hold()
    code = party.links()["red-1"]["code"]
    first = party.web.post(f"/api/parties/{party.id}/claim", {"code": code})
    assert first.json()["role"] == "red-1"
    again = party.web.post(f"/api/parties/{party.id}/claim", {"code": code})
    assert again.status_code == 403
    assert again.json()["word"] == "party/link"
    row = party.links()["red-1"]
    assert row["is_used"]
    assert row["code"] is None, "a link that was used is worth nothing to anybody"


def test_a_role_moves_to_another_phone(hold: Hold) -> None:
    party = hold()
    old = party["red"]
    old_token = party.tokens["red"]
    moved = party.web.post(f"/api/parties/{party.id}/links/red", None, party.tokens["gamerunner"])
    assert moved.status_code == 204
    assert old.listen()[-1]["type"] == "moved"
    assert party.web.get(f"/api/parties/{party.id}/sight", old_token).status_code == 403
    del party.tokens["red"], party.phones["red"]
    assert party["red"].sight["role"] == "red"
    assert party.tokens["red"] != old_token


def notices_of(party: Party, role: str) -> list[str]:
    return [
        note["text"] for note in party.web.get(f"/api/parties/{party.id}/sight", party.tokens[role]).json()["notices"]
    ]


def test_nobody_opens_a_link_in_passing(hold: Hold) -> None:
    """A host who plays has the links of all who have not come: everybody is told when a card can have been read."""
    party = hold(is_led=True)
    early, queen = party["red-1"], party["green"]
    party.runner("deal")
    assert not queen.sight.get("notices"), "before the deal there is nothing to be read"
    party["red-2"].listen()
    moved = party.web.post(f"/api/parties/{party.id}/links/red-2", None, party.tokens["gamerunner"])
    assert moved.status_code == 204
    assert party["red-2"].listen()[-1]["type"] == "moved"
    told = ["The link of red 2 was opened.", "The link of red 2 was moved to another phone."]
    for role in ("red-1", "green"):
        assert notices_of(party, role) == told
    queen.listen()
    assert [note["text"] for note in queen.sight["notices"]] == told, "phones are sent it at once"
    assert early.listen()[-1]["type"] == "sight"
    early.do("enter", role="red-1", room="red")  # the journal goes on


def test_a_gamerunner_who_leads_knows_the_cards_anyway(hold: Hold) -> None:
    party = hold()
    party.runner("deal")
    party["red-1"].listen()
    assert "notices" not in party["red-1"].sight


def test_whoever_comes_later_gets_a_link(hold: Hold) -> None:
    party = hold()
    assert "guest-1" not in party.links()
    party.runner("join", name="Zoe")
    assert party["guest-1"].sight["room"] == "hall"
    queen, zoe = party.token("red"), party.tokens["guest-1"]
    party["green-1"].ask("say", text="Zoe, meet me later.")
    party["red"].ask("say", text="My plan is secret.")
    party.runner("replace", role="red", guest="guest-1")
    roles = [party.web.get(f"/api/parties/{party.id}/sight", token).json()["role"] for token in (queen, zoe)]
    assert roles == ["guest-1", "red"], "phones go with their people"
    for role in ("guest-1", "red"):
        assert party[role].listen()[-1]["type"] == "restarting"
        party.phones.pop(role).close()
    party.tokens |= {"red": zoe, "guest-1": queen}
    assert party["red"].sight["role"] == "red"
    for role, heard in (("red", "Zoe, meet me later."), ("guest-1", "My plan is secret.")):
        party[role].listen()
        assert party[role].talk == [heard], "what was said stays with those who heard it, whoever they are now"
    assert next(one for one in party["screen"].sight["people"] if one["role"] == "red")["name"] == "Zoe"


def test_a_guest_who_joined_by_mistake_is_at_the_party_no_more(hold: Hold) -> None:
    """12.25 With the entry everything is gone that followed from it: the link, too."""
    party = hold()
    party.runner("join", name="Zoe")
    zoe, queen = party["guest-1"], party["red"]
    party.runner("strike", entry=1, reason="she is at another party")
    assert zoe.listen()[-1]["type"] == "restarting"
    assert party.web.get(f"/api/parties/{party.id}/sight", party.tokens["guest-1"]).status_code == 403
    party.runner("tell", text="Nobody has come yet.")
    queen.listen()
    assert queen.sight["notices"][0]["text"] == "Nobody has come yet."
    party.runner("join", name="Max")
    assert (party.links()["guest-1"]["name"], party.links()["guest-1"]["is_used"]) == ("Max", False)
    del party.tokens["guest-1"], party.phones["guest-1"]
    assert party["guest-1"].sight["role"] == "guest-1"


def test_nobody_shares_a_role_with_a_bot(hold: Hold) -> None:
    """There is no link to its place; an understudy takes it over, and gets one."""
    party = hold(bots={"red-1": "clumsy"}, guests=["Zoe"])
    assert party.links()["red-1"]["code"] is None
    party.runner("replace", role="red-1", guest="guest-1")
    row = party.links()["red-1"]
    assert (row["name"], row["is_bot"]) == ("Zoe", False)
    assert party["red-1"].sight["room"] == "hall"


def test_the_host_takes_over_in_another_browser(hold: Hold) -> None:
    party = hold()
    first = party.tokens["gamerunner"]
    spare = party.links()["spare"]
    assert (spare["is_host"], spare["is_used"]) == (True, False)
    claimed = party.web.post(f"/api/parties/{party.id}/claim", {"code": spare["code"]}).json()
    assert claimed["role"] == "gamerunner"
    second = Phone(party.address, party.id, claimed["token"])
    party.runner("deal")  # two hosts at once
    assert second.listen()[-1]["sight"]["lead"]["is_dealt"]
    assert party.links()["spare"]["code"] is None
    own = party.web.post(f"/api/parties/{party.id}/links/gamerunner", None, first)
    assert own.status_code == 403, "nobody cuts themselves off"
    moved = party.web.post(f"/api/parties/{party.id}/links/gamerunner", None, claimed["token"])
    assert moved.status_code == 204
    assert party["gamerunner"].listen()[-1]["type"] == "moved"
    assert party.web.get(f"/api/parties/{party.id}/links", first).status_code == 403
    second.do("pause")
    second.close()
    party.tokens["gamerunner"] = claimed["token"]
    assert party.links()["gamerunner"]["code"]


def test_only_the_host_sees_and_moves_links(hold: Hold) -> None:
    party = hold()
    for role in ("red", "red-1", "screen"):
        assert party.web.get(f"/api/parties/{party.id}/links", party.token(role)).status_code == 403
        assert party.web.post(f"/api/parties/{party.id}/links/green", None, party.token(role)).status_code == 403
    assert party.web.get(f"/api/parties/{party.id}/links").status_code == 403
    assert party.web.get("/api/parties/nowhere/sight", "x").status_code == 404
    stranger = Phone(party.address, party.id, "guess")
    assert stranger.heard[0]["word"] == "party/link"


def test_a_link_of_one_party_is_worth_nothing_at_another(hold: Hold) -> None:
    one, other = hold(), hold()
    code = one.links()["red"]["code"]
    assert other.web.post(f"/api/parties/{other.id}/claim", {"code": code}).status_code == 403
    assert other.web.get(f"/api/parties/{other.id}/sight", one.token("red")).status_code == 403


def test_wishes_that_are_refused(small_server: Server, hold: Hold) -> None:
    web = hold().web
    assert web.post("/api/parties", {"game": "monarchs", "wish": {}}).status_code == 422
    assert web.post("/api/parties", {"game": "skerries", "wish": a_wish()}).status_code == 404


# ---- acts


def test_a_sheet_goes_by_the_hands_of_a_courier(hold: Hold) -> None:
    party = hold()
    party.runner("deal")
    courier, queen = party["red-1"], party["red"]
    courier.do("enter", role="red-1", room="red")
    queen.do("send", court="red", to="red-1")
    courier.do("arrive", role="red-1", errand="map")
    party.runner("release")
    courier.do("leave", role="red-1")
    courier.do("enter", role="red-1", room="red")
    with pytest.raises(Refused, match=r"carried|fetched"):
        queen.do("give", court="red", to="red-1")
    courier.do("present", role="red-1")
    queen.listen()
    assert queen.sight["maps"] == [0]
    assert party.web.get(f"/api/parties/{party.id}/maps/0", party.token("red")).json()["view"]["who"] == "red"
    assert party.web.get(f"/api/parties/{party.id}/maps/0", party.token("red-1")).status_code == 422
    second = party["red-2"]
    second.do("enter", role="red-2", room="red")
    queen.do("write", court="red", lines=["A5-B6 1"])
    queen.do("give", court="red", to="red-2")
    second.listen()
    assert second.sight["sheet"] == {"given": ["A5-B6 1"], "lines": ["A5-B6 1"]}
    queen.listen()
    noticed = len(queen.raw)
    second.do("alter", role="red-2", lines=["A5-B4 1"])
    second.do("alter", role="red-2", lines=[])
    assert queen.listen()[noticed:] == [], "the monarch notices nothing of it"
    second.do("arrive", role="red-2", errand="orders")
    left = queen.listen()[noticed:]
    assert [said["type"] for said in left] == ["sight"], "the courier has left the room, and that is all"
    noticed = len(queen.raw)
    second.do("handin", role="red-2")
    assert queen.listen()[noticed:] == []
    with pytest.raises(Refused, match="not yours"):
        second.do("handin", role="red-1")
    with pytest.raises(Refused, match="not yours"):
        queen.do("release")
    with pytest.raises(Refused, match="It must be one of"):
        queen.do("dance")


def test_acts_by_http(hold: Hold) -> None:
    party = hold()
    path = f"/api/parties/{party.id}/acts"
    act = {"act": "enter", "role": "red-1", "room": "red"}
    assert party.web.post(path, {"act": act}, party.token("red")).status_code == 422
    assert party.web.post(path, {"act": act}, party.token("red-1")).status_code == 204
    assert party.web.get(f"/api/parties/{party.id}/sight", party.token("red")).json()["here"] == ["red-1"]


def test_people_talk_to_their_room(hold: Hold) -> None:
    party = hold()
    for role in ("red-1", "red-2", "green-1"):
        party.phone(role)
    party["red-1"].do("enter", role="red-1", room="red")
    party["red"].ask("say", text="Who\n goes \u202e there?\x07")
    party["green-1"].ask("say", text="Is anybody here?")
    for role in ("red", "red-1", "red-2", "green-1"):
        party[role].listen()
    assert party["red"].talk == party["red-1"].talk == ["Who goes there?"]
    assert party["red-2"].talk == party["green-1"].talk == ["Is anybody here?"]
    party["red-2"].do("enter", role="red-2", room="red")
    assert party["red-2"].talk == ["Is anybody here?"], "what was said before, nobody hears"
    party.phones.pop("red-1").close()
    party["red-1"].listen()
    assert party["red-1"].talk == ["Who goes there?"], "after a reload it is there again"
    for wrong in ("", "  ", "\u3164\u200b", "x" * 501):
        with pytest.raises(Refused):
            party["red"].ask("say", text=wrong)
    with pytest.raises(Refused, match="look on"):
        party["screen"].ask("say", text="Boo")


def test_nobody_can_silence_the_others(hold: Hold, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polemos.server.parties.keeper.MAX_TALK", 2)
    party = hold()
    for _ in range(2):
        party["red-1"].ask("say", text="I, I, I")
    with pytest.raises(Refused, match="said enough"):
        party["red-1"].ask("say", text="and I")
    party["red-2"].ask("say", text="And we?")
    party["red-1"].listen()
    assert party["red-1"].talk[-1] == "And we?"


class Flaky:
    """A database that fails once: before it has written, or after it."""

    def __init__(self, ledger: Any, written: bool) -> None:
        self.ledger, self.written, self.failed = ledger, written, False
        self.fetch = ledger.fetch

    async def write(self, *statements: Any) -> None:
        if self.written or self.failed:
            await self.ledger.write(*statements)
        if not self.failed:
            self.failed = True
            raise OSError("the disk is full")


@pytest.mark.parametrize("written", [False, True])
def test_what_could_not_be_saved_was_not_shown(small_server: Server, hold: Hold, written: bool) -> None:
    party = hold()
    queen, courtier = party["red"], party["red-1"]
    keeper = small_server.app.state.house.keepers[party.id]
    keeper._ledger = Flaky(keeper._ledger, written)
    with pytest.raises(Refused, match="could not save"):
        courtier.do("enter", role="red-1", room="red")
    assert "here" not in (queen.listen() and queen.sight)
    queen.do("write", court="red", lines=["A5-B6 1"])
    assert queen.sight.get("here", []) == (["red-1"] if written else []), "as it is on disk, whatever was said about it"
    assert queen.sight["errand"]["written"] == ["A5-B6 1"]


@pytest.mark.parametrize("written", [False, True])
def test_talk_goes_on_after_a_write_that_failed(small_server: Server, hold: Hold, written: bool) -> None:
    party = hold()
    queen = party["red"]
    keeper = small_server.app.state.house.keepers[party.id]
    keeper._ledger = Flaky(keeper._ledger, written)
    with pytest.raises(Refused, match="could not save"):
        queen.ask("say", text="One")
    queen.ask("say", text="Two")
    party.phones.pop("red").close()
    party["red"].listen()
    assert party["red"].talk == (["One", "Two"] if written else ["Two"]), "as it is on disk"


# ---- secrets

SHEETS = (["A5-B6 1"], ["A5-B4 1", "bless A5"])
COURT = ("green", "green-1", "green-2", "green-3", "clock", "screen", "spectator")


def play_up_to_the_guesses(party: Party, *, what: bool, when: bool) -> None:
    """An evening; `what` changes cards, sheets and what couriers make of them, `when` the moments of handing in.

    Green's court has the same cards and sheets in all of them.
    """
    for role in (*NATIONS, *(f"{nation}-{n}" for nation in NATIONS for n in (1, 2, 3)), "clock", "screen", "spectator"):
        party.phone(role)
    cards: dict[str, str] = {}
    for nation in NATIONS:
        spies = [other for other in NATIONS if other != nation]
        served = [*(reversed(spies) if what and nation != "green" else spies), nation]
        cards |= {f"{nation}-{n + 1}": master for n, master in enumerate(served)}
    party.runner("deal", cards=cards)
    for nation in NATIONS:
        party[f"{nation}-1"].do("enter", role=f"{nation}-1", room=nation)
        party[nation].do("send", court=nation, to=f"{nation}-1")
        party[f"{nation}-1"].do("arrive", role=f"{nation}-1", errand="map")
    party.runner("release")
    for nation in NATIONS:
        fetcher, courier = f"{nation}-1", f"{nation}-2"
        party[fetcher].do("leave", role=fetcher)
        party[fetcher].do("enter", role=fetcher, room=nation)
        party[fetcher].do("present", role=fetcher)
        party[fetcher].do("enter", role=fetcher, room="hall")
        party[courier].do("enter", role=courier, room=nation)
        party[nation].do("write", court=nation, lines=SHEETS[what and nation != "green"])
        party[nation].do("give", court=nation, to=courier)
        party[courier].do("enter", role=courier, room="hall")
        if what and nation != "green":
            party[courier].do("alter", role=courier, lines=["nonsense"])
    for nation in NATIONS:
        party[f"{nation}-2"].do("arrive", role=f"{nation}-2", errand="orders")
    for nation in reversed(NATIONS) if when else NATIONS:
        party[f"{nation}-2"].do("handin", role=f"{nation}-2")
        with pytest.raises(Refused, match="can still come"):
            party["green"].do("guess", court="green", spies={"red": "green-1", "blue": "green-2"})


@pytest.mark.parametrize(
    ("hidden", "roles"),
    [("what", COURT), ("when", ("green", "clock", "screen", "spectator"))],  # who is in the hall sees carriers return
)
def test_equal_knowledge_gives_equal_bytes(
    hold: Hold, monkeypatch: pytest.MonkeyPatch, hidden: str, roles: tuple[str, ...]
) -> None:
    """Sockets and HTTP: all messages in their order, with their heads."""
    monkeypatch.setattr(PartyKeeper, "now", staticmethod(lambda: 1_000_000))
    told: list[dict[str, list[bytes]]] = []
    for other in (False, True):
        party = hold()
        play_up_to_the_guesses(party, what=other and hidden == "what", when=other and hidden == "when")
        found: dict[str, list[bytes]] = {}
        for role in roles:
            party[role].listen()
            party.web.raw.clear()
            party.web.get(f"/api/parties/{party.id}/sight", party.token(role))
            raw = [*party[role].raw, *party.web.raw]
            found[role] = [re.sub(rb'"dice":"[0-9a-f]{32}"', b"", said) for said in raw]  # the keys are others
        told.append(found)
    for role in roles:
        assert told[0][role] == told[1][role], role
    assert len(told[0]["green"]) > 8


# ---- parties that nobody comes to


def later(server: Server, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Looks for forgotten parties as the server would after so many seconds."""
    house: House = server.app.state.house
    at = time.time() + seconds
    with monkeypatch.context() as then:
        then.setattr(House, "now", staticmethod(lambda: at))
        in_house(house, house.sweep())


def test_a_party_that_never_began_is_closed_after_a_day(
    small_server: Server, hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a few names for each would keep everybody else from holding one."""
    house: House = small_server.app.state.house
    forgotten, visited, begun = hold(), hold(), hold(is_led=True, options={"round_seconds": 86_400})
    begun.runner("deal")
    begun.phones.pop("gamerunner").close()
    wait_for(lambda: not house.keepers[begun.id].listeners)
    visited.phone("red")
    later(small_server, monkeypatch, 23 * 3600)
    assert forgotten.id in house.keepers
    later(small_server, monkeypatch, 25 * 3600)
    assert forgotten.id not in house.keepers
    assert {visited.id, begun.id} <= set(house.keepers), "somebody is there, or clocks are running"
    gone = forgotten.web.get(f"/api/parties/{forgotten.id}/sight", forgotten.tokens["gamerunner"])
    assert (gone.status_code, gone.json()["word"]) == (410, "party/closed")
    assert Phone(forgotten.address, forgotten.id, forgotten.tokens["gamerunner"]).heard[0]["word"] == "party/closed"
    visited["red"].ask("say", text="Is anybody here?")


def test_parties_where_nothing_happens_leave_memory(
    small_server: Server, hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    house: House = small_server.app.state.house
    party = hold()  # the host leads: nothing happens by itself
    party.runner("deal")
    before = party["red-1"].sight
    for phone in party.phones.values():
        phone.close()
    party.phones.clear()
    wait_for(lambda: house.keepers[party.id].is_idle)
    later(small_server, monkeypatch, 600)
    assert party.id in house.keepers
    later(small_server, monkeypatch, 1000)
    assert party.id not in house.keepers
    assert party["red-1"].sight == before, "whoever comes finds it as it was"
    party.runner("release")


def test_a_party_can_be_closed_by_two_at_once(small_server: Server, hold: Hold) -> None:
    """Two operators, or one and the server that looks for forgotten parties."""
    house: House = small_server.app.state.house
    party = hold()

    async def both() -> None:
        await asyncio.gather(*(house.end(party.id, f"operator {number} said so") for number in range(2)))

    in_house(house, both())
    assert party.id not in house.keepers
    gone = party.web.get(f"/api/parties/{party.id}/sight", party.tokens["gamerunner"])
    assert (gone.status_code, gone.json()["word"]) == (410, "party/closed")


# ---- by itself, and again


class Hurried:
    """A clock for parties that jumps to whatever happens next. However slow the machine is, nobody comes too late."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at = 1_000_000
        wait = PartyKeeper._wait

        async def jump(keeper: PartyKeeper, seconds: float | None) -> None:
            if seconds is None:
                await wait(keeper, None)
            else:
                self.at += int(seconds * 1000)

        monkeypatch.setattr(PartyKeeper, "now", staticmethod(self))
        monkeypatch.setattr(PartyKeeper, "_wait", jump)

    def __call__(self) -> int:
        self.at += 1
        return self.at


def test_one_person_rehearses_with_bots(hold: Hold, monkeypatch: pytest.MonkeyPatch) -> None:
    Hurried(monkeypatch)
    kinds = {f"{nation}-{n}": "clumsy" for nation in NATIONS for n in (1, 2, 3)} | dict.fromkeys(NATIONS, "loyal")
    del kinds["red-1"]
    party = hold(bots=kinds, is_led=True, options={"round_seconds": 60})
    me = party["red-1"]
    links = party.links()
    assert {role for role, row in links.items() if row["is_bot"]} == set(kinds)
    assert not re.search("loyal|clumsy|treacherous", json.dumps(links)), "a host who plays is not told of which kind"
    party.runner("deal")
    me.listen()
    assert me.sight["card"]["serves"] in "rgb"
    wait_for(lambda: "everything" in (me.listen() and me.sight))
    state = me.sight["everything"]
    assert state["played"] == 1
    assert set(state["orders"]) == set(NATIONS)
    assert any(errand["delivered"] for errand in state["orders"].values())


def is_done(party: Party, role: str, act: dict[str, Any]) -> bool:
    return party.web.post(f"/api/parties/{party.id}/acts", {"act": act}, party.token(role)).status_code == 204


def test_a_server_leads_by_the_clock_on_the_wall(hold: Hold) -> None:
    """Nobody asks it for anything between the cards and the guesses."""
    party = hold(is_led=True, options={"round_seconds": 0})
    party.runner("deal")
    for nation in NATIONS:
        first, second = (other for other in NATIONS if other != nation)
        guess = {"act": "guess", "court": nation, "spies": {first: f"{nation}-1", second: f"{nation}-2"}}
        wait_for(partial(is_done, party, nation, guess))
    wait_for(lambda: "everything" in (party["red-1"].listen() and party["red-1"].sight))


def test_what_was_acknowledged_is_there_after_a_restart(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        party = Party(server, a_wish())
        party.runner("deal")
        party["red-1"].do("enter", role="red-1", room="red")
        party["red"].ask("say", text="Remember me.")
        party["red"].do("write", court="red", lines=["A5-B6 1"])
        roles = ("red", "red-1", "gamerunner", "screen", "clock")
        before = {role: party.web.get(f"/api/parties/{party.id}/sight", party.token(role)).content for role in roles}
    party.close()
    with Server(tmp_path) as server:
        party.address = server.address
        party.phones.clear()
        party.web = type(party.web)(server.address)
        for role in roles:
            assert party.web.get(f"/api/parties/{party.id}/sight", party.token(role)).content == before[role]
        party["red-1"].listen()
        assert party["red-1"].talk == ["Remember me."]
        party["red"].do("write", court="red", lines=[])
        party.close()
