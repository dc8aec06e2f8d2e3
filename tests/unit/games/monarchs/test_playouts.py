"""Playouts of Monarchs: lawful sheets, equal luck, shares of one game."""

from __future__ import annotations

import pytest

from polemos.games.monarchs.board import NATIONS
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.playouts import PLAYOUTS
from polemos.games.monarchs.rules.playouts import Desk
from polemos.games.monarchs.state import Sheet, State
from polemos.kernel.dice import chance_of, derive
from polemos.kernel.log import SILENT, Log
from polemos.kernel.playouts import SCRIPTED, WHOLE, Trial
from polemos.kernel.record import Many, many

pytestmark = pytest.mark.slow


def later(turns: int, seed: int) -> State:
    """A game in its middle, by the scripts themselves."""
    state, desk, chance = GAME.setup({}), PLAYOUTS.desk(), chance_of(derive(seed, "chance"))
    for turn in range(turns):
        sheets = {}
        for nation, seat in enumerate(NATIONS):
            sheet = Sheet()
            PLAYOUTS.ask(state, nation, (turn + nation + seed) % len(PLAYOUTS.scripts), seed + turn, sheet, desk)
            sheets[seat] = GAME.check(state, seat, PLAYOUTS.orders(state, nation, sheet))
            assert sheets[seat].faults == ()
        GAME.resolve(state, sheets, chance, Log(limit=8192))
    return state


def trials_from(count: int, steps: int = 0) -> Many[Trial]:
    trials = many(Trial, count)
    numbers = trials.numbers()
    numbers["sheet"], numbers["steps"], numbers["key"] = SCRIPTED, steps, range(count)
    return trials


@pytest.mark.parametrize("seed", range(4))
def test_all_candidates_are_lawful(seed: int) -> None:
    state, desk = later(1 + 2 * seed, seed), PLAYOUTS.desk()
    sheets = many(Sheet, 12)
    for nation, seat in enumerate(NATIONS):
        count = PLAYOUTS.propose(state, nation, seed, sheets, desk)
        assert count == 12
        to = Sheet()
        for i in range(count):
            for key in range(8):
                PLAYOUTS.vary(state, nation, key, sheets[i], to, desk)
                assert GAME.check(state, seat, PLAYOUTS.orders(state, nation, to)).faults == ()
            lines = PLAYOUTS.orders(state, nation, sheets[i])
            assert GAME.check(state, seat, lines).faults == ()
            assert PLAYOUTS.enter(state, nation, lines) == sheets[i]


def test_playouts_share_a_game_and_change_nothing() -> None:
    states = many(State, 2)
    states[0], states[1] = later(2, 1), later(5, 2)
    before = [states[i].copy() for i in range(2)]
    trials = trials_from(20)
    numbers = trials.numbers()
    numbers["start"], numbers["script"] = [i % 2 for i in range(20)], 1
    PLAYOUTS.play(states, many(Sheet, 1), trials, 0, 20, SILENT, PLAYOUTS.desk())
    assert [states[i] for i in range(2)] == before
    assert numbers["over"].all()
    assert set(numbers["played"]) == {6, 3}
    assert all(WHOLE - 3 <= sum(trials[i].value) <= WHOLE for i in range(20))
    again = trials_from(20)
    again.numbers()["start"], again.numbers()["script"] = numbers["start"], 1
    PLAYOUTS.play(states, many(Sheet, 1), again, 0, 20, SILENT, PLAYOUTS.desk())
    assert (again.numbers() == numbers).all()
    assert len({tuple(trials[i].value) for i in range(20)}) > 2


def test_a_first_sheet_is_played_by_the_rules() -> None:
    """The last turn with three given sheets: the same winner as at the umpire's table with the same dice."""
    state = later(7, 3)
    states, sheets, desk = many(State, 1), many(Sheet, 3), Desk()
    states[0] = state
    for nation in range(3):
        PLAYOUTS.ask(state, nation, 0, 5, sheets[nation], desk)
    trials = trials_from(1)
    for nation in range(3):
        trials[0].sheet[nation] = nation
    PLAYOUTS.play(states, sheets, trials, 0, 1, SILENT, desk)
    filed = {s: GAME.check(state, s, PLAYOUTS.orders(state, n, sheets[n])) for n, s in enumerate(NATIONS)}
    GAME.resolve(state, filed, desk.chance, Log(limit=8192))
    assert desk.state == state
    assert max(range(3), key=lambda nation: trials[0].value[nation]) == state.places[0]
