"""The map of Monarchs with its caption for the screen, and the printed page of a court or the umpire."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.draw import words as told
from polemos.games.monarchs.draw.facts import cells_of
from polemos.games.monarchs.draw.words import describe
from polemos.games.monarchs.odds import attack
from polemos.games.monarchs.view import Report, Setting, View
from polemos.pictures import blocks, faces, marks, seats, sheet
from polemos.pictures.hexmap import GAP, HexMap, on_paper, on_screen
from polemos.pictures.sheet import MARGIN, Paper
from polemos.pictures.svg import Canvas
from polemos.pictures.tokens import PRINT, Theme, theme_called

# ("march", from, to, number) or ("bless", hex)
Order: TypeAlias = tuple[str, str, str, int] | tuple[str, str]

# Radius of a hex, middle of the map, and where the lower part begins, in millimetres.
_LAYOUTS: Final = {"a4": (12.1, 119.5, 207.0), "letter": (11.2, 111.3, 192.0)}

# On the screen, in pixels.
_SCALE: Final = 78.0
_WIDE: Final = 1280.0
_TOP: Final = 24.0
_CAPTION: Final = 76.0


def page(setting: Setting, view: View, paper: str = "a4", title: str = "") -> str:
    """The printed page of a nation, the umpire or a spectator: black on white, on "a4" or "letter"."""
    size = sheet.paper_called(paper)
    scale, middle, low = _LAYOUTS[paper]
    canvas = sheet.sheet(size)
    seat = view.who if view.who in NATIONS else None
    lines = (told.occasion(view), told.sight(setting, view), title)
    blocks.head(canvas, size, seat, view.who.upper(), "Monarchs", lines, told.note(view))
    HexMap(cells_of(setting, view), scale, (size.width / 2, middle), PRINT, on_paper()).draw(canvas)
    sheet.rule(canvas, MARGIN, low, to_x=size.right)
    if seat:
        _court(canvas, size, view, low, scale)
    else:
        _desk(canvas, size, view, low, scale)
    return canvas.document(told.name(view), describe(setting, view))


def board(
    setting: Setting, view: View, theme: str = "light", orders: Sequence[Order] = (), marked: Sequence[Order] = ()
) -> str:
    """The board for the screen, "light" or "dark", with a line in words below, and own orders in ink.

    Marches that are `marked` have a full disc.
    """
    tones = theme_called(theme)
    middle = _TOP + 7 * _SCALE
    canvas = Canvas(_WIDE, middle + 7 * _SCALE + _CAPTION)
    canvas.rect(0, 0, canvas.width, canvas.height, fill=tones.page)
    drawn = HexMap(cells_of(setting, view), _SCALE, (_WIDE / 2, middle), tones, on_screen(_SCALE))
    drawn.draw(canvas)
    draw_orders(canvas, drawn, orders, marked)
    _caption(canvas, setting, view, tones)
    return canvas.document(told.name(view), describe(setting, view))


def small(setting: Setting, view: View, theme: str = "light") -> str:
    """The board alone, for a picture that is too small for words."""
    tones = theme_called(theme)
    canvas = Canvas(_WIDE, 2 * _TOP + 14 * _SCALE)
    canvas.rect(0, 0, canvas.width, canvas.height, fill=tones.page)
    centre = _WIDE / 2, canvas.height / 2
    HexMap(cells_of(setting, view), _SCALE, centre, tones, on_screen(_SCALE)).draw(canvas)
    return canvas.document(told.name(view), describe(setting, view))


# ---- the page


def _court(canvas: Canvas, size: Paper, view: View, low: float, scale: float) -> None:
    """The lower part of a nation's page: its report, the key, the odds or the result, and the seal."""
    victories, defeats, score = told.lists(view, dict(told.reports(view)).get(view.who))
    heading = "Score" if view.turn == 1 else f"Score of turn {view.turn - 1}"
    for x, title, names in ((12, "Victories", victories), (51, "Defeats", defeats), (90, heading, (score,))):
        sheet.words(canvas, title, x, low + 6.5, bold=True)
        sheet.listing(canvas, names, x, low + 6.5, 35)
    blocks.key(canvas, MARGIN, low + 22.5, NATIONS, GAP * scale)
    left = size.right - 70
    sheet.rule(canvas, left - 6, low + 3, to_y=low + 39.5)
    if view.outcome is None:
        odds_table(canvas, left, size.right, low + 6.5)
    else:
        _result(canvas, left, size.right, low + 6.5, view)
    sheet.folds(canvas, size)
    turn = f"turn {view.turn}" if view.outcome is None else "after the last turn"
    sentence = f"Sealed map, {turn}. To be opened in the {view.who} court only."
    sheet.seal(canvas, size, view.who, view.who.upper(), sentence)


def odds_table(canvas: Canvas, left: float, right: float, y: float) -> None:
    """The chances of an attacker against the owner of a hex (6.6), which every court may know."""
    sheet.words(canvas, "Odds against the owner, in percent", left, y, bold=True)
    sheet.words(canvas, "By your regiments minus theirs", left, y + 5.5, 3.3)
    cases = (
        ("nobody blesses", False, False),
        ("you bless", True, False),
        ("they bless", False, True),
        ("both bless", True, True),
    )
    rows = [(name, [_percent(attack(more, you, they)) for more in (-1, 0, 1, 2)]) for name, you, they in cases]
    blocks.table(canvas, left, right, y + 11.5, ("-1", "0", "+1", "+2"), rows)


def _percent(chance: Fraction) -> str:
    return str(round(100 * chance))


def _result(canvas: Canvas, left: float, right: float, y: float, view: View) -> None:
    """The winner and the totals, in order of places."""
    if view.outcome is None:
        return
    sheet.words(canvas, told.note(view), left, y + 0.5, 5, bold=True)
    reason = f"{view.outcome.reason[:1].upper()}{view.outcome.reason[1:]}. Rule {view.outcome.rule}."
    sheet.words(canvas, faces.shorten(reason, 3.3, right - left), left, y + 5.5, 3.3)
    totals = {nation: str(report.total) for nation, report in told.reports(view)}
    places = enumerate(view.outcome.places, 1)
    rows = [(f"{place}. {nation.capitalize()}", (totals.get(nation, "–"),)) for place, nation in places]
    blocks.table(canvas, left, right, y + 11.5, ("Total",), rows)


def _desk(canvas: Canvas, size: Paper, view: View, low: float, scale: float) -> None:
    """The lower part of a page that is for no court: all reports the view holds, and the key."""
    shown = list(told.reports(view))
    y = low + 6.5 if shown else low - 2
    if shown:
        heading = "Score" if view.turn == 1 else f"Score, turn {view.turn - 1}"
        for x, title in ((44, "Victories"), (100, "Defeats")):
            sheet.words(canvas, title, x, y, bold=True)
        sheet.figures(canvas, heading, size.right - 16, y, bold=True)
        sheet.figures(canvas, "Total", size.right, y, bold=True)
        sheet.rule(canvas, MARGIN, y + 2.2, to_x=size.right)
        for nation, report in shown:
            _row(canvas, size, view, nation, report, y + 2.2)
            y += 16
        sheet.rule(canvas, MARGIN, y + 2.2, to_x=size.right)
    blocks.key(canvas, MARGIN, y + 6, NATIONS, GAP * scale)
    if view.who == "umpire":
        canvas.text("Not for any court", size.right, y + 12, 7.6, fill=PRINT.ink, display=True, anchor="end")
    verdict = faces.wrap(told.verdict(view).split(), 3.6, 66)
    for i, line in enumerate(verdict):
        sheet.figures(canvas, line, size.right, y + 17.5 + 4.6 * i)


def _row(canvas: Canvas, size: Paper, view: View, nation: str, report: Report, top: float) -> None:
    """One nation in the table of all reports."""
    seats.piece(canvas, nation, MARGIN + 3, top + 5, 2.5, PRINT, rim=0.6, halo=0)
    sheet.words(canvas, nation.capitalize(), MARGIN + 8, top + 6.3, 4.4, bold=True)
    owned = sum(ground.owner == nation for ground in view.hexes.values())
    sheet.words(canvas, f"{owned} hexes", MARGIN + 8, top + 10.8, 3.3)
    if nation in view.dropped:
        sheet.words(canvas, "gave up", MARGIN + 8, top + 14.8, 3.3)
    victories, defeats, score = told.lists(view, report)
    sheet.listing(canvas, victories, 44, top + 0.8, 52, largest=4.4)
    sheet.listing(canvas, defeats, 100, top + 0.8, 52, largest=4.4)
    sheet.figures(canvas, score, size.right - 16, top + 6.3, 4.4, bold=True)
    sheet.figures(canvas, str(report.total), size.right, top + 6.3, 4.4, bold=True)


# ---- the board


def draw_orders(canvas: Canvas, drawn: HexMap, orders: Sequence[Order], marked: Sequence[Order] = ()) -> None:
    """Blessings as suns, marches as arrows from army to army."""
    at = {cell.name: cell for cell in drawn.cells}
    s = drawn.scale
    for order in orders:
        if len(order) == 2:
            x, y = drawn.middle(at[order[1]])
            marks.sun(canvas, x + 0.5 * s, y - 0.3 * s, 0.21 * s, drawn.theme)
    ways = {order[1:3] for order in orders if len(order) == 4}
    for order in orders:
        if len(order) == 4:
            _, start, end, count = order
            aside = 0.2 * s if (end, start) in ways else 0.0  # armies that change places pass each other
            ends = drawn.army(at[start]), drawn.army(at[end])
            marks.arrow(canvas, *ends, s, count, drawn.theme, aside, is_full=order in marked)


def _caption(canvas: Canvas, setting: Setting, view: View, theme: Theme) -> None:
    """The line below the board: whose view, for which turn, how much is in sight."""
    who, size, y = view.who.capitalize(), 22.0, canvas.height - 26
    rest = f"{told.verdict(view) or told.occasion(view) + '.'} {told.sight(setting, view)}"
    if view.outcome is None and told.note(view):
        rest = f"{rest} {told.note(view)}."
    wide = faces.width(f"{who}. ", size, bold=True) + faces.width(rest, size)
    x = (canvas.width - wide) / 2
    if view.who in NATIONS:
        seats.piece(canvas, view.who, x - 22, y - 8, 11, theme, rim=1.25, halo=1.3)
    canvas.text(f"{who}.", x, y, size, fill=theme.ink, bold=True)
    canvas.text(rest, x + faces.width(f"{who}. ", size, bold=True), y, size, fill=theme.ink_2)
