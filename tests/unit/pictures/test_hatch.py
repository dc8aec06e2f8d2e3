"""Hatching: inside its outline, in one phase, never on the rim."""

from __future__ import annotations

import pytest

from polemos.pictures.hatch import hatching
from polemos.pictures.hexmap import GAP
from polemos.pictures.svg import Point
from polemos.pictures.tokens import LOOK

SCALE = 12.1
HALF = 3**0.5 / 2 * SCALE


def corners(x: float, y: float) -> list[Point]:
    return [
        (x, y - SCALE),
        (x + HALF, y - SCALE / 2),
        (x + HALF, y + SCALE / 2),
        (x, y + SCALE),
        (x - HALF, y + SCALE / 2),
        (x - HALF, y - SCALE / 2),
    ]


def inside(point: Point, outline: list[Point], slack: float = 1e-6) -> bool:
    px, py = point
    signs = []
    for i, (bx, by) in enumerate(outline):
        ax, ay = outline[i - 1]
        signs.append((bx - ax) * (py - ay) - (by - ay) * (px - ax))
    return all(sign >= -slack for sign in signs) or all(sign <= slack for sign in signs)


@pytest.mark.parametrize("seat", LOOK["seats"])
@pytest.mark.parametrize("middle", [(0.0, 0.0), (3.7, -8.2), (5 * HALF, 4.5 * SCALE)])
def test_lines_stay_inside(seat: str, middle: Point) -> None:
    outline = corners(*middle)
    lines = hatching(seat, outline, GAP * SCALE, (0, 0))
    assert len(lines) > 5
    assert all(inside(end, outline) for line in lines for end in line)


def test_directions() -> None:
    outline = corners(0, 0)
    for seat, (dx, dy) in {"red": (0, 1), "blue": (1, 0), "green": (1, 1)}.items():
        for (ax, ay), (bx, by) in hatching(seat, outline, GAP * SCALE, (0, 0)):
            assert (bx - ax) * dy == pytest.approx((by - ay) * dx, abs=1e-9)
            assert (bx - ax) * dx >= 0
            assert (by - ay) * dy >= 0


def test_upright_lines_never_double_a_border() -> None:
    lines = hatching("red", corners(0, 0), GAP * SCALE, (0, 0))
    assert len(lines) == 9  # ten gaps to a hex
    assert max(abs(ax) for (ax, _), _ in lines) < HALF - 0.9 * GAP * SCALE


@pytest.mark.parametrize("seat", ["red", "green", "blue"])
def test_lines_run_on_in_the_next_hex(seat: str) -> None:
    gap = GAP * SCALE

    def phases(x: float, y: float) -> set[float]:
        found = set()
        for (ax, ay), _ in hatching(seat, corners(x, y), gap, (0, 0)):
            level = {"red": ax, "blue": ay, "green": (ay - ax) / 2**0.5}[seat]
            found.add(round(level / gap, 6) % 1)
        return {phase if phase < 0.999 else 0.0 for phase in found}

    assert phases(0, 0) == phases(2 * HALF, 0) == phases(HALF, 1.5 * SCALE) == {0.0}


def test_demons_have_none() -> None:
    assert hatching("horde", corners(0, 0), 1, (0, 0)) == []
