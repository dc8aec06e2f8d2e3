"""What can happen in a turn: every kind of event, once, with its paragraph, its words and what it does on the board."""

from __future__ import annotations

from typing import Annotated

from polemos.kernel.chronicle import OWN, Chronicle, named
from polemos.kernel.log import Log, emit
from polemos.kernel.scenes import flash, move
from skerries.state import NAMES, SEATS

Seat = Annotated[int, named(SEATS)]
Place = Annotated[int, named(NAMES)]

# Sorted by what they say: the order in which lines were written would betray something of another sheet.
CHRONICLE = Chronicle(seat="seat", order=lambda kind, fields: (kind.number, *fields.values()))
ROWING = CHRONICLE.stage("Rowing")
MEETING = CHRONICLE.stage("Meeting")
HOME = CHRONICLE.stage("Home")
POINTS = CHRONICLE.stage()


@CHRONICLE.kind(
    "rowed",
    "3.1",
    ROWING,
    "{Seat} rows {number} {number|boat|boats} from {place} to {to}.",
    shows=[move("boats {seat}", "{place}", "{to}", "{number}")],
    told=OWN,
)
def rowed(log: Log, line: int, seat: Seat, place: Place, to: Place, number: int) -> None:
    emit(log, 0, line, seat, 0, place, to, number, 0, 0)


@CHRONICLE.kind(
    "threw",
    "3.2",
    MEETING,
    "At {place} {seat} throws {die}, {total} with its boats.",
    shows=[flash("meeting", "{place}")],
)
def threw(log: Log, seat: Seat, place: Place, die: int, total: int) -> None:
    emit(log, 1, 0, seat, 0, place, die, total, 0, 0)


@CHRONICLE.kind(
    "returned",
    "3.4",
    HOME,
    "{Seat} returns from {place} to {to} with {number} {number|boat|boats}.",
    shows=[move("boats {seat}", "{place}", "{to}", "{number}")],
    is_moment=True,
)
def returned(log: Log, seat: Seat, place: Place, to: Place, number: int) -> None:
    emit(log, 2, 0, seat, 0, place, to, number, 0, 0)


@CHRONICLE.kind("scored", "4.1", POINTS, "{Seat} scores {number}, {total} in all.")
def scored(log: Log, seat: Seat, number: int, total: int) -> None:
    emit(log, 3, 0, seat, 0, number, total, 0, 0, 0)


@CHRONICLE.kind("dropped out", "4.3", POINTS, "{Seat} drops out.", is_moment=True, from_python=True)
def dropped(log: Log, seat: Seat) -> None:
    emit(log, 4, 0, seat, 0, 0, 0, 0, 0, 0)
