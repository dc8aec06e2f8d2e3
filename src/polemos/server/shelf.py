"""The games of this server, looked up only once because searching the installed packages takes a while."""

from __future__ import annotations

from functools import cache
from typing import Any

from polemos import registry


@cache
def names() -> tuple[str, ...]:
    return tuple(registry.names())


def load(name: str) -> Any:
    """The adapter of a game; raises NoSuchGame if it isn't installed."""
    return _load(name) if name in names() else registry.load(name)


@cache
def _load(name: str) -> Any:
    return registry.load(name)
