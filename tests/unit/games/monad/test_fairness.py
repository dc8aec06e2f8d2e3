"""3.2 No seat is favoured: permuting the seats, and turning the map with them, permutes every later state."""

from __future__ import annotations

import os
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from polemos.games.monad.game import GAME
from polemos.games.monad.layout import image
from polemos.games.monad.rules import play, turn
from polemos.games.monad.setup import cells_of
from polemos.games.monad.state import (
    BUILD,
    DIRECTIONS,
    MINE,
    MOVE,
    NOBODY,
    PART,
    SYMMETRIES,
    WORK,
    Order,
    State,
    Work,
)
from polemos.kernel.log import SILENT
from polemos.kernel.mode import INTERPRETED
from polemos.kernel.record import many

pytestmark = pytest.mark.slow

GAMES = int(os.environ.get("POLEMOS_FAIRNESS", "6" if INTERPRETED else "80"))  # for each row of the tables below
TURNS = 25

# What each symmetry does to the direction of a step, and of a block (5.2), by index of DIRECTIONS.
STEPS = {"half-turn": (2, 3, 0, 1), "quarter-turn": (1, 2, 3, 0), "mirror-x": (0, 3, 2, 1), "mirror-y": (2, 1, 0, 3)}
BLOCKS = {"half-turn": (2, 3, 0, 1), "quarter-turn": (1, 2, 3, 0), "mirror-x": (3, 2, 1, 0), "mirror-y": (1, 0, 3, 2)}

BUSY = {"units": 40, "stock": 400, "cost": 20, "turns": 30}


class Change:
    """A permutation of the seats together with a movement of the board."""

    def __init__(self, state: State, seats: list[int], symmetry: str | None) -> None:
        width, height = state.width, state.height
        places = [(tile % width, tile // width) for tile in range(width * height)]
        moved = places if symmetry is None else [image(symmetry, width, height, place) for place in places]
        self.tile = np.array([y * width + x for x, y in moved])
        self.width = width
        self.seat = np.array([*seats, *range(len(seats), 5)])
        self.step = np.array(STEPS[symmetry] if symmetry else range(4))
        self.block = np.array(BLOCKS[symmetry] if symmetry else range(4))

    def of_state(self, state: State) -> State:
        changed = state.copy()
        old, new = cells_of(state), cells_of(changed)
        new[self.tile] = old
        new["owner"][self.tile] = np.where(old["units"] > 0, self.seat[old["owner"]], 0)
        code = old["building"].astype(int)
        core = 1 + 4 * self.seat[np.clip(code - 1, 0, 15) // 4] + self.block[np.clip(code - 1, 0, 15) % 4]
        part = PART + self.seat[np.clip(code - PART, 0, 3)]
        new["building"][self.tile] = np.where(code == 0, 0, np.where(code < PART, core, part))
        for seat in range(state.seats):
            to = int(self.seat[seat])
            for field in ("stock", "units", "buildings", "built", "out", "forfeited"):
                getattr(changed, field)[to] = getattr(state, field)[seat]
            changed.start[to] = int(self.tile[state.start[seat]])
        changed.winner = int(self.seat[state.winner]) if state.reason and state.winner != NOBODY else state.winner
        changed.drawn = sum(1 << int(self.seat[seat]) for seat in range(4) if state.drawn >> seat & 1)
        changed.alone_seat = int(self.seat[state.alone_seat]) if state.alone else 0
        return changed

    def of_orders(self, orders: Any, count: int) -> Any:
        changed = many(Order, max(1, count))
        old, new = orders.numbers()[:count], changed.numbers()
        if count:
            new[:] = old
            new["seat"] = self.seat[old["seat"]]
            new["tile"] = self.tile[old["tile"]]
            new["x"] = new["tile"] % self.width
            way = np.clip(old["direction"], 0, 3)
            turned = np.where(old["word"] == BUILD, self.block[way], self.step[way])
            new["direction"] = np.where(old["direction"] < 0, old["direction"], turned)
        return changed


def some_orders(state: State, chance: Random) -> tuple[Any, int]:
    """Orders of every kind, many of them void, in a mixed sequence of seats: only the sequence within a seat counts."""
    orders = many(Order, 4 * state.width * state.height)
    count = play.invent_orders(state, orders, chance.getrandbits(62))
    rows = orders.numbers()
    for _ in range(chance.randrange(30)):
        tile = chance.randrange(state.width * state.height)
        word = chance.choice((MOVE, MOVE, BUILD, BUILD, MINE, WORK))
        way = chance.randrange(4)  # written out: without one, a block lies to the right for every seat
        number = chance.choice((1, 2, 5, 1000, 2**31 - 1))
        rows[count] = (state.cell[tile].owner, word, way, 0, tile, 0, tile % state.width, number, 0)
        count += 1
    chance.shuffle(order := list(range(count)))
    rows[:count] = rows[order]
    return orders, count


def compare(options: dict[str, Any], changes: Any, seed: int) -> int:
    """Plays one game twice, as it is and changed; every state must be the changed one. Counts the turns."""
    chance, work = Random(seed), Work()
    state = GAME.setup(options, seed)
    change = Change(state, *changes(state, chance))
    other = change.of_state(state)
    turns = 0
    while not state.reason and turns < TURNS:
        orders, count = some_orders(state, chance)
        changed = change.of_orders(orders, count)
        if chance.random() < 0.02:
            gone = chance.randrange(state.seats)
            for of, seat in ((state, gone), (other, int(change.seat[gone]))):
                of.forfeited[seat] = of.forfeited[seat] or of.turn + 1
        if state.seats > 2 and chance.random() < 0.5:  # handing in earlier changes nothing
            changed.numbers()[:count] = changed.numbers()[:count][
                np.argsort(changed.numbers()[:count]["seat"], kind="stable")
            ]
        turn.resolve(state, orders, count, SILENT, work)
        turn.resolve(other, changed, count, SILENT, work)
        assert other == change.of_state(state), (options, seed, turns)
        turns += 1
    return turns


def whole_map(state: State, chance: Random) -> tuple[list[int], str]:
    """1.6 The symmetry of the map: each seat becomes the next."""
    return [(seat + 1) % state.seats for seat in range(state.seats)], SYMMETRIES[state.symmetry]


def names_only(state: State, chance: Random) -> tuple[list[int], None]:
    """The board stays, the seats are dealt anew."""
    return list(chance.choice(list(permutations(range(state.seats)))[1:])), None


@pytest.mark.parametrize(
    "options",
    [
        {"map": "duel"},
        {"map": "random", "size": "9x12", "obstacles": "few"},
        {"map": "random", "size": "10x8", "symmetry": "mirror-x", "base": 2},
        {"map": "random", "size": "8x11", "symmetry": "mirror-y", "slots": "none", "obstacles": "many"},
        {"map": "random", "size": "8x8", "seats": 4},
        {"map": "random", "size": "11x11", "seats": 4, "obstacles": "few", "defence": 2, "unit_cost": 2},
    ],
    ids=str,
)
def test_turning_the_map_and_the_seats_turns_the_game(options: dict[str, Any]) -> None:
    turns = [compare({**BUSY, **options}, whole_map, seed) for seed in range(GAMES)]
    assert sum(turns) > 5 * GAMES, "the games were long enough to mean something"


@pytest.mark.parametrize(
    "options",
    [{"map": "duel"}, {"map": "random", "size": "9x9", "seats": 3}, {"map": "random", "size": "8x8", "seats": 4}],
    ids=str,
)
def test_other_names_for_the_seats_give_the_same_game(options: dict[str, Any]) -> None:
    turns = [compare({**BUSY, **options}, names_only, seed) for seed in range(GAMES)]
    assert sum(turns) > 5 * GAMES


def test_the_change_is_a_change() -> None:
    """The test above compares something: a changed state differs, and four quarter turns are none."""
    state = GAME.setup({"seats": 4, **BUSY}, 0)
    work, chance = Work(), Random(1)
    for _ in range(6):
        orders, count = some_orders(state, chance)
        turn.resolve(state, orders, count, SILENT, work)
    change = Change(state, *whole_map(state, chance))
    turned = change.of_state(state)
    assert turned != state
    for _ in range(3):
        turned = change.of_state(turned)
    assert turned == state
    assert len(DIRECTIONS) == 4
