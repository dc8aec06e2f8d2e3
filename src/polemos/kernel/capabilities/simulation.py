"""Many random games are played side by side in compiled code."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

from polemos.kernel.record import Many, Record

S = TypeVar("S", bound=Record)


@runtime_checkable
class Simulation(Protocol[S]):
    bench: ClassVar[dict[str, Any]] = {}  # options of the games that the benchmark plays
    packs: ClassVar[bool] = False  # `rollout` stays within the extent of a state, so a batch can be packed densely

    def rollout(self, states: Many[S], start: S, seed: int, steps: int) -> int:
        """Plays `steps` random steps across the states, restarting finished games. Returns how many games finished."""
        ...

    def measures(self, seconds: float) -> dict[str, float]:
        """Further figures for the benchmark, each measured for about `seconds`."""
        return {}
