"""However an order is spelled, it is written one way: what is read and written again is the same for all spellings."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polemos import registry
from polemos.kernel.errors import OrderError
from properties.driver import every_example, lawful, met

SEEDS = st.integers(0, 2**32 - 1)


def spellings(text: str, chance: Random) -> Iterator[str]:
    """The same text in other letters and with other blanks."""
    yield text.lower()
    yield text.upper()
    yield f"  {text}\t"
    yield text.replace(" ", "   ").replace(",", " , ")
    yield "".join(letter * 2 if letter == " " and chance.random() < 0.5 else letter for letter in text)


@every_example
@given(seed=SEEDS)
@settings(max_examples=10)
def test_case_and_blanks_make_no_difference(game: Any, options: dict[str, Any], seed: int) -> None:
    state, chance = met(game, options, seed), Random(seed)
    for seat in game.to_act(state):
        for order in lawful(game, state, seat, Random(seed)):
            text = game.write(order)
            for spelled in spellings(text, chance):
                assert game.write(game.read(spelled)) == text, spelled
                assert game.read(spelled) == order, spelled


@every_example
@given(seed=SEEDS)
@settings(max_examples=10)
def test_an_object_is_written_as_its_text_is(game: Any, options: dict[str, Any], seed: int) -> None:
    state, chance = met(game, options, seed), Random(seed)
    for seat in game.to_act(state):
        for order in lawful(game, state, seat, Random(seed)):
            fields = msgspec.to_builtins(order)
            name = chance.choice([name for name, value in fields.items() if isinstance(value, str)])
            for changed in (fields[name].upper(), fields[name].lower(), f" {fields[name]} "):
                try:
                    read = game.read({**fields, name: changed})
                except OrderError:
                    continue  # objects come from programs: what is not taken is refused, never another order
                assert game.write(read) == game.write(order)


pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

# Other ways to write an order, by the book of each game, and the one in which it is written.
ALIASES: dict[str, dict[str, tuple[str, ...]]] = {
    "monarchs": {
        "D2-C3 2": ("d2-c3 2", "D2>C3 2", "D2->C3 2", "d2 c3 2", "D2,C3,2", "D2 - C3 , 2", "D2-C3   2"),
        "bless G9": ("boost G9", "BLESS g9", "bless: G9", "Boost, g9"),
    },
    "demons": {
        "build cannon 3,4": ("BUILD Cannon 3,4", "build cannon 3, 4", "build cannon 3 ,4", "build cannon 03,4"),
        "destroy 3,4": ("Destroy 3 , 4",),
        "hire N": ("hire n", "HIRE  N"),
        "hire left": ("hire LEFT",),
        "provoke": ("Provoke ",),
    },
    "monad": {
        "move 5,5 right 8": ("5,5 move 8 right", "MOVE 5,5 8 Right", "5, 5 MOVE 8 right", "move 5,5 RIGHT 08"),
        "mine 3,4 10": ("3,4 mine 10", "Mine 3 , 4 10"),
        "build 3,4 1": ("build 3,4", "3,4 build 1"),
        "build 3,4 left 1": ("build 3,4 left", "build 3,4 1 LEFT", "3,4 build 1 left"),
    },
    "minions": {
        "1 move d4-e4": ("b1: move d4e4", "1: Move D4-E4", "1 move d4 e4", "1. move d4 - e4", "B 1 MOVE d4-e4"),
        "1 tick d4-e4 e4-d4": ("1 TICK D4E4 e4d4",),
        "1 buy Z": ("1 buy z", "1 BUY Z"),
        "1 buy Zombie": ("1 buy zombie", "1 buy ZOMBIE"),
        "1 spawn Z d3": ("1 spawn z D3", "b1: spawn Z d3"),
        "1 choose Arcane keep S": ("1 choose arcane KEEP s", "1 Choose ARCANE keep S"),
        "march 2": ("march march", "MARCH 02", "march 1 march"),
        "march": ("march 1", "March"),
        "tech 3": ("tech 03", "TECH 3"),
        "tech W": ("tech w",),
        "march 1 tech 1 tech 2": ("march tech 1 2", "march tech 1 tech 02"),
        "end": ("END", " end "),
    },
    "skerries": {"A1-A2 3": ("a1-a2 3", "A1 > A2 3", "A1 A2 3", "A1->A2 03")},
}


@pytest.mark.parametrize(
    ("game", "text", "spelled"),
    [
        (game, text, spelled)
        for game, of in ALIASES.items()
        for text, others in of.items()
        for spelled in (text, *others)
    ],
)
def test_every_spelling_is_written_one_way(game: str, text: str, spelled: str) -> None:
    played = registry.load(game)
    assert played.write(played.read(spelled)) == text
    assert played.read(spelled) == played.read(text)


@pytest.mark.parametrize("game", registry.names())
def test_every_game_has_spellings_here(game: str) -> None:
    assert ALIASES[game]
