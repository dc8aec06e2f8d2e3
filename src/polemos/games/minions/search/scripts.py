"""The scripts of playouts and batches: each takes the first turn that comes to mind. No paragraph.

They differ in how much danger counts.
"""

from __future__ import annotations

from typing import Final

from polemos.games.minions.rules.spawning import has_spawn_phase
from polemos.games.minions.rules.techline import next_to_march, price_of_spell
from polemos.games.minions.rules.turn import give
from polemos.games.minions.search.records import Desk as Paper
from polemos.games.minions.search.records import Plan, Tastes
from polemos.games.minions.search.turns import invent, mood
from polemos.games.minions.state import (
    CHOOSE,
    KEEP_DEAREST,
    MARCH,
    MAX_CARDS,
    MAX_SPELLS,
    MAX_TYPES,
    RESET0,
    SPELLS,
    State,
)
from polemos.kernel.dice import mix
from polemos.kernel.log import Log
from polemos.kernel.record import Array, Record, i8, i32, size, u64
from polemos.kernel.rule import rule

SCRIPTS: Final = ("quick", "bold", "careful")
BOLD: Final = 1
CAREFUL: Final = 2
RESERVE: Final = 15  # money for each board that is not spent on spells
NO_SPELL: Final = -3


class Lore(Record):
    """What scripts know of the units and maps of a match."""

    known: i8  # the rest was filled in
    tastes: Tastes
    merit: Array[i32] = size(MAX_TYPES)  # what a unit of each type does for its price


class Mind(Record):
    """What a script of a batch writes on."""

    paper: Paper
    plan: Plan


@rule
def perform(
    state: State, at: int, kind: int, start: int, target: int, type: int, swap: int, paper: Paper, log: Log
) -> bool:
    """One order, if it is legal."""
    order = paper.order
    order.kind = kind
    order.board = at
    order.type = type
    order.keep = start if kind == CHOOSE else KEEP_DEAREST
    order.count = 1
    order.start[0] = start
    order.target[0] = target
    if swap != 0:
        order.count = 2
        order.start[1] = target
        order.target[1] = start
    return give(state, order, log, paper.work) == 0


@rule
def wanted(state: State, lore: Lore) -> int:
    """The card that gives most for its price above what can be bought already, counted against the turns; or -1."""
    side = state.side + 0
    had = 0
    for type in range(state.types):
        if is_owned(state, type, side):
            had = max(had, lore.merit[type])
    best = -1
    most = 0
    for card in range(state.cards):
        spells = state.spells[side * MAX_CARDS + card]
        if spells != 2 and state.spells[(1 - side) * MAX_CARDS + card] != 2:
            turns = 1 if spells != 0 else card - next_to_march(state) + 2
            merit = lore.merit[state.card[card]]
            gain = 1000 * max(merit - had, merit // 50) // (turns + 2)
            if gain > most:
                best = card
                most = gain
    return best


@rule
def is_owned(state: State, type: int, side: int) -> bool:
    """Whether the side can buy the type, or will be able to next turn."""
    owned = state.type[type].basic != 0
    for card in range(state.cards):
        owned |= state.card[card] == type and state.spells[side * MAX_CARDS + card] == 2
    return owned


@rule
def place_spell(state: State, lore: Lore, paper: Paper, log: Log) -> int:
    """The free spell, or one more from what the boards can hardly use; says which, or NO_SPELL."""
    price = price_of_spell(state)
    card = wanted(state, lore)
    if card < 0:
        if next_to_march(state) < 0:
            return NO_SPELL
        card = MARCH
    elif state.spells[state.side * MAX_CARDS + card] != 1:
        card = MARCH
    if price > 0 and state.money[state.side] - price < RESERVE * state.boards:
        return NO_SPELL
    return card if perform(state, 0, SPELLS, card, card, 0, 0, paper, log) else NO_SPELL


@rule
def spending(state: State, first: int) -> int:
    """How many boards from this one on can spend."""
    count = 0
    for at in range(first, state.boards):
        count += has_spawn_phase(state.board[at])
    return count


@rule
def set_aside(state: State, at: int) -> int:
    """Takes from the purse what later boards may spend; says how much that is."""
    side = state.side + 0
    shares = max(1, spending(state, at))
    saved = state.money[side] - max(0, state.money[side] // shares)
    state.money[side] -= saved
    return saved


@rule
def incline(script: int, plain: bool, paper: Paper) -> None:
    """The mood of a script; `plain` is without chance."""
    mood(paper)
    if plain:
        paper.wild = 0
        paper.bold = 30
    if script == BOLD:
        paper.bold = 100
    elif script == CAREFUL:
        paper.bold = 0


@rule
def first_turn(state: State, at: int, script: int, plan: Plan, lore: Lore, paper: Paper, log: Log) -> None:
    """The first turn that comes to mind, on one board; what the board spends is its share of the purse."""
    plan.count = 0
    board = state.board[at]
    if board.state == RESET0 or board.resigned != 0:
        return
    side = state.side + 0
    saved = set_aside(state, at)
    incline(script, True, paper)
    invent(state, at, plan, lore.tastes, paper, log)
    state.money[side] += saved


@rule
def hasty_turn(state: State, script: int, key: u64, plan: Plan, lore: Lore, paper: Paper, log: Log) -> None:
    """A script's turn: spells, then board after board. The turn is not ended."""
    paper.key = mix(key)
    paper.drawn = 0
    for _ in range(MAX_SPELLS):
        if place_spell(state, lore, paper, log) == NO_SPELL:
            break
    for at in range(state.boards):
        first_turn(state, at, script, plan, lore, paper, log)
