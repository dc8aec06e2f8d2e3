"""Worker processes that can be stopped in the middle of a game without leaving bot processes behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import connection, parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

_PATIENCE = 3.0  # seconds for a worker to abandon its game
_AGAIN = 0.005  # seconds until a request to stop that nobody heard is made again

R = TypeVar("R")


class _Started(SpawnContext):
    """Notes the processes that it starts: others of ours belong to somebody else, and are not ours to stop."""

    def __init__(self) -> None:
        super().__init__()
        self.processes: list[SpawnProcess] = []

    def Process(self, *given: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802  # a class there
        made = SpawnProcess(*given, **named)
        self.processes = [one for one in self.processes if one.is_alive()]
        self.processes.append(made)
        return made


class Workers:
    """A pool that stops its workers at once on exit."""

    def __init__(self, count: int, *, nice: int = 0) -> None:
        """`nice`: how far they stand back behind others on this machine."""
        self._started = _Started()
        self.pool = ProcessPoolExecutor(count, mp_context=self._started, initializer=_begin_work, initargs=(nice,))

    def __enter__(self) -> ProcessPoolExecutor:
        return self.pool

    def stop(self) -> None:
        """Tells the workers to stop, without waiting for them."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        for worker in self._started.processes:
            if worker.is_alive():
                worker.terminate()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stops the workers; the games they are playing do not count."""
        self.stop()
        workers = [worker for worker in self._started.processes if worker.is_alive()]
        until = time.monotonic() + _PATIENCE
        while any(worker.is_alive() for worker in workers) and time.monotonic() < until:
            time.sleep(0.01)
        for worker in workers:
            if worker.is_alive():
                worker.kill()
        self.pool.shutdown()


# ---- in a worker: when told to stop, it abandons the game

_at_work = False
_told_to_stop = False


def _begin_work(nice: int = 0) -> None:
    if nice and sys.platform != "win32":
        os.nice(nice)
    signal.signal(signal.SIGTERM, _on_stop)
    signal.signal(signal.SIGINT, lambda number, frame: None)  # Ctrl-C is for the process that started this one
    if sys.platform != "win32":  # there, a worker that is stopped hears nothing of it
        signal.signal(signal.SIGALRM, _on_stop)
        sys.unraisablehook = _on_unraisable
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """Exits with the parent. A pool does not notice when its owner is killed, so its workers would wait forever."""
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)  # abandons the game and kills its programs
    time.sleep(_PATIENCE)
    os._exit(1)


def _on_unraisable(lost: sys.UnraisableHookArgs, /) -> None:
    """A request to stop that arrives inside a finaliser cannot leave it: Python drops it there. It is made again."""
    if sys.platform != "win32" and _told_to_stop and lost.exc_type is KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_REAL, _AGAIN)
    else:
        sys.__unraisablehook__(lost)


def _on_stop(number: int, frame: object) -> None:
    global _told_to_stop
    _told_to_stop = True
    if _at_work:
        raise KeyboardInterrupt


def at_work(task: Callable[..., R], *given: Any) -> R:
    """Runs a task in a worker; all tasks of a pool go through this."""
    global _at_work
    _at_work = True
    try:
        if _told_to_stop:
            raise KeyboardInterrupt
        return task(*given)
    except KeyboardInterrupt:
        _end_programs()
        raise
    finally:
        _at_work = False


def _end_programs() -> None:
    """Kills any remaining bots of this worker, such as one that was just being started or shut down."""
    with suppress(OSError):  # without this file, they exit when they notice that nobody talks to them
        for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
            with suppress(OSError):
                os.killpg(int(child), signal.SIGKILL)  # each has its own session
