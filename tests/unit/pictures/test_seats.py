"""Pieces: every shape, every number of figures."""

from __future__ import annotations

import pytest

from polemos.pictures import faces, seats
from polemos.pictures.seats import SHAPES
from polemos.pictures.svg import Canvas, Point
from polemos.pictures.tokens import DARK, LIGHT, LOOK, PRINT, THEMES, Theme


def drawn(seat: str, theme: Theme, count: int) -> str:
    canvas = Canvas(100, 100)
    seats.piece(canvas, seat, 50, 50, 20, theme, rim=1, halo=2, count=count)
    return canvas.document("", "")


def inside(point: Point, outline: list[Point]) -> bool:
    px, py = point
    turns = []
    for i, (bx, by) in enumerate(outline):
        ax, ay = outline[i - 1]
        turns.append((bx - ax) * (py - ay) - (by - ay) * (px - ax))
    return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)


def test_every_theme_knows_every_seat() -> None:
    for theme in THEMES.values():
        assert set(theme.seats) == set(SHAPES)


def test_pieces_keep_their_colour_in_the_dark() -> None:
    for seat in LOOK["seats"]:
        assert LIGHT.seats[seat].piece == DARK.seats[seat].piece
        assert LIGHT.seats[seat].on == DARK.seats[seat].on


def test_paper_knows_black_and_white_only() -> None:
    for seat in SHAPES:
        document = drawn(seat, PRINT, 7).lower()
        assert "#000" in document
        assert "#" not in document.replace("#000", "").replace("#fff", "")


@pytest.mark.parametrize("seat", SHAPES)
def test_shapes_differ(seat: str) -> None:
    others = {drawn(other, PRINT, 1) for other in SHAPES if other != seat}
    assert drawn(seat, PRINT, 1) not in others


@pytest.mark.parametrize("seat", SHAPES)
@pytest.mark.parametrize("figures", ["8", "88", "888"])
def test_figures_fit_into_the_piece(seat: str, figures: str) -> None:
    """The box of the figures lies inside the rim."""
    canvas = Canvas(100, 100)
    seats.piece(canvas, seat, 0, 0, 10, PRINT, rim=0.1, count=int(figures))
    line = next(part for part in canvas.document("", "").splitlines() if part.startswith("<text"))
    base, size = (float(line.split(f'{name}="')[1].split('"')[0]) for name in (" y", "font-size"))
    half = faces.width(figures, size, bold=True) / 2
    shape = SHAPES[seat]
    outline = seats.flat(shape, 0, seats.middle(shape, 0, 10), 10)
    top = base - faces.CAPITALS * size
    slack = 0.1 * size  # the corners of the box are empty, figures are round there
    box = [(x, y) for x in (-half + slack, half - slack) for y in (top + slack, base)]
    assert all(inside(corner, outline) for corner in box)


def test_no_count_no_figure() -> None:
    assert "<text" not in drawn("red", LIGHT, 0)


def test_arms_are_hatched() -> None:
    counts = {}
    for seat in LOOK["seats"]:
        canvas = Canvas(40, 40)
        seats.arms(canvas, seat, 20, 20, 10, PRINT, rim=1, line=0.3)
        counts[seat] = canvas.document("", "").count("M")
    assert all(count > 6 for count in counts.values())


@pytest.mark.parametrize("seat", SHAPES)
@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_hollow_pieces_look_different(seat: str, theme: Theme) -> None:
    """Bare with the seat's line on the screen; on paper, where all are bare, with a broken rim."""

    def path(hollow: bool) -> str:
        canvas = Canvas(100, 100)
        seats.piece(canvas, seat, 50, 50, 20, theme, rim=1, hollow=hollow)
        (line,) = [part for part in canvas.document("", "").splitlines() if part.startswith("<path")]
        return line

    assert path(True) != path(False)
    assert ("stroke-dasharray" in path(True)) == (theme is PRINT)
    assert "stroke-dasharray" not in path(False)
    if theme is not PRINT:
        assert f'fill="{theme.surface}" stroke="{theme.seats[seat].line}" stroke-width="2"' in path(True)
