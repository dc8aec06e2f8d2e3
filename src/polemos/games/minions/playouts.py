"""Minions for the search: who plays its playouts, and sheets as orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from polemos.games.minions.lore import learn
from polemos.games.minions.maps import BASIC
from polemos.games.minions.notation import Order
from polemos.games.minions.orders import order_of, record_of
from polemos.games.minions.search.judging import FEATURES, kind_of
from polemos.games.minions.search.playouts import ASK, DESCRIBE, KINDS, MAX_LINES, PLAY, VARY, Desk, Sheet, serve
from polemos.games.minions.search.scripts import SCRIPTS
from polemos.games.minions.setup import table_in
from polemos.games.minions.state import CHOOSE, END, MOVE, RULES, SPELLS, State
from polemos.games.minions.view import Setting, imagine
from polemos.kernel.dice import number
from polemos.kernel.judgement import Facts, Judgement
from polemos.kernel.log import SILENT, Log
from polemos.kernel.playouts import Plain, Playouts, Trial
from polemos.kernel.record import Many, many


def orders_in(state: State, side: int, sheet: Sheet) -> list[Order]:
    """The lines of a sheet."""
    table = table_in(state)
    lines = []
    for i in range(sheet.count):
        board = 0 if sheet.kind[i] == SPELLS else sheet.board[i] + 1
        kind, start, target = sheet.kind[i], sheet.start[i], sheet.target[i]
        lines.append(order_of(table, board, kind, start, target, sheet.type[i], sheet.swap[i]))
    return lines


def sheet_of(state: State, side: int, orders: Sequence[Order]) -> Sheet:
    """The sheet with these lines. A tick of more than two units becomes single moves, which may not all be possible."""
    sheet = Sheet()
    for order in orders:
        record = record_of(state, order)
        if record.kind == END:
            break
        swap = record.kind == MOVE and record.count == 2 and record.start[1] == record.target[0]
        for i in range(1 if swap else record.count):
            if sheet.count == MAX_LINES:
                return sheet
            line = sheet.count
            sheet.board[line] = record.board
            sheet.kind[line] = record.kind
            sheet.start[line] = record.keep if record.kind == CHOOSE else record.start[i]
            sheet.target[line] = record.start[i] if record.kind == SPELLS else record.target[i]
            sheet.type[line], sheet.swap[line] = record.type, int(swap)
            sheet.count += 1
    return sheet


def believe(setting: Setting, seat: str, seed: int) -> Plain:
    """2.7 Nothing is hidden."""
    return Plain(State, imagine, setting)


# What `serve` is given in place of what a task does not need.
_STATES: Final = many(State, 1)
_SHEETS: Final = many(Sheet, 1)
_TRIALS: Final = many(Trial, 1)


def know(state: State, desk: Desk) -> Desk:
    """Learns the units and maps, once for a match."""
    learn(state, desk.lore)
    return desk


def play(
    states: Many[State], sheets: Many[Sheet], trials: Many[Trial], first: int, after: int, log: Log, desk: Desk
) -> None:
    """Plays these of the trials."""
    know(states[0], desk)
    serve(PLAY, states, sheets, trials, first, after, states[0], 0, 0, _SHEETS[0], log, desk)


def _write(task: int, state: State, which: int, key: int, sheet: Sheet, desk: Desk) -> None:
    serve(task, _STATES, _SHEETS, _TRIALS, 0, 0, state, which, key, sheet, SILENT, know(state, desk))


def ask(state: State, side: int, script: int, key: int, sheet: Sheet, desk: Desk) -> None:
    """What a script orders, if it is this side's turn."""
    if state.side == side:
        _write(ASK, state, script, key, sheet, desk)


def propose(state: State, side: int, key: int, sheets: Many[Sheet], desk: Desk) -> int:
    """Turns of all scripts, each with other luck. The side that waits has nothing to propose."""
    if state.side != side:
        return 0
    known: set[bytes] = set()
    for i in range(len(sheets)):
        sheet = sheets[len(known)]
        _write(ASK, state, i % len(SCRIPTS), number(key, "propose", i), sheet, desk)
        known.add(sheet.raw())
    return len(known)


def vary(state: State, side: int, key: int, of: Sheet, to: Sheet, desk: Desk) -> None:
    """The same sheet with another turn on one board."""
    memoryview(to).cast("B")[:] = memoryview(of).cast("B")
    if state.side == side:
        _write(VARY, state, 0, key, to, desk)


def describe(state: State, side: int, facts: Facts, desk: Desk) -> None:
    """The features of a position, for learning."""
    _write(DESCRIBE, state, side, 0, _SHEETS[0], desk)
    memoryview(facts).cast("B")[:] = memoryview(desk.scales.facts).cast("B")


def starts() -> list[Mapping[str, Any]]:
    """One board as often as several, on the maps of the book and drawn ones, under both rules."""
    one: list[dict[str, Any]] = [{"boards": 1, "maps": name} for name in (*BASIC, *["random"] * len(BASIC))]
    several: list[dict[str, Any]] = [
        {"boards": boards, "maps": name} for boards in (2, 3, 4, 5, 6, 8) for name in ("", "random")
    ]
    return [{"rules": rules, **row} for rules in RULES for row in (*one, *several)]


JUDGEMENT: Final = Judgement(
    file=Path(__file__).parent / "data" / "judgement.weights",
    features=FEATURES,
    parts=KINDS,
    part=kind_of,
    describe=describe,
    nets=lambda desk: desk.nets,
    position=lambda desk: desk.state,
    starts=starts,
    length=40,
)

PLAYOUTS = Playouts(
    state=State,
    sheet=Sheet,
    desk=Desk,  # without what was learned: no bot cuts playouts off here
    scripts=SCRIPTS,
    horizon=120,
    rate=2000,
    seats=lambda state: 2,
    steps_left=lambda state: 2 * (state.turns - state.turn) + 2 - state.side,
    play=play,
    ask=ask,
    propose=propose,
    vary=vary,
    orders=orders_in,
    enter=sheet_of,
    beliefs=believe,
    judgement=JUDGEMENT,
)
