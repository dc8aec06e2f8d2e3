"""The same random games in three processes: compiled, compiled with bounds checks, interpreted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from polemos import registry

SCRIPT = Path(__file__).with_name("games_digest.py")
# Python hashes texts differently in each: nothing may depend on that either.
MODES = {
    "compiled": {"POLEMOS_CHECKED": "", "POLEMOS_INTERPRET": "", "PYTHONHASHSEED": "1"},
    "checked": {"POLEMOS_CHECKED": "1", "POLEMOS_INTERPRET": "", "PYTHONHASHSEED": "2"},
    "interpreted": {"POLEMOS_CHECKED": "", "POLEMOS_INTERPRET": "1", "PYTHONHASHSEED": "3"},
}
SEED, STEPS = 2025, 1500


def played(mode: str, seed: int = SEED) -> list[str]:
    """The lines that the script prints in this mode: its name, then a line for each example of each game."""
    result = subprocess.run(
        [sys.executable, str(SCRIPT), str(seed), str(STEPS)],
        env={**os.environ, "PYTHONPATH": str(SCRIPT.parents[1]), **MODES[mode]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    name, *lines = result.stdout.splitlines()
    assert name == mode
    assert len(lines) == sum(len(registry.load(game).examples) for game in registry.names())
    return lines


@pytest.fixture(scope="module")
def compiled() -> list[str]:
    return played("compiled")


@pytest.mark.parametrize("mode", ["checked", "interpreted"])
def test_rules_play_the_same_games_as_when_they_are_compiled(mode: str, compiled: list[str]) -> None:
    assert played(mode) == compiled


def test_the_digests_are_of_the_games_that_were_played(compiled: list[str]) -> None:
    """All differ from each other, and another seed gives others."""
    digests = [digest for line in compiled for digest in line.split()[2:]]
    assert len(set(digests)) == len(digests)
    others = [digest for line in played("compiled", SEED + 1) for digest in line.split()[2:]]
    assert not set(digests) & set(others)
