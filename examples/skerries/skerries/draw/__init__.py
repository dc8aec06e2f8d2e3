"""The pictures, drawn from a view alone: the board for a screen, a page for the printer, lines for a terminal."""

from __future__ import annotations

from math import cos, pi, sin

from polemos.pictures import seats, sheet
from polemos.pictures.svg import Canvas, Point
from polemos.pictures.tokens import PRINT, Theme, theme_called
from skerries.view import Setting, View

_FROM_MIDDLE = {"1": 1.0, "2": 0.85, "3": 0.48}  # how far out the rings of a sector lie


def point(setting: Setting, place: str) -> Point:
    """Where a skerry lies on a sea of radius 1: sectors go round clockwise, outer skerries between two of them."""
    if place == "M":
        return 0.0, 0.0
    sector = ord(place[0]) - ord("A") + (0.5 if place[1] == "2" else 0.0)
    turn = 2 * pi * sector / len(setting.harbours)
    return -_FROM_MIDDLE[place[1]] * cos(turn), -_FROM_MIDDLE[place[1]] * sin(turn)


def board(setting: Setting, view: View, theme: str = "light") -> str:
    canvas = Canvas(1000, 1000)
    _sea(canvas, setting, view, theme_called(theme), (500, 500), 410)
    return canvas.document(heading(setting, view), text(setting, view))


def page(setting: Setting, view: View, paper: str = "a4", title: str = "") -> str:
    size = sheet.paper_called(paper)
    canvas = sheet.sheet(size)
    sheet.words(canvas, heading(setting, view), sheet.MARGIN, 20, 6, display=True)
    sheet.words(canvas, title, sheet.MARGIN, 27)
    _sea(canvas, setting, view, PRINT, (size.width / 2, 135), 75)
    for number, line in enumerate(text(setting, view).splitlines()[2:]):
        sheet.words(canvas, line, sheet.MARGIN, 232 + 4.8 * number)
    return canvas.document(heading(setting, view), text(setting, view))


def _sea(canvas: Canvas, setting: Setting, view: View, theme: Theme, middle: Point, radius: float) -> None:
    at = {}
    for place in setting.places:
        x, y = point(setting, place)
        at[place] = (middle[0] + radius * x, middle[1] + radius * y)
    ways = [(at[one], at[two]) for one, others in setting.places.items() for two in others if one < two]
    size = radius * (0.14 if len(setting.harbours) < 6 else 0.11)
    canvas.rect(0, 0, canvas.width, canvas.height, fill=theme.page)
    canvas.strokes(ways, theme.wave, size / 10, stroke_dasharray=f"{size / 10:.2f} {size / 5:.2f}")
    homes = {place: seat for seat, place in setting.harbours.items()}
    for place, (x, y) in at.items():
        seen = place in view.seen
        rim = theme.seats[homes[place]].line if place in homes else theme.line_strong
        # The attribute makes the disc a place that can be pointed at in a browser.
        fill = theme.land if seen else theme.water
        canvas.disc(
            x, y, size, data_place=place, fill=fill, stroke=rim, stroke_width=size / (8 if place in homes else 16)
        )
        canvas.text(place, x, y - 0.6 * size, 0.4 * size, fill=theme.ink_2 if seen else theme.ink_3, anchor="middle")
        for seat, crew in view.crews.items():
            if number := (crew.boats or {}).get(place):
                seats.piece(canvas, seat, x, y + 0.2 * size, size / 2, theme, rim=size / 20, count=number)


def heading(setting: Setting, view: View) -> str:
    when = f"turn {view.turn} of {setting.turns}" if view.outcome is None else "after the end"
    return f"Skerries, {view.who}, {when}"


def text(setting: Setting, view: View, colour: bool = False) -> str:
    """The view in words, a line for every sector and one for every seat."""
    boats = {place: f"{seat} {many}" for seat, crew in view.crews.items() for place, many in (crew.boats or {}).items()}
    cells = [f"{p}: {boats.get(p, 'empty' if p in view.seen else 'mist')}" for p in setting.places]
    rows = [cells[0], *("".join(f"{cell:16}" for cell in cells[i : i + 3]) for i in range(1, len(cells), 3))]
    for seat, crew in view.crews.items():
        rows.append(
            f"{seat}: {crew.points} {'point' if crew.points == 1 else 'points'}{', out' if crew.boats is None else ''}"
        )
    return "\n".join([heading(setting, view), "", *(row.rstrip() for row in rows)]) + "\n"
