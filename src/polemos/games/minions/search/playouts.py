"""Playouts for the search: scripts play on from a position, and what they come to is judged. No paragraph."""

from __future__ import annotations

from typing import Final

from polemos.games.minions.rules.batch import copy_state
from polemos.games.minions.rules.turn import finish_turn, has_given_up
from polemos.games.minions.search.judging import describe, kind_of
from polemos.games.minions.search.records import COIN, POINT, Plan, draw
from polemos.games.minions.search.records import Desk as Paper
from polemos.games.minions.search.scripts import NO_SPELL, Lore, hasty_turn, incline, perform, place_spell, set_aside
from polemos.games.minions.search.steps import begin, copy_plan
from polemos.games.minions.search.turns import change, invent
from polemos.games.minions.search.value import board_value
from polemos.games.minions.state import MAX_SPELLS, NOBODY, RESET0, SPELLS, YELLOW, State
from polemos.kernel.dice import mix
from polemos.kernel.judgement import Net, Scales, score, share_out
from polemos.kernel.log import Log
from polemos.kernel.playouts import WHOLE, Trial, whims
from polemos.kernel.record import Array, Many, Record, i8, i16, size, u64
from polemos.kernel.rule import entry, rule

SAMPLES: Final = 24  # turns compared on each board where a sheet is asked for
MAX_LINES: Final = 512  # of a sheet
EVEN: Final = 3_000  # a lead of so much is worth three quarters of the game

PLAY: Final = 0
ASK: Final = 1
VARY: Final = 2
DESCRIBE: Final = 3

KINDS: Final = ("one board", "several boards", "one board, umi-2025", "several boards, umi-2025")  # that are judged


class Sheet(Record):
    """A whole turn, one order after the other. Spells have the card in `start`; a swap moves two units at once."""

    count: i16
    board: Array[i8] = size(MAX_LINES)
    kind: Array[i8] = size(MAX_LINES)
    start: Array[i8] = size(MAX_LINES)
    target: Array[i8] = size(MAX_LINES)
    type: Array[i8] = size(MAX_LINES)
    swap: Array[i8] = size(MAX_LINES)


class Desk(Record):
    """What one thread needs for the playouts of one match."""

    lore: Lore
    paper: Paper
    plan: Plan
    best: Plan
    state: State
    trial: State
    nets: Array[Net] = size(len(KINDS))  # what was learned; an empty one is not asked
    scales: Scales


# ---- sheets


@rule
def wipe(sheet: Sheet, first: int) -> None:
    """Equal sheets have equal bytes."""
    for i in range(first, MAX_LINES):
        sheet.board[i] = 0
        sheet.kind[i] = 0
        sheet.start[i] = 0
        sheet.target[i] = 0
        sheet.type[i] = 0
        sheet.swap[i] = 0


@rule
def write(sheet: Sheet, at: int, plan: Plan) -> None:
    """Adds the orders of one board."""
    for i in range(plan.count):
        line = sheet.count + 0
        if line < MAX_LINES:
            sheet.board[line] = at
            sheet.kind[line] = plan.kind[i]
            sheet.start[line] = plan.start[i]
            sheet.target[line] = plan.target[i]
            sheet.type[line] = plan.type[i]
            sheet.swap[line] = 0
            sheet.count += 1


@rule
def carry_out(state: State, sheet: Sheet, desk: Desk, log: Log) -> None:
    """The orders of a sheet; those that are not legal do nothing."""
    for i in range(sheet.count):
        perform(
            state, sheet.board[i], sheet.kind[i], sheet.start[i], sheet.target[i], sheet.type[i], sheet.swap[i],
            desk.paper, log,
        )  # fmt: skip


# ---- scripts that are asked for a sheet


@rule
def place_spells(state: State, sheet: Sheet, desk: Desk, log: Log) -> None:
    """The spells, as lines of a sheet."""
    for _ in range(MAX_SPELLS):
        card = place_spell(state, desk.lore, desk.paper, log)
        if card == NO_SPELL or sheet.count >= MAX_LINES:
            return
        line = sheet.count + 0
        sheet.board[line] = 0
        sheet.kind[line] = SPELLS
        sheet.start[line] = card
        sheet.target[line] = card
        sheet.type[line] = 0
        sheet.swap[line] = 0
        sheet.count += 1


@rule
def turn_on(state: State, at: int, script: int, sheet: Sheet, keep: bool, desk: Desk, log: Log) -> None:
    """The best of some turns on a board, carried out; what the board spends is its share of the purse."""
    board = state.board[at]
    if board.state == RESET0 or board.resigned != 0:
        return
    side = state.side + 0
    saved = set_aside(state, at)
    trial = desk.trial
    paper = desk.paper
    most = -1_000_000_000
    desk.best.count = 0
    for i in range(SAMPLES):
        begin(trial, state, at, desk.plan)
        incline(script, i == 0, paper)
        if i < 2 or keep:
            invent(trial, at, desk.plan, desk.lore.tastes, paper, log)
        else:
            copy_plan(paper.old, desk.best)
            change(trial, at, paper.old, desk.plan, desk.lore.tastes, paper, log)
        desk.plan.value = board_value(trial, at, side, desk.lore.tastes, paper)
        if desk.plan.value > most:
            most = desk.plan.value + 0
            copy_plan(desk.best, desk.plan)
    for i in range(desk.best.count):
        perform(
            state, at, desk.best.kind[i], desk.best.start[i], desk.best.target[i], desk.best.type[i], 0, paper, log
        )  # fmt: skip
    state.money[side] += saved
    write(sheet, at, desk.best)


@rule
def take_turn(state: State, script: int, key: u64, sheet: Sheet, desk: Desk, log: Log) -> None:
    """A turn of which a script has thought longer: spells, then the best of some turns on every board, as a sheet."""
    sheet.count = 0
    desk.paper.key = mix(key)
    desk.paper.drawn = 0
    place_spells(state, sheet, desk, log)
    prepare_trial(state, desk)
    for at in range(state.boards):
        turn_on(state, at, script, sheet, False, desk, log)


@rule
def prepare_trial(state: State, desk: Desk) -> None:
    """The copy on which turns are tried: all that a board does not say."""
    copy_state(state, desk.trial)


# ---- playouts


@rule
def lead(state: State, side: int, desk: Desk) -> int:
    """How far a side is ahead if it has just moved, as the bots value boards."""
    purses = COIN * (min(state.money[side], 10_000) - min(state.money[1 - side], 10_000))
    value = purses + POINT * (state.points[side] - state.points[1 - side])
    for at in range(state.boards):
        value += board_value(state, at, side, desk.lore.tastes, desk.paper) - purses
    return value


@rule
def judge(state: State, side: int, desk: Desk) -> int:
    """12 The share of the game that is a side's; while it runs, as it was learned, or else by the values of boards."""
    if state.reason != 0:
        if state.winner == NOBODY:
            return WHOLE // 2
        return WHOLE if state.winner == side else 0
    if desk.nets[kind_of(state)].features > 0:
        return weigh(state, side, desk)
    # Boards are valued for a side that has just moved: taken from both sides, it does not matter who has.
    value = (lead(state, side, desk) - lead(state, 1 - side, desk)) // 2
    value = max(-1_000_000, min(1_000_000, value))
    return WHOLE // 2 + WHOLE * 12 // 25 * value // (abs(value) + EVEN)


@rule
def weigh(state: State, side: int, desk: Desk) -> int:
    """The share of a side in a game that goes on, as it was learned."""
    scales = desk.scales
    for seat in range(2):
        describe(state, seat, scales.facts, desk.lore, desk.paper)
        scales.score[seat] = score(desk.nets[kind_of(state)], scales)
    share_out(2, scales)
    return scales.share[side]


@rule
def play_one(states: Many[State], sheets: Many[Sheet], trials: Many[Trial], at: int, log: Log, desk: Desk) -> None:
    """One playout, from its state to its value for each side. A step is the turn of one side."""
    trial = trials[at]
    state = desk.state
    copy_state(states[trial.start], state)
    step = 0
    moved = 0
    while state.reason == 0 and (trial.steps == 0 or step < trial.steps):
        side = state.side + 0
        if moved >> side & 1 == 0 and trial.sheet[side] >= 0:
            carry_out(state, sheets[trial.sheet[side]], desk, log)
        else:
            key = whims(trial.key, step)
            hasty_turn(state, trial.script[side], key, desk.plan, desk.lore, desk.paper, log)
        moved |= 1 << side
        if not has_given_up(state, log):
            finish_turn(state, log)
        step += 1
    trial.played = step
    trial.over = state.reason != 0
    trial.value[YELLOW] = judge(state, YELLOW, desk)
    trial.value[1] = WHOLE - trial.value[YELLOW]


# ---- candidates


@rule
def vary(state: State, key: u64, sheet: Sheet, desk: Desk, log: Log) -> None:
    """The same sheet with another turn on one board."""
    desk.paper.key = mix(key)
    desk.paper.drawn = 0
    board = draw(desk.paper, state.boards)
    copy_state(state, desk.state)
    now = desk.state
    kept = 0
    for i in range(sheet.count):
        if sheet.kind[i] == SPELLS or sheet.board[i] != board:
            perform(
                now, sheet.board[i], sheet.kind[i], sheet.start[i], sheet.target[i], sheet.type[i], sheet.swap[i],
                desk.paper, log,
            )  # fmt: skip
            sheet.board[kept] = sheet.board[i]
            sheet.kind[kept] = sheet.kind[i]
            sheet.start[kept] = sheet.start[i]
            sheet.target[kept] = sheet.target[i]
            sheet.type[kept] = sheet.type[i]
            sheet.swap[kept] = sheet.swap[i]
            kept += 1
    sheet.count = kept
    prepare_trial(now, desk)
    turn_on(now, board, 0, sheet, True, desk, log)


@entry
def serve(
    task: int, states: Many[State], sheets: Many[Sheet], trials: Many[Trial], first: int, after: int, state: State,
    which: int, key: u64, sheet: Sheet, log: Log, desk: Desk,
) -> int:  # fmt: skip
    """All that a search asks for, in one entry: what they share would else be compiled once for each."""
    if task == PLAY:
        for at in range(first, after):
            play_one(states, sheets, trials, at, log, desk)
        return after - first
    if task == DESCRIBE:
        describe(state, which, desk.scales.facts, desk.lore, desk.paper)
        return 1
    if task == VARY:
        vary(state, key, sheet, desk, log)
    else:
        copy_state(state, desk.state)
        take_turn(desk.state, which, whims(key, 0), sheet, desk, log)
    wipe(sheet, sheet.count)
    return 1
