"""Copies of batches, forked processes, and Ctrl-C."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from typing import Any

import numpy as np
import pytest

from polemos import registry
from polemos.batch import Batch
from polemos.batch.check import drawn
from polemos.kernel.errors import BadOptions

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

MATCHES: list[tuple[str, dict[str, Any]]] = [
    ("demons", {"map": "hourglass", "turns": 12}),
    ("minions", {"boards": 2, "turns": 6}),
    ("monad", {"map": "random", "size": "9x13", "turns": 8}),
    ("monarchs", {"turns": 4}),
]


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_a_copy_goes_its_own_way(name: str, options: dict[str, Any], make: Any) -> None:
    """It has the same games, drafts and policies, and memory of its own."""
    batch = Batch(registry.load(name) if name == "demons" else name, options, 5, seed=3, starts=2, threads=1)
    batch.assign([None, *[batch.policies[1]] * (len(batch.seats) - 1)])
    chance = np.random.default_rng(1)
    for _ in range(7):
        batch.give(*drawn(batch.observe()["limits"], chance))
    other, before = make(batch), batch.save()
    assert other.save() == before
    files = np.zeros((5, len(batch.seats)), dtype=int)
    for _ in range(3):
        other.give(files)
    assert batch.save() == before
    for _ in range(3):
        batch.give(files)
    assert batch.save() == other.save() != before
    seen = batch.observe()
    assert all((array == seen[part]).all() for part, array in other.observe().items())


def test_who_plays_a_seat_is_not_loaded() -> None:
    """That stays as the batch has it, in `give` and in `play`."""
    options, files = {"map": "hourglass"}, np.zeros((4, 2), dtype=int)
    scripted, plain = (Batch("demons", options, 4, seed=1, threads=1) for _ in range(2))
    scripted.assign([None, "economist"])
    plain.load(scripted.save())
    plain.give(np.array([[0, -1]] * 4))
    assert (plain.states["turn"] == 0).all(), "the second seat waits for an order by number"
    scripted.load(plain.save())
    scripted.give(files)
    assert (scripted.states["turn"] == 1).all()
    steady, wavering = (Batch("demons", options, 4, seed=1, threads=1) for _ in range(2))
    kept = wavering.save()
    wavering.play("economist", 1)
    wavering.load(kept)
    for batch in (steady, wavering):
        batch.play("economist", 5)
    assert (steady.raw("states") == wavering.raw("states")).all()


def test_games_of_another_kind_are_not_loaded_in_part() -> None:
    batch, other = (
        Batch("demons", {"map": "hourglass"}, 2, threads=1),
        Batch("demons", {"map": "hourglass"}, 2, threads=1),
    )
    other.play("random", 3)
    states, places, orders = other.save()
    before = batch.save()
    with pytest.raises(BadOptions, match="another kind"):
        batch.load((states, places[:-1], orders))
    assert batch.save() == before


@pytest.mark.slow
def test_a_forked_process_plays_on_threads_of_its_own() -> None:
    """It has none of the threads of its parent."""
    program = (
        "import os\n"
        "from polemos.batch import Batch\n"
        "batch = Batch('monarchs', {}, 64, threads=2)\n"
        "batch.play('random', 2)\n"
        "child = os.fork()\n"
        "batch.play('random', 2)\n"
        "turn = int(batch.states['turn'][0])\n"
        "if child == 0:\n"
        "    os._exit(turn)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == turn == 5\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_after_an_interruption_nobody_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C reaches the thread that waits. The others end what they are at, and begin nothing more."""
    batch = Batch("monarchs", {}, 64, threads=2)
    driver: Any = batch._driver
    begun = threading.Barrier(3)
    calls: list[int] = []

    class Kit:
        @staticmethod
        def random_many(*arguments: Any) -> None:
            calls.append(1)
            begun.wait(60)
            while not driver._stopped:
                time.sleep(0.001)

    here, result = threading.get_ident(), Future.result

    def interrupted(future: Future[Any], *arguments: Any, **more: Any) -> Any:
        if threading.get_ident() != here:  # a server of other tests, which runs beside this one
            return result(future, *arguments, **more)
        begun.wait(60)
        raise KeyboardInterrupt

    monkeypatch.setattr("polemos.batch.threads.STEPS_A_CALL", 1)  # every game has a call of its own
    monkeypatch.setattr(Future, "result", interrupted)
    monkeypatch.setattr(driver, "_kit", Kit)
    with pytest.raises(KeyboardInterrupt):
        batch.play("random", 1)
    assert len(calls) == 2
    monkeypatch.undo()
    batch.play("random", 1)
    assert (batch.states["turn"] == 2).all(), "the batch can be used again"
