"""The pictures of Demons: every kind of piece, every size of board, the same state in words."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from polemos.games.demons.draw import board, describe, page, text
from polemos.games.demons.draw.facts import covers, fights, progress
from polemos.games.demons.game import GAME
from polemos.games.demons.view import Base, Portal, Setting, Tower, TowerFacts, Unit, View
from polemos.kernel.outcome import Outcome
from polemos.pictures import faces, meters
from polemos.pictures.convert import PictureError, pdf, png
from polemos.pictures.glyphs import SILHOUETTES
from polemos.pictures.squares import Squares, Tile, rims, seams
from polemos.pictures.svg import Canvas
from polemos.pictures.tokens import LIGHT

TWIN_GATES = """
prrr....bbbb...
rrooooouooooobb
rrorr.bbb.bbobb
rror.ooo.bb.obb
rrRooo.o.oooBbb
rro.rr.ooo.bobb
rrorr.rrr.bbobb
rrooooovooooobb
...rrrr....bbbq
"""
LANES = (
    ((2, 3), (2, 2), *((x, 1) for x in range(2, 13)), (12, 2), (12, 3)),
    ((3, 4), (4, 4), (5, 4), (5, 3), (6, 3), (7, 3), (7, 4), (7, 5), (8, 5), (9, 5), (9, 4), (10, 4), (11, 4)),
    ((2, 5), (2, 6), *((x, 7) for x in range(2, 13)), (12, 6), (12, 5)),
)
FACTS = {
    "house": TowerFacts(10, 10, 0, 0),
    "crossbow": TowerFacts(8, 3, 4, 1),
    "cannon": TowerFacts(10, 5, 3, 3),
    "minigun": TowerFacts(25, 5, 3, 2),
}
GUIDE = GAME.setting(GAME.read_position("map twin-gates")).guide
FINALS_GUIDE = GAME.setting(GAME.read_position("map twin-gates; rules finals-2025")).guide
WORDS = {"ahead": "E", "back": "W", "left": "N", "right": "S"}
SETTING = Setting(
    rules="1",
    options={},
    name="Twin Gates",
    symmetry="half-turn",
    rows=tuple(TWIN_GATES.split()),
    lanes=LANES,
    lane_of_blue=(2, 1, 0),
    directions={"red": WORDS, "blue": {"ahead": "W", "back": "E", "left": "S", "right": "N"}},
    towers=FACTS,
    guide=GUIDE,
)
TOWERS = """
red house 0,0 3; red house 1,0 7; red house 0,2 5; red house 0,3 9; red house 0,6 1
red crossbow 4,2 3; red cannon 3,3 5; red minigun 5,5 1; red crossbow 4,6 3; red cannon 6,6 3; red crossbow 6,8 2
blue crossbow 8,0 3; blue cannon 8,2 4; blue crossbow 10,2 1; blue house 14,2 5; blue cannon 10,3 5
blue minigun 11,5 4; blue crossbow 10,6 3; blue house 14,6 3; blue house 13,8 9; blue house 14,8 4
"""
FINALS = {
    "house": TowerFacts(10, 5, 0, 0),
    "crossbow": TowerFacts(8, 4, 5, 4),
    "cannon": TowerFacts(10, 5, 3, 5),
    "minigun": TowerFacts(20, 0, 3, 2),
    "church": TowerFacts(15, 10, 3, 0),
}
UNITS = """
mercenary red 6,3 20 waiting; mercenary red 7,3 13 fighting; mercenary red 3,7 20 fighting; mercenary red 2,2 20 moving
mercenary blue 7,4 6 fighting; mercenary blue 7,5 20 waiting; mercenary blue 11,1 13 fighting
mercenary blue 12,6 20 new; demon blue 10,1 31 fighting; demon red 4,7 24 fighting
"""


def entries(listed: str) -> list[list[str]]:
    return [entry.split() for line in listed.strip().splitlines() for entry in line.split(";")]


def tower(owner: str, kind: str, place: str, cooldown: str) -> Tower:
    x, y = map(int, place.split(","))
    return Tower(kind, owner, x, y, int(cooldown))


def unit(kind: str, side: str, place: str, health: str, state: str) -> Unit:
    x, y = map(int, place.split(","))
    return Unit(kind, side, x, y, int(health), 7, state)


MIDDLE = View(
    who="red",
    turn=437,
    turns=1000,
    step="sheet",
    bases={"red": Base(2, 4, 72, 86, {"N": 0, "E": 1, "S": 0}), "blue": Base(12, 4, 58, 41, {"N": 1, "S": 0, "W": 0})},
    towers=tuple(tower(*entry) for entry in entries(TOWERS)),
    units=tuple(unit(*entry) for entry in entries(UNITS)),
    portals=(Portal(7, 1, 3, 0, "red", 50, False), Portal(7, 7, 3, 0, "blue", 50, False)),
    prices={side: {kind: facts.price for kind, facts in FACTS.items()} for side in ("red", "blue")},
)
WON = Outcome("red", ("red", "blue"), {"red": 1.0, "blue": 0.0}, "base destroyed", "9.2")


def ring(columns: int, rows: int) -> Setting:
    """A map of any size: a straight lane, and from 9 rows on two more around it."""
    middle, last = rows // 2, columns - 1
    tiles = [["." for _ in range(columns)] for _ in range(rows)]
    edge = 2 if rows >= 9 else 0
    lanes = [[(x, middle) for x in range(edge + 1, last - edge)]]
    if edge:
        for step in (-1, 1):
            end = 1 if step < 0 else rows - 2
            side = range(middle + step, end, step)
            across = [(x, end) for x in range(edge, columns - edge)]
            lanes.append([*((edge, y) for y in side), *across, *((last - edge, y) for y in reversed(side))])
    for x in range(columns):
        for y in range(rows):
            near = y in (0, rows - 1, middle - 1, middle + 1) or x in (0, 1, last - 1, last)
            if near and abs(2 * x - last) > columns // 5:
                tiles[y][x] = "r" if 2 * x < last else "b"
    for lane in lanes:
        for x, y in lane:
            tiles[y][x] = "o"
    tiles[middle][edge], tiles[middle][last - edge] = "R", "B"
    rows_ = tuple("".join(row) for row in tiles)
    lanes_ = tuple(map(tuple, lanes))
    return Setting("1", {}, f"Ring {columns}", "mirror-x", rows_, lanes_, (0, 1, 2), {}, FACTS, guide=GUIDE)


def crowded(setting: Setting) -> View:
    """A view with a tower on every third tile and a unit on every second tile of the lanes."""
    kinds, states = list(setting.towers), ("moving", "fighting", "waiting", "new")
    towers, bases = [], {}
    for y, row in enumerate(setting.rows):
        for x, sign in enumerate(row):
            if sign in "rb" and (x + 2 * y) % 3 == 0:
                owner = "red" if sign == "r" else "blue"
                towers.append(Tower(kinds[(x + y) % len(kinds)], owner, x, y, 1 + (x * y) % 5))
            elif sign in "RB":
                bases["red" if sign == "R" else "blue"] = Base(x, y, 100, 20, {"N": 1, "E": 2, "S": 1, "W": 1})
    units = [
        Unit(("mercenary", "demon")[i % 2], ("red", "blue")[i // 2 % 2], *tile, 1 + 14 * i % 100, 7, states[i % 4])
        for lane in setting.lanes
        for i, tile in enumerate(lane[::2])
    ]
    portals = [Portal(*lane[len(lane) // 2], 10, 1, "blue", 90, True) for lane in setting.lanes]
    return View("spectator", 999, 1000, "sheet", bases, tuple(towers), tuple(units), tuple(portals), {})


START = replace(
    MIDDLE,
    turn=0,
    bases={"red": Base(2, 4, 100, 20, {"N": 0, "E": 0, "S": 0}), "blue": Base(12, 4, 100, 20, {})},
    towers=(Tower("house", "red", 0, 0, 10), Tower("house", "blue", 14, 8, 10)),
    units=(),
    portals=(Portal(7, 1, 0, 1, "red", 10, False), Portal(7, 7, 0, 1, "blue", 10, False)),
)
CHURCHES = replace(SETTING, rules="finals-2025", towers=FINALS, guide=FINALS_GUIDE)
LATE = replace(
    MIDDLE,
    who="spectator",
    turn=212,
    turns=300,
    bases={"red": Base(2, 4, 200, 186, {"N": 3, "E": 1, "S": 2}), "blue": Base(12, 4, 158, 41, {"W": 12})},
    towers=(*MIDDLE.towers, Tower("church", "red", 3, 2, 5), Tower("church", "blue", 13, 4, 1)),
    units=(
        Unit("mercenary", "red", 5, 3, 120, 27, "fighting"),
        Unit("mercenary", "blue", 7, 3, 20, 15, "fighting"),
        Unit("demon", "red", 7, 1, 115, 70, "moving"),
        Unit("demon", "blue", 12, 2, 9, 13, "fighting"),
    ),
    portals=(Portal(7, 1, 0, 2, "red", 95, True), Portal(7, 7, 10, 0, "blue", 95, True)),
)
ENDED = replace(MIDDLE, who="blue", outcome=WON)
SAMPLES = [(SETTING, START), (SETTING, MIDDLE), (CHURCHES, LATE), (SETTING, ENDED)]
SAMPLES += [(ring(columns, rows), crowded(ring(columns, rows))) for columns, rows in ((5, 3), (40, 30), (64, 64))]
SPACE = "{http://www.w3.org/2000/svg}"

each = pytest.mark.parametrize(
    ("setting", "view"), SAMPLES, ids=["start", "middle", "finals", "ended", "5x3", "40x30", "64x64"]
)


def drawings(setting: Setting, view: View) -> Iterator[str]:
    yield board(setting, view)
    yield board(setting, view, "dark", (view.towers[0].x, view.towers[0].y))
    yield page(setting, view, title="Long Winter")
    yield page(setting, view, "letter")


def lines(svg: str) -> list[tuple[float, float, float, str, bool]]:
    """Left end, baseline, size, words and weight of every text."""
    found = []
    for element in ElementTree.fromstring(svg).iter(f"{SPACE}text"):
        at, said = element.attrib, element.text or ""
        x, size, bold = float(at["x"]), float(at["font-size"]), "font-weight" in at
        wide = faces.width(said, size, bold=bold)
        x -= {"middle": wide / 2, "end": wide}.get(at.get("text-anchor", ""), 0.0)
        found.append((x, float(at["y"]), size, said, bold))
    return found


def words(svg: str) -> list[str]:
    return [said for *_, said, _ in lines(svg)]


def count(svg: str, glyph: str) -> int:
    """How often a silhouette is drawn."""
    return svg.count(f'd="{SILHOUETTES[glyph][0][0]}"')


@each
def test_pictures_are_plain_and_repeat(setting: Setting, view: View) -> None:
    assert list(drawings(setting, view)) == list(drawings(setting, view))
    for svg in drawings(setting, view):
        root = ElementTree.fromstring(svg)
        assert {element.tag.removeprefix(SPACE) for element in root.iter()} <= {
            "svg", "title", "rect", "path", "circle", "text",
        }  # fmt: skip
        assert not any({"style", "class", "id"} & set(element.attrib) for element in root.iter())
        assert "url(" not in svg
        assert "var(" not in svg
        assert "nan" not in svg
        assert root.attrib["role"] == "img"
        assert root.attrib["aria-label"] == describe(setting, view)


@each
def test_pages_are_black_and_white(setting: Setting, view: View) -> None:
    svg = page(setting, view)
    assert set(re.findall(r'(?:fill|stroke)="([^"]*)"', svg)) <= {"#000", "#fff", "none"}
    assert "opacity" not in svg


@each
@pytest.mark.parametrize(("paper", "wide", "high"), [("a4", 210, 297), ("letter", 215.9, 279.4)])
def test_nothing_leaves_the_page(setting: Setting, view: View, paper: str, wide: float, high: float) -> None:
    svg = page(setting, view, paper, "Long Winter")
    assert ElementTree.fromstring(svg).attrib["viewBox"] == f"0 0 {wide} {high}"
    for x, y, size, said, bold in lines(svg):
        assert x >= 8, said
        assert x + faces.width(said, size, bold=bold) <= wide - 8, said
        assert 8 < y < high - 8, said


@each
def test_nothing_leaves_the_board(setting: Setting, view: View) -> None:
    svg = board(setting, view, show_range=(view.towers[0].x, view.towers[0].y))
    root = ElementTree.fromstring(svg)
    wide, high = float(root.attrib["width"]), float(root.attrib["height"])
    for x, y, size, said, bold in lines(svg):
        assert 0 <= x < x + faces.width(said, size, bold=bold) <= wide, said
        assert 0 < y < high, said


@pytest.mark.parametrize(
    ("columns", "rows", "size"),
    [(5, 3, (800, 392)), (15, 9, (1280, 862)), (40, 30, (1248, 1016)), (64, 64, (1632, 1688)), (3, 40, (800, 1112))],
)
def test_sizes(columns: int, rows: int, size: tuple[int, int]) -> None:
    setting = ring(columns, rows) if columns > 3 else replace(SETTING, rows=("rob",) * rows, lanes=())
    view = crowded(setting) if columns > 3 else replace(START, portals=())
    assert struct.unpack(">II", png(board(setting, view))[16:24]) == size


def test_small_tiles_lose_the_bursts_and_keep_the_figures() -> None:
    for columns, rows, shown in ((15, 9, True), (40, 30, False), (64, 64, False)):
        setting = ring(columns, rows)
        view = crowded(setting)
        svg = board(setting, view)
        assert any(unit.state == "fighting" for unit in view.units)
        assert (count(svg, "burst") > 0) == shown
        figures = words(svg)
        assert all(str(unit.health) in figures for unit in view.units)


def test_every_kind_of_piece() -> None:
    svg = board(CHURCHES, LATE)
    for kind in FINALS:
        assert count(svg, kind) == sum(tower.kind == kind for tower in LATE.towers), kind
    assert count(svg, "keep") == 2
    assert count(svg, "helmet") == 2
    assert count(svg, "horns") == 2
    said = words(svg)
    assert {"200", "158", "120", "115", "20", "9"} <= set(said)  # health of bases and units
    assert {"3", "2", "12"} <= set(said)  # more than one mercenary queued
    assert {"0", "10"} <= set(said)  # portals, one of them under a demon
    for svg in (board(SETTING, MIDDLE), page(SETTING, MIDDLE)):
        assert {"72", "58", "31", "24", "13", "6"} <= set(words(svg))


def test_queued_mercenaries_are_outlines() -> None:
    none = replace(MIDDLE, bases={side: replace(base, queued={}) for side, base in MIDDLE.bases.items()})
    outline = f'fill="{LIGHT.surface}" stroke="{LIGHT.seats["red"].line}"'
    assert board(SETTING, MIDDLE).count(outline) == 1
    assert board(SETTING, none).count(outline) == 0


def test_cooldowns_fill_and_are_full_when_a_tower_acts() -> None:
    assert [progress(SETTING, Tower("crossbow", "red", 4, 2, left)) for left in (3, 2, 1)] == [(3, 1), (3, 2), (3, 3)]
    assert progress(SETTING, Tower("house", "red", 0, 0, 10)) == (10, 1)
    # In the finals a tower with cooldown c acts every c + 1 turns, when it has none left; a minigun always (11.5).
    assert [progress(CHURCHES, Tower("crossbow", "red", 4, 2, left)) for left in (4, 1, 0)] == [(5, 1), (5, 4), (5, 5)]
    assert progress(CHURCHES, Tower("minigun", "red", 4, 2, 0)) == (1, 1)

    def filled(cooldown: int) -> list[bool]:
        one = replace(START, towers=(Tower("cannon", "red", 3, 3, cooldown),))
        height = 'height="6.71"'
        bars = [part for part in board(SETTING, one).splitlines() if part.startswith("<rect") and height in part]
        return [f'fill="{LIGHT.ink}"' in part for part in bars]

    assert filled(5) == [True, False, False, False, False]
    assert filled(1) == [True] * 5


def test_portals_fill_their_ring() -> None:
    def drawn(part: float) -> list[str]:
        canvas = Canvas(100, 100)
        meters.ring(canvas, 50, 50, 10, part, "#000", 1)
        return re.findall(r'<circle| 0 [01] 1 [\d. ]+"', canvas.document("", ""))

    assert drawn(-0.1) == drawn(0) == []
    assert drawn(0.25) == [' 0 0 1 60 50"']
    assert drawn(0.75) == [' 0 1 1 40 50"']
    assert drawn(1) == ["<circle"]

    def figures(next_in: int) -> tuple[str, ...]:
        svg = board(SETTING, replace(START, portals=(Portal(7, 1, next_in, 0, "red", 10, False),)))
        return tuple(re.findall(r"A[\d.]+ [\d.]+ 0 ([01]) 1 ", svg))

    assert [figures(next_in) for next_in in (11, 10, 9, 3, 0)] == [(), (), ("0",), ("1",), ()]


def test_a_portal_under_a_unit_still_tells_its_turns() -> None:
    stood = replace(START, units=(Unit("demon", "red", 7, 1, 10, 7, "new"),))
    portals = (Portal(7, 1, 9, 0, "blue", 10, False), Portal(7, 7, 8, 0, "blue", 10, False))
    said = words(board(SETTING, replace(stood, portals=portals)))
    assert said.count("9") == 2  # a column has that number too
    assert said.count("8") == 3


def test_fights() -> None:
    def at(*units: Unit) -> list[tuple[Tile, Tile, bool]]:
        return fights(SETTING, replace(START, units=units))

    red = Unit("mercenary", "red", 5, 3, 20, 7, "fighting")
    blue = Unit("mercenary", "blue", 6, 3, 20, 7, "fighting")
    assert at(red, blue) == [((5, 3), (6, 3), False)]  # once for both
    assert at(red, replace(blue, x=7)) == [((5, 3), (6, 3), True)]  # across an empty tile (5.3)
    assert at(red) == [((5, 3), (6, 3), False)]  # the other one is dead
    assert at(replace(red, state="moving")) == []
    assert at(Unit("mercenary", "red", 10, 4, 20, 7, "fighting")) == [((10, 4), (11, 4), True)]  # the base (5.4)
    assert at(Unit("demon", "red", 4, 4, 20, 7, "fighting")) == [((4, 4), (3, 4), True)]
    assert at(Unit("demon", "blue", 12, 2, 20, 7, "fighting")) == [((12, 2), (12, 3), True)]
    assert at(replace(red, x=0, y=0)) == []  # not on a lane
    with_bases = replace(SETTING, lanes=tuple(((2, 4), *lane, (12, 4)) for lane in LANES))
    assert fights(with_bases, MIDDLE) == fights(SETTING, MIDDLE)
    assert len(fights(SETTING, MIDDLE)) == 3
    assert count(board(SETTING, MIDDLE), "burst") == 3


def test_range_is_counted_in_steps() -> None:
    tower = Tower("crossbow", "red", 0, 0, 1)
    around = [(x, y) for x in range(-9, 10) for y in range(-9, 10)]
    assert sum(covers(SETTING, tower, tile) for tile in around) == 41
    assert covers(SETTING, tower, (4, 0))
    assert not covers(SETTING, tower, (3, 2))


def test_range_of_the_finals() -> None:
    around = [(x, y) for x in range(-9, 10) for y in range(-9, 10) if (x, y) != (0, 0)]
    near, far = Tower("cannon", "red", 0, 0, 1), Tower("crossbow", "red", 0, 0, 1)
    assert sum(covers(CHURCHES, near, tile) for tile in around) == 26
    assert sum(covers(CHURCHES, far, tile) for tile in around) == 78
    for quirks, tiles in (("none", 28), ("Q1 Q2", 28), ("Q1 Q3", 26), ("all", 26)):
        setting = GAME.setting(GAME.read_position(f"map twin-gates; rules finals-2025; quirks {quirks}"))
        assert sum(covers(setting, near, tile) for tile in around) == tiles, quirks


def test_show_range() -> None:
    svg = board(SETTING, MIDDLE, show_range=(4, 2))
    assert svg.count("stroke-dasharray") == 1
    assert svg.count('fill-opacity="0.07"') == 1
    assert "Turn 437 of 1000. Red crossbow at 4,2." in words(svg)
    assert "Acts in 2 turns, 1 damage, range 4: covers 14 lane tiles, no target in range." in words(svg)
    near = board(SETTING, MIDDLE, show_range=(6, 6))
    assert "Acts in 2 turns, 3 damage, range 3: covers 10 lane tiles, 3 targets in range." in words(near)
    house = board(SETTING, MIDDLE, show_range=(0, 6))
    assert "Acts this turn." in words(house)
    church = board(CHURCHES, LATE, show_range=(3, 2))
    assert "Acts in 5 turns, range 3: covers 10 lane tiles." in words(church)
    assert "stroke-dasharray" not in board(SETTING, MIDDLE)
    with pytest.raises(PictureError, match="no tower at 5,2"):
        board(SETTING, MIDDLE, show_range=(5, 2))


def test_finals_towers_leave_demons_that_go_elsewhere() -> None:
    demons = (Unit("demon", "red", 7, 1, 9, 7, "moving"), Unit("demon", "blue", 8, 1, 9, 7, "moving"))
    told = {name: words(board(setting, replace(LATE, units=demons), show_range=(8, 0))) for name, setting in
            (("classic", replace(SETTING, towers=FINALS)), ("finals", CHURCHES))}  # fmt: skip
    assert any("2 targets in range" in said for said in told["classic"])
    assert any("1 target in range" in said for said in told["finals"])


def test_caption() -> None:
    said = words(board(SETTING, MIDDLE))
    assert {"Turn 437 of 1000.", "Twin Gates.", "Red", "base 72, gold 86", "Blue", "base 58, gold 41"} <= set(said)
    said = words(board(SETTING, replace(MIDDLE, step="mercenaries")))
    assert "Turn 437 of 1000, mercenaries." in said
    said = words(board(SETTING, ENDED))
    assert {"Over on turn 437.", "Red wins: base destroyed. Rule 9.2."} <= set(said)
    drawn = replace(ENDED, turn=1000, outcome=replace(WON, winner=None, reason="all is equal", rule="9.4"))
    said = words(board(SETTING, drawn))
    assert {"Over after 1000 turns.", "A draw: all is equal. Rule 9.4."} <= set(said)


def test_themes_differ_in_colour_only() -> None:
    light, dark = board(SETTING, MIDDLE), board(SETTING, MIDDLE, "dark")
    assert light != dark
    plain = re.compile(r"#[0-9A-Fa-f]{3,6}")
    assert plain.sub("", light) == plain.sub("", dark)


def test_page_says_the_state_in_words() -> None:
    said = words(page(SETTING, MIDDLE, title="Long Winter"))
    assert {"RED", "For the orders of turn 437", "Twin Gates. Position after turn 436.", "Long Winter"} <= set(said)
    assert {"72 health at 2,4", "86", "east", "House 5", "Crossbow 3", "Mercenary 4", "Portal 7,1"} <= set(said)
    assert "next wave in 3 turns, to red, 50 health" in said
    assert "4,7 with 24 health, fights" in said
    assert {"house", "crossbow", "cannon", "minigun"} <= set(said)
    assert "church" not in said
    assert "church" in words(page(CHURCHES, LATE))
    assert "Twin Gates. Starting position." in words(page(SETTING, START))
    said = words(page(SETTING, ENDED))
    assert {"BLUE", "After the end", "Red wins"} <= set(said)
    assert "Twin Gates, on turn 437: base destroyed. Rule 9.2." in said


def test_too_many_words_are_cut_where_one_can_see_it() -> None:
    setting = replace(ring(40, 30), rows=("r" * 40,) * 30)
    towers = tuple(Tower("cannon", "red", x, y, 5) for x in range(40) for y in range(30))
    view = replace(crowded(ring(40, 30)), towers=towers)
    svg = page(setting, view, "letter")
    assert sum(said.endswith("…") for said in words(svg)) >= 1
    assert max(y for _, y, *_ in lines(svg)) < 279.4 - 8
    assert sum(said.startswith("next wave in 10 turns") for said in words(svg)) == 3  # demons and portals keep a third


@pytest.mark.parametrize(
    "title", ["<script>alert(1)</script>", "A" * 10_000, "\x00\x1b[31m\u202e", '"><svg onload=x>', "冬" * 99]
)
def test_hostile_names(title: str) -> None:
    setting = replace(SETTING, name=title)
    plain = page(SETTING, MIDDLE)
    for svg in (page(SETTING, MIDDLE, title=title), page(setting, MIDDLE), board(setting, MIDDLE)):
        assert len(svg) < 2 * len(plain)
        assert "<script" not in svg
        assert not any(name.startswith("on") for one in ElementTree.fromstring(svg).iter() for name in one.attrib)
        assert len(png(svg)) > 1000
    assert len(pdf([page(setting, MIDDLE, title=title)], "a4")) > 1000
    assert "\x1b" not in text(setting, MIDDLE)
    assert all(len(line) <= 100 for line in text(setting, MIDDLE).splitlines())


def test_text_map() -> None:
    made = text(SETTING, MIDDLE)
    rows = made.splitlines()
    assert rows[0] == "Demons, Twin Gates. Turn 437 of 1000."
    assert rows[2:14] == [
        "                        1",
        "    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4",
        " 0  H H | |         x - - -",
        " 1  | | . . . . . O3. . d!m!. - -",
        " 2  H | M | X   - - c   x - . - h",
        " 3  H | . C   . M M!  - c   . - -",
        " 4  | | R . . .   m!  . . . b - -",
        " 5  | | .   | G   m . .   g . - -",
        " 6  H | . | X   C | |   x - m - h",
        " 7  | | . M!D!. . o3. . . . . - -",
        " 8        | | | X         - - h h",
        "",
    ]
    assert "  Base: 72 health at 2,4" in rows
    assert "  Gold: 86" in rows
    assert "  Queued: east" in rows
    assert "  House 5: 0,0 acts in 2; 1,0 in 6; 0,2 in 4; 0,3 in 8; 0,6 now" in rows
    assert "  To blue 1: 10,1 with 31 health, fights" in rows
    assert "  Portal 7,7: next wave in 3 turns, to blue, 50 health" in rows


@each
def test_text_fits_and_reads_the_same_in_colour(setting: Setting, view: View) -> None:
    made = text(setting, view)
    assert all(len(line) <= 100 for line in made.splitlines())
    assert "\x1b" not in made
    painted = text(setting, view, colour=True)
    assert "\x1b[1;31m" in painted
    assert re.sub(r"\x1b\[[\d;]*m", "", painted) == made


def test_text_of_the_finals() -> None:
    made = text(CHURCHES, LATE)
    assert "K church" in made
    assert "K church" not in text(SETTING, MIDDLE)
    assert "  Queued: north 3, east, south 2" in made
    assert "  Mercenary 1: 5,3 with 120 health and 27 damage, fights" in made
    assert "  Portal 7,1: next wave this turn, always to red, 95 health, 2 waiting" in made
    assert " 7  | | . . . . . o+. . . . . - -" in made


def test_wide_maps_have_one_sign_a_tile() -> None:
    setting = ring(64, 64)
    rows = text(setting, crowded(setting)).splitlines()
    assert rows[3] == "    " + "0123456789" * 6 + "0123"
    assert len(rows[4]) == 68


def test_alternative_text_says_the_position() -> None:
    said = describe(SETTING, MIDDLE)
    assert said.startswith("Demons, Twin Gates. Turn 437 of 1000. Red. Base: 72 health at 2,4. Gold: 86. Queued: east.")
    assert "Minigun 1: 11,5 acts in 3." in said
    assert "Portal 7,1: next wave in 3 turns, to red, 50 health." in said
    assert ElementTree.fromstring(board(SETTING, ENDED)).findtext(f"{SPACE}title") == (
        "Demons, Twin Gates. Over on turn 437. Red wins: base destroyed. Rule 9.2."
    )


def test_page_becomes_one_sheet_and_one_image() -> None:
    for paper, size in (("a4", [595.28, 841.89]), ("letter", [612.0, 792.0])):
        made = pdf([page(SETTING, MIDDLE, paper)], paper)
        boxes = re.findall(rb"/MediaBox ?\[([^\]]*)\]", made)
        assert [[float(value) for value in box.split()[2:]] for box in boxes] == [pytest.approx(size, abs=0.01)]
    assert struct.unpack(">II", png(page(SETTING, MIDDLE), 1240)[16:24]) == (1240, 1754)


def test_unknown_paper_and_theme() -> None:
    with pytest.raises(PictureError, match="a4, letter"):
        page(SETTING, MIDDLE, "a3")
    with pytest.raises(PictureError, match="light, dark"):
        board(SETTING, MIDDLE, "pink")


def test_coordinates_that_would_touch_are_thinned_out() -> None:
    for side, shown in ((40.0, 24), (8.0, 6)):
        canvas = Canvas(500, 500)
        Squares(12, 12, side, (20, 20)).coordinates(canvas, 9, "#000")
        assert len(words(canvas.document("", ""))) == shown


def test_outlines_of_tiles() -> None:
    assert rims([(0, 0), (1, 0)]) == [[(0, 0), (2, 0), (2, 1), (0, 1)]]
    corners = rims([(0, 0), (1, 1)])  # tiles that meet by a corner are two
    assert corners == [[(0, 0), (1, 0), (1, 1), (0, 1)], [(1, 1), (2, 1), (2, 2), (1, 2)]]
    hollow = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    outer, hole = rims(hollow)
    assert outer == [(0, 0), (3, 0), (3, 3), (0, 3)]
    assert hole == [(1, 1), (1, 2), (2, 2), (2, 1)]
    assert rims([]) == []
    assert len(list(seams(hollow))) == 8
    assert Squares(3, 3, 10, (5, 5)).middle((1, 2)) == (20, 30)
