"""How long a game can take at most. Whoever has one for longer hangs, however often it says that it is alive."""

from __future__ import annotations

from typing import Final

from polemos.wire.bot import Budget

_VIEWS: Final = 5000  # of one seat; the longest games have a few hundred
_OURS: Final = 900.0  # seconds for the umpire, the files, and the other games of a lot


def longest(budget: Budget, seats: int) -> float:
    """Seconds after which nobody plays a game any more, all its bots being as slow as they may be.

    >>> round(longest(Budget(), 2) / 60)
    102
    """
    return _OURS + seats * (budget.start + budget.wall_bank + budget.wall_turn * _VIEWS)
