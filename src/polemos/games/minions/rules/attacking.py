"""6 Attacks and damage, with what keywords change (7)."""

from __future__ import annotations

from polemos.games.minions.rules.events import DESTROYED, HIT, REBATE, UNSUMMONED
from polemos.games.minions.rules.geometry import distance
from polemos.games.minions.rules.pieces import has, is_enemy, is_of, owner_of, take, to_zone, type_of
from polemos.games.minions.state import (
    DEATHTOUCH,
    FLURRY,
    LUMBERING,
    MOST_MONEY,
    MOVED,
    NECROMANCER,
    NORMAL_ATTACK,
    PERSISTENT,
    UNSUMMON,
    Board,
    State,
)
from polemos.kernel.log import Log, emit
from polemos.kernel.rule import rule


@rule
def attack_fault(state: State, board: Board, start: int, target: int) -> int:
    """6.1 to 6.8, 7.2 Why an attack is refused."""
    here = board.hex[start]
    there = board.hex[target]
    if board.closed != 0:
        return 407
    if not is_of(here.piece, state.side) or not is_enemy(there.piece, state.side):
        return 601
    type = state.type[type_of(here.piece)]
    if distance(start, target) > type.range:
        return 602
    if here.marks & MOVED and type.keywords & LUMBERING:
        return 702
    if here.used >= attacks_of(type.attack, type.number):
        return 604 + type.attack
    if type.attack == DEATHTOUCH and has(state, there.piece, NECROMANCER):
        return 608
    return 0


@rule
def attacks_of(attack: int, number: int) -> int:
    """6.4 to 6.7 How often a unit attacks in a turn."""
    return 1 if attack in (NORMAL_ATTACK, DEATHTOUCH) else number


@rule
def attack(state: State, at: int, start: int, target: int, log: Log) -> None:
    """6.4 to 6.7 One attack, by the kind of the attacker."""
    board = state.board[at]
    board.hex[start].used += 1
    type = state.type[type_of(board.hex[start].piece)]
    piece = board.hex[target].piece
    if type.attack == UNSUMMON and not has(state, piece, PERSISTENT):
        unsummon(state, at, target, log)
        return
    damage = board.hex[target].damage
    defence = state.type[type_of(piece)].defence
    if type.attack == NORMAL_ATTACK:
        damage += type.number
    elif type.attack in (FLURRY, UNSUMMON):
        damage += 1  # 7.4
    else:
        damage = defence
    if damage < defence:
        emit(log, HIT, state.side, at, start, target, type_of(piece), damage)
        board.hex[target].damage = damage
    else:
        destroy(state, at, target, log)


@rule
def unsummon(state: State, at: int, target: int, log: Log) -> None:
    """6.6 To the zone of its owner, without rebate."""
    board = state.board[at]
    piece = board.hex[target].piece
    emit(log, UNSUMMONED, owner_of(piece), at, target, -1, type_of(piece), 0)
    take(board, target)
    to_zone(board, owner_of(piece), type_of(piece), 1)


@rule
def destroy(state: State, at: int, target: int, log: Log) -> None:
    """6.10, 6.11 Removed from the game; its owner gets the rebate at once."""
    board = state.board[at]
    piece = board.hex[target].piece
    owner = owner_of(piece)
    type = state.type[type_of(piece)]
    emit(log, DESTROYED, owner, at, target, -1, type_of(piece), 0)
    take(board, target)
    if type.rebate > 0:
        state.money[owner] = min(state.money[owner] + type.rebate, MOST_MONEY - 1)  # 16.2
        emit(log, REBATE, owner, at, target, -1, type_of(piece), type.rebate)
    if type.keywords & NECROMANCER:
        board.killed = 1  # 12.1
