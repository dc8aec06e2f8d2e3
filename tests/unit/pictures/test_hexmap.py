"""Maps of hexes, as picture and as text."""

from __future__ import annotations

from polemos.pictures import terminal
from polemos.pictures.hexmap import Cell, HexGrid, HexMap, on_paper, on_screen
from polemos.pictures.svg import Canvas
from polemos.pictures.tokens import LIGHT, PRINT

POINTS = [(x, y) for y in range(4, -5, -1) for x in range(-8 + abs(y), 9 - abs(y), 2)]


def cells(seen: int) -> list[Cell]:
    """A board of which the first hexes are in sight, by turns red and nobody's."""
    made = []
    for i, (x, y) in enumerate(POINTS):
        name = "ABCDEFGHIJKLMNOPQ"[x + 8] + str(y + 5)
        if i < seen:
            made.append(Cell(name, x, y, True, None if i % 3 else "red", i, note="" if i % 3 == 0 else "nobody"))
        else:
            made.append(Cell(name, x, y))
    return made


def on_sheet(shown: list[Cell]) -> HexMap:
    return HexMap(shown, 12.1, (105, 120), PRINT, on_paper())


def test_every_border_is_drawn_once() -> None:
    for seen in (0, 30, 61):
        sides = on_sheet(cells(seen)).sides()
        every = [*sides.inner, *sides.front, *sides.edge, *sides.fog]
        ends = {frozenset(side) for side in every}
        assert len(every) == len(ends) == 156 + 54


def test_borders_by_what_they_part() -> None:
    pair = [Cell("A1", 0, 0, True, "red"), Cell("C1", 2, 0, True, "blue"), Cell("E1", 4, 0)]
    sides = on_sheet(pair).sides()
    assert len(sides.front) == 1
    assert len(sides.inner) == 0
    assert len(sides.edge) == 5 + 5
    assert len(sides.fog) == 5


def test_fog_holds_nothing_but_names() -> None:
    canvas = Canvas(210, 297, "mm")
    on_sheet(cells(0)).draw(canvas)
    document = canvas.document("", "")
    assert document.count("<text") == 61
    assert document.count("<path") == 1  # the dotted outline
    assert "<rect" not in document


def test_screen_has_ground_and_paper_has_plates() -> None:
    paper, screen = Canvas(210, 297, "mm"), Canvas(1280, 1200)
    on_sheet(cells(30)).draw(paper)
    HexMap(cells(30), 78, (640, 600), LIGHT, on_screen(78)).draw(screen)
    assert "<rect" in paper.document("", "")
    assert LIGHT.seats["red"].tint in screen.document("", "")
    assert LIGHT.land in screen.document("", "")


def test_marks_of_the_terminal() -> None:
    assert terminal.mark(Cell("G5", 0, 0, True, "red", 3)) == "G5:r3"
    assert terminal.mark(Cell("D8", 0, 0, True, "red")) == "D8:r"
    assert terminal.mark(Cell("I5", 0, 0, True)) == "I5:."
    assert terminal.mark(Cell("K7", 0, 0)) == "K7:?"
    assert terminal.mark(Cell("A5", 0, 0, True, "blue", 123, True)) == "A5:b123*"


def test_colour_changes_no_letter() -> None:
    plain = terminal.lines(cells(30), colour=False)
    painted = terminal.lines(cells(30), colour=True)
    assert plain != painted
    assert len(plain) == 9
    for one, two in zip(plain, painted, strict=True):
        for code in ("1;31", "4;32", "7;94", "2", "0"):
            two = two.replace(f"\x1b[{code}m", "")
        assert one == two


def test_a_smaller_hex_lies_inside() -> None:
    """Corners of a part of a hex lie on the way from its middle to its corners; the whole one is that of a map."""
    grid, one = HexGrid(12.1, (105, 120)), Cell("C1", 2, 3)
    assert grid.corners(2, 3) == on_sheet([one]).corners(one)
    mx, my = grid.middle(2, 3)
    for (ax, ay), (bx, by) in zip(grid.corners(2, 3), grid.corners(2, 3, part=0.5), strict=True):
        assert abs((ax + mx) / 2 - bx) < 1e-9
        assert abs((ay + my) / 2 - by) < 1e-9
