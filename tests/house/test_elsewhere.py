"""On other systems: nothing fails at import, what only Linux can do says so, and the rest goes on.

There is no Mac and no Windows here: `elsewhere.py` takes away what they lack. That shows what Polemos itself asks of a
system; it cannot show that other people's packages work there.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).with_name("elsewhere.py")
SYSTEMS = ["darwin", "win32"]


@cache
def seen(system: str) -> dict[str, Any]:
    """What happens on a system, tried once in a process of its own."""
    result = subprocess.run([sys.executable, str(SCRIPT), system], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_module_can_be_imported(system: str) -> None:
    assert seen(system)["modules"] > 200


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_doctor_says_that_the_box_needs_linux(system: str) -> None:
    assert "The box needs Linux." in seen(system)["doctor"]


def test_programs_that_cannot_play_there_are_refused_before_the_first_game() -> None:
    assert "it needs the box, which does not work on this machine: it needs Linux." in seen("darwin")["boxed"]
    assert seen("darwin")["trusted"] == ""
    assert "programs cannot play on Windows" in seen("win32")["boxed"]
    assert "programs cannot play on Windows" in seen("win32")["trusted"]


def test_journals_are_kept_and_locked_there_too() -> None:
    assert seen("darwin")["journal"] == ["one\n", []]
    far_beyond_the_end = [2, 1 << 30, 1]
    assert seen("win32")["journal"] == ["one\n", [far_beyond_the_end]]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_turn_is_played_and_compiled_rules_are_kept(system: str) -> None:
    assert seen(system)["match"] == [1, True]


@pytest.mark.parametrize("system", SYSTEMS)
def test_games_are_played_by_worker_processes(system: str) -> None:
    assert seen(system)["worker"] == "played"
