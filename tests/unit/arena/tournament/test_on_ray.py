"""A tournament on a real Ray cluster of two nodes, one of which dies in the middle."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from polemos.arena.tournament import on_ray
from polemos.arena.tournament.batch import Setting
from polemos.arena.tournament.journal import NAME
from polemos.kernel import replay
from polemos.kernel.errors import MissingPart

from .invented import plan

FIELD = [
    "skerries",
    "random",
    "settler",
    "other=random",
    "fourth=settler",
    "--games",
    "100",
    "-o",
    "turns=12",
    "--seed",
    "s",
]
GAMES = 600


@pytest.fixture
def quiet() -> Iterator[dict[str, str]]:
    """The environment of a cluster that keeps to itself, under a path short enough for its sockets.

    One at a time, whoever tests: Ray looks for clusters among all processes of the machine.
    """
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
    with Path(tempfile.gettempdir(), "polemos-tests-ray").open("w") as alone:
        fcntl.flock(alone, fcntl.LOCK_EX)
        yield {
            **os.environ,
            "RAY_TMPDIR": folder,
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_health_check_initial_delay_ms": "0",
            "RAY_health_check_period_ms": "500",
            "RAY_health_check_timeout_ms": "1000",
            "RAY_health_check_failure_threshold": "3",
            "PYTHONWARNINGS": "ignore",
        }
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def cluster(quiet: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    program = [sys.executable, str(Path(__file__).with_name("ray_cluster.py"))]
    run = subprocess.Popen(
        program, env=quiet, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    with run:
        yield run
        assert run.stdin is not None
        run.stdin.close()


def said(run: subprocess.Popen[str], kind: str = "") -> str:
    """The next line of a process that is one of ours."""
    assert run.stdout is not None
    for line in run.stdout:
        if line.startswith(kind) if kind else line[:1].isdigit():
            return line.strip()
    raise AssertionError("the cluster has gone")


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "polemos", "tournament", *FIELD, "--json", *arguments]


def table(text: str) -> list[Any]:
    found = json.loads(text)
    return [found["table"], found["notices"], found["settled"], found["counted"], found["finished"]]


@pytest.mark.long
def test_a_cluster_that_loses_a_node_ends_with_the_same_table(
    tmp_path: Path, cluster: subprocess.Popen[str], quiet: dict[str, str]
) -> None:
    address = said(cluster)
    out = tmp_path / "ray"
    run = subprocess.Popen(
        command("--out", str(out), "--ray", address),
        env=quiet,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with run:
        until = time.monotonic() + 120
        while not (out / NAME).exists() or (out / NAME).read_bytes().count(b"\n") < 40:
            assert run.poll() is None
            assert time.monotonic() < until
            time.sleep(0.02)
        assert cluster.stdin is not None
        cluster.stdin.write("kill\n")
        cluster.stdin.flush()
        assert said(cluster, "killed")
        assert (out / NAME).read_bytes().count(b"\n") < GAMES, "it was in the middle"
        text, err = run.communicate(timeout=120)
    assert run.returncode == 0, err
    assert "Traceback" not in err
    here = subprocess.run(
        command("--out", str(tmp_path / "here"), "--workers", "2"), capture_output=True, text=True, check=True
    )
    assert table(text) == table(here.stdout)
    numbers = [json.loads(line)["number"] for line in (out / NAME).read_text().splitlines()[1:]]
    assert sorted(numbers) == [*range(1, GAMES + 1)]
    for number in range(1, GAMES + 1, 50):
        replay.read(out / "replays" / f"game-{number:05d}.jsonl.gz")
    assert len(list((out / "replays").iterdir())) == GAMES


def test_without_ray_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingPart, match=r"--ray needs .* pip install 'polemos\[ray\]'"):
        on_ray.OnRay(Setting(plan(2), None), "auto")


def test_without_a_cluster_it_is_said_how_to_start_one(tmp_path: Path, quiet: dict[str, str]) -> None:
    result = subprocess.run(
        command("--out", str(tmp_path / "t"), "--ray", "auto"), env=quiet, capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert "There is no Ray cluster at 'auto'" in result.stderr
    assert "ray start --head" in result.stderr
    assert "Traceback" not in result.stderr
