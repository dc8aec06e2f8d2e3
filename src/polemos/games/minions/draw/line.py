"""The techline of Minions: one card for each type, the other side's spells above, your own below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polemos.games.minions.draw import facts
from polemos.games.minions.draw.glyphs import UNITS
from polemos.games.minions.view import Setting, View
from polemos.pictures import faces, glyphs, seats
from polemos.pictures.svg import Canvas
from polemos.pictures.tokens import PRINT, Theme

MAX: Final = 24  # cards in a row
_GAP: Final = 0.09  # between cards, in parts of their width
HEIGHT: Final = 1.9  # of a card, in parts of its width
_SPELLS: Final = 2


@dataclass(frozen=True)
class Line:
    """The line in a box that begins at `left`, `top` and is `wide`; no card is wider than `largest`."""

    setting: Setting
    view: View
    left: float
    top: float
    wide: float
    theme: Theme
    largest: float
    least: float = 1.0  # thinnest line

    @property
    def rows(self) -> int:
        return max(1, -(-len(self.setting.line) // MAX))

    @property
    def _columns(self) -> int:
        return max(1, -(-len(self.setting.line) // self.rows))

    @property
    def card(self) -> float:
        """The width of a card."""
        return min(self.largest, self.wide / (self._columns * (1 + _GAP) - _GAP))

    @property
    def high(self) -> float:
        return self.card * (self.rows * (HEIGHT + _GAP) - _GAP)

    def draw(self, canvas: Canvas) -> None:
        for i in range(len(self.setting.line)):
            row, column = divmod(i, self._columns)
            x = self.left + column * self.card * (1 + _GAP)
            self._card(canvas, i, x, self.top + row * self.card * (HEIGHT + _GAP))

    def _card(self, canvas: Canvas, i: int, x: float, y: float) -> None:
        """A card in its owner's tint; one without any spell has a paler silhouette."""
        theme, w = self.theme, self.card
        name = self.setting.line[i]
        row = facts.card_facts(self.setting, name)
        owner = facts.owner(self.view, i)
        fill, rim = (theme.seats[owner].tint, theme.seats[owner].line) if owner else (theme.surface, theme.line)
        line = self.least * (2.6 if owner and theme is PRINT else 1.0)
        canvas.rect(x, y, w, HEIGHT * w, rx=0.13 * w, fill=fill, stroke=rim, stroke_width=line)
        reached = any(facts.spells(self.view, side, i) for side in facts.SIDES)
        ink, figures = (theme.ink, theme.ink) if reached else (theme.ink_3, theme.ink_2)
        letter = row.letter if row else name[:1].upper()
        middle = x + w / 2
        if name in UNITS:
            glyphs.silhouette(canvas, UNITS[name], middle, y + 0.75 * w, 0.56 * w, ink)
        else:
            size = faces.fit(letter, 0.5 * w, 0.8 * w, bold=True)
            canvas.text(letter, middle, y + 0.93 * w, size, fill=ink, bold=True, anchor="middle")
        self._words(canvas, letter, str(row.cost) if row else "", middle, y + 1.39 * w, figures)
        own = facts.below(self.view)
        self._pips(canvas, facts.other(own), facts.spells(self.view, facts.other(own), i), middle, y + 0.24 * w)
        self._pips(canvas, own, facts.spells(self.view, own, i), middle, y + 1.66 * w)

    def _words(self, canvas: Canvas, letter: str, cost: str, middle: float, base: float, ink: str) -> None:
        """Letter and cost, together centred."""
        size = faces.fit(f"{letter} {cost}", 0.29 * self.card, 0.9 * self.card, bold=True)
        first = faces.width(f"{letter} ", size, bold=True)
        x = middle - (first + faces.width(cost, size)) / 2
        canvas.text(letter, x, base, size, fill=ink, bold=True)
        canvas.text(cost, x + first, base, size, fill=ink)

    def _pips(self, canvas: Canvas, side: str, count: int, middle: float, y: float) -> None:
        """Two shapes of a side, filled for each spell."""
        w, theme = self.card, self.theme
        tones, shape = theme.seats[side], seats.SHAPES[side]
        for i in range(_SPELLS):
            form = seats.outline(shape, middle + (i - 0.5) * 0.28 * w, y, 0.085 * w)
            if i < count:
                fill, rim = (theme.ink, theme.ink) if theme is PRINT else (tones.piece, tones.rim)
            else:
                fill, rim = ("none", theme.line_strong)
            canvas.path(form, fill=fill, stroke=rim, stroke_width=0.8 * self.least)
