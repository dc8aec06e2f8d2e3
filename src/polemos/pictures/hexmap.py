"""A map of pointy-topped hexes in layers: ground, hatching, borders, front, names, stars, pieces.

Knows no game: a cell has a name, perhaps an owner and a count, and may be out of sight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from polemos.pictures import faces, seats
from polemos.pictures.hatch import hatching
from polemos.pictures.marks import star
from polemos.pictures.svg import Canvas, Point, Segment, polygon
from polemos.pictures.tokens import PRINT, Theme

# Corners and the neighbours across the sides that follow them, clockwise from the top. One step of x is half a hex
# wide, one of y half a radius: whole numbers, so that shared corners are exactly equal.
_CORNERS: Final = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
_SIDES: Final = ((1, 1), (2, 0), (1, -1), (-1, -1), (-2, 0), (-1, 1))
_HALF: Final = 3**0.5 / 2
GAP: Final = 3**0.5 / 10  # of the hatching: ten lines per hex, so vertical lines never double vertical borders


@dataclass(frozen=True)
class Cell:
    """A hex of the map; `x` counts half hexes to the right, `y` rows upwards. Out of sight it only has a name."""

    name: str
    x: int
    y: int
    seen: bool = False
    seat: str | None = None
    count: int = 0
    star: bool = False
    note: str = ""  # a word instead of an owner


@dataclass(frozen=True)
class Style:
    """Measurements of a map, as fractions of the hex radius, except the widths of lines on paper."""

    hatch: float
    border: float
    front: float
    fog: float  # diameter of the dots
    rim: float
    halo: float
    piece: float  # radius
    drop: float  # how far the piece is below the middle
    name: float  # size of names in sight
    name_at: float  # their baseline
    fog_name: float
    letters: bool  # whether to show the owner's letter and white plates, for maps without colour


@dataclass(frozen=True)
class Sides:
    """The borders of a map, by what they separate."""

    inner: list[Segment] = field(default_factory=list)
    front: list[Segment] = field(default_factory=list)
    edge: list[Segment] = field(default_factory=list)
    fog: list[Segment] = field(default_factory=list)


@dataclass(frozen=True)
class HexGrid:
    """The layout of hexes of radius `scale`; the middle of hex 0,0 is at `origin`. x and y are as in a cell."""

    scale: float
    origin: Point

    def middle(self, x: int, y: int) -> Point:
        return self.place(x, 3 * y)

    def place(self, x: float, halves: float) -> Point:
        """A point that is `halves` half radii above the middle of row 0."""
        ox, oy = self.origin
        return ox + x * _HALF * self.scale, oy - halves * self.scale / 2

    def corners(self, x: int, y: int, part: float = 1.0) -> list[Point]:
        """The corners of a hex, or of a smaller one inside it."""
        return [self.place(x + part * dx, 3 * y - part * dy) for dx, dy in _CORNERS]


@dataclass(frozen=True)
class HexMap:
    """Cells laid out around `origin` with hexes of radius `scale`."""

    cells: Sequence[Cell]
    scale: float
    origin: Point
    theme: Theme
    style: Style

    @property
    def grid(self) -> HexGrid:
        return HexGrid(self.scale, self.origin)

    def middle(self, cell: Cell) -> Point:
        return self.grid.middle(cell.x, cell.y)

    def army(self, cell: Cell) -> Point:
        """The place of the piece in a cell."""
        x, y = self.middle(cell)
        return x, y + self.style.drop * self.scale

    def corners(self, cell: Cell) -> list[Point]:
        return self.grid.corners(cell.x, cell.y)

    def sides(self) -> Sides:
        """Every border, listed once."""
        found = Sides()
        for cell, other, side in self._pairs():
            if not cell.seen and (other is None or not other.seen):
                found.fog.append(side)
            elif not cell.seen or other is None or not other.seen:
                found.edge.append(side)
            elif cell.seat == other.seat:
                found.inner.append(side)
            else:
                found.front.append(side)
        return found

    def _pairs(self) -> Iterator[tuple[Cell, Cell | None, Segment]]:
        at = {(cell.x, cell.y): cell for cell in self.cells}
        for cell in self.cells:
            corners = self.corners(cell)
            for i, (dx, dy) in enumerate(_SIDES):
                other = at.get((cell.x + dx, cell.y + dy))
                if other is None or i < 3:  # the other three are drawn from the other side
                    yield cell, other, (corners[i], corners[(i + 1) % 6])

    def draw(self, canvas: Canvas) -> None:
        """Draws all layers."""
        seen = [cell for cell in self.cells if cell.seen]
        self._ground(canvas, seen)
        self._borders(canvas)
        for cell in self.cells:
            if cell.seen:
                self._seen(canvas, cell)
            else:
                self._fogged(canvas, cell)

    def _ground(self, canvas: Canvas, seen: Sequence[Cell]) -> None:
        owners = sorted({cell.seat for cell in seen if cell.seat})
        if self.theme is not PRINT:
            for cell in seen:
                fill = self.theme.seats[cell.seat].tint if cell.seat else self.theme.land
                canvas.path(polygon(self.corners(cell)), fill=fill)
        for seat in owners:
            lines = [
                line
                for cell in seen
                if cell.seat == seat
                for line in hatching(seat, self.corners(cell), GAP * self.scale, self.origin)
            ]
            canvas.strokes(lines, self.theme.seats[seat].hatch, self.style.hatch, **seats.ends(seat))

    def _borders(self, canvas: Canvas) -> None:
        """On screen, borders inside a territory are light; the front runs between different owners."""
        sides, style, theme = self.sides(), self.style, self.theme
        inner = theme.ink if theme is PRINT else theme.surface
        dots = f"0.01 {self.scale / 9 - 0.01:.4f}"  # nine per side, so that each corner has exactly one
        canvas.strokes(sides.inner, inner, style.border, stroke_linecap="round")
        canvas.strokes(sides.fog, theme.fog_line, style.fog, stroke_dasharray=dots, stroke_linecap="round")
        canvas.strokes(sides.edge, theme.line_strong, style.border, stroke_linecap="round")
        canvas.strokes(sides.front, theme.ink, style.front, stroke_linecap="round")

    def _fogged(self, canvas: Canvas, cell: Cell) -> None:
        x, y = self.middle(cell)
        size = self.style.fog_name
        base = y + size * faces.CAPITALS / 2
        canvas.text(cell.name, x, base, size, fill=self.theme.ink_3, anchor="middle")
        if cell.star:
            star(canvas, x, y + 0.4 * self.scale, 0.34 * self.scale, self.theme.ink_3)

    def _seen(self, canvas: Canvas, cell: Cell) -> None:
        x, y = self.middle(cell)
        style, theme = self.style, self.theme
        self._label(canvas, cell.name, x, y + style.name_at * self.scale, style.name)
        if cell.note:
            self._label(canvas, cell.note, x, y + 0.1 * self.scale, 0.88 * style.name, bold=False)
        self._below(canvas, cell, x, y)
        if cell.seat and cell.count:
            ax, ay = self.army(cell)
            radius = style.piece * self.scale
            seats.piece(canvas, cell.seat, ax, ay, radius, theme, rim=style.rim, halo=style.halo, count=cell.count)

    def _below(self, canvas: Canvas, cell: Cell, x: float, y: float) -> None:
        """The owner's letter and the star, side by side if there are both."""
        s, theme = self.scale, self.theme
        if not (self.style.letters and cell.seat):
            if cell.star:
                star(canvas, x, y + 0.67 * s, 0.34 * s, theme.ink)
            return
        aside = 0.19 * s if cell.star else 0.0
        if cell.star:
            canvas.rect(x - 0.04 * s, y + 0.4 * s, 0.46 * s, 0.36 * s, fill=theme.page)
            star(canvas, x + aside, y + 0.585 * s, 0.38 * s, theme.ink)
        self._label(canvas, cell.seat[0].upper(), x - aside, y + 0.69 * s, 1.06 * self.style.name)

    def _label(self, canvas: Canvas, words: str, x: float, base: float, size: float, bold: bool = True) -> None:
        """Text centred on x; on paper it is on a white plate, so that no hatching runs through it."""
        if self.style.letters:
            wide = faces.width(words, size, bold=bold) + 0.36 * size
            high = 1.1 * size
            top = base - size * faces.CAPITALS / 2 - high / 2
            canvas.rect(x - wide / 2, top, wide, high, rx=0.3 * size, fill=self.theme.page)
        fill = self.theme.ink if self.style.letters else self.theme.ink_2
        canvas.text(words, x, base, size, fill=fill, bold=bold and self.style.letters, anchor="middle")


def on_paper() -> Style:
    """The style for paper, in millimetres."""
    return Style(
        hatch=0.16, border=0.3, front=1.1, fog=0.35, rim=0.6, halo=0.7, piece=0.34, drop=0.0,
        name=3.3, name_at=-0.47, fog_name=3.3, letters=True,
    )  # fmt: skip


def on_screen(scale: float) -> Style:
    """The style for a screen, in pixels, for hexes of radius `scale`."""
    return Style(
        hatch=0.022 * scale, border=0.035 * scale, front=0.06 * scale, fog=0.032 * scale, rim=0.024 * scale,
        halo=0.025 * scale, piece=0.36, drop=0.08, name=0.23 * scale, name_at=-0.6, fog_name=0.25 * scale,
        letters=False,
    )  # fmt: skip
