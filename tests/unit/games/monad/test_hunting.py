"""Small foreign stacks near an own core are hunted, by as many as it takes, where a script has that habit."""

from __future__ import annotations

from typing import Final

import pytest

from polemos.games.monad.game import GAME
from polemos.games.monad.playouts import PLAYOUTS, orders_in, set_traits
from polemos.games.monad.rules.board import put_building
from polemos.games.monad.rules.minds import TRAITS
from polemos.games.monad.rules.playouts import Desk, Sheet
from polemos.games.monad.rules.policies import habits_of
from polemos.games.monad.state import State
from polemos.kernel.dice import chance_of, derive
from polemos.kernel.log import Log

RED: Final = 0
BLUE: Final = 1
CORE: Final = (3, 3)
RAIDERS: Final = (6, 3)
FAR: Final = (12, 3)  # six steps behind the raiders
CAMP: Final = (14, 6)  # the core of blue
ASIDE: Final = (6, 7)  # four steps


def position(raiders: int, armies: dict[tuple[int, int], int]) -> State:
    """Raiders three steps from the only core of red, and armies of red. There is no ore, and nobody grows."""
    options = {"map": "random", "size": "16x8", "obstacles": "none", "units": 1, "stock": 0, "unit_cost": 1000}
    state = GAME.setup(options, 1)
    for tile in range(state.width * state.height):
        state.cell[tile].units = state.cell[tile].ore = state.cell[tile].owner = 0
    for seat, (x, y) in ((RED, CORE), (BLUE, CAMP)):
        put_building(state, seat, y * state.width + x, 0)
    for seat, units, (x, y) in ((BLUE, raiders, RAIDERS), *((RED, units, at) for at, units in armies.items())):
        cell = state.cell[y * state.width + x]
        cell.owner, cell.units = seat, units
    state.units[RED], state.units[BLUE] = sum(armies.values()), raiders
    return state


def turns_of(state: State, turns: int, **habits: int) -> list[int]:
    """How many raiders are left after each turn, while red plays `holder`, who never leaves its home by itself."""
    desk, sheet, script, left = Desk(), Sheet(), PLAYOUTS.scripts.index("holder"), []
    row = dict(zip(TRAITS, habits_of("holder"), strict=True)) | habits
    set_traits(state, desk, script, list(row.values()))
    for _ in range(turns):
        PLAYOUTS.ask(state, RED, script, 0, sheet, desk)
        orders = GAME.check(state, "red", orders_in(state, RED, sheet))
        GAME.resolve(state, {"red": orders}, chance_of(derive(1)), Log())
        left.append(state.units[BLUE])
    return left


def test_an_army_is_called_to_take_raiders() -> None:
    state = position(8, {FAR: 20})
    assert turns_of(state, 6, chase=16, prey=50) == [8, 8, 8, 8, 8, 0], "five steps to a tile beside them, then one"
    assert state.units[RED] == 12, "no more went than it took"


def test_who_is_beside_them_waits_until_they_are_enough() -> None:
    state = position(8, {FAR: 6, ASIDE: 6})
    assert turns_of(state, 6, chase=16, prey=90) == [8, 8, 8, 8, 8, 0]
    assert state.units[RED] == 4


@pytest.mark.parametrize(
    "habits",
    [{}, {"chase": 5, "prey": 50}, {"chase": 16, "prey": 39}],
    ids=["no such habit", "too far away", "too many"],
)
def test_others_are_left_alone(habits: dict[str, int]) -> None:
    assert turns_of(position(8, {FAR: 20}), 8, **habits) == [8] * 8


def test_nobody_hunts_far_from_home() -> None:
    state = position(8, {FAR: 20})
    raiders, further = (state.cell[y * state.width + x] for x, y in (RAIDERS, (9, 0)))
    further.owner, further.units, raiders.units = BLUE, 8, 0
    assert turns_of(state, 8, chase=16, prey=50) == [8] * 8


@pytest.mark.parametrize("size", ["8x8", "12x12"])
def test_hunters_give_lawful_orders_in_whole_games(size: str) -> None:
    """On small maps everybody is near everybody's cores."""
    state = GAME.setup({"map": "random", "size": size, "turns": 80, "units": 9, "cost": 4}, 1)
    desk, sheet = Desk(), Sheet()
    for name in ("settler", "lord"):
        row = dict(zip(TRAITS, habits_of(name), strict=True)) | {"chase": 24, "prey": 100}
        set_traits(state, desk, PLAYOUTS.scripts.index(name), list(row.values()))
    while GAME.outcome(state) is None:
        sheets = {}
        for seat, (name, script) in enumerate(zip(GAME.seats(state), ("settler", "lord"), strict=True)):
            PLAYOUTS.ask(state, seat, PLAYOUTS.scripts.index(script), 5, sheet, desk)
            sheets[name] = GAME.check(state, name, orders_in(state, seat, sheet))
            assert sheets[name].faults == (), (state.turn, name)
        GAME.resolve(state, sheets, chance_of(derive(1)), Log(limit=1 << 14))
