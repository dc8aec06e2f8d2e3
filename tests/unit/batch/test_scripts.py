"""The policies of batches are the scripts of playouts. That they order the same is tested with each game."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from polemos.batch import Batch
from polemos.batch.check import drawn

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

GAMES = ("demons", "minions", "monad", "monarchs")


@pytest.mark.parametrize("name", GAMES)
def test_every_script_of_the_playouts_is_a_policy(name: str) -> None:
    playouts = import_module(f"polemos.games.{name}.playouts").PLAYOUTS
    assert import_module(f"polemos.games.{name}.spaces").KIT.policies == ("random", *playouts.scripts)


@pytest.mark.parametrize("name", GAMES)
def test_scripts_order_beside_orders_by_number(name: str) -> None:
    """What policies play in `give` they play in `play`; whoever looks sees the same as after both calls."""
    options: dict[str, Any] = {"boards": 2, "turns": 6} if name == "minions" else {"turns": 6}
    played, given, acted = (Batch(name, options, 3, seed=3, threads=1) for _ in range(3))
    nothing = np.full((3, len(given.seats)), -1)
    for script in range(1, len(given.policies)):
        mixed = [given.policies[1 + (script + seat) % (len(given.policies) - 1)] for seat in range(len(given.seats))]
        for batch in (given, acted):
            batch.assign(mixed)
        played.play(mixed, 2 if name == "minions" else 1)
        given.give(nothing)
        seen = acted.act(nothing)
        assert (played.raw("states") == given.raw("states")).all(), mixed
        assert (played.raw("states") == acted.raw("states")).all(), mixed
        expected = given.observe()
        assert all((seen[part] == expected[part]).all() for part in expected)


@pytest.mark.parametrize("name", GAMES)
def test_scripts_play_the_same_on_several_threads(name: str) -> None:
    options: dict[str, Any] = {"boards": 2, "turns": 6} if name == "minions" else {"turns": 6}
    one, two = (Batch(name, options, 17, seed=3, threads=threads) for threads in (1, 2))
    for policy in one.policies[1:]:
        for batch in (one, two):
            batch.play(policy, 3)
        assert (one.raw("states") == two.raw("states")).all(), policy


@pytest.mark.parametrize("name", GAMES)
def test_what_scripts_wrote_down_for_other_games_makes_no_difference(name: str) -> None:
    """The same positions in the opposite order, in the midst of turns that somebody else began."""
    options: dict[str, Any] = {"boards": 1} if name == "minions" else {"turns": 40}
    begun, forth, back = (Batch(name, options, 256, seed=3, threads=1) for _ in range(3))
    for policy in begun.policies[:3]:
        begun.play(policy, 3 if name == "monarchs" else 40)
    chance = np.random.default_rng(3)
    for _ in range(30):
        begun.give(*drawn(begun.observe()["limits"], chance))
    forth.load(begun.save())
    back.load(tuple(begun.raw(what)[::-1].tobytes() for what in ("states", "places", "orders")))
    for batch in (forth, back):
        batch.assign([None, *[batch.policies[-1]] * (len(batch.seats) - 1)])
        batch.give(np.zeros((256, len(batch.seats)), np.int64))
    assert (forth.raw("states") == back.raw("states")[::-1]).all()
