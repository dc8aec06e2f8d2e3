"""Batches on a GPU: million turns a second of random play, and of single steps with observations. A table in Markdown.

    python benchmarks/gpu.py [GAME ...]

`fresh`: the first 64 turns of new games, in one call. `mature`: 64 turns of games of all ages, in one call. `step`: one
turn a call. `observe`: observations and limits of all seats. `give`: one order for every seat by its number; here every
seat files at once, so that each call plays a turn. Each figure is the best of three.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import cuda

from polemos import registry
from polemos.batch import Batch
from polemos.kernel.capabilities.simulation import Simulation

COUNTS = {"demons": 1 << 19, "minions": 1 << 17, "monad": 1 << 16, "monarchs": 1 << 19}
SEEN = {"demons": 1 << 16, "minions": 1 << 15, "monad": 1 << 14, "monarchs": 1 << 17}  # games that are observed
TURNS = 64


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


def measure(name: str) -> dict[str, float]:
    """Million turns a second."""
    game = registry.load(name)
    options = game.bench if isinstance(game, Simulation) else {}
    began = time.perf_counter()
    batch = Batch(game, options, COUNTS.get(name, 1 << 16), seed=1, device="cuda")
    batch.play("random", 1)
    cuda.synchronize()
    found = {"compile s": time.perf_counter() - began}
    found["fresh"] = TURNS * batch.count / seconds(lambda: batch.play("random", TURNS), lambda: batch.reset(1)) / 1e6
    batch.play("random", 4 * TURNS)
    found["mature"] = TURNS * batch.count / seconds(lambda: batch.play("random", TURNS)) / 1e6
    found["step"] = batch.count / seconds(lambda: batch.play("random", 1)) / 1e6
    del batch
    batch = Batch(game, options, SEEN.get(name, 1 << 14), seed=1, device="cuda")
    batch.play("random", 5)
    batch.observe()
    found["observe"] = batch.count / seconds(batch.observe) / 1e6
    batch.give(np.zeros((batch.count, len(batch.seats)), dtype=np.int32))
    found["give"] = batch.count / seconds(batch.again) / 1e6
    return found


def main() -> None:
    columns = ("fresh", "mature", "step", "observe", "give", "compile s")
    print(f"| game | games | {' | '.join(columns)} |")
    print(f"| --- |{' --- |' * (1 + len(columns))}")
    for name in sys.argv[1:] or [name for name in registry.names() if name in COUNTS]:
        found = measure(name)
        print(f"| {name} | {COUNTS[name]:,} | {' | '.join(f'{found[key]:.1f}' for key in columns)} |", flush=True)


if __name__ == "__main__":
    main()
