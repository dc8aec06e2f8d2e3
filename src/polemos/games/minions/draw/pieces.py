"""Tokens of Minions: the seat's piece with silhouette and letter, by its size; rims, counts and what is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polemos.games.minions.draw.facts import NECROMANCER
from polemos.games.minions.draw.glyphs import NECROMANCER as STAFF
from polemos.games.minions.draw.glyphs import UNITS
from polemos.pictures import faces, glyphs, marks, seats
from polemos.pictures.glyphs import Paths
from polemos.pictures.svg import Canvas
from polemos.pictures.tokens import PRINT, Theme

LARGER: Final = 1.13  # a necromancer, against all others
_SMALL: Final = 0.72  # the letter behind the N, against it
_SCREEN: Final = (34.0, 24.0)  # diameters in pixels: silhouette and letter, silhouette alone; below the letter alone
_PAPER: Final = (6.4, 6.4)  # the same in millimetres: print is finer, and letters are the notation
_LIMIT: Final = 1.5  # how wide letters may be, in radii
_INSIDE: Final = 1.15  # and within a second rim
_BADGES: Final = (0.4, 0.62)  # radii of badges against that of the token: wanted, and most, where tokens are small
_LEGIBLE: Final = (6.0, 1.25)  # radii of badges that can be read, in pixels and in millimetres


@dataclass(frozen=True)
class Token:
    """A unit as it is shown, wherever it stands."""

    side: str
    name: str
    letter: str
    second: str = ""  # of an advanced necromancer
    hollow: bool = False

    @property
    def necromancer(self) -> bool:
        return self.letter == NECROMANCER

    @property
    def silhouette(self) -> Paths | None:
        return STAFF if self.necromancer else UNITS.get(self.name)

    def draw(self, canvas: Canvas, x: float, y: float, r: float, theme: Theme, least: float) -> None:
        """Draws the token around (x, y); necromancers are larger than `r`. Lines are never thinner than `least`."""
        both, alone = (2 * r >= size for size in (_PAPER if theme is PRINT else _SCREEN))
        r *= LARGER if self.necromancer else 1.0
        tones = theme.seats[self.side]
        colour = tones.text if self.hollow else tones.on
        line = max(least, 0.065 * r)
        seats.piece(canvas, self.side, x, y, r, theme, rim=line, halo=0.06 * r, hollow=self.hollow)
        if self.necromancer:
            inner = seats.outline(seats.SHAPES[self.side], x, y, 0.81 * r)
            rim = tones.line if self.hollow else tones.on
            canvas.path(inner, fill="none", stroke=rim, stroke_width=0.9 * line)
        shown = self.silhouette
        if shown is None or not alone:
            self._letters(canvas, x, y, r, self._size(r), colour, theme)
        elif not both and not self.second:
            glyphs.silhouette(canvas, shown, x, y, (1.02 if self.necromancer else 1.2) * r, colour)
        else:
            glyphs.silhouette(canvas, shown, x, y - 0.2 * r, (0.86 if self.necromancer else 1.02) * r, colour)
            middle = (0.55 if self.necromancer else 0.62) * r
            self._letters(canvas, x, y + middle, r, 0.46 * r, colour, theme)

    def _size(self, r: float) -> float:
        """Of letters that stand alone."""
        return (1.05 if self.necromancer else 1.26) * r

    def _letters(self, canvas: Canvas, x: float, y: float, r: float, size: float, colour: str, theme: Theme) -> None:
        """The letter of the notation, on paper small for Blue; behind it a smaller one. Centred on (x, y)."""
        first = self.letter.lower() if theme is PRINT and self.side == "blue" else self.letter
        wide = faces.width(first, size, bold=True) + faces.width(self.second, _SMALL * size, bold=True)
        size *= min(1.0, (_INSIDE if self.second else _LIMIT) * r / max(wide, 0.01))
        base = y + size * faces.CAPITALS / 2
        tail = faces.width(self.second, _SMALL * size, bold=True)
        canvas.text(first, x - tail / 2, base, size, fill=colour, bold=True, anchor="middle")
        if self.second:
            after = x + faces.width(first, size, bold=True) / 2 - tail / 2
            canvas.text(self.second, after, base, _SMALL * size, fill=colour, bold=True)


def badge(r: float, theme: Theme) -> float:
    """The radius of a badge on a token of radius `r`."""
    wanted, most = _BADGES
    return min(most * r, max(wanted * r, _LEGIBLE[theme is PRINT]))


def wounded(canvas: Canvas, x: float, y: float, r: float, left: int, theme: Theme) -> None:
    """What is left of the defence of the unit at (x, y), in plum."""
    marks.badge(canvas, (x + 0.8 * r, y - 0.8 * r), badge(r, theme), left, theme, theme.signal)


def counted(canvas: Canvas, x: float, y: float, r: float, count: int, room: float, theme: Theme) -> None:
    """How many of the token at (x, y) there are, reversed on ink, no wider than `room`."""
    words, b = str(count), badge(r, theme)
    size = faces.fit(words, 1.5 * b, room - 1.1 * b, bold=True)
    wide = max(2 * b, faces.width(words, size, bold=True) + 0.9 * b)
    mx, my = x + 0.78 * r, y - 0.72 * r
    canvas.rect(
        mx - wide / 2, my - b, wide, 2 * b, rx=b, fill=theme.ink, stroke=theme.halo, stroke_width=0.2 * b
    )  # fmt: skip
    canvas.text(words, mx, my + size * faces.CAPITALS / 2, size, fill=theme.page, bold=True, anchor="middle")
