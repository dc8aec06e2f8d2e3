"""3 Builders, 4 hiring, 11.10 provoking: what the players decide."""

from __future__ import annotations

from polemos.games.demons.rules import events
from polemos.games.demons.rules.lanes import keep_units
from polemos.games.demons.state import (
    BLUE,
    BUILDER,
    BUILDERS,
    DEMON,
    FINALS_ONLY,
    GOOD,
    HIRE,
    KINDS,
    MAX_HEALTH,
    NO_LANE,
    NO_TOWER,
    NOT_NOW,
    NOT_TERRITORY,
    OCCUPIED,
    PARTS,
    PROVOKE,
    Q1,
    QUEUED,
    RED,
    TOO_DEAR,
    TWICE,
    UNKNOWN_TOWER,
    Order,
    Orders,
    State,
    Work,
)
from polemos.kernel.log import Log
from polemos.kernel.rule import rule

PROVOKING = 5  # gold (11.10)

# ---- what is lawful


@rule
def part_due(state: State, place: int) -> int:
    """The part of the sheets that comes first, second, third in this step; -1 if none does.

    2.4 Where decisions are two, each step has one part. 11.2 In the finals mercenaries are paid before towers, and
    11.10 provoking comes last.
    """
    if state.step != 0:
        due = BUILDER if state.step == BUILDERS else HIRE
        return due if place == 0 else -1
    if place == 2:
        return PROVOKE if state.rules == 1 else -1
    hiring_first = state.quirks & Q1 != 0
    return HIRE if hiring_first == (place == 0) else BUILDER


@rule
def judge_sheet(state: State, player: int, order: Order) -> int:
    """3.6 Marks what is void, part by part as they are paid, and carries nothing out; the gold that is left."""
    gold = state.gold[player]
    for part in range(len(PARTS)):
        order.fault[part] = why_not_line(state, part, order.lines[part])
        order.price[part] = 0
    for place in range(len(PARTS)):
        part = part_due(state, place)
        if part >= 0 and order.lines[part] == 1:
            order.fault[part] = why_not(state, player, part, order, gold)
            if order.fault[part] == GOOD:
                order.price[part] = price_of(state, player, part, order)
                gold -= order.price[part]
    return gold


@rule
def why_not_line(state: State, part: int, lines: int) -> int:
    """3.2, 4.1 Two lines of a part void each other; 2.4 lines of another step, and of other rules, are void."""
    if lines > 1:
        return TWICE
    for place in range(len(PARTS)):
        if part_due(state, place) == part:
            return GOOD
    if lines == 0:
        return GOOD
    return FINALS_ONLY if part == PROVOKE else NOT_NOW


@rule
def why_not(state: State, player: int, part: int, order: Order, gold: int) -> int:
    """Why a part of a sheet is void, with so much gold left to pay for it."""
    if part == HIRE:
        return why_not_hire(state, player, order.hire, gold)
    if part == PROVOKE:
        return GOOD if gold >= PROVOKING else TOO_DEAR
    if order.build >= 0:
        return why_not_build(state, player, order.build, order.build_at, gold)
    return why_not_destroy(state, player, order.destroy_at)


@rule
def why_not_build(state: State, player: int, kind: int, site: int, gold: int) -> int:
    """3.3 to 3.5 Own territory, nothing on it, enough gold."""
    if kind >= KINDS or state.book.price[kind] == 0:
        return UNKNOWN_TOWER
    if not 0 <= site < state.tiles or state.tile[site].kind != player:
        return NOT_TERRITORY
    if state.tile[site].tower != 0:
        return OCCUPIED
    if gold < state.price[player * KINDS + kind]:
        return TOO_DEAR
    return GOOD


@rule
def why_not_destroy(state: State, player: int, at: int) -> int:
    """3.7 Own territory with a tower on it."""
    if at < 0 or state.tile[at].kind != player:
        return NOT_TERRITORY
    return GOOD if state.tile[at].tower != 0 else NO_TOWER


@rule
def why_not_hire(state: State, player: int, direction: int, gold: int) -> int:
    """4.2 to 4.4 A lane there, gold, nobody queued there; 11.3 in the finals the queue is a counter."""
    if state.exit_lane[player * 4 + direction] < 0:
        return NO_LANE
    if gold < state.book.mercenary_price:
        return TOO_DEAR
    if state.queue[player * 4 + direction] > 0 and state.rules == 0:
        return QUEUED
    return GOOD


@rule
def price_of(state: State, player: int, part: int, order: Order) -> int:
    """What a good part of a sheet costs; below 0: the gold that comes back."""
    if part == HIRE:
        return state.book.mercenary_price
    if part == PROVOKE:
        return PROVOKING
    if order.build >= 0:
        return state.price[player * KINDS + order.build]
    return -refund(state, order.destroy_at)


@rule
def refund(state: State, at: int) -> int:
    """3.8 Half the price, rounded down; 11.4 in the finals the whole base price."""
    price = state.book.price[state.tile[at].tower - 1]
    return price if state.rules == 1 else price // 2


# ---- carrying it out


@rule
def builders(state: State, orders: Orders, log: Log) -> None:
    """3.2 Phase 1: each player builds, destroys, or does nothing; 3.6 what is not legal does nothing."""
    for player in range(2):
        order = orders.of[player]
        if order.build >= 0:
            if why_not(state, player, BUILDER, order, state.gold[player]) == GOOD:
                build(state, player, order.build, order.build_at, order.line[BUILDER], log)
        elif order.destroy_at != -1:
            if why_not(state, player, BUILDER, order, state.gold[player]) == GOOD:
                destroy(state, player, order.destroy_at, order.line[BUILDER], log)


@rule
def build(state: State, player: int, kind: int, at: int, line: int, log: Log) -> None:
    """3.9 The cooldown starts at its maximum; 11.4 in the finals the next one costs a quarter more."""
    price = state.price[player * KINDS + kind]
    state.gold[player] -= price
    if state.rules == 1:
        state.price[player * KINDS + kind] = min(price * 5 // 4, MAX_HEALTH)
    raise_tower(state, player, kind, at)
    events.built(log, line, player, kind, at, price)


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
def destroy(state: State, player: int, at: int, line: int, log: Log) -> None:
    """3.8 A part of the price comes back."""
    kind = state.tile[at].tower - 1
    back = refund(state, at)
    state.gold[player] += back
    state.tile[at].tower = 0
    kept = 0
    for i in range(state.towers):  # the others keep the order in which they were built
        if state.tower[i].tile != at:
            state.tower[kept] = state.tower[i]
            kept += 1
    keep_towers(state, kept)
    events.destroyed(log, line, player, kind, at, back)


@rule
def keep_towers(state: State, kept: int) -> None:
    """The first `kept` towers stay; what is behind them is wiped, so that equal positions have equal bytes."""
    for i in range(kept, state.towers):
        tower = state.tower[i]
        tower.tile = 0
        tower.kind = 0
        tower.owner = 0
        tower.cooldown = 0
    state.towers = kept


@rule
def hiring(state: State, orders: Orders, log: Log) -> None:
    """4.1 Phase 2: each player may hire one mercenary."""
    for player in range(2):
        order = orders.of[player]
        if order.hire >= 0 and why_not(state, player, HIRE, order, state.gold[player]) == GOOD:
            state.gold[player] -= state.book.mercenary_price
            state.queue[player * 4 + order.hire] += 1
            events.hired(log, order.line[HIRE], player, order.hire, state.book.mercenary_price)


@rule
def provoking(state: State, orders: Orders, log: Log, work: Work) -> None:
    """11.10 Both pay: every demon vanishes. One pays: every portal queues one more."""
    for player in range(2):
        order = orders.of[player]
        work.paid[player] = 0
        if order.provoke > 0 and why_not(state, player, PROVOKE, order, state.gold[player]) == GOOD:
            state.gold[player] -= PROVOKING
            work.paid[player] = 1
            events.provoked(log, order.line[PROVOKE], player, PROVOKING)
    if work.paid[RED] + work.paid[BLUE] == 2:
        kept = 0
        for i in range(state.units):
            if state.unit[i].kind < DEMON:
                state.unit[kept] = state.unit[i]
                kept += 1
        events.banished(log, state.units - kept)
        keep_units(state, kept)
    elif work.paid[RED] + work.paid[BLUE] == 1:
        work.provoked = 1
