"""Playing games on many machines with Ray. The results do not depend on where a game was played."""

from __future__ import annotations

import sys
import time
from contextlib import redirect_stdout, suppress
from typing import Any, Final

from msgspec.structs import replace

from polemos.arena.ray_cluster import connected
from polemos.arena.tournament.batch import Batch, Done, Setting, play
from polemos.arena.tournament.executor import Losses

_RETRIES: Final = 3  # by Ray itself, when a node dies
_AHEAD: Final = 2  # batches per core, so the next one is ready when a core becomes free
_LOOK: Final = 5.0  # seconds between checks for new machines


class OnRay:
    """Every batch is a task for one core. Replays come back with the results, so machines need not share a folder."""

    def __init__(self, setting: Setting, address: str) -> None:
        self._ray = connected(address)
        self._aside = redirect_stdout(sys.stderr)  # Ray's messages are for people
        self._aside.__enter__()
        self._setting = self._ray.put(replace(setting, folder=None))
        self._play = self._ray.remote(num_cpus=1, max_retries=_RETRIES)(play)
        self._running: dict[Any, Batch] = {}
        self._ready: list[Done] = []
        self._losses = Losses()
        self._cores, self._looked = 1, 0.0

    @property
    def cores(self) -> int:
        """The number of cores now; machines may come and go."""
        if (now := time.monotonic()) - self._looked > _LOOK:
            self._cores, self._looked = max(1, int(self._ray.cluster_resources().get("CPU", 1))), now
        return self._cores

    @property
    def room(self) -> int:
        return _AHEAD * self.cores - len(self._running)

    def submit(self, batch: Batch) -> None:
        self._running[self._play.remote(self._setting, batch)] = batch

    def wait(self, seconds: float) -> list[Done]:
        if not self._ready and self._running:
            done, _ = self._ray.wait([*self._running], num_returns=1, timeout=seconds)
            more, _ = self._ray.wait([*self._running], num_returns=len(self._running), timeout=0)
            for reference in {*done, *more}:
                self._finished(reference)
        ready, self._ready = self._ready, []
        return ready

    def _finished(self, reference: Any) -> None:
        batch = self._running.pop(reference)
        errors = self._ray.exceptions
        try:
            self._ready.append(self._ray.get(reference))
        except errors.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, Exception) else error) from None
        except errors.RayError as error:
            by_itself = isinstance(error, errors.WorkerCrashedError | errors.OutOfMemoryError)
            again, dead = self._losses.lost(batch, by_itself=by_itself)
            for instead in again:
                self.submit(instead)
            self._ready += [] if dead is None else [dead]
        else:
            self._losses.found()

    def close(self) -> None:
        for reference in self._running:
            with suppress(Exception):  # the cluster may be gone
                self._ray.cancel(reference, force=True)
        self._ray.shutdown()
        self._aside.__exit__(None, None, None)
