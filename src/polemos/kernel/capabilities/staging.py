"""The stages of a turn depend on more than the kinds of its events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from polemos.kernel.chronicle import Event
from polemos.kernel.scenes import Stage

V_contra = TypeVar("V_contra", contravariant=True)


@runtime_checkable
class Staging(Protocol[V_contra]):
    def stages(self, setting: Any, before: V_contra, events: Sequence[Event]) -> tuple[Stage, ...]:
        """The scene of a turn, from an audience's own view before it and the events told to that audience."""
        ...
