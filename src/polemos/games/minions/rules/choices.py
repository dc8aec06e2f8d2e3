"""All single orders that are lawful on a board: moves, swaps of two, attacks, purchases, spawns, choices."""

from __future__ import annotations

from polemos.games.minions.rules.attacking import attack_fault, attacks_of
from polemos.games.minions.rules.geometry import distance, neighbour, outward, within
from polemos.games.minions.rules.moving import flood, has_path
from polemos.games.minions.rules.pieces import has, in_zone, is_enemy, is_of, type_of
from polemos.games.minions.rules.spawning import buy_fault, has_spawn_phase, spawn_fault
from polemos.games.minions.rules.techline import spells_under
from polemos.games.minions.state import (
    ATTACK,
    BUY,
    CHOOSE,
    FLYING,
    FRESH,
    HEXES,
    LUMBERING,
    MOVE,
    MOVED,
    RESET0,
    SPAWN,
    SPAWNING,
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
    """Lists them and says how many there are. A swap is listed once, from its lower hex."""
    board = state.board[at]
    if board.resigned != 0 or board.state == RESET0:
        return 0
    if board.due != 0:
        return necromancers(state, found)
    count = 0
    if board.closed == 0:
        for hex in range(HEXES):
            if is_of(board.hex[hex].piece, state.side):
                count = moves_of(state, board, hex, found, count, work)
                count = attacks_by(state, board, hex, found, count)
    if has_spawn_phase(board):
        count = purchases(state, board, found, count)
        count = spawns(state, board, found, count, work)
    return count


@rule
def necromancers(state: State, found: Many[Choice]) -> int:
    """10.7, 10.8"""
    count = 0
    for place in range(state.pools):
        if state.used[state.side] >> place & 1 == 0:
            count = add(found, count, CHOOSE, -1, -1, state.pool[place], 0)
    return count


@rule
def may_move(board: Board, hex: int) -> bool:
    """5.4, 5.5"""
    return board.hex[hex].marks & MOVED == 0 and board.hex[hex].used == 0


@rule
def moves_of(state: State, board: Board, hex: int, found: Many[Choice], count: int, work: Work) -> int:
    """5 Where a unit may go, and with which friends it may change places."""
    piece = board.hex[hex].piece
    speed = state.type[type_of(piece)].speed
    if speed == 0 or not may_move(board, hex):
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
    speed = state.type[type_of(board.hex[start].piece)].speed
    return may_move(board, start) and distance(start, target) <= speed and has_path(state, board, start, target, work)


@rule
def attacks_by(state: State, board: Board, hex: int, found: Many[Choice], count: int) -> int:
    """6 Whom a unit may attack."""
    here = board.hex[hex]
    type = state.type[type_of(here.piece)]
    if type.range == 0 or here.used >= attacks_of(type.attack, type.number):
        return count
    if here.marks & MOVED and type.keywords & LUMBERING:
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
        if spells_under(state, state.side, card) == 2 and buy_fault(state, board, state.card[card]) == 0:
            count = add(found, count, BUY, -1, -1, state.card[card], 0)
    return count


@rule
def spawns(state: State, board: Board, found: Many[Choice], count: int, work: Work) -> int:
    """9.4 to 9.8 What may be spawned where: the free hexes next to spawners, each once."""
    work.stamp += 1
    for hex in range(HEXES):
        here = board.hex[hex]
        if not is_of(here.piece, state.side) or here.marks & FRESH or not has(state, here.piece, SPAWN):
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
    """For callers from Python."""
    return board_choices(state, at, found, work)
