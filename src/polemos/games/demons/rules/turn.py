"""2 The turn: the stages in their order."""

from __future__ import annotations

from polemos.games.demons.rules import arrivals, end, march, phases
from polemos.games.demons.rules.towers import towers
from polemos.games.demons.state import BUILDER, BUILDERS, HIRE, HIRING, PARTS, PROVOKE, TOSS, Order, Orders, State, Work
from polemos.kernel.dice import Chance
from polemos.kernel.log import Log
from polemos.kernel.rule import entry, rule

part_due = phases.part_due
judge_sheet = phases.judge_sheet
decide_builders = phases.builders
decide_hiring = phases.hiring
decide_provoking = phases.provoking
mercenaries_march = march.mercenaries
demons_march = march.demons
mercenaries_arrive = arrivals.mercenaries_arrive
demons_arrive = arrivals.demons_arrive
is_over = end.check
turn_limit = end.limit
dropped_out = end.drop_out
coin_falls = end.fall


@rule
def turn(state: State, orders: Orders, chance: Chance, log: Log, work: Work) -> None:
    """2.2 One step: a whole turn, or with two decisions (2.4) first the builders, then the rest."""
    if state.step >= TOSS:
        coin_falls(state, chance, log)  # 9.4
        return
    forget_fallen(state)
    if dropped_out(state, chance, log):  # 9.6
        return
    decisions(state, orders, log, work)
    if state.step == BUILDERS:
        state.step = HIRING
        return
    world(state, chance, log, work)
    if state.two_decisions != 0 and state.reason == 0 and state.step != TOSS:
        state.step = BUILDERS


@rule
def forget_fallen(state: State) -> None:
    """11.13 Only those who fall this turn count."""
    for player in range(2):
        state.fallen[player] = 0
        state.fallen_health[player] = 0


@rule
def decisions(state: State, orders: Orders, log: Log, work: Work) -> None:
    """3, 4 Phases 1 and 2, in the order in which they are paid (2.4, 11.2)."""
    work.provoked = 0
    for place in range(len(PARTS)):
        part = part_due(state, place)
        if part == BUILDER:
            decide_builders(state, orders, log)  # 3    phase 1
        elif part == HIRE:
            decide_hiring(state, orders, log)  # 4    phase 2
        elif part == PROVOKE:
            decide_provoking(state, orders, log, work)  # 11.10


@rule
def world(state: State, chance: Chance, log: Log, work: Work) -> None:
    """2.2 Phase 3, part by part; 9.1 a decision stops the turn at once."""
    mercenaries_march(state, log, work)  # 5    part 3.1
    if is_over(state, chance, log):
        return
    demons_march(state, log, work)  # 6    part 3.2
    if is_over(state, chance, log):
        return
    mercenaries_arrive(state, log)  # 7.1  part 3.3
    demons_arrive(state, log, work)  # 7.2  part 3.4
    towers(state, chance, log, work)  # 8    part 3.5
    state.turn += 1
    if state.turn == state.turns:
        turn_limit(state, chance, log)  # 9.5


@entry
def resolve(state: State, orders: Orders, chance: Chance, log: Log, work: Work) -> None:
    """One step, for callers from Python."""
    turn(state, orders, chance, log, work)


@entry
def judge(state: State, player: int, order: Order) -> int:
    """Marks what is void on a sheet; the gold that it leaves."""
    return judge_sheet(state, player, order)
