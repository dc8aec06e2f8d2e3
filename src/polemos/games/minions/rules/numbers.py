"""Single orders by number, for programs that learn. No paragraph of the book.

| number | order |
| --- | --- |
| 0 | end the turn |
| 1 | march |
| 2 + card | tech this card of the line, from 0 |
| 42 + 14,482 * board + ... | on this board, from 0: |
| ... 100 * start + target | move to an empty hex, change places with a friend, attack an enemy; to its own hex, blink |
| ... 10,000 + type | buy a unit of this type |
| ... 10,040 + 100 * type + hex | spawn one there |
| ... 14,040 + 40 * place + keep | choose the necromancer in this place of the pool, and keep a unit of this type |
| ... 14,440 + keep | the same with the necromancer of the start (17.4) |
| ... 14,480 | choose that one, and keep all units |
| ... 14,481 | resign the board |

What stands on the target says whether a pair of hexes is a move, a swap or an attack. A swap has one number, that
from its lower hex. Blinks (17.3) and the necromancer of the start are lawful only under rules like those of the public
engines, which know no pool to choose from (17.4).
"""

from __future__ import annotations

from typing import Final

from polemos.games.minions.rules.pieces import is_enemy, is_of
from polemos.games.minions.rules.resets import pool_place
from polemos.games.minions.rules.turn import give
from polemos.games.minions.state import (
    ATTACK,
    BLINKING,
    BLINKS,
    BUY,
    CHOOSE,
    END,
    HEXES,
    KEEP_DEAREST,
    MARCH,
    MAX_BOARDS,
    MAX_CARDS,
    MAX_POOL,
    MAX_TYPES,
    MOVE,
    RESETS,
    RESIGN,
    SPAWNING,
    SPELLS,
    Choice,
    Order,
    State,
    Work,
)
from polemos.kernel.log import Log
from polemos.kernel.rule import rule

MARCHING: Final = 1
FIRST_CARD: Final = 2
FIRST_BOARD: Final = FIRST_CARD + MAX_CARDS

# On a board.
BUYING: Final = HEXES * HEXES
SPAWNS: Final = BUYING + MAX_TYPES
CHOOSING: Final = SPAWNS + MAX_TYPES * HEXES
FROM_START: Final = CHOOSING + MAX_POOL * MAX_TYPES
KEEPING_ALL: Final = FROM_START + MAX_TYPES
RESIGNING: Final = KEEPING_ALL + 1
BOARD: Final = RESIGNING + 1

NUMBERS: Final = FIRST_BOARD + MAX_BOARDS * BOARD


@rule
def number_of(state: State, at: int, choice: Choice) -> int:
    """The number of a lawful order of a board, or beside the boards."""
    first = FIRST_BOARD + at * BOARD
    if choice.kind == MOVE or choice.kind == ATTACK:
        return first + choice.start * HEXES + choice.target
    if choice.kind == BLINKING:
        return first + choice.start * HEXES + choice.start
    if choice.kind == BUY:
        return first + BUYING + choice.type
    if choice.kind == SPAWNING:
        return first + SPAWNS + choice.type * HEXES + choice.target
    if choice.kind == CHOOSE:
        return first + choosing(state, choice.type, choice.start)
    if choice.kind == RESIGN:
        return first + RESIGNING
    if choice.kind == SPELLS:
        return MARCHING if choice.start == MARCH else FIRST_CARD + choice.start
    return 0


@rule
def choosing(state: State, type: int, keep: int) -> int:
    """10.7 The number, on its board, of a necromancer of the pool with a unit to keep; 17.4 or of that of the start."""
    if state.switches & RESETS == 0:
        return CHOOSING + pool_place(state, type) * MAX_TYPES + keep
    return KEEPING_ALL if keep == KEEP_DEAREST else FROM_START + keep


@rule
def give_number(state: State, number: int, order: Order, log: Log, work: Work) -> bool:
    """4.4 Carries out the order of this number; False, and nothing happens, if it is not lawful."""
    order.line = 0
    order.count = 1
    if number < FIRST_BOARD:
        order.kind = SPELLS
        order.start[0] = MARCH if number == MARCHING else number - FIRST_CARD
        return number > 0 and give(state, order, log, work) == 0
    order.board = (number - FIRST_BOARD) // BOARD
    if order.board >= state.boards:
        return False
    write_order(state, (number - FIRST_BOARD) % BOARD, order)
    return order.kind != END and give(state, order, log, work) == 0


@rule
def write_order(state: State, what: int, order: Order) -> None:
    """The order of a board that this number means; END where it means none."""
    if what < BUYING:
        write_pair(state, what // HEXES, what % HEXES, order)
    elif what < SPAWNS:
        order.kind = BUY
        order.type = what - BUYING
    elif what < CHOOSING:
        order.kind = SPAWNING
        order.type = (what - SPAWNS) // HEXES
        order.target[0] = (what - SPAWNS) % HEXES
    elif what < FROM_START:
        place = (what - CHOOSING) // MAX_TYPES
        order.kind = CHOOSE if place < state.pools else END
        order.type = state.pool[place]
        order.keep = (what - CHOOSING) % MAX_TYPES
    elif what < RESIGNING:
        order.kind = CHOOSE if state.switches & RESETS else END
        order.type = state.first
        order.keep = KEEP_DEAREST if what == KEEPING_ALL else what - FROM_START
    else:
        order.kind = RESIGN
    if (order.kind == BUY or order.kind == SPAWNING) and order.type >= state.types:
        order.kind = END


@rule
def write_pair(state: State, start: int, target: int, order: Order) -> None:
    """A move, a swap or an attack, by what stands on the target; 17.3 a blink, where the rules know it.

    A swap has one number: that from its lower hex.
    """
    there = state.board[order.board].hex[target].piece
    order.kind = ATTACK if is_enemy(there, state.side) else MOVE
    order.start[0] = start
    if start == target:
        order.kind = BLINKING if state.switches & BLINKS else END
        return
    order.target[0] = target
    if is_of(there, state.side):
        order.kind = MOVE if start < target else END
        order.count = 2
        order.start[1] = target
        order.target[1] = start
