"""A Ray cluster: tournaments are played there, and the bots of a server can think there."""

from __future__ import annotations

import logging
import os
from typing import Any

from polemos.kernel.errors import PolemosError
from polemos.kernel.parts import part


class NoCluster(PolemosError):
    """Ray cannot be used."""


def connected(address: str) -> Any:
    """Ray, connected to its cluster, with usage reporting switched off."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with part("ray", "On every machine, --ray needs"):
        import ray
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        raise NoCluster(
            f"There is no Ray cluster at {address!r} ({_first_line(error)}). Start one with `ray start --head`, then"
            " run `ray start --address=HOST:PORT` on each machine. `--ray auto` finds the cluster on this machine."
        ) from None
    return ray


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")[:120]
