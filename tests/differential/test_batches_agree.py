"""The same batches in three processes: compiled, compiled with bounds checks, interpreted; and as CUDA kernels."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from differential.batches_digest import MATCHES
from differential.test_modes_agree import MODES
from search import NIGHTLY

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

SCRIPT = Path(__file__).with_name("batches_digest.py")


def played(mode: str) -> list[str]:
    """The lines that the script prints in this mode."""
    result = subprocess.run(
        [sys.executable, str(SCRIPT)],
        env={**os.environ, "PYTHONPATH": str(SCRIPT.parents[1]), **MODES[mode]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    name, *lines = result.stdout.splitlines()
    assert name == mode
    assert len(set(lines)) == len(MATCHES)
    return lines


@pytest.fixture(scope="module")
def compiled() -> list[str]:
    return played("compiled")


# With bounds checks, batches of all games take minutes to compile. The rules they call are tried with them every time.
@pytest.mark.parametrize("mode", ["interpreted", *(["checked"] if NIGHTLY else [])])
def test_batches_are_the_same_as_when_they_are_compiled(mode: str, compiled: list[str]) -> None:
    assert played(mode) == compiled


# Interpreted, generals of Monarchs who scheme take half a second: they play one step each, of nine policies.
@pytest.mark.parametrize(("game", "steps"), [("demons", 2), ("minions", 2), ("monad", 2), ("monarchs", 1)])
def test_kernels_play_the_same_games_in_the_simulator_of_cuda(game: str, steps: int) -> None:
    """The command that compares a GPU with the CPU, with a few games and without a GPU."""
    few = ["--count", "2", "--steps", str(steps), "--rounds", "2"]
    command = [sys.executable, "-m", "polemos", "check-gpu", game, *few]
    env = {**os.environ, **MODES["interpreted"], "NUMBA_ENABLE_CUDASIM": "1"}
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "All equal." in result.stdout
    assert "DIFFERENT" not in result.stdout
    assert result.stdout.count(" equal;") >= 10, result.stdout
