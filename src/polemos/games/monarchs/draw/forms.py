"""Paper for the courts: order forms and blank boards, in ink on white."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from polemos.games.monarchs.board import BASES, NAMES, POINTS
from polemos.pictures import blocks, faces, glyphs, seats, sheet
from polemos.pictures.hexmap import Cell, HexMap, on_paper
from polemos.pictures.sheet import INK, MARGIN, Paper, words
from polemos.pictures.svg import Canvas, clean
from polemos.pictures.tokens import PRINT

LINES: Final = 12
_PITCH: Final = 12.0  # between lines
_BOX: Final = 9.0
_LEFT: Final = 88.0  # how wide the list of lines is

_ADVICE: Final = (
    ("A line counts", "if both hexes touch, the regiments are yours and enough are left. Lines are read from the top."),
    ("Example:", "G5 to H4, 3 sends three regiments from G5 to H4. Regiments without a line stay."),
    ("Be at the desk", "before the clock shows 0:00. A late sheet counts as empty."),
)  # fmt: skip


def empty_cells() -> list[Cell]:
    """The board with nothing on it but names and home bases."""
    return [Cell(name, *POINTS[hex], star=hex in BASES) for hex, name in enumerate(NAMES)]


def order_form(nation: str, turn: int, paper: str = "a4", title: str = "") -> str:
    """A sheet for the orders of one nation and turn: lines, one blessing, a sketch, and a strip for the desk."""
    size = sheet.paper_called(paper)
    canvas = sheet.sheet(size)
    lines = (f"Orders for turn {turn}", "Write clearly. Capital letter, digit, number.", clean(title))
    blocks.head(canvas, size, nation, nation.upper(), "Monarchs", lines, "")
    top = 37.0
    _lines(canvas, top, (size.fold - top - 30) / LINES)
    _sketch(canvas, MARGIN + _LEFT + 6, size.right, top)
    _signatures(canvas, size)
    sheet.folds(canvas, size)
    _strip(canvas, size, nation, turn)
    return canvas.document(f"Orders for turn {turn}", f"A blank order form of {nation.capitalize()} for turn {turn}.")


def _lines(canvas: Canvas, top: float, pitch: float) -> None:
    pitch = min(_PITCH, pitch)
    for label, x in (("From", MARGIN + 8), ("To", MARGIN + 43.5), ("How many", MARGIN + 71.5)):
        words(canvas, label, x, top + 1.5, bold=True)
    for number in range(LINES):
        y = top + 5 + pitch * number
        middle = y + _BOX / 2
        words(canvas, str(number + 1), MARGIN + 0.5, middle + 1.3)
        for x in (8.5, 19.5, 43.5, 54.5, 77):
            canvas.rect(MARGIN + x, y, _BOX + 0.6, _BOX, fill="none", stroke=INK, stroke_width=0.35)
        arrow = MARGIN + 34.5
        canvas.strokes([((arrow, middle), (arrow + 6, middle))], INK, 0.45)
        canvas.path(
            f"M{arrow + 4:.2f} {middle - 1.7:.2f}L{arrow + 6:.2f} {middle:.2f}L{arrow + 4:.2f} {middle + 1.7:.2f}",
            fill="none", stroke=INK, stroke_width=0.45,
        )  # fmt: skip
        sheet.rule(canvas, MARGIN, y + _BOX + (pitch - _BOX) / 2, to_x=MARGIN + _LEFT)


def _sketch(canvas: Canvas, left: float, right: float, top: float) -> None:
    """The right half: an empty board, the blessing, and when a line counts."""
    scale = (right - left) / (9 * 3**0.5)
    middle = top + 7 * scale
    style = replace(on_paper(), fog_name=2.6, fog=0.3)
    HexMap(empty_cells(), scale, ((left + right) / 2, middle), PRINT, style).draw(canvas)
    y = middle + 7 * scale + 4
    words(canvas, "For your own sketch. Only the lines on the left count.", left, y, 3.2)
    y += 5
    canvas.rect(left, y, right - left, 22, rx=2, fill="none", stroke=INK, stroke_width=0.6)
    glyphs.glyph(canvas, "rays", left + 11, y + 11, 11, INK)
    canvas.disc(left + 11, y + 11, 1.6, fill=INK)
    words(canvas, "Bless", left + 20, y + 10.5, 6, bold=True)
    words(canvas, "one hex, if you like", left + 20, y + 16.5, 3.5)
    for x in (31.0, 19.0):
        canvas.rect(right - x, y + 5.5, 11, 11, fill="none", stroke=INK, stroke_width=0.35)
    y += 32
    for bold, sentence in _ADVICE:
        y = blocks.paragraph(canvas, bold, sentence, left, right, y, 3.5, 4.6) + 1.5


def _signatures(canvas: Canvas, size: Paper) -> None:
    y = size.fold - 20
    room = size.right - MARGIN
    for label, start, end in (
        ("Monarch's signature", 0.0, 0.36),
        ("Carrier", 0.41, 0.71),
        ("Left the court at", 0.76, 1.0),
    ):
        sheet.rule(canvas, MARGIN + start * room, y, to_x=MARGIN + end * room)
        words(canvas, label, MARGIN + start * room, y + 4.5, 3.3)


def _strip(canvas: Canvas, size: Paper, nation: str, turn: int) -> None:
    """What shows when the form is folded: the nation and the turn, and room for the desk to write."""
    top = size.fold
    seats.arms(canvas, nation, 28, top + 19, 8.2, PRINT, rim=0.9, line=0.3)
    words(canvas, nation.upper(), 45, top + 17, 10, display=True)
    words(canvas, f"Orders, turn {turn}. For the gamerunners only.", 45, top + 25.5, 3.6)
    left = size.right - 72
    for label, y in (("Carrier", top + 12.5), ("Arrived", top + 23.0)):
        words(canvas, label, left, y)
        canvas.strokes([((left + 14, y + 0.6), (size.right, y + 0.6))], INK, 0.25)


def blank_board(nation: str, paper: str = "a4", title: str = "") -> str:
    """A map to be filled in by hand, for the case that the printer fails. It folds like a printed one."""
    size = sheet.paper_called(paper)
    canvas = sheet.sheet(size)
    lines = ("For the orders of turn", "Owners by letter or hatching, regiments as numbers.", clean(title))
    blocks.head(canvas, size, nation, nation.upper(), "Monarchs", lines, "")
    after = blocks.COLUMN + faces.width(f"{lines[0]} ", 6.2, bold=True)
    sheet.rule(canvas, after, 16.5, to_x=after + 12)
    low = size.fold - 32
    scale = min((size.right - MARGIN) / (9 * 3**0.5), (low - 36) / 14)
    cells = [replace(cell, seen=True) for cell in empty_cells()]
    HexMap(cells, scale, (size.width / 2, 34 + 7 * scale), PRINT, on_paper()).draw(canvas)
    for i, label in enumerate(("Victories", "Defeats", "Score of the turn")):
        words(canvas, label, MARGIN, low + 6 + 8.5 * i, bold=True)
        sheet.rule(canvas, MARGIN + 34, low + 6.6 + 8.5 * i, to_x=size.right)
    sheet.folds(canvas, size)
    sentence = f"Sealed map. To be opened in the {nation} court only."
    sheet.seal(canvas, size, nation, nation.upper(), sentence)
    return canvas.document(
        "Blank map", f"A map for {nation.capitalize()} with nothing on it but the names of its hexes."
    )
