"""The board of Demons with its caption for the screen, and its printed page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from polemos.games.demons.draw import words as told
from polemos.games.demons.draw.drawing import DEMON, PAPER, Drawing
from polemos.games.demons.draw.facts import SIDES, size_of, tower_at
from polemos.games.demons.draw.words import Row, describe
from polemos.games.demons.view import Setting, Tower, View
from polemos.pictures import blocks, faces, glyphs, meters, seats, sheet
from polemos.pictures.sheet import MARGIN, Paper
from polemos.pictures.squares import Squares
from polemos.pictures.svg import Canvas
from polemos.pictures.tokens import Theme, theme_called

# On the screen, in pixels.
_WIDE: Final = 1280.0
_HIGH: Final = 960.0
_NARROW: Final = 800.0  # room for the caption
_EDGE: Final = 48.0
_RIM: Final = 6.0  # around a small picture
_TILES: Final = (24.0, 80.0)  # least and largest side of a tile
_CAPTION: Final = 104.0

# On paper, in millimetres: height of the board, and sizes of the words below it.
_BOARDS: Final = {"a4": 134.0, "letter": 120.0}
_HEAD: Final = 95.0  # where the words of the head begin
_LARGEST: Final = 16.0
_SIZES: Final = (3.6, 3.2, 2.8, 2.4, 2.0)
_SIGNS: Final = {
    "horns": "demon, with its target's shape",
    "portal": "portal, turns to the wave",
    "queue": "queued",
    "burst": "fight",
    "bars": "turns until it acts, full: now",
}
_PITCH: Final = 1.32  # from line to line, in parts of the size
_TABLE: Final = 7.2  # width of the headings of the words, in parts of the size


def board(setting: Setting, view: View, theme: str = "light", show_range: tuple[int, int] | None = None) -> str:
    """The board for the screen, "light" or "dark", with the state in words below; `show_range` names a tower's tile."""
    tones = theme_called(theme)
    columns, rows = size_of(setting)
    least, largest = _TILES
    side = max(least, min(largest, (_WIDE - 2 * _EDGE) / columns, (_HIGH - 2 * _EDGE) / rows))
    wide = max(_NARROW, columns * side + 2 * _EDGE)
    canvas = Canvas(wide, rows * side + _EDGE + _CAPTION)
    canvas.rect(0, 0, canvas.width, canvas.height, fill=tones.page)
    grid = Squares(columns, rows, side, ((wide - columns * side) / 2, _EDGE))
    shown = tower_at(view, show_range) if show_range is not None else None
    Drawing(setting, view, grid, tones).draw(canvas, shown)
    _caption(canvas, setting, view, tones, shown)
    return canvas.document(told.name(setting, view), describe(setting, view))


def small(setting: Setting, view: View, theme: str = "light") -> str:
    """The board alone, for a picture that is too small for words."""
    tones = theme_called(theme)
    columns, rows = size_of(setting)
    side = _TILES[1]
    canvas = Canvas(columns * side + 2 * _RIM, rows * side + 2 * _RIM)
    canvas.rect(0, 0, canvas.width, canvas.height, fill=tones.page)
    Drawing(setting, view, Squares(columns, rows, side, (_RIM, _RIM)), tones).draw(canvas, None)
    return canvas.document(told.name(setting, view), describe(setting, view))


def page(setting: Setting, view: View, paper: str = "a4", title: str = "") -> str:
    """The printed page, the same for everybody but for its head: black on white, on "a4" or "letter"."""
    size = sheet.paper_called(paper)
    canvas = sheet.sheet(size)
    seat = view.who if view.who in SIDES else None
    position = faces.shorten(told.position(setting, view), 3.7, size.right - _HEAD)
    lines = (_occasion(view), position, title)
    blocks.head(canvas, size, seat, (seat or view.who).upper(), "Demons", lines, told.note(view))
    columns, rows = size_of(setting)
    side = min(_LARGEST, (size.right - MARGIN - 6) / columns, _BOARDS[paper] / rows)
    top = 38.5
    grid = Squares(columns, rows, side, ((size.width - columns * side) / 2 + 1.5, top))
    Drawing(setting, view, grid, PAPER, least=0.12).draw(canvas)
    low = top + rows * side + 5
    low = _key(canvas, setting, size, low)
    sheet.rule(canvas, MARGIN, low, to_x=size.right)
    _state(canvas, setting, view, size, low)
    return canvas.document(told.name(setting, view), describe(setting, view))


# ---- the board


def _caption(canvas: Canvas, setting: Setting, view: View, theme: Theme, shown: Tower | None) -> None:
    """Two lines below the board: the turn or the tower shown; health and gold of both."""
    room, y = canvas.width - 2 * _EDGE, canvas.height - 62
    subject, rest = told.moment(view), told.verdict(view) or f"{told.map_name(setting)}."
    if shown:
        tower, rest = told.tower_told(setting, view, shown)
        subject = f"{subject} {tower}"
    rest = faces.face("sans").known(rest)
    size = faces.fit(f"{subject} {rest}", 22, room, bold=True)
    first = faces.width(f"{subject} ", size, bold=True)
    x = (canvas.width - first - faces.width(rest, size)) / 2
    canvas.text(subject, x, y, size, fill=theme.ink, bold=True)
    canvas.text(rest, x + first, y, size, fill=theme.ink_2)
    _purses(canvas, view, theme, canvas.height - 24)


def _purses(canvas: Canvas, view: View, theme: Theme, y: float) -> None:
    """Shape, name, health and gold of both players, side by side."""
    size, gap = 22.0, 64.0
    owned = [(side, view.bases[side]) for side in SIDES]
    parts = [(side, f"{side.capitalize()} ", f"base {max(0, base.health)}, gold {base.gold}") for side, base in owned]
    widths = [30 + faces.width(name, size, bold=True) + faces.width(rest, size) for _, name, rest in parts]
    x = (canvas.width - sum(widths) - gap * (len(parts) - 1)) / 2
    for (side, name, rest), wide in zip(parts, widths, strict=True):
        seats.piece(canvas, side, x + 11, y - 8, 11, theme, rim=1.25, halo=1.3)
        canvas.text(name.strip(), x + 30, y, size, fill=theme.ink, bold=True)
        canvas.text(rest, x + 30 + faces.width(name, size, bold=True), y, size, fill=theme.ink_2)
        x += wide + gap


# ---- the page


def _occasion(view: View) -> str:
    return "After the end" if view.outcome else f"For the orders of turn {view.turn}"


def _key(canvas: Canvas, setting: Setting, size: Paper, y: float) -> float:
    """What shapes and silhouettes mean, in as many rows as it needs; returns where it ends."""
    x = MARGIN
    for side in SIDES:
        box = (x, y, 7.0, 4.6)
        seats.swatch(canvas, side, box, PAPER, gap=1.75, line=0.16)
        canvas.rect(*box, fill="none", stroke=PAPER.ink, stroke_width=0.3)
        seats.piece(canvas, side, x + 11, y + 2.3, 2, PAPER, rim=0.5)
        sheet.words(canvas, side.capitalize(), x + 14.5, y + 3.5, 3.2)
        x += 24.0
    kinds = [(kind, kind) for kind in setting.towers]
    for name, word in (("keep", "base"), *kinds, ("helmet", "mercenary"), *_SIGNS.items()):
        wide = 6.3 + faces.width(word, 3.2) + 3.2
        if x + wide - 3.2 > size.right:
            x, y = MARGIN, y + 6.2
        _sign(canvas, name, x + 2.4, y + 2.3)
        sheet.words(canvas, word, x + 6.3, y + 3.5, 3.2)
        x += wide
    return y + 8.5


def _sign(canvas: Canvas, name: str, x: float, y: float) -> None:
    """One sign of the key."""
    on = PAPER.seats[DEMON].on
    if name == "horns":
        seats.piece(canvas, DEMON, x, y, 2.7, PAPER, rim=0.2)
        glyphs.glyph(canvas, name, x, y, 3.4, on)
    elif name == "portal":
        canvas.disc(x, y, 2.5, fill=PAPER.ink)
        canvas.text("3", x, y + 1.15, 3.2, fill=on, bold=True, anchor="middle")
    elif name == "queue":
        canvas.path(seats.outline("square", x, y, 1.4), fill=PAPER.surface, stroke=PAPER.ink, stroke_width=0.4)
    elif name == "bars":
        meters.bars(canvas, (x - 2.4, y - 0.6, 4.9, 1.2), 3, 2, PAPER, line=0.15)
    else:
        glyphs.glyph(canvas, name, x, y, 3.4 if name == "burst" else 4.6, PAPER.ink)


def _state(canvas: Canvas, setting: Setting, view: View, size: Paper, top: float) -> None:
    """Both players side by side, then demons and portals, in the largest type that fits."""
    full = size.right - MARGIN
    half = (full - 8) / 2
    room = size.height - MARGIN - top - 24
    rows = [told.side_rows(setting, view, side) for side in SIDES]
    others = told.other_rows(setting, view)

    def depth(letters: float) -> float:
        sides = max(len(_broken(one, letters, half)) for one in rows)
        return _PITCH * letters * (sides + len(_broken(others, letters, full)))

    letters = next((one for one in _SIZES if depth(one) <= room), _SIZES[-1])
    pitch = _PITCH * letters
    most = int(room / pitch)
    columns = [_broken(one, letters, half) for one in rows]
    last = _broken(others, letters, full)
    last = _cut(last, max(most - max(map(len, columns)), most // 3), letters, full)
    columns = [_cut(lines, most - len(last), letters, half) for lines in columns]
    low = top + 13 + pitch * max(map(len, columns))
    for x, y, seat, lines in (
        (MARGIN, top, "red", columns[0]),
        (MARGIN + half + 8, top, "blue", columns[1]),
        (MARGIN, low, DEMON, last),
    ):
        if lines:
            seats.piece(canvas, seat, x + 2.4, y + 6, 2.4, PAPER, rim=0.6)
            name = "Demons" if seat == DEMON else seat.capitalize()
            sheet.words(canvas, name, x + 7, y + 7.6, 4.6, bold=True)
            _set(canvas, lines, x, y + 9.5 + pitch, letters, pitch)


def _broken(rows: Sequence[Row], size: float, room: float) -> list[Row]:
    """The rows as lines that fit, headings in front of the first line of each."""
    lines = []
    for heading, listed in rows:
        items = [f"{item};" for item in listed.split("; ")]
        items[-1] = items[-1][:-1]
        for i, line in enumerate(faces.wrap(items, size, room - _TABLE * size)):
            lines.append((heading if i == 0 else "", line))
    return lines


def _cut(lines: list[Row], most: int, size: float, room: float) -> list[Row]:
    """At most so many lines; the last one shows that there were more."""
    if len(lines) <= most:
        return lines
    heading, line = lines[most - 1]
    return [*lines[: most - 1], (heading, faces.shorten(f"{line} …", size, room - _TABLE * size))]


def _set(canvas: Canvas, lines: Sequence[Row], x: float, y: float, size: float, pitch: float) -> None:
    for i, (heading, line) in enumerate(lines):
        if heading:
            sheet.words(canvas, heading, x, y + i * pitch, size, bold=True)
        sheet.words(canvas, line, x + _TABLE * size, y + i * pitch, size)
