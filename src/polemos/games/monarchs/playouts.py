"""Monarchs for the search: who plays its playouts, and sheets as orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from polemos.games.monarchs.beliefs import Beliefs
from polemos.games.monarchs.board import NAMES
from polemos.games.monarchs.notation import Bless, March, Order
from polemos.games.monarchs.rules import playouts
from polemos.games.monarchs.rules.beliefs import agree, believe
from polemos.games.monarchs.rules.judging import FEATURES
from polemos.games.monarchs.rules.playouts import ASK, COUNSEL, PLAY, serve
from polemos.games.monarchs.rules.schemes import TRAITS
from polemos.games.monarchs.rules.scripts import SCRIPTS
from polemos.games.monarchs.rules.sight import look
from polemos.games.monarchs.sheets import enter
from polemos.games.monarchs.state import BLESS, NATIONS, Sheet, State
from polemos.games.monarchs.turned import images
from polemos.kernel.dice import number
from polemos.kernel.judgement import Judgement
from polemos.kernel.log import SILENT, Log
from polemos.kernel.playouts import Playouts, Trial
from polemos.kernel.record import Many, many

UNKNOWN_REST = 8  # turns that are taken to remain while the last is not announced
PROPOSERS = 4  # scripts that are asked for proposals
LONG = 50  # turns of the longest game
STEP = 0.00022  # seconds of a turn in a playout


def orders_in(state: State, nation: int, sheet: Sheet) -> list[Order]:
    """The lines of a sheet."""
    lines: list[Order] = []
    for i in range(sheet.count):
        line = sheet.lines[i]
        if line.kind == BLESS:
            lines.append(Bless(NAMES[line.target]))
        else:
            lines.append(March(NAMES[line.origin], NAMES[line.target], line.number))
    return lines


def sheet_of(state: State, nation: int, orders: Sequence[Order]) -> Sheet:
    sheet = Sheet()
    enter(sheet, orders)
    return sheet


# What `serve` is given in place of what a task does not need.
_STATES: Final = many(State, 1)
_SHEETS: Final = many(Sheet, 1)
_TRIALS: Final = many(Trial, 1)


def play(
    states: Many[State], sheets: Many[Sheet], trials: Many[Trial], first: int, after: int, log: Log, desk: playouts.Desk
) -> None:
    """Plays these of the trials."""
    serve(PLAY, states, sheets, trials, first, after, states[0], 0, 0, 0, _SHEETS[0], log, desk)


def ask(state: State, nation: int, script: int, key: int, sheet: Sheet, desk: playouts.Desk) -> None:
    """What a script orders."""
    serve(ASK, _STATES, _SHEETS, _TRIALS, 0, 0, state, nation, script, key, sheet, SILENT, desk)


def counsel(
    states: Many[State], nation: int, script: int, foe: int, key: int, sheet: Sheet, desk: playouts.Desk
) -> None:
    """What a script would order if it knew that another one plays the others, in states that are believed possible."""
    serve(COUNSEL, states, _SHEETS, _TRIALS, foe, 0, states[0], nation, script, key, sheet, SILENT, desk)


def propose(state: State, nation: int, key: int, sheets: Many[Sheet], desk: playouts.Desk) -> int:
    """What the generals would order on other days."""
    for i in range(len(sheets)):
        ask(state, nation, i % PROPOSERS, number(key, i), sheets[i], desk)
    return len(sheets)


def price(states: Many[State], steps: int) -> float:
    """By the turns that are left; in the last ones there is less to play out."""
    state = states[0]
    left = state.turns - state.turn + 1 if state.turns else LONG
    return STEP * min(left, steps or left)


def set_traits(state: State, desk: playouts.Desk, script: int, values: Sequence[int]) -> None:
    """Another temper for a script, in this desk."""
    ask(state, 0, script, 0, Sheet(), desk)  # it learns the usual ones first
    for column, value in enumerate(values):
        desk.mind.scheme.temper[script * len(TRAITS) + column] = value


WEIGHTS: Final = Path(__file__).parent / "data" / "judgement.weights"
PARTS: Final = ("all",)


def starts() -> list[Mapping[str, Any]]:
    """Mostly the usual game; other lengths, one of them unknown, the other rules, the other scoring."""
    others = [{"turns": turns} for turns in (5, 6, 10, 12, 15, 20, 0)]
    return [*[{}] * 12, *others, {"rules": "2022-04"}, {"scoring": "battles"}]


JUDGEMENT: Final = Judgement(
    file=WEIGHTS,
    features=FEATURES,
    parts=PARTS,
    part=lambda state: 0,
    describe=playouts.describe_for,
    nets=lambda desk: desk.nets,
    position=lambda desk: desk.state,
    starts=starts,
)

PLAYOUTS = Playouts(
    state=State,
    sheet=Sheet,
    desk=playouts.Desk,  # without what was learned: matches have not shown yet that it is stronger with it
    scripts=SCRIPTS,
    horizon=8,
    rate=400,
    seats=lambda state: NATIONS,
    steps_left=lambda state: state.turns - state.turn + 1 if state.turns else UNKNOWN_REST,
    play=play,
    ask=ask,
    propose=propose,
    vary=playouts.vary,
    orders=orders_in,
    enter=sheet_of,
    beliefs=Beliefs,
    price=price,
    likely=(2.0, 1.0, 1.0, 4.0, 0.5, 0.5, 0.5, 0.5),
    entries=(serve, believe, agree, look),
    traits=TRAITS,
    set_traits=set_traits,
    judgement=JUDGEMENT,
    images=images,
)
