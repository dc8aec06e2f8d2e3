"""Where games are played: one small interface, and what all that play games elsewhere have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, Protocol

from polemos.arena.tournament.batch import Batch, Done, void
from polemos.kernel.errors import PolemosError

MAX_DEATHS: Final = 3  # workers that one game may take with it before it is void
MAX_LOSSES: Final = 50  # batches lost in a row before it is no use to go on


class ExecutorError(PolemosError):
    word = "executor/bad"


class Executor(Protocol):
    """Plays batches of games. Every game that is submitted comes back, once at least."""

    @property
    def cores(self) -> int:
        """How many batches are played at once."""

    @property
    def room(self) -> int:
        """How many more batches are wanted now."""

    def submit(self, batch: Batch) -> None:
        """Begins to play a batch, now or soon."""

    def wait(self, seconds: float) -> Sequence[Done]:
        """What was finished; waits for a moment if there is nothing."""

    def close(self) -> None:
        """Ends all workers at once. What they play now is lost."""


class Losses:
    """What to do when a worker was lost with its batch.

    The games of the batch are played again one by one, to find out which of them it was. A game that takes its worker
    with it again and again is void.
    """

    def __init__(self) -> None:
        self._deaths: Counter[int] = Counter()
        self._in_a_row = 0

    def found(self) -> None:
        """A batch came back."""
        self._in_a_row = 0

    def lost(self, batch: Batch, *, by_itself: bool = True) -> tuple[list[Batch], Done | None]:
        """The batches to submit instead, and games that are void. A worker may also be lost for other reasons."""
        self._in_a_row += 1
        if self._in_a_row > MAX_LOSSES:
            raise ExecutorError(f"The last {self._in_a_row} workers were lost: something is wrong with the machines.")
        if not by_itself:
            return [batch], None
        if len(batch.pairings) > 1:
            return [Batch((pairing,)) for pairing in batch.pairings], None
        (pairing,) = batch.pairings
        self._deaths[pairing.number] += 1
        if self._deaths[pairing.number] < MAX_DEATHS:
            return [batch], None
        return [], Done((void(pairing, f"it ended the process that played it, {MAX_DEATHS} times"),))
