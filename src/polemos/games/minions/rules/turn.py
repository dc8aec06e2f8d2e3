"""4 The turn: one order after the other, each judged alone, then the end."""

from __future__ import annotations

from polemos.games.minions.rules import attacking, blinking, ending, events, moving, resets, spawning, techline
from polemos.games.minions.state import (
    ATTACK,
    BLINKING,
    BUY,
    CHOOSE,
    END,
    MOVE,
    RESET0,
    RESIGN,
    SPAWNING,
    SPELLS,
    Board,
    Order,
    State,
    Work,
)
from polemos.kernel.log import Log
from polemos.kernel.rule import entry, rule

tick_fault = moving.tick_fault
tick = moving.tick
attack_fault = attacking.attack_fault
attack = attacking.attack
blink_fault = blinking.blink_fault
blink = blinking.blink
buy_fault = spawning.buy_fault
buy = spawning.buy
spawn_fault = spawning.spawn_fault
spawn = spawning.spawn
choose_fault = resets.choose_fault
choose = resets.choose
place_spells = techline.spells
finish_turn = ending.end_of_turn
has_given_up = ending.gave_up


@rule
def order_fault(state: State, order: Order, kind: int, count: int, work: Work) -> int:
    """4.13 The paragraph of the first condition that an order on a board breaks, or 0."""
    board = state.board[order.board]
    closed = board_fault(board, kind)
    if closed != 0:
        return closed
    if kind == MOVE:
        return tick_fault(state, order, count, work)
    if kind == ATTACK:
        return attack_fault(state, board, order.start[0], order.target[0])
    if kind == BUY:
        return buy_fault(state, board, order.type)
    if kind == SPAWNING:
        return spawn_fault(state, board, order.type, order.target[0])
    if kind == CHOOSE:
        return choose_fault(state, board, order.type, order.keep)
    if kind == BLINKING:
        return blink_fault(state, board, order.start[0])
    return 0


@rule
def board_fault(board: Board, kind: int) -> int:
    """13.2, 10.3, 4.6 Whether anything can be ordered there."""
    if board.resigned != 0:
        return 1302
    if board.state == RESET0:
        return 1003
    if board.due != 0 and kind != CHOOSE and kind != RESIGN:
        return 406
    return 0


@rule
def give(state: State, order: Order, log: Log, work: Work) -> int:
    """4.4 One order: carried out, or refused by the paragraph that is returned."""
    return give_kind(state, order, order.kind, order.count, log, work)


@rule
def give_kind(state: State, order: Order, kind: int, count: int, log: Log, work: Work) -> int:
    """The same for callers that know the kind of the order, and how many moves it has.

    They get the rules of that kind only: on a GPU rules are copied to where they are called, and half of the code of
    random play was rules for other kinds.
    """
    if kind == SPELLS:
        return place_spells(state, order, log)
    if kind == END:
        return 0
    fault = order_fault(state, order, kind, count, work)
    if fault == 0:
        carry_out(state, order, kind, count, log, work)
    return fault


@rule
def carry_out(state: State, order: Order, kind: int, count: int, log: Log, work: Work) -> None:
    if kind == MOVE:
        tick(state, order, count, log, work)
    elif kind == ATTACK:
        attack(state, order.board, order.start[0], order.target[0], order.line, log)
    elif kind == BUY:
        buy(state, order.board, order.type, order.line, log)
    elif kind == SPAWNING:
        spawn(state, order.board, order.type, order.target[0], order.line, log)
    elif kind == CHOOSE:
        choose(state, order.board, order.type, order.keep, order.line, log)
    elif kind == BLINKING:
        blink(state, order.board, order.start[0], order.line, log)
    elif kind == RESIGN:
        state.board[order.board].resigned = 1  # 13.1
        events.resigned(log, order.line, state.side, order.board)


@entry
def apply(state: State, order: Order, log: Log, work: Work) -> int:
    """One order, for callers from Python."""
    return give(state, order, log, work)


@entry
def end(state: State, log: Log) -> None:
    """The end of the turn, for callers from Python."""
    if not has_given_up(state, log):
        finish_turn(state, log)
