"""What can happen in a turn: every kind of event, once, in the stages of the book (3.1). Nothing is hidden (1.8)."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from polemos.games.monad.state import (
    BY_BUILDINGS,
    BY_COUNT,
    BY_SURVIVAL,
    DIRECTIONS,
    ENDINGS,
    MAX_TILES,
    SEATS,
    SURVIVAL,
    WORDS,
)
from polemos.kernel.chronicle import By, Chronicle, Field, named
from polemos.kernel.log import Log, emit
from polemos.kernel.phrases import filled
from polemos.kernel.scenes import appear, change, count, flash, move, vanish


@lru_cache
def _tiles(width: int) -> list[tuple[int, int]]:
    """All tiles of a board by number. Thousands are asked for in a turn, so they are made once."""
    return [(tile % width, tile // width) for tile in range(MAX_TILES)]


def _tile(state: Any, tile: int) -> tuple[int, int] | None:
    return _tiles(state.width)[tile] if tile >= 0 else None


def _sharing(_: Any, seats: int) -> tuple[str, ...]:
    return tuple(name for seat, name in enumerate(SEATS) if seats >> seat & 1)


Seat = Annotated[int, named(SEATS)]
Tile = Annotated[int, Field(tuple[int, int] | None, _tile)]
Direction = Annotated[int, named(DIRECTIONS)]
Word = Annotated[int, named(WORDS)]
Reason = Annotated[int, named(ENDINGS)]
Sharing = Annotated[int, Field(tuple[str, ...], _sharing, ())]  # a bit for each seat

CHRONICLE = Chronicle(seat="seat")
LISTS = CHRONICLE.stage()
COLLISIONS = CHRONICLE.stage("Collide", 240)
MOVES = CHRONICLE.stage("Move", 320)
FOUNDINGS = CHRONICLE.stage("Build", 200)
MINING = CHRONICLE.stage("Mine", 160)
FIGHTS = CHRONICLE.stage("Fight", 280)
PRODUCTION = CHRONICLE.stage("Produce", 200)
END = CHRONICLE.stage()

# Where several lines of a list do the same on one tile, they add up (4.3): what comes of them is told by the tile, and
# only what is cut, founded or clashes comes from one line.


@CHRONICLE.kind("cut", "2.5", LISTS, "{Seat}'s {word} order on {at} is cut from {of} to {number}.")
def cut(log: Log, line: int, seat: Seat, at: Tile, number: int, of: int, word: Word) -> None:
    """`of`: units ordered."""
    emit(log, 0, line, seat, word, at, 0, number, of, 0)


@CHRONICLE.kind(
    "collided",
    "4.2",
    COLLISIONS,
    "{Seat} from {at} and {Other} from {to} collide: both lose {number}.",
    shows=[
        flash("clash", "{at}", "{to}", lean="stack {seat}"),
        flash("clash", "{to}", "{at}", lean="stack {other}"),
        count("stack {seat}", "-{number}", "{at}"),
        count("stack {other}", "-{number}", "{to}"),
    ],
)
def collided(log: Log, seat: Seat, other: Seat, at: Tile, to: Tile, number: int) -> None:
    emit(log, 1, 0, seat, other, at, to, number, 0, 0)


@CHRONICLE.kind(
    "moved",
    "4.5",
    MOVES,
    "{Seat} moves {number} {number|unit|units} from {at} to {to}.",
    shows=[move("stack {seat}", "{at}", "{to}", "{number}")],
)
def moved(log: Log, seat: Seat, at: Tile, to: Tile, number: int, direction: Direction) -> None:
    emit(log, 2, 0, seat, direction, at, to, number, 0, 0)


@CHRONICLE.kind(
    "founded",
    "5.7",
    FOUNDINGS,
    "{Seat} founds a building on {at}, block {direction}, for {number}.",
    shows=[appear("building {seat}", "{at}", direction="{direction}", points=0)],
)
def founded(log: Log, line: int, seat: Seat, at: Tile, number: int, direction: Direction) -> None:
    emit(log, 3, line, seat, direction, at, 0, number, 0, 0)


@CHRONICLE.kind(
    "clashed",
    "5.6",
    FOUNDINGS,
    "{Seat}'s building on {at} overlaps another: none is founded, and {number} {number|is|are} refunded.",
    shows=[flash("clash", "{at}")],
)
def clashed(log: Log, line: int, seat: Seat, at: Tile, number: int, direction: Direction) -> None:
    emit(log, 4, line, seat, direction, at, 0, number, 0, 0)


@CHRONICLE.kind(
    "mined",
    "7.1",
    MINING,
    "{Seat} mines {number} ore on {at}; {of} left.",
    shows=[change("ore", "{at}", left="{of}")],
)
def mined(log: Log, seat: Seat, at: Tile, number: int, of: int) -> None:
    """`of`: ore left."""
    emit(log, 5, 0, seat, 0, at, 0, number, of, 0)


@CHRONICLE.kind(
    "lost",
    "8.1",
    FIGHTS,
    "{Seat} loses {number} {number|unit|units} on {at}.",
    shows=[flash("clash", "{at}"), count("stack {seat}", "-{number}", "{at}")],
)
def lost(log: Log, seat: Seat, at: Tile, number: int) -> None:
    emit(log, 6, 0, seat, 0, at, 0, 0, 0, number)


@CHRONICLE.kind(
    "assault failed",
    "8.4",
    FIGHTS,
    "{Other}'s assault with {of} {of|unit|units} on {Seat}'s building on {at} fails.",
    shows=[flash("clash", "{at}")],
)
def repelled(log: Log, seat: Seat, other: Seat, at: Tile, of: int) -> None:
    """`of`: units of the assault."""
    emit(log, 7, 0, seat, other, at, 0, 0, 0, of)


@CHRONICLE.kind(
    "destroyed",
    "8.3",
    FIGHTS,
    "{Other} destroys {Seat}'s building on {at} with {of} {of|unit|units}.",
    shows=[flash("clash", "{at}"), vanish("building {seat}", "{at}")],
    is_moment=True,
)
def destroyed(log: Log, seat: Seat, other: Seat, at: Tile, of: int) -> None:
    """`of`: units of the assault."""
    emit(log, 8, 0, seat, other, at, 0, 0, 0, of)


@CHRONICLE.kind(
    "produced",
    "6.4",
    PRODUCTION,
    "{Seat}'s building on {at} makes {number} {number|unit|units}.",
    shows=[appear("stack {seat}", "{at}", "{number}")],
)
def produced(log: Log, seat: Seat, at: Tile, number: int) -> None:
    emit(log, 9, 0, seat, 0, at, 0, 0, 0, number)


def _over(event: Any) -> str:
    where = "stock" if event.at is None else "stack on {at}"
    return filled(f"{{Seat}}'s {where} is full: {{number}} {{number|is|are}} lost.", event)


@CHRONICLE.kind(
    "over the limit",
    "3.3",
    PRODUCTION,
    _over,
    shows=[count("stack {seat}", "-{number}", "{at}")],
)
def capped(log: Log, seat: Seat, at: Tile, number: int) -> None:
    """`at` is -1 for a stock."""
    emit(log, 10, 0, seat, 0, at, 0, 0, 0, number)


@CHRONICLE.kind("out", "9.6", END, "{Seat} is out, with no units or buildings left.", is_moment=True)
def out(log: Log, seat: Seat, number: int) -> None:
    """`number`: of the turn."""
    emit(log, 11, 0, seat, 0, 0, 0, number, 0, 0)


@CHRONICLE.kind("forfeited", "9.7", LISTS, "{Seat} forfeits.", is_moment=True, from_python=True)
def forfeited(log: Log, seat: Seat) -> None:
    emit(log, 12, 0, seat, 0, 0, 0, 0, 0, 0)


@CHRONICLE.kind("alone", "9.2", END, f"Only {{Seat}} has units left, for {{number}} of {SURVIVAL} turns.")
def alone(log: Log, seat: Seat, number: int) -> None:
    emit(log, 13, 0, seat, 0, 0, 0, number, 0, 0)


def _end(event: Any) -> str:
    if event.seat is not None:
        return filled("{Seat} wins: {reason}.", event)
    *most, last = event.sharing
    return f"A draw between {', '.join(most)} and {last}: {event.reason}."


@CHRONICLE.kind(
    "ended",
    By("reason", {ENDINGS[BY_BUILDINGS]: "9.1", ENDINGS[BY_SURVIVAL]: "9.2", ENDINGS[BY_COUNT]: "9.3"}, "9.7"),
    END,
    _end,
    is_moment=True,
)
def ended(log: Log, seat: Seat, reason: Reason, sharing: Sharing) -> None:
    """`seat` is NOBODY for a draw; `sharing` says whose."""
    emit(log, 14, 0, seat, 0, reason, sharing, 0, 0, 0)
