"""One board of Minions in layers: ground, graveyards, coordinates, units, and the zones in the two free corners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor
from typing import Final

from polemos.games.minions.draw import facts
from polemos.games.minions.draw.glyphs import STONE
from polemos.games.minions.draw.pieces import Token, counted, wounded
from polemos.games.minions.maps import FILES, GRAVEYARD, PLAIN, SIDE, WATER, hex_of
from polemos.games.minions.view import BoardView, Setting, Unit
from polemos.pictures import faces, glyphs, seats
from polemos.pictures.hexmap import HexGrid
from polemos.pictures.svg import Canvas, Point, number, polygon
from polemos.pictures.tokens import PRINT, Theme

# In radii of a hex.
_HALF: Final = 3**0.5 / 2
WIDE: Final = (3 * SIDE - 1) * _HALF
HIGH: Final = 1.5 * (SIDE - 1) + 2
LABELS: Final = 1.15  # room for coordinates, on the left and below
PIECE: Final = 0.6
_INNER: Final = 0.87  # the line inside a graveyard
_PITCH: Final = 1.62  # from token to token in a zone
_SHRINK: Final = 0.92
_TRIES: Final = 30
_FINE: Final = 14.0  # pixels; smaller hexes have one wave


@dataclass(frozen=True)
class Drawing:
    """A board whose hexes have the radius `s`, in a box that begins at `left`, `top`; lines are at least `least`."""

    setting: Setting
    board: BoardView
    left: float
    top: float
    s: float
    theme: Theme
    turned: bool = False  # by half a turn, for Blue
    labelled: bool = True
    zones: bool = True
    least: float = 0.8

    @staticmethod
    def extent(labelled: bool) -> Point:
        """Width and height of the box, in radii."""
        return (WIDE + LABELS, HIGH + LABELS) if labelled else (WIDE, HIGH)

    @property
    def _start(self) -> float:
        """Where the hexes begin on the left."""
        return self.left + (LABELS * self.s if self.labelled else 0.0)

    @property
    def grid(self) -> HexGrid:
        return HexGrid(self.s, (self._start + _HALF * self.s, self.top + (HIGH - 1) * self.s))

    def cell(self, x: int, y: int) -> tuple[int, int]:
        """File and rank as a cell of the grid."""
        if self.turned:
            x, y = SIDE - 1 - x, SIDE - 1 - y
        return 2 * x + y, y

    def middle(self, unit: Unit) -> Point:
        return self.grid.middle(*self.cell(*facts.place(unit)))

    def _line(self, part: float) -> float:
        return max(self.least, part * self.s)

    def draw(self, canvas: Canvas) -> None:
        """Draws all layers."""
        self._ground(canvas)
        self._yards(canvas)
        if self.labelled:
            self._coordinates(canvas)
        for unit in self.board.units:
            self._unit(canvas, unit)
        for unit in self.board.units:
            self._damage(canvas, unit)
        for side in facts.SIDES if self.zones else ():
            self._zone(canvas, side, upper=(side == "blue") != self.turned)

    # ---- ground

    def _ground(self, canvas: Canvas) -> None:
        theme, line = self.theme, 0.03 * self.s if self.theme is not PRINT else 0.12
        cells: dict[int, list[tuple[int, int]]] = {PLAIN: [], WATER: [], GRAVEYARD: []}
        for hex, kind in enumerate(facts.ground(self.setting, self.board.number)):
            cells[kind].append(self.cell(hex % SIDE, hex // SIDE))
        fills = {PLAIN: theme.land, WATER: theme.water, GRAVEYARD: theme.grave}
        for kind, fill in fills.items():
            outline = "".join(polygon(self.grid.corners(*cell)) for cell in cells[kind])
            canvas.path(outline, fill=fill, stroke=theme.land_line, stroke_width=line)
        self.waves(canvas, cells[WATER])

    def bare(self, canvas: Canvas, cell: tuple[int, int]) -> None:
        """One plain hex, for a key."""
        theme = self.theme
        canvas.path(polygon(self.grid.corners(*cell)), fill=theme.land, stroke=theme.land_line, stroke_width=0.12)

    def waves(self, canvas: Canvas, cells: Sequence[tuple[int, int]]) -> None:
        """Two strokes on every hex of water, one where they would run together."""
        s = self.s
        fine = self.theme is PRINT or s >= _FINE
        rows = ((-0.55, -0.173), (-0.37, 0.173)) if fine else ((-0.444, 0.0),)
        step = f"{number(0.222 * s)} 0"
        drawn = ""
        for cell in cells:
            x, y = self.grid.middle(*cell)
            for dx, dy in rows:
                first = f"q{number(0.111 * s)} {number(-0.144 * s)} {step}"
                drawn += f"M{number(x + dx * s)} {number(y + dy * s)}{first}" + f"t{step}" * 3
        line = max(0.15 if self.theme is PRINT else 0.8, 0.045 * s)
        canvas.path(drawn, fill="none", stroke=self.theme.wave, stroke_width=line, stroke_linecap="round")

    def _yards(self, canvas: Canvas) -> None:
        for hex, holder in facts.yards(self.setting, self.board).items():
            rank, file = divmod(hex_of(hex), SIDE)
            self.yard(canvas, self.cell(file, rank), holder)

    def yard(self, canvas: Canvas, cell: tuple[int, int], holder: str) -> None:
        """A graveyard: a line inside and a stone; held, the line is heavy and the holder's."""
        theme = self.theme
        inner = polygon(self.grid.corners(*cell, part=_INNER))
        if holder:
            tone, line = theme.seats[holder].line, self._line(0.11)
        else:
            tone, line = theme.ink_3, max(0.12 if theme is PRINT else 0.6, 0.05 * self.s)
            glyphs.silhouette(canvas, STONE, *self.grid.middle(*cell), 0.84 * self.s, tone)
        canvas.path(inner, fill="none", stroke=tone, stroke_width=line, stroke_linejoin="round")

    def _coordinates(self, canvas: Canvas) -> None:
        """Letters below the lowest rank, digits left of the first file."""
        least, most = (2.0, 3.3) if self.theme is PRINT else (11.0, 14.0)
        size = max(least, min(most, 0.42 * self.s))
        drop = size * faces.CAPITALS / 2
        for i in range(SIDE):
            named = SIDE - 1 - i if self.turned else i
            x, y = self.grid.middle(2 * i, 0)
            canvas.text(FILES[named], x, y + 1.5 * self.s + drop, size, fill=self.theme.ink_3, anchor="middle")
            x, y = self.grid.middle(i, i)
            canvas.text(str(named), x - 1.42 * self.s, y + drop, size, fill=self.theme.ink_3, anchor="middle")

    # ---- units

    def _unit(self, canvas: Canvas, unit: Unit) -> None:
        hollow = facts.spent(self.setting, unit)
        token = Token(unit.side, unit.type, unit.letter, facts.second(self.setting, unit), hollow)
        token.draw(canvas, *self.middle(unit), PIECE * self.s, self.theme, self.least)

    def _damage(self, canvas: Canvas, unit: Unit) -> None:
        rest = facts.left(self.setting, unit)
        if rest is not None:
            wounded(canvas, *self.middle(unit), PIECE * self.s, rest, self.theme)

    # ---- zones

    def _zone(self, canvas: Canvas, side: str, *, upper: bool) -> None:
        """The reserve of a side in the upper left or the lower right, row upon row from the edge of the board."""
        kept = facts.zone(self.setting, self.board, side)
        size = max(2.4, min(3.4, 0.5 * self.s)) if self.theme is PRINT else max(11.0, min(15.0, 0.5 * self.s))
        self._caption(canvas, side, "Reserve" if kept else "No reserve", size, upper)
        part, slots = self._slots(len(kept), 1.55 * size / self.s, upper)
        r = part * PIECE * self.s
        for (name, letter, count), (across, along) in zip(kept, slots, strict=False):
            x, y = self._corner(across, along, upper)
            Token(side, name, letter).draw(canvas, x, y, r, self.theme, self.least)
            if count > 1:
                counted(canvas, x, y, r, count, part * _PITCH * self.s, self.theme)

    def _corner(self, across: float, along: float, upper: bool) -> Point:
        """A point by its way, in radii, from the upper left or the lower right corner of the board."""
        if upper:
            return self.left + across * self.s, self.top + along * self.s
        return self._start + (WIDE - across) * self.s, self.top + (HIGH - along) * self.s

    def _caption(self, canvas: Canvas, side: str, words: str, size: float, upper: bool) -> None:
        wide = faces.width(words, size)
        x, y = self._corner(0.0, 0.0, upper)
        first = x + 1.35 * size if upper else x - wide
        base = y + size if upper else y - 0.15 * size
        rim = max(0.25 if self.theme is PRINT else 0.8, 0.08 * size)
        seats.piece(canvas, side, first - 0.75 * size, base - 0.36 * size, 0.46 * size, self.theme, rim=rim)
        canvas.text(words, first, base, size, fill=self.theme.ink_2)

    def _slots(self, count: int, start: float, upper: bool) -> tuple[float, list[Point]]:
        """Places for so many tokens, and how large they then are; they shrink until all have room."""
        part = 1.0
        for _ in range(_TRIES):
            places = list(self._rows(part, start, count, upper))
            if len(places) >= count:
                return part, places
            part *= _SHRINK
        return part, list(self._rows(part, start, count, upper))

    def _rows(self, part: float, start: float, count: int, upper: bool) -> Iterator[Point]:
        """The places of tokens of a size, row by row: as many as lie clear of the hexes and their digits."""
        high = _PITCH * part
        spare = 0.1 if upper and self.labelled else -0.35
        along, given = start, 0
        while given < count:
            rank = SIDE - 1 - floor((along + high) / 1.5)
            fits = floor((_HALF * rank + spare) / high) if rank > 0 else 0
            if fits < 1:
                return
            fits = min(fits, count - given)
            for i in range(fits):
                turn = i if upper else fits - 1 - i  # words read from the left on either side
                yield (turn + 0.5) * high, along + high / 2
            given += fits
            along += high
