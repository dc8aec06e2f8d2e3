"""What orders would bring: what an attack leaves of its target, which units it could attack after a move, prices."""

from __future__ import annotations

from polemos.games.minions.rules.attacking import defence_left, strike_fault
from polemos.games.minions.rules.geometry import distance, outward, within
from polemos.games.minions.rules.pieces import is_enemy, type_of
from polemos.games.minions.rules.spawning import room_fault
from polemos.games.minions.rules.techline import price_of_spell
from polemos.games.minions.state import (
    ATTACK,
    BUY,
    HEXES,
    MOVE,
    MOVED,
    SPELLS,
    Board,
    Choice,
    Prospect,
    State,
)
from polemos.kernel.record import Many
from polemos.kernel.rule import entry, rule

HALF = 50  # hexes in each of the two fields of bits


@rule
def mark(prospect: Prospect, hex: int) -> None:
    if hex < HALF:
        prospect.low |= 1 << hex
    else:
        prospect.high |= 1 << (hex - HALF)


@rule
def tell(state: State, at: int, choice: Choice, prospect: Prospect) -> None:
    """What one order of the list would bring."""
    board = state.board[at]
    prospect.left = 0
    prospect.back = 0
    prospect.price = 0
    prospect.low = 0
    prospect.high = 0
    if choice.kind == MOVE and choice.swap == 0:
        tell_strikes(state, board, choice.type, choice.target, prospect)
    elif choice.kind == ATTACK:
        tell_attack(state, board, choice.start, choice.target, prospect)
    elif choice.kind == BUY:
        prospect.price = state.type[choice.type].cost
        for hex in range(HEXES):
            if room_fault(state, board, choice.type, hex) == 0:
                mark(prospect, hex)
    elif choice.kind == SPELLS:
        prospect.price = price_of_spell(state)


@rule
def tell_strikes(state: State, board: Board, type: int, hex: int, prospect: Prospect) -> None:
    """6.3 Which units a unit could attack after a move to this hex."""
    for i in range(1, within(hex, state.type[type].range)):
        there = outward(hex, i)
        piece = board.hex[there].piece
        if is_enemy(piece, state.side) and strike_fault(state, type, MOVED, 0, distance(hex, there), piece) == 0:
            mark(prospect, there)


@rule
def tell_attack(state: State, board: Board, start: int, target: int, prospect: Prospect) -> None:
    """What is left of the target, and what its owner gets back if nothing is (6.11)."""
    prospect.left = defence_left(state, board, start, target)
    if prospect.left == 0:
        prospect.back = state.type[type_of(board.hex[target].piece)].rebate


@entry
def tell_one(state: State, at: int, choice: Choice, prospect: Prospect) -> None:
    """For callers from Python: what one order would bring on a board."""
    tell(state, at, choice, prospect)


@entry
def tell_all(state: State, at: int, found: Many[Choice], count: int, told: Many[Prospect]) -> None:
    """For callers from Python: what each of the first `count` orders of a list would bring on a board."""
    for i in range(count):
        tell(state, at, found[i], told[i])
