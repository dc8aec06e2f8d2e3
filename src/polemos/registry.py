"""The installed games, found by entry point. This is the only place that maps a game's name to its code."""

from __future__ import annotations

from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from polemos.kernel.errors import NoSuchGame

GROUP = "polemos.games"


VERBS = "polemos.verbs"  # commands added by games


def verbs() -> dict[str, EntryPoint]:
    """Commands added by games, by name, without loading any."""
    return {point.name: point for point in entry_points(group=VERBS)}


def _installed() -> dict[str, EntryPoint]:
    found = {point.name: point for point in entry_points(group=GROUP)}
    if not any(point.value.startswith(f"{GROUP}.") for point in found.values()):
        found.update(_lying_here())
    return found


def _lying_here() -> dict[str, EntryPoint]:
    """Our own games where nobody has installed them, but the source tree is on Python's path."""
    folders = Path(__file__).with_name("games")
    names = [file.parent.name for file in folders.glob("*/game.py")]
    return {name: EntryPoint(name, f"{GROUP}.{name}.game:GAME", GROUP) for name in names}


def names() -> list[str]:
    """The names of all installed games, without loading any."""
    return sorted(_installed())


def load(name: str) -> Any:
    """The adapter of a game.

    Typed Any only here: every game has its own types for state, orders, views and events.
    """
    installed = _installed()
    if name not in installed:
        near = get_close_matches(name, installed, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise NoSuchGame(
            f"There is no game called {name[:40]!r}.{hint} Installed games: {', '.join(sorted(installed))}."
        )
    return installed[name].load()
