"""A game has maps that bots play in turn on its ladder."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class LadderMaps(Protocol):
    def ladder_maps(self) -> dict[str, dict[str, Any]]:
        """The options of each map, by its name as people read it. All of them have the same number of seats."""
        ...
