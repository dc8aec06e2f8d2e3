"""Things in the game can be looked up by name, such as the figures of a unit."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Glossary(Protocol):
    def about(self, setting: Any, name: str) -> str | None:
        """An explanation of the thing with this name, or None if there isn't one."""
        ...
