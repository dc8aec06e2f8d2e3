"""PettingZoo's own tests, unchanged, and what they do not ask for."""

from __future__ import annotations

import copy
import pickle
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from polemos import Match, registry
from polemos.batch import Batch
from polemos.kernel.errors import BadOptions
from polemos.learn import aec_env, parallel_env
from unit.learn.matches import MATCHES, SIMULTANEOUS

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")


# An observation is a few arrays, by name, and agents are called as seats are: the suite accepts that, and mentions it.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be gymnasium.spaces.box")
@pytest.mark.filterwarnings("ignore:We recommend agents to be named in the format")
@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_api(name: str, options: dict[str, Any]) -> None:
    api_test(aec_env(name, **options), num_cycles=200)


@pytest.mark.parametrize(("name", "options"), SIMULTANEOUS)
def test_parallel_api(name: str, options: dict[str, Any]) -> None:
    parallel_api_test(parallel_env(name, **options), num_cycles=200)


@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_seeds(name: str, options: dict[str, Any]) -> None:
    seed_test(partial(aec_env, name, **options), num_cycles=60)


@pytest.mark.parametrize(("name", "options"), SIMULTANEOUS)
def test_parallel_seeds(name: str, options: dict[str, Any]) -> None:
    parallel_seed_test(partial(parallel_env, name, **options), num_cycles=60)


@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_rendering(name: str, options: dict[str, Any]) -> None:
    """The suite makes an environment for `human` as well, whether there is such a mode or not."""
    render_test(partial(aec_env, name, **options))


@pytest.mark.parametrize(("name", "options"), SIMULTANEOUS)
def test_cycles(name: str, options: dict[str, Any]) -> None:
    module = SimpleNamespace(env=partial(aec_env, name, **options), parallel_env=partial(parallel_env, name, **options))
    max_cycles_test(module)


@pytest.mark.parametrize(("name", "options"), SIMULTANEOUS)
def test_both_interfaces_play_the_same_game(name: str, options: dict[str, Any]) -> None:
    """The same seed and the same orders: the same observations, masks and rewards."""
    together, by_order = parallel_env(name, **options), aec_env(name, **options)
    seen, _ = together.reset(seed=5)
    by_order.reset(seed=5)
    chance, over = np.random.default_rng(1), {"nobody": False}
    while together.agents:
        actions = {who: int(chance.choice(np.flatnonzero(seen[who]["action_mask"]))) for who in together.agents}
        if chance.random() < 0.5:
            actions = dict.fromkeys(actions, 0)
        for who, action in actions.items():
            assert by_order.agent_selection == who
            same(by_order.observe(who), seen[who])
            by_order.step(action)
        seen, rewards, over, _, _ = together.step(actions)
        assert by_order.rewards == rewards
        assert by_order.terminations == over
    assert any(over.values())


def same(a: dict[str, Any], b: dict[str, Any]) -> None:
    assert (a["action_mask"] == b["action_mask"]).all()
    for name, array in a["observation"].items():
        assert (array == b["observation"][name]).all(), name


def test_with_one_line_each_step_is_a_turn() -> None:
    env = parallel_env("monarchs", lines=1, turns=4)
    seen, _ = env.reset(seed=1)
    rewards: dict[str, float] = {}
    for turn in range(1, 5):
        assert {sight["observation"]["figures"][0] for sight in seen.values()} == {turn}
        march = {who: int(np.flatnonzero(sight["action_mask"])[1]) for who, sight in seen.items()}
        seen, rewards, over, _, _ = env.step(march)
        assert set(over.values()) == {turn == 4}
    assert sorted(rewards.values()) == [-2, 0, 2]


def test_whoever_has_filed_waits() -> None:
    env = parallel_env("demons", map="hourglass")
    seen, _ = env.reset(seed=1)
    seen, *_ = env.step({"red": 0, "blue": 1})
    assert np.flatnonzero(seen["red"]["action_mask"]).tolist() == [0]
    assert len(np.flatnonzero(seen["blue"]["action_mask"])) > 1
    assert seen["red"]["observation"]["figures"][0] == 0
    seen, *_ = env.step({"red": 0, "blue": 0})
    assert seen["red"]["observation"]["figures"][0] == 1
    assert len(np.flatnonzero(seen["red"]["action_mask"])) > 1


def test_sides_of_minions_move_until_they_end_their_turn() -> None:
    env = aec_env("minions", render_mode="ansi")
    env.reset(seed=2)
    first = env.agent_selection
    sight, *_ = env.last()
    env.step(int(np.flatnonzero(sight["action_mask"])[1]))
    assert env.agent_selection == first
    env.step(0)
    assert env.agent_selection != first
    assert "a" in str(env.render())
    with pytest.raises(BadOptions, match="use aec_env"):
        parallel_env("minions")


def test_whoever_waits_for_its_turn_sees_each_order_that_the_other_gives() -> None:
    """In Minions nothing is hidden: what the side that waits is shown is not the position before the turn."""
    env = aec_env("minions", boards=1)
    env.reset(seed=2)
    chance, moved = np.random.default_rng(1), 0
    first, other = env.agent_selection, next(who for who in env.agents if who != env.agent_selection)
    for _ in range(5):
        before = env.observe(other)["observation"]["boards"]
        sight, *_ = env.last()
        env.step(int(chance.choice(np.flatnonzero(sight["action_mask"])[1:-1])))  # the last one resigns the board
        assert env.agent_selection == first
        mine, theirs = (env.observe(who)["observation"] for who in (first, other))
        assert (mine["boards"][..., 2] == -theirs["boards"][..., 2]).all(), "the same units, mine and theirs"
        assert (mine["boards"][..., 3:] == theirs["boards"][..., 3:]).all()
        moved += (theirs["boards"] != before).any()
    assert moved


def test_nobody_acts_before_the_beginning_and_after_the_end() -> None:
    env = parallel_env("demons", map="hourglass", turns=2)
    assert env.step({}) == ({}, {}, {}, {}, {})
    env.reset(seed=1)
    while env.agents:
        env.step(dict.fromkeys(env.agents, 0))
    assert env.step({"red": 0, "blue": 0}) == ({}, {}, {}, {}, {})
    assert env.reset(seed=1)[0].keys() == {"red", "blue"}


@pytest.mark.parametrize("make", [aec_env, parallel_env])
def test_wrong_arguments_are_answered(make: Any) -> None:
    with pytest.raises(BadOptions, match="max_cycles is at least 1"):
        make("demons", max_cycles=0)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_a_copy_of_an_environment_goes_its_own_way(name: str, options: dict[str, Any], copied: Any) -> None:
    env = aec_env(name, lines=2, **options)
    env.reset(seed=5)
    play(env, 7, 1)
    other, before = copied(env), env.observe(env.agent_selection)
    play(other, 40, 2)
    same(env.observe(env.agent_selection), before)
    play(env, 40, 2)
    assert env.agent_selection == other.agent_selection
    assert env.rewards == other.rewards
    same(env.observe(env.agent_selection), other.observe(other.agent_selection))


@pytest.mark.needs("monad")
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))])
def test_what_a_game_remembers_is_not_copied(copied: Any) -> None:
    game = registry.load("monad")
    match = Match(game, {"turns": 4, "units": 5}, seed=1)
    game.line_figures(match.setting, match.view(match.seats[0]), [])  # keeps the sight: a record, which can't be copied
    env = aec_env("monad", lines=2, turns=4, units=5)
    assert copied(env).table.game.name == "monad"
    assert copied(Batch(game, {"turns": 4, "units": 5}, 1)).game.name == "monad"


def play(env: Any, orders: int, seed: int) -> None:
    """So many random actions, unless the game ends."""
    chance = np.random.default_rng(seed)
    for _ in range(orders):
        sight, _, over, _, _ = env.last()
        if not over:
            env.step(int(chance.choice(np.flatnonzero(sight["action_mask"]))))


@pytest.mark.parametrize("make", [aec_env, parallel_env])
def test_a_nation_sees_nothing_but_its_sight(make: Any) -> None:
    """In a position that red cannot tell from the true one, the environment shows red the same."""
    env = make("monarchs", mode="online")
    env.reset(seed=4)
    batch, game = env.table.batch, env.table.game
    batch.play("random", 4)
    true = batch.state(0)
    env.table.observe()
    mine = env._see(0)
    differ = 0
    for seed in range(8):
        other = game.imagine(game.setting(true), game.observe(true, "red"), seed)
        if game.look(other, "red") == game.look(true, "red"):
            batch._states.records[0] = other
            env.table.observe()
            same(env._see(0), mine)
            differ += other != true
    assert differ
