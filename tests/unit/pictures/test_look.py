"""Eight seats: any two are told apart by colour alone, by shape alone and by hatching alone; words can be read.

Differences are CIEDE2000 (Sharma 2005), sights those of Machado 2009 at full severity, contrasts those of WCAG 2.
"""

from __future__ import annotations

from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

import pytest

from polemos.pictures import css
from polemos.pictures.hatch import hatching
from polemos.pictures.seats import SHAPES, flat
from polemos.pictures.tokens import DARK, HORDE, LIGHT, LOOK, Theme

SEATS = tuple(LOOK["seats"])
SIGHTS = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

Three = tuple[float, float, float]


def light_of(colour: str) -> Three:
    """Linear red, green and blue."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return r, g, b


def seen(colour: str, sight: str) -> Three:
    light = light_of(colour)
    r, g, b = (min(1, max(0, sum(m * v for m, v in zip(row, light, strict=True)))) for row in SIGHTS[sight])
    return r, g, b


def lab(light: Three) -> Three:
    r, g, b = light
    x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
    z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: Three, other: Three) -> float:
    """CIEDE2000."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    grey = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * sqrt(grey / (grey + 25**7))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    dl, dc, dh = l2 - l1, c2 - c1, 2 * sqrt(c1 * c2) * sin(radians(turn) / 2)
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    hm = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    t = 1 - 0.17 * cos(radians(hm - 30)) + 0.24 * cos(radians(2 * hm))
    t += 0.32 * cos(radians(3 * hm + 6)) - 0.2 * cos(radians(4 * hm - 63))
    sl = 1 + 0.015 * (lm - 50) ** 2 / sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    rc = 2 * sqrt(cm**7 / (cm**7 + 25**7))
    rt = -sin(radians(60 * exp(-(((hm - 275) / 25) ** 2)))) * rc
    return sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * (dc / sc) * (dh / sh))


def contrast(one: str, other: str) -> float:
    lights = (light_of(colour) for colour in (one, other))
    low, high = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in lights)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("one", "other", "by"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0009), 7.1792),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_differences_are_those_of_the_published_pairs(one: Three, other: Three, by: float) -> None:
    assert difference(one, other) == pytest.approx(by, abs=1e-4)


def test_there_are_eight_seats() -> None:
    assert SEATS == ("red", "blue", "green", "yellow", "violet", "brown", "grey", "white")
    assert len({SHAPES[seat] for seat in (*SEATS, HORDE)}) == 9
    assert len({LOOK["seats"][seat]["hatch"] for seat in SEATS}) == 8
    assert "none" not in {LOOK["seats"][seat]["hatch"] for seat in SEATS}


@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_pieces_differ_at_a_glance(sight: str) -> None:
    pieces = {seat: lab(seen(LIGHT.seats[seat].piece, sight)) for seat in (*SEATS, HORDE)}
    least = min((difference(pieces[a], pieces[b]), a, b) for a, b in combinations(pieces, 2))
    assert least[0] > 15, least


def test_shapes_look_equally_large_and_are_convex() -> None:
    areas = {}
    for shape in SHAPES.values():
        points = flat(shape, 0, 0, 1)
        turns = []
        for i, (bx, by) in enumerate(points):
            (ax, ay), (cx, cy) = points[i - 1], points[(i + 1) % len(points)]
            turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
        assert all(turn >= -1e-9 for turn in turns) or all(turn <= 1e-9 for turn in turns), shape
        areas[shape] = abs(sum(points[i - 1][0] * y - points[i - 1][1] * x for i, (x, y) in enumerate(points))) / 2
    assert max(areas.values()) / min(areas.values()) < 1.35, areas


def test_shapes_differ_on_paper() -> None:
    """Where one shape covers another best, an eighth of it lies apart: middle on middle, equal radius."""
    steps = [i / 40 - 1.25 for i in range(101)]

    def filled(shape: str) -> set[tuple[float, float]]:
        low, points = LOOK["shapes"][shape]["sink"], flat(shape, 0, 0, 1)
        inside = set()
        for x in steps:
            for y in steps:
                turns = []
                for i, (bx, by) in enumerate(points):
                    ax, ay = points[i - 1]
                    turns.append((bx - ax) * (y - low - ay) - (by - ay) * (x - ax))
                if all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns):
                    inside.add((x, y))
        return inside

    covered = {SHAPES[seat]: filled(SHAPES[seat]) for seat in SEATS}
    for one, other in combinations(covered, 2):
        assert len(covered[one] ^ covered[other]) > len(covered[one] | covered[other]) / 8, (one, other)


def test_hatchings_differ_as_lines() -> None:
    box = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    drawn = {}
    for seat in SEATS:
        lines = hatching(seat, box, 2.0, (5, 5))
        ways = {
            "point" if hypot(bx - ax, by - ay) < 0.1 else round(degrees(atan2(by - ay, bx - ax))) % 180
            for (ax, ay), (bx, by) in lines
        }
        assert ways, seat
        drawn[seat] = frozenset(ways)
    assert len(set(drawn.values())) == 8
    assert drawn["red"] == {90}
    assert drawn["blue"] == {0}
    assert drawn["green"] == {45}
    assert drawn["yellow"] == {"point"}
    assert not hatching(HORDE, box, 2.0, (5, 5))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_what_is_written_in_a_seats_tones_can_be_read(theme: Theme) -> None:
    for seat in SEATS:
        tones = theme.seats[seat]
        assert contrast(tones.piece, tones.on) >= 4.5, seat
        for ground in (theme.page, theme.surface, theme.raised):
            assert contrast(tones.text, ground) >= 4.5, (seat, ground)
            assert contrast(tones.line, ground) >= 3, (seat, ground)
        for ground in (theme.page, theme.land):
            assert max(contrast(tones.piece, ground), contrast(tones.rim, ground)) >= 3, (seat, ground)


def test_every_theme_has_the_same_properties() -> None:
    assert set(css.properties("light")) == set(css.properties("dark")) == set(css.properties("paper"))
    for theme in ("light", "paper"):
        assert {f"{seat}-piece" for seat in SEATS} | {f"on-{seat}" for seat in SEATS} == set(css.pieces(theme))


def test_a_rule_of_a_style_sheet() -> None:
    made = css.block(":root", "dark", {"page": "black"}, {"ink": "white"}, indent="  ")
    assert made == "  :root {\n    color-scheme: dark;\n    --page: black;\n    --ink: white;\n  }\n"
