"""The pictures of Monad: every stack and building, every size of board, the same state in words."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from math import hypot
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from polemos.games.monad.draw import board, describe, page, text
from polemos.games.monad.draw.facts import block, far, holding, pips, radius, short, step
from polemos.games.monad.draw.plain import small
from polemos.games.monad.view import Building, Ore, Setting, Stack, View
from polemos.kernel.outcome import Outcome
from polemos.pictures import faces, meters, seats
from polemos.pictures.convert import PictureError, pdf, png
from polemos.pictures.glyphs import SILHOUETTES
from polemos.pictures.svg import Canvas
from polemos.pictures.tokens import DARK, LIGHT, Theme

SEATS = ("red", "blue", "green", "yellow")
DIRECTIONS = ("right", "down", "left", "up")
SPACE = "{http://www.w3.org/2000/svg}"
MAX = 2**31 - 1


def setting(columns: int = 8, rows: int = 8, players: int = 2, blocked: tuple[tuple[int, int], ...] = ()) -> Setting:
    """A map whose ore grows by one from tile to tile, from 0 to 50 and anew."""
    ore = tuple(tuple(-1 if (x, y) in blocked else (x + y * columns) % 51 for x in range(columns)) for y in range(rows))
    corners = ((1, 1), (columns - 2, rows - 2), (1, rows - 2), (columns - 2, 1))
    starts = dict(zip(SEATS[:players], corners, strict=False))
    return Setting(
        name="Quarry", symmetry="none", rated=players != 3, width=columns, height=rows, seats=SEATS[:players],
        starts=starts, ore=ore, turns=2000, slots=5, base=0, unit_cost=5, cost=100, defence=10, units=1, stock=100,
    )  # fmt: skip


def view(of: Setting, stacks: tuple[Stack, ...] = (), buildings: tuple[Building, ...] = (), **more: object) -> View:
    units = {seat: sum(one.units for one in stacks if one.owner == seat) for seat in of.seats}
    made = View("red", 612, of.turns, stacks, buildings, (), dict.fromkeys(of.seats, 143), units)
    return replace(made, **more)


def crowded(of: Setting, units: int = 0) -> View:
    """A building on every fifth tile of every fourth row, and units nearly everywhere; blocked tiles are passed by."""
    free = {(x, y) for y, row in enumerate(of.ore) for x, ore in enumerate(row) if ore >= 0}
    buildings, cores = [], {}
    for y in range(1, of.height - 1, 4):
        for x in range(1, of.width - 1, 5):
            owner, direction = of.seats[(x + y) % len(of.seats)], DIRECTIONS[(x * y) % 4]
            one = Building(x, y, owner, direction, (x + y) % 5)
            if free.issuperset(block(one)):
                buildings.append(one)
                cores[x, y] = owner
    stacks = []
    for x, y in sorted(free, key=lambda tile: (tile[1], tile[0])):
        if (x + 3 * y) % 4:
            owner = cores.get((x, y), of.seats[(x // 3 + y // 2) % len(of.seats)])
            stacks.append(Stack(x, y, owner, units or 1 + (x * 37 + y * 101) % 700))
    return view(of, tuple(stacks), tuple(buildings))


S8 = setting(blocked=((3, 4), (4, 4)))
V8 = view(
    S8,
    (Stack(1, 1, "red", 118), Stack(2, 2, "red", 7), Stack(5, 1, "blue", 1), Stack(6, 6, "blue", 34)),
    (Building(1, 1, "red", "right", 3), Building(6, 6, "blue", "left", 0)),
    ore=(Ore(0, 0, 24), Ore(7, 7, 0)),
)
WON = Outcome("red", ("red", "blue"), {"red": 1.0, "blue": 0.0}, "only owner of buildings", "9.1")
SAMPLES = {
    "8x8": (S8, V8),
    "start": (S8, view(S8, (Stack(1, 1, "red", 1), Stack(6, 6, "blue", 1)), turn=1, who="spectator")),
    "ended": (S8, replace(V8, outcome=WON, who="blue")),
    "20x20": (setting(20, 20, 4), crowded(setting(20, 20, 4))),
    "huge": (setting(20, 20, 4), crowded(setting(20, 20, 4), MAX)),
    "40x12": (setting(40, 12, 3, ((9, 9),)), crowded(setting(40, 12, 3, ((9, 9),)))),
    "8x64": (setting(8, 64), crowded(setting(8, 64))),
    "64x64": (setting(64, 64, 4, ((20, 20),)), crowded(setting(64, 64, 4, ((20, 20),)))),
}
each = pytest.mark.parametrize(("where", "seen"), SAMPLES.values(), ids=list(SAMPLES))


def drawings(where: Setting, seen: View) -> Iterator[str]:
    yield board(where, seen)
    yield board(where, seen, "dark", "figures", (1, 1))
    yield page(where, seen, title="Long Winter")
    yield page(where, seen, "letter")


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


def figures(svg: str, theme: Theme = LIGHT) -> list[str]:
    """What stands on the pieces: bold and centred, in the colour of a seat's figures."""
    on = {tones.on for tones in theme.seats.values()}
    return [
        element.text or ""
        for element in ElementTree.fromstring(svg).iter(f"{SPACE}text")
        if element.get("fill") in on and element.get("text-anchor") == "middle" and "font-weight" in element.attrib
    ]


def pieces(svg: str, seat: str, theme: Theme = LIGHT) -> int:
    """How many pieces a seat has in a picture, that of the caption left out."""
    tones = theme.seats[seat]
    return svg.count(f'fill="{tones.piece}" stroke="{tones.rim}"') - 1


def blocks_of(svg: str, seat: str) -> int:
    """How many buildings a seat has in a picture: blocks of its tint."""
    return len(re.findall(rf'<rect [^>]*fill="{LIGHT.seats[seat].tint}"', svg))


def hammers(svg: str) -> int:
    return svg.count(f'd="{SILHOUETTES["hammer"][0][0]}"')


# ---- every picture


@each
def test_pictures_are_plain_and_repeat(where: Setting, seen: View) -> None:
    assert list(drawings(where, seen)) == list(drawings(where, seen))
    for svg in drawings(where, seen):
        root = ElementTree.fromstring(svg)
        assert {element.tag.removeprefix(SPACE) for element in root.iter()} <= {
            "svg", "title", "rect", "path", "circle", "text",
        }  # fmt: skip
        assert not any({"style", "class", "id"} & set(element.attrib) for element in root.iter())
        assert "url(" not in svg
        assert "var(" not in svg
        assert not re.search(r'"[^"]*\b(nan|inf)\b', svg)
        assert root.attrib["role"] == "img"
        assert root.attrib["aria-label"] == describe(where, seen)


@each
def test_pages_are_black_and_white(where: Setting, seen: View) -> None:
    svg = page(where, seen)
    assert set(re.findall(r'(?:fill|stroke)="([^"]*)"', svg)) == {"#000", "#fff", "none"}
    assert "opacity" not in svg


@each
@pytest.mark.parametrize(("paper", "wide", "high"), [("a4", 210, 297), ("letter", 215.9, 279.4)])
def test_nothing_leaves_the_page(where: Setting, seen: View, paper: str, wide: float, high: float) -> None:
    svg = page(where, seen, paper, "Long Winter")
    assert ElementTree.fromstring(svg).attrib["viewBox"] == f"0 0 {wide} {high}"
    for x, y, size, said, bold in lines(svg):
        assert x >= 8, said
        assert x + faces.width(said, size, bold=bold) <= wide - 8, said
        assert 8 < y < high - 8, said


@each
def test_nothing_leaves_the_board(where: Setting, seen: View) -> None:
    svg = board(where, seen, ore="figures", inspect=(where.width - 1, where.height - 1))
    root = ElementTree.fromstring(svg)
    wide, high = float(root.attrib["width"]), float(root.attrib["height"])
    for x, y, size, said, bold in lines(svg):
        assert 0 <= x <= x + faces.width(said, size, bold=bold) <= wide, said
        assert 0 < y < high, said


@each
def test_every_stack_and_building_is_drawn(where: Setting, seen: View) -> None:
    svg = board(where, seen)
    for seat in where.seats:
        has = holding(seen, seat)
        assert pieces(svg, seat) == has.tiles, seat
        assert blocks_of(svg, seat) == has.buildings, seat
    if max(where.width, where.height) <= 40:
        assert sorted(figures(svg)) == sorted(short(stack.units) for stack in seen.stacks)


def test_a_missing_stack_or_building_is_missed() -> None:
    fewer = replace(V8, stacks=V8.stacks[1:], buildings=V8.buildings[:1])
    svg = board(S8, fewer)
    assert pieces(svg, "red") == 1
    assert blocks_of(svg, "blue") == 0
    assert "118" not in figures(svg)


# ---- numbers and sizes


@pytest.mark.parametrize(
    ("units", "said"),
    [
        (1, "1"), (99, "99"), (999, "999"), (1000, "1.0k"), (1234, "1.2k"), (9999, "9.9k"), (10_000, "10k"),
        (34_567, "34k"), (999_999, "999k"), (1_000_000, "1.0m"), (1_290_000, "1.2m"), (999_999_999, "999m"),
        (10**9, "1.0g"), (MAX, "2.1g"), (10**12, "1.0t"), (10**30, "999t"),
    ],
)  # fmt: skip
def test_counts_in_four_signs(units: int, said: str) -> None:
    assert short(units) == said
    assert len(said) <= 4
    assert figures(board(S8, view(S8, (Stack(4, 2, "red", units),)))) == [said]


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("units", [1, 8, 10, 88, 100, 888, 1000, 8888, 88_888, 888_888, 888_888_888, MAX])
def test_figures_stay_on_their_piece(seat: str, units: int) -> None:
    """The box of the figures lies within the outline of the piece, on a tile of 80 pixels with its corner at 48."""
    where = replace(setting(8, 8, 4), ore=((0,) * 8,) * 8)
    svg = board(where, view(where, (Stack(0, 0, seat, units),)))
    ((x, base, size, said, _),) = [line for line in lines(svg) if line[3] == short(units) and line[4]]
    r = 80 * radius(units)
    left = (800 - 640) / 2
    shape = seats.SHAPES[seat]
    outline = seats.flat(shape, left + 40, seats.middle(shape, 48 + 40, r), r)
    assert radius(units) * 1.2 < 0.51  # diamonds and triangles stay in their tile
    wide, high = faces.width(said, size, bold=True), size * faces.CAPITALS
    for px, py in ((x, base), (x + wide, base), (x, base - high), (x + wide, base - high)):
        for i, (bx, by) in enumerate(outline):  # clockwise, so that inside is to the right
            ax, ay = outline[i - 1]
            way = hypot(bx - ax, by - ay)
            assert (bx - ax) * (py - ay) - (by - ay) * (px - ax) >= 0.4 * way, (seat, said)


def test_three_figures_have_the_size_of_the_look() -> None:
    (size,) = [size for _, _, size, said, _ in lines(board(S8, V8)) if said == "118"]
    assert size == pytest.approx(0.31 * 80)


def test_larger_stacks_have_larger_pieces() -> None:
    assert radius(1) == pytest.approx(0.27)
    assert radius(100) == pytest.approx(0.37)
    for figured in (True, False):
        sizes = [radius(units, figured) for units in (1, 10, 100, 1000)]
        assert sizes == sorted(set(sizes))
        assert radius(MAX, figured) == radius(10**5, figured) < 0.45
    # Where no figure tells the strength, sizes do.
    assert radius(1000, False) - radius(1, False) > radius(1000) - radius(1)


@pytest.mark.parametrize(
    ("columns", "rows", "size"),
    [(8, 8, (800, 840)), (20, 20, (960, 1064)), (40, 40, (1216, 1320)), (64, 64, (1376, 1480)), (64, 8, (1376, 360))],
)
def test_sizes(columns: int, rows: int, size: tuple[int, int]) -> None:
    where = setting(columns, rows)
    assert struct.unpack(">II", png(board(where, view(where)))[16:24]) == size


@pytest.mark.parametrize(("columns", "rows", "shown"), [(40, 40, True), (41, 12, False), (12, 41, False)])
def test_large_boards_have_neither_figures_nor_hatching(columns: int, rows: int, shown: bool) -> None:
    where = setting(columns, rows, 4, ((0, 0),))
    seen = crowded(where)
    for theme in (LIGHT, DARK):
        svg = board(where, seen, theme.name, "figures")
        assert bool(figures(svg, theme)) == shown
        assert (hammers(svg) > 0) == shown
        for seat in where.seats:
            assert (f'stroke="{theme.seats[seat].hatch}"' in svg) == shown
        assert (svg.count("<circle") > 0) == shown  # pips
        # Without figures the shade tells the ore.
        assert (f'fill="{theme.ore[4]}"' in svg) != shown
    said = [int(word) for word in words(board(where, seen)) if word.isdigit()]
    if not shown:
        assert max(said) < max(columns, rows)  # coordinates only


def test_large_boards_tell_owners_by_shape() -> None:
    where = setting(64, 64, 4)
    seen = view(where, (), tuple(Building(4 * i, 9, seat, "right", 2) for i, seat in enumerate(SEATS)))
    svg = board(where, seen)
    for seat in SEATS:
        tones = LIGHT.seats[seat]
        assert len(re.findall(rf'<path [^>]*fill="{tones.tint}" stroke="{tones.line}"', svg)) == 1


# ---- ground


def test_ore_has_five_steps() -> None:
    assert [step(ore) for ore in (0, 9, 10, 19, 20, 29, 30, 39, 40, 50, 51, 9999)] == [
        0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4,
    ]  # fmt: skip
    for theme in (LIGHT, DARK):
        svg = board(S8, V8, theme.name)
        assert all(svg.count(f'fill="{tone}"') == 1 for tone in theme.ore)  # all tiles of a step are one path


def test_mined_tiles_are_paler() -> None:
    rich = replace(S8, ore=((45,) * 8,) * 8)
    full, mined = board(rich, view(rich)), board(rich, view(rich, ore=(Ore(3, 3, 4),)))
    assert f'fill="{LIGHT.ore[0]}"' not in full
    assert f'<path d="M320 288L400 288L400 368L320 368z" fill="{LIGHT.ore[0]}"/>' in mined


def test_ore_can_be_left_out_or_written() -> None:
    where = replace(S8, starts={}, ore=((45, 7, 1234, *(0,) * 5), *((0,) * 8,) * 7))
    seen = view(where, ore=(Ore(1, 0, 3),))
    off, written = board(where, seen, ore="off"), board(where, seen, ore="figures")
    for svg in (off, written):
        assert f'fill="{LIGHT.ore[4]}"' not in svg
        assert f'fill="{LIGHT.ore[0]}"' in svg
    assert "45" in words(written)
    assert "1.2k" in words(written)
    assert words(written).count("3") == words(off).count("3") + 1  # what is left, not what was
    assert words(written).count("0") == words(off).count("0") == 2  # coordinates: no ore, no figure
    assert "45" not in words(off)
    with pytest.raises(PictureError, match="shade, off, figures"):
        board(where, seen, ore="loud")


def test_ore_is_written_beside_what_stands_on_it() -> None:
    where = replace(S8, ore=((37,) * 8,) * 8)
    svg = board(where, view(where, (Stack(4, 4, "red", 5),), (Building(5, 5, "red", "right", 0),)), ore="figures")
    at = {(round(x), round(y)): size for x, y, size, said, _ in lines(svg) if said == "37"}
    assert len(at) == 64
    x, y = 80 + 4 * 80, 48 + 4 * 80
    ((place, size),) = [
        (place, size) for place, size in at.items() if x <= place[0] < x + 80 and y <= place[1] < y + 80
    ]
    r = 80 * radius(5) * 0.86
    assert place[1] <= y + 40 - r + 1  # above the piece
    assert size < max(at.values())


def test_blocked_tiles_are_crossed_and_nobodys() -> None:
    free = replace(S8, ore=tuple(tuple(max(0, ore) for ore in row) for row in S8.ore))
    for theme in (LIGHT, DARK):
        plain, barred = board(free, V8, theme.name), board(S8, V8, theme.name)
        crossed = f'stroke="{theme.line_strong}"'
        around = re.compile(rf'<path d="M320 368L480 368L480 448L320 448z" fill="{theme.sunken}"/>')
        assert len(around.findall(barred)) == 1
        assert len(around.findall(plain)) == 0
        assert barred.count("<path") - plain.count("<path") == 2
        assert barred.count(crossed) == plain.count(crossed) + 1
    large = setting(64, 64, 2, ((5, 5),))
    assert f'fill="{LIGHT.ink_3}"/>' in board(large, view(large))


def test_coordinates_stand_outside() -> None:
    said = [(x, y, word) for x, y, size, word, _ in lines(board(S8, view(S8))) if size == 14.0]
    assert sorted(word for *_, word in said) == sorted([*map(str, range(8))] * 2)
    assert all(x < 80 or y < 48 for x, y, _ in said)


def test_starts_are_marked_by_shape_and_line() -> None:
    def marks(where: Setting) -> dict[str, int]:
        svg = board(where, view(where))
        return {seat: svg.count(f'fill="none" stroke="{LIGHT.seats[seat].line}"') for seat in SEATS}

    where = setting(8, 8, 3)
    assert marks(where) == {"red": 1, "blue": 1, "green": 1, "yellow": 0}
    assert marks(replace(where, starts={})) == dict.fromkeys(SEATS, 0)


# ---- buildings


def test_blocks_by_direction() -> None:
    at = {way: block(Building(4, 4, "red", way, 0)) for way in DIRECTIONS}
    assert at["right"] == ((4, 4), (5, 4), (4, 5), (5, 5))
    assert at["down"] == ((3, 4), (4, 4), (3, 5), (4, 5))
    assert at["left"] == ((3, 3), (4, 3), (3, 4), (4, 4))
    assert at["up"] == ((4, 3), (5, 3), (4, 4), (5, 4))
    for way in DIRECTIONS:
        (fx, fy) = far(Building(4, 4, "red", way, 0))
        assert (abs(fx - 4), abs(fy - 4)) == (1, 1)


@pytest.mark.parametrize("way", DIRECTIONS)
def test_the_core_is_bare_and_the_hammer_is_across(way: str) -> None:
    one = Building(4, 4, "blue", way, 0)
    svg = board(S8, view(S8, (), (one,)))
    tones = LIGHT.seats["blue"]
    number = r'="([\d.]+)"'
    (core,) = re.findall(
        rf'<rect x{number} y{number} width{number} [^>]*fill="{LIGHT.surface}" stroke="{tones.line}"', svg
    )
    x, y, side = map(float, core)
    assert [int((x - 80) / 80), int((y - 48) / 80)] == [4, 4]
    left, top = block(one)[0]
    assert 80 + 80 * left + 4.8 < x < x + side < 80 + 80 * (left + 2) - 4.8  # clear of the border
    assert 48 + 80 * top + 4.8 < y < y + side < 48 + 80 * (top + 2) - 4.8
    (hammer,) = set(re.findall(r'transform="translate\(([\d.]+) ([\d.]+)\)', svg))
    assert (int((float(hammer[0]) - 80) / 80), int((float(hammer[1]) - 48) / 80)) == far(one)
    assert f'stroke="{tones.hatch}"' in svg
    # A stack on the hammer's tile takes its place.
    assert hammers(board(S8, view(S8, (Stack(*far(one), "red", 3),), (one,)))) == 0


def test_points_are_pips() -> None:
    def filled(points: int, cost: int = 5) -> list[bool]:
        where = replace(S8, unit_cost=cost, seats=("red",))
        svg = board(where, view(where, (), (Building(2, 2, "red", "right", points),)))
        return [f'fill="{LIGHT.ink}"' in part for part in svg.splitlines() if part.startswith("<circle")]

    assert filled(0) == []
    assert filled(3) == [True, True, True, False, False]
    assert filled(4) == [True, True, True, True, False]
    assert filled(10, 20) == [True, True, False, False, False]
    assert sum(filled(1, 1000)) == 1
    assert sum(filled(999, 1000)) == 4
    assert [pips(points, 2) for points in (0, 1)] == [0, 2]


def test_pips_are_a_row() -> None:
    canvas = Canvas(100, 100)
    meters.pips(canvas, 50, 20, 2, 3, 1, LIGHT, line=1)
    assert re.findall(r'cx="([\d.]+)" cy="20" r="2" fill="([^"]+)"', canvas.document("", "")) == [
        ("44.4", LIGHT.ink), ("50", LIGHT.surface), ("55.6", LIGHT.surface),
    ]  # fmt: skip


# ---- selection, caption, themes


def test_inspect() -> None:
    plain, framed = board(S8, V8), board(S8, V8, inspect=(1, 1))
    frame = f'<rect x="160" y="128" width="80" height="80" rx="2.4" fill="none" stroke="{LIGHT.ink}"'
    assert frame in framed
    assert frame not in plain
    said = words(framed)
    assert "Turn 612 of 2000. Tile 1,1." in said
    assert "Red has 118 units here. Core of a building of Red, 3 of 5 points. 9 of 9 ore left." in said
    assert "Red has 7 units here. Part of the building of Red at 1,1. 18 of 18 ore left." in words(
        board(S8, V8, inspect=(2, 2))
    )
    assert "24 of 0 ore left." in words(board(S8, V8, inspect=(0, 0)))
    assert "Blocked." in words(board(S8, V8, inspect=(3, 4)))
    for tile in ((8, 0), (0, 8), (-1, 3)):
        with pytest.raises(PictureError, match=f"no tile {tile[0]},{tile[1]} on a map of 8 by 8"):
            board(S8, V8, inspect=tile)


def test_caption() -> None:
    said = words(board(S8, V8))
    assert {"Turn 612 of 2000.", "Quarry.", "Red", "125 units on 2 tiles", "1 building, stock 143"} <= set(said)
    assert {"Blue", "35 units on 2 tiles"} <= set(said)
    said = words(board(S8, replace(V8, outcome=WON)))
    assert {"Over after turn 611.", "Red wins: only owner of buildings. Rule 9.1."} <= set(said)
    drawn = replace(WON, winner=None, reason="most units", rule="9.3")
    assert "A draw: most units. Rule 9.3." in words(board(S8, replace(V8, outcome=drawn)))
    alone = words(board(S8, replace(V8, alone=("red", 4))))
    assert "Only Red has units, at 4 of 10 turn ends." in alone
    ended = words(board(S8, replace(V8, out={"blue": 9}, forfeited={"red": 500})))
    assert {"out on turn 9", "forfeited on turn 500"} <= set(ended)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_players_are_named_behind_their_shape(players: int) -> None:
    where = setting(12, 9, players)
    for svg in (board(where, view(where)), page(where, view(where))):
        named = [seat for seat in SEATS if seat.capitalize() in words(svg)]
        assert named == list(SEATS[:players])
    for seat in SEATS:
        assert pieces(board(where, view(where)), seat) + 1 == (seat in where.seats)


def test_themes_differ_in_colour_only() -> None:
    light, dark = board(S8, V8), board(S8, V8, "dark")
    assert light != dark
    plain = re.compile(r"#[0-9A-Fa-f]{3,6}")
    assert plain.sub("", light) == plain.sub("", dark)
    with pytest.raises(PictureError, match="light, dark"):
        board(S8, V8, "pink")


# ---- the page


def test_page_says_the_state() -> None:
    said = words(page(S8, V8, title="Long Winter"))
    assert {"RED", "For the orders of turn 612", "Quarry. Position after turn 611.", "Long Winter"} <= set(said)
    assert {"118", "7", "1", "34"} <= set(said)
    assert {"125", "143", "118 at 1,1; 7 at 2,2", "blocked", "points of work", "start"} <= set(said)
    assert "Quarry. Starting position." in words(page(*SAMPLES["start"]))
    assert "SPECTATOR" in words(page(*SAMPLES["start"]))
    said = words(page(*SAMPLES["ended"]))
    assert {"BLUE", "After the end", "Red wins", "Quarry: only owner of buildings. Rule 9.1."} <= set(said)
    assert "Out on turn 9" in words(page(S8, replace(V8, out={"blue": 9})))
    open_map = setting()
    assert "blocked" not in words(page(open_map, view(open_map)))
    with pytest.raises(PictureError, match="a4, letter"):
        page(S8, V8, "a3")


def test_ore_on_the_page_goes_when_tiles_are_small() -> None:
    for columns, shown in ((20, True), (30, False)):
        where = replace(setting(columns, 8), ore=((4444,) * columns,) * 8)
        said = words(page(where, view(where)))
        assert ("4.4k" in said) == shown
        assert ("ore left, blank: none" in said) == shown


def test_counts_on_the_page_go_above_forty() -> None:
    for columns, shown in ((40, True), (41, False)):
        where = setting(columns, 8)
        said = words(page(where, view(where, (Stack(0, 0, "red", 777),))))
        assert said.count("777") == 1 + shown  # among the units of the player, and on the piece
        assert "777 at 0,0" in said


def test_nothing_on_the_page_looks_like_a_stack_but_stacks() -> None:
    """Outlines of the size of pieces are dashed at the starts, and otherwise pieces."""
    where = setting(64, 64)
    shape = re.compile(r'<path d="[^"]*[Qa][^>]*>')
    plain = shape.findall(page(where, view(where)))
    assert len([line for line in plain if "dasharray" in line]) == 2 + 1  # the starts and the key
    assert shape.findall(page(where, view(where, (), (Building(5, 5, "red", "right", 0),)))) == plain
    assert len(shape.findall(page(where, view(where, (Stack(5, 5, "red", 1),))))) == len(plain) + 2  # with its halo


@pytest.mark.parametrize("side", [20, 64])
def test_owners_on_the_page_are_told_by_hatching(side: int) -> None:
    where = setting(side, side, 4)
    drawn = {
        seat: page(where, view(where, (), (Building(5, 5, seat, "right", 0),))) for seat in SEATS
    }  # the same block, owned by each in turn
    bare = page(where, view(where))
    assert len(set(drawn.values())) == 4
    hatched = {seat: set(svg.splitlines()) - set(bare.splitlines()) for seat, svg in drawn.items()}
    own = [
        {line for line in hatched[seat] if line.startswith("<path") and re.search(r'stroke-width="0\.(16|35)"', line)}
        for seat in SEATS
    ]
    for i, one in enumerate(own):
        assert one
        assert all(not one & other for other in own[i + 1 :])


def test_page_becomes_one_sheet_and_one_image() -> None:
    for paper, size in (("a4", [595.28, 841.89]), ("letter", [612.0, 792.0])):
        made = pdf([page(S8, V8, paper)], paper)
        boxes = re.findall(rb"/MediaBox ?\[([^\]]*)\]", made)
        assert [[float(value) for value in box.split()[2:]] for box in boxes] == [pytest.approx(size, abs=0.01)]
    assert struct.unpack(">II", png(page(S8, V8), 1240)[16:24]) == (1240, 1754)


@pytest.mark.parametrize(
    "title", ["<script>alert(1)</script>", "A" * 10_000, "\x00\x1b[31m\u202e", '"><svg onload=x>', "冬" * 99]
)
def test_hostile_names(title: str) -> None:
    where = replace(S8, name=title)
    plain = page(S8, V8)
    for svg in (page(S8, V8, title=title), page(where, V8), board(where, V8)):
        assert len(svg) < 2 * len(plain)
        assert "<script" not in svg
        assert not any(name.startswith("on") for one in ElementTree.fromstring(svg).iter() for name in one.attrib)
        assert len(png(svg)) > 1000
    assert "\x1b" not in text(where, V8)
    assert all(len(line) <= 100 for line in text(where, V8).splitlines())


# ---- the terminal


def rows(made: str) -> list[str]:
    """The lines of the board, its axis included, without the ore below units."""
    lines = whole(made)
    first = next(number for number, line in enumerate(lines) if line.startswith(" 0  "))
    return [line for number, line in enumerate(lines) if number < first or line[:4].strip()]


def whole(made: str) -> list[str]:
    return made.split("\n\n")[1].split("\n")


def test_text_board() -> None:
    made = text(S8, V8)
    assert made.splitlines()[0] == "Monad, Quarry. Turn 612 of 2000."
    assert whole(made) == [
        "     0    1    2    3    4    5    6    7   ",
        " 0    24    1    2    3    4    5    6    7 ",
        " 1     8 @R118+r 10  11   12  B1    14   15 ",
        "           (9)                (13)          ",
        " 2    16 +r 17+R7    19   20   21   22   23 ",
        "               (18)                         ",
        " 3    24   25   26   27   28   29   30   31 ",
        " 4    32   33   34  #### ####  37   38   39 ",
        " 5    40   41   42   43   44 +b 45+b 46  47 ",
        " 6    48   49   50    .    1 +b  2@B34    4 ",
        "                                    (3)     ",
        " 7     5    6    7    8    9   10   11    . ",
    ]
    assert "R Red     125      2          1    143" in made
    assert "B Blue     35      2          1    143" in made
    assert "  Red: 1,1 right 3 points" in made
    assert "  Blue: 6,6 left\n" in made


def test_text_of_wide_boards_is_narrow() -> None:
    where = setting(31, 8, 2, ((30, 0),))
    stacks = [Stack(x, 2, "blue", units) for x, units in enumerate((9, 10, 99, 100, 999, 1000, MAX))]
    stacks.append(Stack(10, 4, "red", 5))
    seen = view(where, tuple(stacks), (Building(10, 4, "red", "right", 1), Building(14, 4, "blue", "up", 0)))
    shown = rows(text(where, seen))
    assert shown[0] == "    0" + " " * 19 + "1" + " " * 19 + "2" + " " * 19 + "3 "
    assert shown[1] == "    " + "0 1 2 3 4 5 6 7 8 9 " * 3 + "0 "
    assert shown[2].endswith(" 2##")
    assert shown[4].startswith(" 2  B9BxBxBcBcBmBm")
    below = whole(text(where, seen))
    assert below[below.index(shown[4]) + 1].startswith("     1 1 1 1 1 1 1  ")
    assert shown[6][4 + 20 : 4 + 32] == "r5+r" + shown[6][28:32] + "@b+b"
    assert shown[7][4 + 20 : 4 + 24] == "+r+r"
    assert len(rows(text(setting(30, 8), view(setting(30, 8))))[0]) == 4 + 30 * 5


@each
def test_text_is_even_and_reads_the_same_in_colour(where: Setting, seen: View) -> None:
    made = text(where, seen)
    wide = where.width > 30
    shown = rows(made)
    assert {len(line) for line in whole(made)} == {4 + where.width * (2 if wide else 5)}
    assert len(shown) == where.height + (2 if wide else 1)
    below = made.split("\n\n", 2)[2]
    assert all(len(line) <= 100 for line in below.splitlines())
    assert "\x1b" not in made
    painted = text(where, seen, colour=True)
    assert "\x1b[1;31m" in painted
    assert "\x1b[7;94m" in painted
    assert re.sub(r"\x1b\[[\d;]*m", "", painted) == made
    assert made == text(where, seen)


def test_text_names_every_stack_by_letter() -> None:
    where, seen = SAMPLES["20x20"]
    shown = rows(text(where, seen))[1:]
    for stack in seen.stacks:
        cell = shown[stack.y][4 + 5 * stack.x : 9 + 5 * stack.x]
        assert cell[1:].rstrip() == f"{stack.owner[0].upper()}{small(stack.units)}"
    for building in seen.buildings:
        signs = {tile: shown[tile[1]][4 + 5 * tile[0]] for tile in block(building)}
        assert signs.pop((building.x, building.y)) == "@"
        assert set(signs.values()) == {"+"}


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (1, "1"), (999, "999"), (1000, "1k"), (9999, "9k"), (10_000, "10k"), (99_999, "99k"), (100_000, ".1m"),
        (999_999, ".9m"), (10**6, "1m"), (10**8, ".1g"), (MAX, "2g"), (10**30, "99g"),
    ],
)  # fmt: skip
def test_counts_in_three_signs(number: int, said: str) -> None:
    assert small(number) == said


def test_text_tells_the_end_and_the_survivor() -> None:
    made = text(S8, replace(V8, outcome=WON, out={"blue": 611}))
    assert made.startswith("Monad, Quarry. Over after turn 611. Red wins: only owner of buildings. Rule 9.1.\n")
    assert "143  out on turn 611\n" in made
    assert "Only Red has units, at 3 of 10 turn ends." in text(S8, replace(V8, alone=("red", 3)))
    assert "at 3 of 7 turn ends." in text(replace(S8, survival=7), replace(V8, alone=("red", 3)))
    assert "Buildings" not in text(S8, view(S8)).split("Stock")[1]


# ---- in words


def test_alternative_text_says_the_position() -> None:
    assert describe(S8, V8) == (
        "Monad, Quarry. Turn 612 of 2000. 8 by 8 tiles. "
        "Red: 125 units on 2 tiles, 1 building, stock 143. Largest stacks: 118 at 1,1; 7 at 2,2. Cores at 1,1. "
        "Blue: 35 units on 2 tiles, 1 building, stock 143. Largest stacks: 34 at 6,6; 1 at 5,1. Cores at 6,6."
    )
    assert "Red, forfeited on turn 7: 125 units" in describe(S8, replace(V8, forfeited={"red": 7}))
    assert describe(S8, replace(V8, alone=("blue", 2))).endswith("Only Blue has units, at 2 of 10 turn ends.")


def test_alternative_text_stays_short() -> None:
    said = describe(*SAMPLES["64x64"])
    assert len(said) < 1200
    assert re.search(r"Cores at (\d+,\d+; ){8}\d+ more\.", said)
    assert re.search(r"Largest stacks: (\d+ at \d+,\d+; ){3}\d+ more\.", said)
