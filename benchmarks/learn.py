"""What a step costs in the interfaces of `polemos.learn`: two tables in Markdown.

    python benchmarks/learn.py

The first: microseconds of a step of PettingZoo with random lawful actions, observations and masks of all seats
included, but not the drawing of actions; the median of all steps, by the time of the thread. In Demons, Monarchs and
Monad a step is an order of every seat, in Minions the order of one.

The second: thousand turns a second of `vector_env` with 1,024 games on one core, observations and masks included; the
best of five, by the time of the thread. Actions are random and lawful, and drawn beforehand. `one order a turn` has
`lines=1`, so that each step plays a turn with one order of every seat that learns; `whole sheets` gives orders until
three of ten seats, drawn after each order, file. `one seat` has random opponents, played inside; with `all seats`
every seat learns.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

import numpy as np

from polemos import registry
from polemos.learn import aec_env, parallel_env, vector_env

GAMES: dict[str, dict[str, Any]] = {
    "demons": {"map": "long-march"},
    "minions": {"boards": 1},
    "monad": {"units": 60, "turns": 114},
    "monarchs": {},
}
COUNT = 1024
STEPS = 24
FILES = 0.3  # sheets filed after each order


def of_petting(name: str, steps: int = 4000) -> float:
    """Microseconds of a step."""
    options = GAMES[name]
    together = registry.load(name).facts.simultaneous
    env: Any = parallel_env(name, **options) if together else aec_env(name, **options)
    chance = np.random.default_rng(1)
    seen = env.reset(seed=1)
    took: list[float] = []
    while len(took) < steps:
        if not env.agents:
            seen = env.reset()
        if together:
            actions: Any = {who: drawn(sight["action_mask"], chance) for who, sight in seen[0].items()}
        else:
            sight, _, over, _, _ = env.last()
            actions = None if over else drawn(sight["action_mask"], chance)
        began = time.thread_time()
        seen = env.step(actions)
        if not together and env.agents:
            env.last()
        took.append(time.thread_time() - began)
    return statistics.median(took) * 1e6


def drawn(mask: Any, chance: np.random.Generator) -> int:
    """A lawful action; a sheet is filed now and then."""
    if chance.random() < FILES:
        return 0
    return int(chance.choice(np.flatnonzero(mask)))


def of_vector(name: str, seat: str | None, lines: int | None) -> float:
    """Thousand turns a second."""
    env = vector_env(name, COUNT, seat, lines=lines, threads=1, **GAMES[name])
    chance = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    batch, best = env.table.batch, 0.0
    for _ in range(6):  # the first warms up
        turns, took = 0, 0.0
        for _ in range(STEPS):
            actions = all_drawn(info["action_mask"], chance, lines is None)
            before = batch.states["turn"].astype(np.int64)
            began = time.thread_time()
            _, _, _, _, info = env.step(actions)
            took += time.thread_time() - began
            played = batch.states["turn"] - before
            turns += int(np.where(batch.over, 1, played).sum())  # after the last turn the next game has begun
        best = max(best, turns / took / 1e3)
    return best


def all_drawn(mask: Any, chance: np.random.Generator, files: bool) -> Any:
    keys = chance.random(mask.shape, dtype=np.float32)
    keys[mask == 0] = -1
    found = keys.argmax(axis=-1)
    if files:
        found[chance.random(len(found)) < FILES] = 0
    return found


def main() -> None:
    names = sys.argv[1:] or list(GAMES)
    print("| game | PettingZoo, us a step |\n| --- | --- |")
    for name in names:
        print(f"| {name} | {of_petting(name):.1f} |", flush=True)
    columns = [
        f"{seats}, {orders}" for orders in ("one order a turn", "whole sheets") for seats in ("one seat", "all seats")
    ]
    print(f"\n| game | {' | '.join(columns)} |")
    print("| --- | --- | --- | --- | --- |")
    for name in names:
        rates = [of_vector(name, seat, lines) for lines in (1, None) for seat in (None, "all")]
        print(f"| {name} | {' | '.join(f'{rate:,.0f}' for rate in rates)} |", flush=True)


if __name__ == "__main__":
    main()
