"""Mass play in compiled code: many random games side by side, on several threads, interruptible."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from msgspec import Struct

from polemos.kernel.capabilities.simulation import Simulation
from polemos.kernel.dice import number
from polemos.kernel.errors import NoSimulation
from polemos.kernel.game import AnyGame
from polemos.kernel.mode import INTERPRETED
from polemos.kernel.record import many

MAX_BYTES = 1 << 18  # per thread, for the states it plays side by side: they should stay in its cache
STEPS_A_CALL = 200 if INTERPRETED else 50_000  # well under 0.1 s, so that Ctrl-C works


class Simulated(Struct, frozen=True):
    steps: int
    games: int
    seconds: float
    threads: int

    @property
    def steps_per_second(self) -> float:
        return self.steps / self.seconds

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds


def simulate(
    game: AnyGame, steps: int, *, options: Mapping[str, Any] | None = None, seed: object = 0, threads: int = 1
) -> Simulated:
    """Plays `steps` random steps on each of `threads` threads, restarting finished games."""
    if not isinstance(game, Simulation):
        raise NoSimulation(f"{game.title} cannot be simulated: it has no compiled random play.")
    start = game.setup(options or {}, number(seed, "setup"))
    at_once = max(16, min(1024, MAX_BYTES // start.extent()))

    def worker(thread: int) -> int:
        states: Any = many(game.state_type, at_once, start.extent() if game.packs else None)
        for i in range(at_once):
            states[i] = start
        games, left, call = 0, steps, 0
        while left > 0:
            chunk = min(left, STEPS_A_CALL)
            games += game.rollout(states, start, number(seed, thread, call), chunk)
            left -= chunk
            call += 1
        return games

    began = time.perf_counter()
    if threads == 1:
        games = worker(0)
    else:
        with ThreadPoolExecutor(threads) as pool:
            games = sum(pool.map(worker, range(threads)))
    return Simulated(steps * threads, games, time.perf_counter() - began, threads)
