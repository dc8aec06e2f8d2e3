"""A policy of batches plays the turns that the script of the same name plays in playouts."""

from __future__ import annotations

from typing import Any

import pytest

from polemos.batch import Batch
from polemos.games.minions.lore import learn
from polemos.games.minions.rules.turn import finish_turn, has_given_up
from polemos.games.minions.search.scripts import Lore, Mind, hasty_turn
from polemos.kernel.batching import Place, whim
from polemos.kernel.log import SILENT

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("options", [{"boards": 1}, {"boards": 3, "turns": 9}])
def test_a_policy_plays_the_turn_of_the_playouts(options: dict[str, Any]) -> None:
    batch = Batch("minions", options, 2, seed=7, restart=False, threads=1)
    lore, mind = Lore(), Mind()
    learn(batch.state(0), lore)
    for turn in range(6):
        for script, policy in enumerate(batch.policies[1:]):
            expected = [batch.state(at) for at in range(2)]
            for at, state in enumerate(expected):
                if state.reason:
                    continue
                key = whim(Place.from_raw(batch.raw("places")[at].tobytes()))
                hasty_turn(state, script, key, mind.plan, lore, mind.paper, SILENT)
                if not has_given_up(state, SILENT):
                    finish_turn(state, SILENT)
            batch.play(policy, 1)
            assert [batch.state(at) for at in range(2)] == expected, (turn, policy)
    assert (batch.states["turn"] > 4).all()
