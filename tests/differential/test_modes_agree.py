"""The same random games in three processes: compiled, compiled with bounds checks, interpreted."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from differential.games_digest import digest_of_mass_play, digest_of_matches
from polemos import registry

SCRIPT = Path(__file__).with_name("games_digest.py")
# Python hashes texts differently in each: nothing may depend on that either.
MODES = {
    "compiled": {"POLEMOS_CHECKED": "", "POLEMOS_INTERPRET": "", "PYTHONHASHSEED": "1"},
    "checked": {"POLEMOS_CHECKED": "1", "POLEMOS_INTERPRET": "", "PYTHONHASHSEED": "2"},
    "interpreted": {"POLEMOS_CHECKED": "", "POLEMOS_INTERPRET": "1", "PYTHONHASHSEED": "3"},
}
SEED, STEPS = 2025, 450


def played(mode: str) -> list[str]:
    """The lines that the script prints in this mode: its name, then a line for each example of each game."""
    result = subprocess.run(
        [sys.executable, str(SCRIPT), str(SEED), str(STEPS)],
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


def test_the_digests_differ(compiled: list[str]) -> None:
    digests = [digest for line in compiled for digest in line.split()[2:]]
    assert len(set(digests)) == len(digests)


@pytest.mark.parametrize("game", registry.names())
def test_a_digest_is_of_the_games_that_were_played(game: str) -> None:
    """The same seed gives the same, another seed another one."""
    loaded = registry.load(game)
    for digest in (digest_of_matches, partial(digest_of_mass_play, steps=30)):
        assert digest(loaded, loaded.examples[0], SEED) == digest(loaded, loaded.examples[0], SEED)
        assert digest(loaded, loaded.examples[0], SEED) != digest(loaded, loaded.examples[0], SEED + 1)
