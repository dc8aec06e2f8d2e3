"""The options against the judge, both ways: what is offered is lawful, and what is lawful is offered.

A tick of two units is offered as such if they change places. Any other one, like a list of spells, is its parts given
one after the other, and these are offered one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import pytest

from polemos.games.minions.game import GAME
from polemos.games.minions.maps import hex_name
from polemos.games.minions.notation import Attack, Buy, Choose, End, Move, Order, Resign, Spawn, Spells, Tick
from polemos.games.minions.setup import table_in
from polemos.games.minions.state import HEXES, SIDES, State
from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.log import SILENT
from unit.games.minions import perft

NAMES = [hex_name(hex) for hex in range(HEXES)]
FEW = (
    "map MegaPuddles; turn 9 yellow; money 9/3; spells yellow 2 1 1; spells blue 1 1 2;"
    "Ne4 Gd4 Wd5 nf7 ze5 zf4; zone ZI i"
)
LONGEST = 5  # orders of a draft

each_position = pytest.mark.parametrize("text", [*perft.POSITIONS.values(), FEW], ids=[*perft.POSITIONS, "few units"])
each_draft = pytest.mark.parametrize("seed", [None, 1, 2], ids=["no draft", "a draft", "another draft"])


def seat_of(state: State) -> str:
    return SIDES[state.side]


def offered(state: State, draft: list[Order]) -> list[Order]:
    return [GAME.read(option.order) for option in GAME.lawful(GAME.look(state, seat_of(state)), draft)]


def some_draft(state: State, seed: int | None) -> list[Order]:
    """Orders that are lawful one after the other; the turn goes on after them."""
    draft: list[Order] = []
    if seed is not None:
        dice = Random(seed)
        for _ in range(LONGEST):
            draft.append(dice.choice([order for order in offered(state, draft) if not isinstance(order, End | Resign)]))
    return draft


def after(state: State, *orders: Order) -> State:
    new = state.copy()
    for order in orders:
        GAME.apply(new, seat_of(new), order, SILENT)
    return new


def is_lawful(state: State, order: Order) -> bool:
    return GAME.judge(state, seat_of(state), [order]) == [None]


def all_orders(state: State) -> Iterator[Order]:
    """4.3 Every order that can be written, each in one of its spellings: of a tick only those that swap two units."""
    table = table_in(state)
    letters, necromancers = [unit.letter for unit in table.units], [unit.name for unit in table.necromancers]
    for board in range(1, state.boards + 1):
        for start, target in product(NAMES, NAMES):
            yield Move(board, start, target)
            yield Attack(board, start, target)
        for start, target in combinations(NAMES, 2):
            yield Tick(board, (f"{start}-{target}", f"{target}-{start}"))
        for unit in (*letters, *necromancers):
            yield Buy(board, unit)
        for unit, target in product(letters, NAMES):
            yield Spawn(board, unit, target)
        for name, keep in product(necromancers, (*letters, "none")):
            yield Choose(board, name, keep)
        yield Resign(board)
    yield Spells(("march",))
    for card in range(1, state.cards + 2):
        yield Spells((f"tech {card}",))
    yield End()


def necromancer_bought(order: Order, state: State) -> bool:
    """A necromancer may share the name of a unit, and then that unit is meant."""
    return isinstance(order, Buy) and order.unit in [unit.name for unit in table_in(state).units]


@each_position
@each_draft
def test_what_is_offered_is_lawful_beside_the_draft(text: str, seed: int | None) -> None:
    state = GAME.read_position(text)
    draft = some_draft(state, seed)
    found = offered(state, draft)
    assert len(found) > 1
    for order in found:
        assert GAME.judge(state, seat_of(state), [*draft, order]) == [None] * (len(draft) + 1), GAME.write(order)


@pytest.mark.slow
@each_position
@each_draft
def test_what_is_lawful_is_offered(text: str, seed: int | None) -> None:
    state = GAME.read_position(text)
    draft = some_draft(state, seed)
    now = after(state, *draft)
    lawful = [order for order in all_orders(now) if is_lawful(now, order) and not necromancer_bought(order, now)]
    assert sorted(map(GAME.write, offered(state, draft))) == sorted(map(GAME.write, lawful))


def test_every_tick_of_two_units_is_a_swap_or_two_moves_that_are_offered() -> None:
    state = GAME.read_position(FEW)
    units = [unit.hex for unit in GAME.observe(state, UMPIRE).boards[0].units if unit.side == "yellow"]
    first = offered(state, [])
    moves = [order for order in first if isinstance(order, Move)]
    reached = {after(state, one, two).raw() for one in moves for two in offered(state, [one]) if isinstance(two, Move)}
    swaps, others = 0, 0
    for (one, to), (two, there) in product(product(units, NAMES), product(units, NAMES)):
        tick = Tick(1, (f"{one}-{to}", f"{two}-{there}"))
        if one >= two or not is_lawful(state, tick):
            continue
        if (to, there) == (two, one):
            swaps += 1
            assert tick in first or Tick(1, tick.moves[::-1]) in first
        else:
            others += 1
            assert after(state, tick).raw() in reached, tick
    assert swaps
    assert others


def test_every_list_of_two_spells_is_two_spells_that_are_offered() -> None:
    state = GAME.read_position("boards 1; " + FEW)
    single = ["march", *(f"tech {card}" for card in range(1, state.cards + 1))]
    lawful = {pair for pair in product(single, single) if is_lawful(state, Spells(pair))}
    wanted = {
        (one.spells[0], two.spells[0])
        for one in offered(state, [])
        if isinstance(one, Spells)
        for two in offered(state, [one])
        if isinstance(two, Spells)
    }
    assert lawful == wanted
    assert ("march", "march") in lawful


def test_a_choice_without_a_unit_to_keep_is_one_that_is_offered() -> None:
    """10.11 The dearest is kept: here the Skeleton, who costs 4."""
    state = GAME.read_position(perft.POSITIONS["a choice after a reset"])
    for name in ("Zombie", "Ranged", "Deadly"):
        short, whole = Choose(1, name), Choose(1, name, "S")
        assert whole in offered(state, [])
        assert after(state, short) == after(state, whole)
    assert not is_lawful(state, Choose(1, "Arcane"))


def test_after_the_end_of_a_turn_nothing_is_offered() -> None:
    """4.8 `end` is always lawful, even when nothing was done; afterwards nothing is."""
    state = GAME.read_position(FEW)
    assert End() in offered(state, [])
    assert offered(state, [End()]) == []
    assert offered(state, [Move(1, "d4", "d3"), End()]) == []


def test_those_who_are_not_to_move_are_offered_nothing() -> None:
    state = GAME.read_position(FEW)
    for who in ("blue", SPECTATOR, UMPIRE):
        assert GAME.lawful(GAME.look(state, who)) == []


def test_orders_of_a_draft_that_are_refused_change_nothing() -> None:
    """4.4"""
    state = GAME.read_position(FEW)
    refused: list[Order] = [Move(1, "a0", "a1"), Buy(2, "Z"), Spells(("tech Nobody",))]
    assert offered(state, refused) == offered(state, [])


def test_options_of_a_view_are_those_of_the_sight() -> None:
    state = GAME.read_position(FEW)
    draft = some_draft(state, 3)
    seen = GAME.options(GAME.setting(state), GAME.observe(state, "yellow"), draft)
    assert seen == GAME.lawful(GAME.look(state, "yellow"), draft)


def figures_in(text: str) -> dict[str, dict[str, object]]:
    state = GAME.read_position(text)
    return {option.text: option.figures for option in GAME.lawful(GAME.look(state, seat_of(state)))}


def test_options_say_what_an_attack_would_do() -> None:
    """3.2, 6.4 to 6.11, 7.4"""
    found = figures_in(
        "map open; turn 9 yellow; Nj0 Sa0 Ue0 Ua2 La4 Pa6 Ta8 Oe8; nj9 zb0 zf0 sb2 mb4 rb6*2 vb8 af8; zone - -"
    )
    assert found["1 attack a0-b0"] == {"does": "destroyed", "left": 0, "back": 0}
    assert found["1 attack e0-f0"] == {"does": "unsummoned", "left": 0}
    assert found["1 attack a2-b2"] == {"does": "hit", "left": 1}  # Persistent, defence 2
    assert found["1 attack a4-b4"] == {"does": "destroyed", "left": 0, "back": 2}  # deathtouch, defence 7
    assert found["1 attack a6-b6"] == {"does": "hit", "left": 3}  # defence 8, 2 taken before, 3 now
    assert found["1 attack a8-b8"] == {"does": "hit", "left": 4}  # flurry against defence 5
    assert found["1 attack e8-f8"] == {"does": "destroyed", "left": 0, "back": 1}  # a Persistent Rat, defence 1


def test_options_say_whom_a_unit_could_attack_after_its_move() -> None:
    """6.2, 6.8, 7.2"""
    found = figures_in("map open; turn 9 yellow; Na0 Pd4 Lb4 Ze3; ne4 zf4 zg4; zone - -")
    assert found["1 move d4-d5"] == {"strikes": ["e4"]}
    assert found["1 move d4-f3"] == {"strikes": ["e4", "f4"]}
    assert found["1 move d4-b5"] == {}
    assert found["1 move b4-c4"] == {}  # two hexes from the necromancer, whom deathtouch does not touch
    assert found["1 move e3-f3"] == {}  # Lumbering
