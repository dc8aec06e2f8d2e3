"""What can happen in a turn: every kind of event, once, in the stages of the book (2.2)."""

from __future__ import annotations

from typing import Annotated, Any, Final

from polemos.games.demons.state import COMPASS, PLAYERS, REASONS, TOWERS, WORLD, State
from polemos.kernel.chronicle import DIE, By, Chronicle, Field, named
from polemos.kernel.log import Log, emit
from polemos.kernel.phrases import filled
from polemos.kernel.scenes import appear, count, flash, move, vanish


def _place(state: State, tile: int) -> tuple[int, int] | None:
    return (state.tile[tile].x, state.tile[tile].y) if 0 <= tile < state.tiles else None


def _base(state: State, player: int) -> tuple[int, int]:
    return state.base_x[player], state.base_y[player]


Side = Annotated[int, named(PLAYERS)]  # a player; the owner of a mercenary; the target of a demon
Sort = Annotated[int, named(("mercenary", "demon"))]
Kind = Annotated[
    int, named((*(f"{name} mercenary" for name in PLAYERS), *(f"demon bound for {name}" for name in PLAYERS)))
]
Tower = Annotated[int, named(TOWERS)]
Tile = Annotated[int, Field(tuple[int, int] | None, _place)]
BaseOf = Annotated[int, Field(tuple[int, int] | None, _base)]
Direction = Annotated[int, named(COMPASS)]
Reason = Annotated[int, named(REASONS)]
Part = Annotated[int, named(WORLD)]
Die = Annotated[int, DIE]

CHRONICLE = Chronicle(seat="side")
DROPOUTS = CHRONICLE.stage()
BUILD = CHRONICLE.stage("Build", 200)
HIRE = CHRONICLE.stage("Hire", 160)
MERCENARIES = CHRONICLE.stage("Mercenaries", 320)
DEMONS = CHRONICLE.stage("Demons", 320)
ARRIVALS = CHRONICLE.stage("Arrivals", 200)
ANNOUNCED = CHRONICLE.stage()
SHOTS = CHRONICLE.stage("Towers", 320)
END = CHRONICLE.stage()

_OF_ITS_SORT: Final = By("unit", {"demon": DEMONS}, MERCENARIES)
_NAMES: Final = dict(zip(COMPASS, ("north", "east", "south", "west"), strict=True))


def _unit(event: Any) -> str:
    return (
        f"{event.side.capitalize()}'s mercenary" if event.unit == "mercenary" else f"The demon bound for {event.side}"
    )


# ---- what the players decide


@CHRONICLE.kind(
    "built",
    "3.3",
    BUILD,
    "{Side} builds a {tower} on {at} for {number} gold.",
    shows=[appear("tower", "{at}", kind="{tower}", owner="{side}")],
)
def built(log: Log, line: int, side: Side, tower: Tower, at: Tile, number: int) -> None:
    emit(log, 0, line, side, tower, at, 0, number, 0, 0)


@CHRONICLE.kind(
    "destroyed",
    "3.7",
    BUILD,
    "{Side} destroys the {tower} on {at} and gets {number} gold back.",
    shows=[vanish("tower", "{at}")],
)
def destroyed(log: Log, line: int, side: Side, tower: Tower, at: Tile, number: int) -> None:
    emit(log, 1, line, side, tower, at, 0, number, 0, 0)


@CHRONICLE.kind(
    "hired",
    "4.1",
    HIRE,
    lambda event: filled(f"{{Side}} sends a mercenary {_NAMES[event.direction]} for {{number}} gold.", event),
    shows=[count("queued {side} {direction}", "1")],
)
def hired(log: Log, line: int, side: Side, direction: Direction, number: int) -> None:
    emit(log, 2, line, side, direction, 0, 0, number, 0, 0)


@CHRONICLE.kind("provoked", "11.10", HIRE, "{Side} pays {number} gold to provoke demons.", is_moment=True)
def provoked(log: Log, line: int, side: Side, number: int) -> None:
    emit(log, 3, line, side, 0, 0, 0, number, 0, 0)


@CHRONICLE.kind(
    "banished", "11.10", HIRE, "Both provoke: {number} {number|demon vanishes|demons vanish}.", is_moment=True
)
def banished(log: Log, number: int) -> None:
    emit(log, 4, 0, 0, 0, 0, 0, number, 0, 0)


# ---- the world: units


@CHRONICLE.kind(
    "moved",
    By("unit", {"demon": "6.1"}, "5.6"),
    _OF_ITS_SORT,
    lambda event: filled(f"{_unit(event)} moves {{at}} to {{to}}.", event),
    shows=[move("unit", "{at}", "{to}")],
)
def moved(log: Log, side: Side, unit: Sort, at: Tile, to: Tile, number: int) -> None:
    emit(log, 5, 0, side, unit, at, to, number, 0, 0)


@CHRONICLE.kind(
    "hit",
    By("unit", {"demon": "6.1"}, "5.7"),
    _OF_ITS_SORT,
    lambda event: filled(f"{_unit(event)} on {{at}} takes {{number}} health from the {{foe}} on {{to}}.", event),
    shows=[flash("fight", "{at}", "{to}", lean="unit"), count("unit", "-{number}", "{to}")],
)
def hit(log: Log, side: Side, unit: Sort, at: Tile, to: Tile, foe: Kind, number: int) -> None:
    emit(log, 6, 0, side, unit, at, to, number, foe, 0)


@CHRONICLE.kind(
    "hit base",
    By("unit", {"demon": "6.5"}, "5.4"),
    _OF_ITS_SORT,
    lambda event: filled(
        f"{_unit(event)} on {{at}} takes {{number}} health from {{foe}}'s base, {{left}} left.", event
    ),
    shows=[flash("fight", "{at}", "{to}", lean="unit"), count("health {foe}", "-{number}")],
)
def hit_base(log: Log, side: Side, unit: Sort, at: Tile, to: BaseOf, foe: Side, number: int, left: int) -> None:
    emit(log, 7, 0, side, unit, at, to, number, foe, left)


@CHRONICLE.kind(
    "fell",
    By("part", {"demons": "6.6", "towers": "8.8"}, "5.8"),
    By("part", {"demons": DEMONS, "towers": SHOTS}, MERCENARIES),
    lambda event: filled(f"{_unit(event)} on {{at}} falls.", event),
    shows=[vanish("unit", "{at}")],
)
def fell(log: Log, side: Side, unit: Sort, at: Tile, part: Part, number: int) -> None:
    emit(log, 8, 0, side, unit, at, part, number, 0, 0)


@CHRONICLE.kind(
    "arrived",
    "7.1",
    ARRIVALS,
    lambda event: filled(
        "{Side}'s mercenary arrives on {at}" + (", {lost} more {lost|is|are} lost." if event.lost else "."), event
    ),
    shows=[
        appear("unit", "{at}", "{number}", kind="mercenary", side="{side}"),
        count("queued {side} {direction}", "-1"),
        count("queued {side} {direction}", "-{lost}"),
    ],
)
def arrived(log: Log, side: Side, direction: Direction, at: Tile, number: int, lost: int) -> None:
    emit(log, 9, 0, side, direction, at, 0, number, lost, 0)


@CHRONICLE.kind(
    "demon arrived",
    "7.3",
    ARRIVALS,
    "A demon of {number} health arrives on {at}, bound for {side}.",
    shows=[appear("unit", "{at}", "{number}", kind="demon", side="{side}")],
)
def demon_arrived(log: Log, side: Side, unit: Sort, at: Tile, number: int) -> None:
    emit(log, 10, 0, side, unit, at, 0, number, 0, 0)


# ---- the world: towers


@CHRONICLE.kind(
    "shot",
    By("tower", {"minigun": "8.6"}, "8.5"),
    SHOTS,
    "{Side}'s {tower} on {at} takes {number} health from the {foe} on {to}.",
    shows=[flash("shot", "{at}", "{to}"), count("unit", "-{number}", "{to}")],
)
def shot(log: Log, side: Side, tower: Tower, at: Tile, to: Tile, foe: Kind, number: int) -> None:
    emit(log, 11, 0, side, tower, at, to, number, foe, 0)


@CHRONICLE.kind(
    "income",
    "8.7",
    SHOTS,
    "{Side}'s house on {at} gives {number} gold.",
    shows=[flash("gain", "{at}", number="{number}")],
)
def income(log: Log, side: Side, at: Tile, number: int) -> None:
    emit(log, 12, 0, side, 0, at, 0, number, 0, 0)


@CHRONICLE.kind(
    "strengthened",
    "11.9",
    SHOTS,
    "{Side}'s church on {at} gives the mercenary on {to} {gain} health, {number} in all.",
    shows=[count("unit", "{gain}", "{to}")],
    is_moment=True,
)
def strengthened(log: Log, side: Side, at: Tile, to: Tile, gain: int, number: int) -> None:
    emit(log, 13, 0, side, 0, at, to, number, gain, 0)


# ---- the end


@CHRONICLE.kind(
    "ended",
    "9.1",
    END,
    lambda event: filled("{Side} wins: {reason}." if event.side else "A draw: {reason}.", event),
    is_moment=True,
)
def ended(log: Log, side: Side, reason: Reason) -> None:
    emit(log, 14, 0, side, 0, reason, 0, 0, 0, 0)


@CHRONICLE.kind("dropped out", "9.6", DROPOUTS, "{Side} drops out.", is_moment=True, from_python=True)
def dropped(log: Log, side: Side) -> None:
    emit(log, 15, 0, side, 0, 0, 0, 0, 0, 0)


# ---- what is to come, and chance


@CHRONICLE.kind(
    "demons next turn", "7.5", ANNOUNCED, "Next turn a demon of {number} health comes on {at}, bound for {foe}."
)
def announced(log: Log, at: Tile, foe: Side, number: int) -> None:
    emit(log, 16, 0, 0, foe, at, 0, number, 0, 0)


def _thrown(event: Any) -> str:
    """What a die is thrown for, in words: one for the coin names no tower."""
    if event.at is not None:
        return filled("{Side}'s tower on {at} draws {die} for the {foe} on {to}.", event)
    return filled(f"{{Side}} draws {{die}} for the coin{', again' if event.draw else ''}.", event)


@CHRONICLE.kind("die", By("at", {None: "9.4"}, "11.7"), By("at", {None: END}, SHOTS), _thrown)
def rolled(log: Log, side: Side, at: Tile, to: Tile, foe: Kind, draw: int, die: Die) -> None:
    emit(log, 17, 0, side, foe, at, to, draw, 0, die)


@CHRONICLE.kind("coin awaited", "9.4", END, "Nothing differs. The coin decides: it is tossed by hand.", is_moment=True)
def awaited(log: Log) -> None:
    emit(log, 18, 0, 0, 0, 0, 0, 0, 0, 0)
