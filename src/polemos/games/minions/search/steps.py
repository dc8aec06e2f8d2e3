"""Single orders of a plan: tried on the board, written down if they are legal, taken back if they come to nothing."""

from __future__ import annotations

from polemos.games.minions.rules.turn import give
from polemos.games.minions.search.records import MAX_STEPS, Desk, Plan
from polemos.games.minions.state import CHOOSE, KEEP_DEAREST, State
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def step(
    state: State, at: int, kind: int, start: int, target: int, type: int, plan: Plan, desk: Desk, log: Log
) -> bool:
    """One more order of the plan; False, and nothing happens, if it is refused or the plan is full."""
    if plan.count >= MAX_STEPS:
        return False
    order = desk.order
    order.kind = kind
    order.board = at
    order.count = 1
    order.type = type
    order.keep = start if kind == CHOOSE else KEEP_DEAREST
    order.start[0] = start
    order.target[0] = target
    if give(state, order, log, desk.work) != 0:
        return False
    plan.kind[plan.count] = kind
    plan.start[plan.count] = start
    plan.target[plan.count] = target
    plan.type[plan.count] = type
    plan.count += 1
    return True


@rule
def keep_board(state: State, at: int, desk: Desk) -> None:
    """Remembers the board before something is tried."""
    desk.kept[0] = state.board[at]
    desk.kept_money[0] = state.money[0]
    desk.kept_money[1] = state.money[1]


@rule
def restore_board(state: State, at: int, desk: Desk) -> None:
    state.board[at] = desk.kept[0]
    state.money[0] = desk.kept_money[0]
    state.money[1] = desk.kept_money[1]


@rule
def begin(state: State, start: State, at: int, plan: Plan) -> None:
    """The board as it is before the turn, and an empty plan."""
    state.board[at] = start.board[at]
    state.side = start.side
    for side in range(2):
        state.money[side] = start.money[side]
        state.used[side] = start.used[side]
    plan.count = 0


@rule
def copy_plan(plan: Plan, of: Plan) -> None:
    plan.value = of.value
    plan.shallow = of.shallow
    plan.count = of.count
    for i in range(of.count):
        plan.kind[i] = of.kind[i]
        plan.start[i] = of.start[i]
        plan.target[i] = of.target[i]
        plan.type[i] = of.type[i]
