"""A hex map as text for a terminal. Knows no game.

Every cell shows its name, a colon, the owner's letter and the count: `G5:r3`. `?` is out of sight, `.` is unowned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from polemos.pictures.hexmap import Cell

WIDTH: Final = 100  # columns, where nobody says how many there are
_HALVES: Final = (5, 4, 3)  # columns for half a hex, as many as there is room for
_columns: ContextVar[int | None] = ContextVar("columns", default=None)
_LABEL: Final = 3

# Bold, underlined, reversed, slanted: nobody has to see the colour.
STYLES: Final = {"red": "1;31", "green": "4;32", "blue": "7;94", "yellow": "3;33"}
_DIM: Final = "2"


@contextmanager
def fitted(columns: int | None) -> Iterator[None]:
    """Texts that are made meanwhile keep to so many columns, where they can."""
    token = _columns.set(columns)
    try:
        yield
    finally:
        _columns.reset(token)


def width(usual: int = WIDTH) -> int:
    """How many columns a text may have; `usual` where nobody says."""
    return _columns.get() or usual


def bands(count: int, cell: int, label: int, usual: int) -> list[range]:
    """The columns of a board in bands that fit side by side: one if there is room for all.

    >>> with fitted(40):
    ...     bands(20, 2, 4, 200), bands(20, 5, 4, 200)
    ([range(0, 18), range(18, 20)], [range(0, 7), range(7, 14), range(14, 20)])
    """
    most = max(1, (width(usual) - label) // cell)
    return [range(first, min(first + most, count)) for first in range(0, count, most)]


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
    across = max((cell.x for cell in cells), default=0) - left
    widest = max((len(mark(cell)) for cell in cells), default=0)
    half = next((half for half in _HALVES if _LABEL + half * across + widest <= width()), _HALVES[-1])
    rows: dict[int, list[Cell]] = {}
    for cell in cells:
        rows.setdefault(cell.y, []).append(cell)
    return [_row(sorted(rows[y], key=lambda cell: cell.x), left, half, colour) for y in sorted(rows, reverse=True)]


def _row(cells: Sequence[Cell], left: int, half: int, colour: bool) -> str:
    label = cells[0].name[1:]
    line, used = label.ljust(_LABEL), _LABEL
    for cell in cells:
        start = _LABEL + half * (cell.x - left)
        shown = mark(cell)
        line += " " * (start - used) + (_painted(shown, cell) if colour else shown)
        used = max(start, used) + len(shown)
    return line.rstrip()


def _painted(shown: str, cell: Cell) -> str:
    code = STYLES.get(cell.seat or "", "") if cell.seen else _DIM
    return f"\x1b[{code}m{shown}\x1b[0m" if code else shown
