"""Whole turns of a board: invented, changed, compared, and answered by the enemy."""

from __future__ import annotations

from typing import Final

from polemos.games.minions.rules.ending import income_of, next_state
from polemos.games.minions.rules.pieces import graveyards
from polemos.games.minions.search.fighting import claim_held, feel_threats, strike_all, walk_all
from polemos.games.minions.search.growing import choose_one, grow
from polemos.games.minions.search.records import COIN, DECIDES, Desk, Plan, Tastes, draw
from polemos.games.minions.search.steps import begin, copy_plan, step
from polemos.games.minions.search.value import board_value
from polemos.games.minions.state import BUY, GRAVEYARDS, HEXES, RESET1, RESET2, SPAWNING, State
from polemos.kernel.dice import mix
from polemos.kernel.log import Log
from polemos.kernel.record import Many, u64
from polemos.kernel.rule import entry, rule

FAILED: Final = -1_000_000_000
SLACK: Final = 30  # a plan may be so much worse after the enemy's answer if it has better prospects then
TAME: Final = 500  # answers that are so much worse than the best one need no reply
FINALISTS: Final = 5  # plans that are compared once more


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
    elif plan.count == 0:  # somebody else closed it: what is written down is of another board, or another game
        feel_threats(state, board, desk)
        claim_held(state, board, tastes.ground[at], desk)


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


@rule
def foreseen(
    start: State, state: State, after: State, at: int, plan: Plan, answers: int, share: int, floor: int, key: u64,
    replies: Many[Plan], answer: Plan, tastes: Tastes, desk: Desk, log: Log,
) -> int:  # fmt: skip
    """What a plan is worth after the best answer that the enemy finds: what hurt the last plan, then many others,
    then changes of the best of them. A plan that falls to the floor is dropped at once. The best answers are kept."""
    side = start.side
    begin(state, start, at, answer)
    repeat(state, at, plan, answer, desk, log)
    desk.replied = 0
    if state.board[at].killed != 0:
        return plan.value + DECIDES
    hand_over(state, at)
    saved = max(0, state.money[1 - side] - share)
    state.money[1 - side] -= saved
    worst = 1_000_000_000
    for i in range(answers):
        begin(after, state, at, answer)
        desk.key = mix(key ^ i)
        desk.drawn = 0
        mood(desk)
        if i == 0:
            desk.wild = 0
            repeat(after, at, desk.killer, answer, desk, log)
        elif i == 1:
            desk.wild = 0
        if 3 * i < answers or i < 4:
            invent(after, at, answer, tastes, desk, log)
        else:
            copy_plan(desk.old, replies[0 if draw(desk, 4) > 0 else draw(desk, desk.replied)])
            change(after, at, desk.old, answer, tastes, desk, log)
        answer.value = board_value(after, at, 1 - side, tastes, desk) + COIN * saved
        desk.spent += 1
        desk.replied = enter(replies, desk.replied, answer)
        worst = -replies[0].value
        if worst <= floor:
            break
    copy_plan(desk.killer, replies[0])
    return worst


@rule
def repeat(state: State, at: int, of: Plan, plan: Plan, desk: Desk, log: Log) -> None:
    """The orders of a plan, as far as they are legal."""
    for i in range(of.count):
        step(state, at, of.kind[i], of.start[i], of.target[i], of.type[i], plan, desk, log)


@rule
def outlook(
    state: State, after: State, later: State, at: int, looks: int, floor: int, key: u64, replies: Many[Plan],
    answer: Plan, tastes: Tastes, desk: Desk, log: Log,
) -> int:  # fmt: skip
    """What is left of a plan after the best turn that its side finds against each of the answers that were kept.

    `state` is the position that the enemy answers, as `foreseen` leaves it.
    """
    side = 1 - state.side
    earned = income_of(state, state.board[at], side, graveyards(state.board[at], side))
    worst = 1_000_000_000
    for i in range(desk.replied):
        if i > 0 and replies[i].value < replies[0].value - TAME:
            break  # the enemy has better ones
        begin(after, state, at, answer)
        repeat(after, at, replies[i], answer, desk, log)
        board = after.board[at]
        best = -replies[i].value
        if board.killed == 0 and graveyards(board, side) < GRAVEYARDS:  # else the board is decided
            after.money[1 - side] += income_of(after, board, 1 - side, graveyards(board, 1 - side))
            after.money[side] += earned
            hand_over(after, at)
            best = -1_000_000_000
            for j in range(looks):
                begin(later, after, at, answer)
                desk.key = mix(key ^ (i << 16) ^ j)
                desk.drawn = 0
                mood(desk)
                if j == 0:
                    desk.wild = 0
                if 3 * j < looks or j < 4:
                    invent(later, at, answer, tastes, desk, log)
                else:
                    copy_plan(desk.old, desk.next)
                    change(later, at, desk.old, answer, tastes, desk, log)
                desk.spent += 1
                value = board_value(later, at, side, tastes, desk)
                if value > best:
                    best = value
                    copy_plan(desk.next, answer)
                    if best >= worst:
                        break
        worst = min(worst, best)
        if worst <= floor:
            break
    return worst


@rule
def weighed(
    start: State, state: State, after: State, later: State, at: int, plan: Plan, answers: int, looks: int, share: int,
    edge: int, most: int, key: u64, replies: Many[Plan], answer: Plan, tastes: Tastes, desk: Desk, log: Log,
) -> int:  # fmt: skip
    """What a plan is worth after the enemy's best answer, and what can be made of that, together.

    FAILED if it is no better than the edge after the answer, or no better than the most in all.
    """
    shallow = foreseen(start, state, after, at, plan, answers, share, edge, key, replies, answer, tastes, desk, log)
    plan.shallow = shallow
    if shallow <= edge:
        return FAILED
    if desk.replied == 0 or looks == 0:
        return 2 * shallow
    deep = outlook(
        state, after, later, at, looks, most - shallow, mix(key ^ 7), replies, answer, tastes, desk, log
    )  # fmt: skip
    return shallow + deep if shallow + deep > most else FAILED


@rule
def refine(
    start: State, state: State, after: State, later: State, at: int, filled: int, answers: int, looks: int, share: int,
    key: u64, tries: int, pool: Many[Plan], replies: Many[Plan], plan: Plan, tastes: Tastes, desk: Desk, log: Log,
) -> int:  # fmt: skip
    """Changes the best plans, and keeps what is better after the enemy's answers; says which one is best."""
    desk.killer.count = 0
    best = 0
    most = FAILED
    edge = FAILED
    for i in range(filled):
        value = weighed(
            start, state, after, later, at, pool[i], answers, looks, share, edge, most, key, replies, plan, tastes,
            desk, log,
        )  # fmt: skip
        pool[i].value = value
        if value > most:
            best = i
            most = value
            edge = pool[i].shallow - SLACK
    rounds = 0
    while desk.spent < tries and most < DECIDES:
        rounds += 1
        desk.key = mix(key ^ (1_000_000 + rounds))
        desk.drawn = 0
        copy_plan(desk.old, pool[best])
        if draw(desk, 3) == 0:
            copy_plan(desk.old, pool[draw(desk, filled)])
        begin(state, start, at, plan)
        mood(desk)
        change(state, at, desk.old, plan, tastes, desk, log)
        desk.spent += 1
        plan.value = board_value(state, at, start.side, tastes, desk)
        copy_plan(desk.fresh, plan)
        value = weighed(
            start, state, after, later, at, desk.fresh, answers, looks, share, edge, most, key, replies, plan, tastes,
            desk, log,
        )  # fmt: skip
        if value > most:
            worst = 0
            for j in range(filled):
                if pool[j].value < pool[worst].value:
                    worst = j
            copy_plan(pool[worst], desk.fresh)
            pool[worst].value = value
            best = worst
            most = value
            edge = desk.fresh.shallow - SLACK
    # Who is best after many changes has been lucky in part: the last ones are asked again, with other answers.
    best = -1
    most = FAILED - 1
    for _ in range(FINALISTS):
        last = -1
        for i in range(filled):
            if last < 0 or pool[i].value > pool[last].value:
                last = i
        if best >= 0 and pool[last].value <= most:
            break
        value = weighed(
            start, state, after, later, at, pool[last], 3 * answers, 2 * looks, share, FAILED, FAILED, mix(key ^ 77),
            replies, plan, tastes, desk, log,
        )  # fmt: skip
        value = min(value, pool[last].value)
        pool[last].value = FAILED
        if value > most:
            best = last
            most = value
    pool[best].value = most
    return best


@entry
def best_turn(
    start: State, state: State, after: State, later: State, at: int, samples: int, answers: int, looks: int,
    tries: int, share: int, key: u64, pool: Many[Plan], replies: Many[Plan], plan: Plan, tastes: Tastes, desk: Desk,
    log: Log,
) -> int:  # fmt: skip
    """Samples so many turns on a board, and improves the best ones until so many have been tried in all.

    The place in the pool of the one to be played, or -1.
    """
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
    desk.spent = samples
    if filled == 0 or answers == 0:
        return filled - 1 if filled == 0 else 0
    if tries > 0:
        return refine(
            start, state, after, later, at, filled, answers, looks, share, mix(key ^ 1), tries, pool, replies, plan,
            tastes, desk, log,
        )  # fmt: skip
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
