"""2.10 Lawful positions: what must hold of a position that was set up by hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from polemos.games.minions.maps import distance, hex_name
from polemos.games.minions.rules.attacking import attacks_of
from polemos.games.minions.rules.pieces import has, is_enemy, is_of, owner_of, type_of
from polemos.games.minions.rules.resets import start_hex
from polemos.games.minions.setup import occupied
from polemos.games.minions.state import (
    BLUE,
    COPYCAT,
    FLYING,
    FRESH,
    MAX_CARDS,
    MAX_MONEY,
    MAX_TYPES,
    MAX_ZONE,
    MOVED,
    NECROMANCER,
    NOBODY,
    NORMAL,
    RESET0,
    RESET1,
    RESET2,
    RESETS,
    SIDES,
    TURN1,
    WATER,
    YELLOW,
    Board,
    State,
)
from polemos.kernel.errors import BadPosition


def unlawful(why: str) -> BadPosition:
    return BadPosition(why, rule="2.10")


def validate(state: State, first: int = 1) -> None:
    """Raises BadPosition for the first thing that is wrong. Boards count from `first`."""
    for why in flaws(state, first):
        raise unlawful(why)


def flaws(state: State, first: int = 1) -> Iterator[str]:
    yield from _match_flaws(state)
    yield from _line_flaws(state)
    for at in range(state.boards):
        for why in _board_flaws(state, state.board[at]):
            yield f"Board {at + first}: {why}"


def _match_flaws(state: State) -> Iterator[str]:
    if not 1 <= state.turn <= state.turns:
        yield f"Turn {state.turn} of {state.turns} is not played."
    for side, name in enumerate(SIDES):
        if not 0 <= state.money[side] < MAX_MONEY:
            yield f"{name} has {state.money[side]} money."
        if state.points[side] < 0 or (state.points[side] >= state.to_win and not state.reason):
            yield f"{name} has {state.points[side]} points, and {state.to_win} win the game."
    first = state.turn == 1 and state.side == YELLOW
    states = {state.board[at].state for at in range(state.boards)}
    if TURN1 in states and (not first or len(states) > 1) and not state.reason:
        yield "The state turn1 belongs to Yellow's first turn, and then to every board."
    if not state.reason and (state.winner or any(state.gave_up)):
        yield "Only a game that is over has a winner."
    if state.reason and not 0 <= state.winner <= NOBODY:
        yield "Nobody of that name can have won."


def _line_flaws(state: State) -> Iterator[str]:
    for side, name in enumerate(SIDES):
        under = [state.spells[side * MAX_CARDS + card] for card in range(state.cards)]
        if any(not 0 <= spells <= 2 for spells in under):
            yield "A card has no, one or two spells of a side."
        if any(one == 0 and other > 0 for one, other in pairwise(under)):
            yield f"{name} marches card by card: no card is left out."
    for card in range(state.cards):
        if state.spells[card] == 2 and state.spells[MAX_CARDS + card] == 2 and not _may_be_copied(state, card):
            yield f"Card {card + 1} cannot be teched by both sides."
        if state.teched[card] and state.spells[state.side * MAX_CARDS + card] != 2:
            yield f"Card {card + 1} was not teched by the side to move."
    most = sum(state.spells[state.side * MAX_CARDS + card] for card in range(state.cards))
    if not sum(state.teched[card] for card in range(state.cards)) <= state.placed <= most:
        yield f"{state.placed} spells cannot have been placed this turn."


def _may_be_copied(state: State, card: int) -> bool:
    """17.2 The Copycat itself, and any card once a side owns that."""
    copycats = [other for other in range(state.cards) if state.type[state.card[other]].letter == COPYCAT]
    return any(card == other or 2 in (state.spells[other], state.spells[MAX_CARDS + other]) for other in copycats)


def _board_flaws(state: State, board: Board) -> Iterator[str]:
    for hex in occupied(board):
        yield from _unit_flaws(state, board, hex)
    for index, count in enumerate(board.zone):
        type = index % MAX_TYPES
        if count and (type >= state.types - state.necromancers or not 0 <= count <= MAX_ZONE):
            yield "A zone holds units of the table, and no necromancer."
    if state.reason:
        return  # boards that were decided are reset, and nothing else is changed (12.8)
    yield from _necromancer_flaws(state, board)
    if board.state == RESET0 and (board.closed or board.resigned or board.killed):
        yield "In reset+0 nothing can have been ordered."
    if board.closed and board.state not in (NORMAL, RESET2):
        yield "Without a spawn phase the attack phase is not closed."
    if board.due and (board.closed or board.killed):
        yield "Before the choice nothing can have been ordered."
    for side in _to_choose(state, board):
        if not _start_is_safe(state, board, side):
            yield f"{hex_name(start_hex(side))} must be empty, out of enemies' reach, until {SIDES[side]} chooses."


def _unit_flaws(state: State, board: Board, hex: int) -> Iterator[str]:
    there, name = board.hex[hex], hex_name(hex)
    type = state.type[type_of(there.piece)]
    if there.ground == WATER and not type.keywords & FLYING:
        yield f"{name} is water, and the unit there cannot fly."
    if not 0 <= there.damage < type.defence:
        yield f"The unit on {name} has {there.damage} damage; its defence is {type.defence}."
    if there.damage and is_of(there.piece, state.side):
        yield f"The unit on {name} belongs to the side to move and cannot be damaged."
    if (there.used or there.marks) and not is_of(there.piece, state.side):
        yield f"The unit on {name} belongs to the other side and cannot have acted."
    if not 0 <= there.used <= attacks_of(type.attack, type.number) or (there.used and type.range == 0):
        yield f"The unit on {name} cannot have attacked {there.used} times."
    if there.marks & FRESH and (there.used or there.marks & MOVED or not board.closed or type.keywords & NECROMANCER):
        yield f"The unit on {name} cannot be fresh."
    if there.marks & MOVED and type.speed == 0:
        yield f"The unit on {name} cannot have moved."


def _necromancer_flaws(state: State, board: Board) -> Iterator[str]:
    """As the state of the board asks."""
    count = [0, 0]
    for hex in occupied(board):
        piece = board.hex[hex].piece
        if has(state, piece, NECROMANCER):
            count[owner_of(piece)] += 1
    mover, other = count[state.side], count[1 - state.side]
    if state.switches & RESETS:
        if board.state == RESET0 or (mover, other) != (1, 1 - board.killed):
            yield f"There are 1 and {1 - board.killed} necromancers, never reset+0 (17.4), not {mover} and {other}."
        return
    if board.killed and (other or board.state in (RESET0, RESET1)):
        yield "The opponent's necromancer cannot have been destroyed this turn."
    wanted = {
        TURN1: (1, 1 - board.killed),
        NORMAL: (1, 1 - board.killed),
        RESET0: (0, 0),
        RESET1: (1 - board.due, 0),
        RESET2: (1 - board.due, 1 - board.killed),
    }[board.state]
    if (mover, other) != wanted:
        yield f"In this state there are {wanted[0]} and {wanted[1]} necromancers, not {mover} and {other}."


def _to_choose(state: State, board: Board) -> list[int]:
    """10.4 The sides that have still to choose a necromancer; 17.4 theirs stand there already."""
    if state.switches & RESETS:
        return []
    if board.state == RESET0:
        return [YELLOW, BLUE]
    later = [1 - state.side] if board.state == RESET1 else []
    return [state.side, *later] if board.due else later


def _start_is_safe(state: State, board: Board, side: int) -> bool:
    """10.7 Nobody on the start hex, nor an enemy who could be there before the choice; the mover chooses first."""
    start = start_hex(side)
    for hex in occupied(board):
        piece = board.hex[hex].piece
        if side == state.side or not is_enemy(piece, side) or board.hex[hex].used or board.hex[hex].marks:
            continue  # the mover chooses first, and who has acted stays where it is
        if distance(hex, start) <= state.type[type_of(piece)].speed:
            return False
    return not board.hex[start].piece
