"""Our bots' thinking on a Ray cluster: a process there, as an executor of `concurrent.futures`.

Polemos must be installed on every machine of the cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from typing import Any, TypeVar

from polemos.arena.ray_cluster import connected

T = TypeVar("T")


def cluster(address: str) -> Callable[[], Executor]:
    """Connects to a cluster; makes processes there. Raises NoCluster if there is none."""
    ray = connected(address)
    return lambda: RayProcess(ray)


class _Thinker:
    """Runs on the cluster. It is a process of its own, so that bots stay in its memory."""

    def do(self, work: Callable[..., Any], given: tuple[Any, ...]) -> Any:
        return work(*given)


class RayProcess(Executor):
    """Does one thing at a time in one process, on one core of the cluster. If that is lost, the executor is broken."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._thinker = ray.remote(num_cpus=1, max_restarts=0)(_Thinker).remote()

    def submit(self, work: Callable[..., T], /, *given: Any, **named: Any) -> Future[T]:
        assert not named, "Lines give arguments by place."
        done: Future[T] = Future()

        def finished(found: Future[T]) -> None:
            error = found.exception()
            if error is None:
                done.set_result(found.result())
            elif isinstance(error, self._ray.exceptions.RayTaskError):  # our fault; the process is well
                done.set_exception(error)
            else:
                done.set_exception(BrokenExecutor(f"A process on the cluster was lost: {type(error).__name__}"))

        try:
            self._thinker.do.remote(work, given).future().add_done_callback(finished)
        except Exception as error:  # whatever Ray says when it has lost its cluster
            raise BrokenExecutor(f"The cluster can't be reached: {type(error).__name__}") from error
        return done

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with suppress(Exception):  # the cluster may be gone
            self._ray.kill(self._thinker)
