"""Mass play: counted, repeatable, over threads."""

from __future__ import annotations

from typing import Any

import pytest

from polemos import registry
from polemos.kernel import simulate as simulation
from polemos.kernel.errors import BadOptions
from polemos.kernel.simulate import Simulated, simulate

GAME = registry.load("skerries")


class Counting(type(GAME)):  # type: ignore[misc]
    """A game that only counts what it is asked for."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, int, int]] = []

    def rollout(self, states: Any, start: Any, seed: int, steps: int) -> int:
        assert all(states[i] == start for i in (0, len(states) - 1))
        self.calls.append((len(states), seed, steps))
        return 2


def test_the_steps_are_played_in_calls_short_enough_to_interrupt() -> None:
    game = Counting()
    chunk = simulation.STEPS_A_CALL
    result = simulate(game, 2 * chunk + 5, seed=1)
    assert [steps for _, _, steps in game.calls] == [chunk, chunk, 5]
    assert {count for count, _, _ in game.calls} == {min(1024, simulation.MAX_BYTES // GAME.setup({}, 0).extent())}
    assert len({seed for _, seed, _ in game.calls}) == 3, "every call draws from a stream of its own"
    assert (result.steps, result.games, result.threads) == (2 * chunk + 5, 6, 1)


def test_every_thread_plays_all_the_steps_from_a_stream_of_its_own() -> None:
    game = Counting()
    result = simulate(game, 10, seed=1, threads=3)
    assert (result.steps, result.games, result.threads) == (30, 6, 3)
    assert len({seed for _, seed, _ in game.calls}) == 3
    again = Counting()
    simulate(again, 10, seed=1, threads=3)
    assert sorted(again.calls) == sorted(game.calls)
    other = Counting()
    simulate(other, 10, seed=2, threads=3)
    assert not set(other.calls) & set(game.calls)


def test_no_steps_are_no_games() -> None:
    game = Counting()
    assert simulate(game, 0).games == 0
    assert game.calls == []


def test_the_result_tells_how_fast_it_was() -> None:
    result = Simulated(steps=300, games=40, seconds=2.0, threads=2)
    assert result.steps_per_second == 150
    assert result.games_per_second == 20


def test_options_reach_the_games() -> None:
    short = simulate(GAME, 12_000, options={"turns": 1}, seed=3)
    long = simulate(GAME, 12_000, options={"turns": 8}, seed=3)
    assert short.games > 4 * long.games > 0
    with pytest.raises(BadOptions):
        simulate(GAME, 1, options={"turns": "many"})
