"""A hex map as text for a terminal. Knows no game.

Every cell shows its name, a colon, the owner's letter and the count: `G5:r3`. `?` is out of sight, `.` is unowned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polemos.pictures.hexmap import Cell

WIDTH: Final = 100
_HALF: Final = 5  # columns for half a hex
_LABEL: Final = 3

# Bold, underlined, reversed, slanted: nobody has to see the colour.
STYLES: Final = {"red": "1;31", "green": "4;32", "blue": "7;94", "yellow": "3;33"}
_DIM: Final = "2"


def mark(cell: Cell) -> str:
    """One cell in letters; a star marks a home base.

    >>> mark(Cell("G5", -2, 0, seen=True, seat="red", count=3)), mark(Cell("K7", 2, 2, star=True))
    ('G5:r3', 'K7:?*')
    """
    if not cell.seen:
        what = "?"
    elif cell.seat is None:
        what = "."
    else:
        what = cell.seat[0] + (str(cell.count) if cell.count else "")
    return f"{cell.name}:{what}" + ("*" if cell.star else "")


def lines(cells: Sequence[Cell], colour: bool) -> list[str]:
    """The map row by row from the top, each row with its number in front."""
    left = min((cell.x for cell in cells), default=0)
    rows: dict[int, list[Cell]] = {}
    for cell in cells:
        rows.setdefault(cell.y, []).append(cell)
    return [_row(sorted(rows[y], key=lambda cell: cell.x), left, colour) for y in sorted(rows, reverse=True)]


def _row(cells: Sequence[Cell], left: int, colour: bool) -> str:
    label = cells[0].name[1:]
    line, used = label.ljust(_LABEL), _LABEL
    for cell in cells:
        start = _LABEL + _HALF * (cell.x - left)
        shown = mark(cell)
        line += " " * (start - used) + (_painted(shown, cell) if colour else shown)
        used = max(start, used) + len(shown)
    return line.rstrip()


def _painted(shown: str, cell: Cell) -> str:
    code = STYLES.get(cell.seat or "", "") if cell.seen else _DIM
    return f"\x1b[{code}m{shown}\x1b[0m" if code else shown
