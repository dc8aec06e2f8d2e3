"""A game offers a few ways to play it that need no further choice, and maps to choose from. In its module `presets`."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from polemos.kernel.rooms import package_of


class Preset(Struct, frozen=True):
    """A way to play, ready to start."""

    name: str
    title: str
    about: str  # a sentence: what makes it different, and how long it takes
    options: dict[str, Any] = {}
    seats: int = 0  # how many play; 0: as few as the game needs
    seconds: float = 60.0  # for each turn, when people play each other
    team: bool = False  # people share a side: the first thing to do is to invite them
    first: bool = False  # the one for a first game against a bot


class MapCard(Struct, frozen=True):
    """A map to choose."""

    name: str
    title: str
    about: str
    options: dict[str, Any]  # that lead to it
    seats: int = 0  # how many can play on it; 0: as many as like


@runtime_checkable
class Presets(Protocol):
    @property
    def presets(self) -> tuple[Preset, ...]:
        """From quick to long. The second one is what most people want."""
        found: tuple[Preset, ...] = import_module(f"{package_of(self)}.presets").PRESETS
        return found

    @property
    def map_cards(self) -> tuple[MapCard, ...]:
        """The maps of the game in the order in which people should see them; none if it has only one."""
        found: tuple[MapCard, ...] = import_module(f"{package_of(self)}.presets").map_cards()
        return found
