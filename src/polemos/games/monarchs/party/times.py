"""The clocks of the evening (12.6 to 12.9, 12.13, 12.16), as functions of time. Nothing here looks at a real clock.

Acts are stamped with milliseconds of the wall clock. Party time is the same without the pauses: while the gamerunners
have paused the evening it stands still, so every deadline moves by as much as the pause lasted.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

SECOND: Final = 1000


class Clock(Struct, frozen=True):
    """How much wall time the pauses have taken, and since when the evening has been paused."""

    lost: int = 0
    stopped: int | None = None


class Until(Struct, frozen=True, omit_defaults=True):
    """A deadline for a screen: the wall time while clocks run, the time left while they are paused."""

    at: int | None = None
    left: int | None = None


def party_time(clock: Clock, at: int) -> int:
    """12.9 The party time at a wall time.

    >>> party_time(Clock(lost=5000), 60_000), party_time(Clock(lost=5000, stopped=50_000), 60_000)
    (55000, 45000)
    """
    return (at if clock.stopped is None else clock.stopped) - clock.lost


def pause(clock: Clock, at: int) -> Clock:
    """12.9 All clocks stand still from now on."""
    return clock if clock.stopped is not None else replace(clock, stopped=at)


def resume(clock: Clock, at: int) -> Clock:
    """12.9 All clocks go on where they stood."""
    return clock if clock.stopped is None else Clock(lost=clock.lost + at - clock.stopped)


def until(clock: Clock, deadline: int) -> Until:
    """When a deadline, given in party time, is reached.

    >>> until(Clock(lost=5000), 60_000), until(Clock(lost=5000, stopped=50_000), 60_000)
    (Until(at=65000, left=None), Until(at=None, left=15000))
    """
    if clock.stopped is None:
        return Until(at=deadline + clock.lost)
    return Until(left=max(0, deadline - party_time(clock, clock.stopped)))


def left(clock: Clock, deadline: int, at: int) -> int:
    """How many milliseconds are left at a wall time; 0 once the deadline has passed."""
    return max(0, deadline - party_time(clock, at))


def spoken(milliseconds: int) -> str:
    """A length of time as a clock shows it; a second that has begun counts.

    >>> spoken(59_001), spoken(900_000), spoken(3_600_000)
    ('1:00', '15:00', '60:00')
    """
    minutes, seconds = divmod(-(-milliseconds // SECOND), 60)
    return f"{minutes}:{seconds:02}"
