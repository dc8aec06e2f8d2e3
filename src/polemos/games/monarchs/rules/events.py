"""What can happen in a turn: every kind of event, once, in the stages of the book (2.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from polemos.games.monarchs.board import CENTRE, NAMES, NATIONS
from polemos.games.monarchs.state import REASONS
from polemos.kernel.chronicle import DIE, ECHO, OWN, UMPIRE_ONLY, Chronicle, Event, Kind, named
from polemos.kernel.log import Log, emit
from polemos.kernel.phrases import filled
from polemos.kernel.scenes import change, count, flash, move

Nation = Annotated[int, named(NATIONS)]
Hex = Annotated[int, named(NAMES)]
Die = Annotated[int, DIE]
Reason = Annotated[int, named(REASONS)]


def in_order(kind: Kind, at: Mapping[str, int]) -> tuple[Any, ...]:
    """2.2 By stage, then by place. The order in which lines were written would betray another nation's sheet."""
    assert isinstance(kind.stage, int)
    here, there = at.get("hex", CENTRE), at.get("to", -1)
    if kind.stage == BORDERS:
        return (kind.stage, *sorted((here, there)))
    if kind.stage == MOVES:  # all have marched before it is told what they found
        return (kind.stage, there < 0, here, there)
    return (kind.stage, here)


CHRONICLE = Chronicle(seat="nation", order=in_order)
DROPOUTS = CHRONICLE.stage()
BLESSINGS = CHRONICLE.stage()
BORDERS = CHRONICLE.stage("Border battles")
MOVES = CHRONICLE.stage("Moves")
BATTLES = CHRONICLE.stage("Hex battles")
RETREATS = CHRONICLE.stage("Retreats")
SCORES = CHRONICLE.stage()
END = CHRONICLE.stage()


@CHRONICLE.kind("blessed", "3.7", BLESSINGS, "{Nation} blesses {hex}.", told=ECHO)
def blessed(log: Log, line: int, nation: Nation, hex: Hex) -> None:
    emit(log, 0, line, nation, 0, hex, 0, 0, 0, 0)


@CHRONICLE.kind(
    "border won",
    "4.1",
    BORDERS,
    "{Nation} wins the border {hex}-{to} against {against}, {number} to {against_number}.",
    shows=[
        flash("fight", "{hex}", "{to}", lean="army {nation}"),
        flash("fight", "{to}", "{hex}", lean="army {against}"),
    ],
    told=UMPIRE_ONLY,
)
def border_won(
    log: Log, line: int, nation: Nation, hex: Hex, to: Hex, number: int, against: Nation, against_number: int
) -> None:
    emit(log, 1, line, nation, against, hex, to, number, against_number, 0)


@CHRONICLE.kind(
    "held at the border",
    "4.3",
    BORDERS,
    "{Nation} is held at the border {hex}-{to}: {number} {number|regiment stays|regiments stay}.",
    shows=[flash("fight", "{hex}", "{to}", lean="army {nation}")],
    told=ECHO,
)
def held(log: Log, line: int, nation: Nation, hex: Hex, to: Hex, number: int) -> None:
    emit(log, 2, line, nation, 0, hex, to, number, 0, 0)


@CHRONICLE.kind(
    "marched",
    "5.1",
    MOVES,
    "{Nation} marches {hex}-{to} with {number} {number|regiment|regiments}.",
    shows=[move("army {nation}", "{hex}", "{to}", "{number}")],
    told=ECHO,
)
def marched(log: Log, line: int, nation: Nation, hex: Hex, to: Hex, number: int) -> None:
    emit(log, 3, line, nation, 0, hex, to, number, 0, 0)


@CHRONICLE.kind(
    "taken",
    "5.2",
    MOVES,
    "{Nation} takes {hex} without a battle.",
    shows=[change("land", "{hex}", owner="{nation}")],
    told=ECHO,
    hides=["against"],
)
def taken(log: Log, nation: Nation, hex: Hex, number: int, against: Nation) -> None:
    emit(log, 4, 0, nation, against, hex, 0, number, 0, 0)


@CHRONICLE.kind(
    "won",
    "6.1",
    BATTLES,
    "{Nation} wins the battle on {hex}.",
    shows=[flash("fight", "{hex}")],
    told=OWN,
    hides=["number"],
)
def won(log: Log, nation: Nation, hex: Hex, number: int) -> None:
    emit(log, 5, 0, nation, 0, hex, 0, number, 0, 0)


@CHRONICLE.kind(
    "beaten",
    "6.1",
    BATTLES,
    lambda event: f"{event.nation.capitalize()} is beaten on {event.hex}{_by(event.against)}.",
    shows=[flash("fight", "{hex}")],
    told=OWN,
    hides=["number", "against"],
)
def beaten(log: Log, nation: Nation, hex: Hex, number: int, against: Nation) -> None:
    emit(log, 6, 0, nation, against, hex, 0, number, 0, 0)


def _by(nation: str | None) -> str:
    return "" if nation is None else f" by {nation}"


@CHRONICLE.kind(
    "base held",
    "7.1",
    BATTLES,
    "{Nation} holds its home base {hex}.",
    shows=[flash("fight", "{hex}")],
    is_moment=True,
    told=OWN,
    hides=["number"],
)
def base_held(log: Log, nation: Nation, hex: Hex, number: int) -> None:
    emit(log, 7, 0, nation, 0, hex, 0, number, 0, 0)


@CHRONICLE.kind(
    "sent home",
    "8.1",
    BATTLES,
    "{Nation} loses {number} {number|regiment|regiments} on {hex}, which {number|returns|return} to the home base.",
    shows=[count("army {nation}", "-{number}", "{hex}")],
    told=ECHO,
)
def sent_home(log: Log, nation: Nation, hex: Hex, number: int) -> None:
    emit(log, 8, 0, nation, 0, hex, 0, number, 0, 0)


@CHRONICLE.kind(
    "retreated",
    "8.2",
    RETREATS,
    "{Nation} retreats {hex}-{to} with {number} {number|regiment|regiments}.",
    shows=[move("army {nation}", "{hex}", "{to}", "{number}")],
    told=ECHO,
)
def retreated(log: Log, nation: Nation, hex: Hex, to: Hex, number: int) -> None:
    emit(log, 9, 0, nation, 0, hex, to, number, 0, 0)


@CHRONICLE.kind(
    "no refuge",
    "8.5",
    RETREATS,
    "{Nation} finds no refuge near {hex}: {number} {number|regiment returns|regiments return} to the home base.",
    shows=[count("army {nation}", "-{number}", "{hex}")],
    told=ECHO,
)
def no_refuge(log: Log, nation: Nation, hex: Hex, number: int) -> None:
    emit(log, 10, 0, nation, 0, hex, 0, number, 0, 0)


@CHRONICLE.kind("scored", "10.1", SCORES, "{Nation} scores {number}, {total} in all.", told=OWN)
def scored(log: Log, nation: Nation, number: int, total: int) -> None:
    emit(log, 11, 0, nation, 0, 0, 0, number, total, 0)


@CHRONICLE.kind("ended", "10.5", END, "{Nation} wins: {reason}.", is_moment=True)
def ended(log: Log, nation: Nation, reason: Reason, total: int) -> None:
    emit(log, 12, 0, nation, 0, reason, 0, 0, total, 0)


@CHRONICLE.kind(
    "dropped out",
    "10.6",
    DROPOUTS,
    "{Nation} drops out and gives no more orders.",
    is_moment=True,
    from_python=True,
)
def dropped(log: Log, nation: Nation) -> None:
    emit(log, 13, 0, nation, 0, 0, 0, 0, 0, 0)


@CHRONICLE.kind(
    "conquered",
    "6.7",
    BATTLES,
    "{Nation} conquers {hex}.",
    shows=[change("land", "{hex}", owner="{nation}")],
    is_moment=True,
    told=ECHO,
    hides=["against"],
)
def conquered(log: Log, nation: Nation, hex: Hex, number: int, against: Nation) -> None:
    emit(log, 14, 0, nation, against, hex, 0, number, 0, 0)


# 2.3 Dice. Only the umpire is told of them before the end.


def _draws(where: str) -> Callable[[Event], str]:
    """What a die is thrown for, in words."""
    return lambda event: filled(f"{{Nation}} draws {{die}} {where}{', again' if _again(event) else ''}.", event)


def _again(event: Any) -> bool:
    return bool(event.draw)


@CHRONICLE.kind(
    "die at a border",
    "4.2",
    BORDERS,
    _draws("at the border {hex}-{to}"),
    told=UMPIRE_ONLY,
)
def drawn_at_border(log: Log, nation: Nation, hex: Hex, to: Hex, draw: int, die: Die) -> None:
    emit(log, 15, 0, nation, 0, hex, to, draw, 0, die)


@CHRONICLE.kind("die in a hex", "6.2", BATTLES, _draws("on {hex}"), told=UMPIRE_ONLY)
def drawn_in_hex(log: Log, nation: Nation, hex: Hex, draw: int, die: Die) -> None:
    emit(log, 16, 0, nation, 0, hex, 0, draw, 0, die)


@CHRONICLE.kind("die for a retreat", "8.4", RETREATS, _draws("for the retreat {hex}-{to}"), told=UMPIRE_ONLY)
def drawn_for_retreat(log: Log, nation: Nation, hex: Hex, to: Hex, draw: int, die: Die) -> None:
    emit(log, 17, 0, nation, 0, hex, to, draw, 0, die)


@CHRONICLE.kind("die for the game", "10.5", END, _draws("for the game"), told=UMPIRE_ONLY)
def drawn_for_game(log: Log, nation: Nation, hex: Hex, draw: int, die: Die) -> None:
    emit(log, 18, 0, nation, 0, hex, 0, draw, 0, die)
