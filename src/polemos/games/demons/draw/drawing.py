"""The board of Demons in layers: ground, hatching, grid, range, portals, bases, towers, units, fights, the queued."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from polemos.games.demons.draw.facts import SIDES, covers, fights, guide, paths, progress, territory
from polemos.games.demons.view import Base, Portal, Setting, Tower, Unit, View
from polemos.pictures import faces, glyphs, meters, seats
from polemos.pictures.squares import Squares, Tile
from polemos.pictures.svg import Canvas, Point, polygon
from polemos.pictures.tokens import HORDE, PRINT, Theme

DEMON: Final = HORDE  # the seat whose piece a demon has

# On paper players are white and demons black.
PAPER: Final = replace(PRINT, seats={**PRINT.seats, DEMON: replace(PRINT.seats[DEMON], piece=PRINT.ink, on=PRINT.page)})

_FEW: Final = 6  # a longer cooldown is one bar
_MIN: Final = 30.0  # pixels; on smaller tiles bursts would be dirt

# All as parts of a tile, measured from its middle.
_RAISED: Final = 0.07  # pieces stand above the middle, so that their bars fit below
_BAR: Final = 0.335  # top of the bars
_HIGH: Final = 0.085
_QUEUES: Final = {"N": (-0.3, -0.44), "E": (0.5, -0.06), "S": (-0.3, 0.56), "W": (-0.5, -0.06)}
_NAMES: Final = {"mercenary": ("helmet", 0.29), "demon": ("horns", 0.31)}


@dataclass(frozen=True)
class Drawing:
    """A position laid out on the tiles of `grid`; lines are never thinner than `least`."""

    setting: Setting
    view: View
    grid: Squares
    theme: Theme
    least: float = 0.0

    @property
    def printed(self) -> bool:
        return self.theme is PAPER

    def _line(self, part: float) -> float:
        return max(self.least, part * self.grid.side)

    def _figures(self, part: float, most: float) -> float:
        """The size of figures: on small tiles a larger part, so that they can be read."""
        legible = 2.0 if self.printed else 9.0
        return max(part * self.grid.side, min(legible, most * self.grid.side))

    def draw(self, canvas: Canvas, shown: Tower | None = None) -> None:
        """Draws all layers, with the range of one tower."""
        occupied = {(unit.x, unit.y) for unit in self.view.units}
        self._ground(canvas)
        if shown:
            self._range(canvas, shown)
        for portal in self.view.portals:
            self._portal(canvas, portal, (portal.x, portal.y) not in occupied)
        for side, base in self.view.bases.items():
            self._base(canvas, side, base)
        for tower in self.view.towers:
            self._tower(canvas, tower)
        for unit in self.view.units:
            self._unit(canvas, unit)
        for portal in self.view.portals:
            if (portal.x, portal.y) in occupied:
                self._trodden(canvas, portal)
        if self.printed or self.grid.side >= _MIN:
            for burst in self._bursts():
                self._burst(canvas, burst)
        for side, base in self.view.bases.items():
            self._queue(canvas, side, base)

    # ---- ground

    def _ground(self, canvas: Canvas) -> None:
        grid, theme = self.grid, self.theme
        for side in SIDES:
            self._territory(canvas, side)
        lanes = paths(self.setting)
        canvas.path(grid.outline(lanes), fill=theme.path)
        canvas.strokes(grid.seams(lanes), theme.path_line, 0.16 if self.printed else self._line(0.02))
        if self.printed:
            self._threads(canvas)
        rim = max(0.3, min(0.6, 0.05 * grid.side)) if self.printed else self._line(0.03)
        canvas.path(
            grid.outline(lanes), fill="none", stroke=theme.line_strong, stroke_width=rim, stroke_linejoin="round"
        )
        size = max(1.7, min(3.3, 0.24 * grid.side)) if self.printed else max(9.0, 0.19 * grid.side)
        grid.coordinates(canvas, size, theme.ink_3)

    def _territory(self, canvas: Canvas, side: str) -> None:
        """Tinted and hatched; on paper hatched and outlined, with fewer lines on small tiles."""
        grid, theme, tiles = self.grid, self.theme, territory(self.setting, side)
        if not self.printed:
            canvas.path(grid.outline(tiles), fill=theme.seats[side].tint)
            grid.hatch(canvas, tiles, side, theme, self._line(0.016))
            canvas.strokes(grid.seams(tiles), theme.page, self._line(0.03))
            return
        grid.hatch(canvas, tiles, side, theme, 0.16, 4 if grid.side > 7 else 2)
        canvas.strokes(grid.seams(tiles), theme.page, 0.05 * grid.side)
        if grid.side > 7:
            canvas.strokes(grid.seams(tiles), theme.ink, 0.16, stroke_dasharray="0.5 0.8")
        canvas.path(grid.outline(tiles), fill="none", stroke=theme.ink, stroke_width=0.16)

    def _threads(self, canvas: Canvas) -> None:
        """Dots along each lane: without colour they tell it from the abyss."""
        for lane in self.setting.lanes:
            way = polygon([self.grid.middle(tile) for tile in lane])[:-1]
            step = self.grid.side / 6
            canvas.path(
                way, fill="none", stroke=self.theme.ink, stroke_width=self._line(0.035), stroke_linecap="round",
                stroke_dasharray=f"0.01 {step - 0.01:.3f}",
            )  # fmt: skip

    def _range(self, canvas: Canvas, tower: Tower) -> None:
        """The covered tiles inside a dashed line, covered tiles of lanes shaded, the tower framed."""
        grid, theme, s = self.grid, self.theme, self.grid.side
        everywhere = ((x, y) for y in range(grid.rows) for x in range(grid.columns))
        covered = [tile for tile in everywhere if covers(self.setting, tower, tile)]
        canvas.path(grid.outline(paths(self.setting).intersection(covered)), fill=theme.ink, fill_opacity=0.07)
        around = grid.outline(covered)
        canvas.path(around, fill="none", stroke=theme.halo, stroke_width=0.09 * s, stroke_linejoin="round")
        canvas.path(
            around, fill="none", stroke=theme.ink, stroke_width=0.035 * s, stroke_linejoin="round",
            stroke_dasharray=f"{0.125 * s:.2f} {0.075 * s:.2f}",
        )  # fmt: skip
        x, y = grid.place(tower.x + 0.035, tower.y + 0.035)
        side = 0.93 * s
        canvas.rect(x, y, side, side, rx=0.07 * s, fill="none", stroke=theme.ink, stroke_width=0.05 * s)

    # ---- pieces

    def _piece(self, canvas: Canvas, seat: str, place: Point, r: float, name: str = "", size: float = 0.0) -> None:
        """A piece of r tiles with a silhouette of `size` tiles."""
        s, (x, y) = self.grid.side, place
        seats.piece(canvas, seat, x, y, r * s, self.theme, rim=self._line(0.022), halo=self._line(0.023))
        if name:
            glyphs.glyph(canvas, name, x, y + 0.01 * s, size * s, self.theme.seats[seat].on)

    def _at(self, tile: Tile, dx: float = 0.0, dy: float = 0.0) -> Point:
        return self.grid.place(tile[0] + 0.5 + dx, tile[1] + 0.5 + dy)

    def _base(self, canvas: Canvas, side: str, base: Base) -> None:
        tile = (base.x, base.y)
        self._piece(canvas, side, self._at(tile, dy=-0.06), 0.44, "keep", 0.54)
        x, y = self._at(tile, dy=0.335)
        size = self._figures(0.22, 0.3)
        meters.plate(canvas, str(max(0, base.health)), x, y, size, self.theme, line=self._line(0.02))

    def _tower(self, canvas: Canvas, tower: Tower) -> None:
        s, tile = self.grid.side, (tower.x, tower.y)
        self._piece(canvas, tower.owner, self._at(tile, dy=-_RAISED), 0.33, tower.kind, 0.435)
        x, y = self._at(tile, -0.34, _BAR)
        box, line = (x, y, 0.68 * s, _HIGH * s), self._line(0.014)
        turns, come = progress(self.setting, tower)
        if tower.kind == "house" or turns > _FEW:
            rim = self.theme.line_strong
            meters.bar(canvas, box, come / turns, self.theme, line=line, rim=rim, fill=self.theme.ink_2)
        else:
            meters.bars(canvas, box, turns, come, self.theme, line=line)

    def _unit(self, canvas: Canvas, unit: Unit) -> None:
        s, tile, theme = self.grid.side, (unit.x, unit.y), self.theme
        name, r = _NAMES[unit.kind]
        seat = unit.side if unit.kind == "mercenary" else DEMON
        self._piece(canvas, seat, self._at(tile, dy=-_RAISED), r, name, 1.24 * r)
        if seat == DEMON:
            self._small(canvas, unit.side, self._at(tile, 0.3, -0.31))
        size = self._figures(0.2, 0.28)
        figures = str(unit.health)
        x, y = self._at(tile, -0.42, _BAR)
        right = self._at(tile, 0.45)[0]
        wide = right - faces.width(figures, size, bold=True) - 0.05 * s - x
        box, line = (x, y, wide, _HIGH * s), self._line(0.016)
        part = unit.health / max(1, self._full(unit))
        meters.bar(canvas, box, part, theme, line=line, rim=theme.ink, fill=theme.ink)
        base = y + _HIGH * s / 2 + size * faces.CAPITALS / 2
        canvas.text(figures, right, base, size, fill=theme.ink, bold=True, anchor="end")

    def _full(self, unit: Unit) -> int:
        """The health that fills a bar: a mercenary's own, or that of the next demon."""
        if unit.kind == "mercenary":
            return max(guide(self.setting).mercenary.health, unit.health)
        return max([unit.health, *(portal.health for portal in self.view.portals)])

    def _small(self, canvas: Canvas, side: str, place: Point, count: int = 0, r: float = 0.1) -> None:
        """A small shape that says which base a demon attacks."""
        s, (x, y) = self.grid.side, place
        rim, halo = self._line(0.016), self._line(0.024)
        seats.piece(canvas, side, x, y, r * s, self.theme, rim=rim, halo=halo, count=count)

    # ---- portals, fights, the queued

    def _portal(self, canvas: Canvas, portal: Portal, free: bool) -> None:
        s, tile, tones = self.grid.side, (portal.x, portal.y), self.theme.seats[DEMON]
        x, y = self._at(tile, dy=0.0 if free else -_RAISED)
        canvas.disc(x, y, 0.4 * s, fill=tones.piece, stroke=self.theme.halo, stroke_width=self._line(0.05))
        if not free:  # the unit on it hides all but the rim
            return
        if not self.printed:
            canvas.disc(x, y, 0.31 * s, fill="none", stroke=tones.on, stroke_opacity=0.35, stroke_width=0.06 * s)
        wave = guide(self.setting).wave
        meters.ring(canvas, x, y, 0.31 * s, (wave - portal.next_in) / wave, tones.on, 0.06 * s)
        size = (0.34 if portal.next_in < 10 else 0.28) * s
        base = y + size * faces.CAPITALS / 2
        canvas.text(str(portal.next_in), x, base, size, fill=tones.on, bold=True, anchor="middle")
        self._small(canvas, portal.target, self._at(tile, 0.34, -0.34))

    def _trodden(self, canvas: Canvas, portal: Portal) -> None:
        """A portal under a unit: the turns stand in the next target's shape at the upper left."""
        s, theme = self.grid.side, self.theme
        x, y = self._at((portal.x, portal.y), -0.33, -0.33)
        self._small(canvas, portal.target, (x, y), r=0.15)
        size = (0.2 if portal.next_in < 10 else 0.17) * s
        base, fill = y + size * faces.CAPITALS / 2, theme.seats[portal.target].on
        canvas.text(str(portal.next_in), x, base, size, fill=fill, bold=True, anchor="middle")

    def _bursts(self) -> Iterator[Point]:
        """On the border that fighters share, clear of bars; in the tile between them if they strike across it."""
        for here, front, across in fights(self.setting, self.view):
            dx, dy = front[0] - here[0], front[1] - here[1]
            if across:
                yield self._at(front, dy=-_RAISED if dx else 0.0)
            elif dx:
                yield self._at(here, dx / 2, -_RAISED)
            else:
                yield self._at(here, -0.35, dy / 2 + 0.07)

    def _burst(self, canvas: Canvas, place: Point) -> None:
        s, theme, (x, y) = self.grid.side, self.theme, place
        canvas.disc(x, y, 0.14 * s, fill=theme.raised, stroke=theme.ink, stroke_width=self._line(0.018))
        glyphs.glyph(canvas, "burst", x, y, 0.2 * s, theme.ink)

    def _queue(self, canvas: Canvas, side: str, base: Base) -> None:
        """Mercenaries that wait at a base: outlines of half size at its sides, with the number if there are more."""
        s, theme, tile = self.grid.side, self.theme, (base.x, base.y)
        for letter in _QUEUES:
            count = base.queued.get(letter, 0)
            if count <= 0:
                continue
            x, y = self._at(tile, *_QUEUES[letter])
            form = seats.outline(seats.SHAPES[side], x, y, 0.145 * s)
            canvas.path(form, fill=theme.surface, stroke=theme.halo, stroke_width=self._line(0.08))
            canvas.path(form, fill=theme.surface, stroke=theme.seats[side].line, stroke_width=self._line(0.035))
            if count > 1:
                size = 0.18 * s
                base_line = y + size * faces.CAPITALS / 2
                canvas.text(str(count), x, base_line, size, fill=theme.ink, bold=True, anchor="middle")
