"""Features of a position, for its learned judgement at the end of a playout. No paragraph of the book."""

from __future__ import annotations

from typing import Final

from polemos.games.minions.rules.ending import income_of
from polemos.games.minions.rules.geometry import gap as distance
from polemos.games.minions.rules.pieces import in_zone, type_of
from polemos.games.minions.search.records import MONEY
from polemos.games.minions.search.records import Desk as Paper
from polemos.games.minions.search.scripts import Lore, is_owned
from polemos.games.minions.search.value import (
    blows_at,
    list_units,
    necromancer_of,
    onslaught,
    spoils,
    yards_of,
)
from polemos.games.minions.state import MAX_CARDS, NECROMANCER, SPAWN, State
from polemos.kernel.judgement import Facts, octaves
from polemos.kernel.rule import rule

# What is said of each side, the seat's own and then the other's; of all boards together, unless it says otherwise.
SIDE: Final = {
    "needed": "points that it needs to win",
    "money": "money in the purse, in sixteenths of octaves",
    "income": "what the boards pay at the end of its turn",
    "yards": "graveyards that it holds",
    "most yards": "graveyards that it holds on the board where it holds most",
    "units": "units on the boards",
    "worth": "what they are worth, in money",
    "zone": "what its units in the zones are worth, in money",
    "blows": "damage that its units can do in a turn, at most seven each",
    "nests": "units with Spawn, necromancers too",
    "close": "steps by which its units are nearer than 14 to the other's necromancers",
    "spoils": "what its units could take in a turn apart from necromancers, as bots count it, in money",
    "reaching": "eighths of the other's necromancers that its blows could destroy in a turn, up to 16 on each board",
    "most reaching": "the same on the board where it is most",
    "deadly": "boards on which that is enough",
    "siege": "eighths of blows on the way to the other's necromancers, less what guards hold up",
    "most siege": "the same on the board where it is most",
    "cards": "cards that it has teched",
    "claims": "cards with a spell of it that it has not teched",
    "merit": "what the best unit that it can buy does for its price",
}
SHARED: Final = {
    "moves": "1: the seat is to move, -1: the other",
    "boards": "boards",
    "left": "turns until the end, in sixteenths of octaves",
    "rich": "own money and worth of that of both, in thousandths",
    "paid": "own income of that of both, in thousandths",
    "kills": "boards that the seat can win in this turn, if it is to move",
    "killed": "the same of the other",
}
FEATURES: Final = {
    **SHARED,
    **{f"own {name}": says for name, says in SIDE.items()},
    **{f"other {name}": says for name, says in SIDE.items()},
}
SIDES: Final = len(SIDE)
FIRST: Final = len(SHARED)
# Columns of a side that the shared features are made of.
INCOME: Final = tuple(SIDE).index("income")
WORTH: Final = tuple(SIDE).index("worth")
ZONE: Final = tuple(SIDE).index("zone")
DEADLY: Final = tuple(SIDE).index("deadly")

EIGHTHS: Final = 8
MAX_BLOW: Final = 7
FAR: Final = 14  # steps from which on a unit is far from a necromancer
MAX_ZONE: Final = 20  # units of a type that count


@rule
def describe_board(state: State, side: int, at: int, first: int, facts: Facts, lore: Lore, paper: Paper) -> None:
    """Adds what one board says of a side, from column `first` on. The side's units are the foes on the paper."""
    board = state.board[at]
    others = list_units(board, 1 - side, paper, True)
    count = list_units(board, side, paper, False)
    yards = yards_of(board, paper, count, False)
    goal = necromancer_of(state, board, 1 - side)
    worth = 0
    for i in range(count):
        type = type_of(board.hex[paper.foes[i]].piece)
        row = state.type[type]
        worth += lore.tastes.worth[type]
        facts.of[first + 8] += min(row.number + 0, MAX_BLOW) if row.range > 0 else 0
        facts.of[first + 9] += row.keywords & SPAWN != 0
        if goal >= 0 and row.keywords & NECROMANCER == 0:
            facts.of[first + 10] += max(0, FAR - distance(paper.foes[i], goal))
    zone = 0
    for type in range(state.types):
        zone += min(in_zone(board, side, type), MAX_ZONE) * lore.tastes.worth[type]
    facts.of[first + 2] += income_of(state, board, side, yards)
    facts.of[first + 3] += yards
    facts.of[first + 4] = max(facts.of[first + 4], yards)
    facts.of[first + 5] += count
    facts.of[first + 6] += worth // MONEY
    facts.of[first + 7] += zone // MONEY
    facts.of[first + 11] += spoils(state, board, lore.tastes, paper, others, count) // MONEY
    if goal >= 0:
        defence = max(1, state.type[type_of(board.hex[goal].piece)].defence)
        blows = blows_at(state, board, paper, goal, count)
        reaching = min(2 * EIGHTHS, EIGHTHS * blows // defence)
        siege = max(0, onslaught(state, board, paper, goal, count, others, False))
        facts.of[first + 12] += reaching
        facts.of[first + 13] = max(facts.of[first + 13], reaching)
        facts.of[first + 14] += blows >= defence
        facts.of[first + 15] += siege
        facts.of[first + 16] = max(facts.of[first + 16], siege)


@rule
def describe_side(state: State, side: int, first: int, facts: Facts, lore: Lore, paper: Paper) -> None:
    """The features of one side, from column `first` on."""
    for column in range(SIDES):
        facts.of[first + column] = 0
    facts.of[first] = state.to_win - state.points[side]
    facts.of[first + 1] = octaves(state.money[side])
    for at in range(state.boards):
        describe_board(state, side, at, first, facts, lore, paper)
    for card in range(state.cards):
        spells = state.spells[side * MAX_CARDS + card]
        facts.of[first + 17] += spells == 2
        facts.of[first + 18] += spells == 1
    merit = 0
    for type in range(state.types):
        if is_owned(state, type, side):
            merit = max(merit, lore.merit[type])
    facts.of[first + 19] = merit


@rule
def part_of(mine: int, other: int) -> int:
    """Thousandths of both that are mine; ten are added to each."""
    return 1000 * (mine + 10) // (mine + other + 20)


@rule
def riches(state: State, side: int, first: int, facts: Facts) -> int:
    """Money and worth of the side whose columns begin there."""
    return min(state.money[side], 10_000) + facts.of[first + WORTH] + facts.of[first + ZONE]


@rule
def describe(state: State, side: int, facts: Facts, lore: Lore, paper: Paper) -> None:
    """All features of a side."""
    own = FIRST
    other = FIRST + SIDES
    describe_side(state, side, own, facts, lore, paper)
    describe_side(state, 1 - side, other, facts, lore, paper)
    facts.of[0] = 1 if state.side == side else -1
    facts.of[1] = state.boards
    facts.of[2] = octaves(state.turns - state.turn)
    facts.of[3] = part_of(riches(state, side, own, facts), riches(state, 1 - side, other, facts))
    facts.of[4] = part_of(facts.of[own + INCOME], facts.of[other + INCOME])
    facts.of[5] = facts.of[own + DEADLY] if state.side == side else 0
    facts.of[6] = facts.of[other + DEADLY] if state.side != side else 0


@rule
def kind_of(state: State) -> int:
    """By which weights a match is judged: those of one board or several, of the book's rules or of the engines'."""
    return (1 if state.boards > 1 else 0) + (2 if state.switches != 0 else 0)
