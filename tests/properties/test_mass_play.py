"""Random play in compiled code: repeatable, lawful, and without end."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from polemos.kernel.record import many
from polemos.kernel.simulate import simulate
from properties.driver import LONGEST, every_example
from search import examples

SEEDS = st.integers(0, 2**32 - 1)
KEYS = st.integers(0, 2**62)


def batch_of(game: Any, start: Any, count: int) -> Any:
    states: Any = many(game.state_type, count)
    for i in range(count):
        states[i] = start
    return states


@every_example
@given(seed=SEEDS, key=KEYS, count=st.integers(1, 40), steps=st.integers(0, 300))
@examples(4)
def test_the_same_key_plays_the_same_games(
    game: Any, options: dict[str, Any], seed: int, key: int, count: int, steps: int
) -> None:
    start = game.setup(options, seed)
    before = start.raw()
    one, other = batch_of(game, start, count), batch_of(game, start, count)
    assert game.rollout(one, start, key, steps) == game.rollout(other, start, key, steps)
    assert one.numbers().tobytes() == other.numbers().tobytes()
    assert start.raw() == before, "the start is only read"


@every_example
@given(seed=SEEDS, key=KEYS)
@examples(3)
def test_another_key_plays_other_games_and_no_steps_change_nothing(
    game: Any, options: dict[str, Any], seed: int, key: int
) -> None:
    start = game.setup(options, seed)
    one, other, idle = (batch_of(game, start, 8) for _ in range(3))
    game.rollout(one, start, key, 24)
    game.rollout(other, start, key + 1, 24)
    assert one.numbers().tobytes() != other.numbers().tobytes()
    assert game.rollout(idle, start, key, 0) == 0
    assert all(idle[i] == start for i in range(8))


@every_example
@given(seed=SEEDS)
@examples(3)
def test_every_state_of_mass_play_is_one_that_a_match_could_go_on_from(
    game: Any, options: dict[str, Any], seed: int
) -> None:
    start, chance = game.setup(options, seed), Random(seed)
    states = batch_of(game, start, 6)
    for _ in range(8):
        game.rollout(states, start, chance.getrandbits(62), 6 * chance.randint(1, 3))
        for i in range(6):
            state = states[i].copy()
            assert game.options_of(state) == game.options_of(start)
            assert game.read_position(game.write_position(state)) == state
            assert (game.outcome(state) is None) == (len(game.to_act(state)) > 0)


@every_example
@given(seed=SEEDS)
@examples(3)
def test_finished_games_begin_anew_and_are_counted(game: Any, options: dict[str, Any], seed: int) -> None:
    start, chance = game.setup(options, seed), Random(seed)
    states = batch_of(game, start, 1)
    games = ends = 0
    for _ in range(LONGEST):
        games += game.rollout(states, start, chance.getrandbits(62), 1)
        ends += game.outcome(states[0]) is not None
        if games >= 3:
            break
    assert games >= 3
    assert ends == 0 or games <= ends <= games + 1


@every_example
def test_simulation_on_one_thread_counts_the_same_games_again(game: Any, options: dict[str, Any]) -> None:
    one, other = (simulate(game, 30_000, options=options, seed=5) for _ in range(2))
    assert (one.steps, one.games, one.threads) == (other.steps, other.games, other.threads)
    assert one.steps == 30_000
    assert one.games > 0


@every_example
def test_simulation_on_two_threads_plays_the_steps_of_both(game: Any, options: dict[str, Any]) -> None:
    one, other = (simulate(game, 20_000, options=options, seed=5, threads=2) for _ in range(2))
    assert one.steps == 40_000
    assert one.games == other.games
    assert one.games > simulate(game, 20_000, options=options, seed=5).games
