"""Batches on a GPU: million turns a second of random play, and of single steps with observations. A table in Markdown.

    python benchmarks/gpu.py [--lock FILE] [GAME ...]

`fresh`: the first 64 turns of new games, in one call. `mature`: 64 turns of games of all ages, in one call. `step`: one
turn a call. `observe`: observations and limits of all seats. `give`: one order for every seat by its number; here every
seat files at once, so that each call plays a turn. `act`: `give` and `observe` in one call, turns with observations and
limits of all seats. Each figure is the best of three.

Compiling takes longer than measuring. With a lock, several such processes can compile side by side; only one of them
measures at a time.
"""

from __future__ import annotations

import argparse
import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numba import cuda

from polemos import registry
from polemos.batch import Batch
from polemos.kernel.capabilities.simulation import Simulation

COUNTS = {"demons": 1 << 19, "minions": 1 << 17, "monad": 1 << 16, "monarchs": 1 << 19}
SEEN = {"demons": 1 << 16, "minions": 1 << 15, "monad": 1 << 14, "monarchs": 1 << 17}  # games that are observed
TURNS = 64


@contextmanager
def alone(lock: Path | None) -> Iterator[None]:
    """The only one that measures."""
    if lock is None:
        yield
        return
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def seconds(work: Callable[[], Any], before: Callable[[], Any] = lambda: None) -> float:
    """The best of three."""
    best = float("inf")
    for _ in range(3):
        before()
        cuda.synchronize()
        began = time.perf_counter()
        work()
        cuda.synchronize()
        best = min(best, time.perf_counter() - began)
    return best


def measure(name: str, lock: Path | None) -> dict[str, float]:
    """Million turns a second."""
    game = registry.load(name)
    options = game.bench if isinstance(game, Simulation) else {}
    began = time.perf_counter()
    batch = Batch(game, options, COUNTS.get(name, 1 << 16), seed=1, device="cuda")
    batch.play("random", 1)
    cuda.synchronize()
    found = {"compile s": time.perf_counter() - began}
    seen = Batch(game, options, SEEN.get(name, 1 << 14), seed=1, device="cuda")
    seen.play("random", 5)
    seen.observe()
    seen.give(np.zeros((seen.count, len(seen.seats)), dtype=np.int32))
    cuda.synchronize()
    with alone(lock):
        fresh = seconds(lambda: batch.play("random", TURNS), lambda: batch.reset(1))
        found["fresh"] = TURNS * batch.count / fresh / 1e6
        batch.play("random", 4 * TURNS)
        found["mature"] = TURNS * batch.count / seconds(lambda: batch.play("random", TURNS)) / 1e6
        found["step"] = batch.count / seconds(lambda: batch.play("random", 1)) / 1e6
        found["observe"] = seen.count / seconds(seen.observe) / 1e6
        found["give"] = seen.count / seconds(seen.again) / 1e6
        found["act"] = seen.count / seconds(seen.act) / 1e6
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Batches on a GPU.")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--lock", type=Path, help="a file that processes which measure share")
    given = parser.parse_args()
    columns = ("fresh", "mature", "step", "observe", "give", "act", "compile s")
    print(f"| game | games | {' | '.join(columns)} |")
    print(f"| --- |{' --- |' * (1 + len(columns))}")
    for name in given.games or [name for name in registry.names() if name in COUNTS]:
        found = measure(name, given.lock)
        print(f"| {name} | {COUNTS[name]:,} | {' | '.join(f'{found[key]:.1f}' for key in columns)} |", flush=True)


if __name__ == "__main__":
    main()
