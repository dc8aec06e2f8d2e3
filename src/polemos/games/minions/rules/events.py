"""What can happen in a turn: every kind of event, once. Everything of an ended turn is open (2.7).

A turn has one sheet, that of the side to move: `line` is a line of it, whoever an event belongs to.
"""

from __future__ import annotations

from typing import Annotated, Any

from polemos.games.minions.state import (
    BY_GIVING_UP,
    BY_LIMIT,
    BY_LOSSES,
    HEX_NAMES,
    REASONS,
    SIDES,
    State,
    type_names,
)
from polemos.kernel.chronicle import By, Chronicle, Field, named
from polemos.kernel.log import Log, emit
from polemos.kernel.rule import rule
from polemos.kernel.scenes import appear, change, count, flash, move, vanish


def _type(state: State, index: int) -> str | None:
    names = type_names(state)
    return names[index] if 0 <= index < len(names) else None


FROM_1 = Field(int, lambda _, index: index + 1, 0)

Side = Annotated[int, named(SIDES)]
Hex = Annotated[int, named(HEX_NAMES)]
Unit = Annotated[int, Field(str | None, _type)]
BoardNumber = Annotated[int, FROM_1]
Card = Annotated[int, FROM_1]
Reason = Annotated[int, named(REASONS)]

# 4 The stages of a turn. With several boards each is shown as one stage instead of attack and spawn.
CHRONICLE = Chronicle(seat="side")
TECHLINE = CHRONICLE.stage("Techline")
ATTACK = CHRONICLE.stage("Attack")
SPAWN = CHRONICLE.stage("Spawn")
END = CHRONICLE.stage("End")


@CHRONICLE.kind(
    "moved",
    "5.1",
    ATTACK,
    "On board {board} {Side}'s {unit} goes from {hex} to {to}.",
    shows=[move("unit {board}", "{board} {hex}", "{board} {to}"), change("unit {board}", "{board} {to}", moved=True)],
)
def moved(log: Log, line: int, side: Side, board: BoardNumber, hex: Hex, to: Hex, unit: Unit, tick: int) -> None:
    emit(log, 0, line, side, board, hex, to, unit, tick, 0)


@rule
def next_tick(log: Log, board: int) -> int:
    """5.1 The number of a tick that begins now, counted by board and turn: the log holds those before it."""
    at = log.count - 1
    while at >= 0:
        event = log.events[at]
        if event.kind == 0 and event.b == board:  # as `moved` has written it
            return event.f + 1
        at -= 1
    return 1


@CHRONICLE.kind(
    "hit",
    "6.9",
    ATTACK,
    "On board {board} {Side} attacks from {hex}: the {unit} on {to} has {number} damage.",
    shows=[
        flash("attack", "{board} {hex}", "{board} {to}", lean="unit {board}"),
        appear("attacks {board}", "{board} {hex}", "1"),
        change("unit {board}", "{board} {to}", damage="{number}"),
    ],
)
def hit(
    log: Log, line: int, side: Side, board: BoardNumber, hex: Hex, to: Hex, unit: Unit, number: int, by_unit: Unit
) -> None:
    """`hex` is where the attacker stands, `number` the damage that the target has now."""
    emit(log, 1, line, side, board, hex, to, unit, number, by_unit)


_STRUCK = (
    flash("attack", "{board} {by}", "{board} {hex}", lean="unit {board}"),
    appear("attacks {board}", "{board} {by}", "1"),
    vanish("unit {board}", "{board} {hex}"),
)


@CHRONICLE.kind(
    "destroyed",
    "6.10",
    ATTACK,
    "On board {board} {Side}'s {unit} on {hex} is destroyed by the {by_unit} on {by}.",
    shows=_STRUCK,
)
def destroyed(
    log: Log, line: int, side: Side, board: BoardNumber, hex: Hex, unit: Unit, by: Hex, by_unit: Unit
) -> None:
    """`side` is whose unit it was, `by` where the attacker stands."""
    emit(log, 2, line, side, board, hex, by, unit, by_unit, 0)


@CHRONICLE.kind(
    "unsummoned",
    "6.6",
    ATTACK,
    "On board {board} {Side}'s {unit} on {hex} is unsummoned by the {by_unit} on {by}.",
    shows=[*_STRUCK, appear("reserve {side} {unit}", "{board}", "1", side="{side}", type="{unit}")],
)
def unsummoned(
    log: Log, line: int, side: Side, board: BoardNumber, hex: Hex, unit: Unit, by: Hex, by_unit: Unit
) -> None:
    emit(log, 3, line, side, board, hex, by, unit, by_unit, 0)


@CHRONICLE.kind(
    "rebate", "6.11", ATTACK, "{Side} gets {number} back for the {unit}.", shows=[count("money {side}", "{number}")]
)
def rebate(log: Log, line: int, side: Side, board: BoardNumber, hex: Hex, unit: Unit, number: int) -> None:
    emit(log, 4, line, side, board, hex, 0, unit, number, 0)


@CHRONICLE.kind(
    "bought",
    "9.3",
    SPAWN,
    lambda event: f"On board {event.board} {_name(event)} buys {_a(event.unit)} for {event.number}.",
    shows=[
        count("money {side}", "-{number}"),
        appear("reserve {side} {unit}", "{board}", "1", side="{side}", type="{unit}"),
    ],
)
def bought(log: Log, line: int, side: Side, board: BoardNumber, unit: Unit, number: int) -> None:
    emit(log, 5, line, side, board, 0, 0, unit, number, 0)


@CHRONICLE.kind(
    "spawned",
    "9.4",
    SPAWN,
    lambda event: f"On board {event.board} {_name(event)} spawns {_a(event.unit)} on {event.hex}.",
    shows=[
        count("reserve {side} {unit}", "-1", "{board}"),
        appear("unit {board}", "{board} {hex}", side="{side}", type="{unit}", fresh=True),
    ],
)
def spawned(log: Log, line: int, side: Side, board: BoardNumber, hex: Hex, unit: Unit) -> None:
    emit(log, 6, line, side, board, hex, 0, unit, 0, 0)


@CHRONICLE.kind("chosen", "10.7", By("line", {0: END}, ATTACK), "On board {board} {Side} chooses the {unit}.")
def chosen(log: Log, line: int, side: Side, board: BoardNumber, hex: Hex, unit: Unit) -> None:
    emit(log, 7, line, side, board, hex, 0, unit, 0, 0)


@CHRONICLE.kind(
    "kept",
    "10.10",
    By("line", {0: END}, ATTACK),
    lambda event: f"On board {event.board} {_name(event)} keeps {_a(event.unit)}.",
)
def kept(log: Log, line: int, side: Side, board: BoardNumber, unit: Unit) -> None:
    emit(log, 8, line, side, board, 0, 0, unit, 0, 0)


_SPELL = appear("spells {side}", "card {place}", "1", side="{side}", place="{place}")


@CHRONICLE.kind("marched", "8.4", TECHLINE, "{Side} marches to card {place}, {unit}.", shows=[_SPELL])
def marched(log: Log, line: int, side: Side, place: Card, unit: Unit) -> None:
    emit(log, 9, line, side, 0, place, 0, unit, 0, 0)


@CHRONICLE.kind("teched", "8.5", TECHLINE, "{Side} techs card {place}, {unit}.", shows=[_SPELL])
def teched(log: Log, line: int, side: Side, place: Card, unit: Unit) -> None:
    emit(log, 10, line, side, 0, place, 0, unit, 0, 0)


@CHRONICLE.kind("paid", "8.3", TECHLINE, "{Side} pays {number} for spells.", shows=[count("money {side}", "-{number}")])
def paid(log: Log, line: int, side: Side, number: int) -> None:
    emit(log, 11, line, side, 0, 0, 0, 0, number, 0)


@CHRONICLE.kind("resigned", "13.1", ATTACK, "{Side} resigns board {board}.", is_moment=True)
def resigned(log: Log, line: int, side: Side, board: BoardNumber) -> None:
    emit(log, 12, line, side, board, 0, 0, 0, 0, 0)


@CHRONICLE.kind(
    "income", "11.2", END, "{Side} gets {number} from board {board}.", shows=[count("money {side}", "{number}")]
)
def income(log: Log, side: Side, board: BoardNumber, number: int) -> None:
    emit(log, 13, 0, side, board, 0, 0, 0, number, 0)


@CHRONICLE.kind(
    "board won",
    "12.1",
    END,
    "{Side} wins board {board} and has {number} {number|point|points}.",
    shows=[count("points {side}", "1")],
    is_moment=True,
)
def won(log: Log, side: Side, board: BoardNumber, number: int) -> None:
    emit(log, 14, 0, side, board, 0, 0, 0, number, 0)


@CHRONICLE.kind(
    "board lost",
    By("resigned", {1: "13.1"}, "12.3"),
    END,
    lambda event: (
        f"{_name(event)} loses board {event.board}; {_other(event).capitalize()} has {_points(event.number)}."
    ),
)
def lost(log: Log, side: Side, board: BoardNumber, number: int, resigned: int) -> None:
    """`number` are the points of the other side."""
    emit(log, 15, 0, side, board, 0, 0, resigned, number, 0)


@CHRONICLE.kind(
    "reset", "10.5", END, "Board {board} is reset.", shows=[vanish("unit {board}"), vanish("attacks {board}")]
)
def reset(log: Log, side: Side, board: BoardNumber) -> None:
    emit(log, 16, 0, side, board, 0, 0, 0, 0, 0)


@CHRONICLE.kind(
    "ended",
    By(
        "reason",
        {REASONS[BY_LOSSES]: "12.7", REASONS[BY_LIMIT]: "12.9", REASONS[BY_GIVING_UP]: "13.6"},
        "12.6",
    ),
    END,
    lambda event: f"{_name(event)} wins: {event.reason}." if event.side else f"A draw: {event.reason}.",
    is_moment=True,
)
def ended(log: Log, side: Side, reason: Reason) -> None:
    """Without a side: a draw."""
    emit(log, 17, 0, side, 0, 0, 0, reason, 0, 0)


@CHRONICLE.kind("gave up", "13.6", END, "{Side} gives up the game.", is_moment=True, from_python=True)
def gave_up(log: Log, side: Side) -> None:
    emit(log, 18, 0, side, 0, 0, 0, 0, 0, 0)


@CHRONICLE.kind("choice left open", "10.13", END, "On board {board} {Side} has not chosen: it will be the {unit}.")
def left_open(log: Log, side: Side, board: BoardNumber, unit: Unit) -> None:
    emit(log, 19, 0, side, board, 0, 0, unit, 0, 0)


@CHRONICLE.kind(
    "blinked",
    "17.3",
    ATTACK,
    "On board {board} {Side}'s {unit} on {hex} blinks into the zone.",
    shows=[
        vanish("unit {board}", "{board} {hex}"),
        appear("reserve {side} {unit}", "{board}", "1", side="{side}", type="{unit}"),
    ],
)
def blinked(log: Log, line: int, side: Side, board: BoardNumber, hex: Hex, unit: Unit) -> None:
    emit(log, 20, line, side, board, hex, 0, unit, 0, 0)


# ---- words that a phrase cannot find


def _name(event: Any) -> str:
    return str(event.side).capitalize()


def _other(event: Any) -> str:
    return SIDES[1 - SIDES.index(event.side)]


def _a(unit: str) -> str:
    return f"{'an' if unit[:1] in 'AEIOU' else 'a'} {unit}"


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"
