"""The board of Monad with its caption for the screen, and its printed page."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from polemos.games.monad.draw import words as told
from polemos.games.monad.draw.drawing import MAX, Drawing
from polemos.games.monad.draw.facts import PIPS, blocked, holding
from polemos.games.monad.draw.words import describe
from polemos.games.monad.view import Building, Setting, View
from polemos.pictures import blocks, faces, meters, seats, sheet
from polemos.pictures.sheet import MARGIN, Paper
from polemos.pictures.squares import Squares, Tile
from polemos.pictures.svg import Canvas, PictureError
from polemos.pictures.tokens import PRINT, Theme, theme_called

_ORE: Final = ("shade", "off", "figures")

# On the screen, in pixels.
_WIDE: Final = 1280.0
_HIGH: Final = 960.0
_NARROW: Final = 800.0  # room for the caption
_EDGE: Final = 48.0
_RIM: Final = 6.0  # around a small picture
_LARGEST: Final = 80.0  # side of a tile
_MIN: Final = (28.0, 20.0)  # with figures and without
_CAPTION: Final = 152.0
_COLUMN: Final = 270.0  # the most that a player takes in the caption

# On paper, in millimetres.
_TOP: Final = 38.5
_BELOW: Final = 52.0  # key and table
_MAX_SIDE: Final = 22.0
_HEAD: Final = 95.0  # where the words of the head begin
_RIGHT: Final = (56.0, 67.0, 86.0, 106.0)  # where the columns of figures end
_ROOMS: Final = (25.0, 9.5, 16.0, 19.0)  # and how wide they are
_ROW: Final = 5.6
_STACKS: Final = 6  # that are told of a player


def board(
    setting: Setting, view: View, theme: str = "light", ore: str = "shade", inspect: tuple[int, int] | None = None
) -> str:
    """The board for the screen, "light" or "dark", with the state in words below; `inspect` frames a tile.

    Ore as "shade" of the ground, as "figures", or "off".
    """
    tones = theme_called(theme)
    if ore not in _ORE:
        raise PictureError(f"Ore can be shown as {', '.join(_ORE)}, not as {ore!r}.")
    columns, rows = setting.width, setting.height
    if inspect is not None and not (0 <= inspect[0] < columns and 0 <= inspect[1] < rows):
        raise PictureError(f"There is no tile {inspect[0]},{inspect[1]} on a map of {columns} by {rows}.")
    least = _MIN[max(columns, rows) > MAX]
    side = max(least, min(_LARGEST, (_WIDE - 2 * _EDGE) / columns, (_HIGH - 2 * _EDGE) / rows))
    wide = max(_NARROW, columns * side + 2 * _EDGE)
    canvas = Canvas(wide, rows * side + _EDGE + _CAPTION)
    canvas.rect(0, 0, canvas.width, canvas.height, fill=tones.page)
    grid = Squares(columns, rows, side, ((wide - columns * side) / 2, _EDGE))
    Drawing(setting, view, grid, tones, ore).draw(canvas, inspect)
    _caption(canvas, setting, view, tones, inspect)
    return canvas.document(told.name(setting, view), describe(setting, view))


def small(setting: Setting, view: View, theme: str = "light") -> str:
    """The board alone, for a picture that is too small for words."""
    tones = theme_called(theme)
    columns, rows = setting.width, setting.height
    side = max(_MIN[max(columns, rows) > MAX], min(_LARGEST, _WIDE / columns, _HIGH / rows))
    canvas = Canvas(columns * side + 2 * _RIM, rows * side + 2 * _RIM)
    canvas.rect(0, 0, canvas.width, canvas.height, fill=tones.page)
    Drawing(setting, view, Squares(columns, rows, side, (_RIM, _RIM)), tones, "shade").draw(canvas, None)
    return canvas.document(told.name(setting, view), describe(setting, view))


def page(setting: Setting, view: View, paper: str = "a4", title: str = "") -> str:
    """The printed page, the same for everybody but for its head: black on white, on "a4" or "letter"."""
    size = sheet.paper_called(paper)
    canvas = sheet.sheet(size)
    seat = view.who if view.who in setting.seats else None
    position = faces.shorten(told.position(setting, view), 3.7, size.right - _HEAD)
    occasion = "After the end" if view.outcome else f"For the orders of turn {view.turn}"
    blocks.head(canvas, size, seat, (seat or view.who).upper(), "Monad", (occasion, position, title), told.note(view))
    columns, rows = setting.width, setting.height
    side = min(_MAX_SIDE, (size.right - MARGIN - 6) / columns, (size.height - MARGIN - _TOP - _BELOW) / rows)
    grid = Squares(columns, rows, side, ((size.width - columns * side) / 2 + 1.5, _TOP))
    drawing = Drawing(setting, view, grid, PRINT, "figures", least=0.12)
    drawing.draw(canvas)
    low = _key(canvas, drawing, size, _TOP + rows * side + 4.5)
    sheet.rule(canvas, MARGIN, low, to_x=size.right)
    _table(canvas, setting, view, size, low + 5.5)
    return canvas.document(told.name(setting, view), describe(setting, view))


# ---- the board


def _caption(canvas: Canvas, setting: Setting, view: View, theme: Theme, inspected: Tile | None) -> None:
    """Below the board: the turn, then the result, the tile inspected or the map; and what each player has."""
    room, y = canvas.width - 2 * _EDGE, canvas.height - 110
    subject = told.moment(view)
    rest = told.verdict(view) or told.survivor(setting, view) or f"{told.map_name(setting)}."
    if inspected:
        tile, rest = told.tile_told(setting, view, inspected)
        subject = f"{subject} {tile}"
    rest = faces.face("sans").known(rest)
    size = faces.fit(f"{subject} {rest}", 22, room, bold=True)
    first = faces.width(f"{subject} ", size, bold=True)
    x = (canvas.width - first - faces.width(rest, size)) / 2
    canvas.text(subject, x, y, size, fill=theme.ink, bold=True)
    canvas.text(rest, x + first, y, size, fill=theme.ink_2)
    _players(canvas, setting, view, theme, canvas.height - 72)


def _players(canvas: Canvas, setting: Setting, view: View, theme: Theme, y: float) -> None:
    """Shape and name of every player, and below what each has, side by side."""
    count = len(setting.seats)
    wide = min(_COLUMN, (canvas.width - 2 * _EDGE) / count)
    room = wide - 38
    told_of = {seat: told.belongings(view, seat) for seat in setting.seats}
    size = min(faces.fit(line, 17, room) for lines in told_of.values() for line in lines)
    left = (canvas.width - count * wide) / 2
    for i, seat in enumerate(setting.seats):
        x = left + i * wide + 5
        seats.piece(canvas, seat, x + 11, y - 7, 10, theme, rim=1.25, halo=1.3)
        canvas.text(seat.capitalize(), x + 28, y, 19, fill=theme.ink, bold=True)
        named = faces.width(f"{seat.capitalize()}  ", 19, bold=True)
        fate = told.fate(view, seat)
        canvas.text(fate, x + 28 + named, y, faces.fit(fate, 17, room - named), fill=theme.ink_2)
        for j, line in enumerate(told_of[seat]):
            canvas.text(line, x + 28, y + 24 + 22 * j, size, fill=theme.ink_2)


# ---- the page


def _key(canvas: Canvas, drawing: Drawing, size: Paper, y: float) -> float:
    """What shapes and signs mean, in as many rows as it needs; returns where it ends."""
    x = MARGIN
    for seat in drawing.setting.seats:
        box = (x, y, 7.0, 4.6)
        seats.swatch(canvas, seat, box, PRINT, gap=1.75, line=0.35 if seat == "yellow" else 0.16)
        canvas.rect(*box, fill="none", stroke=PRINT.ink, stroke_width=0.3)
        seats.piece(canvas, seat, x + 11, y + 2.3, 2, PRINT, rim=0.5)
        sheet.words(canvas, seat.capitalize(), x + 14.5, y + 3.5, 3.2)
        x += 17 + faces.width(seat.capitalize(), 3.2)
    signs = {"building": "building, its core bare", "start": "start"}
    if drawing.figured:
        signs["pips"] = "points of work"
    if drawing.ore_figured:
        signs["ore"] = "ore left, blank: none"
    if blocked(drawing.setting):
        signs["blocked"] = "blocked"
    for name, word in signs.items():
        wide = 6.6 + faces.width(word, 3.2) + 3.4
        if x + wide - 3.4 > size.right:
            x, y = MARGIN, y + 6.4
        _sign(canvas, name, drawing, x, y)
        sheet.words(canvas, word, x + 6.6, y + 3.5, 3.2)
        x += wide
    return y + 8.0


def _sign(canvas: Canvas, name: str, drawing: Drawing, x: float, y: float) -> None:
    """One sign of the key, in a box of 5 by 4.6 mm."""
    middle = y + 2.3
    if name == "building":
        tiny = replace(drawing, grid=Squares(2, 2, 2.4, (x, y - 0.1)))
        tiny.building(canvas, Building(0, 0, drawing.setting.seats[0], "right", 0), sign=False)
    elif name == "pips":
        meters.pips(canvas, x + 2.5, middle, 0.4, PIPS, 3, PRINT, line=0.12)
    elif name == "start":
        tiny = replace(drawing, grid=Squares(1, 1, 5.4, (x - 0.2, middle - 2.7)))
        tiny.start(canvas, drawing.setting.seats[0], (0, 0))
    elif name == "ore":
        canvas.rect(x, y, 4.6, 4.6, fill="none", stroke=PRINT.ink, stroke_width=0.1)
        canvas.text("24", x + 2.3, middle + 1.2 * faces.CAPITALS, 2.4, fill=PRINT.ink, anchor="middle")
    else:
        tiny = replace(drawing, grid=Squares(1, 1, 4.6, (x, y)))
        tiny.blocked(canvas, [(0, 0)])
        canvas.rect(x, y, 4.6, 4.6, fill="none", stroke=PRINT.ink, stroke_width=0.1)


def _table(canvas: Canvas, setting: Setting, view: View, size: Paper, y: float) -> None:
    """A row for each player: units, tiles, buildings, stock, and what became of it or its largest stacks."""
    for word, x in zip(("Units", "Tiles", "Buildings", "Stock"), _RIGHT, strict=True):
        sheet.figures(canvas, word, x, y, 3.4, bold=True)
    sheet.words(canvas, "Largest stacks", _RIGHT[-1] + 5, y, 3.4, bold=True)
    sheet.rule(canvas, MARGIN, y + 1.6, to_x=size.right)
    room = size.right - _RIGHT[-1] - 5
    for i, seat in enumerate(setting.seats):
        base, has = y + 6.4 + _ROW * i, holding(view, seat)
        seats.piece(canvas, seat, MARGIN + 2.2, base - 1.25, 1.9, PRINT, rim=0.5)
        sheet.words(canvas, seat.capitalize(), MARGIN + 6.5, base, 3.6, bold=True)
        for value, x, wide in zip((has.units, has.tiles, has.buildings, has.stock), _RIGHT, _ROOMS, strict=True):
            sheet.figures(canvas, f"{value:,}", x, base, faces.fit(f"{value:,}", 3.6, wide))
        sheet.words(canvas, _last(view, seat, room), _RIGHT[-1] + 5, base, 3.4)


def _last(view: View, seat: str, room: float) -> str:
    """What became of a player, or as many of the largest stacks as fit."""
    told_of = told.fate(view, seat).capitalize()
    for most in range(_STACKS, 0, -1):
        listed = told_of or told.stacks_told(view, seat, most)
        if faces.width(listed, 3.4) <= room:
            return listed
    return faces.shorten(told_of or told.stacks_told(view, seat, 1), 3.4, room)
