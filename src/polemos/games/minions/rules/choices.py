"""All single legal orders, with swaps as the only moves of two units.

Every one is held against the fault that would refuse it, the same that judges the orders of players.
"""

from __future__ import annotations

from polemos.games.minions.rules.attacking import attack_fault, spent_fault
from polemos.games.minions.rules.blinking import blink_fault
from polemos.games.minions.rules.geometry import neighbour, outward, within
from polemos.games.minions.rules.moving import flood, has_path, is_too_far, rest_fault
from polemos.games.minions.rules.pieces import has, in_zone, is_enemy, is_of, type_of
from polemos.games.minions.rules.resets import choose_fault
from polemos.games.minions.rules.spawning import buy_fault, has_spawn_phase, spawn_fault, spawner_on, was_teched
from polemos.games.minions.rules.techline import next_to_march, spell_fault
from polemos.games.minions.rules.turn import board_fault
from polemos.games.minions.state import (
    ATTACK,
    BLINKING,
    BLINKS,
    BUY,
    CHOOSE,
    END,
    FLYING,
    HEXES,
    KEEP_DEAREST,
    MARCH,
    MOVE,
    RESETS,
    RESIGN,
    SPAWNING,
    SPELLS,
    Board,
    Choice,
    State,
    Work,
)
from polemos.kernel.record import Many
from polemos.kernel.rule import entry, rule


@rule
def add(found: Many[Choice], count: int, kind: int, start: int, target: int, type: int, swap: int) -> int:
    """One more; a full list keeps what it has."""
    if count >= len(found):
        return count
    choice = found[count]
    choice.kind = kind
    choice.start = start
    choice.target = target
    choice.type = type
    choice.swap = swap
    return count + 1


@rule
def board_choices(state: State, at: int, found: Many[Choice], work: Work) -> int:
    """Lists those of a board but for resigning it, and says how many. A swap is listed once, from its lower hex."""
    board = state.board[at]
    if board_fault(board, CHOOSE) != 0:
        return 0
    if board.due != 0:
        return necromancers(state, board, found)
    count = 0
    if board.closed == 0:
        for hex in range(HEXES):
            if is_of(board.hex[hex].piece, state.side):
                count = moves_of(state, board, hex, found, count, work)
                count = attacks_by(state, board, hex, found, count)
                if state.switches & BLINKS and blink_fault(state, board, hex) == 0:
                    count = add(found, count, BLINKING, hex, -1, type_of(board.hex[hex].piece), 0)
    if has_spawn_phase(board):
        count = purchases(state, board, found, count)
        count = spawns(state, board, found, count, work)
    return count


@rule
def necromancers(state: State, board: Board, found: Many[Choice]) -> int:
    """10.7 to 10.10 Each with every unit that can be kept; 17.4 that of the start, also with the whole zone."""
    count = 0
    if state.switches & RESETS:
        count = add(found, count, CHOOSE, KEEP_DEAREST, -1, state.first, 0)
        for keep in range(state.types - state.necromancers):
            if choose_fault(state, board, state.first, keep) == 0:
                count = add(found, count, CHOOSE, keep, -1, state.first, 0)
        return count
    for place in range(state.pools):
        for keep in range(state.types - state.necromancers):
            if choose_fault(state, board, state.pool[place], keep) == 0:
                count = add(found, count, CHOOSE, keep, -1, state.pool[place], 0)
    return count


@rule
def moves_of(state: State, board: Board, hex: int, found: Many[Choice], count: int, work: Work) -> int:
    """5 Where a unit may go, and with which friends it may change places."""
    piece = board.hex[hex].piece
    speed = state.type[type_of(piece)].speed
    if speed == 0 or rest_fault(board, hex) != 0:
        return count
    flying = has(state, piece, FLYING)
    met = within(hex, speed) if flying else flood(state, board, hex, -1, speed, work)
    friends = 0
    for i in range(1, met):
        there = outward(hex, i) if flying else work.queue[i]
        other = board.hex[there].piece
        if other == 0:
            count = add(found, count, MOVE, hex, there, type_of(piece), 0)
        elif there > hex and is_of(other, state.side):
            work.friends[friends] = there
            friends += 1
    for i in range(friends):
        if may_swap_back(state, board, work.friends[i], hex, work):
            count = add(found, count, MOVE, hex, work.friends[i], type_of(piece), 1)
    return count


@rule
def may_swap_back(state: State, board: Board, start: int, target: int, work: Work) -> bool:
    """5.10 Whether the friend on `start` can go to `target` while the other comes."""
    if rest_fault(board, start) != 0 or is_too_far(state, board, start, target):
        return False
    return has_path(state, board, start, target, work)


@rule
def attacks_by(state: State, board: Board, hex: int, found: Many[Choice], count: int) -> int:
    """6 Which units a unit may attack."""
    here = board.hex[hex]
    type = state.type[type_of(here.piece)]
    if spent_fault(type, here.marks, here.used) != 0:
        return count
    for i in range(1, within(hex, type.range)):
        there = outward(hex, i)
        if is_enemy(board.hex[there].piece, state.side) and attack_fault(state, board, hex, there) == 0:
            count = add(found, count, ATTACK, hex, there, type_of(here.piece), 0)
    return count


@rule
def purchases(state: State, board: Board, found: Many[Choice], count: int) -> int:
    """9.2 What may be bought: basic units, then cards that are teched."""
    for type in range(state.types - state.necromancers):
        if state.type[type].basic != 0 and buy_fault(state, board, type) == 0:
            count = add(found, count, BUY, -1, -1, type, 0)
    for card in range(state.cards):
        if was_teched(state, card) and buy_fault(state, board, state.card[card]) == 0:
            count = add(found, count, BUY, -1, -1, state.card[card], 0)
    return count


@rule
def spawns(state: State, board: Board, found: Many[Choice], count: int, work: Work) -> int:
    """9.4 to 9.8 What may be spawned where: the free hexes next to spawners, each once."""
    work.stamp += 1
    for hex in range(HEXES):
        if spawner_on(state, board, hex) != 2:
            continue
        for way in range(6):
            there = neighbour(hex, way)
            if there >= 0 and work.seen[there] != work.stamp and board.hex[there].piece == 0:
                work.seen[there] = work.stamp
                count = spawns_on(state, board, there, found, count)
    return count


@rule
def spawns_on(state: State, board: Board, hex: int, found: Many[Choice], count: int) -> int:
    for type in range(state.types - state.necromancers):
        if in_zone(board, state.side, type) > 0 and spawn_fault(state, board, type, hex) == 0:
            count = add(found, count, SPAWNING, -1, hex, type, 0)
    return count


@entry
def list_choices(state: State, at: int, found: Many[Choice], work: Work) -> int:
    """For callers from Python: what there is to do on a board."""
    return board_choices(state, at, found, work)


@entry
def list_orders(state: State, at: int, found: Many[Choice], work: Work) -> int:
    """For callers from Python: all legal orders on a board, resigning it (13.1) as the last."""
    count = board_choices(state, at, found, work)
    if board_fault(state.board[at], RESIGN) == 0:
        count = add(found, count, RESIGN, -1, -1, 0, 0)
    return count


@entry
def list_spells(state: State, found: Many[Choice]) -> int:
    """For callers from Python: all legal orders beside the boards, single spells (8) and `end` (4.8)."""
    count = 0
    if spell_fault(state, MARCH) == 0:
        count = add(found, count, SPELLS, MARCH, next_to_march(state), 0, 0)
    for card in range(state.cards):
        if spell_fault(state, card) == 0:
            count = add(found, count, SPELLS, card, card, 0, 0)
    return add(found, count, END, -1, -1, 0, 0)
