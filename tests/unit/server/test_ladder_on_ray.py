"""A worker that plays games of a ladder on a real Ray cluster of two nodes, one of which dies in the middle."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import func, select

from polemos.ladder import ladders
from polemos.ladder.clock import writing
from polemos.server.store import ladder as db
from unit.arena.tournament.test_on_ray import cluster, quiet, said  # noqa: F401  fixtures
from unit.server.serving import Server, Web
from unit.server.test_ladder import ladders_of, results, run, uploaded, wait_for

pytestmark = pytest.mark.slow


def test_a_cluster_that_loses_a_node_plays_on(
    tmp_path: Path,
    cluster: subprocess.Popen[str],  # noqa: F811
    quiet: dict[str, str],  # noqa: F811
) -> None:
    """The files of the uploaded bot travel to the cluster; every game counts once."""
    address = said(cluster)
    with Server(tmp_path / "server", ladder=True, ladder_workers=0) as server, Web(server.address) as web:
        web.sign_in("Ada")
        engine = ladders_of(server).engine
        wait_for(lambda: ladders_of(server).duty.is_held)
        with writing(engine) as connection:
            ladders.open_ladder(connection, "skerries", rules="short", options={"seats": 2, "turns": 6})
        bot = uploaded(server, "Idler", "Ada", tmp_path)
        token = run(server, "add-worker", "cluster")
        command = [sys.executable, "-m", "polemos", "worker", "--server", server.address, "--ray", address]
        worker = subprocess.Popen(
            [*command, "--folder", str(tmp_path / "cache")],
            env={**quiet, "POLEMOS_WORKER_TOKEN": token},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_for(lambda: results(web, bot) >= 4 or worker.poll() is not None)
            assert worker.poll() is None, "the worker has ended"
            assert cluster.stdin is not None
            cluster.stdin.write("kill\n")
            cluster.stdin.flush()
            assert said(cluster, "killed")
            before = results(web, bot)
            wait_for(lambda: results(web, bot) >= before + 12)
        finally:
            worker.terminate()
            worker.wait(60)
        with engine.connect() as connection:
            games, seats = db.games.c, db.seats.c
            played = select(func.count()).select_from(db.games).where(games.cause == "played")
            counted = select(db.workers.c.games).where(db.workers.c.name == "cluster")
            assert connection.execute(played).scalar_one() == connection.execute(counted).scalar_one()
            faults = select(func.count()).select_from(db.seats).where(seats.fault.is_not(None))
            assert connection.execute(faults).scalar_one() == 0, "a node that died is nobody's fault"
            broken = select(games.trouble).where(games.trouble != "")
            assert {*connection.execute(broken).scalars()} <= {"its process was killed"}
