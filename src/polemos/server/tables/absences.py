"""Who has left a shared seat, and from when on others may take over their roles. Only the server that holds the table
knows it: nobody counts as away longer than the table has been in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Final

MINUTE: Final = 60.0  # seconds for which the role of someone who left is kept
OWNER: Final = 0  # the person who took the seat

Place = tuple[str, int]  # a seat, and the number of a person in it


class Absences:
    """The people of a table who are away. `is_here` says who is connected."""

    def __init__(self, is_here: Callable[[Place], bool], clock: Callable[[], float] = monotonic) -> None:
        self._is_here, self._clock = is_here, clock
        self._begun = clock()
        self._left: dict[Place, float] = {}

    def left(self, seat: str | None, member: int) -> None:
        """A connection has ended. Whoever has another one is still here."""
        if seat is not None and not self._is_here((seat, member)):
            self._left[seat, member] = self._clock()

    def move(self, seats: Mapping[str, str]) -> None:
        """People have changed seats."""
        self._left = {(seats.get(seat, seat), member): at for (seat, member), at in self._left.items()}

    def wait(self, seat: str, holder: int, member: int) -> float | None:
        """Seconds until someone may take over the roles of a person in their seat; None if that person is here.

        Whoever took the seat need not wait.
        """
        if self._is_here((seat, holder)):
            return None
        since = self._left.get((seat, holder), self._begun)
        return 0.0 if member == OWNER else max(0.0, since + MINUTE - self._clock())
