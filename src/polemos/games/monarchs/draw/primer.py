"""The rules and the odds on one page, for everybody at a party, in ink on white."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.draw.cards import taken_off
from polemos.games.monarchs.draw.facts import cells_of
from polemos.games.monarchs.draw.picture import Order, draw_orders, odds_table
from polemos.games.monarchs.party.options import Options
from polemos.games.monarchs.party.scores import BONUS, LOYAL, SPY
from polemos.games.monarchs.view import Setting, View
from polemos.pictures import blocks, faces, marks, seats, sheet
from polemos.pictures.hexmap import HexMap, Style, on_paper
from polemos.pictures.sheet import INK, MARGIN, words
from polemos.pictures.svg import Canvas
from polemos.pictures.tokens import PRINT

_SIZE: Final = 3.25
_PITCH: Final = 4.15
_INDENT: Final = 5.0
_MAP: Final = 6.7  # radius of a hex
_LOWER: Final = {"a4": 136.0, "letter": 131.0}  # where the lower part begins

# What the picture shows, on the position of the start.
_ORDERS: Final[tuple[Order, ...]] = (
    ("march", "G5", "H4", 3),
    ("march", "F4", "H4", 1),
    ("march", "J6", "I5", 2),
    ("bless", "H4"),
)
_PICTURE: Final = (
    "The start. Red sends 3 from G5 and 1 from F4 to H4 and blesses H4. Blue has 3 there: 4 to 3, so Red is sure to"
    " win, unless Blue blesses H4 too. Then it is 97 %. Green walks into the empty centre, I5."
)
_GOAL: Final = (
    "Each turn you score your hexes, {scored}. The last turn counts twice. You see only your land and the hexes next to"
    " it."
)
_ORDERING: Final = (
    "Send regiments to a hex next to theirs: from, to, how many. Armies may split and join.",
    "Bless one hex, any hex, if you like.",
    "A line that can't be carried out is dropped. Nobody tells you.",
)
_TURN: Final = (
    "Border battles.|If two nations march at each other over one border, only those regiments fight. The loser stays"
    " where it was and loses nothing.",
    "Everyone moves|at the same time.",
    "Hex battles|wherever two or three nations meet. The strongest army takes the hex.",
    "Losers|lose one regiment. The rest retreats to one of their own hexes next to it, the one nearest home. If there"
    " is none, all are beaten.",
    "Beaten regiments|are back on their home base at once. A home base can't be taken.",
)
_STRENGTH: Final = (
    ("each regiment", "1"),
    ("your own hex (not at a border)", "+ 0.25"),
    ("you blessed the hex (not at a border)", "+ 0.5"),
    ("chance", "+ 0 to 1"),
)
_UNSURE: Final = "Ask a gamerunner. What they rule tonight holds for all courts."


def rules_page(setting: Setting, start: View, options: Options, paper: str = "a4") -> str:
    """One page for everybody. `start` is the umpire's view of the starting position."""
    size = sheet.paper_called(paper)
    canvas = sheet.sheet(size)
    words(canvas, "Monarchs", MARGIN, 19, 13, display=True)
    after = MARGIN + faces.width("Monarchs", 13, display=True) + 5
    words(canvas, "the rules and the odds on one page", after, 19)
    sheet.figures(canvas, rounds_of(options), size.right, 19)
    sheet.rule(canvas, MARGIN, 24, to_x=size.right)
    _picture(canvas, setting, start)
    room = size.right - MARGIN
    right = Column(canvas, MARGIN + 112, size.right, 31)
    right.heading("The picture")
    right.text(_PICTURE)
    right.heading("Your goal")
    beaten = "plus 2 for each regiment you beat, minus 2 for each you lose"
    if setting.scoring == "battles":
        beaten = "plus 1 for each battle you win, minus 1 for each you lose"
    right.text(_GOAL.format(scored=beaten))
    right.heading("Your orders")
    right.points(_ORDERING)
    low = _LOWER[paper]
    left = Column(canvas, MARGIN, MARGIN + room * 0.485, low)
    left.heading("A turn")
    left.points(_TURN, numbered=True)
    left.heading("Strength in a battle")
    left.rows(_STRENGTH)
    left.y += 3.5
    odds_table(canvas, left.left, left.right, left.y)
    left.y += 37.5
    left.text("Nobody's hex, equal numbers: 50, with your blessing 88. Two attackers never add up.")
    _social(Column(canvas, MARGIN + room * 0.53, size.right, low), options)
    return canvas.document("Monarchs on one page", "The rules and the odds on one page.")


def rounds_of(options: Options) -> str:
    """How long the party is, in the heading."""
    seconds = options.round_seconds
    minutes = f"{seconds} seconds" if seconds % 60 else f"{seconds // 60} minute{'' if seconds == 60 else 's'}"
    return f"{options.rounds} rounds of {minutes}" if options.rounds else f"rounds of {minutes}"


def courts_of(options: Options) -> tuple[str, ...]:
    """What the courts must know (12.3 to 12.14)."""
    is_february = options.party == "2022-02"
    lines = [
        "The monarch stays in the court. The court's own courtiers carry orders and maps, nobody else.",
        "Not the one who carried the last orders, not the one who fetched the last map.",
        "At most three of your own courtiers in the court at once.",
        f"A carrier may read and change what they carry. At the desk every carrier waits {options.holding_seconds}"
        " seconds alone.",
        "Late by the clock means no orders: all stay, nothing is blessed.",
        "The monarch may dismiss anyone, for a time or for good, and summon one person at a time from the common area."
        " You can't refuse, except while carrying, and stay for a minute.",
    ]
    if is_february:
        lines[2:3] = []
        lines[-1] = "The monarch may send anyone away at any time."
    return tuple(lines)


def scores_of(options: Options) -> tuple[tuple[str, str], ...]:
    """Who scores how much (12.19 to 12.22)."""
    whose = "nation" if options.party == "2022-02" else "monarch"
    return (
        ("Monarch", f"nation + {BONUS} per spy named with the right nation"),
        ("Loyal courtier", f"{whose} − {taken_off(LOYAL, options.rounds)}"),
        ("Spy", f"2 × true {whose} − own {whose} − {taken_off(SPY, options.rounds)}"),
        ("Named as a spy", "half, rightly or not, rounded down"),
    )


def _social(column: Column, options: Options) -> None:
    column.heading("The courts")
    column.points(courts_of(options))
    column.heading("The spies")
    column.text(
        "In each court two courtiers are spies, one for each other court, and the others are loyal. After the last"
        " orders every monarch names both spies and the nation each of them serves, before any result is shown."
    )
    column.heading("Who wins")
    column.rows(scores_of(options))
    column.y += 2
    if options.party == "2022-02":
        column.text("One monarch wins. Three courtiers win by raffle: each point is a ticket.")
    else:
        column.text(
            "One monarch wins. Of the courtiers the best score wins, and two more by raffle: score squared is your"
            " number of tickets."
        )
    column.heading("If you are unsure")
    column.text(_UNSURE)


class Column:
    """A column of text that is filled from top to bottom."""

    def __init__(self, canvas: Canvas, left: float, right: float, y: float) -> None:
        self.canvas = canvas
        self.left = left
        self.right = right
        self.y = y

    def heading(self, text: str) -> None:
        self.y += 2.6
        words(self.canvas, text, self.left, self.y, 4, bold=True)
        self.y += 5.2

    def text(self, text: str, indent: float = 0.0) -> None:
        """A paragraph; what stands before a `|` is bold."""
        lead, _, rest = text.rpartition("|")
        left = self.left + indent
        self.y = blocks.paragraph(self.canvas, lead, rest, left, self.right, self.y, _SIZE, _PITCH)

    def points(self, lines: Sequence[str], numbered: bool = False) -> None:
        for number, line in enumerate(lines, 1):
            if numbered:
                words(self.canvas, str(number), self.left + 0.5, self.y, _SIZE, bold=True)
            else:
                self.canvas.disc(self.left + 1.2, self.y - 1.1, 0.55, fill=INK)
            self.text(line, _INDENT)
            self.y += 0.7

    def rows(self, rows: Sequence[tuple[str, str]]) -> None:
        for label, value in rows:
            words(self.canvas, label, self.left, self.y, _SIZE)
            size = faces.fit(value, _SIZE, self.right - self.left - faces.width(label, _SIZE) - 3, bold=True)
            sheet.figures(self.canvas, value, self.right, self.y, size, bold=True)
            sheet.rule(self.canvas, self.left, self.y + 1.9, to_x=self.right)
            self.y += 6.0


def _picture(canvas: Canvas, setting: Setting, start: View) -> None:
    """The starting position with a few orders, and what the signs mean."""
    middle = (MARGIN + 4.5 * 3**0.5 * _MAP, 29 + 7 * _MAP)
    style = _small()
    drawn = HexMap(cells_of(setting, start), _MAP, middle, PRINT, style)
    drawn.draw(canvas)
    draw_orders(canvas, drawn, _ORDERS)
    y = 29 + 14 * _MAP + 4.5
    x = MARGIN
    for nation in NATIONS:
        seats.piece(canvas, nation, x + 2.4, y, 2.2, PRINT, rim=0.5, halo=0)
        words(canvas, f"{nation[0].upper()} {nation.capitalize()}", x + 6.5, y + 1.2, 3.2)
        x += 21
    marks.star(canvas, x + 2.5, y, 4.4, INK)
    words(canvas, "home base", x + 6, y + 1.2, 3.2)
    canvas.strokes([((x + 25, y), (x + 32, y))], INK, 1.1, stroke_linecap="round")
    words(canvas, "front", x + 34, y + 1.2, 3.2)


def _small() -> Style:
    return replace(on_paper(), name=1.9, fog_name=1.9, hatch=0.12, border=0.2, front=0.7, rim=0.45, halo=0.4)
