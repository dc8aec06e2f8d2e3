"""6 Attacks and damage, with what keywords change (7)."""

from __future__ import annotations

from polemos.games.minions.rules import events
from polemos.games.minions.rules.geometry import distance
from polemos.games.minions.rules.pieces import has, is_enemy, is_of, owner_of, take, to_zone, type_of
from polemos.games.minions.state import (
    DEATHTOUCH,
    FLURRY,
    LUMBERING,
    MAX_MONEY,
    MOVED,
    NECROMANCER,
    NORMAL_ATTACK,
    NOT_THERE,
    PERSISTENT,
    UNSUMMON,
    Board,
    State,
    Type,
)
from polemos.kernel.log import Log
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
    return strike_fault(state, type_of(here.piece), here.marks, here.used, distance(start, target), there.piece)


@rule
def strike_fault(state: State, attacker: int, marks: int, used: int, away: int, target: int) -> int:
    """6.2 to 6.8, 7.2 Why a unit of this type and in this condition does not attack an enemy so far away."""
    type = state.type[attacker]
    if away > type.range:
        return 602
    spent = spent_fault(type, marks, used)
    if spent != 0:
        return spent
    if type.attack == DEATHTOUCH and has(state, target, NECROMANCER):
        return 608
    return 0


@rule
def spent_fault(type: Type, marks: int, used: int) -> int:
    """7.2, 6.4 to 6.7 Why a unit attacks nobody any more this turn."""
    if marks & MOVED and type.keywords & LUMBERING:
        return 702
    return 604 + type.attack if used >= attacks_of(type.attack, type.number) else 0


@rule
def attacks_of(attack: int, number: int) -> int:
    """6.4 to 6.7 How often a unit attacks in a turn."""
    return 1 if attack in (NORMAL_ATTACK, DEATHTOUCH) else number


@rule
def attack(state: State, at: int, start: int, target: int, line: int, log: Log) -> None:
    """6.4 to 6.7 One attack, by the kind of the attacker."""
    board = state.board[at]
    board.hex[start].used += 1
    left = defence_left(state, board, start, target)
    if left == NOT_THERE:
        unsummon(state, at, start, target, line, log)
    elif left == 0:
        destroy(state, at, start, target, line, log)
    else:
        piece = board.hex[target].piece
        damage = state.type[type_of(piece)].defence - left
        by = type_of(board.hex[start].piece)
        events.hit(log, line, state.side, at, start, target, type_of(piece), damage, by)
        board.hex[target].damage = damage


@rule
def defence_left(state: State, board: Board, start: int, target: int) -> int:
    """6.4 to 6.10, 7.4 What an attack leaves of the target: its defence, 0 if it is destroyed, -1 if unsummoned."""
    type = state.type[type_of(board.hex[start].piece)]
    piece = board.hex[target].piece
    if type.attack == UNSUMMON and not has(state, piece, PERSISTENT):
        return NOT_THERE
    damage = board.hex[target].damage
    defence = state.type[type_of(piece)].defence
    if type.attack == NORMAL_ATTACK:
        damage += type.number
    elif type.attack in (FLURRY, UNSUMMON):
        damage += 1  # 7.4
    else:
        damage = defence
    return max(0, defence - damage)


@rule
def unsummon(state: State, at: int, start: int, target: int, line: int, log: Log) -> None:
    """6.6 To the zone of its owner, without rebate."""
    board = state.board[at]
    piece = board.hex[target].piece
    by = type_of(board.hex[start].piece)
    events.unsummoned(log, line, owner_of(piece), at, target, type_of(piece), start, by)
    take(board, target)
    to_zone(board, owner_of(piece), type_of(piece), 1)


@rule
def destroy(state: State, at: int, start: int, target: int, line: int, log: Log) -> None:
    """6.10, 6.11 Removed from the game; its owner gets the rebate at once."""
    board = state.board[at]
    piece = board.hex[target].piece
    owner = owner_of(piece)
    type = state.type[type_of(piece)]
    by = type_of(board.hex[start].piece)
    events.destroyed(log, line, owner, at, target, type_of(piece), start, by)
    take(board, target)
    if type.rebate > 0:
        state.money[owner] = min(state.money[owner] + type.rebate, MAX_MONEY - 1)  # 16.2
        events.rebate(log, line, owner, at, target, type_of(piece), type.rebate)
    if type.keywords & NECROMANCER:
        board.killed = 1  # 12.1
