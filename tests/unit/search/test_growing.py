"""Scripts that are grown during a match, in a game of two numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from polemos.kernel.playouts import WHOLE, Playouts, Trial
from polemos.kernel.record import Many, Record, i32, many, u64
from polemos.search.budget import Budget
from polemos.search.growing import Growth, Member
from polemos.search.player import CALM, Player
from polemos.search.search import Settings

SPARE = 6
NAMED = (2, 5)  # the numbers that the two scripts with names say
BEST = 11  # what wins most against both


class Stand(Record):
    unused: i32


class Number(Record):
    number: i32


class Notes:
    """A desk: what every script says."""

    def __init__(self) -> None:
        self.says = [*NAMED, *[0] * SPARE]


class Known:
    def __init__(self, setting: Any, seat: str, seed: int) -> None:
        pass

    def see(self, view: Any, seconds: float) -> None:
        pass

    def gave(self, orders: Sequence[Any]) -> None:
        pass

    def states(self, count: int, key: int) -> Many[Stand]:
        return many(Stand, 1)


def kit(won_by: int = -1) -> Playouts:
    """Who says `won_by` has won, whatever the other says."""

    def play(states: Any, sheets: Any, trials: Any, first: int, after: int, log: Any, desk: Notes) -> None:
        for at in range(first, after):
            trial: Trial = trials[at]
            far = [abs(desk.says[trial.script[seat]] - BEST) for seat in range(2)]
            trial.value[0] = WHOLE * (20 - far[0] + far[1]) // 40
            if desk.says[trial.script[0]] == won_by:
                trial.value[0] = WHOLE
            trial.value[1] = WHOLE - trial.value[0]

    def ask(state: Any, seat: int, script: int, key: u64, sheet: Number, desk: Notes) -> None:
        sheet.number = desk.says[script]

    def propose(state: Any, seat: int, key: u64, sheets: Any, desk: Notes) -> int:
        return 0

    def vary(state: Any, seat: int, key: u64, of: Number, to: Number, desk: Notes) -> None:
        to.number = of.number

    def set_traits(state: Any, desk: Notes, script: int, values: Sequence[int]) -> None:
        desk.says[script] = values[0]

    return Playouts(
        state=Stand, sheet=Number, desk=Notes, scripts=tuple(map(str, NAMED)), horizon=1, rate=1000,
        seats=lambda state: 2, steps_left=lambda state: 10, play=play, ask=ask, propose=propose, vary=vary,
        orders=lambda state, seat, sheet: [sheet.number], enter=lambda state, seat, orders: Number(number=orders[0]),
        beliefs=Known, traits=("number",), set_traits=set_traits, spare=SPARE, choices=(tuple(range(16)),),
        rows=lambda state: [(NAMED[0],), None],
    )  # fmt: skip


def grown(seat: int, seed: int, steps: int = 12) -> list[int]:
    """What the best script says after each step."""
    desk, states = Notes(), many(Stand, 1)
    growth = Growth(kit(), seat, seed, desk)
    return [desk.says[growth.grow(states, Budget(60), [[1.0, 1.0]] * 2)[0]] for _ in range(steps)]


@pytest.mark.parametrize("seat", [0, 1])
def test_rows_grow_towards_what_wins(seat: int) -> None:
    found = grown(seat, 1)
    assert found[-1] == BEST
    assert [abs(number - BEST) for number in found] == sorted((abs(number - BEST) for number in found), reverse=True)


def test_the_same_seed_grows_the_same() -> None:
    assert grown(0, 3) == grown(0, 3)


def test_it_spends_what_it_is_given() -> None:
    """Steps that are too short for a look are saved up for a longer one."""
    growth, states, played = Growth(kit(), 0, 1, Notes()), many(Stand, 1), 0
    for step in range(1, 40):
        growth.grow(states, Budget(5), [[1.0, 1.0]] * 2)
        played = growth.used
        assert played <= 5 * step + 24 + 2 * len(NAMED), "the first look owes its playouts to later steps"
    assert played >= 5 * 39 - 24


def test_without_time_the_first_script_leads_and_later_steps_make_up_for_it() -> None:
    desk, states = Notes(), many(Stand, 1)
    growth = Growth(kit(), 0, 1, desk)
    assert growth.best == 0
    assert growth.grow(states, Budget(60, 0.0), [[1.0, 1.0]] * 2)[0] == 0
    for _ in range(12):
        growth.grow(states, Budget(60), [[1.0, 1.0]] * 2)
    assert desk.says[growth.best] == BEST


def test_a_child_is_taken_to_be_like_its_parent_at_first() -> None:
    parent = Member(0, (1,), 2)
    for _ in range(10):
        parent.learn(0, 0.2)
    child = Member(3, (2,), 2, parent)
    child.learn(0, 1.0)
    assert child.value[0] == pytest.approx(0.4)
    child.learn(1, 1.0)
    assert child.value[1] == pytest.approx(1.0), "of the second opponent the parent knew nothing"


def test_the_worst_of_the_likely_opponents_counts() -> None:
    even, steep = Member(0, None, 2), Member(1, None, 2)
    for foe, (one, other) in enumerate([(0.6, 1.0), (0.6, 0.3)]):
        even.learn(foe, one)
        steep.learn(foe, other)
    assert even.worth(np.array([0.5, 0.5])) > steep.worth(np.array([0.5, 0.5]))
    assert even.worth(np.array([0.95, 0.05])) < steep.worth(np.array([0.95, 0.05]))


def test_a_player_orders_what_it_has_grown() -> None:
    settings = Settings(method="model", growth=0.8)
    player = Player(kit(), None, "first", 0, 1, settings)
    assert [player.orders(None, 10.0)[0] for _ in range(6)][-1] == BEST
    plain = Player(replace(kit(), spare=0), None, "first", 0, 1, settings)
    assert plain.orders(None, 10.0)[0] in NAMED


def test_it_is_sure_once_the_best_row_wins_against_everybody() -> None:
    for won_by, sure in ((-1, False), (BEST, True)):
        states = many(Stand, 1)
        growth = Growth(kit(won_by), 0, 1, Notes())
        assert not growth.is_sure, "nothing has been played"
        for _ in range(12):
            growth.grow(states, Budget(60), [[1.0, 1.0]] * 2)
        assert growth.is_sure == sure


def test_a_player_saves_its_time_where_the_game_is_won() -> None:
    settings = Settings(method="model", growth=0.8)
    for won_by, saves in ((-1, False), (BEST, True)):
        player = Player(kit(won_by), None, "first", 0, 1, settings)
        first = player.plan(Stand(), 10.0)
        for _ in range(12):
            player.orders(None, 10.0)
        assert player.plan(Stand(), 10.0) == pytest.approx(first * CALM if saves else first)
        assert player.plan(Stand(), 1000.0) == pytest.approx(first * CALM if saves else 100 * first), (
            "what was saved stays on the clock"
        )
