"""Who is told what, in a game of fog: every byte that leaves the server is read.

First that nothing of one seat is found in what others receive. Then that two matches which differ only in what a seat
may not know give that seat the same bytes on every channel.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import msgspec
import pytest

from polemos.kernel import dice
from polemos.server.tables.table import Table
from polemos.server.work import Usual
from polemos.wire import frames
from unit.server.serving import Person, Refused, Server, Web

pytestmark = pytest.mark.needs("monarchs")

SEATS = ("red", "green", "blue")
CLOCK = {"kind": "turn", "seconds": 600.0}
KEY = "0123456789abcdef0123456789abcdef"


class Evening:
    """A match of Monarchs with three people and one who watches, each with what they have received."""

    def __init__(self, server: Server, stack: ExitStack, **wish: Any) -> None:
        self.server, self._stack = server, stack
        self.opener = stack.enter_context(Web(server.address))
        seated = self.opener.open("monarchs", people=["red"], clock=CLOCK, name="Ann", **wish)
        self.table: str = seated["table"]
        self.tokens: dict[str | None, Any] = {None: None, "red": seated["token"]}
        self.joined: dict[str | None, list[Person]] = {}
        self.webs: dict[str | None, Web] = {}
        self.people: dict[str | None, Person] = {}
        for seat, name in (("green", "Bob"), ("blue", "Cid")):
            self.tokens[seat] = self.opener.take(self.table, seat, name)["token"]
        for who in (None, *SEATS):
            self.webs[who] = stack.enter_context(Web(server.address))
            self.people[who] = self.join(who)

    def join(self, seat: str | None) -> Person:
        person = Person(self.server.address, self.table, self.tokens[seat])
        self._stack.enter_context(person)
        self.joined.setdefault(seat, []).append(person)
        return person

    def poll(self, seat: str | None) -> None:
        """Everything that can be asked for."""
        web, token, at = self.webs[seat], self.tokens[seat], f"/api/tables/{self.table}"
        for path in (
            at,
            f"{at}/frames",
            f"{at}/record",
            f"{at}/replay.jsonl.gz",
            "/api/tables",
            "/api/games",
            "/api/me",
        ):
            web.get(path, token)

    @property
    def kept(self) -> Table:
        return self.server.hall.keepers[self.table].table

    def bytes_to(self, seat: str | None) -> bytes:
        heard = [raw for person in self.joined[seat] for raw in person.raw]
        return b"\n".join([*heard, *self.webs[seat].raw])


@pytest.fixture
def evening(small_server: Server) -> Iterator[Callable[..., Evening]]:
    with ExitStack() as stack:
        yield lambda **wish: Evening(small_server, stack, **wish)


def marks(seat: str) -> dict[str, str]:
    """Words that only this seat says."""
    return {what: f"zq{what}{seat}zq" for what in ("draft", "order", "note", "side")}


@pytest.mark.parametrize("mode", ["online", "party"])
def test_nobody_receives_what_is_anothers(
    evening: Callable[..., Evening], caplog: pytest.LogCaptureFixture, mode: str
) -> None:
    caplog.set_level(logging.DEBUG, "polemos")
    for logger in ("uvicorn", "litestar", "asyncio"):
        caplog.set_level(logging.INFO, logger)
    play = evening(options={"turns": 3, "mode": mode})
    for turn in range(2):
        for seat in SEATS:
            person, said = play.people[seat], marks(seat)
            lawful = [option["text"] for option in person.sheet["options"]][:2]
            person.ask("draft", lines=[said["draft"], *lawful])
            person.ask("note", place="G5", text=said["note"])
            person.ask("say", text=said["side"], to="side")
            with pytest.raises(Refused):
                person.ask("withdraw")
            for who in (None, *SEATS):
                play.poll(who)
            person.file([said["order"], *lawful])
            play.poll(seat)
        for who in (None, *SEATS):
            play.people[who].wait_for_step(turn + 1)
            play.people[who].listen()
            play.poll(who)
    for who in (None, *SEATS):  # and to those who come late
        play.join(who).listen()
        play.people[who].listen()
    table = play.kept
    umpire = [msgspec.json.encode(frames.frame(table.match, number, "umpire").view) for number in range(3)]
    for seat in SEATS:
        own = play.bytes_to(seat)
        for what, mark in marks(seat).items():
            assert mark.encode() in own or (mode == "party" and what == "order"), "one's own is told"
    for who in (None, *SEATS):
        received = play.bytes_to(who)
        for other in SEATS:
            if other != who:
                for mark in marks(other).values():
                    assert mark.encode() not in received
                assert str(play.tokens[other]).encode() not in received
        for secret in secrets_of(table):
            assert secret.encode() not in received
        assert b'"who":"umpire"' not in received
        assert not any(view in received for view in umpire[1:])
        for word in (b'"account"', b'"secret"', b'"key":"', b"Traceback", b"polemos/"):
            assert word not in received, word
    logged = caplog.text
    for seat in SEATS:
        assert not any(mark in logged for mark in marks(seat).values())
        assert str(play.tokens[seat]) not in logged
    assert not any(secret in logged for secret in secrets_of(table))


def secrets_of(table: Table) -> list[str]:
    sitters = [sitter for sitter in table.seats.values() if sitter is not None]
    numbers = [str(dice.number(table.key, "bot", seat)) for seat in table.seats]
    return [table.key, *(sitter.secret for sitter in sitters if sitter.secret), *numbers]


def test_a_seat_is_told_exactly_its_view(evening: Callable[..., Evening]) -> None:
    play = evening(options={"turns": 4})
    for turn in range(3):
        for seat in SEATS:
            person = play.people[seat]
            person.file([option["text"] for option in person.sheet["options"]][turn : turn + 3])
        for who in (None, *SEATS):
            play.people[who].wait_for_step(turn + 1)
            play.people[who].listen()
    match = play.kept.match
    game: Any = match.game
    for who in (None, *SEATS):
        person, eyes = play.people[who], who or "spectator"
        for number in range(1, 4):
            frame = person.frames[number]
            view = match.game.observe(match.state_at(number), eyes)
            assert frame["view"] == as_json(view)
            assert frame["figures"] == as_json(game.figures(match.setting, view))
            assert {mark["words"] for mark in frame["marks"]} <= {event["words"] for event in frame["events"]}
            assert [event["event"] for event in frame["events"]] == as_json(match.told_at(number, eyes))
            assert set(frame["orders"]) <= {who}
        fetched = play.webs[who].get(f"/api/tables/{play.table}/frames?from=1", play.tokens[who]).json()
        assert fetched == [person.frames[number] for number in range(1, 4)]
        assert play.webs[who].get(f"/api/tables/{play.table}/record", play.tokens[who]).json()["who"] == eyes


def as_json(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def test_everything_is_told_after_the_end(evening: Callable[..., Evening]) -> None:
    play = evening(options={"turns": 1})
    for seat in SEATS:
        play.people[seat].file([marks(seat)["order"]])
    for who in (None, *SEATS):
        person = play.people[who]
        person.until(lambda person=person: person.status == "over")  # type: ignore[misc]
        assert set(person.frames[1]["orders"]) == set(SEATS)
        assert person.frames[1]["view"]["who"] == "umpire"
        record = play.webs[who].get(f"/api/tables/{play.table}/record").json()
        assert record["who"] == "umpire"
        for seat in SEATS:
            assert record["frames"][1]["orders"][seat] == [marks(seat)["order"]]
    replay = play.webs[None].get(f"/api/tables/{play.table}/replay.jsonl.gz")
    assert replay.status_code == 200
    for who in SEATS:
        others = [mark for other in SEATS if other != who for what, mark in marks(other).items() if what != "order"]
        assert not any(mark.encode() in play.bytes_to(who) for mark in others), "notes and side talk stay private"


# ---- the same bytes


Hidden = Callable[[Evening], None]


def nothing(play: Evening) -> None:
    """They file, and that is all."""


def busy(play: Evening) -> None:
    """Another seat drafts, notes, talks, files, files again, withdraws, comes and goes, and is refused things."""
    green = play.people["green"]
    green.ask("draft", lines=["G5-H4 2", "who knows"])
    green.ask("note", place="A1", text="mine")
    green.ask("say", text="psst", to="side")
    green.file([])
    green.file(["nonsense"])
    green.ask("withdraw")
    with pytest.raises(Refused):
        green.act("pause")
    with pytest.raises(Refused):
        green.ask("answer", what="draw", yes=True)
    with Person(play.server.address, play.table, play.tokens["green"]):
        pass
    play.people["blue"].close()
    play.webs["green"].get(f"/api/tables/{play.table}", play.tokens["green"])


def leaves(play: Evening) -> None:
    """Another seat closes its only connection."""
    play.people["green"].close()
    play.people["blue"].close()


def early(play: Evening) -> None:
    """Another seat has filed long before."""
    play.people["green"].file([])


def resigns(play: Evening) -> None:
    """Another seat has resigned, which is told with the step."""
    play.people["green"].act("resign")


def strikes(play: Evening) -> None:
    """Another seat has missed the turn."""
    keeper = play.server.hall.keepers[play.table]
    table = keeper.table
    table.clocks._since["green"] -= 700  # its time alone is up
    play.people["green"].close()


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two matches with the same dice, at the same moment."""
    monkeypatch.setattr("polemos.server.tables.hall.dice.new_key", lambda: KEY)
    for module in ("keeper", "hall"):
        monkeypatch.setattr(f"polemos.server.tables.{module}.now", lambda: 1_000_000.0)


def stream(play: Evening, hidden: Hidden, whose: str | None, *, step: bool) -> list[bytes]:
    """All that `whose` receives while the others do something, up to the step or over it."""
    me, web, token = play.people[whose], play.webs[whose], play.tokens[whose]
    if whose is not None:
        me.ask("draft", lines=["nonsense"])
        me.file([])
    hidden(play)
    if whose is not None:
        me.file(["nonsense"])
        with pytest.raises(Refused):
            me.act("pause")
    window = play.join(whose)
    for path in ("", "/frames", "/record", "/replay.jsonl.gz"):
        web.get(f"/api/tables/{play.table}{path}", token)
    listed = [card for card in web.get("/api/tables").json() if card["id"] == play.table]
    web.raw[-1] = msgspec.json.encode(listed)
    me.listen()
    if step:
        for seat in SEATS:
            if seat != whose:
                play.join(seat).file([])
        me.wait_for_step(1)
        me.listen()
        web.get(f"/api/tables/{play.table}/frames", token)
    return [tidied(raw, play) for raw in [*me.raw, *window.raw, *web.raw]]


def tidied(raw: bytes, play: Evening) -> bytes:
    """Without the name of the table, which is drawn by lot."""
    return re.sub(rb"content-length: \d+\n", b"", raw.replace(play.table.encode(), b"TABLE"))


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize("whose", ["red", None], ids=["seat", "spectator"])
@pytest.mark.parametrize(
    ("hidden", "step"),
    [(busy, True), (leaves, True), (early, True), (resigns, False), (strikes, False)],
    ids=lambda given: getattr(given, "__name__", ""),
)
def test_what_others_do_in_the_fog_changes_no_byte(
    evening: Callable[..., Evening], hidden: Hidden, step: bool, whose: str | None
) -> None:
    plain = stream(evening(), nothing, whose, step=step)
    assert stream(evening(), hidden, whose, step=step) == plain
    assert len(plain) >= 9, "there was something to compare"


@pytest.mark.usefixtures("still")
def test_how_long_judging_takes_changes_no_byte(
    evening: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sheets that take long are judged in a thread; messages come in the same order nevertheless."""
    monkeypatch.setattr(Usual, "is_quick", property(lambda usual: True))
    quick = stream(evening(), nothing, "red", step=True)
    monkeypatch.setattr(Usual, "is_quick", property(lambda usual: False))
    assert stream(evening(), nothing, "red", step=True) == quick


@pytest.mark.usefixtures("still")
def test_orders_out_of_sight_change_no_byte(evening: Callable[..., Evening]) -> None:
    """Also after the step: what green does behind its own lines is nothing to red."""
    plain, other = evening(), evening()
    lawful = [option["text"] for option in plain.people["green"].sheet["options"]]
    unseen = next(text for text in lawful if _is_unseen(plain.kept, text))
    streams = []
    for play, lines in ((plain, []), (other, [unseen])):
        red = play.people["red"]
        red.file([])
        play.people["green"].file(lines)
        play.people["blue"].file([])
        red.wait_for_step(1)
        red.listen()
        play.people["green"].wait_for_step(1)
        assert play.people["green"].frames[1]["orders"] == {"green": lines}
        web = play.webs["red"]
        web.get(f"/api/tables/{play.table}/record", play.tokens["red"])
        streams.append([tidied(raw, play) for raw in [*red.raw, *web.raw]])
    assert plain.kept.match.state.digest() != other.kept.match.state.digest()
    assert streams[0] == streams[1]


def _is_unseen(table: Table, text: str) -> bool:
    """Whether red would see the same after this order of green's, by the rules themselves."""
    from polemos.kernel.match import Match

    seen = []
    for lines in ([], [text]):
        match = Match(table.game, table.wish.options, key=KEY)
        match.submit("green", lines)
        match.run()
        seen.append((match.view("red"), match.told("red"), match.state.digest()))
    return seen[0][:2] == seen[1][:2] and seen[0][2] != seen[1][2]


@pytest.mark.needs("demons")
def test_without_fog_drafts_and_filed_orders_are_secret_until_the_step(small_server: Server) -> None:
    server = small_server
    with ExitStack() as stack:
        web = stack.enter_context(Web(server.address))
        seated = web.open("demons", people=["red"], clock=CLOCK)
        taken = web.take(seated["table"], "blue")
        red = stack.enter_context(Person(server.address, seated["table"], seated["token"]))
        blue = stack.enter_context(Person(server.address, taken["table"], taken["token"]))
        watcher = stack.enter_context(Person(server.address, seated["table"]))
        red.until(lambda: red.status == "playing")
        red.ask("draft", lines=["zqdraft"])
        red.file(["zqorder"])
        blue.listen()
        watcher.listen()
        for person in (blue, watcher):
            assert not any(b"zq" in raw for raw in person.raw)
            assert person.seat("red")["filed"] is True, "that it was filed is no secret here"
        blue.file([])
        watcher.wait_for_step(1)
        assert watcher.frames[1]["orders"]["red"] == ["zqorder"]


def test_the_description_of_the_interface_holds_no_secret(evening: Callable[..., Evening]) -> None:
    play = evening()
    text = play.webs[None].get("/api/schema/openapi.json").text
    assert "paths" in text
    assert not any(secret in text for secret in secrets_of(play.kept))
