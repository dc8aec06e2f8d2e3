"""Whole turns of a board: invented, changed, compared, and answered by the enemy."""

from __future__ import annotations

from polemos.games.minions.rules.ending import next_state
from polemos.games.minions.search.fighting import feel_threats, strike_all, walk_all
from polemos.games.minions.search.growing import choose_one, grow
from polemos.games.minions.search.records import COIN, DECIDES, Desk, Plan, Tastes, draw
from polemos.games.minions.search.steps import begin, copy_plan, step
from polemos.games.minions.search.value import board_value
from polemos.games.minions.state import BUY, HEXES, RESET1, RESET2, SPAWNING, State
from polemos.kernel.dice import mix
from polemos.kernel.log import Log
from polemos.kernel.record import Many, u64
from polemos.kernel.rule import entry, rule


@rule
def invent(state: State, at: int, plan: Plan, tastes: Tastes, desk: Desk, log: Log) -> None:
    """Continues a turn until nothing is left to do."""
    board = state.board[at]
    if board.due != 0:
        choose_one(state, at, plan, tastes, desk, log)
    fight(state, at, plan, tastes, desk, log)
    if board.killed == 0:  # else everything there is swept away
        grow(state, at, plan, tastes, desk, log)


@rule
def fight(state: State, at: int, plan: Plan, tastes: Tastes, desk: Desk, log: Log) -> None:
    """The attack phase, if it is still open."""
    board = state.board[at]
    if board.closed == 0 and board.due == 0:
        feel_threats(state, board, desk)
        strike_all(state, at, plan, tastes, desk, log)
        feel_threats(state, board, desk)
        walk_all(state, at, plan, tastes, desk, log)


@rule
def mood(desk: Desk) -> None:
    """How wild and how bold the next turn is to be."""
    kind = draw(desk, 4)
    desk.wild = 20 if kind == 0 else 60 if kind == 1 else 150 if kind == 2 else 400
    desk.bold = draw(desk, 101)


@rule
def change(state: State, at: int, old: Plan, plan: Plan, tastes: Tastes, desk: Desk, log: Log) -> None:
    """Most orders of an old plan again; what was left out is invented again."""
    for hex in range(HEXES):
        desk.tried[hex] = 1 if draw(desk, 4) == 0 else 0
    for i in range(old.count):
        kind = old.kind[i]
        if kind in (BUY, SPAWNING):
            break
        if desk.tried[max(old.start[i], 0)] == 0:
            step(state, at, kind, old.start[i], old.target[i], old.type[i], plan, desk, log)
    if draw(desk, 2) == 0:
        fight(state, at, plan, tastes, desk, log)
        for i in range(old.count):
            if old.kind[i] in (BUY, SPAWNING):
                step(state, at, old.kind[i], old.start[i], old.target[i], old.type[i], plan, desk, log)
    invent(state, at, plan, tastes, desk, log)


@rule
def enter(pool: Many[Plan], filled: int, plan: Plan) -> int:
    """Keeps the plan if it is among the best and no twin of another; the pool is sorted, the best first."""
    room = len(pool)
    if filled == room and plan.value <= pool[room - 1].value:
        return filled
    place = filled
    for i in range(filled):
        if pool[i].value == plan.value:
            return filled
        if plan.value > pool[i].value:
            place = i
            break
    last = filled if filled < room else room - 1
    for i in range(last, place, -1):
        copy_plan(pool[i], pool[i - 1])
    copy_plan(pool[place], plan)
    return last + 1


@rule
def hand_over(state: State, at: int) -> None:
    """The board as the other side finds it."""
    board = state.board[at]
    board.state = next_state(state, board.state, 0, 0)
    board.due = 1 if board.state in (RESET1, RESET2) else 0
    board.closed = 0
    for hex in range(HEXES):
        there = board.hex[hex]
        there.damage = 0
        there.used = 0
        there.marks = 0
    state.side = 1 - state.side


@rule
def answered(
    start: State, state: State, after: State, at: int, plan: Plan, answers: int, share: int, floor: int,
    answer: Plan, tastes: Tastes, desk: Desk, log: Log,
) -> int:  # fmt: skip
    """What a plan is worth after the best of some answers of the enemy, who spends no more than its share.

    Every plan meets the same answers as far as it allows them; one that falls below the floor is dropped at once.
    """
    side = start.side
    begin(state, start, at, answer)
    for i in range(plan.count):
        step(state, at, plan.kind[i], plan.start[i], plan.target[i], plan.type[i], answer, desk, log)
    if state.board[at].killed != 0:
        return plan.value + DECIDES
    hand_over(state, at)
    saved = max(0, state.money[1 - side] - share)
    state.money[1 - side] -= saved
    worst = 1_000_000_000
    desk.drawn = 0
    for i in range(answers):
        begin(after, state, at, answer)
        mood(desk)
        if i == 0:
            desk.wild = 0
        invent(after, at, answer, tastes, desk, log)
        worst = min(worst, -board_value(after, at, 1 - side, tastes, desk) - COIN * saved)
        if worst <= floor:
            break
    return worst


@entry
def best_turn(
    start: State, state: State, after: State, at: int, samples: int, answers: int, share: int, key: u64,
    pool: Many[Plan], plan: Plan, tastes: Tastes, desk: Desk, log: Log,
) -> int:  # fmt: skip
    """Tries so many turns on a board; the place in the pool of the one to be played, or -1."""
    desk.key = mix(key)
    desk.drawn = 0
    filled = 0
    for i in range(samples):
        begin(state, start, at, plan)
        mood(desk)
        if i == 0:
            desk.wild = 0
            desk.bold = 30
        if filled == 0 or i * 4 < samples:
            invent(state, at, plan, tastes, desk, log)
        else:
            copy_plan(desk.old, pool[draw(desk, filled)])
            change(state, at, desk.old, plan, tastes, desk, log)
        plan.value = board_value(state, at, start.side, tastes, desk)
        filled = enter(pool, filled, plan)
    if filled == 0 or answers == 0:
        return filled - 1 if filled == 0 else 0
    desk.key = mix(key ^ 1)
    best = 0
    most = -1_000_000_000
    for i in range(filled):
        value = answered(start, state, after, at, pool[i], answers, share, most, plan, tastes, desk, log)
        pool[i].value = value
        if value > most:
            best = i
            most = value
    return best
