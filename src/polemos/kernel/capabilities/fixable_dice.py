"""Dice can be fixed, for tests and for programs that want to know what would happen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar, runtime_checkable

from polemos.kernel.dice import Chance

S_contra = TypeVar("S_contra", contravariant=True)


@runtime_checkable
class FixableDice(Protocol[S_contra]):
    def fix_dice(self, state: S_contra, chance: Chance, dice: Mapping[str, Any]) -> None:
        """Fixes rolls of the next step, named in the words of the game. May raise a NotationError."""
        ...
