"""A board of Minions with its heading: number, map, state in words, graveyards held, what must not be overlooked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polemos.games.minions.draw import facts
from polemos.games.minions.draw import words as told
from polemos.games.minions.draw.drawing import Drawing
from polemos.games.minions.view import BoardView, Setting, View
from polemos.pictures import faces, seats
from polemos.pictures.svg import Canvas, polygon
from polemos.pictures.tokens import PRINT, Theme

_HEADING: Final = 2.1  # sizes of the name
_SAID: Final = 1.7
_PADDING: Final = 10.0  # of a card, in pixels


@dataclass(frozen=True)
class Panel:
    """A board and its heading; `size` is that of the map's name, `s` the radius of a hex.

    In a card the words stand below the board, on paper beside the name, else below it.
    """

    setting: Setting
    view: View
    board: BoardView
    theme: Theme
    s: float
    size: float
    card: bool = False
    turned: bool = False
    column: float = 0.0  # how wide the heading may be, if wider than the board

    @property
    def _printed(self) -> bool:
        return self.theme is PRINT

    @property
    def wide(self) -> float:
        return max(self.column, self._across) + (2 * _PADDING if self.card else 0.0)

    @property
    def _across(self) -> float:
        """The width of the board."""
        return Drawing.extent(not self.card)[0] * self.s

    @property
    def high(self) -> float:
        """How much room it takes from top to bottom."""
        words = _HEADING + self._second
        return Drawing.extent(not self.card)[1] * self.s + words * self.size + (1.4 * _PADDING if self.card else 0.0)

    @property
    def _second(self) -> float:
        """The height of a second line of words, where some board needs it; on paper the state is not part of it."""
        words = (
            told.news(self.setting, self.view, one) or (not self._printed and told.state(self.view, one))
            for one in self.view.boards
        )  # fmt: skip
        if not self.card and not any(words):
            return 0.0
        return _SAID - 0.5 if self._printed else _SAID

    def draw(self, canvas: Canvas, left: float, top: float) -> None:
        if self.card:
            theme = self.theme
            canvas.rect(left, top, self.wide, self.high, rx=8, fill=theme.surface, stroke=theme.line, stroke_width=1)
            left, top = left + _PADDING, top + 0.7 * _PADDING
        room = max(self.column, self._across)
        base = top + 1.2 * self.size
        used = self._name(canvas, left, base, room - self._yards(canvas, left + room, base))
        start = top + _HEADING * self.size
        state, alarm = told.state(self.view, self.board), "; ".join(told.news(self.setting, self.view, self.board))
        if self._printed:
            self._said(canvas, state, "", left + used, base, room - used - self._yards_wide())
            self._said(canvas, "", alarm, left, start + 0.6 * self.size, room)
        elif not self.card:
            self._said(canvas, state, alarm, left, start + 0.8 * self.size, room)
        if not self.card:
            start += self._second * self.size
        least = 0.18 if self._printed else 0.8
        aside = (room - self._across) / 2
        Drawing(
            self.setting, self.board, left + aside, start, self.s, self.theme, self.turned, not self.card, least=least
        ).draw(canvas)  # fmt: skip
        if self.card:
            low = start + Drawing.extent(False)[1] * self.s
            self._said(canvas, "" if alarm else state, alarm, left, low + 1.35 * self.size, room)  # one line of news

    def _name(self, canvas: Canvas, x: float, base: float, room: float) -> float:
        """The board's number on a key cap and the name of its map; returns how wide both are."""
        size, theme = self.size, self.theme
        line = 0.25 if self._printed else 1.0
        cap = 1.45 * size
        middle = base - size * faces.CAPITALS / 2
        canvas.rect(
            x, middle - cap / 2, cap, cap, rx=0.27 * size, fill=theme.surface, stroke=theme.line_strong,
            stroke_width=line,
        )  # fmt: skip
        figure = 0.85 * size
        canvas.text(
            str(self.board.number), x + cap / 2, middle + figure * faces.CAPITALS / 2, figure, fill=theme.ink,
            bold=True, anchor="middle",
        )  # fmt: skip
        first = cap + 0.6 * size
        name = told.board_name(self.setting, self.board.number)
        share = 0.6 if self._printed else 1.0  # beside the words
        name = faces.shorten(name, size, share * room - first - size, bold=True)
        canvas.text(name, x + first, base, size, fill=theme.ink, bold=True)
        return first + faces.width(name, size, bold=True) + size

    def _yards_wide(self) -> float:
        return 6.6 * self.size

    def _yards(self, canvas: Canvas, right: float, base: float) -> float:
        """The graveyards that each side holds, ending at `right`; returns how wide they are."""
        size, theme, x = 0.93 * self.size, self.theme, right
        for side in reversed(facts.SIDES):
            count = str(len(facts.held(self.setting, self.board, side)))
            x -= faces.width(count, size)
            canvas.text(count, x, base, size, fill=theme.ink)
            x -= 0.8 * size
            middle = base - size * faces.CAPITALS / 2
            seats.piece(canvas, side, x, middle, 0.42 * size, theme, rim=0.25 if self._printed else 1.0)
            x -= 1.1 * size
        if not (self.card or self._printed):
            word = "Graveyards"
            canvas.text(word, x + 0.2 * size, base, size, fill=theme.ink_3, anchor="end")
            return right - x + faces.width(word, size)
        return self._yards_wide()

    def _said(self, canvas: Canvas, state: str, alarm: str, x: float, base: float, room: float) -> None:
        """The state in words; what must not be overlooked in plum, behind a mark."""
        theme = self.theme
        size = 0.93 * self.size
        gap = 1.2 * size if state and alarm else 0.0
        mark = 1.4 * size if alarm else 0.0
        size = min(size, size * room / max(0.01, faces.width(state + alarm, size) + gap + mark))
        if state:
            canvas.text(state, x, base, size, fill=theme.ink_2)
        if alarm:
            x += faces.width(state, size) + (1.2 * size if state else 0.0)
            self._mark(canvas, x + 0.5 * size, base - size * faces.CAPITALS / 2, size)
            canvas.text(alarm, x + 1.4 * size, base, size, fill=theme.signal)

    def _mark(self, canvas: Canvas, x: float, y: float, size: float) -> None:
        """A triangle with a stroke, for what is in danger."""
        tone, line = self.theme.signal, 0.11 * size
        corners = [(x, y - 0.5 * size), (x + 0.52 * size, y + 0.4 * size), (x - 0.52 * size, y + 0.4 * size)]
        canvas.path(polygon(corners), fill="none", stroke=tone, stroke_width=line, stroke_linejoin="round")
        stem = [((x, y - 0.16 * size), (x, y + 0.08 * size)), ((x, y + 0.24 * size), (x, y + 0.25 * size))]
        canvas.strokes(stem, tone, line, stroke_linecap="round")
