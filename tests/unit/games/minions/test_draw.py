"""The pictures of Minions: every unit on every board, all states, any table, the same position in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from polemos.games.minions.draw import board, describe, facts, page, text
from polemos.games.minions.draw.glyphs import NECROMANCER, STONE
from polemos.games.minions.draw.glyphs import UNITS as GLYPHS
from polemos.games.minions.draw.plain import RHOMB, rhomb
from polemos.games.minions.units import stats
from polemos.games.minions.view import Setting, TypeFacts, Unit, View
from polemos.kernel.outcome import Outcome
from polemos.pictures import faces
from polemos.pictures.convert import PictureError, pdf, png
from polemos.pictures.tokens import DARK, LIGHT, PRINT, Theme
from unit.games.minions.draw_samples import (
    FIRST,
    LINE,
    MAPS,
    NECROMANCERS,
    POOL,
    UNITS,
    rows,
    setting,
    table,
    unit,
    units,
    view,
)
from unit.games.minions.draw_samples import (
    board as on_board,
)

SPACE = "{http://www.w3.org/2000/svg}"
WON = Outcome("yellow", ("yellow", "blue"), {"yellow": 1.0, "blue": 0.0}, "3 points", "12.6")
DRAWN = Outcome(None, ("yellow", "blue"), {"yellow": 0.5, "blue": 0.5}, "equal worth", "12.9")
SIZES = (1, 2, 3, 5, 8)

# A table that nobody knows: other names, letters in use elsewhere, names and zones as long as they can be.
ODD_UNITS = (
    *(replace(row, name=f"{row.name[::-1].capitalize()}") for row in UNITS),
    *(TypeFacts(f"Abcdefghijklmnopqr{i:02}", chr(0xC0 + i), "normal", 9, 99, 8, 18, 99, 99, ()) for i in range(10)),
)
ODD = setting(
    2, units=ODD_UNITS, line=tuple(row.name for row in ODD_UNITS[2:]), names=("", "<b>&\x07" + "long name " * 9),
    pool=("Arcane", "Archaic"), to_win=99,
)  # fmt: skip
ODD_VIEW = view(
    *(
        on_board(
            i,
            units=(
                Unit("a0", "yellow", "Eibmoz", "Z", damage=0), Unit("j9", "blue", ODD_UNITS[-1].name, "É", damage=90),
                Unit("c2", "yellow", "Archaic", "N"), Unit("d4", "blue", "Nothing", "?", damage=3, moved=True),
            ),
            zones={"yellow": {row.name: 60_000 for row in ODD_UNITS}, "blue": {"Nothing": 3}},
            killed=True, resigned=True,
        )
        for i in (1, 2)
    ),
    money={"yellow": 1_999_999_999, "blue": 0}, points={"yellow": 98, "blue": 97}, who="yellow",
    spells={"yellow": (2,) * 32, "blue": (1,) * 32}, teched=(1, 31, 32), placed=64, turn=10_000,
)  # fmt: skip

SAMPLES = {
    **{f"{n} boards": table(n) for n in SIZES},
    "start": (setting(), view(on_board(state="turn1"), turn=1, who="yellow")),
    "over": (setting(3), replace(table(3)[1], outcome=WON, who="blue")),
    "odd": (ODD, ODD_VIEW),
}
each = pytest.mark.parametrize(("where", "seen"), SAMPLES.values(), ids=list(SAMPLES))
themes = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def drawings(where: Setting, seen: View) -> Iterator[str]:
    yield board(where, seen)
    yield board(where, seen, "dark", focus=len(seen.boards))
    yield board(where, seen, turned=True)
    yield page(where, seen, title="Long Winter")
    yield page(where, seen, "letter")


def elements(svg: str, tag: str) -> Iterator[dict[str, str]]:
    for element in ElementTree.fromstring(svg).iter(SPACE + tag):
        yield element.attrib | {"words": element.text or ""}


def lines(svg: str) -> list[tuple[float, float, float, str, bool]]:
    """Left end, baseline, size, words and weight of every text."""
    found = []
    for at in elements(svg, "text"):
        size, bold = float(at["font-size"]), "font-weight" in at
        display = "font-family" in at
        wide = faces.width(at["words"], size, bold=bold, display=display)
        x = float(at["x"]) - {"middle": wide / 2, "end": wide}.get(at.get("text-anchor", ""), 0.0)
        found.append((x, float(at["y"]), size, at["words"], bold))
    return found


def words(svg: str) -> list[str]:
    return [said for *_, said, _ in lines(svg)]


# ---- where things are


@dataclass(frozen=True)
class Piece:
    """A seat's shape in a picture."""

    seat: str
    hollow: bool
    x: float
    y: float
    r: float


def extent(d: str) -> tuple[float, float, float]:
    """Middle of a path and half its width: a circle of arcs, or absolute points."""
    arc = re.match(r"M([-\d.]+) ([-\d.]+)a([\d.]+) ", d)
    if arc:
        x, y, r = map(float, arc.groups())
        return x + r, y, r
    numbers = [float(word) for word in re.findall(r"-?[\d.]+", d)]
    xs, ys = numbers[::2], numbers[1::2]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, (max(xs) - min(xs)) / 2


def pieces(svg: str, theme: Theme = LIGHT) -> list[Piece]:
    found = []
    for at in elements(svg, "path"):
        for seat in facts.SIDES:
            tones = theme.seats[seat]
            ready = (at.get("fill"), at.get("stroke")) == (tones.piece, tones.rim)
            hollow = (at.get("fill"), at.get("stroke")) == (theme.surface, tones.line)
            round_ = "a" in at["d"]
            if (ready or hollow) and round_ == (seat == "blue"):
                x, y, half = extent(at["d"])
                found.append(Piece(seat, hollow, x, y, half / (0.96 if seat == "blue" else 1.15)))
    return found


@dataclass(frozen=True)
class Rhomb:
    """A board in a picture, found by its coordinates."""

    x: float
    y: float
    s: float

    def place(self, hex: str) -> tuple[float, float]:
        """The formula of the look, independent of the program."""
        file, rank = "abcdefghij".index(hex[0]), int(hex[1])
        return self.x + (file + rank / 2) * 3**0.5 * self.s, self.y - 1.5 * rank * self.s


def rhombs(svg: str, theme: Theme = LIGHT) -> list[Rhomb]:
    labels = [
        at
        for at in elements(svg, "text")
        if at["fill"] == theme.ink_3
        and at.get("text-anchor") == "middle"
        and "font-weight" not in at
        and at["words"] in "abcdefghij0123456789"
    ]
    assert len(labels) % 20 == 0
    found = []
    for i in range(0, len(labels), 20):
        at = {label["words"]: label for label in labels[i : i + 20]}
        s = (float(at["j"]["x"]) - float(at["a"]["x"])) / 9 / 3**0.5
        drop = float(at["0"]["font-size"]) * faces.CAPITALS / 2
        found.append(Rhomb(float(at["a"]["x"]), float(at["0"]["y"]) - drop, s))
        assert float(at["a"]["y"]) > float(at["0"]["y"]) + s  # below rank 0
        assert float(at["0"]["x"]) < float(at["a"]["x"]) - s  # left of file a
        assert float(at["9"]["y"]) == pytest.approx(float(at["0"]["y"]) - 13.5 * s, abs=0.2)
    return found


def near(one: Piece, place: tuple[float, float], within: float) -> bool:
    return abs(one.x - place[0]) < within and abs(one.y - place[1]) < within


def letters(svg: str, theme: Theme = LIGHT) -> Counter[str]:
    """What stands on pieces, ready and hollow."""
    inks = {tones.on for tones in theme.seats.values()} | {theme.seats[seat].text for seat in facts.SIDES}
    return Counter(at["words"] for at in elements(svg, "text") if at["fill"] in inks and "text-anchor" in at)


def glyph(svg: str, name: str) -> int:
    return svg.count(f'd="{GLYPHS[name][0][0]}"')


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
        # XML has no way to write some signs, so names are cleaned of them.
        assert root.attrib["aria-label"] == describe(where, seen)


@each
def test_pictures_can_be_converted(where: Setting, seen: View) -> None:
    assert png(board(where, seen)).startswith(b"\x89PNG")
    assert pdf([page(where, seen)], "a4").startswith(b"%PDF")


@each
def test_pages_are_black_and_white(where: Setting, seen: View) -> None:
    svg = page(where, seen)
    assert set(re.findall(r'(?:fill|stroke)="([^"]*)"', svg)) == {"#000", "#fff", "none"}
    assert "opacity" not in svg


@each
@pytest.mark.parametrize(("paper", "wide", "high"), [("a4", 210, 297), ("letter", 215.9, 279.4)])
def test_nothing_leaves_the_page(where: Setting, seen: View, paper: str, wide: float, high: float) -> None:
    svg = page(where, seen, paper, "Long Winter " * 20)
    assert ElementTree.fromstring(svg).attrib["viewBox"] == f"0 0 {wide} {high}"
    for x, y, size, said, bold in lines(svg):
        assert x >= 8, said
        assert x + faces.width(said, size, bold=bold) <= wide - 8, said
        assert 8 < y < high - 8, said


@each
@pytest.mark.parametrize("focus", [0, 1])
def test_nothing_leaves_the_board(where: Setting, seen: View, focus: int) -> None:
    svg = board(where, seen, focus=focus)
    root = ElementTree.fromstring(svg)
    wide, high = float(root.attrib["width"]), float(root.attrib["height"])
    for x, y, size, said, bold in lines(svg):
        assert 0 <= x <= x + faces.width(said, size, bold=bold) <= wide + 0.01, said
        assert 0 < y < high, said
    for one in pieces(svg):
        assert one.r < one.x < wide - one.r
        assert one.r < one.y < high - one.r


@each
@themes
def test_every_unit_stands_on_its_hex(where: Setting, seen: View, theme: Theme) -> None:
    svg = board(where, seen, theme.name)
    boards, drawn = rhombs(svg, theme), pieces(svg, theme)
    assert len(boards) == len(seen.boards)
    used = []
    for rhomb_, shown in zip(boards, seen.boards, strict=True):
        for one in shown.units:
            at = rhomb_.place(one.hex)
            (found,) = [piece for piece in drawn if near(piece, at, 0.3)]
            assert (found.seat, found.hollow) == (one.side, facts.spent(where, one)), one
            larger = 1.13 if one.letter == "N" else 1.0
            assert found.r == pytest.approx(0.6 * larger * rhomb_.s, rel=0.05)
            used.append(found)
        # And on no other hex stands anything.
        inside = [piece for piece in drawn if piece.r > 0.55 * rhomb_.s and _on(rhomb_, piece)]
        assert len(inside) == len(shown.units)
    assert len(set(used)) == sum(len(shown.units) for shown in seen.boards)


def _on(where: Rhomb, piece: Piece) -> bool:
    rank = round((where.y - piece.y) / where.s / 1.5)
    file = round((piece.x - where.x) / where.s / 3**0.5 - rank / 2)
    return 0 <= rank <= 9 and 0 <= file <= 9


@pytest.mark.parametrize("count", SIZES)
def test_every_letter_is_written(count: int) -> None:
    """On small pieces letters alone, so that each must be there, in the zones too."""
    where, seen = table(count)
    expected: Counter[str] = Counter()
    for shown in seen.boards:
        expected.update(one.letter for one in shown.units)
        expected.update(letter for side in facts.SIDES for _, letter, _ in facts.zone(where, shown, side))
    if count in (1, 5, 8):  # between 24 and 34 pixels there are silhouettes alone
        assert letters(board(where, seen)) == expected
    printed = Counter(said for *_, said, bold in lines(page(where, seen)) if bold and len(said) == 1 and said.isalpha())
    cards = Counter(facts.letters(where, range(1, 23)))
    small: Counter[str] = Counter()
    for shown in seen.boards:
        small.update(one.letter if one.side == "yellow" else one.letter.lower() for one in shown.units)
        for side in facts.SIDES:
            kept = [letter for _, letter, _ in facts.zone(where, shown, side)]
            small.update(kept if side == "yellow" else [letter.lower() for letter in kept])
    second = Counter(facts.second(where, one) for shown in seen.boards for one in shown.units if one.letter == "N")
    del second[""]
    key = Counter("zZz")  # in the key of the page
    assert printed == cards + small + second + key


def test_a_missing_unit_is_missed() -> None:
    where, seen = table(1)
    fewer = replace(seen, boards=(replace(FIRST, units=FIRST.units[1:]),))
    assert len(pieces(board(where, seen))) == len(pieces(board(where, fewer))) + 1
    assert letters(board(where, fewer))["Z"] == letters(board(where, seen))["Z"] - 1


# ---- pieces


@pytest.mark.parametrize("row", UNITS, ids=[row.name for row in UNITS])
def test_every_unit_has_its_silhouette(row: TypeFacts) -> None:
    where = setting(line=("Zombie",))
    one = on_board(units=(Unit("e5", "yellow", row.name, row.letter),))
    alone = board(where, view(one))
    empty = board(where, view(on_board(units=())))
    assert glyph(alone, row.name) == glyph(empty, row.name) + 1
    assert letters(alone) == Counter([row.letter])


def test_silhouettes_differ() -> None:
    assert len(set(GLYPHS.values()) | {NECROMANCER, STONE}) == len(UNITS) + 2
    assert set(GLYPHS) == {row.name for row in UNITS}


def test_silhouette_and_letter_by_size() -> None:
    """From 34 pixels both, from 24 the silhouette, below the letter."""
    one = on_board(units=(unit("Ge5"),))
    for count, drawn, written in ((1, True, True), (2, True, False), (8, False, True)):
        where = setting(count, line=("Zombie",))
        svg = board(where, view(*(replace(one, number=i + 1) for i in range(count))))
        size = 1.2 * rhombs(svg)[0].s
        assert (size >= 24, size >= 34 or size < 24) == (drawn, written)
        assert glyph(svg, "Ghost") == (count if drawn else 0)
        assert letters(svg) == Counter({"G": count} if written else {})


@themes
def test_hollow_pieces_are_spent(theme: Theme) -> None:
    where = setting()
    one = on_board(units=units("Zc0 Ze0 Zg0 Zi0", {"c0": {"moved": True}, "e0": {"used": 1}, "g0": {"fresh": True}}))
    drawn = pieces(board(where, view(one), theme.name), theme)
    place = rhombs(board(where, view(one), theme.name), theme)[0].place
    hollow = {name: piece.hollow for piece in drawn for name in ("c0", "e0", "g0", "i0") if near(piece, place(name), 1)}
    assert hollow == {"c0": True, "e0": True, "g0": True, "i0": False}


@pytest.mark.parametrize(
    ("word", "marks", "spent"),
    [
        ("Pe5", {}, False),
        ("Pe5", {"moved": True}, False),  # it may still attack (6.3)
        ("Pe5", {"used": 1}, True),
        ("Pe5", {"moved": True, "used": 1}, True),
        ("Pe5", {"fresh": True}, True),  # 9.9
        ("Ze5", {"moved": True}, True),  # Lumbering (7.2)
        ("Te5", {"used": 4}, False),  # Flurry 5
        ("Te5", {"used": 5}, True),
        ("Ue5", {"used": 1}, False),  # Unsummon 2
        ("Ue5", {"used": 2}, True),
        ("Le5", {"used": 1}, True),  # Deathtouch
        ("Mounted@e5", {"moved": True}, True),
        ("Arcane@e5", {"moved": True}, False),
        ("Battle@e5", {"used": 2}, False),
        ("Battle@e5", {"used": 3}, True),
        ("Zombie@e5", {"moved": True}, False),  # the necromancer, not the unit of this name
    ],
)
def test_spent_means_nothing_left_to_do(word: str, marks: dict[str, Any], spent: bool) -> None:
    where, one = setting(), unit(word, **marks)
    assert facts.spent(where, one) == spent
    svg = board(where, view(on_board(units=(one,))))
    at = rhombs(svg)[0].place("e5")
    assert [piece.hollow for piece in pieces(svg) if near(piece, at, 1)] == [spent]
    # On paper nothing is filled, so the rim is broken; so is one in the key.
    assert page(where, view(on_board(units=(one,)))).count("stroke-dasharray") == 1 + spent


def test_who_cannot_attack_is_spent_after_a_move() -> None:
    (cart,) = rows("Cart F normal 1 1 3 0 2 0")
    where, moved = setting(units=(cart,)), Unit("e5", "yellow", "Cart", "F", moved=True)
    assert facts.spent(where, moved)
    assert not facts.spent(replace(where, units=(replace(cart, range=1),)), moved)


@themes
@pytest.mark.parametrize(("word", "damage", "left"), [("ge5", 1, 3), ("ge5", 3, 1), ("nd3", 6, 1), ("De5", 1, 9)])
def test_damage_is_a_disc_with_what_is_left(theme: Theme, word: str, damage: int, left: int) -> None:
    where, one = setting(), unit(word, damage=damage)
    svg = board(where, view(on_board(units=(one,))), theme.name)
    (disc,) = [at for at in elements(svg, "circle") if at.get("stroke") == theme.signal]
    x, y = rhombs(svg, theme)[0].place(one.hex)
    s = rhombs(svg, theme)[0].s
    assert x < float(disc["cx"]) < x + 0.87 * s
    assert y - s < float(disc["cy"]) < y
    assert [at["words"] for at in elements(svg, "text") if at["fill"] == theme.signal] == [str(left)]
    whole = board(where, view(on_board(units=(unit(word),))), theme.name)
    assert theme.signal not in whole


def test_necromancers_have_a_second_rim_and_a_second_letter() -> None:
    where = setting(line=("Zombie",))

    def shown(word: str) -> tuple[Counter[str], list[str], int]:
        svg = board(where, view(on_board(units=(unit(word),))))
        tones = LIGHT.seats["yellow"]
        bare = [at for at in elements(svg, "path") if at.get("fill") == "none" and "transform" not in at]
        rims = sum(at.get("stroke") == tones.on for at in bare)
        tails = [at["words"] for at in elements(svg, "text") if at["fill"] == tones.on and "text-anchor" not in at]
        return letters(svg), tails, rims

    assert shown("Ne5") == (Counter("N"), [], 1)
    assert shown("Ze5") == (Counter("Z"), [], 0)
    for name in POOL:
        assert shown(f"{name}@e5") == (Counter("N"), [name[0]], 1)
    # Two types that begin alike take two letters.
    alike = replace(where, pool=("Arcane", "Archaic", "Deadly"))
    assert facts.second(alike, Unit("e5", "blue", "Archaic", "N")) == "Ar"
    assert facts.second(alike, Unit("e5", "blue", "Deadly", "N")) == "D"
    assert facts.second(alike, Unit("e5", "blue", "Zombie", "Z")) == ""


def test_unknown_units_show_their_letter_alone() -> None:
    golem = TypeFacts("Golem", "F", "normal", 4, 3, 1, 1, 6, 2, ())
    where = setting(units=(golem,), line=("Golem", "Gone"))
    one = on_board(units=(Unit("e5", "blue", "Golem", "F", damage=1),), zones={"yellow": {"Golem": 2}, "blue": {}})
    svg = board(where, view(one))
    assert letters(svg) == Counter("FF")
    assert not any(glyph(svg, name) for name in GLYPHS)
    assert {"F", "6"} <= set(words(svg))  # the card
    assert "fe5: 1 damage, 2 left" in text(where, view(one))
    assert "Yellow reserve: F2" in text(where, view(one))
    assert "fe5" in text(replace(where, units=()), view(one))
    assert board(replace(where, units=()), view(one))  # not even a row in the table


# ---- ground


@pytest.mark.parametrize("number", range(len(MAPS)))
@themes
def test_ground_by_kind(number: int, theme: Theme) -> None:
    where = setting(maps=(MAPS[number],))
    svg = board(where, view(on_board(units=())), theme.name)
    spread = "".join(sign * int(sign) if sign.isdigit() and sign != "0" else sign for sign in MAPS[number])
    water, graves = spread.count("W"), spread.count("G")
    for fill, count in ((theme.water, water), (theme.grave, graves), (theme.land, 100 - water - graves)):
        (path,) = [at["d"] for at in elements(svg, "path") if at.get("fill") == fill and "M" in at["d"]]
        assert path.count("M") == count
    (waves,) = [at["d"] for at in elements(svg, "path") if at.get("stroke") == theme.wave]
    assert waves.count("M") == 2 * water
    assert svg.count(f'd="{STONE[0][0]}"') == graves


def test_water_lies_where_the_map_says() -> None:
    svg = board(setting(maps=("9W/0/0/0/0/0/0/0/0/G9",)), view(on_board(units=())))
    rhomb_ = rhombs(svg)[0]
    at = {fill: extent(next(one["d"] for one in elements(svg, "path") if one.get("fill") == fill)) for fill in (
        LIGHT.water, LIGHT.grave)}  # fmt: skip
    assert at[LIGHT.water][:2] == pytest.approx(rhomb_.place("j0"), abs=0.2)
    assert at[LIGHT.grave][:2] == pytest.approx(rhomb_.place("a9"), abs=0.2)


@themes
def test_held_graveyards_take_the_holders_line(theme: Theme) -> None:
    where = setting()  # c0 and g0 are graveyards

    def inner(words_: str) -> dict[str, float]:
        svg = board(where, view(on_board(units=units(words_))), theme.name)
        place = rhombs(svg, theme)[0].place("c0")
        found = {}
        for at in elements(svg, "path"):
            hexagon = at["d"].count("L") == 5 and at["d"].count("M") == 1 and at.get("fill") == "none"
            if hexagon and extent(at["d"])[:2] == pytest.approx(place, abs=0.2):
                found[at["stroke"]] = float(at["stroke-width"])
        return found

    empty, yellow, blue = inner(""), inner("Zc0"), inner("zc0")
    assert set(empty) == {theme.ink_3}
    assert set(yellow) == {theme.seats["yellow"].line}
    assert set(blue) == {theme.seats["blue"].line}
    assert min(*yellow.values(), *blue.values()) > 2 * max(empty.values())
    # A unit beside it holds nothing.
    assert inner("Zd0") == empty


def test_graveyards_are_counted() -> None:
    where = setting()
    seen = view(on_board(units=units("Zc0 Zg0 Nd4 zj7 nh7")))
    assert facts.held(where, seen.boards[0], "yellow") == ["c0", "g0"]
    assert facts.held(where, seen.boards[0], "blue") == ["j7"]
    assert "Graveyards Yellow 2, Blue 1" in text(where, seen)
    said = words(board(where, seen))
    at = said.index("Graveyards")
    assert said[at - 2 : at] == ["1", "2"]  # from the right


def test_turned_for_blue() -> None:
    where, seen = table(1)
    plain, turned = board(where, seen), board(where, seen, turned=True)
    labels = [at for at in elements(turned, "text") if at["fill"] == LIGHT.ink_3 and at["words"] in tuple("aj09")]
    at = {label["words"]: (float(label["x"]), float(label["y"])) for label in labels}
    assert at["j"][0] < at["a"][0]
    assert at["9"][1] > at["0"][1]
    assert letters(plain) == letters(turned)
    (x, y), s = rhombs(plain)[0].place("f3"), rhombs(plain)[0].s  # Yellow's necromancer
    (mx, my) = (a / 2 + b / 2 for a, b in zip(rhombs(plain)[0].place("a0"), rhombs(plain)[0].place("j9"), strict=True))
    assert any(near(one, (2 * mx - x, 2 * my - y), 0.02 * s) for one in pieces(turned) if one.seat == "yellow")


# ---- zones


def test_zones_show_every_type_with_its_number() -> None:
    where = setting(line=())
    kept = {"yellow": {"Zombie": 2, "Warg": 1}, "blue": {"Skeleton": 13}}
    full, empty = view(on_board(units=(), zones=kept)), view(on_board(units=(), zones={}))
    assert letters(board(where, full)) == Counter("ZWS")
    badges = [at["words"] for at in elements(board(where, full), "text") if at["fill"] == LIGHT.page]
    assert badges == ["Yellow to move", "2", "13"]
    assert words(board(where, full)).count("Reserve") == 2
    assert words(board(where, empty)).count("No reserve") == 2
    assert "Yellow reserve: Z2 W" in text(where, full)
    assert "Blue reserve: s13" in text(where, full)
    assert "Blue reserve: none" in text(where, empty)


@pytest.mark.parametrize("count", [1, 5, 12, 13, 24])
@pytest.mark.parametrize("boards", [1, 2, 8])
def test_zones_stay_off_the_board(count: int, boards: int) -> None:
    """However many types there are: none is missing, and none covers a hex or another."""
    kept = dict.fromkeys([row.name for row in UNITS[:count]], 1)
    where = setting(boards)
    shown = [on_board(i + 1, units=(), zones={"yellow": kept, "blue": kept}) for i in range(boards)]
    svg = board(where, view(*shown))
    captions = [(x - 0.75 * size, y - 0.36 * size) for x, y, size, said, _ in lines(svg) if said == "Reserve"]
    assert len(captions) == 2 * boards
    for rhomb_ in rhombs(svg):
        s = rhomb_.s
        middles = [rhomb_.place(f"{file}{rank}") for file in "abcdefghij" for rank in range(10)]
        left, right = rhomb_.x - 2.1 * s, rhomb_.x + 24.3 * s
        top, low = rhomb_.y - 14.6 * s, rhomb_.y + 1.1 * s
        within = [one for one in pieces(svg) if left < one.x < right and top < one.y < low]
        tokens = [one for one in within if not any(near(one, at, 1) for at in captions)]
        assert len(tokens) == 2 * count
        for one in tokens:
            for x, y in middles:  # hexes are at least 0.87 s from middle to side
                assert (x - one.x) ** 2 + (y - one.y) ** 2 > (0.8 * s + 0.8 * one.r) ** 2
        for i, one in enumerate(tokens):
            for two in tokens[:i]:
                assert (one.x - two.x) ** 2 + (one.y - two.y) ** 2 > (1.9 * one.r) ** 2


# ---- the techline


def cards(svg: str, theme: Theme = LIGHT) -> list[str]:
    """The fill of every card."""
    rects = [at for at in elements(svg, "rect") if "rx" in at and "stroke" in at]
    return [at["fill"] for at in rects if float(at["height"]) > 1.8 * float(at["width"])]


@themes
def test_cards_take_the_owners_tint(theme: Theme) -> None:
    where, seen = table(3)
    fills = cards(board(where, seen, theme.name), theme)
    yellow, blue = (theme.seats[side].tint for side in facts.SIDES)
    assert fills == [blue, yellow, yellow, blue, yellow, blue, *[theme.surface] * 16]
    # One spell is not enough, and two sides have one each.
    ones = replace(seen, spells={"yellow": (1,) * 22, "blue": (1,) * 22})
    assert set(cards(board(where, ones, theme.name), theme)) == {theme.surface}


@pytest.mark.parametrize("who", ["spectator", "yellow", "blue"])
def test_own_spells_stand_below(who: str) -> None:
    where = setting(line=("Serpent",))
    bare = on_board(units=())
    svg = board(where, view(bare, who=who, spells={"yellow": (2,), "blue": (1,)}))
    none = board(where, view(bare, who=who, spells={"yellow": (0,), "blue": (0,)}))
    more = Counter(pieces(svg)) - Counter(pieces(none))
    assert Counter(one.seat for one in more) == {"yellow": 2, "blue": 1}
    yellow = min(one.y for one in more if one.seat == "yellow")
    (blue,) = [one.y for one in more if one.seat == "blue"]
    assert (blue > yellow) == (who == "blue")


def test_cards_have_silhouette_letter_and_cost() -> None:
    where = setting()
    svg = board(where, view(on_board(units=())))
    said = Counter(words(svg))
    for name in LINE:
        row = facts.card_facts(where, name)
        assert row is not None
        assert glyph(svg, name) == 1
        assert said[row.letter] >= 1
        assert said[str(row.cost)] >= 1
    # Cards without any spell are paler.
    reached = board(where, view(on_board(units=()), spells={"yellow": (1, *(0,) * 21), "blue": ()}))
    assert svg.count(f'fill="{LIGHT.ink_3}"') > reached.count(f'fill="{LIGHT.ink_3}"')


@pytest.mark.parametrize(("count", "tall"), [(1, 1), (22, 1), (24, 1), (25, 2), (40, 2)])
def test_long_lines_take_two_rows(count: int, tall: int) -> None:
    where = setting(line=tuple(LINE[i % 22] for i in range(count)))
    svg = board(where, view(on_board(units=())))
    tops = {at["y"] for at in elements(svg, "rect") if float(at["height"]) > 1.8 * float(at["width"])}
    assert len(cards(svg)) == count
    assert len(tops) == tall


def test_what_a_spell_costs() -> None:
    where = setting(3)
    assert {"1 free spell", "Another costs 24."} <= set(words(board(where, table(3)[1])))
    placed = replace(table(3)[1], placed=2, teched=(2, 3))
    assert {"2 spells placed", "New: P W"} <= set(words(board(where, placed)))
    assert "Teched this turn: Serpent, Warg." in text(where, placed)


# ---- all boards together


@pytest.mark.parametrize("count", SIZES)
def test_all_boards_are_alike_without_focus(count: int) -> None:
    where, seen = table(count)
    found = rhombs(board(where, seen))
    assert len(found) == count
    assert len({round(one.s, 1) for one in found}) == 1
    assert len({(round(one.x), round(one.y)) for one in found}) == count


@pytest.mark.parametrize("count", SIZES[1:])
@pytest.mark.parametrize("last", [False, True])
def test_one_board_in_focus(count: int, last: bool) -> None:
    where, seen = table(count)
    focus = count if last else 1
    svg = board(where, seen, focus=focus)
    (large,) = rhombs(svg)  # the others have no coordinates
    assert large.s > 30
    for one in seen.boards[focus - 1].units:
        assert sum(near(piece, large.place(one.hex), 0.3) for piece in pieces(svg)) == 1
    small = [piece for piece in pieces(svg) if piece.x < large.x - 2.2 * large.s and piece.y > 200]
    others = [one for shown in seen.boards if shown.number != focus for one in shown.units]
    assert len(small) >= len(others)
    for number in range(1, count + 1):
        assert str(number) in words(svg)
    assert svg != board(where, seen)
    if count > 1 and not last:
        assert svg != board(where, seen, focus=2)


def test_one_board_needs_no_focus() -> None:
    where, seen = table(1)
    assert board(where, seen, focus=1) == board(where, seen)


@pytest.mark.parametrize("focus", [-1, 4, 99])
def test_there_must_be_such_a_board(focus: int) -> None:
    with pytest.raises(PictureError, match="There is no board"):
        board(*table(3), focus=focus)


def test_there_must_be_such_a_theme_paper_and_map() -> None:
    where, seen = table(1)
    with pytest.raises(PictureError, match="theme"):
        board(where, seen, "loud")
    with pytest.raises(PictureError, match="paper"):
        page(where, seen, "a0")
    for maps in ((), ("nonsense",)):
        with pytest.raises(PictureError, match="Board 1 has no map"):
            board(replace(where, maps=maps), seen)


def test_themes_differ_and_share_their_pieces() -> None:
    where, seen = table(3)
    light, dark = board(where, seen), board(where, seen, "dark")
    assert f'fill="{LIGHT.page}"' in light
    assert f'fill="{DARK.page}"' in dark
    assert LIGHT.page not in dark
    assert DARK.page not in light
    assert len(pieces(light)) == len(pieces(dark, DARK))


# ---- states, money, points, result


@pytest.mark.parametrize(
    ("state", "marks", "said"),
    [
        ("turn1", {}, "First turn: attack"),
        ("normal", {}, "Normal: attack, spawn"),
        ("normal", {"closed": True}, "Normal: spawn"),
        ("normal", {"resigned": True}, "Normal: no orders"),
        ("reset+0", {}, "Just reset: no orders"),
        ("reset+1", {"due": True}, "Reset: choose, attack"),
        ("reset+1", {}, "Reset: attack"),
        ("reset+2", {"due": True}, "Reset: choose, attack, spawn"),
        ("reset+2", {"closed": True}, "Reset: spawn"),
    ],
)
def test_states_in_words(state: str, marks: dict[str, Any], said: str) -> None:
    where, seen = setting(), view(on_board(state=state, **marks))
    assert said in words(board(where, seen))
    assert said in words(page(where, seen))
    assert said in text(where, seen)
    assert said.lower() in describe(where, seen)


def test_what_must_not_be_overlooked() -> None:
    where = setting()
    yards = list(facts.yards(where, on_board(units=())))
    assert len(yards) == 10

    def said(count: int, **marks: Any) -> str:
        shown = on_board(units=tuple(unit(f"z{hex}") for hex in yards[:count]), **marks)
        seen = view(shown)
        news = [word for word in words(board(where, seen)) if word.startswith(("Blue", "Yellow has")) and " " in word]
        assert all(word in words(page(where, seen)) for word in news)
        assert all(word in text(where, seen) for word in news)
        assert all(f"{word}." in describe(where, seen) for word in news)
        return "; ".join(news)

    assert said(6) == ""
    assert said(7) == "Blue holds 7 graveyards and needs 8 to win the board"
    assert said(8) == "Blue holds 8 graveyards"
    assert said(0, killed=True) == "Blue's necromancer is destroyed"
    assert said(0, resigned=True) == "Yellow has resigned it"


def test_money_and_income() -> None:
    """11.2 Paid at the end of the own turn; how much the view says."""
    where = setting()
    shown = on_board(units=units("Zc0 Zg0 Nd4 zj7 nh7"), income={"yellow": 5, "blue": 4})
    for svg in (board(where, view(shown)), text(where, view(shown))):
        assert "13 money, +5 at the end" in svg
        assert "6 money" in svg
        assert "6 money," not in svg  # the other side is not paid now
    assert "6 money, +4 at the end" in board(where, view(shown, side="blue"))
    assert "at the end" not in board(where, view(shown, outcome=WON))
    assert {"13", "6"} <= set(words(page(where, view(shown))))


def test_points_are_shapes_to_be_filled() -> None:
    where = setting(3)
    seen = view(*(on_board(i, units=()) for i in (1, 2, 3)))

    def won(yellow: int, blue: int) -> Counter[str]:
        more = replace(seen, points={"yellow": yellow, "blue": blue})
        added = Counter(pieces(board(where, more))) - Counter(pieces(board(where, seen)))
        return Counter(one.seat for one in added)

    assert won(0, 0) == {}
    assert won(2, 1) == {"yellow": 2, "blue": 1}
    assert "Yellow: 2 of 3 points" in text(where, replace(seen, points={"yellow": 2, "blue": 0}))
    many = replace(where, to_win=20)
    assert "7 of 20" in words(board(many, replace(seen, points={"yellow": 7, "blue": 0})))


def test_whose_turn_and_who_won() -> None:
    where, seen = table(3)
    for svg in (board(where, seen), text(where, seen)):
        assert "Turn 9, Yellow to move." in svg
    assert "Yellow to move" in words(board(where, seen))
    assert "Blue to move" in words(board(where, replace(seen, side="blue")))
    assert "Turn 9 of Yellow" in words(page(where, seen))
    over = replace(seen, outcome=WON)
    assert "Yellow wins" in words(board(where, over))
    assert "Yellow wins" in words(page(where, over))
    assert "Yellow to move" not in words(board(where, over))
    for said in (board(where, over), page(where, over), text(where, over), describe(where, over)):
        assert "Yellow wins: 3 points. Rule 12.6." in said
    assert "A draw: equal worth. Rule 12.9." in text(where, replace(seen, outcome=DRAWN))
    assert "attack, spawn" not in text(where, over)


def test_page_has_the_title_and_the_necromancers() -> None:
    where, seen = table(3, who="blue")
    said = words(page(where, seen, title="Long Winter"))
    assert {"BLUE", "Long Winter", "Mounted", "Arcane", "Blackened Shores", "Midnight Lake"} <= set(said)
    assert said.count("none") == 0
    assert words(page(where, replace(seen, used={}))).count("none") == 2


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_boards_on_paper_do_not_overlap(count: int, paper: str) -> None:
    where, seen = table(count)
    found = rhombs(page(where, seen, paper), PRINT)
    assert len(found) == count
    s = found[0].s
    assert s > 2
    boxes = [(one.x - 0.9 * s, one.y - 14.5 * s, one.x + 24.3 * s, one.y + 2 * s) for one in found]
    for i, (left, top, right, low) in enumerate(boxes):
        for other in boxes[:i]:
            assert right < other[0] or other[2] < left or low < other[1] or other[3] < top


# ---- the terminal


@each
def test_text_has_every_unit_at_its_place(where: Setting, seen: View) -> None:
    for shown in seen.boards:
        drawn = rhomb(where, shown)
        assert len(drawn) == 11
        assert {len(line) for line in drawn} == {RHOMB}
        assert drawn[-1].split() == list("abcdefghij")
        at = {one.hex: one for one in shown.units}
        ground = facts.ground(where, shown.number)
        for i in range(100):
            file, rank = i % 10, i // 10
            line = drawn[9 - rank]
            assert line[rank] == str(rank)
            sign, below = line[rank + 2 + 2 * file], line[rank + 3 + 2 * file]
            kind = ".*~"[ground[i]]
            one = at.get(f"{'abcdefghij'[file]}{rank}")
            if one is None:
                assert (sign, below) == (kind, " ")
            else:
                assert sign == (one.letter.upper() if one.side == "yellow" else one.letter.lower())
                assert below == (" " if kind == "." else kind)
        for line in drawn:
            assert line.rstrip() in text(where, seen)


@each
def test_text_is_110_columns_wide(where: Setting, seen: View) -> None:
    said = text(where, seen)
    assert max(map(len, said.splitlines())) <= 110
    assert said.endswith("\n")
    assert said.replace("\n", "").isprintable()
    paired = [line for line in said.splitlines() if line.startswith("Board 1")]
    assert len(paired) == 1
    assert ("Board 2" in paired[0]) == (len(seen.boards) > 1)


def test_text_notes_damage_marks_and_necromancers() -> None:
    said = text(*table(2))
    for note in ("gh4: 1 damage, 3 left", "Zc0: moved", "Zh3: attacked", "Tf4: attacked 2 times", "Nf3 Basic"):
        assert note in said
    assert "nf7 Arcane" in said
    assert "Blue has used Arcane." in said
    fresh = view(on_board(units=(unit("Ze5", fresh=True),)))
    assert "Ze5: spawned" in text(setting(), fresh)


def test_text_has_the_line_with_both_sides_spells() -> None:
    said = text(*table(3))
    for card in (
        " 1 S Skeleton    4 Y1 B2 B",
        " 2 P Serpent     4 Y2 B1 Y",
        " 7 X Spectre     5 Y1 B-",
        "22 D Shadowlord",
    ):
        assert card in said
    for name in LINE:
        assert name in said


def test_colour_changes_nothing_but_colour() -> None:
    where, seen = table(2)
    plain, painted = text(where, seen), text(where, seen, colour=True)
    assert "\x1b[" not in plain
    assert painted != plain
    assert re.sub(r"\x1b\[[\d;]*m", "", painted) == plain
    assert painted.count("\x1b[0m") == sum(len(shown.units) for shown in seen.boards)


# ---- words


def test_stats() -> None:
    said = {row.name: stats(row) for row in UNITS}
    assert said["Serpent"] == (
        "Serpent: 3 damage once a turn, defence 1, speed 2, range 1 (reaches 3), costs 4, rebate 2, no keywords"
    )
    assert "range 2 (reaches 2)" in said["Wight"]  # Lumbering
    assert "5 hits of 1 damage a turn" in said["Wight"]
    assert "unsummons 2 units a turn" in said["Sorcerer"]
    assert "unsummons 1 unit a turn" in said["Void"]
    assert "destroys 1 unit a turn" in said["Lich"]
    assert "rebate 0, basic, Lumbering" in said["Zombie"]
    necromancers = {row.name: stats(row) for row in NECROMANCERS}
    assert "never attacks, defence 10, speed 2, range 0, never bought" in necromancers["Mounted"]
    assert necromancers["Zombie"].startswith("Zombie necromancer: ")
    for line in (*said.values(), *necromancers.values()):
        assert line.count("\n") <= 1
        assert max(map(len, line.split("\n"))) <= 110
    (long,) = rows("Golem F flurry 20 10 8 18 99 99 Flying Lumbering Spawn Persistent Soul")
    assert stats(long).split("\n")[1] == "Flying, Lumbering, Spawn, Persistent, Soul"


def test_describe_tells_the_position() -> None:
    where, seen = table(3)
    said = describe(where, seen)
    for part in (
        "Minions, three boards. Turn 9, Yellow to move.", "first to 3 points: Yellow 1, Blue 1", "Yellow 13, Blue 6",
        "Board 1, Blackened Shores, normal: attack, spawn.", "Basic necromancer on f3", "Arcane necromancer on f7",
        "Blue holds 7 graveyards and needs 8 to win the board.", "Yellow has teched Serpent, Warg, Wight.",
        "Yellow: 11 units", "4 in reserve",
    ):  # fmt: skip
        assert part in said
    assert len(said) < 1200
    assert len(describe(*table(8))) < 3000
    assert "Board 1, normal" in describe(replace(where, names=("", "", "")), seen)


def test_names_that_people_gave() -> None:
    where = setting(names=("<b>\x1b[31m" + "x" * 300,))
    assert len(facts.map_name(where, 1)) == 40
    for said in (text(where, view()), describe(where, view()), board(where, view()), page(where, view())):
        assert "\x1b" not in said
        assert "<b>" not in board(where, view())
