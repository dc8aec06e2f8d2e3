"""Orders and positions counted twice: by the program, and by brute force from the book alone (`perft.py`)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from polemos.games.minions.game import GAME
from polemos.games.minions.lawful import options_in
from polemos.games.minions.notation import read_order
from polemos.games.minions.orders import record_of
from polemos.games.minions.rules import play, turn
from polemos.games.minions.state import SIDES, State, Work
from polemos.games.minions.state import Order as OrderRecord
from polemos.kernel.log import SILENT
from unit.games.minions import perft

pytestmark = pytest.mark.slow

PUBLISHED = Path(__file__).parents[4] / "docs" / "reference" / "minions-counts.md"

# Single orders, positions after two orders, after three; worked out by `perft.py`.
COUNTS = {
    "the start": (27, 304, 1986),
    "Blue's first turn": (24, 252, 1616),
    "a crowded middle game": (38, 701, 8316),
    "a choice after a reset": (12, 263, 3204),
    "a spawn phase": (26, 295, 2053),
    "two boards and the line": (34, 740, 13521),
}

each_position = pytest.mark.parametrize("name", COUNTS)


def after(state: State, text: str) -> State:
    new = state.copy()
    assert turn.apply(new, record_of(new, read_order(text)), SILENT, Work()) == 0
    return new


def test_all_positions_are_counted() -> None:
    assert list(COUNTS) == list(perft.POSITIONS)


@each_position
def test_the_options_are_the_orders_of_the_book(name: str) -> None:
    state = GAME.read_position(perft.POSITIONS[name])
    wanted = [text for text, _ in perft.lawful(perft.position_of(perft.POSITIONS[name]))]
    shown = GAME.options(GAME.setting(state), GAME.observe(state, SIDES[state.side]))
    assert sorted(option.text for option in shown) == sorted([*wanted, "end"])
    assert len(wanted) == COUNTS[name][0]


@each_position
def test_program_and_book_go_through_the_same_positions(name: str) -> None:
    """Three orders deep, side by side: everywhere the same orders, and equal positions are equal in both."""
    state, position = GAME.read_position(perft.POSITIONS[name]), perft.position_of(perft.POSITIONS[name])
    layer = {state.raw(): (state, position)}
    found = []
    for _ in range(3):
        deeper: dict[bytes, tuple[State, perft.Position]] = {}
        raw_of: dict[object, bytes] = {}
        for state, position in layer.values():
            wanted = dict(perft.lawful(position))
            assert sorted(option.text for option in options_in(state)) == sorted([*wanted, "end"])
            for text, new in wanted.items():
                reached = after(state, text)
                raw = reached.raw()
                deeper.setdefault(raw, (reached, new))
                assert raw_of.setdefault(new.key(), raw) == raw, text
        assert len(raw_of) == len(deeper)
        layer = deeper
        found.append(len(layer))
    assert found[1:] == list(COUNTS[name][1:])


@pytest.mark.parametrize("boards", [1, 2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_random_positions_offer_the_orders_of_the_book(boards: int, seed: int) -> None:
    """Positions of random games, in the middle of turns too; some of the orders lead to the same position in both."""
    dice = Random(seed)
    state = GAME.setup({"boards": boards, "points": 20, "money": 40, "spell_price": 2, "maps": "random"}, seed)
    for _ in range(24):
        if state.reason:
            break
        if dice.random() < 0.3:
            compare(state, dice)
        play.play_random_turn(state, OrderRecord(), dice.getrandbits(62), SILENT, Work())
        if dice.random() < 0.3:
            compare(state, dice)
        turn.end(state, SILENT)


def compare(state: State, dice: Random) -> None:
    wanted = dict(perft.lawful(perft.position_of(GAME.write_position(state))))
    assert sorted(option.text for option in options_in(state)) == sorted([*wanted, "end"])
    for text in dice.sample(sorted(wanted), min(8, len(wanted))):
        assert perft.position_of(GAME.write_position(after(state, text))).key() == wanted[text].key(), text


@each_position
def test_the_counts_are_published(name: str) -> None:
    published = PUBLISHED.read_text(encoding="utf-8")
    assert f"| {name} | {' | '.join(map(str, COUNTS[name]))} |" in published
    assert all(f"    {clause.strip()}\n" in published for clause in perft.POSITIONS[name].split(";"))
