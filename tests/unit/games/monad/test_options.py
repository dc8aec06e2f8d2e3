"""What is offered and what is lawful are the same, both ways, by trying every order there is on small boards."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from polemos.games.monad.game import GAME
from polemos.games.monad.notation import Build, Mine, Move, Order, Work
from polemos.games.monad.orders import records_of, scratch
from polemos.games.monad.rules import turn
from polemos.games.monad.state import DIRECTIONS, GOOD, State
from polemos.kernel.game import SPECTATOR, UMPIRE, Option, worth_offering
from polemos.kernel.log import SILENT
from polemos.kernel.match import Match
from polemos.kernel.record import many

# Corners, blocked tiles, cores and parts of both, ore and none, a stock for one founding, for two and for none.
HAND_MADE = (
    "size 8x8; red 0,0 3; red 4,4 6; red 5,4 2; blue 6,4 1; field 4,4 2; field 5,5 #; field 3,4 #; "
    "building red 4,6 right; building blue 6,3 up; red 4,6 7; red 5,7 1; stock red 100 blue 0",
    "size 8x9; red 7,8 1; red 6,8 2; red 2,2 1; red 3,2 1; red 3,3 4; field 3,3 1; blue 1,1 5; "
    "building blue 0,0 right; cost 70; slots 2; stock red 150 blue 300",
    "size 9x8; red 1,1 2; red 8,7 3; building red 1,1 right; building red 8,7 left; blue 4,4 4; slots none; "
    "stock red 99 blue 100",
)


SMALL = {"map": "random", "size": "8x8", "obstacles": "many", "units": 9, "stock": 400, "turns": 500}
MET_IN_PLAY: tuple[tuple[dict[str, Any], int], ...] = (
    (SMALL, 12),
    (SMALL, 60),
    ({**SMALL, "cost": 30, "slots": "none", "base": 1}, 30),
)


@cache
def positions() -> tuple[str, ...]:
    """As texts: those above, and some of random games after so many turns."""
    found = list(HAND_MADE)
    for seed, (options, turns) in enumerate(MET_IN_PLAY):
        start = GAME.setup(options, seed)
        states = many(State, 1)
        states[0] = start
        GAME.rollout(states, start, seed, turns)
        found.append(GAME.write_position(states[0].copy()))
    return tuple(found)


each_position = pytest.mark.parametrize("which", range(len(HAND_MADE) + len(MET_IN_PLAY)))

# What an order comes to: word, tile, direction, units.
Meaning = tuple[str, int, int, str | None, int]


def every_order(state: State) -> Iterator[Order]:
    """All that can be written for one unit of any tile, on the board or beside it."""
    for x, y in product(range(-1, state.width + 1), range(-1, state.height + 1)):
        yield from (Move(x, y, 1, direction) for direction in DIRECTIONS)
        yield from (Build(x, y, 1, direction) for direction in (*DIRECTIONS, None, "?"))
        yield from (Mine(x, y, 1), Work(x, y, 1))


class Table:
    """A position, with a draft of a seat."""

    def __init__(self, position: str, seat: str, draft: Sequence[Order] = ()) -> None:
        self.match = Match(GAME, position=position)
        self.state, self.seat, self.draft = self.match.state, seat, tuple(draft)
        self.view = self.match.view(seat)
        self.cores = {(b.x, b.y) for b in self.view.buildings if b.owner == seat}
        self.stacks: dict[tuple[int, int], int] = {(s.x, s.y): s.units for s in self.view.stacks if s.owner == seat}

    def is_lawful(self, order: Order) -> bool:
        return not GAME.check(self.state, self.seat, [*self.draft, order]).faults

    def options(self) -> list[Option]:
        return GAME.lawful(GAME.look(self.state, self.seat), self.draft)

    def meaning(self, order: Order, number: int) -> Meaning:
        """6.1 A build on an own core is work, whatever its direction; 5.2 without a direction it is to the right."""
        if isinstance(order, Move):
            return "move", order.x, order.y, order.direction, number
        if isinstance(order, Build) and (order.x, order.y) not in self.cores:
            return "build", order.x, order.y, order.direction or "right", number
        return "mine" if isinstance(order, Mine) else "work", order.x, order.y, None, number

    def free(self, order: Order) -> int:
        """2.5, 2.6 Units on the tile that have no order."""
        ordered = sum(other.number for other in self.draft if (other.x, other.y) == (order.x, order.y))
        return self.stacks[order.x, order.y] - ordered

    def lawful(self) -> set[Meaning]:
        """Of every order that is lawful, with 1 and with as many units as are free; more are cut to that (2.5)."""
        return {
            self.meaning(order, number)
            for order in every_order(self.state)
            if self.is_lawful(order)
            for number in (1, self.free(order))
        }

    def offered(self) -> set[Meaning]:
        found = [(GAME.read(option.order), option) for option in self.options()]
        return {self.meaning(order, number or 0) for order, option in found for number in (option.least, option.most)}


def drafts(position: str, seat: str) -> Iterator[tuple[Order, ...]]:
    """None, and some that grow out of lawful orders drawn at random."""
    yield ()
    for seed in range(3):
        chance = Random(seed)
        draft: tuple[Order, ...] = ()
        for _ in range(3 + 3 * seed):
            found = Table(position, seat, draft).options()
            if found:
                option = chance.choice(found)
                number = chance.choice((option.least, option.most))
                draft = (*draft, GAME.read({**option.order, "number": number}))
        yield draft


@each_position
def test_what_is_offered_is_what_is_lawful(which: int) -> None:
    position, seen = positions()[which], set()
    for seat in ("red", "blue"):
        for draft in drafts(position, seat):
            table = Table(position, seat, draft)
            assert not GAME.check(table.state, seat, draft).faults
            assert table.offered() == table.lawful(), draft
            seen |= {word for word, *_ in table.offered()}
    assert seen >= {"move", "mine"}


def test_the_positions_have_all_kinds_of_orders() -> None:
    words = {word for position in positions() for word, *_ in Table(position, "red").offered()}
    assert words == {"move", "mine", "build", "work"}


@each_position
def test_every_number_from_the_least_to_the_most_is_lawful_and_not_cut(which: int) -> None:
    table = Table(positions()[which], "red")
    for option in table.options():
        order = GAME.read({**option.order, "number": option.most})
        assert (option.least, option.most) == (1, table.stacks[order.x, order.y])
        assert table.is_lawful(order)
        assert GAME.write(GAME.read(option.order)) == option.text


@each_position
def test_asking_leaves_the_state_and_the_sight_as_they_are(which: int) -> None:
    position = positions()[which]
    for draft in drafts(position, "red"):
        table = Table(position, "red", draft)
        sight = GAME.look(table.state, "red")
        before = table.state.raw(), sight.raw()
        GAME.judge(table.state, "red", draft)
        GAME.lawful(sight, draft)
        assert (table.state.raw(), sight.raw()) == before


def test_programs_are_offered_all_that_is_lawful_but_to_mine_where_there_is_no_ore() -> None:
    barren = 0
    for position in positions():
        for draft in drafts(position, "blue"):
            table = Table(position, "blue", draft)
            state = table.state
            fruitful = [
                option
                for option in table.options()
                if option.order["order"] != "mine"
                or state.cell[option.order["y"] * state.width + option.order["x"]].ore > 0
            ]
            offered = GAME.options(table.match.setting, table.view, draft)
            assert offered == table.options()
            assert worth_offering(offered) == fruitful
            barren += len(table.options()) - len(fruitful)
    assert barren > 0


def test_only_players_are_offered_something() -> None:
    state = Match(GAME, position=HAND_MADE[0]).state
    assert GAME.lawful(GAME.look(state, "red"))
    for who in ("green", SPECTATOR, UMPIRE):
        assert GAME.lawful(GAME.look(state, who)) == []


def test_lists_are_judged_in_several_threads_at_once() -> None:
    """Rules let other threads run beside them: each has its own slates to write on."""
    stacks = "; ".join(f"red {x},{y} 9" for x in range(30) for y in range(30))
    state = Match(GAME, position=f"size 32x32; {stacks}; blue 31,31 1; stock red 0 blue 0").state
    lines = [Move(x, y, 9, "right") for x in range(30) for y in range(30)]
    faults: set[int] = set()
    done: list[int] = []

    def judge() -> None:
        records = records_of(state, [(0, lines)])
        for _ in range(1000):
            turn.judge(state, records, len(records), SILENT, scratch())
            faults.update(records.numbers()["fault"].tolist())
        done.append(len(records))

    threads = [threading.Thread(target=judge) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == [900, 900]
    assert faults == {GOOD}
