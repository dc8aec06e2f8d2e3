"""What the search writes on: plans, tastes and scratch paper. One money is 100 in all values."""

from __future__ import annotations

from typing import Final

from polemos.games.minions.state import HEXES, MAX_BOARDS, MAX_TYPES, Board, Order, Work
from polemos.kernel.dice import scatter
from polemos.kernel.record import Array, Record, i8, i16, i32, i64, size, u64
from polemos.kernel.rule import rule

MONEY: Final = 100
COIN: Final = 70  # in the purse, where it does nothing yet
POINT: Final = 6_000  # of a board won
DECIDES: Final = 1_000_000  # of the board that wins the game
MAX_YARDS: Final = 20  # that are looked at
MAX_STEPS: Final = 300  # of a plan
MAX_BUYS: Final = 24  # on a board in a turn
FAR: Final = 30


class Plan(Record):
    """The orders of one board, one after the other, and what they are worth."""

    value: i64
    shallow: i64  # after the best answer alone
    count: i32
    kind: Array[i8] = size(MAX_STEPS)
    start: Array[i8] = size(MAX_STEPS)
    target: Array[i8] = size(MAX_STEPS)
    type: Array[i8] = size(MAX_STEPS)


class Ground(Record):
    """The graveyards of a board, and how many steps by land each is from every hex."""

    yards: i8
    yard: Array[i8] = size(MAX_YARDS)
    steps: Array[i8] = size(MAX_YARDS * HEXES)


# What a board is valued by, as places in `Tastes.weight`.
YARD: Final = 0  # a graveyard
LATE_YARD: Final = 1  # one of the last before eight, squared
NEARER: Final = 2  # a step towards a graveyard
SPAWNER: Final = 3  # more of it for a unit with Spawn
CLOSER: Final = 4  # a step towards the enemy's necromancer
LOSS: Final = 5  # hundredths of a unit that the enemy can take
HELD: Final = 6  # a graveyard under such a unit
DEATH: Final = 7  # a necromancer within reach of enough blows
SCARE: Final = 8  # one within reach of some, squared
PRESSURE: Final = 9  # the enemy's within reach of one's own, squared
SIEGE: Final = 10  # one that twice as many blows as it stands are on their way to, beyond its guards; squared
WEIGHTS: Final = (260, 200, 12, 8, 5, 60, 150, 3_600, 300, 500, 0)


class Tastes(Record):
    """What never changes in a match: the ground, and what a unit of each type is worth to a bot."""

    ground: Array[Ground] = size(MAX_BOARDS)
    worth: Array[i32] = size(MAX_TYPES)
    zeal: Array[i32] = size(MAX_TYPES)  # how gladly a necromancer is chosen
    weight: Array[i32] = size(len(WEIGHTS))


class Desk(Record):
    """Scratch paper of one search."""

    key: u64
    drawn: i64
    wild: i32  # how far chance sways single decisions
    bold: i32  # how little danger counts, 0 to 100
    order: Order
    work: Work
    kept: Array[Board] = size(1)  # a GPU copies an element of an array, not a field that is a record
    kept_money: Array[i32] = size(2)
    threat: Array[i16] = size(HEXES)  # damage that enemies could do there next turn
    grasp: Array[i16] = size(HEXES)  # the same, with deathtouch as 99
    claimed: Array[i8] = size(MAX_YARDS)
    tried: Array[i8] = size(HEXES)
    mine: Array[i8] = size(HEXES)
    foes: Array[i8] = size(HEXES)
    blows: Array[i16] = size(HEXES)  # attacks that each foe has left
    done: Array[i8] = size(HEXES)
    spent: i64  # turns that were tried
    replied: i32  # answers that are kept
    old: Plan
    fresh: Plan  # a plan while its answers are looked for
    killer: Plan  # the answer that was best against the plan before
    next: Plan  # one's own best turn after an answer


@rule
def draw(desk: Desk, below: int) -> int:
    """A random number from 0 to below the bound."""
    desk.drawn += 1
    return (scatter(desk.key, desk.drawn) & 0xFFFFFF) * below >> 24
