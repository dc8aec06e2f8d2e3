"""Links to tables and replays have a title and a picture, which show what a spectator may see and no more."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from polemos.pictures.cards import card
from polemos.pictures.ratings import curve
from polemos.server import previews
from polemos.server.routes import pages
from polemos.server.tables.table import Table
from unit.server.serving import Person, Server, Web

PAGE = b"<!doctype html><html><head><title>Polemos</title></head><body></body></html>"
CLOCK = {"kind": "turn", "seconds": 600}


@pytest.fixture
def web(small_server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """The page of the client may not have been built here."""
    monkeypatch.setattr(pages, "built_files", lambda: {"index.html": (PAGE, PAGE, "text/html")})
    with Web(small_server.address, headers={"Accept-Encoding": "identity"}) as client:
        yield client


def tags(web: Web, path: str, **headers: str) -> dict[str, str]:
    answer = web.get(path, headers=headers)
    assert answer.status_code == 200
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', answer.text)
    return {name: unescape(value) for name, value in found} | {
        "title": unescape(re.findall("<title>(.*?)</title>", answer.text)[0])
    }


def test_a_table_has_a_title_and_a_picture(web: Web, small_server: Server) -> None:
    title = '"Fog" <script>alert(1)</script> & rain'
    seated = web.open("skerries", people=["red"], name="Ann", title=title, clock=CLOCK)
    web.take(seated["table"], "blue", "Bob")
    found = tags(web, f"/table/{seated['table']}")
    assert found["og:title"] == found["title"] == f"Skerries: {title[:60]}"
    assert found["og:description"] == "Ann against Bob. Turn 1, in play."
    assert found["og:url"] == f"{small_server.address}/table/{seated['table']}"
    assert found["og:image"] == f"{small_server.address}/api/tables/{seated['table']}/preview.png"
    assert found["twitter:card"] == "summary_large_image"
    assert "<script>" not in web.get(f"/table/{seated['table']}").text
    assert tags(web, f"/replay/{seated['table']}?turn=3")["og:title"] == found["og:title"]
    picture = web.get(f"/api/tables/{seated['table']}/preview.png")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture.content[16:24]) == (1200, 630)


def test_other_pages_are_named_too(web: Web) -> None:
    assert tags(web, "/")["og:title"] == "Polemos"
    assert tags(web, "/games/skerries")["og:title"] == "Skerries"
    for path in ("/table/000000000000", "/table/x", "/games/nothing", "/replay", "/nowhere"):
        assert tags(web, path)["og:title"] == "Polemos"


def test_the_address_is_the_public_one_and_never_made_of_strange_headers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "built_files", lambda: {"index.html": (PAGE, PAGE, "text/html")})
    with Server(tmp_path, behind="127.0.0.1") as server, Web(server.address) as web:
        assert tags(web, "/", Host="a.example")["og:url"] == "http://a.example/"
        assert tags(web, "/", Host="a.example", **{"X-Forwarded-Proto": "https"})["og:url"] == "https://a.example/"
        assert "og:url" not in tags(web, "/", Host="a'b.example")
    with Server(tmp_path, public="https://play.example.org/") as server, Web(server.address) as web:
        found = tags(web, "/", Host="a.example")
        assert found["og:url"] == "https://play.example.org/"


def test_the_picture_shows_what_a_spectator_sees(
    web: Web, small_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the fog nobody's boats are shown; the same picture is drawn from a spectator's view alone."""
    drawn: list[str] = []

    def keep(svg: str) -> bytes:
        drawn.append(svg)
        return b"png"

    monkeypatch.setattr(previews, "png", keep)
    seated = web.open("skerries", people=["red"], name="Ann", clock=CLOCK)
    web.take(seated["table"], "blue", "Bob")
    assert web.get(f"/api/tables/{seated['table']}/preview.png", token=seated["token"]).content == b"png"
    table = small_server.hall.keepers[seated["table"]].table
    from polemos.kernel.capabilities.pictures import picture_of

    def board(who: str) -> str:
        return picture_of(table.game, table.match.setting, table.match.view(who), "board", theme="light")

    inner = board("spectator").strip().partition(">")[2]
    assert inner in drawn[0]
    assert board("red").strip().partition(">")[2] != inner, "a seat sees more"
    assert "Ann" in drawn[0]
    assert seated["token"] not in drawn[0]


def test_pictures_are_drawn_once_and_not_too_often(
    web: Web, small_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def keep(svg: str) -> bytes:
        drawn.append(svg)
        return b"png"

    monkeypatch.setattr(previews, "png", keep)
    seated = web.open("skerries", people=["red"], bots={"blue": "random"}, options={"turns": 2})
    path = f"/api/tables/{seated['table']}/preview.png"
    for _ in range(3):
        assert web.get(path).status_code == 200
    with Person(small_server.address, seated["table"], seated["token"]) as ann:
        ann.file([])
        ann.wait_for_step(1)
        assert web.get(path).status_code == 200
        assert len(drawn) == 1, "the old one is good enough for a while"
        ann.until(lambda: ann.sheet["step"] == 1 and ann.sheet["state"] != "locked")
        ann.file([])
        ann.until(lambda: ann.status == "over")
        assert web.get(path).status_code == 200
    assert len(drawn) == 2, "the end is shown at once"
    assert "max-age" in web.get(path).headers["cache-control"]
    assert web.get("/api/tables/000000000000/preview.png").status_code == 404


def test_a_title_follows_the_match_and_is_not_made_for_everyone_anew(
    web: Web, small_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    of_table = previews.of_table

    def count(table: Table) -> previews.Preview:
        made.append(table.id)
        return of_table(table)

    monkeypatch.setattr(previews, "of_table", count)
    seated = web.open("skerries", people=["red"], bots={"blue": "random"}, options={"turns": 1}, name="Ann")
    path = f"/table/{seated['table']}"
    assert [tags(web, path)["og:description"] for _ in range(3)] == ["Ann against random. Turn 1, in play."] * 3
    assert len(made) <= 2, "the bot may have filed in between"
    with Person(small_server.address, seated["table"], seated["token"]) as ann:
        ann.file([])
        ann.until(lambda: ann.status == "over")
    assert tags(web, path)["og:description"].startswith("Ann against random. Over: ")


def test_a_picture_that_fails_is_no_disaster(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(svg: str) -> bytes:
        raise OSError("no memory")

    monkeypatch.setattr(previews, "png", fails)
    seated = web.open("skerries", people=["red"], bots={"blue": "random"})
    answer = web.get(f"/api/tables/{seated['table']}/preview.png")
    assert (answer.status_code, answer.json()["word"]) == (503, "picture/busy")


def test_a_card_fits_its_board_and_cuts_long_lines() -> None:
    for size in ("1000 400", "400 1000"):
        board = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="7" height="7"><rect/></svg>'
        root = ElementTree.fromstring(card(board, "Game", ["x" * 500, "<&>"]))
        (inner,) = root.findall("{http://www.w3.org/2000/svg}svg")
        assert float(inner.get("width", 0)) <= 700
        assert float(inner.get("height", 0)) <= 630
        texts = ["".join(text.itertext()) for text in root.findall("{http://www.w3.org/2000/svg}text")]
        assert texts[0] == "Game"
        assert texts[1].endswith("…")
        assert len(texts[1]) < 60
        assert texts[2] == "<&>"


def test_the_curve_of_a_bot_has_a_piece_for_each_version_and_cuts_wide_bands() -> None:
    pieces = [(1, [(0.0, 1450.0, 50.0), (12.0, 1500.0, 50.0)]), (3, [(20.0, 1600.0, 900.0), (24.0, 1620.0, 50.0)])]
    root = ElementTree.fromstring(curve(pieces, "Rating of Falcon"))
    texts = {"".join(text.itertext()) for text in root.findall("{http://www.w3.org/2000/svg}text")}
    assert {"v1", "v3"} <= texts
    assert {"1400", "1700"} <= texts  # 1450 - 50 and 1620 + 50, in steps of 50
    assert "750" not in texts
    lines = [path.get("d", "") for path in root.iter("{http://www.w3.org/2000/svg}path")]
    assert sum(line.endswith("Z") for line in lines) == 2
    assert all(0 <= float(figure) <= 620 for line in lines for figure in re.findall(r"-?[\d.]+", line))
    assert not list(ElementTree.fromstring(curve([], "Rating of nobody")).iter("{http://www.w3.org/2000/svg}path"))
