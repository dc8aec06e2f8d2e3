"""The pictures of Monarchs: what they say, what they keep secret, and that they are drawn alike for all."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from xml.etree import ElementTree

import msgspec
import pytest

from polemos.games.monarchs import odds
from polemos.games.monarchs.board import NAMES, NATIONS, NEIGHBOURS
from polemos.games.monarchs.draw import Order, board, describe, page, text
from polemos.games.monarchs.view import Ground, Report, Setting, View
from polemos.kernel.outcome import Outcome
from polemos.pictures.convert import PictureError, pdf, png

START = """
E9:r2 G9:g2 I9:g K9:g M9:g3
D8:r F8:r2 H8:g2 J8:g L8:g N8:g
C7:r E7:r G7:r2 I7:g2 K7:g M7:g O7:g
B6:r D6:r F6:r H6:r3 J6:g3 L6:g N6:g P6:g
A5:r3 C5:r E5:r G5:r3 I5:. K5:g3 M5:g2 O5:g2 Q5:g2
B4:r D4:r F4:r2 H4:b3 J4:b3 L4:b2 N4:b2 P4:b2
C3:r E3:r2 G3:b2 I3:b K3:b M3:b O3:b
D2:r2 F2:b2 H2:b J2:b L2:b N2:b
E1:b2 G1:b I1:b K1:b M1:b3
"""
TURN_5 = """
E9:r1 G9:g1 I9:g K9:g M9:g3
D8:r F8:r2 H8:r2 J8:g2 L8:g N8:g
C7:r E7:r G7:r1 I7:g3 K7:g M7:g O7:g
B6:r D6:r F6:r H6:r2 J6:g3 L6:g N6:g P6:g
A5:r2 C5:r E5:r G5:r3 I5:r3 K5:g2 M5:g2 O5:g2 Q5:g2
B4:r D4:r F4:r2 H4:b3 J4:b3 L4:b2 N4:b2 P4:b2
C3:r1 E3:r2 G3:b2 I3:b K3:b M3:b O3:b
D2:b2 F2:b1 H2:b J2:b L2:b N2:b
E1:b2 G1:b I1:b K1:b M1:b3
"""
OWNERS = {"r": "red", "g": "green", "b": "blue", ".": None}
REPORTS = {
    "red": Report(("H8",), ("D2", "J6"), 24, 8701),
    "green": Report(("J6",), ("H8",), 19, 7402),
    "blue": Report(("D2",), (), 20, 8003),
}
SETTING = Setting(
    rules="1",
    mode="party",
    scoring="v3",
    hexes={name: tuple(NAMES[other] for other in NEIGHBOURS[hex]) for hex, name in enumerate(NAMES)},
    bases={"red": "A5", "green": "M9", "blue": "M1"},
    centre="I5",
)
WON = Outcome("blue", ("blue", "red", "green"), {"blue": 1.0, "red": 0.0, "green": 0.0}, "highest total", "10.5")
FORBIDDEN = {"pattern", "clipPath", "mask", "use", "filter", "style", "script", "image", "foreignObject", "symbol"}
SPACE = "{http://www.w3.org/2000/svg}"


def ground(position: str) -> dict[str, Ground]:
    return {mark[:2]: Ground(OWNERS[mark[3]], int(mark[4:] or 0)) for mark in position.split()}


def sight(who: str, hexes: dict[str, Ground]) -> dict[str, Ground]:
    """Owned hexes and their neighbours (9.1); everything for the umpire, nothing for spectators."""
    if who == "umpire":
        return hexes
    owned = {name for name, one in hexes.items() if one.owner == who}
    return {name: one for name, one in hexes.items() if name in owned or owned & set(SETTING.hexes[name])}


def start(who: str) -> View:
    reports = {name: Report((), (), 0, 0) for name in NATIONS if who in (name, "umpire")}
    return View(who, 1, 8, sight(who, ground(START)), reports)


def later(who: str, turn: int = 5, turns: int = 8) -> View:
    reports = {name: report for name, report in REPORTS.items() if who in (name, "umpire")}
    return View(who, turn, turns, sight(who, ground(TURN_5)), reports)


def ended(who: str) -> View:
    return View(who, 9, 8, ground(TURN_5), REPORTS, outcome=WON)


@dataclass(frozen=True)
class Line:
    x: float
    y: float
    size: float
    words: str


def lines(svg: str) -> list[Line]:
    """Every text of a picture that is not turned."""
    root = ElementTree.fromstring(svg)
    found = []
    for element in root.iter(f"{SPACE}text"):
        at = element.attrib
        if "x" in at:
            found.append(Line(float(at["x"]), float(at["y"]), float(at["font-size"]), element.text or ""))
    return found


def words(svg: str) -> list[str]:
    return [line.words for line in lines(svg)]


VIEWS = [make(who) for make in (start, later, ended) for who in (*NATIONS, "umpire", "spectator")]
ORDERS: list[Order] = [("march", "G5", "H4", 3), ("march", "H4", "G5", 12), ("bless", "I7")]


def drawings(view: View) -> list[str]:
    return [
        page(SETTING, view, title="Long Winter"),
        page(SETTING, view, "letter"),
        board(SETTING, view),
        board(SETTING, view, "dark", ORDERS),
    ]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: f"{view.who}-{view.turn}")
def test_pictures_are_plain_and_repeat(view: View) -> None:
    assert drawings(view) == drawings(view)
    for svg in drawings(view):
        root = ElementTree.fromstring(svg)
        tags = {element.tag.removeprefix(SPACE) for element in root.iter()}
        assert not tags & FORBIDDEN
        assert tags <= {"svg", "title", "rect", "path", "circle", "text"}
        assert not any("style" in element.attrib or "class" in element.attrib for element in root.iter())
        assert "url(" not in svg
        assert "var(" not in svg


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: f"{view.who}-{view.turn}")
def test_pages_are_black_and_white(view: View) -> None:
    colours = set(re.findall(r'(?:fill|stroke)="([^"]*)"', page(SETTING, view)))
    assert colours <= {"#000", "#fff", "none"}


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: f"{view.who}-{view.turn}")
@pytest.mark.parametrize(("paper", "wide", "high"), [("a4", 210, 297), ("letter", 215.9, 279.4)])
def test_nothing_leaves_the_page(view: View, paper: str, wide: float, high: float) -> None:
    svg = page(SETTING, view, paper, "Long Winter")
    assert ElementTree.fromstring(svg).attrib["viewBox"] == f"0 0 {wide} {high}"
    for line in lines(svg):
        assert 8 <= line.x <= wide - 8
        assert 8 < line.y < high - 8


@pytest.mark.parametrize("who", NATIONS)
def test_page_of_a_nation_says_what_it_must(who: str) -> None:
    said = words(page(SETTING, later(who), title="Long Winter"))
    seen = len(later(who).hexes)
    assert said.count(who.upper()) == 2  # head and seal
    assert "For the orders of turn 5" in said
    assert f"Position after turn 4. You see {seen} of 61 hexes." in said
    assert "Long Winter" in said
    assert {"Victories", "Defeats", "Score of turn 4", "Carrier", "Left at"} <= set(said)
    assert f"Sealed map, turn 5. To be opened in the {who} court only." in said
    report = REPORTS[who]
    assert " ".join(report.victories) in said
    assert (" ".join(report.defeats) or "none") in said
    assert str(report.score) in said
    assert set(NAMES) <= set(said)


def test_sight_of_the_mockup() -> None:
    assert len(later("red").hexes) == 32
    assert len(start("green").hexes) == 29


@pytest.mark.parametrize("who", NATIONS)
def test_starting_page(who: str) -> None:
    said = words(page(SETTING, start(who)))
    assert "For the orders of turn 1" in said
    assert "Starting position. You see 29 of 61 hexes." in said
    assert said.count("–") == 3
    assert "unclaimed" in said


def test_last_turn_is_announced() -> None:
    note = "Last turn: it counts double"
    assert note in words(page(SETTING, later("red", 8, 8)))
    assert note in text(SETTING, later("red", 8, 8))
    assert any(note in said for said in words(board(SETTING, later("red", 8, 8))))
    assert note not in page(SETTING, later("red", 7, 8))
    assert note not in page(SETTING, later("red", 8, 0))  # not announced yet


@pytest.mark.parametrize("who", NATIONS)
def test_others_stay_secret(who: str) -> None:
    """Even a view that holds too much does not put the others' reports on a nation's page before the end."""
    careless = msgspec.structs.replace(later(who), reports=REPORTS)
    for made in (page(SETTING, careless), board(SETTING, careless), text(SETTING, careless)):
        assert not any(str(report.total) in made for report in REPORTS.values())
    assert page(SETTING, careless) == page(SETTING, later(who))


def test_fog_depends_on_nothing_but_the_view() -> None:
    """Two different games that look alike from red give the same bytes."""
    other = TURN_5.replace("L4:b2", "L4:g9").replace("M9:g3", "M9:g17").replace("O5:g2", "O5:b")
    one, two = later("red"), msgspec.structs.replace(later("red"), hexes=sight("red", ground(other)))
    assert list(one.hexes) == list(two.hexes)
    assert page(SETTING, one) == page(SETTING, two)
    assert board(SETTING, one) == board(SETTING, two)
    assert text(SETTING, one) == text(SETTING, two)


def test_fogged_hex_is_a_name_and_nothing_else() -> None:
    """Taking a hex out of sight leaves as many marks in it as an empty sheet has."""
    blind = msgspec.structs.replace(later("red"), hexes={})
    assert len(words(board(SETTING, blind))) == 61 + 2  # the caption has two parts
    marks = [line for line in lines(page(SETTING, later("red"))) if 33 < line.y < 206]
    fogged = [name for name in NAMES if name not in later("red").hexes]
    for name in fogged:
        place = next(line for line in marks if line.words == name)
        near = [line for line in marks if abs(line.x - place.x) < 9 and abs(line.y - place.y) < 6]
        assert [line.words for line in near] == [name]


def test_pages_of_all_nations_are_drawn_alike() -> None:
    pages = {who: page(SETTING, start(who), title="Long Winter") for who in NATIONS}
    sizes = [len(svg) for svg in pages.values()]
    assert max(sizes) < 1.2 * min(sizes)
    below = [[(line.x, line.y, line.size) for line in lines(svg) if line.y > 206] for svg in pages.values()]
    assert below[0] == below[1] == below[2]
    above = [[(line.x, line.y, line.size) for line in lines(svg) if line.y < 31] for svg in pages.values()]
    assert above[0] == above[1] == above[2]
    prints = [len(pdf([svg], "a4")) for svg in pages.values()]
    assert max(prints) < 1.2 * min(prints)


def test_page_of_the_umpire() -> None:
    view = msgspec.structs.replace(later("umpire"), dropped=("green",))
    said = words(page(SETTING, view))
    assert "UMPIRE" in said
    assert "Not for any court" in said
    assert "Carrier" not in said
    assert "Odds against the owner, in percent" not in said
    assert {str(report.total) for report in REPORTS.values()} <= set(said)
    assert "Position after turn 4. 61 of 61 hexes in sight." in said
    assert said.count("gave up") == 1


def test_page_of_a_spectator() -> None:
    said = words(page(SETTING, later("spectator")))
    assert "SPECTATOR" in said
    assert set(NAMES) <= set(said)
    assert "Victories" not in said
    assert "Not for any court" not in said


@pytest.mark.parametrize("who", [*NATIONS, "umpire", "spectator"])
def test_after_the_end(who: str) -> None:
    said = words(page(SETTING, ended(who)))
    assert "After the last turn" in said
    assert "Blue wins" in said
    assert {str(report.total) for report in REPORTS.values()} <= set(said)
    assert any("Highest total. Rule 10.5." in one or "highest total. Rule 10.5." in one for one in said)
    assert "Blue wins: highest total. Rule 10.5." in text(SETTING, ended(who))


def test_a_draw() -> None:
    view = msgspec.structs.replace(ended("red"), outcome=msgspec.structs.replace(WON, winner=None))
    assert "A draw" in words(page(SETTING, view))


def test_odds_are_those_of_the_book() -> None:
    said = words(page(SETTING, start("red")))
    first = said.index("nobody blesses")
    rows = [said[first + 5 * i : first + 5 * i + 5] for i in range(4)]
    for row, (ours, theirs) in zip(rows, [(False, False), (True, False), (False, True), (True, True)], strict=True):
        assert row[1:] == [str(round(100 * odds.attack(more, ours, theirs))) for more in (-1, 0, 1, 2)]


@pytest.mark.parametrize(
    "title", ["<script>alert(1)</script>", "A" * 10_000, "\x00\x1b[31m\u202e", '"><svg onload=x>', "冬" * 99]
)
def test_hostile_titles(title: str) -> None:
    svg = page(SETTING, later("red"), title=title)
    assert len(svg) < len(page(SETTING, later("red"))) + 800
    assert "<script" not in svg
    assert not any(name.startswith("on") for element in ElementTree.fromstring(svg).iter() for name in element.attrib)
    assert len(pdf([svg], "a4")) > 1000


def test_twenty_victories_fit() -> None:
    many = tuple(NAMES[20:40])
    for who in ("red", "umpire"):
        view = msgspec.structs.replace(later(who), reports={name: Report(many, many, -102, 1234) for name in NATIONS})
        for paper, low in (("a4", 207.0), ("letter", 192.0)):
            found = lines(page(SETTING, view, paper))
            below = " ".join(line.words for line in found if line.y > low)
            assert all(below.count(name) >= 2 for name in many)


def test_three_figures_fit_into_every_army() -> None:
    hexes = {name: Ground(one.owner, 888 if one.owner else 0) for name, one in ground(START).items()}
    view = msgspec.structs.replace(start("umpire"), hexes=hexes)
    armies = [line for line in lines(page(SETTING, view)) if line.words == "888"]
    assert len(armies) == 60
    assert {round(line.size, 1) for line in armies} <= {3.0, 3.5, 3.6}
    assert "A5:r888*" in text(SETTING, view)


def test_orders_on_the_board() -> None:
    view = later("red")
    bare, full = board(SETTING, view), board(SETTING, view, orders=ORDERS)
    assert len(words(full)) == len(words(bare)) + 2
    assert full.count("<circle") == bare.count("<circle") + 4  # two discs with numbers, the sun and its middle
    assert "12" in words(full)


def test_board_themes_differ_in_colour_only() -> None:
    view = later("red")
    light, dark = board(SETTING, view), board(SETTING, view, "dark")
    assert light != dark
    plain = re.compile(r"#[0-9A-Fa-f]{3,6}")
    assert plain.sub("", light) == plain.sub("", dark)
    assert ElementTree.fromstring(light).attrib["width"] == "1280"


def test_text_map() -> None:
    made = text(SETTING, later("red"))
    assert all(len(line) <= 100 for line in made.splitlines())
    assert "\x1b" not in made
    rows = made.splitlines()
    top = next(i for i, line in enumerate(rows) if line.startswith("9"))
    assert rows[top].split() == ["9", "E9:r1", "G9:g1", "I9:g", "K9:?", "M9:?*"]
    assert [line[0] for line in rows[top : top + 9]] == list("987654321")
    assert rows[top + 4].split()[1] == "A5:r2*"
    assert "Victories: H8" in made
    assert "Defeats: D2 J6" in made
    assert "Score of turn 4: 24" in made
    assert "total" not in made


def test_text_map_in_colour_reads_the_same() -> None:
    for who in (*NATIONS, "umpire"):
        painted = text(SETTING, later(who), colour=True)
        assert "\x1b[1;31m" in painted
        assert re.sub(r"\x1b\[[\d;]*m", "", painted) == text(SETTING, later(who))


def test_text_of_the_umpire_has_the_totals() -> None:
    many = tuple(NAMES[:40])
    view = msgspec.structs.replace(
        later("umpire"), reports=REPORTS | {"red": Report(many, (), 3, 4)}, dropped=("green",)
    )
    made = text(SETTING, view)
    assert "Green: Score of turn 4: 19, total 7402" in made
    assert "Gave up their orders: green" in made
    assert all(len(line) <= 100 for line in made.splitlines())


def test_alternative_text_says_the_position() -> None:
    said = describe(SETTING, start("red"))
    assert said.startswith("Monarchs, map of red. For the orders of turn 1. Starting position.")
    assert "Red regiments: E9 2, F8 2, G7 2, H6 3, A5 3, G5 3, F4 2, E3 2, D2 2." in said
    assert "Unclaimed: I5." in said
    assert "K7" not in said
    for svg in (page(SETTING, start("red")), board(SETTING, start("red"))):
        root = ElementTree.fromstring(svg)
        assert root.attrib["role"] == "img"
        assert root.attrib["aria-label"] == said
        assert root.findtext(f"{SPACE}title") == "Monarchs, map of red. For the orders of turn 1."


def test_page_becomes_one_sheet_and_one_image() -> None:
    for paper, size in (("a4", [595.28, 841.89]), ("letter", [612.0, 792.0])):
        made = pdf([page(SETTING, later("red"), paper)], paper)
        boxes = re.findall(rb"/MediaBox ?\[([^\]]*)\]", made)
        assert [[float(value) for value in box.split()[2:]] for box in boxes] == [pytest.approx(size, abs=0.01)]
    image = png(page(SETTING, later("red")), 1240)
    assert struct.unpack(">II", image[16:24]) == (1240, 1754)
    assert struct.unpack(">II", png(board(SETTING, later("red")))[16:24]) == (1280, 1192)


def test_unknown_paper_and_theme() -> None:
    with pytest.raises(PictureError, match="a4, letter"):
        page(SETTING, start("red"), "a3")
    with pytest.raises(PictureError, match="light, dark"):
        board(SETTING, start("red"), "pink")


def test_three_sealed_pages_in_one_job() -> None:
    made = pdf([page(SETTING, later(who)) for who in NATIONS], "a4")
    assert len(re.findall(rb"/MediaBox", made)) == 3
