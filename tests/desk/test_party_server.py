"""The desk's server: who gets in, what each screen is told, and what betrays nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from litestar import Litestar
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient

from desk.houses import NATIONS, SHEETS, Clock, deliver, fetch, free, game, guess, setup
from polemos.desk.party import PartyDesk
from polemos.server.desk.app import make_desk
from polemos.server.desk.room import Room

pytestmark = pytest.mark.needs("monarchs")

Client = TestClient[Litestar]


def wait_until(is_true: Callable[[], bool]) -> None:
    while not is_true():
        time.sleep(0.01)


class House:
    """A server, a gamerunner who is in, and somebody else in the house."""

    def __init__(self, folder: Path) -> None:
        self.clock = Clock()
        self.room = Room(folder, game(), self.clock, seed="long winter")
        self.app = make_desk(self.room)

    @property
    def desk(self) -> PartyDesk:
        return self.room.party()

    def post(self, client: Client, path: str, status: int = 200, **said: Any) -> Any:
        response = client.post(f"/api/desk/{path}", json=said or None, headers={"X-Desk": "page-one"})
        assert response.status_code == status, response.text
        return response.json()

    def do(self, client: Client, status: int = 200, **act: Any) -> Any:
        return self.post(client, "acts", status, act=act)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "party")


@pytest.fixture
def stranger(house: House) -> Iterator[Client]:
    with TestClient(house.app) as made:
        yield made


@pytest.fixture
def runner(house: House, stranger: Client) -> Client:
    made = TestClient(house.app)
    house.post(made, "enter", password=house.room.password)
    return made


def begun(house: House, runner: Client, **options: Any) -> None:
    house.post(runner, "begin", setup=setup(**options))
    house.do(runner, act="deal")


CLOSED = (
    "", "/loyalties", "/pages/red", "/full", "/battles", "/maps.pdf", "/papers.pdf", "/maps.txt"
)  # fmt: skip


def test_the_desk_is_closed_to_players(house: House, stranger: Client, runner: Client) -> None:
    begun(house, runner)
    for path in CLOSED:
        assert runner.get(f"/api/desk{path}").status_code == 200, path
        refused = stranger.get(f"/api/desk{path}")
        assert refused.status_code == 403, path
        assert refused.json()["word"] == "desk/closed"
    for path in ("begin", "acts", "hold", "check", "draft", "file", "play", "rehearse"):
        body = {"setup": {}, "act": {"act": "pause"}, "court": "red", "lines": []}
        fields = {"begin": ["setup"], "acts": ["act"], "hold": ["court"], "draft": ["court", "lines"]}
        fields |= {"check": fields["hold"], "file": fields["draft"]}
        said = {name: body[name] for name in fields.get(path, [])}
        assert stranger.post(f"/api/desk/{path}", json=said).status_code == 403, path
    assert stranger.post("/api/desk/enter", json={"password": "guess"}).status_code == 403
    with stranger.websocket_connect("/api/desk/live/desk") as socket, pytest.raises(WebSocketDisconnect):
        socket.receive_text()
    elsewhere = {"Origin": "http://evil.example"}
    act = {"act": {"act": "pause"}}
    assert runner.post("/api/desk/acts", json=act, headers=elsewhere).status_code == 403


def test_the_pass_stays_the_same_after_a_kill(house: House, stranger: Client) -> None:
    again = Room(house.room.folder, game())
    assert again.password == house.room.password
    assert (house.room.folder / "desk-pass").stat().st_mode & 0o077 == 0


def test_the_clock_is_the_same_bytes_whatever_happens(house: House, stranger: Client, runner: Client) -> None:
    """No nation, no filing state, no carriers, no names."""
    begun(house, runner)
    house.do(runner, act="release")
    before = stranger.get("/api/desk/clock").content
    said = json.loads(before)
    assert set(said) == {"now", "times", "seconds"}
    assert set(said["times"]) == {"round", "due"}
    for nation in NATIONS:
        house.do(runner, act="arrive", role=free(house.desk, nation), errand="map")
        assert stranger.get("/api/desk/clock").content == before
    house.do(runner, act="rule", text="A 7 may have a bar.")
    house.do(runner, act="dismiss", court="red", role="red-4")
    assert stranger.get("/api/desk/clock").content == before
    house.do(runner, act="pause")
    assert stranger.get("/api/desk/clock").json()["times"]["is_paused"] is True


def test_screens_are_told_only_what_changes_for_them(house: House, stranger: Client, runner: Client) -> None:
    """Otherwise a court could count what happens at the desk by the messages to its clock."""
    begun(house, runner)
    house.do(runner, act="release")
    with (
        stranger.websocket_connect("/api/desk/live/clock") as wall,
        stranger.websocket_connect("/api/desk/live/screen") as screen,
    ):
        assert "is_paused" not in json.loads(wall.receive_text())["times"]
        assert json.loads(screen.receive_text())["sight"]["times"]["round"] == 1
        house.do(runner, act="arrive", role="red-1", errand="orders")
        house.do(runner, act="rule", text="A 7 may have a bar.")
        house.do(runner, act="pause")
        assert json.loads(wall.receive_text())["times"]["is_paused"] is True
        assert json.loads(screen.receive_text())["sight"]["times"]["is_paused"] is True


def test_screens_cannot_keep_the_gamerunners_out(house: House, stranger: Client, runner: Client) -> None:
    begun(house, runner)
    with (
        patch("polemos.server.desk.room.MAX_SCREENS", 1),
        stranger.websocket_connect("/api/desk/live/clock") as wall,
        stranger.websocket_connect("/api/desk/live/clock") as another,
        runner.websocket_connect("/api/desk/live/desk") as desk,
    ):
        wall.receive_text()
        with pytest.raises(WebSocketDisconnect):
            another.receive_text()
        desk.send_text('{"page": "page-one", "name": "Anna"}')
        assert json.loads(desk.receive_text())["is_open"]


def test_a_turn_over_http(house: House, runner: Client) -> None:
    begun(house, runner)
    house.do(runner, act="release")
    with runner.websocket_connect("/api/desk/live/desk") as socket:
        socket.send_text('{"page": "page-one", "name": "Anna"}')
        card = json.loads(socket.receive_text())
        assert card["card"]["stage"]["next"] == "orders"
        for nation in NATIONS:
            house.do(runner, act="arrive", role=free(house.desk, nation), errand="orders")
        house.post(runner, "hold", court="red")
        early = house.post(runner, "file", 422, court="red", lines=SHEETS["red"])
        assert early["rule"] == "12.6"  # every carrier waits for a minute
        house.clock.wait(60)
        for nation in NATIONS:
            told = house.post(runner, "hold", court=nation)
            assert told["view"]["who"] == nation
            told = house.post(runner, "draft", court=nation, lines=SHEETS[nation])
            faults = [number for number, line in enumerate(told["sheet"]["lines"]) if line["fault"]]
            assert faults == ([2] if nation == "red" else [])
            house.post(runner, "file", court=nation, lines=SHEETS[nation])
        house.post(runner, "play")
    history = runner.get("/api/desk").json()["card"]["history"]
    assert history[-1]["text"] == "Turn played"
    assert history[-1]["signed"] == "Anna"


def test_the_card_has_neither_loyalties_nor_lines(house: House, runner: Client) -> None:
    """A page that lies open shows no card and no sheet; loyalties are asked for while a key is held."""
    begun(house, runner)
    house.do(runner, act="release")
    house.do(runner, act="arrive", role="red-1", errand="orders")
    house.clock.wait(60)
    house.do(runner, act="handin", role="red-1", lines=["A5-B6 3"])
    text = runner.get("/api/desk").text
    assert "B6" not in text
    serves = runner.get("/api/desk/loyalties").json()
    assert sorted(serves.values()) == ["blue"] * 5 + ["green"] * 5 + ["red"] * 5
    assert set(runner.get("/api/desk").json()["card"]["sight"]["everything"]["serves"].values()) == {""}
    assert house.desk.key not in text


def test_a_sheet_is_never_open_twice(house: House, runner: Client) -> None:
    begun(house, runner)
    room = house.room
    room.come("page-one", "Anna")
    room.come("page-two", "Luca")
    house.do(runner, act="release")
    room.hold("page-two", "red")
    assert house.post(runner, "hold", 409, court="red")["why"] == "Luca is typing this sheet."
    house.post(runner, "hold", court="red", take_over=True)
    with pytest.raises(Exception, match="taken this sheet over"):
        room.draft("page-two", "red", ["A5-B6 1"])
    assert room.card("page-two")["typing"] == {"red": "Anna"}


def test_a_page_that_connects_again_keeps_its_sheet(house: House, runner: Client) -> None:
    """A lost connection is noticed after the next one has been made, and a killed server has forgotten who types."""
    begun(house, runner)
    house.do(runner, act="release")
    live = "/api/desk/live/desk"
    with runner.websocket_connect(live) as lost, runner.websocket_connect(live) as socket:
        lost.send_text('{"page": "page-one", "name": "Anna"}')
        lost.receive_text()
        house.post(runner, "hold", court="red")
        socket.send_text('{"page": "page-one", "name": "Anna", "sheet": "red"}')
        socket.receive_text()
        lost.close()
        wait_until(lambda: len(house.room._listeners) == 1)
        house.post(runner, "draft", court="red", lines=["A5-B6 1"])
        house.do(runner, act="rule", text="A 7 may have a bar.")
    assert house.desk.evening.entries[-1].signed == "Anna"

    killed = Room(house.room.folder.parent / "killed", game(), house.clock, seed="long winter")
    killed.begin(setup(), {})
    killed.come("page-one", "Anna", "red")
    killed.must_hold("page-one", "red")
    killed.come("page-two", "Luca", "red")
    with pytest.raises(Exception, match="taken this sheet over"):
        killed.must_hold("page-two", "red")
    killed.hold("page-two", "red", take_over=True)
    killed.go("page-two", killed.people["page-two"])
    killed.come("page-one", "Anna", "red")
    with pytest.raises(Exception, match="taken this sheet over"):
        killed.must_hold("page-one", "red")
    killed.come("page-one", "Anna", "purple")
    assert killed.people["page-one"].sheet is None
    killed.close()


def test_another_gamerunner_checks_a_sheet(house: House, runner: Client) -> None:
    begun(house, runner)
    room = house.room
    room.come("page-one", "Anna")
    room.come("page-two", "Luca")
    house.do(runner, act="release")
    house.do(runner, act="arrive", role="red-1", errand="orders")
    house.clock.wait(60)
    house.post(runner, "hold", court="red")
    house.post(runner, "draft", court="red", lines=SHEETS["red"])
    house.post(runner, "check", court="red")
    house.post(runner, "check", 409, court="red")
    assert room.card("page-two")["checks"] == {"red": "Anna"}
    room.hold("page-two", "red")
    told = room.opened("red")
    assert (told["check"], told["sheet"].lines) == ({"name": "Anna", "lines": SHEETS["red"]}, ())
    room.draft("page-two", "red", ["G5-H4 3"])
    room.hold("page-two", None)
    house.post(runner, "hold", court="red")
    assert [line.text for line in room.opened("red")["sheet"].lines] == SHEETS["red"], "Anna gets back what she typed"
    house.post(runner, "check", court="red")
    room.hold("page-two", "red")
    luca = TestClient(house.app)
    luca.headers["X-Desk"] = "page-two"
    luca.post("/api/desk/enter", json={"password": room.password})
    filed = luca.post("/api/desk/file", json={"court": "red", "lines": SHEETS["red"]})
    assert filed.status_code == 200, filed.text
    assert room.card("page-one")["checks"] == {}


def test_the_big_screen_learns_one_thing_at_a_time(house: House, stranger: Client, runner: Client) -> None:
    """12.27: nothing of the next name is in the bytes before the key is pressed, and nothing before the guesses."""
    begun(house, runner)
    desk, clock = house.desk, house.clock
    fetch(desk, clock, last=True)
    quiet = stranger.get("/api/desk/screen").content
    deliver(desk, clock)
    desk.play()
    assert stranger.get("/api/desk/screen").content == quiet
    assert stranger.get("/api/desk/replay/1").status_code == 422
    assert house.do(runner, 422, act="reveal")["rule"] == "12.18"
    guess(desk)
    assert stranger.get("/api/desk/screen").content == quiet
    assert stranger.post("/api/desk/acts", json={"act": {"act": "reveal"}}).status_code == 403
    shown = 0
    while not stranger.get("/api/desk/screen").json()["is_over"]:
        house.do(runner, act="reveal")
        shown += 1
        said = stranger.get("/api/desk/screen").json()
        assert len(said["sight"]["shown"]) == shown
        assert (house.desk.key in json.dumps(said)) == said["is_over"]
    assert stranger.get("/api/desk/replay/1").json()["turn"] == 1
    assert stranger.get("/api/desk/replay/1/red/delivered").content.startswith(b"\x89PNG")


def test_all_courts_maps_are_one_job_without_the_full_map(house: House, runner: Client) -> None:
    begun(house, runner)
    job = runner.get("/api/desk/maps.pdf")
    assert job.content.startswith(b"%PDF")
    name = job.headers["content-disposition"]
    assert "Polemos desk" in name
    assert not any(nation in name for nation in NATIONS)
    sealed = [house.desk.page(nation) for nation in NATIONS]
    with patch("polemos.pictures.convert.pdf", return_value=b"startxref") as printed:
        house.desk.maps()
    printed.assert_called_once_with(sealed, "a4", "Polemos desk")


def test_pages_of_the_desk_and_nothing_else(stranger: Client) -> None:
    assert stranger.get("/", follow_redirects=False).headers["location"] == "/desk"
    for path in ("/desk", "/clock", "/screen"):
        assert stranger.get(path).status_code == 200
    for path in ("/table/x", "/api/me", "/api/tables", "/journal.jsonl", "/desk-pass"):
        assert stranger.get(path).status_code == 404
