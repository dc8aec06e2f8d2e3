"""The example that learns: shapes, one update, and what it keeps. How strong it gets is not tested."""

from __future__ import annotations

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytestmark = [pytest.mark.needs("demons"), pytest.mark.slow]

EXAMPLE = Path(__file__).parents[3] / "examples" / "learning" / "ppo.py"


@pytest.fixture(scope="module")
def ppo() -> ModuleType:
    """The example; it is no part of any package."""
    spec = spec_from_file_location("ppo", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def hall(ppo: Any, options: dict[str, Any], *rivals: str) -> Any:
    return ppo.Hall(options, list(rivals), 4, "cpu", seed=2, threads=1)


def test_both_seats_see_the_same_first_position(ppo: Any) -> None:
    """Blue's rows are turned: on a symmetric map nobody could say who is who, but for the demons' first targets."""
    table = hall(ppo, {"map": "hourglass"}, "self")
    seen = table.look()
    assert seen.inputs.shape[0] == 8
    assert (seen.kinds[:4] == seen.kinds[4:]).all()
    assert (seen.hires[:4] == seen.hires[4:]).all()
    assert (seen.lead == 0).all()
    assert seen.inputs[0].shape == seen.inputs[4].shape


@pytest.mark.parametrize("map", ["hourglass", "twin-gates", "causeway"])
def test_orders_are_those_that_were_meant(ppo: Any, map: str) -> None:
    """Mirrored, half a turn, and upside down: what each seat builds stands on its own land, and nothing is refused."""
    import jax.numpy as jnp

    table = hall(ppo, {"map": map}, "self")
    seen = table.look()
    house = jnp.ones(8, int)
    table.give(ppo.Orders(house, jnp.argmax(seen.sites, 1), jnp.zeros(8, int)))
    batch = table.batch
    assert (batch.refused == 0).all()
    assert (batch.states["turn"] == 1).all()
    for at in range(4):
        state = batch.state(at)
        built = [state.tower[i] for i in range(state.towers)][-2:]
        assert sorted(tower.owner for tower in built) == [0, 1]
        assert all(state.tile[tower.tile].kind == tower.owner for tower in built)
    batch.states["gold"][...] = 50
    lane = jnp.argmax(table.look().hires, 1) + 1
    table.give(ppo.Orders(jnp.zeros(8, int), jnp.zeros(8, int), lane))
    assert (batch.refused == 0).all()
    assert (batch.states["gold"] < 50).all(), "everybody hires, each down a lane of its own base"


def test_an_update_learns_and_is_kept(ppo: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (
        "--updates 1 --games 4 --turns 12 --width 8 --test-games 2 --tests random --rivals self,keeper --minutes 9"
    )
    log = ppo.main([*arguments.split(), "--out", str(tmp_path)])
    assert [row["updates"] for row in log] == [0, 1]
    assert log == json.loads((tmp_path / "log.json").read_text())
    assert np.isfinite(log[-1]["loss"])
    assert all(0 <= row["random"] <= 1 for row in log)
    assert len(capsys.readouterr().out.splitlines()) == 2
    kept = ppo.load(tmp_path / "weights.npz")
    assert all(np.isfinite(array).all() for array in kept.values())
    assert np.abs(kept["site"]).max() > 0, "the update has moved it"
    again = ppo.main(
        [*arguments.split(), "--updates", "0", "--weights", str(tmp_path / "weights.npz"), "--out", str(tmp_path)]
    )
    assert again[0]["random"] == ppo.share_won(
        ppo.Hall({"map": "hourglass", "turns": 12}, ["random"], 2, "cpu", restart=False), kept, 0
    )
