"""Playing the games of a ladder on a Ray cluster. The files of bots are sent along, so machines share no folder."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import Any, Final

from polemos.arena.ray_cluster import connected
from polemos.ladder.jobs import Broken, Lot
from polemos.ladder.players import Finished
from polemos.ladder.playing import play

_AHEAD: Final = 2  # lots per core, so the next one is ready when a core becomes free
_LOOK: Final = 5.0  # seconds between checks for new machines
_log = logging.getLogger("polemos")


class OnRay:
    """Every lot is a task for one core. One whose machine dies comes back as lost, and the ladder leases it again."""

    def __init__(self, address: str) -> None:
        self._ray = connected(address)
        self._play = self._ray.remote(num_cpus=1, max_retries=0)(play)
        self._running: dict[Any, Lot] = {}
        self._cores, self._looked = 1, 0.0

    @property
    def room(self) -> int:
        if (now := time.monotonic()) - self._looked > _LOOK:
            self._cores, self._looked = max(1, int(self._ray.cluster_resources().get("CPU", 1))), now
        return _AHEAD * self._cores - len(self._running)

    def submit(self, lot: Lot) -> None:
        self._running[self._play.remote(lot)] = lot

    def wait(self, seconds: float) -> list[Finished]:
        if not self._running:
            return []
        done, _ = self._ray.wait([*self._running], num_returns=1, timeout=seconds)
        more, _ = self._ray.wait([*self._running], num_returns=len(self._running), timeout=0)
        return [self._finished(reference) for reference in {*done, *more}]

    def _finished(self, reference: Any) -> Finished:
        lot, errors = self._running.pop(reference), self._ray.exceptions
        try:
            return Finished(lot, self._ray.get(reference))
        except errors.RayTaskError as error:
            _log.error("A worker failed: %s", error)
            return Finished(lot, tuple(Broken(job.id, job.lease, "its worker failed") for job in lot.jobs))
        except errors.RayError:
            return Finished(lot, None)

    def close(self) -> None:
        for reference in self._running:
            with suppress(Exception):  # the cluster may be gone
                self._ray.cancel(reference, force=True)
        self._ray.shutdown()
