"""Our bots think on a Ray cluster; when the machine where they think dies, they go on elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from unit.arena.tournament.test_on_ray import cluster, quiet, said  # noqa: F401  fixtures
from unit.server.serving import Person, Web, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.long]


def test_bots_think_on_a_cluster_that_loses_a_node(
    tmp_path: Path,
    cluster: subprocess.Popen[str],  # noqa: F811
    quiet: dict[str, str],  # noqa: F811
) -> None:
    command = [
        sys.executable,
        "-m",
        "polemos",
        "serve",
        "--port",
        "0",
        "--no-exhibition",
        "--no-ladder",
        "--folder",
        str(tmp_path),
    ]
    command += ["--bot-ray", said(cluster), "--bot-processes", "2"]
    with subprocess.Popen(command, env=quiet, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as serving:
        try:
            assert serving.stdout is not None
            address = next(line for line in serving.stdout if "Polemos is at" in line).split()[3].rstrip("/")
            _play(address, cluster)
        finally:
            serving.terminate()


def _answers(web: Web) -> bool:
    try:
        return web.get("/api/games").is_success
    except httpx.ConnectError:
        return False


def _play(address: str, cluster: subprocess.Popen[str]) -> None:  # noqa: F811
    with Web(address) as web:
        wait_for(lambda: _answers(web), 300)
        seats = [web.open("skerries", people=["red"], bots={"blue": "settler"}) for _ in range(4)]
        people = [Person(address, seated["table"], seated["token"]) for seated in seats]
        for step in (1, 2):
            for person in people:
                person.file()
                person.wait_for_step(step, 300)
        assert cluster.stdin is not None
        cluster.stdin.write("kill\n")
        cluster.stdin.flush()
        assert said(cluster, "killed")
        for step in (3, 4):
            for person in people:
                person.file()
                person.wait_for_step(step, 300)  # the cluster has to notice it first
        for person in people:
            person.close()
