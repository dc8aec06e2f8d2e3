"""Parts of a printed page in millimetres: paper sizes, rules, lists, folds and the seal. Knows no game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from polemos.pictures import faces, seats
from polemos.pictures.svg import Canvas, PictureError
from polemos.pictures.tokens import PRINT

INK: Final = PRINT.ink
MARGIN: Final = 12.0
STRIP: Final = 41.0  # the lowest part of the page, folded to the back, carries the seal


@dataclass(frozen=True)
class Paper:
    """A paper size, in portrait format."""

    width: float
    height: float

    @property
    def right(self) -> float:
        return self.width - MARGIN

    @property
    def fold(self) -> float:
        return self.height - STRIP


PAPERS: Final[Mapping[str, Paper]] = MappingProxyType({"a4": Paper(210, 297), "letter": Paper(215.9, 279.4)})

# Sizes for a list of names, with the number of lines that fit into the same height, and their spacing.
_STEPS: Final = ((5.4, 1, 6.5), (4.4, 2, 5.2), (3.4, 3, 4.0), (3.0, 4, 3.3), (2.4, 5, 2.7))


def paper_called(name: str) -> Paper:
    """The paper size with this name."""
    if name not in PAPERS:
        raise PictureError(f"There is no paper size {name!r}. Choose one of {', '.join(PAPERS)}.")
    return PAPERS[name]


def sheet(paper: Paper) -> Canvas:
    """A white page."""
    canvas = Canvas(paper.width, paper.height, "mm")
    canvas.rect(0, 0, paper.width, paper.height, fill=PRINT.page)
    return canvas


def rule(canvas: Canvas, x: float, y: float, *, to_x: float | None = None, to_y: float | None = None) -> None:
    """A thin line, horizontal or vertical."""
    end = (x if to_x is None else to_x, y if to_y is None else to_y)
    canvas.strokes([((x, y), end)], INK, 0.3)


def words(
    canvas: Canvas, text: str, x: float, y: float, size: float = 3.6, bold: bool = False, display: bool = False
) -> None:
    """A line of text in ink."""
    canvas.text(text, x, y, size, fill=INK, bold=bold, display=display)


def figures(canvas: Canvas, text: str, x: float, y: float, size: float = 3.6, bold: bool = False) -> None:
    """A number that ends at x."""
    canvas.text(text, x, y, size, fill=INK, bold=bold, anchor="end")


def listing(canvas: Canvas, names: Sequence[str], x: float, y: float, room: float, largest: float = 5.4) -> None:
    """Names in a box about 15 mm high, below the heading at y: large if there are few, smaller if there are many."""
    size, rows, pitch = _set(names, room, largest)
    for i, row in enumerate(rows):
        words(canvas, row, x, y + 1.1 + size + i * pitch, size, bold=True)


def _set(names: Sequence[str], room: float, largest: float) -> tuple[float, list[str], float]:
    """The size, lines and spacing at which the names fit; at the smallest size, the rest is cut off."""
    size, lines, pitch = _STEPS[-1]
    for step in _STEPS:
        rows = faces.wrap(names, step[0], room, bold=True)
        if step[0] <= largest and len(rows) <= step[1]:
            return step[0], rows, step[2]
    rows = faces.wrap(names, size, room, bold=True)
    last = faces.shorten(" ".join(rows[lines - 1 :]), size, room, bold=True)
    return size, [*rows[: lines - 1], last], pitch


def folds(canvas: Canvas, paper: Paper) -> None:
    """Fold marks: first the strip to the back, then the sheet in half, so only blank paper and the seal show."""
    line, half = paper.fold, paper.fold / 2
    canvas.strokes([((6, line), (paper.width - 6, line))], INK, 0.3, stroke_dasharray="3 2")
    canvas.text("1. fold this strip to the back", paper.width / 2, line - 1.2, 2.9, fill=INK, anchor="middle")
    marks = [((3.0, half), (9.0, half)), ((paper.width - 9, half), (paper.width - 3, half))]
    canvas.strokes(marks, INK, 0.3)
    canvas.text("2. fold in half, print on the inside", 6.5, half - 2, 2.9, fill=INK, upwards=True)


def seal(canvas: Canvas, paper: Paper, seat: str, name: str, sentence: str) -> None:
    """The seal, which shows when the page is folded: whose page it is, and who carries it."""
    top = paper.fold
    seats.arms(canvas, seat, 28, top + 19, 10.5, PRINT, rim=1, line=0.35)
    words(canvas, name, 45, top + 18.5, 13, display=True)
    words(canvas, sentence, 45, top + 28, 3.9)
    left = paper.right - 70
    for label, y in (("Carrier", top + 11.5), ("Left at", top + 20.0)):
        words(canvas, label, left, y)
        canvas.strokes([((left + 14, y + 0.6), (paper.right, y + 0.6))], INK, 0.25)
