"""The board of Monad in layers: ground, grid, buildings, starts, stacks, ore in figures, points, selection."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from polemos.games.monad.draw.facts import PIPS, STEPS, block, blocked, far, ore_left, pips, radius, short, step
from polemos.games.monad.view import Building, Setting, Stack, View
from polemos.pictures import faces, glyphs, meters, seats
from polemos.pictures.hatch import hatching
from polemos.pictures.squares import Squares, Tile
from polemos.pictures.svg import Canvas, Segment
from polemos.pictures.tokens import PRINT, Theme

MAX: Final = 40  # tiles a side; above that no figures and no hatching
SMALL: Final = 7.5  # millimetres; on smaller tiles of a page ore is left out
_START: Final = 0.4  # radius of the mark, in tiles
_DASHES: Final = "0.5 0.4"  # on paper
_GAP: Final = 2.1  # millimetres between the lines of hatching

# The size of one to four figures on a piece, in tiles.
_FIGURES: Final = {
    "square": (0.38, 0.35, 0.31, 0.25),
    "circle": (0.38, 0.35, 0.31, 0.25),
    "triangle": (0.35, 0.315, 0.265, 0.21),
    "diamond": (0.35, 0.325, 0.285, 0.25),
}


def crossed(tiles: Collection[Tile], parts: int) -> list[tuple[Tile, Tile]]:
    """Lines that rise and lines that fall over each tile, in parts of a tile; no seat has both."""
    lines = []
    for x, y in sorted(tiles):
        left, top = x * parts, y * parts
        for k in range(1, 2 * parts):
            a, b = max(0, k - parts), min(k, parts)
            lines += [
                ((left + a, top + b), (left + b, top + a)),
                ((left + a, top + parts - b), (left + b, top + parts - a)),
            ]
    return lines


@dataclass(frozen=True)
class Drawing:
    """A position laid out on the tiles of `grid`; lines are never thinner than `least`."""

    setting: Setting
    view: View
    grid: Squares
    theme: Theme
    ore: str = "shade"
    least: float = 0.8

    @property
    def printed(self) -> bool:
        return self.theme is PRINT

    @property
    def figured(self) -> bool:
        """Whether tiles are large enough for figures."""
        return max(self.grid.columns, self.grid.rows) <= MAX

    @property
    def ore_figured(self) -> bool:
        return self.ore == "figures" and self.figured and not (self.printed and self.grid.side < SMALL)

    @property
    def _parts(self) -> int:
        """Lines of hatching to a tile; on paper their distance is the same for all tiles."""
        return max(2, round(self.grid.side / _GAP)) if self.printed else 4

    def _line(self, part: float) -> float:
        return max(self.least, part * self.grid.side)

    def draw(self, canvas: Canvas, inspected: Tile | None = None) -> None:
        """Draws all layers, with a frame around one tile."""
        stood = {(stack.x, stack.y) for stack in self.view.stacks}
        self._ground(canvas)
        for building in self.view.buildings:
            self.building(canvas, building, sign=far(building) not in stood)
        for seat, tile in self.setting.starts.items():
            self.start(canvas, seat, tile)
        for stack in self.view.stacks:
            self.stack(canvas, stack)
        if self.ore_figured:
            self._amounts(canvas, stood)
        if self.figured:
            for building in self.view.buildings:
                self._points(canvas, building)
        if inspected:
            self._selected(canvas, inspected)

    # ---- ground

    def _ground(self, canvas: Canvas) -> None:
        """Sand by the ore that is left, blocked tiles, the grid, the coordinates."""
        grid, theme, s = self.grid, self.theme, self.grid.side
        shaded = self.ore == "shade" or (self.ore == "figures" and not self.figured)
        sand: list[list[Tile]] = [[] for _ in range(STEPS)]
        for tile, left in ore_left(self.setting, self.view).items():
            sand[step(left) if shaded else 0].append(tile)
        for tone, tiles in zip(theme.ore, sand, strict=True):
            canvas.path(grid.outline(tiles), fill=tone)
        self.blocked(canvas, blocked(self.setting))
        (left_x, top), (right, low) = grid.place(0, 0), grid.place(grid.columns, grid.rows)
        lines: list[Segment] = []
        lines += [((grid.place(x, 0)[0], top), (grid.place(x, 0)[0], low)) for x in range(grid.columns + 1)]
        lines += [((left_x, grid.place(0, y)[1]), (right, grid.place(0, y)[1])) for y in range(grid.rows + 1)]
        if self.printed:
            canvas.strokes(lines, theme.ink, 0.1)
            canvas.rect(left_x, top, right - left_x, low - top, fill="none", stroke=theme.ink, stroke_width=0.3)
        else:
            canvas.strokes(lines, theme.page, 0.03 * s)
        size = max(1.7, min(3.3, 0.24 * s)) if self.printed else max(10.0, min(14.0, 0.28 * s))
        grid.coordinates(canvas, size, theme.ink_3)

    def blocked(self, canvas: Canvas, tiles: Collection[Tile]) -> None:
        """Crossed lines; where nothing is hatched, plain ink."""
        grid, theme = self.grid, self.theme
        around = grid.outline(tiles)
        if not self.printed and not self.figured:
            canvas.path(around, fill=theme.ink_3)
            return
        canvas.path(around, fill=theme.sunken)
        parts = self._parts
        lines = [(grid.place(ax / parts, ay / parts), grid.place(bx / parts, by / parts))
                 for (ax, ay), (bx, by) in crossed(tiles, parts)]  # fmt: skip
        canvas.strokes(lines, theme.line_strong, 0.16 if self.printed else self._line(0.03))

    # ---- buildings

    def building(self, canvas: Canvas, building: Building, sign: bool = True) -> None:
        """The block in the owner's tint and hatching, its core bare, and a sign on the tile across from the core."""
        grid, theme, s, tones = self.grid, self.theme, self.grid.side, self.theme.seats[building.owner]
        gap, edge = 0.06, self._line(0.075) if not self.printed else max(0.35, 0.06 * s)
        x, y = block(building)[0]
        (left, top), side = grid.place(x + gap, y + gap), (2 - 2 * gap) * s
        box = (left, top, side, side)
        canvas.rect(*box, rx=0.12 * s, fill=tones.tint)
        if self.printed or self.figured:
            self._hatch(canvas, building.owner, left, top, side)
        canvas.rect(*box, rx=0.12 * s, fill="none", stroke=tones.line, stroke_width=edge)
        inner = edge / 2 / s + gap  # the core begins where the border ends
        right, low = building.x == x, building.y == y
        core = grid.place(building.x + (inner if right else 0), building.y + (inner if low else 0))
        rim = 0.2 if self.printed else self._line(0.03)
        canvas.rect(*core, (1 - inner) * s, (1 - inner) * s, rx=0.07 * s, fill=theme.surface, stroke=tones.line,
                    stroke_width=rim)  # fmt: skip
        if sign:
            self._sign(canvas, building)

    def _hatch(self, canvas: Canvas, seat: str, left: float, top: float, side: float) -> None:
        """The lines of all buildings of a seat have one phase."""
        parts = self._parts
        corners = [(left, top), (left + side, top), (left + side, top + side), (left, top + side)]
        lines = hatching(seat, corners, self.grid.side / parts, self.grid.place(0.5 / parts, 0.5 / parts))
        dots = seat == "yellow"
        width = (0.35 if dots else 0.16) if self.printed else self._line(0.045 if dots else 0.03)
        canvas.strokes(lines, self.theme.seats[seat].hatch, width, **seats.ends(seat))

    def _sign(self, canvas: Canvas, building: Building) -> None:
        """A hammer; where nothing is hatched, the owner's shape, hollow."""
        s, theme, tones = self.grid.side, self.theme, self.theme.seats[building.owner]
        x, y = self.grid.middle(far(building))
        if self.figured:
            if self.printed:
                canvas.disc(x, y, 0.3 * s, fill=theme.page)
            glyphs.glyph(canvas, "hammer", x, y, (0.44 if self.printed else 0.52) * s, tones.text)
            return
        if self.printed:  # it could be taken for a stack, and the hatching suffices
            return
        shape = seats.SHAPES[building.owner]
        form = seats.outline(shape, x, seats.middle(shape, y, 0.2 * s), 0.2 * s)
        canvas.path(form, fill=tones.tint, stroke=tones.line, stroke_width=self._line(0.07))

    def _points(self, canvas: Canvas, building: Building) -> None:
        """Five pips on the core's lower edge, filled by the points towards the next unit."""
        filled = pips(building.points, self.setting.unit_cost)
        if not filled:
            return
        s, (left, top) = self.grid.side, block(building)[0]
        aside = 0.045 if building.x == left else -0.045  # the border takes a part of the core
        above = 0.1 if building.y == top else 0.16
        x, y = self.grid.place(building.x + 0.5 + aside, building.y + 1 - above)
        meters.pips(canvas, x, y, 0.052 * s, PIPS, filled, self.theme, line=self._line(0.016))

    # ---- pieces

    def start(self, canvas: Canvas, seat: str, tile: Tile) -> None:
        """A thin outline where a player began, wide enough to be seen around most pieces."""
        s, shape, (x, y) = self.grid.side, seats.SHAPES[seat], self.grid.middle(tile)
        form = seats.outline(shape, x, seats.middle(shape, y, _START * s), _START * s)
        if self.printed:  # without colour, dashes tell it from a piece
            canvas.path(form, fill="none", stroke=self.theme.ink, stroke_width=0.16, stroke_dasharray=_DASHES)
            return
        canvas.path(form, fill="none", stroke=self.theme.seats[seat].line, stroke_width=self._line(0.028))

    def stack(self, canvas: Canvas, stack: Stack) -> None:
        """The owner's piece, larger for more units, with their number."""
        s, (x, y) = self.grid.side, self.grid.middle((stack.x, stack.y))
        r = radius(stack.units, self.figured) * s
        rim = max(0.2, 0.035 * s) if self.printed else self._line(0.03)
        seats.piece(canvas, stack.owner, x, y, r, self.theme, rim=rim, halo=0.038 * s)
        if self.figured:
            words = short(stack.units)
            size = _FIGURES[seats.SHAPES[stack.owner]][min(len(words), 4) - 1] * s
            seats.figures(canvas, stack.owner, x, y, r, words, size, self.theme)

    def _amounts(self, canvas: Canvas, stood: Collection[Tile]) -> None:
        """Ore in figures, none for 0: in the middle of a free tile, else in the corner, on plates where needed."""
        s, theme, grid = self.grid.side, self.theme, self.grid
        built = {tile for building in self.view.buildings for tile in block(building)}
        marked = {far(building) for building in self.view.buildings} | set(self.setting.starts.values())
        for tile, left in ore_left(self.setting, self.view).items():
            if not left:
                continue
            words, cornered = short(left), tile in stood or tile in marked
            inset, part = (0.05, 0.2) if tile not in built else (0.11, 0.17)  # clear of the border
            size = (part if cornered else 0.28) * s
            wide, high = faces.width(words, size), size * faces.CAPITALS
            x, y = grid.place(tile[0] + inset, tile[1] + inset)
            if not cornered:
                x, y = x + (0.5 - inset) * s - wide / 2, y + (0.5 - inset) * s - high / 2
            if cornered or tile in built:
                pad = 0.02 * s
                canvas.rect(x - pad, y - pad, wide + 2 * pad, high + 2 * pad, rx=pad, fill=theme.surface)
            canvas.text(words, x, y + high, size, fill=theme.ink_2)

    def _selected(self, canvas: Canvas, tile: Tile) -> None:
        s, (x, y) = self.grid.side, self.grid.place(*tile)
        for stroke, width in ((self.theme.halo, 0.17 * s), (self.theme.ink, 0.09 * s)):
            canvas.rect(x, y, s, s, rx=0.03 * s, fill="none", stroke=stroke, stroke_width=width)
