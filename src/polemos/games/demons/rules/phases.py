"""3 Builders, 4 hiring, 11.10 provoking: what the players decide."""

from __future__ import annotations

from polemos.games.demons.rules.events import BANISHED, BUILT, DESTROYED, HIRED, PROVOKED
from polemos.games.demons.rules.lanes import keep_units
from polemos.games.demons.state import (
    BLUE,
    DEMON,
    GOOD,
    KINDS,
    MOST_HEALTH,
    NO_LANE,
    NO_TOWER,
    NOT_TERRITORY,
    OCCUPIED,
    QUEUED,
    RED,
    TOO_DEAR,
    UNKNOWN_TOWER,
    Order,
    Orders,
    State,
    Work,
)
from polemos.kernel.log import Log, emit
from polemos.kernel.rule import rule

PROVOKING = 5  # gold (11.10)


@rule
def builders(state: State, orders: Orders, log: Log) -> None:
    """3.2 Phase 1: each player builds, destroys, or does nothing."""
    for player in range(2):
        build_or_destroy(state, player, orders.of[player], log)


@rule
def build_or_destroy(state: State, player: int, order: Order, log: Log) -> None:
    """3.6 What is not lawful does nothing."""
    order.build_fault = GOOD
    if order.build >= 0:
        order.build_fault = why_not_build(state, player, order)
        if order.build_fault == GOOD:
            build(state, player, order.build, order.build_at, log)
    elif order.destroy_at != -1:
        order.build_fault = why_not_destroy(state, player, order.destroy_at)
        if order.build_fault == GOOD:
            destroy(state, player, order.destroy_at, log)


@rule
def why_not_build(state: State, player: int, order: Order) -> int:
    """3.3 to 3.5 Own territory, nothing on it, enough gold."""
    if order.build >= KINDS or state.book.price[order.build] == 0:
        return UNKNOWN_TOWER
    if order.build_at < 0 or state.tile[order.build_at].kind != player:
        return NOT_TERRITORY
    if state.tile[order.build_at].tower != 0:
        return OCCUPIED
    if state.gold[player] < state.price[player * KINDS + order.build]:
        return TOO_DEAR
    return GOOD


@rule
def build(state: State, player: int, kind: int, at: int, log: Log) -> None:
    """3.9 The cooldown starts at its maximum; 11.4 in the finals the next one costs a quarter more."""
    price = state.price[player * KINDS + kind]
    state.gold[player] -= price
    if state.rules == 1:
        state.price[player * KINDS + kind] = min(price * 5 // 4, MOST_HEALTH)
    raise_tower(state, player, kind, at)
    emit(log, BUILT, player, -1, at, kind, price, 0)


@rule
def raise_tower(state: State, player: int, kind: int, at: int) -> None:
    tower = state.tower[state.towers]
    tower.tile = at
    tower.kind = kind
    tower.owner = player
    tower.cooldown = state.book.cooldown[kind]
    state.towers += 1
    state.tile[at].tower = kind + 1


@rule
def why_not_destroy(state: State, player: int, at: int) -> int:
    """3.7 Own territory with a tower on it."""
    if at < 0 or state.tile[at].kind != player:
        return NOT_TERRITORY
    return GOOD if state.tile[at].tower != 0 else NO_TOWER


@rule
def destroy(state: State, player: int, at: int, log: Log) -> None:
    """3.8 Half the price comes back, rounded down; 11.4 in the finals the whole base price."""
    kind = state.tile[at].tower - 1
    refund = state.book.price[kind] if state.rules == 1 else state.book.price[kind] // 2
    state.gold[player] += refund
    state.tile[at].tower = 0
    kept = 0
    for i in range(state.towers):  # the others keep the order in which they were built
        if state.tower[i].tile != at:
            state.tower[kept] = state.tower[i]
            kept += 1
    state.towers = kept
    gone = state.tower[kept]
    gone.tile = 0
    gone.kind = 0
    gone.owner = 0
    gone.cooldown = 0
    emit(log, DESTROYED, player, -1, at, kind, refund, 0)


@rule
def hiring(state: State, orders: Orders, log: Log) -> None:
    """4.1 Phase 2: each player may hire one mercenary."""
    for player in range(2):
        order = orders.of[player]
        order.hire_fault = GOOD
        if order.hire >= 0:
            order.hire_fault = why_not_hire(state, player, order.hire)
            if order.hire_fault == GOOD:
                state.gold[player] -= state.book.mercenary_price
                state.queue[player * 4 + order.hire] += 1
                emit(log, HIRED, player, -1, order.hire, -1, state.book.mercenary_price, 0)


@rule
def why_not_hire(state: State, player: int, direction: int) -> int:
    """4.2 to 4.4 A lane there, gold, nobody queued there; 11.3 in the finals the queue is a counter."""
    if state.exit_lane[player * 4 + direction] < 0:
        return NO_LANE
    if state.gold[player] < state.book.mercenary_price:
        return TOO_DEAR
    if state.queue[player * 4 + direction] > 0 and state.rules == 0:
        return QUEUED
    return GOOD


@rule
def provoking(state: State, orders: Orders, log: Log, work: Work) -> None:
    """11.10 Both pay: every demon vanishes. One pays: every portal queues one more."""
    work.provoked = 0
    for player in range(2):
        order = orders.of[player]
        work.paid[player] = 0
        order.provoke_fault = GOOD
        if order.provoke > 0:
            if state.gold[player] < PROVOKING:
                order.provoke_fault = TOO_DEAR
            else:
                state.gold[player] -= PROVOKING
                work.paid[player] = 1
                emit(log, PROVOKED, player, -1, -1, -1, PROVOKING, 0)
    if work.paid[RED] + work.paid[BLUE] == 2:
        kept = 0
        for i in range(state.units):
            if state.unit[i].kind < DEMON:
                state.unit[kept] = state.unit[i]
                kept += 1
        emit(log, BANISHED, -1, -1, -1, -1, state.units - kept, 0)
        keep_units(state, kept)
    elif work.paid[RED] + work.paid[BLUE] == 1:
        work.provoked = 1
