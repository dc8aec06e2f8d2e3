"""Tests that depend on the machine's time are asked again, and nothing else is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COUNTING = """
from pathlib import Path

def test_it():
    times = Path("times")
    times.write_text(times.read_text() + "." if times.exists() else ".")
    assert len(times.read_text()) != {fails}
"""


def asked_again(folder: Path, failed: list[str], fails: int = 0) -> tuple[int, int]:
    """The exit code, and how often the tests were asked. The one in the folder fails in that one of its turns."""
    test = folder / "tests/unit/server/test_it.py"
    test.parent.mkdir(parents=True)
    test.write_text(COUNTING.format(fails=fails))
    noted = folder / ".pytest_cache/v/cache/lastfailed"
    noted.parent.mkdir(parents=True)
    noted.write_text(json.dumps(dict.fromkeys(failed, True)))
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "again"], cwd=folder, env=clean, capture_output=True, check=False
    )
    times = folder / "times"
    return done.returncode, len(times.read_text()) if times.exists() else 0


@pytest.mark.slow
def test_what_depends_on_time_has_to_pass_three_times(tmp_path: Path) -> None:
    assert asked_again(tmp_path, ["tests/unit/server/test_it.py::test_it"]) == (0, 3)


@pytest.mark.slow
def test_what_fails_once_more_has_failed(tmp_path: Path) -> None:
    assert asked_again(tmp_path, ["tests/unit/server/test_it.py::test_it"], fails=3) == (1, 3)


@pytest.mark.parametrize(
    "failed",
    [
        [],
        ["tests/cases/test_cases.py::test_a_case"],
        ["tests/unit/server/test_it.py::test_it", "tests/unit/games/test_rules.py::test_it"],
        [f"tests/unit/server/test_it.py::test_it[{number}]" for number in range(6)],
    ],
    ids=["skipped in CI", "a rule", "a rule beside", "many"],
)
def test_nothing_else_is_asked_again(tmp_path: Path, failed: list[str]) -> None:
    assert asked_again(tmp_path, failed) == (1, 0)
