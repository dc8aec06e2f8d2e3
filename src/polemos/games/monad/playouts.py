"""Monad for the search: who plays its playouts, and sheets as orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from polemos.games.monad.ground import shipped
from polemos.games.monad.notation import Build, Mine, Move, Order
from polemos.games.monad.orders import records_of
from polemos.games.monad.rules.board import core_of
from polemos.games.monad.rules.judging import FEATURES
from polemos.games.monad.rules.minds import COLUMNS, TRAITS
from polemos.games.monad.rules.playouts import (
    ASK,
    BLEND,
    MAX_LINES,
    PARTS,
    PLAY,
    SCRIPTS,
    VARY,
    Desk,
    Sheet,
    describe_for,
    resemble,
    serve,
)
from polemos.games.monad.rules.policies import MANY
from polemos.games.monad.state import BUILD, DIRECTIONS, MINE, MOVE, WORK, State
from polemos.games.monad.view import Setting, imagine
from polemos.kernel.judgement import Judgement
from polemos.kernel.log import SILENT, Log
from polemos.kernel.playouts import Plain, Playouts, Trial
from polemos.kernel.record import Many, many

FAR: Final = 60  # turns of a playout where little is going on,
SHORT: Final = 24  # and where there are many stacks
LENGTH: Final = 500  # turns of most games; a few last for 2000
# Seconds of a turn in a playout, on the safe side: for each seat, for each of its tiles, and for each stack.
WAKING: Final = 3e-6
TILE: Final = 1e-8
STACK: Final = 4e-7
NEVER: Final = 1 << 20  # beyond all that there can be of anything


def orders_in(state: State, seat: int, sheet: Sheet) -> list[Order]:
    """The lines of a sheet. Work is written `build`, which every reader of orders understands (6.1)."""
    width = state.width
    lines: list[Order] = []
    # A late war has thousands of lines; one by one they would take longer than to think of them.
    for word, direction, tile, number in np.frombuffer(memoryview(sheet), Sheet.dtype)[0]["line"][
        : sheet.count
    ].tolist():
        x, y, way = tile % width, tile // width, DIRECTIONS[max(0, direction)]
        if word == MOVE:
            lines.append(Move(x, y, number, way))
        elif word == MINE:
            lines.append(Mine(x, y, number))
        else:
            lines.append(Build(x, y, number, way if word == BUILD else None))
    return lines


def sheet_of(state: State, seat: int, orders: Sequence[Order]) -> Sheet:
    """The sheet with these lines, as scripts would write it."""
    sheet = Sheet()
    records = records_of(state, [(seat, orders[:MAX_LINES])])
    sheet.count = len(records)
    for i in range(sheet.count):
        line, record = sheet.line[i], records[i]
        works = record.word == BUILD and core_of(state.cell[record.tile].building) == seat
        line.word = WORK if works else record.word
        line.direction = record.direction if line.word in (MOVE, BUILD) else 0
        line.tile, line.number = record.tile, record.number
    return sheet


def believe(setting: Setting, seat: str, seed: int) -> Plain:
    """1.8 Nothing is hidden."""
    return Plain(State, imagine, setting)


# What `serve` is given in place of what a task does not need.
_STATES: Final = many(State, 1)
_SHEETS: Final = many(Sheet, 1)
_TRIALS: Final = many(Trial, 1)


def play(
    states: Many[State], sheets: Many[Sheet], trials: Many[Trial], first: int, after: int, log: Log, desk: Desk
) -> None:
    """Plays these of the trials."""
    serve(PLAY, states, sheets, trials, first, after, states[0], 0, 0, 0, _SHEETS[0], log, desk)


def _write(task: int, state: State, seat: int, which: int, key: int, sheet: Sheet, desk: Desk) -> int:
    return serve(task, _STATES, _SHEETS, _TRIALS, 0, 0, state, seat, which, key, sheet, SILENT, desk)


def ask(state: State, seat: int, script: int, key: int, sheet: Sheet, desk: Desk) -> None:
    """What a script orders."""
    _write(ASK, state, seat, script, key, sheet, desk)


def propose(state: State, seat: int, key: int, sheets: Many[Sheet], desk: Desk) -> int:
    """Sheets of two scripts each: one orders the stacks near an enemy, the other all others."""
    count, each = 0, len(SCRIPTS)
    for pair in range(each * each):
        if pair // each != pair % each and count < len(sheets):
            count += _write(BLEND, state, seat, pair, key, sheets[count], desk)
    return count


def vary(state: State, seat: int, key: int, of: Sheet, to: Sheet, desk: Desk) -> None:
    """The same sheet with other orders for one stack."""
    for i in range(max(of.count, to.count)):
        to.line[i] = of.line[i]
    to.count = of.count
    _write(VARY, state, seat, 0, key, to, desk)


def explain(before: State, after: State, seat: int, script: int, key: int, desk: Desk) -> float:
    """How well a script explains a turn of a seat."""
    sheet = Sheet()
    ask(before, seat, script, key, sheet, desk)
    return resemble(before, after, seat, sheet, desk) / 1000


def set_traits(state: State, desk: Desk, script: int, values: Sequence[int]) -> None:
    """Other habits for a script, in this desk."""
    ask(state, 0, script, 0, Sheet(), desk)  # it learns the usual ones first
    for column, value in enumerate(values):
        desk.mind.temper[script * COLUMNS + column] = value


# The values of each trait that are tried when habits are changed during a match; some have none but the usual ones.
CHOICES: Final = {
    "most": (MANY,),
    "crowd": (8,),
    "helper": (24, 48, 96),
    "fetch": (3, 5, 8),
    "alarm": (1, 2, 3, 4),
    "sure": (0, 100, 115, 130, 150, 200),
    "reserve": (0, 5, 10, 20, 50),
    "local": (0, 1),
    "brave": (0, 50, 70, 80, 90, 100, NEVER),
    "wave": (0, 3, 6, 11, 20),
    "lead": (40, 50, 60, 80, 100, 120, 150),
    "press": (70, 80, 90, 100, 115, 130, 160),
    "ahead": (0, 1),
    "walk": (0, 700),
    "party": (0, 3, 6, 10),
    "apart": (0,),
    "poor": (0, 20),
    "shy": (0, 4),
    "greed": (0, 4, 6, 9, 14, 20),
    "look": (4, 6, 10, 16),
    "vein": (0,),
    "grab": (0, 5, 10, 15, 20, 30),
    "calm": (60, 80, 105, 130, 200, NEVER),
    "dodge": (0, 1, 2, 3, 5),
    "rally": (0, 2, 3, 4),
    "chase": (0, 6, 12, 24),
    "prey": (5, 10, 20, 40),
}


def _stacks(states: Many[State]) -> int:
    state = states.numbers()[0]
    return int(np.count_nonzero(state["cell"]["units"][: states[0].width * states[0].height]))


def reach(states: Many[State]) -> int:
    """Turns of a playout that are worth their time: fewer where there are many stacks."""
    return max(SHORT, FAR - _stacks(states) // 4)


def price(states: Many[State], steps: int) -> float:
    """By the tiles and the stacks, which grow in number."""
    state = states[0]
    left = state.turns - state.turn + 1
    seats = state.seats * (WAKING + TILE * state.width * state.height)
    return min(left, steps or left) * (seats + STACK * _stacks(states))


WEIGHTS: Final = Path(__file__).parent / "data" / "judgement.weights"


def starts() -> list[Mapping[str, Any]]:
    """All shipped maps, and drawn ones for each number of seats."""
    drawn = [{"map": "random", "seats": seats, "size": size} for seats in (2, 3, 4) for size in ("12x12", "20x20")]
    return [*({"map": name} for name in shipped()), *drawn]


JUDGEMENT: Final = Judgement(
    file=WEIGHTS,
    features=FEATURES,
    parts=PARTS,
    part=lambda state: state.seats - 2,
    describe=describe_for,
    nets=lambda desk: desk.nets,
    position=lambda desk: desk.state,
    starts=starts,
    length=LENGTH,
)

PLAYOUTS = Playouts(
    state=State,
    sheet=Sheet,
    desk=Desk,  # without what was learned: matches have not shown yet that it is stronger with it
    scripts=SCRIPTS,
    horizon=30,
    rate=500,
    seats=lambda state: state.seats,
    steps_left=lambda state: state.turns - state.turn,
    play=play,
    ask=ask,
    propose=propose,
    vary=vary,
    orders=orders_in,
    enter=sheet_of,
    beliefs=believe,
    reach=reach,
    price=price,
    likely=(1.0, 0.5, 1.0, 1.0, 1.0, 4.0, 0.5, 1.0, 1.0),
    explain=explain,
    entries=(serve, resemble),
    traits=TRAITS,
    set_traits=set_traits,
    choices=tuple(CHOICES[trait] for trait in TRAITS),
    judgement=JUDGEMENT,
)
