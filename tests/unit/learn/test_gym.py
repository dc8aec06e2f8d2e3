"""Gymnasium's own checker, unchanged, and games against policies."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from polemos.kernel.errors import BadOptions
from polemos.learn import gym_env, vector_env
from unit.learn.matches import MATCHES

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

no_spec = pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")


@no_spec
@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_the_checker_finds_nothing(name: str, options: dict[str, Any]) -> None:
    check_env(gym_env(name, **options))
    check_env(gym_env(name, lines=1, render_mode="ansi", **options))


@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_every_seat_can_be_played_to_the_end(name: str, options: dict[str, Any]) -> None:
    """Whoever sits there moves whenever it is its turn, and the last step tells the result."""
    seats = gym_env(name, **options).table.seats
    for seat in seats:
        env = gym_env(name, seat, **options)
        chance = np.random.default_rng(3)
        _, info = env.reset(seed=3)
        over, reward = False, 0.0
        for _ in range(20_000):
            lawful = np.flatnonzero(info["action_mask"])
            assert (env.action_masks() == info["action_mask"]).all()
            action = 0 if chance.random() < 0.3 else int(chance.choice(lawful))
            _, reward, over, late, info = env.step(action)
            assert not late
            if over:
                break
            assert reward == 0
        assert over
        game: Any = env.table.game
        outcome = game.outcome(env.table.batch.state(0))
        ranks = outcome.ranks or {who: 1 + place for place, who in enumerate(outcome.places)}
        if outcome.winner is None and not outcome.ranks:
            ranks = dict.fromkeys(seats, 1)
        assert reward == sum((ranks[other] > ranks[seat]) - (ranks[other] < ranks[seat]) for other in seats)


def test_units_march_all_together_by_half_or_alone() -> None:
    """3.4 The number of regiments that leaves a hex with seven: all, half of them rounded down, one."""
    env = gym_env("monarchs", turns=9)
    orders = env.table.numbers
    marched, hex, march = [], 0, 0
    for share in range(3):
        env.reset(seed=1)
        states = env.table.batch.states
        hex = int(np.flatnonzero(states["owner"][0] == 0)[-1])
        states["regiments"][0, hex] = 7
        env.table.observe()
        mask = env.table.mask(0).reshape(3, orders)
        assert mask[:, 0].tolist() == [1, 0, 0], "a sheet is filed in one way only"
        march = next(n for n in range(1 + 6 * hex, 7 + 6 * hex) if mask[0, n])
        assert mask[:, march].all()
        seen, *_ = env.step(share * orders + march)
        marched.append(int(seen["hexes"][hex, 11 + (march - 1) % 6]))
    assert marched == [7, 3, 1]
    env.reset(seed=1)
    env.table.batch.states["regiments"][0, hex] = 1
    env.table.observe()
    assert env.table.mask(0).reshape(3, orders)[:, march].tolist() == [1, 0, 0], "one regiment has no halves"


@pytest.mark.parametrize(("name", "options"), MATCHES)
@pytest.mark.parametrize("seat", [None, "all"])
def test_a_vector_plays_as_single_games_do(name: str, options: dict[str, Any], seat: str | None) -> None:
    """Observations, masks and rewards are those of the batch; finished games are followed by others."""
    env = vector_env(name, 12, seat, lines=2, threads=2, **options)
    again = vector_env(name, 12, seat, lines=2, threads=1, **options)
    seats = len(env.table.seats)
    assert env.num_envs == (12 if seat is None else 12 * seats)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    seen, info = env.reset(seed=8)
    again.reset(seed=8)
    chance, ended, rewards = np.random.default_rng(2), 0, np.zeros(env.num_envs)
    for _ in range(90):
        assert seen["figures"] in env.observation_space["figures"]  # type: ignore[index]
        actions = lawful(info["action_mask"], chance)
        assert actions in env.action_space
        seen, rewards, over, late, info = env.step(actions)
        other, *_ = again.step(actions)
        for part, array in seen.items():
            assert (array == other[part]).all(), part
            assert len(array) == env.num_envs
        assert not late.any()
        assert not rewards[~over].any()
        ended += int(over.sum())
    assert ended > env.num_envs
    assert env.table.batch.refused.sum() == 0
    if seat == "all":
        assert env.table.batch.totals.sum() == 0
        assert np.array_equal(rewards.reshape(12, seats).sum(axis=1), np.zeros(12))


def lawful(mask: Any, chance: np.random.Generator) -> Any:
    return np.where(mask > 0, chance.random(mask.shape), -1).argmax(axis=-1)


def test_a_vector_is_as_many_single_environments() -> None:
    """The observation of a lone game and of the same game among others."""
    env = vector_env("monarchs", 3, "green", threads=1)
    env.reset(seed=1)
    lone = gym_env("monarchs", "green")
    lone.reset(seed=1)
    chance = np.random.default_rng(4)
    info = {"action_mask": lone.table.mask(1)[None].repeat(3, axis=0)}
    for _ in range(40):
        action = int(lawful(info["action_mask"][:1], chance)[0])
        seen, rewards, over, _, info = env.step(np.full(3, action))
        single, reward, end, _, _ = lone.step(action)
        assert (rewards[0], over[0]) == (reward, end)
        if end:
            break
        for part, array in single.items():
            assert (seen[part][0] == array).all(), part


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_of_an_environment_goes_its_own_way(copied: Any) -> None:
    """A search may try actions on a copy: the game itself, its opponents and its dice stay as they are."""
    env, many = gym_env("monarchs", "green", "holder", turns=3), vector_env("monarchs", 4, lines=2, threads=2, turns=3)
    envs: list[Any] = [env, many]
    for seed, one in enumerate(envs):
        one.reset(seed=seed)
        play(one, 5, 1)
        other, before = copied(one), one.table.batch.save()
        tried = play(other, 30, 2)
        assert one.table.batch.save() == before
        assert all((a == b).all() for a, b in zip(tried, play(one, 30, 2), strict=True))
        assert one.np_random.integers(1 << 62) == other.np_random.integers(1 << 62)


def play(env: Any, orders: int, seed: int) -> list[Any]:
    """Random actions; the last observation, with the mask and the rewards."""
    chance, found = np.random.default_rng(seed), []
    mask = env.table.mask(env.seat) if hasattr(env, "seat") else env._info()["action_mask"]
    for _ in range(orders):
        seen, rewards, *_, info = env.step(lawful(mask, chance))
        mask = info["action_mask"]
        found = [*(array.copy() for array in seen.values()), mask.copy(), np.asarray(rewards)]
    return found


def test_opponents_are_named() -> None:
    env = gym_env("demons", "blue", "economist", map="hourglass")
    env.reset(seed=1)
    before = env.table.batch.states["towers"][0]
    env.step(0)
    assert env.table.batch.states["towers"][0] == before + 1, "red, an economist, built a house at once"
    for wrong, words in (
        ({"seat": "green"}, "No seat is called 'green'. Seats: red, blue."),
        ({"opponents": "nobody"}, "No policy is called 'nobody'."),
        ({"opponents": ["random", "random"]}, "There are 1 opponents here; 2 were given."),
        ({"amounts": ("some",)}, "Amounts are some of all, half, one"),
        ({"amounts": ("all", "one", "one")}, "Amounts are some of all, half, one"),
        ({"lines": 0}, "at least one line"),
        ({"render_mode": "human"}, "render as 'ansi', not as 'human'"),
    ):
        with pytest.raises(BadOptions, match=words):
            gym_env("demons", **wrong)
    with pytest.raises(BadOptions, match="Actions are numbers from 0 to"):
        env.step(1 << 40)
    with pytest.raises(BadOptions, match="Actions are numbers from 0 to"):
        vector_env("demons", 2, threads=1).step([0, -1])


@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_what_is_not_lawful_is_no_line_of_a_sheet(name: str, options: dict[str, Any]) -> None:
    """An action beside the mask does nothing at all, however often it comes; lawful ones fill the sheet."""
    env, many = gym_env(name, lines=2, **options), vector_env(name, 2, lines=2, threads=1, **options)
    before, info = env.reset(seed=1)
    seen, infos = many.reset(seed=1)
    start = {part: array.copy() for part, array in seen.items()}
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after = before
    for _ in range(5):
        after, *_ = env.step(wrong)
        seen, *_, infos = many.step([wrong, 0])
    for part, array in before.items():
        assert (after[part] == array).all(), part
        assert (seen[part][0] == start[part][0]).all(), part
    turn = many.table.batch.states["turn"].copy()
    which = 1 if name == "minions" else -1  # its last ones resign
    for count in (0, 1):
        assert many.table.batch.states["turn"][0] == turn[0], f"{count} lines of two"
        action = int(np.flatnonzero(info["action_mask"])[which])
        _, _, _, _, info = env.step(action)
        seen, *_, infos = many.step([int(np.flatnonzero(infos["action_mask"][0])[which]), wrong])
    assert many.table.batch.states["turn"][0] > turn[0]
    assert env.table.batch.states["turn"][0] > 0
    assert env.table.batch.states["turn"][0] == many.table.batch.states["turn"][0]


def test_half_of_one_regiment_is_no_order() -> None:
    """It is not in the mask, so it does nothing, alone or among many."""
    env, many = gym_env("monarchs", turns=9), vector_env("monarchs", 2, threads=1, turns=9)
    before, _ = env.reset(seed=1)
    orders = env.table.numbers
    many.reset(seed=1)
    states = env.table.batch.states
    hex = int(np.flatnonzero(states["owner"][0] == 0)[-1])
    for table in (env.table, many.table):
        table.batch.states["regiments"][:, hex] = 1
        table.observe()
    mask = env.table.mask(0).reshape(3, orders)
    march = next(n for n in range(1 + 6 * hex, 7 + 6 * hex) if mask[0, n])
    before = env.table.observation(0)
    start = {part: array.copy() for part, array in many._seen.items()}
    for wrong in (orders + march, 2 * orders + march, orders):  # the last would file the sheet by half
        after, *_ = env.step(wrong)
        seen, *_ = many.step([wrong, wrong])
        for part, array in before.items():
            assert (after[part] == array).all(), part
            assert (seen[part] == start[part]).all(), part
    after, *_ = env.step(march)
    assert after["hexes"][hex, 11 + (march - 1) % 6] == 1
