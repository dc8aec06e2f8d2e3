"""2.7 What is seen of a position: everything. The turn in progress is not part of it, because no state holds that."""

from __future__ import annotations

from polemos.games.minions.rules.ending import income_of
from polemos.games.minions.rules.pieces import graveyards
from polemos.games.minions.state import (
    MAX_BOARDS,
    MAX_CARDS,
    MAX_NAME,
    MAX_POOL,
    MAX_TYPES,
    Sight,
    State,
)
from polemos.kernel.rule import entry, rule


@entry
def look(state: State, who: int, sight: Sight) -> None:
    """Fills the sight of a side, of a spectator or of the umpire. No more of a state is read than is in use."""
    sight.who = who
    see_rules(state, sight.state)
    see_table(state, sight.state)
    see_match(state, sight.state)
    for at in range(MAX_BOARDS):
        for side in range(2):
            sight.income[2 * at + side] = 0
    for at in range(state.boards):
        board = state.board[at]
        sight.state.board[at] = board
        for side in range(2):
            sight.income[2 * at + side] = income_of(state, board, side, graveyards(board, side))


@rule
def see_rules(state: State, seen: State) -> None:
    """16.1 What was agreed on."""
    seen.turns = state.turns
    seen.boards = state.boards
    seen.teams = state.teams
    seen.switches = state.switches
    seen.to_win = state.to_win
    seen.spell_price = state.spell_price
    seen.start_money = state.start_money


@rule
def see_table(state: State, seen: State) -> None:
    """15.8 The unit table and the line."""
    seen.types = state.types
    seen.necromancers = state.necromancers
    seen.cards = state.cards
    seen.fixed = state.fixed
    seen.ring = state.ring
    seen.gift = state.gift
    seen.first = state.first
    seen.pools = state.pools
    for place in range(MAX_POOL):
        seen.pool[place] = state.pool[place]
    for place in range(MAX_CARDS):
        seen.deck[place] = state.deck[place]
        seen.card[place] = state.card[place]
    for letter in range(MAX_NAME):
        seen.edition[letter] = state.edition[letter]
    for type in range(MAX_TYPES):
        seen.type[type] = state.type[type]


@rule
def see_match(state: State, seen: State) -> None:
    """Whose turn it is, purses, points, spells, and how the game ended."""
    seen.turn = state.turn
    seen.side = state.side
    seen.reason = state.reason
    seen.winner = state.winner
    seen.placed = state.placed
    for side in range(2):
        seen.money[side] = state.money[side]
        seen.points[side] = state.points[side]
        seen.used[side] = state.used[side]
        seen.gave_up[side] = state.gave_up[side]
    for card in range(MAX_CARDS):
        seen.spells[card] = state.spells[card]
        seen.spells[MAX_CARDS + card] = state.spells[MAX_CARDS + card]
        seen.teched[card] = state.teched[card]
