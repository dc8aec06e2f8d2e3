"""Chosen dice can be fixed, for tests and for programs that ask what would happen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from polemos.kernel.dice import Chance


@runtime_checkable
class FixableDice(Protocol):
    def fix_dice(self, chance: Chance, dice: Mapping[str, Any]) -> None:
        """Fixes rolls, named in the words of the game; raises a NotationError."""
        ...
