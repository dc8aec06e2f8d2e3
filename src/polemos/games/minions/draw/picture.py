"""All boards and the techline of Minions for the screen, and the printed page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from polemos.games.minions.draw import facts
from polemos.games.minions.draw import words as told
from polemos.games.minions.draw.drawing import PIECE, Drawing
from polemos.games.minions.draw.line import Line
from polemos.games.minions.draw.panel import Panel
from polemos.games.minions.draw.pieces import Token, wounded
from polemos.games.minions.draw.words import describe
from polemos.games.minions.view import BoardView, Setting, View
from polemos.pictures import blocks, faces, seats, sheet
from polemos.pictures.sheet import MARGIN, Paper
from polemos.pictures.svg import Canvas, PictureError
from polemos.pictures.tokens import PRINT, Theme, theme_called

# On the screen, in pixels.
_WIDE: Final = 1280.0
_WIDEST: Final = 1600.0  # with many boards out of focus
_EDGE: Final = 20.0
_HEAD: Final = 60.0
_CAPTION: Final = 56.0
_LABEL: Final = 126.0  # left of the techline
_SPELL: Final = 138.0  # right of it
_CARD: Final = 52.0
_GAP: Final = 24.0
_RIM: Final = 6.0  # around a small picture
_SINGLE: Final = 44.0  # radius of a hex where there is one board
_SMALL: Final = 10.0  # and out of focus
_COLUMN: Final = 3  # boards out of focus that stand in one column
_PIPS: Final = 8  # points that are shown one by one
_KEY: Final = "Filled pieces are ready, hollow ones are spent. A disc shows what is left of the defence."

# On paper, in millimetres.
_TOP: Final = 33.5
_LOW: Final = 27.0  # key and table
_BETWEEN: Final = 5.0
_ROW: Final = 2.5  # between rows
_LARGEST: Final = 7.4
_RIGHT: Final = (54.0, 74.0, 92.0)  # where the columns of figures end


def board(setting: Setting, view: View, theme: str = "light", focus: int = 0, turned: bool = False) -> str:
    """The table for the screen, "light" or "dark": all boards in a grid, or board `focus` large and the others small.

    `turned` shows the boards from Blue's side.
    """
    tones = theme_called(theme)
    if focus and focus not in [one.number for one in view.boards]:
        raise PictureError(f"There is no board {focus}; boards are 1 to {len(view.boards)}, and 0 shows all alike.")
    others = [one for one in view.boards if focus and one.number != focus]
    wide = _WIDEST if len(others) > _COLUMN else _WIDE
    line = Line(
        setting, view, _EDGE + _LABEL, _HEAD + 12, wide - 2 * _EDGE - _LABEL - _SPELL, tones, largest=_CARD
    )  # fmt: skip
    top = line.top + line.high + 28
    if others:
        panels = _focused(setting, view, tones, focus, others, wide, turned)
    else:
        panels = _gridded(setting, view, tones, wide, turned)
    low = max(y + panel.high for panel, _, y in panels)
    canvas = Canvas(wide, top + low + _CAPTION)
    canvas.rect(0, 0, canvas.width, canvas.height, fill=tones.page)
    _head(canvas, setting, view, tones)
    _line(canvas, setting, view, line)
    for panel, x, y in panels:
        panel.draw(canvas, x, top + y)
    _caption(canvas, view, tones)
    return canvas.document(told.name(setting, view), describe(setting, view))


def small(setting: Setting, view: View, theme: str = "light") -> str:
    """The boards alone, for a picture that is too small for words."""
    tones = theme_called(theme)
    columns = _columns(len(view.boards))
    s = _SINGLE / columns
    wide, high = (size * s + _RIM for size in Drawing.extent(False))
    rows = -(-len(view.boards) // columns)
    canvas = Canvas(columns * wide + _RIM, rows * high + _RIM)
    canvas.rect(0, 0, canvas.width, canvas.height, fill=tones.page)
    for i, one in enumerate(view.boards):
        row, column = divmod(i, columns)
        left, top = _RIM + column * wide, _RIM + row * high
        Drawing(setting, one, left, top, s, tones, labelled=False, zones=False).draw(canvas)
    return canvas.document(told.name(setting, view), describe(setting, view))


def page(setting: Setting, view: View, paper: str = "a4", title: str = "") -> str:
    """The printed page: black on white, on "a4" or "letter", with all boards, the line, money and points."""
    size = sheet.paper_called(paper)
    canvas = sheet.sheet(size)
    seat = view.who if view.who in facts.SIDES else None
    occasion = f"Over on turn {view.turn}" if view.outcome else f"Turn {view.turn} of {view.side.capitalize()}"
    facts_told = f"{told.boards(setting)}, {told.goal(setting)}."
    position = faces.shorten(told.verdict(view) or facts_told, 3.7, size.right - 95)
    blocks.head(canvas, size, seat, (seat or view.who).upper(), "Minions", (occasion, position, title), told.note(view))
    line = Line(setting, view, MARGIN, _TOP, size.right - MARGIN, PRINT, largest=9.0, least=0.22)
    line.draw(canvas)
    top = _TOP + line.high + 3.5
    low = size.height - MARGIN - _LOW
    panel, columns = _best(setting, view, size, low - top)
    _spread(canvas, panel, view.boards, columns, size, top)
    sheet.rule(canvas, MARGIN, low, to_x=size.right)
    _table(canvas, setting, view, size, low + 5.4)
    _key(canvas, panel, size, low + 21.4)
    return canvas.document(told.name(setting, view), describe(setting, view))


# ---- the screen


def _focused(
    setting: Setting, view: View, theme: Theme, focus: int, others: Sequence[BoardView], wide: float, turned: bool
) -> list[tuple[Panel, float, float]]:
    """One board large, the others in one or two columns of cards on its left."""
    columns = 1 if len(others) <= _COLUMN else 2
    panels: list[tuple[Panel, float, float]] = []
    side = _EDGE
    for i, one in enumerate(others):
        card = Panel(setting, view, one, theme, _SMALL, 13.0, card=True, turned=turned)
        row, column = divmod(i, columns)
        panels.append((card, _EDGE + column * (card.wide + 12), row * (card.high + 12)))
        side = max(side, _EDGE + (column + 1) * (card.wide + 12))
    left = side + _GAP - 12
    room = wide - _EDGE - left
    chosen = next(one for one in view.boards if one.number == focus)
    large = Panel(setting, view, chosen, theme, room / Drawing.extent(True)[0], 17.0, turned=turned)
    return [*panels, (large, left, 0.0)]


def _columns(boards: int) -> int:
    return 1 if boards == 1 else 2 if boards <= 4 else 3


def _gridded(setting: Setting, view: View, theme: Theme, wide: float, turned: bool) -> list[tuple[Panel, float, float]]:
    """All boards alike: one alone, up to four in two columns, more in three."""
    count = len(view.boards)
    columns = _columns(count)
    room = (wide - 2 * _EDGE - (columns - 1) * 2 * _GAP) / columns
    s = min(_SINGLE, room / Drawing.extent(True)[0])
    panels = []
    for i, one in enumerate(view.boards):
        panel = Panel(setting, view, one, theme, s, 17.0 if columns == 1 else 15.0, turned=turned)
        row, column = divmod(i, columns)
        x = (wide - panel.wide) / 2 if columns == 1 else _EDGE + column * (room + 2 * _GAP)
        panels.append((panel, x, row * (panel.high + _GAP)))
    return panels


def _head(canvas: Canvas, setting: Setting, view: View, theme: Theme) -> None:
    """Game and match, both sides with points and money, and whose turn it is or who won."""
    base = 38.0
    canvas.text("Minions", _EDGE, base, 24, fill=theme.ink, display=True)
    first = _EDGE + faces.width("Minions", 24, display=True) + 18
    last = canvas.width - _EDGE
    about = f"{told.boards(setting)}, {told.goal(setting)}, turn {view.turn}"
    canvas.text(about, first, base, 14, fill=theme.ink_3)
    pill = told.note(view) or f"{view.side.capitalize()} to move"
    wide = faces.width(pill, 14, bold=True) + 26
    canvas.rect(last - wide, base - 19, wide, 28, rx=14, fill=theme.ink)
    canvas.text(pill, last - wide / 2, base, 14, fill=theme.page, bold=True, anchor="middle")
    left = first + faces.width(about, 14) + 36
    room = (last - wide - 24 - left) / 2
    for i, side in enumerate(facts.SIDES):
        _side(canvas, setting, view, side, left + i * room, base, room - 20, theme)
    canvas.strokes([((0, _HEAD), (canvas.width, _HEAD))], theme.line, 1)


def _side(
    canvas: Canvas, setting: Setting, view: View, side: str, x: float, base: float, room: float, theme: Theme
) -> None:
    """Shape, name, points as shapes to be filled, money."""
    end = x + room
    points, tones, shape = view.points.get(side, 0), theme.seats[side], seats.SHAPES[side]
    seats.piece(canvas, side, x + 9, base - 5.5, 8, theme, rim=1.25)
    named = side.capitalize()
    canvas.text(named, x + 24, base, 16, fill=theme.ink, bold=True)
    x += 24 + faces.width(named, 16, bold=True) + 16
    if setting.to_win <= _PIPS:
        for i in range(max(setting.to_win, points)):
            form = seats.outline(shape, x, base - 5.5, 5.2)
            won = i < points
            rim = tones.rim if won else theme.line_strong
            canvas.path(form, fill=tones.piece if won else "none", stroke=rim, stroke_width=1.1)
            x += 15
    else:
        words = f"{points} of {setting.to_win}"
        canvas.text(words, x - 6, base, 14, fill=theme.ink)
        x += faces.width(words, 14)
    money = told.purse(setting, view, side)
    x += 4
    canvas.text(money, x, base, faces.fit(money, 14, end - x), fill=theme.ink_2)


def _line(canvas: Canvas, setting: Setting, view: View, line: Line) -> None:
    """The cards between their name and what a spell costs."""
    theme = line.theme
    middle = line.top + line.high / 2
    line.draw(canvas)
    canvas.text("Techline", _EDGE, middle - 3, 15, fill=theme.ink, bold=True)
    canvas.text(f"{len(setting.line)} cards", _EDGE, middle + 16, 13, fill=theme.ink_3)
    x = canvas.width - _EDGE - _SPELL + 16
    lines = list(told.free_spell(setting, view)) if view.outcome is None else []
    if view.teched and view.outcome is None:
        lines.append(f"New: {' '.join(facts.letters(setting, view.teched))}")
    top = middle + 5 - 9 * (len(lines) - 1)
    for i, words in enumerate(lines):
        size = 14.0 if i == 0 else 13.0
        fill = theme.ink if i == 0 else theme.ink_2
        words = faces.shorten(words, size, _SPELL - 16, bold=i == 0)
        canvas.text(words, x, top + 18 * i, size, fill=fill, bold=i == 0)
    low = line.top + line.high + 12
    canvas.strokes([((0, low), (canvas.width, low))], theme.line, 1)


def _caption(canvas: Canvas, view: View, theme: Theme) -> None:
    """The line below the boards: the turn or the result in words, and what the pieces mean."""
    subject = told.moment(view)
    rest = faces.face("sans").known(told.verdict(view) or _KEY)
    size = faces.fit(f"{subject} {rest}", 15, canvas.width - 2 * _EDGE, bold=True)
    y = canvas.height - 20
    canvas.text(subject, _EDGE, y, size, fill=theme.ink, bold=True)
    canvas.text(rest, _EDGE + faces.width(f"{subject}  ", size, bold=True), y, size, fill=theme.ink_2)


# ---- the page


def _best(setting: Setting, view: View, size: Paper, room: float) -> tuple[Panel, int]:
    """The largest boards that fit, and in how many columns."""
    found = [(_sized(setting, view, size, room, columns), columns) for columns in (1, 2, 3)]
    return max(found, key=lambda one: one[0].s)


def _sized(setting: Setting, view: View, size: Paper, room: float, columns: int) -> Panel:
    """A board as large as it can be in so many columns."""
    rows = -(-len(view.boards) // columns)
    across, down = Drawing.extent(True)
    panel = Panel(setting, view, view.boards[0], PRINT, 1.0, 3.4 if columns == 1 else 3.0)
    words = panel.high - down
    s = min(_LARGEST, _column(size, columns) / across, (room / rows - _ROW - words) / down)
    return replace(panel, s=s, column=_column(size, columns))


def _column(size: Paper, columns: int) -> float:
    """The width of a column."""
    return (size.right - MARGIN - (columns - 1) * _BETWEEN) / columns


def _spread(canvas: Canvas, panel: Panel, boards: Sequence[BoardView], columns: int, size: Paper, top: float) -> None:
    """All boards in rows."""
    wide = _column(size, columns)
    for i, one in enumerate(boards):
        row, column = divmod(i, columns)
        x = MARGIN + column * (wide + _BETWEEN)
        replace(panel, board=one).draw(canvas, x, top + row * (panel.high + _ROW))


def _table(canvas: Canvas, setting: Setting, view: View, size: Paper, y: float) -> None:
    """A row for each side: points, money, units, advanced necromancers used."""
    for word, x in zip(("Points", "Money", "Units"), _RIGHT, strict=True):
        sheet.figures(canvas, word, x, y, 3.4, bold=True)
    sheet.words(canvas, "Necromancers used", _RIGHT[-1] + 8, y, 3.4, bold=True)
    for i, side in enumerate(facts.SIDES):
        base = y + 5.2 * (i + 1)
        seats.piece(canvas, side, MARGIN + 2.2, base - 1.25, 1.9, PRINT, rim=0.5)
        sheet.words(canvas, side.capitalize(), MARGIN + 6.5, base, 3.6, bold=True)
        units = sum(unit.side == side for one in view.boards for unit in one.units)
        for value, x in zip((view.points.get(side, 0), view.money.get(side, 0), units), _RIGHT, strict=True):
            sheet.figures(canvas, f"{value:,}", x, base, faces.fit(f"{value:,}", 3.6, 17))
        used = ", ".join(view.used.get(side, ())) or "none"
        sheet.words(canvas, faces.shorten(used, 3.4, size.right - _RIGHT[-1] - 8), _RIGHT[-1] + 8, base, 3.4)


def _key(canvas: Canvas, panel: Panel, size: Paper, y: float) -> None:
    """What the signs mean, in one row."""
    s = 2.3
    x = MARGIN
    signs = ("water", "graveyard", "held graveyard", "capitals Yellow, small letters Blue", "spent", "defence left")
    for sign in signs:
        tiny = Drawing(
            panel.setting, panel.board, x, y - (Drawing.extent(False)[1] - 1) * s - 1.2, s, PRINT, labelled=False,
            least=0.25,
        )  # fmt: skip
        mx, my = tiny.grid.middle(0, 0)
        _sign(canvas, tiny, sign, mx, my)
        words = 3.0
        sheet.words(canvas, sign, x + 5.4, y, words)
        x += 5.4 + faces.width(sign, words) + 3.6


def _sign(canvas: Canvas, tiny: Drawing, sign: str, x: float, y: float) -> None:
    r = PIECE * tiny.s * 1.4
    if sign in ("water", "graveyard", "held graveyard"):
        tiny.bare(canvas, (0, 0))
    if sign == "water":
        tiny.waves(canvas, [(0, 0)])
    elif sign.endswith("graveyard"):
        tiny.yard(canvas, (0, 0), facts.SIDES[0] if sign.startswith("held") else "")
    elif sign.startswith("capitals"):
        Token("blue", "", "Z").draw(canvas, x, y, r, PRINT, 0.25)
    elif sign == "spent":
        Token("yellow", "", "Z", hollow=True).draw(canvas, x, y, r, PRINT, 0.25)
    else:
        Token("blue", "", "Z").draw(canvas, x, y, r, PRINT, 0.25)
        wounded(canvas, x, y, r, 2, PRINT)
