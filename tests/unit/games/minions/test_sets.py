"""Sets of hexes as bits, and what random play keeps in them."""

from __future__ import annotations

from polemos.games.minions.game import GAME
from polemos.games.minions.rules import play, sets
from polemos.games.minions.rules.moving import is_passable
from polemos.games.minions.rules.pieces import is_enemy, is_of
from polemos.games.minions.rules.spawning import spawner_beside
from polemos.games.minions.rules.turn import end
from polemos.games.minions.state import HEXES, Hexes, Order, State, Work
from polemos.kernel.log import SILENT


def members(hexes: Hexes) -> set[int]:
    found, hex = set(), sets.next_in(hexes, 0)
    while hex < HEXES:
        found.add(hex)
        hex = sets.next_in(hexes, hex + 1)
    return found


def test_a_set_holds_what_it_was_given() -> None:
    hexes, kept = Hexes(), {0, 1, 48, 49, 50, 51, 98, 99}
    for hex in kept | {7, 70}:
        sets.include(hexes, hex)
    for hex in (7, 70, 33):
        sets.exclude(hexes, hex)
    assert members(hexes) == {hex for hex in range(HEXES) if sets.holds(hexes, hex)} == kept
    assert sets.next_in(hexes, 2) == 48
    assert sets.next_in(hexes, 52) == 98
    sets.empty(hexes)
    assert members(hexes) == set()
    assert sets.next_in(hexes, HEXES) == HEXES


def test_sites_are_counted_from_the_first_hex_round_the_board() -> None:
    hexes = Hexes()
    for hex in (3, 60, 99):
        sets.include(hexes, hex)
    found, i = [], play.next_site(hexes, 50, 0)
    while i < HEXES:
        found.append(i)
        i = play.next_site(hexes, 50, i + 1)
    assert found == [10, 49, 53]


def test_the_sets_of_random_play_say_what_the_rules_say() -> None:
    state: State = GAME.setup({"boards": 1}, 0)
    order, work = Order(), Work()
    for key in range(12):
        play.play_random_turn(state, order, key, SILENT, work)
        board = state.board[0]
        pieces = [board.hex[hex].piece for hex in range(HEXES)]
        play.survey(state, board, work)
        assert members(work.taken) == {hex for hex in range(HEXES) if pieces[hex] != 0}
        assert members(work.enemies) == {hex for hex in range(HEXES) if is_enemy(pieces[hex], state.side)}
        assert members(work.barred) == {hex for hex in range(HEXES) if not is_passable(state, board, hex)}
        rested = {hex for hex in range(HEXES) if is_of(pieces[hex], state.side) and board.hex[hex].marks == 0}
        assert members(work.rested) == rested
        play.find_sites(state, board, work)
        free = {hex for hex in range(HEXES) if pieces[hex] == 0}
        assert members(work.sites) == {hex for hex in free if spawner_beside(state, board, hex) == 2}
        end(state, SILENT)
