"""Playouts for the search: scripts play on from a state, and what they come to is judged. No paragraph of the book."""

from __future__ import annotations

from typing import Final

from polemos.games.monarchs.board import HEXES
from polemos.games.monarchs.rules.batch import copy_sheet, copy_state, may_order
from polemos.games.monarchs.rules.judging import describe
from polemos.games.monarchs.rules.schemes import SAMPLES, Scheme, answer
from polemos.games.monarchs.rules.score import hexes_of
from polemos.games.monarchs.rules.scripts import Mind, order_of, put_blessing
from polemos.games.monarchs.rules.sight import look
from polemos.games.monarchs.rules.tables import border_between, degree, neighbour
from polemos.games.monarchs.rules.turn import turn
from polemos.games.monarchs.state import BLESS, GOOD, MARCH, MAX_LINES, NATIONS, Sheet, Sheets, State, Work
from polemos.kernel.dice import Chance, mix, scatter
from polemos.kernel.judgement import Facts, Net, Scales, score, share_out
from polemos.kernel.log import Log
from polemos.kernel.playouts import WHOLE, Trial, whims
from polemos.kernel.record import Array, Many, Record, i32, size, u64
from polemos.kernel.rule import entry, rule

AHEAD: Final = 40  # points by which a nation leads that has as good as won
REST: Final = 3  # turns that hexes are taken to be held after a playout was cut off, if so many are left
TRIES: Final = 6  # to find a lawful change of a sheet


# Tasks of `serve`.
PLAY: Final = 0
ASK: Final = 1
COUNSEL: Final = 2


class Desk(Record):
    """What one thread needs for the playouts of one match."""

    chance: Chance
    sheets: Sheets
    work: Work
    mind: Mind
    state: State
    used: Array[i32] = size(HEXES)
    lead: Array[i32] = size(NATIONS)
    own: Scheme  # of a counsel: what the others will do
    nets: Array[Net] = size(1)  # what was learned; an empty one is not asked
    scales: Scales


@rule
def judge(state: State, trial: Trial, desk: Desk) -> None:
    """10.5 Half of a game goes to the winner, the other half by the points that each is ahead or behind.

    A lead makes the difference between sheets that all win, or all lose; while the game runs it is all there is.
    """
    for nation in range(NATIONS):
        desk.lead[nation] = 2 * state.total[nation]
        if state.reason == 0:
            rest = REST if state.turns == 0 else min(REST, state.turns - state.turn + 2)  # the last counts twice
            desk.lead[nation] += 2 * rest * hexes_of(state, nation)
    sum = 0
    for nation in range(NATIONS):
        best = -(1 << 30)
        for other in range(NATIONS):
            if other != nation:
                best = max(best, desk.lead[other])
        lead = max(-AHEAD, min(AHEAD, (desk.lead[nation] - best) // 2)) + AHEAD + 4
        trial.value[nation] = lead * lead * lead
        sum += trial.value[nation]
    for nation in range(NATIONS):
        share = WHOLE * trial.value[nation] // max(1, sum)
        if state.reason != 0:
            share = share // 2 + (WHOLE // 2 if state.places[0] == nation else 0)
        trial.value[nation] = share


@rule
def weigh(state: State, trial: Trial, desk: Desk) -> None:
    """The shares of a game that goes on, as they were learned."""
    scales = desk.scales
    for nation in range(NATIONS):
        describe(state, nation, scales.facts)
        scales.score[nation] = score(desk.nets[0], scales)
    share_out(NATIONS, scales)
    for nation in range(NATIONS):
        trial.value[nation] = scales.share[nation]


@entry
def describe_for(state: State, nation: int, facts: Facts, desk: Desk) -> None:
    """The features of a position, for learning."""
    describe(state, nation, facts)


@rule
def play_one(states: Many[State], sheets: Many[Sheet], trials: Many[Trial], at: int, log: Log, desk: Desk) -> None:
    """One playout, from its state to its value for each nation."""
    trial = trials[at]
    state = desk.state
    copy_state(states[trial.start], state)
    desk.chance.key = mix(trial.key)
    step = 0
    while state.reason == 0 and (trial.steps == 0 or step < trial.steps):
        key = whims(trial.key, step)
        for nation in range(NATIONS):
            sheet = desk.sheets.of[nation]
            if not may_order(state, nation):
                sheet.count = 0
            elif step == 0 and trial.sheet[nation] >= 0:
                copy_sheet(sheets[trial.sheet[nation]], sheet)
            else:
                order_of(trial.script[nation], state, nation, key, sheet, desk.mind)
        turn(state, desk.sheets, desk.chance, log, desk.work)
        step += 1
    trial.played = step
    trial.over = state.reason != 0
    if state.reason == 0 and desk.nets[0].features > 0:
        weigh(state, trial, desk)
    else:
        judge(state, trial, desk)


@rule
def tidy(sheet: Sheet) -> None:
    """Wipes the lines that a sheet does not use."""
    for i in range(sheet.count, MAX_LINES):
        line = sheet.lines[i]
        line.kind = 0
        line.fault = 0
        line.origin = 0
        line.target = 0
        line.number = 0


@entry
def serve(
    task: int,
    states: Many[State],
    sheets: Many[Sheet],
    trials: Many[Trial],
    first: int,
    after: int,
    state: State,
    nation: int,
    script: int,
    key: u64,
    sheet: Sheet,
    log: Log,
    desk: Desk,
) -> None:
    """All that the search asks for, in one rule: scripts take long to compile, and each entry compiles them again.

    PLAY plays the trials from `first` to before `after`. ASK writes what a script orders in a state. COUNSEL writes
    what a script would order in the first of the states if it knew how the script `first` plays the others in them.
    """
    if task == PLAY:
        for at in range(first, after):
            play_one(states, sheets, trials, at, log, desk)
        return
    sheet.count = 0
    if may_order(state, nation):
        if task == ASK:
            order_of(script, state, nation, whims(key, 0), sheet, desk.mind)
        else:
            for sample in range(SAMPLES):
                at = sample * len(states) // SAMPLES
                for which in range(2):
                    foresee(states[at], (nation + 1 + which) % NATIONS, which, sample, first, whims(key, sample), desk)
            look(state, nation, desk.mind.plan.sight)
            blessed = answer(script, desk.mind.plan.sight, sheet, desk.own)
            if blessed >= 0:
                put_blessing(blessed, sheet)
    tidy(sheet)


@rule
def foresee(state: State, nation: int, which: int, sample: int, script: int, key: u64, desk: Desk) -> None:
    """Where the regiments of a nation will stand if a script orders for it."""
    at = (which * SAMPLES + sample) * HEXES
    for hex in range(HEXES):
        desk.own.forces[at + hex] = 4 * state.regiments[hex] if state.owner[hex] == nation else 0
    sheet = desk.sheets.of[nation]
    sheet.count = 0
    if may_order(state, nation):
        order_of(script, state, nation, key, sheet, desk.mind)
    for i in range(sheet.count):
        line = sheet.lines[i]
        if line.kind == MARCH:
            desk.own.forces[at + line.origin] -= 4 * line.number
            desk.own.forces[at + line.target] += 4 * line.number
    for i in range(sheet.count):
        line = sheet.lines[i]
        if line.kind == BLESS and desk.own.forces[at + line.target] > 0:
            desk.own.forces[at + line.target] += 2


@rule
def is_lawful(state: State, nation: int, sheet: Sheet, desk: Desk) -> bool:
    """3.3 to 3.7 Whether no line of a sheet is void."""
    blessings = 0
    for hex in range(HEXES):
        desk.used[hex] = 0
    for i in range(sheet.count):
        line = sheet.lines[i]
        if line.kind == BLESS:
            blessings += 1
        else:
            if line.number < 1 or border_between(line.origin, line.target) < 0 or state.owner[line.origin] != nation:
                return False
            desk.used[line.origin] += line.number
            if desk.used[line.origin] > state.regiments[line.origin]:
                return False
    return blessings <= 1


@rule
def change(state: State, bits: int, sheet: Sheet) -> None:
    """One small change: a line less, a regiment more or less, another target, one more march, another blessing."""
    what = bits % 6
    some = bits >> 8 & 0xFFFF
    hex = (bits >> 24 & 0xFFFF) % HEXES
    if what == 0 or sheet.count == 0:
        if sheet.count < MAX_LINES:
            line = sheet.lines[sheet.count]
            line.kind = MARCH
            line.fault = GOOD
            line.origin = hex
            line.target = neighbour(hex, some % degree(hex))
            line.number = 1 + (bits >> 40) % max(1, state.regiments[hex])
            sheet.count += 1
        return
    at = some % sheet.count
    line = sheet.lines[at]
    if what == 1:
        put_blessing(line.target, sheet)
    elif line.kind == MARCH:
        if what == 2:
            line.target = neighbour(line.origin, (bits >> 40) % degree(line.origin))
        elif what == 3:
            line.number += 1
        elif what == 4:
            line.number -= 1
        else:
            sheet.count -= 1
            sheet.lines[at] = sheet.lines[sheet.count]


@entry
def vary(state: State, nation: int, key: u64, of: Sheet, to: Sheet, desk: Desk) -> None:
    """One or two small changes; the same sheet if nothing lawful was found."""
    for i in range(TRIES):
        copy_sheet(of, to)
        for j in range(1 + (scatter(key, 99) & 1)):
            # Armies are few: a change that names another hex is drawn again at once.
            bits = scatter(key, 100 + 10 * i + j)
            for again in range(8):
                origin = (bits >> 24 & 0xFFFF) % HEXES
                if bits % 6 != 0 or (state.owner[origin] == nation and state.regiments[origin] > 0):
                    break
                bits = scatter(key, 200 + 80 * i + 8 * j + again)
            change(state, bits, to)
        if is_lawful(state, nation, to, desk):
            tidy(to)
            return
    copy_sheet(of, to)
    tidy(to)
