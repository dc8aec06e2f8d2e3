"""What is offered is what is lawful, both ways: by enumeration of everything that can be written down."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from polemos.games.demons.game import GAME
from polemos.games.demons.notation import WORDS, Build, Destroy, Hire, Order, Provoke
from polemos.games.demons.setup import ground_in
from polemos.games.demons.state import COMPASS, PLAYERS, TOWERS, State
from properties.driver import met

MIDDLE = [(options, seed) for options in GAME.examples for seed in (1, 2)]

# Poor and rich, full and empty boards, steps of their own, rules of their own.
POSITIONS = [
    "map twin-gates",
    "map twin-gates; gold red 0 blue 7",
    "map twin-gates; gold red 30 blue 25; tower minigun red 0,1; tower crossbow blue 14,1",
    "map twin-gates; step builders; gold red 30 blue 30",
    "map twin-gates; step mercenaries; gold red 30 blue 30",
    "map twin-gates; rules finals-2025; gold red 14 blue 5; tower minigun red 0,1",
    "map twin-gates; rules finals-2025; quirks none; gold red 14 blue 5; tower minigun red 0,1",
]


def everything(state: State) -> Iterator[Order]:
    """All orders that can be written down about this map and its rim."""
    ground = ground_in(state)
    for x, y in product(range(-1, ground.width + 1), range(-1, ground.height + 1)):
        yield from (Build(kind, x, y) for kind in TOWERS)
        yield Destroy(x, y)
    yield from (Hire(direction) for direction in (*COMPASS, *WORDS))
    yield Provoke()


def spelled(state: State, seat: str, order: Order) -> str:
    """The text of an order, directions by the compass."""
    if isinstance(order, Hire):
        order = Hire(ground_in(state).directions[seat].get(order.direction, order.direction))
    return GAME.write(order)


def drafts(state: State, seat: str, chance: Random) -> Iterator[list[Order]]:
    """The empty draft, and for each part of a sheet one that has it, and one that has two of them."""
    sight = GAME.look(state, seat)
    yield []
    for word in ("build", "destroy", "hire", "provoke"):
        draft: list[Order] = []
        for first in (word, ""):
            found = [option for option in GAME.lawful(sight, draft) if option.text.startswith(first)]
            if found:
                draft = [*draft, GAME.read(chance.choice(found).order)]
                yield draft


def agrees(state: State) -> None:
    """Lawful by the judge and offered are the same, beside some drafts of both players."""
    for seat in PLAYERS:
        for draft in drafts(state, seat, Random(7)):
            offered = {option.text for option in GAME.lawful(GAME.look(state, seat), draft)}
            accepted = {
                spelled(state, seat, order)
                for order in everything(state)
                if not any(GAME.judge(state, seat, [*draft, order]))
            }
            assert offered == accepted, [GAME.write(order) for order in draft]


@pytest.mark.parametrize("position", POSITIONS)
def test_offered_is_what_is_lawful(position: str) -> None:
    agrees(GAME.read_position(position))


@pytest.mark.slow
@pytest.mark.parametrize(("options", "seed"), MIDDLE)
def test_offered_is_what_is_lawful_in_the_middle_of_games(options: dict[str, Any], seed: int) -> None:
    agrees(met(GAME, options, seed))


def test_a_void_line_of_a_draft_hinders_no_other_part() -> None:
    """3.6 It does nothing, so that all the gold is left for the mercenary; but the sheet has its one builder line."""
    state = GAME.read_position("map twin-gates; gold red 20")
    void = [GAME.read("build cannon 9,9")]
    assert offered(state, void) == {"hire N", "hire E", "hire S"}


def offered(state: State, draft: list[Order]) -> set[str]:
    return {option.text for option in GAME.lawful(GAME.look(state, "red"), draft)}


def test_what_would_make_a_line_of_the_draft_void_is_not_offered() -> None:
    """3.5, 4.3 Of 30 gold the mercenary needs 20, and a minigun costs 25."""
    state = GAME.read_position("map twin-gates; gold red 30")
    beside = offered(state, [GAME.read("hire N")])
    assert {text.split()[1] for text in beside if text.startswith("build")} == {"house", "crossbow", "cannon"}


@pytest.mark.parametrize(("quirks", "hires"), [("all", False), ("Q1", False), ("none", True)])
def test_what_a_destruction_brings_back_pays_for_what_comes_after(quirks: str, hires: bool) -> None:
    """11.2 Mercenaries are paid before the builder, provoking after; 11.4 the whole price of 20 comes back."""
    state = GAME.read_position(f"map twin-gates; rules finals-2025; quirks {quirks}; gold red 4; tower minigun red 0,1")
    draft = [GAME.read("destroy 0,1")]
    found = {option.text: option.figures for option in GAME.lawful(GAME.look(state, "red"), draft)}
    assert found["provoke"] == {"price": 5, "left": 19}
    assert ("hire N" in found) == hires
    if hires:
        assert found["hire N"] == {"price": 10, "left": 14}


def test_nothing_is_offered_to_those_who_only_watch() -> None:
    state = GAME.read_position("map twin-gates; gold red 30")
    assert GAME.lawful(GAME.look(state, "spectator")) == []
    assert GAME.lawful(GAME.look(state, "umpire")) == []
    state.dropped[0] = 1
    assert GAME.lawful(GAME.look(state, "red")) == []
    assert GAME.lawful(GAME.look(state, "blue"))


@pytest.mark.parametrize(("options", "seed"), MIDDLE)
def test_a_view_is_offered_what_its_sight_is(options: dict[str, Any], seed: int) -> None:
    state = met(GAME, options, seed)
    for seat in PLAYERS:
        for draft in drafts(state, seat, Random(seed)):
            sight = GAME.look(state, seat)
            assert GAME.options(GAME.setting(state), GAME.view(sight), draft) == GAME.lawful(sight, draft)
