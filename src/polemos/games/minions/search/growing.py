"""The choice of a necromancer and the spawn phase of a plan."""

from __future__ import annotations

from polemos.games.minions.rules.geometry import gap as distance
from polemos.games.minions.rules.pieces import in_zone
from polemos.games.minions.rules.resets import pool_place
from polemos.games.minions.rules.spawning import buy_fault, has_spawn_phase, spawn_fault, spawner_beside
from polemos.games.minions.search.fighting import nearest_yard
from polemos.games.minions.search.records import MAX_BUYS, MONEY, Desk, Ground, Plan, Tastes, draw
from polemos.games.minions.search.steps import step
from polemos.games.minions.search.value import necromancer_of
from polemos.games.minions.state import (
    BUY,
    CHOOSE,
    FLYING,
    GRAVEYARD,
    HEXES,
    KEEP_DEAREST,
    MAX_TYPES,
    SPAWNING,
    WATER,
    Board,
    State,
)
from polemos.kernel.log import Log
from polemos.kernel.rule import rule


@rule
def choose_one(state: State, at: int, plan: Plan, tastes: Tastes, desk: Desk, log: Log) -> None:
    """The necromancer that is liked best, as far as chance allows, and the unit that is worth most."""
    best = -1
    most = -1
    for place in range(state.pools):
        if state.used[state.side] >> place & 1 == 0:
            merit = tastes.zeal[state.pool[place]] + draw(desk, 1 + desk.wild)
            if merit > most:
                best = place
                most = merit
    if best >= 0:
        keep = dearest_waiting(state, state.board[at], tastes)
        step(state, at, CHOOSE, keep, 0, state.pool[best], plan, desk, log)


@rule
def dearest_waiting(state: State, board: Board, tastes: Tastes) -> int:
    best = KEEP_DEAREST
    for type in range(state.types):
        if in_zone(board, state.side, type) > 0 and (best < 0 or tastes.worth[type] > tastes.worth[best]):
            best = type
    return best


@rule
def grow(state: State, at: int, plan: Plan, tastes: Tastes, desk: Desk, log: Log) -> None:
    """Spawns what waits and buys as long as there is money and room, one unit after the other."""
    board = state.board[at]
    if not has_spawn_phase(board):
        return
    goal = necromancer_of(state, board, 1 - state.side)
    for type in range(MAX_TYPES):
        desk.done[type] = 0
    bought = 0
    for _ in range(HEXES):
        type = best_waiting(state, board, tastes, desk)
        fresh = type < 0
        if fresh:
            type = best_purchase(state, board, tastes, desk)
            if type < 0 or bought >= MAX_BUYS:
                return
        hex = best_room(state, board, type, goal, tastes.ground[at], desk)
        if hex < 0:
            if not fresh:
                desk.done[type] = 1
                continue
            return
        if fresh:
            if not step(state, at, BUY, 0, 0, type, plan, desk, log):
                return
            bought += 1
        if not step(state, at, SPAWNING, 0, hex, type, plan, desk, log):
            return


@rule
def best_waiting(state: State, board: Board, tastes: Tastes, desk: Desk) -> int:
    """The type in the zone that is spawned next, or -1."""
    best = -1
    most = 0
    for type in range(state.types):
        if in_zone(board, state.side, type) > 0 and desk.done[type] == 0:
            merit = 1 + tastes.worth[type] + draw(desk, 1 + 2 * desk.wild)
            if merit > most:
                best = type
                most = merit
    return best


@rule
def best_purchase(state: State, board: Board, tastes: Tastes, desk: Desk) -> int:
    """The type that is worth most for its price, as far as chance allows, or -1."""
    best = -1
    most = 0
    for type in range(state.types):
        if pool_place(state, type) < 0 and state.type[type].cost > 0 and buy_fault(state, board, type) == 0:
            merit = 1 + tastes.worth[type] * MONEY // state.type[type].cost + draw(desk, 1 + desk.wild)
            if merit > most:
                best = type
                most = merit
    return best


@rule
def best_room(state: State, board: Board, type: int, goal: int, ground: Ground, desk: Desk) -> int:
    """Where a unit is best spawned, or -1."""
    row = state.type[type]
    best = -1
    most = -1_000_000
    for hex in range(HEXES):
        if board.hex[hex].piece == 0 and spawner_beside(state, board, hex) == 2:
            fault = 0 if in_zone(board, state.side, type) == 0 else spawn_fault(state, board, type, hex)
            if fault == 0 and (board.hex[hex].ground != WATER or row.keywords & FLYING):
                merit = draw(desk, 1 + desk.wild)
                if board.hex[hex].ground == GRAVEYARD:
                    merit += 300
                else:
                    merit -= 22 * nearest_yard(ground, hex, row.keywords & FLYING, desk)
                if goal >= 0:
                    merit -= 6 * distance(hex, goal)
                if desk.grasp[hex] >= row.defence:
                    merit -= row.cost * 30
                if merit > most:
                    best = hex
                    most = merit
    return best
