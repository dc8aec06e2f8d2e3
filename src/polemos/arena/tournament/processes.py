"""Playing games on this machine, with one worker process per core."""

from __future__ import annotations

from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool

from polemos.arena.tournament.batch import Batch, Done, Setting, play
from polemos.arena.tournament.executor import Losses
from polemos.arena.workers import Workers, at_work


class _Worker(Workers):
    """A worker that gets the setting with its first batch and keeps it."""

    def __init__(self) -> None:
        super().__init__(1)
        self._knows = False

    def begin(self, setting: Setting, batch: Batch) -> Future[Done]:
        future = self.pool.submit(at_work, _play, None if self._knows else setting, batch)
        self._knows = True
        return future


class Processes:
    """Every worker is a pool of its own, so one that dies does not affect the others, and we know which one it was."""

    def __init__(self, setting: Setting, workers: int) -> None:
        self.cores = workers
        self._setting = setting
        self._free = [_Worker() for _ in range(workers)]
        self._running: dict[Future[Done], tuple[_Worker, Batch]] = {}
        self._queue: deque[Batch] = deque()
        self._ready: list[Done] = []
        self._losses = Losses()

    @property
    def room(self) -> int:
        return len(self._free) - len(self._queue)

    def submit(self, batch: Batch) -> None:
        self._queue.append(batch)
        self._begin()

    def _begin(self) -> None:
        while self._queue and self._free:
            worker, batch = self._free.pop(0), self._queue.popleft()
            try:
                future = worker.begin(self._setting, batch)
            except BrokenProcessPool:  # it died while idle
                worker.close()
                self._free.append(_Worker())
                self._queue.appendleft(batch)
            else:
                self._running[future] = (worker, batch)

    def wait(self, seconds: float) -> list[Done]:
        if not self._ready and self._running:
            done, _ = wait(self._running, seconds, FIRST_COMPLETED)
            for future in done:
                self._finished(future)
            self._begin()
        ready, self._ready = self._ready, []
        return ready

    def _finished(self, future: Future[Done]) -> None:
        worker, batch = self._running.pop(future)
        try:
            self._ready.append(future.result())
        except (BrokenProcessPool, KeyboardInterrupt):  # it died, or was told to stop
            worker.close()
            again, dead = self._losses.lost(batch)
            self._free.append(_Worker())
            self._queue.extendleft(reversed(again))
            self._ready += [] if dead is None else [dead]
        else:
            self._losses.found()
            self._free.append(worker)

    def close(self) -> None:
        workers = [*self._free, *(worker for worker, _ in self._running.values())]
        for worker in workers:  # all are told before anyone is waited for
            worker.stop()
        for worker in workers:
            worker.close()


# ---- in a worker

_setting: list[Setting] = []


def _play(setting: Setting | None, batch: Batch) -> Done:
    if setting is not None:
        _setting[:] = [setting]
    return play(_setting[0], batch)
