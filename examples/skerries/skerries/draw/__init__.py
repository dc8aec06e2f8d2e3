"""The pictures, drawn from a view alone: the board for a screen, a page for the printer, lines for a terminal."""

from __future__ import annotations

from math import cos, pi, sin

from polemos.pictures import seats, sheet
from polemos.pictures.svg import Canvas, Point, Value, marked
from polemos.pictures.tokens import PRINT, Theme, theme_called
from skerries.view import Setting, View

_FROM_MIDDLE = {"1": 1.0, "2": 0.85, "3": 0.48}  # how far out the rings of a sector lie


def point(setting: Setting, place: str, middle: Point, radius: float) -> Point:
    """Where a skerry lies: sectors go round clockwise from the left, outer skerries lie between two of them."""
    if place == "M":
        return middle
    sector = ord(place[0]) - ord("A") + (0.5 if place[1] == "2" else 0.0)
    turn, far = 2 * pi * sector / len(setting.harbours), radius * _FROM_MIDDLE[place[1]]
    return middle[0] - far * cos(turn), middle[1] - far * sin(turn)


def board(setting: Setting, view: View, theme: str = "light") -> str:
    canvas, tones = Canvas(1000, 1000), theme_called(theme)
    canvas.rect(0, 0, 1000, 1000, fill=tones.page)
    _sea(canvas, setting, view, tones, (500, 500), 410)
    return canvas.document(heading(setting, view), text(setting, view))


def page(setting: Setting, view: View, paper: str = "a4", title: str = "") -> str:
    size = sheet.paper_called(paper)
    canvas = sheet.sheet(size)
    sheet.words(canvas, heading(setting, view), sheet.MARGIN, 22, 7, display=True)
    sheet.words(canvas, title, sheet.MARGIN, 29)
    _sea(canvas, setting, view, PRINT, (size.width / 2, 130), 75)
    for number, line in enumerate(text(setting, view).splitlines()[2:]):
        sheet.words(canvas, line, sheet.MARGIN + number // 9 * 100, 228 + number % 9 * 5)
    return canvas.document(heading(setting, view), text(setting, view))


def _sea(canvas: Canvas, setting: Setting, view: View, theme: Theme, middle: Point, radius: float) -> None:
    at = {place: point(setting, place, middle, radius) for place in setting.places}
    names = words(setting, view)
    ways = [(at[one], at[two]) for one, others in setting.places.items() for two in others if one < two]
    size = radius * (0.14 if len(setting.harbours) < 6 else 0.115)
    canvas.strokes(ways, theme.wave, size / 10, stroke_dasharray=f"{size / 10:.2f} {size / 5:.2f}")
    homes = {place: seat for seat, place in setting.harbours.items()}
    for place, (x, y) in at.items():
        seen = place in view.seen
        rim = theme.seats[homes[place]].line if place in homes else theme.line_strong
        width = size / (8 if place in homes else 16)
        fill, dashes = (theme.land, None) if seen else (theme.water, f"{size / 6:.2f} {size / 8:.2f}")
        look: dict[str, Value] = {"fill": fill, "stroke": rim, "stroke_width": width, "stroke_dasharray": dashes}
        canvas.disc(x, y, size, **marked(place, names[place]), **look)
        canvas.text(place, x, y - 0.45 * size, 0.42 * size, fill=theme.ink_2, anchor="middle")
        for seat, crew in view.crews.items():
            if number := (crew.boats or {}).get(place):
                seats.piece(canvas, seat, x, y + 0.25 * size, size / 2, theme, rim=size / 20, count=number)


def heading(setting: Setting, view: View) -> str:
    when = f"turn {view.turn} of {setting.turns}" if view.outcome is None else "after the end"
    return f"Skerries, {view.who}, {when}"


def words(setting: Setting, view: View) -> dict[str, str]:
    """What is on each skerry, in words."""
    boats = {place: f"{seat} {many}" for seat, crew in view.crews.items() for place, many in (crew.boats or {}).items()}
    return {p: f"{p}: {boats.get(p, 'empty' if p in view.seen else 'mist')}" for p in setting.places}


def text(setting: Setting, view: View, colour: bool = False) -> str:
    """The view in words, a line for every sector and one for every seat."""
    cells = list(words(setting, view).values())
    rows = [cells[0], *("".join(f"{cell:16}" for cell in cells[i : i + 3]) for i in range(1, len(cells), 3))]
    for seat, crew in view.crews.items():
        rows.append(
            f"{seat}: {crew.points} {'point' if crew.points == 1 else 'points'}{', out' if crew.boats is None else ''}"
        )
    return "\n".join([heading(setting, view), "", *(row.rstrip() for row in rows)]) + "\n"
