"""Where games are played: a small interface, and code shared by everything that plays games elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, Protocol

from polemos.arena.tournament.batch import Batch, Done, void
from polemos.kernel.errors import PolemosError

MAX_DEATHS: Final = 3  # workers that one game may kill before it is void
MAX_LOSSES: Final = 50  # batches lost in a row before giving up


class ExecutorError(PolemosError):
    word = "executor/bad"


class Executor(Protocol):
    """Plays batches of games. Every game submitted comes back at least once."""

    @property
    def cores(self) -> int:
        """The number of batches played at once."""

    @property
    def room(self) -> int:
        """The number of further batches that can be submitted now."""

    def submit(self, batch: Batch) -> None:
        """Starts playing a batch, now or soon."""

    def wait(self, seconds: float) -> Sequence[Done]:
        """The finished batches; waits up to `seconds` if there are none."""

    def close(self) -> None:
        """Stops all workers at once. The games they are playing are lost."""


class Losses:
    """Decides what to do when a worker is lost with its batch.

    The games of the batch are played again one by one, to find out which one caused it. A game that keeps killing its
    worker is void.
    """

    def __init__(self) -> None:
        self._deaths: Counter[int] = Counter()
        self._in_a_row = 0

    def found(self) -> None:
        """Notes that a batch came back."""
        self._in_a_row = 0

    def lost(self, batch: Batch, *, by_itself: bool = True) -> tuple[list[Batch], Done | None]:
        """The batches to submit instead, and games that are void. `by_itself`: the worker died, not its machine."""
        self._in_a_row += 1
        if self._in_a_row > MAX_LOSSES:
            raise ExecutorError(f"The last {self._in_a_row} workers died. Something is wrong with the machines.")
        if not by_itself:
            return [batch], None
        if len(batch.pairings) > 1:
            return [Batch((pairing,)) for pairing in batch.pairings], None
        (pairing,) = batch.pairings
        self._deaths[pairing.number] += 1
        if self._deaths[pairing.number] < MAX_DEATHS:
            return [batch], None
        return [], Done((void(pairing, f"it killed its worker process {MAX_DEATHS} times"),))
