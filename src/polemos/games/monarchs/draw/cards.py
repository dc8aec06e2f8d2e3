"""Sealed role cards for the courtiers of a party, three to a page, in ink on white (12.2).

A card is drawn from the sight of its courtier alone. Cards of loyal courtiers and of spies have the same layout and the
same lines in the same places, and a net of lines faces the text, so that nothing shines through the folded paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from polemos.games.monarchs.board import LETTERS, NATIONS
from polemos.games.monarchs.party.options import Options
from polemos.games.monarchs.party.roles import court_of
from polemos.games.monarchs.party.scores import LOYAL, SPY
from polemos.games.monarchs.party.sight import Sight
from polemos.pictures import faces, seats, sheet
from polemos.pictures.sheet import INK, Paper, words
from polemos.pictures.svg import Canvas, PictureError, Segment, clean
from polemos.pictures.tokens import PRINT

CARDS: Final = 3  # on a page
_OUTSIDE: Final = 42.0  # the part that is folded to the back and carries the name
_NET: Final = 2.54  # between lines of the net, along the page
_STEEP: Final = 1.73
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def card_pages(sights: Sequence[Sight], options: Options, paper: str = "a4", title: str = "") -> list[str]:
    """The role cards of these courtiers, each from their own sight."""
    size = sheet.paper_called(paper)
    pages = []
    for first in range(0, len(sights), CARDS):
        canvas = sheet.sheet(size)
        for place, sight in enumerate(sights[first : first + CARDS]):
            _card(canvas, size, place * size.height / CARDS, sight, options, title)
        pages.append(canvas.document("Role cards", "Sealed role cards. Fold them before anybody sees them."))
    return pages


def _card(canvas: Canvas, size: Paper, top: float, sight: Sight, options: Options, title: str) -> None:
    court = court_of(sight.role)
    if court is None or sight.card is None:
        raise PictureError("Only courtiers who have been dealt a loyalty have a card.")
    fold = (size.width + _OUTSIDE) / 2
    high = size.height / CARDS
    names = {person.role: clean(person.name) for person in sight.people}
    _outside(canvas, top, high, court, names[sight.role], names[court])
    _net(canvas, (_OUTSIDE + 2.5, top + 8, fold - 2.5, top + high - 8))
    _plate(canvas, (_OUTSIDE + fold) / 2, top + high / 2, clean(title), f"courtier of the {court.capitalize()} court")
    inside = tuple(told(sight, options))
    _inside(canvas, fold + 7, size.width - 9, top + 14, inside)
    for x, text in ((_OUTSIDE, "1. fold back"), (fold, "2. fold in half, print on the inside")):
        canvas.strokes([((x, top), (x, top + high))], INK, 0.3, stroke_dasharray="1.6 1.2")
        wide = faces.width(text, 2.5) + 2
        canvas.rect(x - wide / 2, top + 2, wide, 3.4, fill=PRINT.page)
        canvas.text(text, x, top + 4.6, 2.5, fill=INK, anchor="middle")
    if top:
        canvas.strokes([((0, top), (size.width, top))], INK, 0.25, stroke_dasharray="0.01 0.9", stroke_linecap="round")


def _outside(canvas: Canvas, top: float, high: float, court: str, name: str, monarch: str) -> None:
    """What shows when the card is folded: whose it is, and nothing else."""
    middle, room = _OUTSIDE / 2, _OUTSIDE - 6
    seats.arms(canvas, court, middle, top + 38, 6.2, PRINT, rim=0.9, line=0.28)
    size = faces.fit(name, 9, room, display=True)
    canvas.text(
        faces.shorten(name, size, room, display=True), middle, top + 56, size, fill=INK, display=True, anchor="middle"
    )
    lines = (f"{court.capitalize()} court", faces.shorten(monarch, 3.3, room))
    for i, line in enumerate(lines):
        canvas.text(line, middle, top + 63 + 4.5 * i, 3.3, fill=INK, anchor="middle")
    for i, line in enumerate(("Sealed. Open alone,", "tell nobody.")):
        canvas.text(line, middle, top + high - 14 + 4 * i, 2.9, fill=INK, anchor="middle")


def _net(canvas: Canvas, box: tuple[float, float, float, float]) -> None:
    canvas.strokes(net(box), INK, 0.18)


def net(box: tuple[float, float, float, float]) -> Iterator[Segment]:
    """Two sets of slanted lines across a box (left, top, right, bottom)."""
    left, top, right, bottom = box
    run = (bottom - top) / _STEEP
    start = left - run
    while start < right:
        for down in (True, False):
            ax, bx = (start, start + run) if down else (start + run, start)
            clipped = _clipped((ax, top), (bx, bottom), left, right)
            if clipped is not None:
                yield clipped
        start += _NET


def _clipped(a: tuple[float, float], b: tuple[float, float], left: float, right: float) -> Segment | None:
    """The part of a line between two verticals; None if there is none."""
    (ax, ay), (bx, by) = a, b
    ends = sorted((left - ax) / (bx - ax) if x == left else (right - ax) / (bx - ax) for x in (left, right))
    low, high = max(0.0, ends[0]), min(1.0, ends[1])
    if high - low < 0.001:
        return None
    return (ax + low * (bx - ax), ay + low * (by - ay)), (ax + high * (bx - ax), ay + high * (by - ay))


def _plate(canvas: Canvas, x: float, y: float, title: str, court: str) -> None:
    """A white plate on the net with the name of the evening."""
    title = faces.shorten(title, 3.4, 60, bold=True)
    wide = max(faces.width(court, 3.4), faces.width(title, 3.4, bold=True)) + 10
    canvas.rect(x - wide / 2, y - 7.5, wide, 15, fill=PRINT.page)
    canvas.text(title or "Monarchs", x, y - 1.3, 3.4, fill=INK, bold=True, anchor="middle")
    canvas.text(court, x, y + 3.5, 3.4, fill=INK, anchor="middle")


def told(sight: Sight, options: Options) -> Iterator[str]:
    """The lines of a card in order: court, loyalty, four sentences' worth of advice, three rules, a last word."""
    court = court_of(sight.role)
    assert court is not None
    assert sight.card is not None
    names = {person.role: faces.shorten(clean(person.name), 3.35, 38) for person in sight.people}
    serves = NATIONS[LETTERS.index(sight.card.serves)]
    many = sum(person.court == court for person in sight.people) - 1
    is_february = options.party == "2022-02"
    yield f"You sit in the {court.capitalize()} court, with {names[court]}."
    yield f"You serve {serves.capitalize()}."
    if serves == court:
        yield f"{names[serves]} is your true monarch, but can't know who is loyal."
        yield f"Two of the {_NUMBERS[many]} courtiers here are spies, one for each other court."
    else:
        yield f"{names[serves]} is your true monarch, but can't know who you are."
        meet = "Ask to be let in" if is_february else "Meet by a summons"
        yield f"{meet}, or send word through the common area."
    whose = "nation" if is_february else "monarch"
    yield f"own {whose} − {taken_off(LOYAL, options.rounds)}"
    yield f"2 × true − own − {taken_off(SPY, options.rounds)}"
    yield "half, rightly or not"
    won = "three are drawn in a raffle" if is_february else "the best score, then two by raffle"
    yield f"You may read and change what you carry, and take notes. After the last round three courtiers win: {won}."


def taken_off(each: int, rounds: int) -> str:
    """12.21 The constant of a courtier's score.

    >>> taken_off(18, 8), taken_off(19, 0)
    ('162', '19 × (rounds + 1)')
    """
    return str(each * (rounds + 1)) if rounds else f"{each} × (rounds + 1)"


def labels(scores: Sequence[str], room: float) -> tuple[str, str, str]:
    """What the three rules are called; shorter if the number of rounds is open, which makes the scores long.

    >>> labels(("own monarch − 162",), 68)[0], labels(("2 × true − own − 19 × (rounds + 1)",), 68)[0]
    ('The loyal score', 'Loyal')
    """
    left = room - max(faces.width(score, 3.5, bold=True) for score in scores) - 3
    if faces.width("The loyal score", 3.5) <= left:
        return "The loyal score", "Spies score", "Named as a spy"
    return "Loyal", "Spy", "Named as a spy"


def _inside(canvas: Canvas, left: float, right: float, y: float, lines: Sequence[str]) -> None:
    court, serves, one, two, loyal, spy, named, rest = lines
    room = right - left
    words(canvas, faces.shorten(court, 3.5, room), left, y, 3.5)
    words(canvas, serves, left, y + 10.5, 8.4, display=True)
    for place, sentence in ((19.0, one), (28.2, two)):
        for i, line in enumerate(faces.wrap(sentence.split(), 3.35, room)[:2]):
            words(canvas, line, left, y + place + 4.6 * i, 3.35)
    for i, (label, score) in enumerate(zip(labels((loyal, spy), room), (loyal, spy, named), strict=True)):
        base = y + 42.5 + 7.2 * i
        sheet.rule(canvas, left, base - 4.9, to_x=right)
        words(canvas, label, left, base, 3.5)
        sheet.figures(canvas, score, right, base, 3.5, bold=True)
    for i, line in enumerate(faces.wrap(rest.split(), 2.9, room)[:4]):
        words(canvas, line, left, y + 65 + 4 * i, 2.9)
