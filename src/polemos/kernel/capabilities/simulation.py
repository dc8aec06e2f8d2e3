"""Many random games are played side by side in compiled code."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

from polemos.kernel.record import Many, Record

S = TypeVar("S", bound=Record)


@runtime_checkable
class Simulation(Protocol[S]):
    bench: ClassVar[dict[str, Any]] = {}  # options of the games that the bench plays
    packs: ClassVar[bool] = False  # `rollout` keeps to the extent of a state, so that a batch can lie dense

    def rollout(self, states: Many[S], start: S, seed: int, steps: int) -> int:
        """Plays `steps` random steps over the states; finished games begin anew. Counts the games."""
        ...

    def measures(self, seconds: float) -> dict[str, float]:
        """Further figures for the bench, each measured for about so long."""
        return {}
